//! What jobs log, from a real Chromium to the history that people read: scripts and modules, whatever becomes of them.

use serde_json::{Value, json};
use weevil_api::{AttemptView, JobPage};
use weevil_e2e::{Browser, FakeWorker, Files, Page, PlainWorker, TestServer, files, number};
use weevil_model::limits::MAX_LOG_CHARS;
use weevil_protocol::frame::{AttemptResult, ClientFrame};
use weevil_protocol::plain::{Finding, Report};

use super::gpu;

/// What a job's only attempt has become: how it ended, the kind of its error, and the lines.
fn ended(server: &TestServer, job: &str) -> (String, Option<String>, Vec<String>) {
    let history = server.api().await_history(job, |history| history.job.ended_at.is_some());
    let [AttemptView { end: Some(end), kind, log, .. }] = &history.attempts[..] else {
        panic!("{history:?}")
    };
    let lines = log.iter().flat_map(|log| log.split('\n')).map(str::to_owned).collect();
    (end.clone(), kind.clone(), lines)
}

fn run(server: &TestServer, body: &str) -> (String, String, Option<String>, Vec<String>) {
    let source = format!("function weevil_main() {{ {body} }}");
    // Only what never ends by itself is to meet its time-out.
    let timeout_ms = if body.contains(";;") { 2000 } else { 50_000 };
    let job = server.api().put_job(&json!({ "source": source, "attempts": 1, "timeoutMs": timeout_ms })).job;
    let (end, kind, lines) = ended(server, &job);
    (job, end, kind, lines)
}

fn explained(server: &TestServer, job: &str) -> String {
    let mut explain = server.command();
    let output = explain.args(["explain", job, "--server", &server.url("")]).output().expect("it runs");
    String::from_utf8(output.stdout).expect("text")
}

fn volunteer<'b>(server: &TestServer, browser: &'b Browser) -> Page<'b> {
    browser.open(&server.url("/?autostart&slots=1"))
}

/// What is told of a job, what it does, how it ends and with which kind of error, and its lines.
type Row = (&'static str, &'static str, &'static str, Option<&'static str>, &'static [&'static str]);

const ROWS: [Row; 7] = [
    ("nothing", "return 1", "completed", None, &[]),
    (
        "a value",
        "weevil.log('a', 1, [true]); console.warn({ b: null }); console.error(); console.table([1]); return 1",
        "completed",
        None,
        &["a 1 [true]", "warn: {b: null}", "error: "],
    ),
    ("an error", "console.log('two\\nlines'); throw new Error('no')", "error", Some("thrown"), &["two", "lines"]),
    ("a loop without end", "console.info('begun'); for (;;);", "error", Some("timeout"), &["begun"]),
    (
        "a job that logs after a while",
        "return new Promise(function (done) { setTimeout(function () { console.debug('late'); done(1) }, 50) })",
        "completed",
        None,
        &["late"],
    ),
    (
        "hostile values",
        "var fail = function () { throw new Error('called') }; String = JSON.stringify = fail; Array.prototype.join = fail;
         console.log(new Proxy({}, { getPrototypeOf: fail }), { get a() { fail() }, toString: fail }); return 1",
        "completed",
        None,
        &["something that cannot be shown as text {a: [getter], toString: [function fail]}"],
    ),
    ("the job after it", "console.log('as ever'); return 1", "completed", None, &["as ever"]),
];

#[test]
fn a_script_has_logged_whatever_becomes_of_it() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = volunteer(&server, &browser);
    for (what, body, end, kind, lines) in ROWS {
        let (job, found_end, found_kind, found) = run(&server, body);
        assert_eq!((found_end.as_str(), found_kind.as_deref()), (end, kind), "{what}");
        assert_eq!(found, lines, "{what}");
        let told = explained(&server, &job);
        let shown: Vec<_> = told.lines().filter_map(|line| line.strip_prefix("     log: ")).collect();
        assert_eq!(shown, lines, "{what}: {told}");
    }
}

#[test]
fn ten_million_lines_are_a_hundred_and_a_number() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = volunteer(&server, &browser);
    let (_, end, _, lines) = run(&server, "for (var n = 0; n < 1e7; n++) console.log('line', n); return n");
    assert_eq!((end.as_str(), lines.len(), lines[99].as_str()), ("completed", 101, "line 99"));
    assert_eq!(lines[100], "[lines left out: 9999900]");
    let (_, end, _, lines) = run(&server, "for (var n = 0;; n++) console.log('line', n)");
    assert_eq!((end.as_str(), lines.len()), ("error", 101));
    let least = lines[100].strip_prefix("[lines left out: at least ").expect("a number");
    assert!(least.trim_end_matches(']').parse::<u64>().expect("a number") > 0, "{least}");
    let (_, _, _, lines) = run(&server, "for (var n = 0; n < 50; n++) console.log('x'.repeat(2000))");
    assert_eq!((lines.len(), lines[0].chars().count()), (16, 1000));
    assert_eq!(lines[15], "[lines left out: 35]");
}

/// The id of the only job of a run that has ended.
fn only_job(server: &TestServer, files: &Files) -> String {
    let run = server.api().run(files);
    server.api().await_end(&run);
    let page: JobPage = server.api().json(&format!("/api/v1/runs/{run}/jobs"));
    page.jobs[0].id.clone()
}

fn module(fields: &str) -> Files {
    let document = r#"<workflow><nodes><job id="only" jobtype="wasm" src="Code" returntype="undefined" retries="0" timeout="TIMEOUT"/>
        </nodes><edges/><finalnode id="only"/></workflow>"#;
    let seconds = if fields.contains("loop") { "1" } else { "50" };
    let mut files = files(&[("workflow.xml", &document.replace("TIMEOUT", seconds))]);
    files.push(("Code.wasm".into(), wat::parse_str(format!("(module {fields})")).expect("a module")));
    files
}

#[test]
fn a_module_has_logged_whatever_becomes_of_it() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = volunteer(&server, &browser);
    for (then, end, kind) in [
        ("", "completed", None),
        ("unreachable", "error", Some("thrown")),
        ("(loop $on (br $on))", "error", Some("timeout")),
    ] {
        let fields = format!(
            r#"(import "weevil" "log" (func $log (param i32 i32))) (memory (export "memory") 1)
            (data (i32.const 8) "term 1\c3\bc")
            (func (export "weevil_main") (call $log (i32.const 8) (i32.const 8)) (call $log (i32.const 8) (i32.const 4)) {then})"#
        );
        let (found_end, found_kind, lines) = ended(&server, &only_job(&server, &module(&fields)));
        assert_eq!((found_end.as_str(), found_kind.as_deref()), (end, kind));
        assert_eq!(lines, ["term 1ü", "term"]);
    }
}

#[test]
fn a_gpu_job_that_is_called_again_says_nothing_twice() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url(gpu::TAB));
    let code = gpu::READER.replace("WRITTEN", "i").replace("sum +=", "console.log('read', array); sum +=");
    let job = only_job(&server, &gpu::gpu_job("Number", &code, gpu::SAXPY));
    let expected: Vec<_> = (0..5).map(|read| format!("read Float64Array(1) [{read}]")).collect();
    assert_eq!(ended(&server, &job).2, expected);
}

#[test]
fn a_log_is_cut_at_the_border_and_never_refused() {
    let server = TestServer::start(&[]);
    let mut worker = FakeWorker::join(&server.address, 1);
    let job = server.api().put_job(&json!({ "source": "function weevil_main() {}" })).job;
    let key = worker.job().key;
    let log = Some("\u{1F41B}".repeat(1_000_000));
    let result = AttemptResult { key, outcome: number(1.0), slot: 0, compute_us: 1, flops: 0.0, log };
    worker.send(&ClientFrame::Results { results: vec![result], capacity: 0 });
    let (_, _, lines) = ended(&server, &job);
    assert_eq!(lines, ["\u{1F41B}".repeat(MAX_LOG_CHARS)]);
}

#[test]
fn a_plain_worker_may_tell_a_log_as_well() {
    let server = TestServer::start(&[]);
    let worker = PlainWorker::join(&server.address);
    let job = server.api().put_job(&json!({ "source": "function weevil_main() {}" })).job;
    let key = worker.job().key;
    let (log, finding) = (Some("a < b\n c".into()), Finding::Value("1".into()));
    worker.submit_all(vec![Report { key, slot: 0, compute_us: 1, flops: 0.0, log, finding }]);
    assert_eq!(ended(&server, &job).2, ["a < b", " c"]);
}

#[test]
fn the_console_shows_a_log_as_text_and_nothing_else() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let tab = volunteer(&server, &browser);
    let body = "console.log('<img src=x onerror=\"document.title=1\">'); console.warn('row 17 has no price');
        console.log({ rows: 18, mean: 4.25, left: [17] }); throw new RangeError('17 is no row')";
    let (job, ..) = run(&server, body);
    tab.close();
    let console = server.console(&browser, &format!("#/jobs/{job}"));
    console.wait_for("document.querySelector('details.log')");
    assert_eq!(console.eval("document.querySelector('details.log').open"), json!(false));
    console.click("details.log summary");
    let shown = console.eval("document.querySelector('details.log pre').innerText");
    let expected = "<img src=x onerror=\"document.title=1\">\nwarn: row 17 has no price\n{rows: 18, mean: 4.25, left: [17]}";
    assert_eq!(shown, Value::from(expected));
    assert_eq!(console.eval("document.querySelectorAll('details.log img').length"), json!(0));
    assert_eq!(console.barriers(), Vec::<String>::new());
    console.keep_picture("console-job-log");
}
