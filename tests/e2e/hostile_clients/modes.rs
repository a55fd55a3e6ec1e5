//! The machine's other users: what a server and a backup write is their owner's alone, whatever the umask says, and what
//! is wider already is told with the command that closes it.

use std::fs::{self, File, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;
use weevil_e2e::{Api, PATIENCE, default_binary, job_workflow};

/// A command of the binary under a umask that forbids nothing.
fn open_handed() -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "umask 000; exec \"$0\" \"$@\""]).arg(default_binary());
    command
}

/// A server over this folder that takes requests and leaves its token in the folder `run` beside its log: it, its address, and
/// what it has logged until then.
fn serve(data: &Path, log: &Path) -> (Ended, String, String) {
    let mut child = open_handed()
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(data)
        .env("RUST_LOG", "warn")
        .env("WEEVIL_RUNTIME_DIR", log.with_file_name("run"))
        .stdout(Stdio::piped())
        .stderr(File::create(log).expect("a file"))
        .spawn()
        .expect("the binary runs");
    let mut line = String::new();
    let stdout = child.stdout.take().expect("stdout is piped");
    BufReader::new(stdout).read_line(&mut line).expect("the server speaks");
    let address = line.trim().trim_start_matches("listening on http://").to_owned();
    (Ended(child), address, fs::read_to_string(log).expect("a log"))
}

/// Ends its server when dropped.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        // It may have ended already.
        let _ended = self.0.kill();
        let _reaped = self.0.wait();
    }
}

fn mode(path: &Path) -> u32 {
    path.metadata().expect("it is there").permissions().mode() & 0o777
}

/// The names of what is in a folder, each its owner's alone.
fn assert_own(folder: &Path) -> Vec<String> {
    assert_eq!(mode(folder), 0o700, "{}", folder.display());
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let names = entries.map(|path| {
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        path.file_name().expect("a name").to_string_lossy().into_owned()
    });
    names.collect()
}

#[test]
fn what_is_durable_is_its_owner_s_alone() {
    let folder = TempDir::new().expect("a folder");
    let data = folder.path().join("new/data");
    let (server, address, log) = serve(&data, &folder.path().join("log"));
    assert!(!log.contains("chmod"), "{log}");
    let run = folder.path().join("run");
    Api::of_owner(&address, &run, PATIENCE).run(&job_workflow("function weevil_main() { return 1 }", ""));
    assert_eq!(assert_own(&run).len(), 1, "the token");
    let names = assert_own(&data);
    assert!(
        names.contains(&"weevil.db".to_owned()) && names.contains(&"weevil.db-wal".to_owned()),
        "{names:?}"
    );
    let copy = folder.path().join("copy.db");
    let backup = open_handed().args(["db", "backup", "--data"]).args([&data, &copy]).output();
    assert!(backup.expect("the binary runs").status.success());
    assert_eq!(mode(&copy), 0o600);
    drop(server);
    assert_own(&data);
}

#[test]
fn what_is_wider_is_told_with_the_command_that_closes_it() {
    let folder = TempDir::new().expect("a folder");
    let (data, log) = (folder.path().join("da ta"), folder.path().join("log"));
    drop(serve(&data, &log));
    let files = fs::read_dir(&data).expect("a folder").map(|entry| entry.expect("a file").path());
    let files: Vec<_> = files.collect();
    for file in &files {
        fs::set_permissions(file, Permissions::from_mode(0o644)).expect("mine");
    }
    fs::set_permissions(&data, Permissions::from_mode(0o755)).expect("mine");
    for start in ["first", "second"] {
        let told = serve(&data, &log).2;
        assert!(told.contains("chmod 700") && told.contains("chmod 600"), "{start}: {told}");
    }
    let (server, _, told) = serve(&data, &log);
    for command in told.lines().filter_map(|line| line.split_once("this closes it: ")) {
        assert!(
            Command::new("sh").args(["-c", command.1]).status().expect("a shell").success(),
            "{command:?}"
        );
    }
    drop(server);
    let quiet = serve(&data, &log).2;
    assert!(!quiet.contains("chmod"), "{quiet}");
    assert_own(&data);
}
