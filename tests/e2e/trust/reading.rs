//! What a researcher reads of judged jobs: on the command line, and on the console's pages.

use std::process::Output;
use std::time::Instant;

use weevil_e2e::{Browser, Guest, PATIENCE, TestServer, number};
use weevil_model::JobId;

use super::scene::{BEHIND_A_PROXY, CODE, answer, judged_run, story, tab, tab_of};
use crate::looks::{await_words, look_at_console};

/// Three browsers as they call themselves.
const AGENTS: [&str; 3] = [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
    "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0",
    "a program",
];

pub(super) fn weevil(server: &TestServer, args: &[&str]) -> Output {
    let url = server.url("");
    server.command().args(args).args(["--server", &url]).output().expect("the binary runs")
}

/// What a command that has succeeded prints.
pub(super) fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

/// A device of that browser answers the job.
fn answer_as(server: &TestServer, job: JobId, turn: u8, said: f64) {
    let place = format!("198.51.{turn}.7");
    let agent = AGENTS[usize::from(turn - 1)];
    let guest = Guest { place: Some(&place), agent, ..Guest::default() };
    // The last one has no key.
    let key = Some(turn).filter(|turn| *turn < 3);
    answer(&mut tab_of(server, key, guest), job, number(said));
}

fn file(server: &TestServer, name: &str, text: &str) -> String {
    let path = server.data().join(name);
    std::fs::write(&path, text).expect("a file can be written");
    path.to_str().expect("a path").to_owned()
}

#[test]
fn the_command_line_asks_for_a_policy_and_tells_what_came_of_it() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let code = file(&server, "job.js", CODE);
    let id = stdout(&weevil(&server, &["submit", &code, "--trust", "quorum(2)"]));
    let job: JobId = id.parse().expect("the id of a job");
    answer_as(&server, job, 1, 7.0);
    let told = stdout(&weevil(&server, &["explain", &id]));
    assert!(
        told.contains(": ANSWERED\njudged by quorum(2)\nwaits for an answer from somebody else\n"),
        "{told}"
    );
    assert!(told.contains(", not decided"), "{told}");
    let listed = stdout(&weevil(&server, &["jobs", "--queue", "default"]));
    assert!(
        listed.contains("  ANSWERED   ") && listed.contains("(waits for an answer from somebody else)"),
        "{listed}"
    );
    answer_as(&server, job, 2, 1.0);
    answer_as(&server, job, 3, 7.0);
    let told = stdout(&weevil(&server, &["explain", &id]));
    let said: Vec<&str> = told.lines().filter(|line| line.contains("answered by")).collect();
    let answers: Vec<_> =
        story(&server, job).attempts.into_iter().filter_map(|attempt| attempt.answer).collect();
    let line = |turn: usize, whose: &str, engine: &str, fate: &str| {
        let digest = answers[turn].digest.clone().expect("a value");
        let role = ["first", "check", "third"][turn];
        format!("     answered by {whose} ({engine}, {role}): value {}, {fate}", &digest[..12])
    };
    let device = |turn: usize| format!("newcomer device {}", answers[turn].device.clone().expect("a key"));
    let expected = [
        line(0, &device(0), "Chromium", "agreed"),
        line(1, &device(1), "Firefox", "refuted"),
        line(2, "a worker without a device key", "another kind of worker", "agreed"),
    ];
    assert_eq!(said, expected);
    assert!(told.contains("answers: 3, believed on devices that agree\n"), "{told}");
    assert_eq!(
        (answers[0].digest == answers[2].digest, answers[0].digest == answers[1].digest),
        (true, false)
    );
}

#[test]
fn a_wrong_policy_on_the_command_line_is_refused_in_words() {
    let server = TestServer::start(&[]);
    let code = file(&server, "job.js", CODE);
    let document = file(&server, "workflow.xml", "<workflow/>");
    for command in [["run", &document], ["submit", &code]] {
        let refused = weevil(&server, &[&command[..], &["--trust", "credible(0)"]].concat());
        let words = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{words}");
        assert!(words.contains("rules out that all of them lie"), "{words}");
    }
}

#[test]
fn the_console_shows_policies_and_answers() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let (run, job) = judged_run(&server, "quorum(2)");
    answer_as(&server, job, 1, 7.0);
    let browser = Browser::start();
    let console = server.console(&browser, &format!("#/runs/{run}"));
    let policy = "Started with the policy quorum(2): a value is believed once 2 independent answers agree.";
    await_words(&console, "#run-page .policy", policy);
    await_words(&console, "#run-page .run-done", "1 answered");
    look_at_console(&console, "judged-run");
    console.eval(&format!("location.hash = '#/jobs/{job}'"));
    await_words(&console, "#job-page .state", "answered");
    await_words(&console, "#job-page", "Waits for an answer from somebody else");
    await_words(
        &console,
        "#job-page .policy",
        "Judged by quorum(2): a value is believed once 2 independent answers agree",
    );
    await_words(&console, "[data-attempt] .answer", "not decided");
    answer_as(&server, job, 2, 1.0);
    answer_as(&server, job, 3, 7.0);
    console.wait_for("document.querySelector('#job-page').dataset.state === 'FINISHED'");
    await_words(&console, "#job-page .job-waits", "3 answers, believed since devices agree");
    let answers = story(&server, job).attempts.into_iter().filter_map(|attempt| attempt.answer);
    let (names, fates) = (["Chromium", "Firefox", "another kind of worker"], ["agreed", "refuted", "agreed"]);
    for ((answer, at), (engine, fate)) in answers.zip(1..).zip(names.into_iter().zip(fates)) {
        let whose = answer
            .device
            .map_or("a worker without a device key".to_owned(), |device| format!("device {device}"));
        let digest = answer.digest.expect("a value");
        let shown =
            console.eval(&format!("document.querySelector('[data-attempt=\"{at}\"] .answer').innerText"));
        let shown = shown.as_str().expect("text").split_whitespace().collect::<Vec<_>>().join(" ");
        let asked = ["first answer", "computed to compare", "computed since two were not enough"][at - 1];
        let expected =
            format!("Answered by {whose} ({engine}): value {} {fate} {asked}, newcomer", &digest[..12]);
        assert_eq!(shown, expected);
    }
    look_at_console(&console, "judged-job");
}

#[test]
fn a_job_says_why_no_connected_worker_takes_it() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let (_, job) = judged_run(&server, "quorum(2)");
    let id = job.to_string();
    let await_told = |fits: &dyn Fn(&str) -> bool| {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let told = stdout(&weevil(&server, &["explain", &id]));
            if fits(&told) {
                return;
            }
            assert!(Instant::now() < deadline, "{told}");
        }
    };
    let mut first = tab(&server, Some(1), "198.51.1.7");
    answer(&mut first, job, number(1.0));
    let _neighbour = tab(&server, Some(2), "198.51.1.9");
    await_told(&|told| {
        told.contains("needs another device or network: 2 connected workers have answered already\n")
    });
    let browser = Browser::start();
    let console = server.console(&browser, &format!("#/jobs/{id}"));
    await_words(&console, "#job-page .job-waits", "another device or network is needed");
    look_at_console(&console, "waiting-job");
    let _elsewhere = tab(&server, Some(3), "198.51.3.7");
    await_told(&|told| !told.contains("needs another device"));
}
