//! Notes of pauses: who has paused a run or the queue, since when and why, wherever that is told; and bodies that are no notes.

use serde_json::{Value, json};
use weevil_api::routes::Operation;
use weevil_api::{QueueView, RunSummary, RunView};
use weevil_e2e::hostile::{Reply, Stranger};
use weevil_e2e::{DatabaseKind, TestServer, job_workflow, on_each_database};

use super::tokens::somebody;

const NOTE: &str = "new rack <b>\u{1b}[2J 🗄";

fn pause(who: &Stranger, path: &str, body: &[u8]) -> Reply {
    who.ask("POST", path, &[("Content-Type", "application/json")], body)
}

fn paused<T: serde::de::DeserializeOwned>(who: &Stranger, path: &str, note: &str) -> T {
    let reply = pause(who, path, json!({ "note": note }).to_string().as_bytes());
    assert_eq!(reply.status, 200, "{}", reply.text());
    serde_json::from_slice(&reply.body).expect("a view")
}

fn told(
    RunSummary { paused, paused_by, paused_note, .. }: &RunSummary,
) -> (bool, Option<&str>, Option<&str>) {
    (*paused, paused_by.as_deref(), paused_note.as_deref())
}

fn queue(server: &TestServer) -> QueueView {
    server.api().json(&Operation::ShowQueue.path(&[]))
}

/// What explain says first of a run, but for the time of day.
fn why(server: &TestServer, run: &str) -> Vec<String> {
    let told: Value = server.api().json(&Operation::ExplainRun.path(&[&run]));
    let texts = told["reasons"].as_array().expect("reasons").iter().map(|reason| &reason["text"]);
    let texts = texts.map(|text| text.as_str().expect("a text"));
    texts.map(|text| text.split_once(" UTC").map_or(text, |(_, rest)| rest).to_owned()).collect()
}

fn a_note_stands_wherever_a_pause_is_told_until_a_resume(kind: DatabaseKind) {
    let mut server = kind.server();
    let run = server.api().run(&job_workflow("function weevil_main() { return 1 }", ""));
    server.api().await_waiting(&run, 1);
    let (of_run, of_queue) = (Operation::PauseRun.path(&[&run]), Operation::PauseQueue.path(&[]));
    let owner = server.owner();
    let view: RunView = paused(&owner, &of_run, NOTE);
    assert_eq!(told(&view.summary), (true, None, Some(NOTE)), "who works at the server has no name");
    let since = view.summary.paused_since.expect("a moment");
    assert_eq!(paused::<QueueView>(&owner, &of_queue, NOTE).paused_note.as_deref(), Some(NOTE));
    server.kill();
    server.restart();
    let view = server.api().view(&run);
    assert_eq!(told(&view.summary), (true, None, Some(NOTE)), "over a restart");
    assert_eq!(view.summary.paused_since, Some(since));
    assert_eq!(queue(&server).paused_note.as_deref(), Some(NOTE));
    let whys = why(&server, &run);
    assert_eq!(whys[0], format!(": {NOTE}"), "of the run");
    assert!(whys[1..].contains(&format!(": {NOTE}")), "of the queue: {whys:?}");

    // A client of an earlier release sends no body, and forgets nothing.
    let again = server.api().post(&of_run, "", &[], &[]).json::<RunView>().summary;
    assert_eq!((told(&again), again.paused_since), ((true, None, Some(NOTE)), Some(since)));
    for (operation, paused) in [(Operation::ResumeRun, false), (Operation::PauseRun, true)] {
        let view: RunView = server.api().post(&operation.path(&[&run]), "", &[], &[]).json();
        assert_eq!(told(&view.summary), (paused, None, None), "a resume forgets it");
        let seen = server.api().view(&run).summary;
        assert_eq!(told(&seen), (paused, None, None), "and so it is seen at once");
    }
    for operation in [Operation::ResumeQueue, Operation::PauseQueue] {
        server.api().post(&operation.path(&[]), "", &[], &[]);
    }
    assert_eq!(queue(&server).paused_note, None);
}

#[test]
fn a_pause_is_told_by_the_name_of_the_account() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow("function weevil_main() { return 1 }", ""));
    server.api().await_waiting(&run, 1);
    let (ada, bob) = (somebody(&server, 1, "ada"), somebody(&server, 2, "bob"));
    let (ada, bob) = (ada.stranger(&server), bob.stranger(&server));
    let (of_run, of_queue) = (Operation::PauseRun.path(&[&run]), Operation::PauseQueue.path(&[]));
    let first: RunView = paused(&ada, &of_run, "lunch");
    assert_eq!(told(&first.summary), (true, Some("ada"), Some("lunch")));
    assert_eq!(why(&server, &run)[0], " by ada: lunch");
    let second: RunView = paused(&bob, &of_run, "");
    assert_eq!(told(&second.summary), (true, Some("ada"), Some("lunch")), "without a note nothing changes");
    let third: RunView = paused(&bob, &of_run, "dinner");
    assert_eq!(told(&third.summary), (true, Some("bob"), Some("dinner")));
    assert_eq!(third.summary.paused_since, first.summary.paused_since);
    let view: QueueView = paused(&ada, &of_queue, "");
    assert_eq!((view.paused_by.as_deref(), view.paused_note), (Some("ada"), None));
    let rows: Value = server.api().json(&(Operation::ListAudit.path(&[]) + "?action=run.paused"));
    let details: Vec<&Value> =
        rows["rows"].as_array().expect("rows").iter().map(|row| &row["details"]).collect();
    assert_eq!(details, [&json!(r#"{"note":"dinner"}"#), &Value::Null, &json!(r#"{"note":"lunch"}"#)]);
}

#[test]
fn a_body_that_is_none_pauses_nothing() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow("function weevil_main() { return 1 }", ""));
    server.api().await_waiting(&run, 1);
    let (owner, whole) = (server.owner(), "é".repeat(200));
    for path in [Operation::PauseRun.path(&[&run]), Operation::PauseQueue.path(&[])] {
        for (body, words) in [
            (json!({ "note": whole.clone() + "é" }).to_string(), "201 characters; 200 are allowed"),
            (json!({ "note": "x", "minutes": 3 }).to_string(), "minutes"),
            (json!({ "note": 3 }).to_string(), "string"),
            ("{".to_owned(), ""),
            ("note=x".to_owned(), ""),
        ] {
            let reply = pause(&owner, &path, body.as_bytes());
            assert_eq!((reply.status, reply.code().as_str()), (400, "badBody"), "{path} {body}");
            assert!(reply.text().contains(words), "{}", reply.text());
        }
        let large = pause(&owner, &path, &vec![b' '; 65_537]);
        assert_eq!((large.status, large.code().as_str()), (413, "messageTooLarge"), "{path}");
    }
    assert!(!server.api().view(&run).summary.paused);
    assert_eq!(queue(&server).paused_since, None);
    let view: RunView = paused(&owner, &Operation::PauseRun.path(&[&run]), &whole);
    assert_eq!(view.summary.paused_note, Some(whole));
}

on_each_database! {
    a_note_stands_wherever_a_pause_is_told_until_a_resume,
}
