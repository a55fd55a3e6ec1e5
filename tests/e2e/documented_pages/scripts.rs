//! The shell blocks of a page as one script, so that what one sets the next one finds, and what it said block by block.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;
use weevil_e2e::{Block, PATIENCE, TestServer, alike, commands};

use super::Page;
use super::table::Exceptions;

/// Stands before each block's words.
const MARK: char = '\u{1e}';
/// The address that pages call a server of this machine by.
const SHOWN: &str = "127.0.0.1:8080";
/// What pages call `clang`, and the linker that it calls: `cargo xtask setup` installs the newest, whose names have a number.
pub(super) const CLANG: [&str; 2] = ["clang-22", "clang"];
const LINKER: [&str; 2] = ["wasm-ld-22", "wasm-ld"];

/// The folder that a page's commands run in, with the workflows and examples of the repository, and the server's data.
pub(super) struct Workplace<'s> {
    server: &'s TestServer,
    folder: TempDir,
}

impl<'s> Workplace<'s> {
    pub(super) fn new(server: &'s TestServer, root: &Path) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).expect("a folder");
        symlink(server.binary(), bin.join("weevil")).expect("a link");
        for (name, names) in [("clang", CLANG), ("wasm-ld", LINKER)] {
            symlink(program(names), bin.join(name)).expect("a link");
        }
        // An answer that refuses is a failure of its command.
        fs::write(folder.path().join(".curlrc"), "fail-with-body\nsilent\nshow-error\n").expect("a file");
        symlink(server.data(), folder.path().join("data")).expect("a link");
        for part in ["workflows", "examples"] {
            copy(&root.join(part), &folder.path().join(part));
        }
        Self { server, folder }
    }

    /// Runs a page's commands. Answers what went wrong.
    pub(super) fn follow(&self, page: &Page, exceptions: &mut Exceptions) -> Vec<String> {
        let script = self.script(page, exceptions);
        let said = self.shell(&script);
        let words = String::from_utf8_lossy(&said.stdout).into_owned();
        let parts: Vec<(usize, &str)> = words
            .split(MARK)
            .filter_map(|part| {
                let (number, words) = part.split_once('\n')?;
                Some((number.parse().ok()?, words))
            })
            .collect();
        if !said.status.success() {
            let at = parts.last().map_or(0, |(number, _)| page.blocks[*number].line);
            let why = String::from_utf8_lossy(&said.stderr);
            return vec![format!("{}:{at}: {}\n{words}\n{why}", page.name, said.status)];
        }
        parts.iter().filter_map(|(number, said)| differs(page, *number, said)).collect()
    }

    fn script(&self, page: &Page, exceptions: &mut Exceptions) -> String {
        let parts = page.blocks.iter().enumerate().map(|(number, block)| {
            let file =
                block.file.as_ref().map(|file| self.put(number, file, &block.text)).unwrap_or_default();
            if block.language != "sh" || exceptions.whole(&page.name, &block.text) {
                return file;
            }
            format!("{file}printf '{MARK}{number}\\n'\n{}", self.commands(page, block, exceptions))
        });
        ["set -eu\n".to_owned()].into_iter().chain(parts).collect()
    }

    /// What puts a block's text in its place, once the script has come as far.
    fn put(&self, number: usize, file: &str, text: &str) -> String {
        let kept = self.folder.path().join(format!(".block-{number}"));
        fs::write(&kept, self.here(text)).expect("a file");
        format!("mkdir -p \"$(dirname '{file}')\"\ncp '{}' '{file}'\n", kept.display())
    }

    fn commands(&self, page: &Page, block: &Block, exceptions: &mut Exceptions) -> String {
        let run = |(_, command): (usize, String)| {
            if exceptions.command(&page.name, &command) {
                return String::new();
            }
            match command.trim_start().strip_prefix("weevil serve") {
                Some(settings) => format!("weevil serve > .settings --print-config {settings}\n"),
                None => format!("{}\n", self.here(&command)),
            }
        };
        commands(&block.text).into_iter().map(run).collect()
    }

    /// With the address of the server that is there.
    fn here(&self, text: &str) -> String {
        text.replace(SHOWN, &self.server.address)
    }

    fn shell(&self, script: &str) -> std::process::Output {
        let path = std::env::var("PATH").unwrap_or_default();
        let bin = self.folder.path().join("bin");
        let mut shell = Command::new("timeout");
        shell.arg(format!("{}", 3 * PATIENCE.as_secs())).args(["sh", "-c", script]);
        shell.current_dir(self.folder.path()).stdin(Stdio::null());
        shell.env("PATH", format!("{}:{path}", bin.display()));
        shell.env("WEEVIL_RUNTIME_DIR", self.server.runtime()).env("WEEVIL_SERVER", self.server.url(""));
        shell.env("XDG_CONFIG_HOME", self.folder.path().join("config")).env("CURL_HOME", self.folder.path());
        shell.output().expect("a shell")
    }
}

/// The first of these programs that is on the path.
pub(super) fn program(names: [&str; 2]) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let found = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    found
        .into_iter()
        .find(|program| program.is_file())
        .unwrap_or_else(|| panic!("none of {names:?} is there: run `cargo xtask setup`"))
}

/// Where the page shows what its commands say, and it is something else.
fn differs(page: &Page, number: usize, said: &str) -> Option<String> {
    let shown = page.blocks.get(number + 1).filter(|next| next.language == "text" && next.follows)?;
    let differs = !alike(&shown.text, said);
    differs.then(|| format!("{}:{}: shown:\n{}said:\n{said}", page.name, shown.line, shown.text))
}

/// A folder without what builds leave behind.
fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").map(|entry| entry.expect("an entry")) {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if !from.is_dir() {
            fs::copy(&from, &to).expect("a copy");
        } else if entry.file_name() != "target" {
            copy(&from, &to);
        }
    }
}
