//! Workers for people: who is listed and in which order, what each was handed, and what comes of a pause and of a ban.

use std::time::Instant;

use serde_json::{Value, json};
use weevil_api::routes::{Operation, search};
use weevil_api::{AuditPage, JobHistory, WorkerAttemptPage, WorkerPage, WorkerView};
use weevil_e2e::{FakeWorker, Guest, PATIENCE, PlainWorker, TestServer, number, thrown};
use weevil_model::{Capabilities, JobId, Needs};
use weevil_protocol::frame::{ServerFrame, Verdict};
use weevil_protocol::plain::Dequeue;

const CODE: &str = "function weevil_main() { return 1 }";
/// What opens a page, a terminal, a row of a table, a JSON text.
const HOSTILE: &str = "<img src=x onerror=alert(1)>\u{1b}[2J\u{202e}'\"\\{}\n= cmd|' /C'!A0";

fn put(server: &TestServer, key: &str) -> String {
    server.api().put_job(&json!({ "source": CODE, "key": key })).job
}

/// What is asked of a worker, and what the server says.
fn ask(server: &TestServer, operation: Operation, worker: &str, body: &Value) -> (u16, String) {
    let answer =
        server.api().post(&operation.path(&[&worker]), "application/json", &[], body.to_string().as_bytes());
    (answer.status, answer.text)
}

fn done(server: &TestServer, operation: Operation, worker: &str, body: &Value) -> WorkerView {
    let (status, text) = ask(server, operation, worker, body);
    assert_eq!(status, 200, "{text}");
    serde_json::from_str(&text).expect("a worker")
}

fn show(server: &TestServer, worker: &str) -> WorkerView {
    server.api().json(&Operation::ShowWorker.path(&[&worker]))
}

/// The worker as people see it, once it fits.
fn await_view(server: &TestServer, worker: &str, fits: impl Fn(&WorkerView) -> bool) -> WorkerView {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let view = show(server, worker);
        if fits(&view) {
            return view;
        }
        assert!(Instant::now() < deadline, "{view:?}");
    }
}

/// The id of the only worker that calls itself so, once it is shown; with its device where it is to have one.
fn named(server: &TestServer, agent: &str, device: bool) -> String {
    let is_it = |worker: &&WorkerView| worker.agent == agent && worker.device.is_some() == device;
    let fleet = server.api().await_fleet(|fleet| fleet.workers.iter().any(|worker| is_it(&worker)));
    fleet.workers.iter().find(is_it).expect("it is there").id.clone()
}

fn join(server: &TestServer, agent: &str, capacity: u32) -> FakeWorker {
    FakeWorker::join_as(&server.address, Guest { agent, capacity, ..Guest::default() })
}

/// A worker of the device with this key.
fn join_with_key(server: &TestServer, agent: &str, key: u8) -> FakeWorker {
    let mut worker = join(server, agent, 1);
    worker.introduce(key, &server.address);
    worker
}

#[test]
fn a_paused_worker_finishes_what_it_holds_and_gets_no_more() {
    let server = TestServer::start(&[]);
    for device in [false, true] {
        let mut worker =
            if device { join_with_key(&server, "paused", 1) } else { join(&server, "paused", 1) };
        let id = named(&server, "paused", device);
        put(&server, &format!("first {device}"));
        let held = worker.job();
        await_view(&server, &id, |view| view.capacity == Some(1));
        let view = done(&server, Operation::PauseWorker, &id, &json!({ "note": "its fan is loud" }));
        let back = view.held_back.expect("it is held back");
        assert!(!back.banned && back.paused_until.is_some(), "{back:?}");
        assert_eq!(await_view(&server, &id, |view| view.held_back.is_some()).held_back, Some(back));
        put(&server, &format!("second {device}"));
        assert_eq!(worker.report(vec![(held.key, number(1.0))]), [Verdict::Accepted]);
        let mut other = join(&server, "other", 1);
        let taken = other.job();
        let third = put(&server, &format!("third {device}"));
        let view = done(&server, Operation::ResumeWorker, &id, &json!({}));
        assert_eq!(view.held_back, None);
        let held = worker.job();
        assert_eq!(weevil_model::JobId::from_number(held.key.job).expect("an id").to_string(), third);
        for (who, key) in [(&mut worker, held.key), (&mut other, taken.key)] {
            assert_eq!(who.report(vec![(key, number(1.0))]), [Verdict::Accepted]);
        }
        drop((worker, other));
        server.api().await_fleet(|fleet| fleet.workers.is_empty());
    }
}

#[test]
fn a_banned_device_is_sent_away_for_good_and_what_it_held_is_nobodys_fault() {
    let mut server = TestServer::start(&[]);
    let job = put(&server, "held");
    let mut worker = join_with_key(&server, "bad", 7);
    worker.job();
    let id = named(&server, "bad", true);
    let view = done(&server, Operation::BanWorker, &id, &json!({ "note": HOSTILE }));
    let back = view.held_back.clone().expect("it is held back");
    assert!(back.banned && back.paused_until.is_none(), "{back:?}");
    assert_eq!(back.note, HOSTILE);
    assert_sent_away(&mut worker, "banned this device");
    let mut other = join(&server, "good", 1);
    let again = other.job();
    let history: JobHistory = server.api().json(&Operation::ShowJob.path(&[&job]));
    let ends: Vec<Option<&str>> = history.attempts.iter().map(|attempt| attempt.end.as_deref()).collect();
    assert_eq!((&*ends, history.job.failures), (&[Some("lost"), None][..], 0));
    assert_eq!(other.report(vec![(again.key, number(1.0))]), [Verdict::Accepted]);
    assert!(await_view(&server, &id, |view| view.gone).held_back.expect("still").banned);
    told_in_the_audit(&server, &id);
    drop(other);

    server.kill();
    server.restart();
    assert!(show(&server, &id).held_back.expect("a restart changes nothing").banned);
    put(&server, "after the restart");
    let mut worker = join_with_key(&server, "bad", 7);
    assert_sent_away(&mut worker, "banned this device");
    let mut other = join_with_key(&server, "good", 8);
    let held = other.job();
    assert_eq!(other.report(vec![(held.key, number(1.0))]), [Verdict::Accepted]);
    drop(other);

    assert_eq!(done(&server, Operation::ResumeWorker, &id, &json!({})).held_back, None);
    put(&server, "once it may again");
    let mut worker = join_with_key(&server, "bad", 7);
    worker.job();
}

fn assert_sent_away(worker: &mut FakeWorker, words: &str) {
    match worker.frame() {
        Some(ServerFrame::SentAway { message }) => assert!(message.contains(words), "{message}"),
        other => panic!("it is to be sent away, not {other:?}"),
    }
    assert_eq!(worker.frame(), None, "its connection ends");
}

#[test]
fn a_worker_sent_away_for_now_may_come_again_with_a_device_or_without() {
    let server = TestServer::start(&[]);
    let once = json!({ "once": true, "note": HOSTILE });
    let job = put(&server, "held");
    let number_of = job.parse::<JobId>().expect("an id").number();
    for (agent, key) in [("lone", None), ("mine", Some(7))] {
        let come = || key.map_or_else(|| join(&server, agent, 1), |key| join_with_key(&server, agent, key));
        let mut worker = come();
        worker.job();
        let id = named(&server, agent, key.is_some());
        let view = done(&server, Operation::BanWorker, &id, &once);
        assert!(view.gone && view.held_back.is_none(), "{view:?}");
        assert_sent_away(&mut worker, "sent this tab away");
        await_view(&server, &id, |view| view.gone);
        let (status, text) = ask(&server, Operation::BanWorker, &id, &once);
        assert!(status == 404 && text.contains("noSuchWorker") && text.contains("has left"), "{text}");
        assert_eq!(come().job().key.job, number_of);
    }
    let plain = PlainWorker::join(&server.address);
    plain.job();
    done(&server, Operation::BanWorker, &named(&server, "plain, here", false), &once);
    let dequeue = Dequeue { pass: plain.joined.pass.clone(), max: 1, wait_ms: None };
    let (status, refused) = plain.refused("dequeue", &dequeue.to_xml());
    assert_eq!((status, refused.code.as_str()), (404, "noSuchWorker"), "{refused:?}");
    let history: JobHistory = server.api().json(&Operation::ShowJob.path(&[&job]));
    assert_eq!(history.job.failures, 0, "what they held is nobody's fault");
}

/// Who did it, to which device, and why: as it was written.
fn told_in_the_audit(server: &TestServer, id: &str) {
    let query = search(&[("action", Some(&"worker.banned"))]);
    let page: AuditPage = server.api().json(&(Operation::ListAudit.path(&[]) + &query));
    let [row] = &page.rows[..] else { panic!("{page:?}") };
    assert_eq!(row.subject.as_deref(), Some(id));
    let details: Value = serde_json::from_str(row.details.as_ref().expect("details")).expect("JSON");
    assert_eq!((&details["note"], details["device"].as_str().map(str::len)), (&json!(HOSTILE), Some(8)));
}

#[test]
fn what_cannot_be_asked_is_refused_in_words() {
    let server = TestServer::start(&[]);
    let _lone = join(&server, "lone", 0);
    let lone = named(&server, "lone", false);
    let nobody = "wrk_38fznmhq20000";
    let (pause, ban, resume) = (Operation::PauseWorker, Operation::BanWorker, Operation::ResumeWorker);
    let wordy = "\u{1F41B}".repeat(201);
    for (operation, worker, body, status, code, words) in [
        (pause, &*lone, json!({ "note": wordy }), 400, "badBody", "201 characters; 200 are allowed"),
        (pause, &lone, json!({ "minutes": 0 }), 400, "badBody", "1 to 43200"),
        (pause, &lone, json!({ "minutes": 43_201 }), 400, "badBody", "1 to 43200"),
        (pause, &lone, json!({ "minutes": -1 }), 400, "badBody", ""),
        (pause, &lone, json!({ "until": 1 }), 400, "badBody", "until"),
        (ban, &lone, json!({ "minutes": 1 }), 400, "badBody", "minutes"),
        (ban, &lone, json!({}), 409, "cannotBan", "send it away `once`"),
        (pause, nobody, json!({}), 404, "noSuchWorker", "never given anything"),
        (ban, nobody, json!({}), 404, "noSuchWorker", ""),
        (resume, nobody, json!({}), 404, "noSuchWorker", ""),
        (pause, "worker", json!({}), 400, "badId", ""),
        (pause, &lone, json!({ "note": "\u{1F41B}".repeat(200), "minutes": 43_200 }), 200, "", "heldBack"),
        (pause, &lone, json!({}), 200, "", "heldBack"),
    ] {
        let (found, text) = ask(&server, operation, worker, &body);
        assert_eq!(found, status, "{body}: {text}");
        assert!(text.contains(code) && text.contains(words), "{body}: {text}");
    }
    for (path, words) in [
        ("?sort=colour", "connected, heard, slots"),
        ("?sort=done&after=-done.wrk_38fznmhq20000.1", "after"),
        ("?state=asleep", "gone"),
        ("?state=gone&sort=done", "newest first"),
        ("?colour=red", "colour"),
        ("?limit=1001", "1000"),
        (&format!("?q={}", "a".repeat(101)), "101 characters; 100 are allowed"),
    ] {
        let answer = server.api().answer(&(Operation::ListWorkers.path(&[]) + path));
        assert_eq!(answer.status, 400, "{path}: {}", answer.text);
        assert!(answer.text.contains("badQuery") && answer.text.contains(words), "{path}: {}", answer.text);
    }
}

fn list(server: &TestServer, query: &[(&str, Option<&str>)]) -> WorkerPage {
    let query: Vec<(&str, Option<&dyn std::fmt::Display>)> =
        query.iter().map(|(name, value)| (*name, value.as_ref().map(|value| value as _))).collect();
    server.api().json(&(Operation::ListWorkers.path(&[]) + &search(&query)))
}

fn agents(page: &WorkerPage) -> Vec<&str> {
    page.workers.iter().map(|worker| worker.agent.as_str()).collect()
}

#[test]
fn workers_are_listed_with_what_they_are_and_have_done() {
    let server = TestServer::start(&[]);
    let has = Needs { capabilities: Capabilities(7), memory_mb: 2048 };
    let guest = Guest {
        agent: HOSTILE,
        capacity: 1,
        adapter: Some("amd\u{1b}[2J rdna-2"),
        has: Some(has),
        ..Guest::default()
    };
    let mut busy = FakeWorker::join_as(&server.address, guest);
    for (key, outcome) in [("good", number(1.0)), ("bad", thrown(HOSTILE))] {
        server.api().put_job(&json!({ "source": CODE, "key": key, "attempts": 1 }));
        let held = busy.job();
        busy.report(vec![(held.key, outcome)]);
    }
    let _idle = join(&server, "idle", 0);
    server.api().await_fleet(|fleet| fleet.workers.len() == 2 && fleet.workers[0].done == 2);
    let page = list(&server, &[("sort", Some("-done"))]);
    assert_eq!((agents(&page), &page.next), (vec![HOSTILE, "idle"], &None));
    let shown = &page.workers[0];
    assert_eq!((shown.done, shown.errors, shown.expired, shown.busy, shown.memory_mb), (2, 1, 0, 0, 2048));
    assert_eq!(shown.capabilities, ["javascript", "webcl", "wasm"]);
    assert_eq!(shown.adapter.as_deref(), Some("amd[2J rdna-2"), "nothing that moves a terminal");
    assert!(shown.last_heard_at >= shown.connected_at && !shown.gone);
    let first = list(&server, &[("sort", Some("done")), ("limit", Some("1"))]);
    assert_eq!(agents(&first), ["idle"]);
    let second =
        list(&server, &[("sort", Some("done")), ("limit", Some("1")), ("after", first.next.as_deref())]);
    assert_eq!((agents(&second), second.next.as_ref()), (vec![HOSTILE], None));
    assert_eq!(agents(&list(&server, &[("q", Some("RDNA"))])), [HOSTILE]);

    let id = shown.id.clone();
    let path = Operation::WorkerAttempts.path(&[&id]);
    let page: WorkerAttemptPage = server.api().json(&format!("{path}?limit=1"));
    let told = |page: &WorkerAttemptPage| {
        let attempt = page.attempts[0].clone();
        let job = attempt.job.expect("its owner may know");
        (job.path, attempt.end, job.message)
    };
    assert_eq!(told(&page), ("bad".into(), Some("error".into()), Some(HOSTILE.into())));
    let next = page.next.expect("there are two");
    let page: WorkerAttemptPage = server.api().json(&format!("{path}?after={next}"));
    assert_eq!(told(&page), ("good".into(), Some("completed".into()), None));

    drop(busy);
    let gone = await_view(&server, &id, |view| view.gone);
    assert_eq!((gone.done, gone.errors, gone.agent.as_str()), (2, 1, HOSTILE));
    let page = list(&server, &[("state", Some("gone"))]);
    assert_eq!(agents(&page), [HOSTILE], "who was given nothing is not kept");
    let (status, text) = ask(&server, Operation::PauseWorker, &id, &json!({}));
    assert_eq!(status, 404, "{text}");
    assert!(text.contains("has left: it cannot"), "{text}");
}

#[test]
fn who_has_computed_is_known_after_a_restart() {
    let mut server = TestServer::start(&[]);
    put(&server, "one");
    let mut worker = join(&server, "worker", 1);
    let held = worker.job();
    worker.report(vec![(held.key, number(1.0))]);
    let id = named(&server, "worker", false);
    drop(worker);
    await_view(&server, &id, |view| view.gone);
    server.terminate();
    assert!(server.await_death().success());
    server.restart();
    let kept = show(&server, &id);
    assert_eq!((kept.done, kept.gone, kept.agent.as_str()), (1, true, "worker"));
    assert_eq!(agents(&list(&server, &[("state", Some("gone")), ("q", Some("WORK"))])), ["worker"]);
}
