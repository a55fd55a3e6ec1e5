//! MariaDB's own programs and the arguments they get. None of them reads a configuration file of the system.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Pages that it keeps in memory. Its default is 128 MB, far less than the benchmarks read.
const POOL: &str = "--innodb-buffer-pool-size=2G";
const CURE: &str = "run `cargo xtask setup`, or install mariadb-server-core and mariadb-client-core";

/// Makes the system tables in `folder/data`.
pub(crate) fn install(folder: &Path) {
    fs::create_dir(folder.join("tmp")).expect("a folder can be made");
    let mut command = Command::new("mariadb-install-db");
    command.args(["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db"]);
    command.args(places(folder)).args(user(folder));
    run(&mut command);
}

/// The command line of the server. It flushes at each commit, as in earnest, and has the settings of docs/operations.md.
pub(crate) fn server(folder: &Path, port: u16, options: &[&str]) -> Vec<OsString> {
    let mut words = vec![program().into(), "--no-defaults".into()];
    words.extend(places(folder));
    words.push(option("socket", &socket(folder)));
    words.push(option("pid-file", &pid_file(folder)));
    words.extend(user(folder).map(Into::into));
    words.push(format!("--port={port}").into());
    words.extend(["--bind-address=127.0.0.1", "--max-allowed-packet=64M", POOL].map(Into::into));
    words.extend(options.iter().map(Into::into));
    words
}

pub(crate) fn sql(folder: &Path, statements: &str) -> String {
    run(client(folder).arg(format!("--execute={statements}")))
}

/// The statements of a file.
pub(crate) fn sql_of(folder: &Path, database: &str, file: &Path) {
    let file = fs::File::open(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    run(client(folder).arg(database).stdin(file));
}

fn client(folder: &Path) -> Command {
    let mut command = Command::new("mariadb");
    command.args(["--no-defaults", "--user=root", "--batch", "--skip-column-names"]);
    command.arg(option("socket", &socket(folder)));
    command
}

/// A folder for temporary files of its own, too: a server that starts removes those that another one has left.
fn places(folder: &Path) -> [OsString; 2] {
    [("datadir", "data"), ("tmpdir", "tmp")].map(|(name, place)| option(name, &folder.join(place)))
}

/// The file with the server's process id, while it runs.
pub(crate) fn pid_file(folder: &Path) -> PathBuf {
    folder.join("pid")
}

pub(crate) fn data(folder: &Path) -> PathBuf {
    folder.join("data")
}

/// The file for all tables that have no file of their own.
pub(crate) fn tables_file(folder: &Path) -> PathBuf {
    data(folder).join("ibdata1")
}

fn socket(folder: &Path) -> PathBuf {
    folder.join("socket")
}

fn option(name: &str, path: &Path) -> OsString {
    let mut option = OsString::from(format!("--{name}="));
    option.push(path);
    option
}

/// For root, who has to say that this is meant; the owner of a new folder is who made it.
fn user(folder: &Path) -> Option<&'static str> {
    let owner = folder.metadata().expect("the folder is there").uid();
    (owner == 0).then_some("--user=root")
}

/// Debian keeps it where only root looks for programs.
fn program() -> PathBuf {
    let debian = Path::new("/usr/sbin/mariadbd");
    if debian.exists() { debian.to_owned() } else { "mariadbd".into() }
}

/// Answers what the program prints.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}; {CURE}"));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}: {said}{}", String::from_utf8_lossy(&output.stderr));
    said
}
