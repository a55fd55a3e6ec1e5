//! Modules of a workflow compare answers, and say whether they are right: what is proved is believed at once, and a module that fails
//! has its run paused.

use serde_json::{Value as Json, json};
use weevil_api::routes::Operation;
use weevil_api::{JobPage, RunView};
use weevil_e2e::{
    Browser, DatabaseKind, FakeWorker, Files, Form, TestServer, files, number, on_each_database,
};
use weevil_failpoint::Point;
use weevil_model::{ContentHash, JobId, NodeState, RunState};

use super::certificate::Desk;
use super::scene::{BEHIND_A_PROXY, CODE, answer, ends, jobs, result, story, volunteer};
use crate::looks::{await_words, look_at_console};

on_each_database!(
    what_a_proof_says_is_so,
    a_module_says_which_values_agree,
    a_module_that_fails_has_its_run_paused,
    what_was_to_be_asked_is_asked_after_a_kill,
    questions_that_cannot_be_read_wait_alone,
    a_job_that_stands_alone_names_a_stored_module,
    a_job_that_stands_alone_names_no_other_file,
);

/// Gives room one after the other.
const EXPORTS: &str = r#"(memory (export "memory") 1) (global $next (mut i32) (i32.const 16))
    (func (export "alloc") (param i32) (result i32)
        (global.get $next) (global.set $next (i32.add (global.get $next) (local.get 0))))"#;
/// Seven is right, nothing is said of nine, and eight traps. Each is one byte.
const SEVEN: &str = "
    (if (i32.eq (i32.load8_u (local.get $b)) (i32.const 8)) (then unreachable))
    (if (result i32) (i32.eq (i32.load8_u (local.get $b)) (i32.const 9)) (then (i32.const 2))
        (else (i32.eq (i32.load8_u (local.get $b)) (i32.const 7))))";
/// What leaves the same when it is divided by three; eight traps.
const MODULO_3: &str = "
    (if (i32.eq (i32.load8_u (local.get $b)) (i32.const 8)) (then unreachable))
    (i32.eq (i32.rem_u (i32.load8_u (local.get $a)) (i32.const 3)) (i32.rem_u (i32.load8_u (local.get $b)) (i32.const 3)))";
const ALL_RIGHT: &str = "(i32.const 1)";
/// More questions than a project is asked at a time.
const DAMAGED: u8 = 17;

fn module(entry: &str, body: &str) -> Vec<u8> {
    let parameters = "(param $a i32) (param $al i32) (param $b i32) (param $bl i32)";
    let text = format!(r#"(module {EXPORTS} (func (export "{entry}") {parameters} (result i32) {body}))"#);
    wat::parse_str(text).expect("a module")
}

/// One job that takes nothing and gives a number, with a module in this attribute.
fn workflow(attribute: &str, entry: &str, body: &str) -> Files {
    let document = format!(
        "<workflow><nodes><job id=\"only\" src=\"Code\" returntype=\"Number\" {attribute}=\"Module.wasm\"/></nodes>\
         <finalnode id=\"only\"/></workflow>"
    );
    let mut files = files(&[("workflow.xml", &document), ("Code.js", CODE)]);
    files.push(("Module.wasm".into(), module(entry, body)));
    files
}

fn proving(body: &str) -> Files {
    workflow("proof", "weevil_proof", body)
}

fn comparing() -> Files {
    workflow("agree", "weevil_agree", MODULO_3)
}

fn start(server: &TestServer, files: &Files, policy: &str) -> (String, JobId) {
    let run = server.api().run_form(&Form::of(files).text("trust", policy)).run;
    let job = jobs(server, &run, 1).remove(0).id;
    (run, job.parse().expect("the id of a job"))
}

fn says(worker: &mut FakeWorker, job: JobId, said: f64) {
    answer(worker, job, number(said));
}

/// Whoever was wrong rests, so others come each time.
fn what_a_proof_says_is_so(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let mut number = 0;
    for (policy, said, value, basis, fates) in [
        ("credible(0.001)", &[7.0][..], 7, "proved", &["completed agreed"][..]),
        ("quorum(3)", &[1.0, 7.0], 7, "proved", &["completed refuted", "completed agreed"]),
        (
            "quorum(2)",
            &[1.0, 1.0, 7.0],
            7,
            "proved",
            &["completed refuted", "completed refuted", "completed agreed"],
        ),
        ("quorum(2)", &[9.0, 9.0], 9, "agreed", &["completed agreed", "completed agreed"]),
    ] {
        let (_, job) = start(&server, &proving(SEVEN), policy);
        for said in said {
            number += 1;
            says(&mut volunteer(&server, number), job, *said);
        }
        assert_eq!(result(&server, job), value, "{policy} {said:?}");
        let found = story(&server, job);
        assert_eq!(
            (ends(&found), found.job.basis.as_deref()),
            (fates.iter().map(ToString::to_string).collect(), Some(basis))
        );
    }
    let checks = server.api().metrics().get(r#"weevil_checks_total{by="proof"}"#);
    assert!((checks - 5.0).abs() < f64::EPSILON, "of the same value it is not asked again: {checks}");
    server.audit();
}

fn a_module_says_which_values_agree(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let mut fleet = [1, 2, 3].map(|number| volunteer(&server, number));
    for (said, value, fates) in [
        (&[1.0, 4.0][..], 1, &["completed agreed", "completed agreed"][..]),
        (&[1.0, 2.0, 5.0], 2, &["completed refuted", "completed agreed", "completed agreed"]),
    ] {
        let (_, job) = start(&server, &comparing(), "quorum(2)");
        for (worker, said) in fleet.iter_mut().zip(said) {
            says(worker, job, *said);
        }
        assert_eq!(result(&server, job), value, "{said:?}");
        assert_eq!(ends(&story(&server, job)), fates, "{said:?}");
    }
    server.audit();
}

fn a_module_that_fails_has_its_run_paused(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let mut fleet = [1, 2, 3].map(|number| volunteer(&server, number));
    let (run, job) = start(&server, &comparing(), "quorum(2)");
    says(&mut fleet[0], job, 5.0);
    says(&mut fleet[1], job, 8.0);
    let paused = server.api().await_run(&run, |view| view.summary.paused).summary;
    let words = paused.paused_words.expect("what failed");
    assert_eq!(paused.paused_why.as_deref(), Some("agreeFailed"));
    assert!(words.contains("of only (job_") && words.contains("trapped"), "{words}");
    server.kill();
    server.restart();
    let found = server.api().await_run(&run, |_| true).summary;
    assert_eq!((found.paused, found.paused_words), (true, Some(words)));
    let resumed: RunView = server.api().post(&Operation::ResumeRun.path(&[&run]), "", &[], &[]).json();
    assert_eq!((resumed.summary.paused, resumed.summary.paused_why), (false, None));
    let mut third = volunteer(&server, 3);
    says(&mut third, job, 2.0);
    assert_eq!(result(&server, job), 5);
    assert_eq!(ends(&story(&server, job)), ["completed agreed", "completed refuted", "completed agreed"]);
    server.audit();
}

fn what_was_to_be_asked_is_asked_after_a_kill(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let job = left_unasked(&mut server);
    server.restart();
    assert_eq!(result(&server, job), 3);
    assert_eq!(ends(&story(&server, job)), ["completed agreed"]);
    server.audit();
}

/// A job whose answer is kept, by a server that has died before it heard what the module says of it.
fn left_unasked(server: &mut TestServer) -> JobId {
    server.kill();
    assert!(server.restart_to_die(Point::Judged, 1));
    let (_, job) = start(server, &proving(ALL_RIGHT), "quorum(2)");
    says(&mut volunteer(server, 1), job, 3.0);
    server.await_death();
    job
}

/// A later release has written the row of their job, say; the others are asked all the same.
fn questions_that_cannot_be_read_wait_alone(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let damaged = left_unasked(&mut server);
    let row = damaged.number();
    server.sql(&format!("update jobs set agree = 'a new way' where id = {row}"));
    let others: Vec<String> = (1..DAMAGED).map(|n| ContentHash::of(&[n]).to_string()).collect();
    for other in &others {
        server.sql(&format!(
            "insert into answer_values (job, digest, alike, size, value) values ({row}, x'{other}', x'', 1, x'01')"
        ));
        server.sql(&format!(
            "insert into questions (project, job, digest) select project, id, x'{other}' from jobs where id = {row}"
        ));
    }
    server.restart();
    let (_, whole) = start(&server, &proving(SEVEN), "quorum(2)");
    says(&mut volunteer(&server, 2), whole, 7.0);
    assert_eq!(result(&server, whole), 7);
    server.kill();
    server.sql(&format!("update jobs set agree = null where id = {row}"));
    for other in &others {
        server.sql(&format!("delete from answer_values where job = {row} and digest = x'{other}'"));
    }
    server.restart();
    assert_eq!(result(&server, damaged), 3, "it had not been forgotten");
    server.audit();
}

/// Without a run of it.
fn keep(server: &TestServer, files: &Files) {
    let answer = server.api().submit(&Operation::KeepWorkflow.path(&[]), &Form::of(files));
    assert_eq!(answer.status, 201, "{}", answer.text);
}

fn alone(agree: &str) -> Json {
    json!({ "source": CODE, "trust": "quorum(2)", "agree": agree, "retryMs": 1 })
}

fn a_job_that_stands_alone_names_a_stored_module(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    keep(&server, &comparing());
    let module = ContentHash::of(&module("weevil_agree", MODULO_3)).to_string();
    let mut fleet = [1, 2, 3].map(|number| volunteer(&server, number));
    for (said, value, fates) in [
        (&[1.0, 4.0][..], 1, &["completed agreed", "completed agreed"][..]),
        (&[1.0, 2.0, 5.0], 2, &["completed refuted", "completed agreed", "completed agreed"]),
    ] {
        let job: JobId = server.api().put_job(&alone(&module)).job.parse().expect("the id of a job");
        for (worker, said) in fleet.iter_mut().zip(said) {
            says(worker, job, *said);
        }
        assert_eq!(result(&server, job), value, "{said:?}");
        assert_eq!(ends(&story(&server, job)), fates, "{said:?}");
    }
    server.audit();
}

fn a_job_that_stands_alone_names_no_other_file(database: DatabaseKind) {
    let server = database.server_with(&BEHIND_A_PROXY);
    keep(&server, &proving(SEVEN));
    let unknown = ContentHash::of(b"nothing");
    for (agree, words) in [
        (unknown, format!("the project has no file {unknown}; upload a workflow")),
        (ContentHash::of(CODE.as_bytes()), "is not a WebAssembly module".to_owned()),
        (
            ContentHash::of(&module("weevil_proof", SEVEN)),
            "export `weevil_agree` as (i32, i32, i32, i32) -> i32".to_owned(),
        ),
    ] {
        let job = alone(&agree.to_string());
        for (body, field) in [
            (job.clone(), "the job cannot be put in: `agree`: "),
            (json!([alone("exact"), job]), "the job cannot be put in: job 2: `agree`: "),
        ] {
            let (status, refusal) = server.api().post_json(&Operation::SubmitJobs.path(&[]), &body).refusal();
            assert_eq!((status, refusal.code.as_str()), (422, "badJob"), "{}", refusal.detail);
            let is_told = refusal.detail.starts_with(field) && refusal.detail.contains(&words);
            assert!(is_told, "{words}: {}", refusal.detail);
        }
    }
    let page: JobPage = server.api().json("/api/v1/jobs?queue=default");
    assert_eq!(page.jobs, [], "nothing of them is kept");
}

#[test]
fn a_certificate_says_what_was_proved() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let (run, job) = start(&server, &proving(SEVEN), "credible(0.001)");
    says(&mut volunteer(&server, 1), job, 3.0);
    says(&mut volunteer(&server, 2), job, 7.0);
    assert_eq!(server.api().await_end(&run).summary.state, RunState::Finished);
    let desk = Desk::new(&server);
    let lines = desk.fetch(&server, &run);
    assert!(lines[1].contains(r#""basis":"proved""#) && lines[1].contains(r#""proof":""#), "{}", lines[1]);
    let (code, words) = desk.verify(&lines, &[]);
    assert_eq!(code, 0, "{words}");
    for told in ["1 by a proof of the workflow; 1 refuted", "whether proofs of the workflow say so: 1"] {
        assert!(words.contains(told), "{told}: {words}");
    }
}

#[test]
fn people_see_what_was_proved_and_why_a_run_is_paused() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let (proved, job) = start(&server, &proving(SEVEN), "credible(0.001)");
    says(&mut volunteer(&server, 1), job, 7.0);
    assert_eq!(result(&server, job), 7);
    let (paused, job) = start(&server, &proving(SEVEN), "credible(0.001)");
    says(&mut volunteer(&server, 1), job, 8.0);
    server.api().await_run(&paused, |view| view.summary.paused);
    assert_eq!(story(&server, job).job.state, NodeState::Answered);
    let browser = Browser::start();
    let console = server.console(&browser, &format!("#/runs/{proved}"));
    await_words(&console, "#run-judged", "1 value believed: 1 proved by the workflow.");
    let console = server.console(&browser, &format!("#/runs/{paused}"));
    await_words(&console, "#run-paused", "a module of the workflow failed when it was asked about an answer");
    await_words(&console, "#run-paused", "trapped");
    look_at_console(&console, "agree-failed-run");
}
