//! Job workers that die, and that say what they may not.

use std::time::Instant;

use weevil_e2e::{Browser, TestServer, job_workflow, shipped};
use weevil_model::RunState;

use super::{WATCHED, assert_calm, jobs};

fn still_right(server: &TestServer, what: &str) {
    let view = server.api().await_end(&server.api().run(&shipped("add")));
    assert_eq!(view.result, Some(157.into()), "after {what}");
}

/// The engine may take the whole process; no event tells.
#[test]
fn a_killed_process_of_job_workers_is_replaced_and_its_jobs_go_on() {
    let mut server = TestServer::start(&[]);
    let browser = Browser::start();
    let tab = browser.open_with(&server.url("/?autostart&slots=2"), WATCHED);
    let run = server.api().run(&jobs(60, 100));
    let before = server.api().await_run(&run, |view| view.summary.progress.done >= 5).summary.progress.done;
    assert!(tab.crash_frames() >= 1, "the sandbox has a process of its own");
    let killed = Instant::now();
    // What was on its way when it died comes first.
    server.api().await_run(&run, |view| view.summary.progress.done > before + 6);
    eprintln!("it goes on {:?} after the kill", killed.elapsed());
    assert_eq!(server.api().await_end(&run).result, Some(60.into()));
    assert_eq!(server.audit().open, 0);
}

#[test]
fn a_job_that_ends_its_own_job_worker_costs_that_one_only() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let tab = browser.open_with(&server.url("/?autostart&slots=1"), WATCHED);
    for (what, body, kind, words) in [
        (
            "an error in nobody's hands",
            "setTimeout(function () { throw new Error('outside'.repeat(1e6)) }); return new Promise(function () {})",
            "crashed",
            "outside",
        ),
        ("close", "self.close(); return new Promise(function () {})", "thrown", "close"),
        (
            "close, dug up",
            "Object.getPrototypeOf(Object.getPrototypeOf(self)).close.call(self); return new Promise(function () {})",
            "thrown",
            "undefined",
        ),
    ] {
        let code = format!("function weevil_main() {{ {body} }}");
        let view =
            server.api().await_end(&server.api().run(&job_workflow(&code, r#"retries="0" timeout="20""#)));
        assert_eq!(view.summary.state, RunState::Failed, "{what}");
        let error = view.error.expect("a failed run says why").attempts.remove(0);
        assert_eq!(error.kind, kind, "{what}: {error:?}");
        assert!(error.message.contains(words) && error.message.len() <= 4_000, "{what}: {error:?}");
        still_right(&server, what);
    }
    tab.wait_for("document.documentElement.dataset.state === 'waiting'");
}

/// Between each job worker and the coordinator: what a taken-over job worker could say, the test says.
const IN_BETWEEN: &str = "globalThis.workers = [];
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (command, ports) {
        if (command.kind !== 'slotPort') return post.call(this, command, ports);
        const [inner] = ports;
        const { port1: port, port2 } = new MessageChannel();
        const worker = { port, jobs: [] };
        inner.onmessage = ({ data }) => port.postMessage(data);
        port.onmessage = ({ data }) => {
            inner.postMessage(data);
            worker.jobs.push(...data.jobs ?? []);
            document.documentElement.dataset.given = workers.reduce((sum, { jobs }) => sum + jobs.length, 0);
        };
        workers.push(worker);
        post.call(this, command, [port2]);
    };
    globalThis.say = (message) => workers.at(-1).port.postMessage(message);
    globalThis.seq = () => workers.at(-1).jobs.at(-1).seq;";

#[test]
fn what_a_taken_over_job_worker_says_neither_ends_the_coordinator_nor_reaches_the_server() {
    let mut server = TestServer::start(&[]);
    let browser = Browser::start();
    let tab = browser.open_with(&server.url("/?autostart&slots=1"), &format!("{WATCHED}{IN_BETWEEN}"));
    server.api().await_fleet(|fleet| fleet.slots == 1);
    let results = |result: &str| format!("say({{ kind: 'results', results: [{result}] }})");
    for (what, says) in [
        ("200 megabytes", results("{ seq: seq(), value: new Uint8Array(200e6), computeUs: 1, flops: 1 }")),
        (
            "200 megabytes of text",
            results("{ seq: seq(), value: 'x'.repeat(200e6), computeUs: 1, flops: 1 }"),
        ),
        ("no report at all", "say({ kind: 'ready', more: new Map([[1, new Float64Array(1e6)]]) })".into()),
        ("depth without end", "const it = {}; it.it = it; say(it)".into()),
        ("a list without end", "say({ kind: 'results', results: new Array(4e9) })".into()),
        (
            "a million messages",
            "for (let n = 0; n < 1e6; n++) say({ kind: 'progress', seq: seq(), done: 0.5 })".into(),
        ),
    ] {
        let count = |name: &str| format!("Number(document.documentElement.dataset.{name} ?? 0)");
        let before = |name: &str| tab.eval(&count(name));
        let (failed, given) = (before("failed"), before("given"));
        let wait =
            "function weevil_main() { const end = Date.now() + 3000; while (Date.now() < end); return 1 }";
        let run = server.api().run(&job_workflow(wait, ""));
        tab.wait_for(&format!("{} > {given}", count("given")));
        tab.eval(&format!("{says}; 0"));
        tab.wait_for(&format!("{} === {failed} + 1", count("failed")));
        assert_eq!(
            server.api().await_end(&run).result,
            Some(1.into()),
            "after {what}: a new job worker has it"
        );
        still_right(&server, what);
    }
    let metrics = server.api().metrics();
    assert!(
        (metrics.get("weevil_attempts_ended_total{end=\"error\"}") - 6.0).abs() < 1e-9,
        "each attempt has crashed"
    );
    server.audit();
}

/// Another slot's job is none of its business.
#[test]
fn a_forged_result_changes_nothing() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let tab = browser.open_with(&server.url("/?autostart&slots=2"), &format!("{WATCHED}{IN_BETWEEN}"));
    let run = server.api().run(&jobs(10, 300));
    server.api().await_run(&run, |view| view.summary.progress.done >= 2);
    // The number 7 in CBOR for whatever the other one was ever given.
    let forged = tab.eval(
        "const [one, other] = workers;
        for (const [by, of] of [[one, other], [other, one]]) for (const { seq } of of.jobs)
            by.port.postMessage({ kind: 'results', results: [{ seq, value: new Uint8Array([7]), computeUs: 1, flops: 0 }] });
        Math.min(one.jobs.length, other.jobs.length)",
    );
    assert!(forged.as_u64() > Some(0), "{forged}");
    assert_eq!(server.api().await_end(&run).result, Some(10.into()));
    assert_calm(&tab);
}
