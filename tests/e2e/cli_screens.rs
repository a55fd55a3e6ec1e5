//! What commands show: help, tables and bars at 80 columns, with a terminal and without.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tempfile::TempDir;
use weevil_e2e::{
    COLUMNS, FakeWorker, Terminal, TestServer, default_binary, job_workflow, number, shown_lines, thrown,
};
use weevil_protocol::frame::AttemptResult;

/// Where a command waits for a job of a worker's.
fn workflow() -> TempDir {
    workflow_with("")
}

fn workflow_with(attributes: &str) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    for (path, bytes) in job_workflow("function weevil_main() {}", attributes) {
        std::fs::write(folder.path().join(path), bytes).expect("a file can be written");
    }
    folder
}

fn command(server: &TestServer, args: &[&str]) -> Command {
    let mut command = server.command();
    command.args(args).args(["--server", &server.url("")]);
    command
}

/// Exit code, stdout and stderr of a command whose output is piped.
fn piped(server: &TestServer, args: &[&str]) -> (Option<i32>, String, String) {
    let output = command(server, args).output().expect("the binary runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn narrow(lines: &[String]) {
    let wide = lines.iter().find(|line| line.chars().count() > COLUMNS.into());
    assert_eq!(wide, None, "{lines:#?}");
}

/// Names of the commands that help lists.
/// The words of each command below this one, those of commands of commands as well.
fn commands(of: &[String]) -> Vec<Vec<String>> {
    let help = Command::new(default_binary()).args(of).arg("--help").output().expect("the binary runs");
    let help = String::from_utf8(help.stdout).expect("text");
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = listed
        .map_while(|line| line.strip_prefix("  ")?.split(' ').next().map(str::to_owned))
        .filter(|name| !name.is_empty() && name != "help");
    let words = names.map(|name| [of, &[name]].concat());
    words.flat_map(|words| [vec![words.clone()], commands(&words)].concat()).collect()
}

#[test]
fn help_is_read_at_80_columns_and_without_colours_in_a_pipe() {
    let all = commands(&[]);
    let nested = ["worker", "pause"].map(str::to_owned);
    assert!(all.len() > 40 && all.iter().any(|words| *words == nested), "{all:?}");
    for words in all.into_iter().chain([Vec::new()]) {
        let words = [words, vec!["--help".to_owned()]].concat();
        let (status, shown) = Terminal::start(Command::new(default_binary()).args(&words)).end();
        assert!(status.success(), "{words:?}");
        narrow(&shown_lines(&shown));
        let piped = Command::new(default_binary()).args(&words).output().expect("the binary runs");
        assert!(!piped.stdout.contains(&0x1b), "{words:?}");
        let plain = Terminal::start(Command::new(default_binary()).args(&words).env("NO_COLOR", "1")).end().1;
        assert!(!plain.contains('\u{1b}'), "{words:?}: {plain}");
    }
}

#[test]
fn tables_have_a_heading_and_an_end_on_a_terminal_and_nothing_is_cut_in_a_pipe() {
    let server = TestServer::start(&[]);
    let folder = workflow();
    let path = folder.path().to_str().expect("a path");
    let runs: Vec<String> = (0..2).map(|_| piped(&server, &["run", path]).1).collect();
    let _worker = FakeWorker::join(&server.address, 3);
    server.api().await_fleet(|fleet| fleet.workers.len() == 1);
    for (args, heading, words) in [
        (&["runs"][..], "RUN  ", runs[1].as_str()),
        (&["runs", "--state", "started", "--limit", "1"], "RUN  ", &runs[1]),
        (&["runs", "--sort", "created", "--limit", "1"], "RUN  ", &runs[0]),
        (&["workers"], "WORKER  ", "wrk_"),
        (&["workers", "--sort", "-mflops"], "WORKER  ", "wrk_"),
        (&["queue"], "", "running"),
    ] {
        let (status, shown) = Terminal::start(&mut command(&server, args)).end();
        let lines = shown_lines(&shown);
        assert!(
            status.success() && lines[0].starts_with(heading) && shown.contains(words),
            "{args:?} {lines:#?}"
        );
        narrow(&lines);
        let (code, out, err) = piped(&server, args);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{args:?}");
        assert!(out.contains(words) && (heading.is_empty() || !out.contains(heading)), "{args:?} {out}");
        let (_, json, _) = piped(&server, &[args, &["--json"]].concat());
        assert!(json.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()), "{json}");
    }
    let newest_first: Vec<String> = piped(&server, &["runs"])
        .1
        .lines()
        .filter_map(|line| line.split(' ').next().map(str::to_owned))
        .collect();
    assert_eq!(newest_first, [runs[1].as_str(), &runs[0]]);
    assert_eq!(piped(&server, &["runs", "--state", "failed"]), (Some(0), String::new(), String::new()));
}

/// Runs a workflow to its end on a terminal. Answers what was shown.
fn waited(server: &TestServer, path: &str, more: &[&str], variable: Option<(&str, &str)>) -> String {
    let mut command = command(server, &[&["run", path, "--wait"], more].concat());
    command.envs(variable);
    let terminal = Terminal::start(&mut command);
    let mut worker = FakeWorker::join(&server.address, 1);
    let job = worker.job();
    if variable.is_none() && more.is_empty() {
        terminal.await_text("0 of 1 jobs");
    }
    worker.report(vec![(job.key, number(42.0))]);
    let (status, shown) = terminal.end();
    assert!(status.success(), "{shown}");
    shown
}

#[test]
fn a_bar_is_for_people_alone() {
    let server = TestServer::start(&[]);
    let folder = workflow();
    let path = folder.path().to_str().expect("a path");
    for (more, variable, has_bar) in [
        (&[][..], None, true),
        (&["--json"], None, false),
        (&[], Some(("NO_COLOR", "1")), false),
        (&[], Some(("TERM", "dumb")), false),
    ] {
        let shown = waited(&server, path, more, variable);
        let lines = shown_lines(&shown);
        assert_eq!(
            lines.iter().any(|line| line.contains("0 of 1 jobs")),
            has_bar,
            "{more:?} {variable:?} {lines:#?}"
        );
        assert_eq!(shown.contains('\u{1b}'), has_bar, "{more:?} {variable:?} {shown:?}");
        assert!(lines.last().is_some_and(|line| line.contains("42")), "{lines:#?}");
        narrow(&lines);
    }
}

#[test]
fn a_large_upload_has_a_bar_on_a_terminal() {
    let server = TestServer::start(&[]);
    let folder = workflow();
    std::fs::write(folder.path().join("large.bin"), vec![7; 3 * 1024 * 1024]).expect("a file can be written");
    let path = folder.path().to_str().expect("a path");
    for (more, variable, has_bar) in
        [(&[][..], None, true), (&["--json"], None, false), (&[], Some(("NO_COLOR", "1")), false)]
    {
        let mut command = command(&server, &[&["upload", path], more].concat());
        command.envs(variable);
        let (status, shown) = Terminal::start(&mut command).end();
        let lines = shown_lines(&shown);
        assert!(status.success(), "{shown}");
        assert_eq!(shown.contains(" of 3.00 MiB"), has_bar, "{more:?} {variable:?} {shown:?}");
        narrow(&lines[..lines.len() - usize::from(!has_bar)]);
    }
}

#[test]
fn a_wait_says_why_nothing_runs_and_after_a_failure_how_to_go_on() {
    let server = TestServer::start(&[]);
    let folder = workflow_with("retries=\"0\"");
    let path = folder.path().to_str().expect("a path");
    let mut waiting = command(&server, &["run", path, "--wait"]);
    let mut waiting = waiting.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
    let mut said = BufReader::new(waiting.stderr.take().expect("stderr is piped")).lines();
    let mut line = || said.next().expect("it goes on").expect("text");
    let run = line().strip_prefix("waiting for ").expect("a run").to_owned();
    assert_eq!(line(), "why: No worker is connected.");
    assert_eq!(line(), "     at only");
    assert!(line().starts_with("     Open the server"), "its cure");
    let mut worker = FakeWorker::join(&server.address, 1);
    let job = worker.job();
    worker.report(vec![(job.key, thrown("boom"))]);
    assert_eq!(waiting.wait().expect("it ends").code(), Some(1));
    let words: Vec<String> = said.map(|line| line.expect("text")).collect();
    let next = format!("`weevil jobs {run} --failed` lists the jobs that went wrong");
    assert!(words.last().is_some_and(|line| line.starts_with(&next)), "{words:#?}");
    let (_, listed, _) = piped(&server, &["jobs", &run, "--failed"]);
    let id = listed.split(' ').next().expect("it was listed");
    assert_eq!(piped(&server, &["input", id]), (Some(0), "[]".into(), String::new()));
}

#[test]
fn ctrl_c_ends_the_wait_and_not_the_run() {
    let server = TestServer::start(&[]);
    let folder = workflow();
    let path = folder.path().to_str().expect("a path");
    let mut waiting = command(&server, &["run", path, "--wait"]);
    let mut waiting = waiting.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
    let mut said = BufReader::new(waiting.stderr.take().expect("stderr is piped"));
    let mut line = String::new();
    said.read_line(&mut line).expect("it says what it waits for");
    let run = line.trim().strip_prefix("waiting for ").expect("a run").to_owned();
    let pid = i32::try_from(waiting.id()).ok().and_then(Pid::from_raw).expect("a pid");
    kill_process(pid, Signal::INT).expect("it waits");
    assert_eq!(waiting.wait().expect("it ends").code(), Some(130));
    let mut words = String::new();
    said.read_to_string(&mut words).expect("text");
    assert!(words.contains(&format!("`weevil result {run}`")), "{words}");
    assert_eq!(piped(&server, &["result", &run]).1, format!("{run} has not ended yet"));
}

/// The shortest beginning of one id that is none of the other's.
fn beginning(id: &str, other: &str) -> String {
    let same = id.chars().zip(other.chars()).take_while(|(one, another)| one == another).count();
    id.chars().take(same + 1).collect()
}

#[test]
fn an_id_may_be_cut_where_no_other_one_begins_so() {
    let server = TestServer::start(&[]);
    let folder = workflow();
    let path = folder.path().to_str().expect("a path");
    let [first, second] = [(); 2].map(|()| piped(&server, &["run", path]).1);
    let job = server.api().first_job(&first).job.id;
    let alone = ["default", "sums"].map(|queue| {
        let asked = json!({ "queue": queue, "source": "function weevil_main() {}" });
        server.api().put_job(&asked).job
    });
    let _workers = [(); 2].map(|()| FakeWorker::join(&server.address, 0));
    let fleet = server.api().await_fleet(|fleet| fleet.workers.len() == 2);
    let [one, other] = [0, 1].map(|at| fleet.workers[at].id.clone());
    let whom = beginning(&one, &other);
    let (cut, job_cut, same) =
        (beginning(&first, &second), beginning(&job, &alone[0]), first[..5].to_owned());
    for (args, exit, words) in [
        (["result", &cut], 0, format!("{first} has not ended yet")),
        (["jobs", &cut], 0, job.clone()),
        (["pause", &cut], 0, format!("{first} is paused")),
        (["explain", &beginning(&alone[1], &alone[0])], 0, format!("{} in the queue sums", alone[1])),
        (["explain", &cut], 0, format!("{first}  PAUSED")),
        (["explain", &whom], 0, one.clone()),
        (["workers", &whom], 0, one.clone()),
        (["runs", &cut], 0, first.clone()),
        (["cancel", &same], 2, format!("write more of the id that is meant:\n  {second}")),
        (["cancel", &same], 2, format!("\n  {first}")),
        (["result", "run_000"], 2, "no run begins with `run_000`".to_owned()),
        (["explain", "job_000"], 2, "no job begins with `job_000`".to_owned()),
        (["explain", &job_cut[..5]], 2, "several jobs begin with".to_owned()),
        (["explain", &one[..5]], 2, "several workers begin with".to_owned()),
        (["explain", "wrk_000"], 2, "no worker begins with `wrk_000`".to_owned()),
    ] {
        let (code, out, err) = piped(&server, &args);
        assert!(
            code == Some(exit) && (out.clone() + &err).contains(&words),
            "{args:?}: {code:?} {out} {err}"
        );
    }
}

#[test]
fn an_address_without_the_route_of_a_command_is_told_by_the_route() {
    let mut server = TestServer::start(&["--public-listen", "127.0.0.1:0"]);
    let volunteers = format!("http://{}", server.public_address());
    for (args, route) in
        [(["runs", "--limit=1"], "GET /api/v1/runs"), (["pause", "--json"], "POST /api/v1/queue/pause")]
    {
        let output = server.command().args(args).args(["--server", &volunteers]).output().expect("it runs");
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(words.contains(&format!("has no route `{route}`")) && !words.contains("404"), "{words}");
    }
}

#[test]
fn logs_are_told_as_attempts_end_and_followed_to_the_end() {
    let server = TestServer::start(&[]);
    let folder = workflow();
    let path = folder.path().to_str().expect("a path");
    let run = piped(&server, &["run", path]).1;
    assert_eq!(
        piped(&server, &["logs", &run]),
        (Some(0), String::new(), "nothing has been logged yet".to_owned())
    );
    let mut following = command(&server, &["logs", &run, "--follow"]);
    let following = following.stdout(Stdio::piped()).spawn().expect("the binary runs");
    let mut worker = FakeWorker::join(&server.address, 1);
    let key = worker.job().key;
    let log = Some("one\ntwo \u{1b}[31m".to_owned());
    worker.submit(vec![AttemptResult { key, outcome: number(1.0), slot: 0, compute_us: 1, flops: 0.0, log }]);
    let followed = following.wait_with_output().expect("it ends with the run");
    let expected = "only 1: one\nonly 1: two \u{FFFD}[31m";
    assert_eq!(String::from_utf8_lossy(&followed.stdout).trim_end(), expected);
    let job = server.api().first_job(&run).job.id;
    for (args, out) in [
        (vec!["logs", &run], expected),
        (vec!["logs", &job], expected),
        (vec!["logs", &run, "--node", "only"], expected),
        (vec!["logs", &run, "--node", "other"], ""),
    ] {
        assert_eq!(piped(&server, &args).1, out, "{args:?}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&piped(&server, &["logs", &run, "--json"]).1).expect("JSON");
    assert_eq!((&json["attempt"], &json["job"]), (&1.into(), &job.into()));
}

#[test]
fn top_draws_on_a_terminal_and_writes_lines_elsewhere() {
    let server = TestServer::start(&[]);
    let folder = workflow();
    let run = piped(&server, &["run", folder.path().to_str().expect("a path")]).1;
    let mut top = Terminal::start(&mut command(&server, &["top"]));
    top.await_text(&format!("> {run}"));
    top.await_text("q leave");
    top.press("p");
    top.await_text("PAUSED");
    top.press("q");
    let (status, shown) = top.end();
    assert!(status.success() && shown.trim_end().ends_with("\u{1b}[?1049l"), "{shown:?}");
    assert!(server.api().view(&run).summary.paused);
    let mut plain = command(&server, &["top"]).stdout(Stdio::piped()).spawn().expect("the binary runs");
    let lines = BufReader::new(plain.stdout.take().expect("stdout is piped")).lines();
    for line in lines.take(2).map_while(Result::ok) {
        assert!(
            line.starts_with("0 workers, 0 of 0 slots busy; ") && line.ends_with("1 runs go on"),
            "{line}"
        );
    }
    plain.kill().and_then(|()| plain.wait()).expect("it goes on until it is ended");
}

#[test]
fn open_prints_the_page_of_a_run_and_a_link_that_signs_in() {
    let server = TestServer::start(&[]);
    let run = piped(&server, &["run", workflow().path().to_str().expect("a path")]).1;
    let (code, address, words) = piped(&server, &["open", &run, "--print"]);
    assert_eq!((code, address), (Some(0), server.url(&format!("/console#/runs/{run}"))));
    assert!(words.contains(&server.url("/console#link=")), "{words}");
    let (code, _, words) = piped(&server, &["open", "run_0000000000001", "--print"]);
    assert!(code == Some(2) && words.contains("no run"), "{words}");
}
