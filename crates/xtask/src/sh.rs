//! Runs one command of the outside world: echoes it, and turns its failure into words with a cure.
//! It never decides what to run.

use std::env;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Done, Failure};
use crate::paths;

const POLL: Duration = Duration::from_millis(100);

/// A command that starts in the root of the repository.
pub(crate) fn cmd(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(paths::root());
    command
}

/// The cargo that runs this program.
pub(crate) fn cargo() -> Command {
    cmd(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Says what is about to happen, in one line.
pub(crate) fn say(text: impl AsRef<str>) {
    eprintln!("==> {}", text.as_ref());
}

/// Runs to the end with the terminal's own streams.
pub(crate) fn run(command: &mut Command, cure: &str) -> Done {
    echo(command);
    let status = command.status().map_err(|error| unstarted(command, &error, cure))?;
    judge(command, status, cure)
}

/// Runs to the end and returns what it printed on stdout; its stderr is shown.
pub(crate) fn output(command: &mut Command, cure: &str) -> Done<String> {
    command.stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| unstarted(command, &error, cure))?;
    judge(command, output.status, cure)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What it printed on stdout when it ended well, and nothing otherwise: for asking, not for doing.
pub(crate) fn ask(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs quietly for at most `limit`; whether it ended well in that time.
pub(crate) fn attempt(command: &mut Command, limit: Duration) -> bool {
    echo(command);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    let deadline = Instant::now() + limit;
    while Instant::now() < deadline {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) => thread::sleep(POLL),
            Err(_) => break,
        }
    }
    end(&mut child);
    false
}

/// Runs to the end, shows both streams and hands every line to `each`.
pub(crate) fn tee(command: &mut Command, cure: &str, mut each: impl FnMut(&str)) -> Done {
    echo(command);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| unstarted(command, &error, cure))?;
    let (sender, lines) = mpsc::channel();
    forward(child.stdout.take(), sender.clone());
    forward(child.stderr.take(), sender);
    for line in lines {
        println!("{line}");
        each(&line);
    }
    let status = child.wait().map_err(|error| unstarted(command, &error, cure))?;
    judge(command, status, cure)
}

/// Kills a child that may already be gone, and waits for it.
pub(crate) fn end(child: &mut Child) {
    // Both fail only where the child has been waited for already: then there is nothing to end.
    let _ = child.kill();
    let _ = child.wait();
}

/// The command as a person would type it.
pub(crate) fn shown(command: &Command) -> String {
    let words = [command.get_program()].into_iter().chain(command.get_args());
    words.map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=/.,:@+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{word}'") }
}

fn echo(command: &Command) {
    eprintln!("$ {}", shown(command));
}

fn forward(stream: Option<impl Read + Send + 'static>, lines: mpsc::Sender<String>) {
    let Some(stream) = stream else { return };
    thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            let text = String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned();
            line.clear();
            if lines.send(text).is_err() {
                return;
            }
        }
    });
}

fn unstarted(command: &Command, error: &std::io::Error, cure: &str) -> Failure {
    Failure::new(format!("`{}` could not be started: {error}", shown(command)), cure)
}

fn judge(command: &Command, status: ExitStatus, cure: &str) -> Done {
    if status.success() {
        return Ok(());
    }
    Err(Failure::new(format!("`{}` failed ({status})", shown(command)), cure))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_a_command_as_typed() {
        let mut command = Command::new("apt-get");
        command.args(["install", "-y", "a b"]);
        assert_eq!(shown(&command), "apt-get install -y 'a b'");
    }

    #[test]
    fn tee_sees_both_streams_and_the_failure() {
        let mut seen = Vec::new();
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo err >&2; exit 3"]);
        let failed = tee(&mut command, "none", |line| seen.push(line.to_owned()));
        seen.sort();
        assert_eq!(seen, ["err", "out"]);
        assert!(failed.unwrap_err().to_string().contains("exit status: 3"));
    }

    #[test]
    fn an_attempt_ends_at_its_limit() {
        let began = Instant::now();
        assert!(!attempt(Command::new("sleep").arg("300"), Duration::from_millis(200)));
        assert!(began.elapsed() < Duration::from_mins(5), "it has not slept to its end");
    }
}
