//! `weevil run --local`: a server and a browser that come with a command and go with it, however it ends.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::{Builder, TempDir};
use weevil_e2e::{Files, PATIENCE, default_binary, job_workflow, shipped};

/// Between two looks at what runs on this machine.
const PAUSE: Duration = Duration::from_millis(50);

/// A folder for temporary files and one for a workflow. The names are short: a browser's socket has to fit in.
struct Place {
    temporary: TempDir,
    workflow: TempDir,
}

impl Place {
    fn with(files: &Files) -> Self {
        let folder = || Builder::new().prefix("l").tempdir().expect("a folder");
        let place = Self { temporary: folder(), workflow: folder() };
        place.write(files);
        place
    }

    fn write(&self, files: &Files) {
        for (path, bytes) in files {
            std::fs::write(self.workflow.path().join(path), bytes).expect("a file can be written");
        }
    }

    fn weevil(&self, args: &[&str]) -> Command {
        let mut command = Command::new(default_binary());
        command.args(["run", "--local"]).args(args).arg(self.workflow.path());
        // Settings of somebody's own server are not this one's.
        command.env("TMPDIR", self.temporary.path()).env("WEEVIL_LISTEN", "192.0.2.1:80");
        command
    }

    fn output(&self, args: &[&str]) -> Output {
        self.weevil(args).output().expect("the binary runs")
    }

    fn begin(&self, args: &[&str]) -> Child {
        let mut command = self.weevil(args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs")
    }

    /// Waits until no process knows the folder of temporary files, and nothing is left in it.
    fn await_nothing(&self) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let (running, left) = (processes(self.temporary.path()), names(self.temporary.path()));
            if running.is_empty() && left.is_empty() {
                return;
            }
            assert!(Instant::now() < deadline, "left: {running:#?} {left:?}");
            std::thread::sleep(PAUSE);
        }
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there").filter_map(Result::ok);
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Command lines that name a folder; what has ended and waits for its parent has none.
fn processes(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").expect("Linux has it").filter_map(Result::ok);
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(&*folder.to_string_lossy())).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end().to_owned()
}

pub(super) fn signal(child: &Child, signal: Signal) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a pid");
    kill_process(pid, signal).expect("the process runs");
}

/// The lines of a pipe that somebody waits for.
pub(super) fn await_line(lines: &mut impl Iterator<Item = std::io::Result<String>>, begin: &str) -> String {
    let mut seen = Vec::new();
    for line in lines.by_ref().map_while(Result::ok) {
        if line.starts_with(begin) {
            return line;
        }
        seen.push(line);
    }
    panic!("`{begin}` was not said: {seen:#?}");
}

#[test]
fn a_workflow_runs_without_a_server_of_anybody_s() {
    let place = Place::with(&shipped("add"));
    let output = place.output(&["--slots", "1"]);
    let words = text(&output.stderr);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), "157".to_owned()), "{words}");
    assert!(words.starts_with("a server of its own at http://127.0.0.1:"), "{words}");
    let is_root = rustix::process::geteuid().is_root();
    assert_eq!(words.contains("(--no-sandbox)"), is_root, "{words}");
    place.await_nothing();
}

#[test]
fn a_run_that_fails_or_cannot_be_is_told_by_the_exit_code() {
    for (code, args, exit, words) in [
        ("function weevil_main() { throw new Error('boom') }", &[][..], 1, "boom"),
        ("nothing", &[], 2, "workflow.xml:1:"),
        ("function weevil_main() { return 1 }", &["--browser", "/no/such/browser"], 2, "is no program here"),
        (
            "function weevil_main() { return 1 }",
            &["--browser", "/bin/false"],
            2,
            "the browser has ended by itself",
        ),
    ] {
        let place = Place::with(&job_workflow(code, r#"retries="0""#));
        let output = place.output(args);
        let told = text(&output.stderr);
        assert!(output.status.code() == Some(exit) && told.contains(words), "{code} {args:?}: {output:?}");
        place.await_nothing();
    }
}

#[test]
fn a_killed_command_leaves_neither_server_nor_browser() {
    let place = Place::with(&shipped("add"));
    let mut child = place.begin(&["--keep"]);
    let mut said = BufReader::new(child.stderr.take().expect("stderr is piped")).lines();
    let console = await_line(&mut said, "console, until Ctrl-C: http://127.0.0.1:");
    assert!(console.contains("/console#link="), "{console}");
    let running = processes(place.temporary.path());
    assert!(running.iter().any(|line| line.contains("serve")) && running.len() > 3, "{running:#?}");
    signal(&child, Signal::KILL);
    let _reaped = child.wait();
    place.await_nothing();
}

#[test]
fn a_watched_workflow_runs_again_when_it_changes() {
    let returning = |n: u32| job_workflow(&format!("function weevil_main() {{ return {n} }}"), "");
    let place = Place::with(&returning(1));
    let mut child = place.begin(&["--watch"]);
    let mut results = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
    let mut said = BufReader::new(child.stderr.take().expect("stderr is piped")).lines();
    for n in 1..4 {
        await_line(&mut said, "watching ");
        await_line(&mut results, &n.to_string());
        place.write(&returning(n + 1));
    }
    await_line(&mut results, "4");
    await_line(&mut said, "watching ");
    signal(&child, Signal::INT);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    place.await_nothing();
}
