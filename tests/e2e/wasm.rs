//! Jobs of the type `wasm`, in a real Chromium: numbers, values, SIMD, traps and time-outs, in a frame that evaluates
//! no text; and who never gets them.

use serde_json::{Value, json};
use weevil_api::{AttemptError, JobHistory, JobPage, JobWait};
use weevil_e2e::{
    Browser, FakeWorker, Files, Page, PlainWorker, TestServer, files, job_workflow, shipped, workflow_in,
};
use weevil_model::{Capabilities, ContentHash, JobType, RunState};
use weevil_protocol::plain::Join;

/// Answers its input as it came.
pub(super) const ECHO: &str = r#"
    (memory (export "memory") 1)
    (func (export "alloc") (param $length i32) (result i32)
        (drop (memory.grow (i32.add (i32.const 1) (i32.shr_u (local.get $length) (i32.const 16)))))
        (i32.const 65536))
    (func (export "weevil_main") (param $at i32) (param $length i32) (result i64)
        (i64.or (i64.shl (i64.extend_i32_u (local.get $at)) (i64.const 32)) (i64.extend_i32_u (local.get $length))))"#;

fn module(fields: &str) -> Vec<u8> {
    wat::parse_str(format!("(module {fields})")).expect("a module")
}

/// One job with these ports, each fed by a value: type and literal.
fn workflow(fields: &str, returns: &str, ports: &[(&str, &str)], attributes: &str) -> Files {
    let each = |form: fn(usize, &str, &str) -> String| -> String {
        ports.iter().enumerate().map(|(at, (kind, value))| form(at, kind, value)).collect()
    };
    let values =
        each(|at, kind, value| format!("<value id=\"v{at}\" returntype=\"{kind}\" value='{value}'/>"));
    let parameters = each(|at, kind, _| format!("<parameter id=\"p{at}\" paramtype=\"{kind}\"/>"));
    let edges = each(|at, _, _| format!("<edge source=\"v{at}\" dest=\"only\" paramdest=\"p{at}\"/>"));
    let document = format!(
        "<workflow><nodes>{values}<job id=\"only\" jobtype=\"wasm\" src=\"Code\" returntype=\"{returns}\" {attributes}>\
         <parameters>{parameters}</parameters></job></nodes><edges>{edges}</edges><finalnode id=\"only\"/></workflow>"
    );
    let mut files = files(&[("workflow.xml", &document)]);
    files.push(("Code.wasm".into(), module(fields)));
    files
}

pub(super) fn constant(number: u32) -> Files {
    numbers(&format!(r#"(func (export "weevil_main") (result i32) (i32.const {number}))"#))
}

/// One job that takes nothing and gives a number.
pub(super) fn numbers(fields: &str) -> Files {
    workflow(fields, "Number", &[], "")
}

/// One job that doubles a number.
pub(super) fn twice() -> Files {
    let twice =
        r#"(func (export "weevil_main") (param f64) (result f64) (f64.add (local.get 0) (local.get 0)))"#;
    workflow(twice, "Number", &[("Number", "2")], "")
}

fn frames(page: &Page<'_>) -> Value {
    page.eval("[...document.querySelectorAll('iframe')].map((frame) => frame.getAttribute('src'))")
}

#[test]
fn numbers_values_and_simd_come_back_as_expected() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = browser.open(&server.url("/?autostart&slots=1"));
    page.wait_for("document.documentElement.dataset.state === 'waiting'");
    assert_eq!(frames(&page), json!(["/sandbox"]), "the second frame is made when it is needed");
    let numbers = r#"(func (export "weevil_main") (param i32 i64 f32 f64) (result f64)
        (f64.add (f64.add (f64.convert_i32_s (local.get 0)) (f64.convert_i64_s (local.get 1)))
                 (f64.mul (f64.promote_f32 (local.get 2)) (local.get 3))))"#;
    let simd = r#"(func (export "weevil_main") (param f64) (result f64) (local $pair v128)
        (local.set $pair (f64x2.mul (f64x2.splat (local.get 0)) (v128.const f64x2 3 4)))
        (f64.add (f64x2.extract_lane 0 (local.get $pair)) (f64x2.extract_lane 1 (local.get $pair))))"#;
    let four = [("Number", "-3"), ("Number", "9007199254740991"), ("Number", "0.5"), ("Number", "6")];
    let list = json!([[1, "\u{1F41B}", { "a": null }], 0.1]);
    for (files, expected) in [
        (workflow(numbers, "Number", &four, ""), json!(9_007_199_254_740_991.0)),
        (workflow(simd, "Number", &[("Number", "2")], ""), json!(14)),
        (
            workflow(ECHO, "Array", &[("Array", "[1, \"\u{1F41B}\", {\"a\": null}]"), ("Number", "0.1")], ""),
            list,
        ),
        (workflow(r#"(func (export "weevil_main"))"#, "undefined", &[], ""), json!({ "$undefined": true })),
    ] {
        let view = server.api().await_end(&server.api().run(&files));
        assert_eq!(view.result, Some(expected), "{:?}", view.error);
    }
    assert_eq!(frames(&page), json!(["/sandbox", "/sandbox-wasm"]));
    assert_eq!(
        server.api().await_end(&server.api().run(&shipped("add"))).result,
        Some(157.into()),
        "and back"
    );
}

/// Runs a bad module, then a good one in the same tab. Answers the bad one's only error.
fn after_which_another_works(fields: &str, returns: &str, attributes: &str) -> AttemptError {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url("/?autostart&slots=1"));
    let files = workflow(fields, returns, &[], &format!("retries=\"0\" {attributes}"));
    let view = server.api().await_end(&server.api().run(&files));
    assert_eq!(view.summary.state, RunState::Failed);
    assert_eq!(server.api().await_end(&server.api().run(&constant(7))).result, Some(7.into()));
    view.error.expect("a failed run says why").attempts.remove(0)
}

#[test]
fn a_trap_is_told_with_the_names_of_functions() {
    let fields = r#"(func $divide (param i32) (result i32) (i32.div_u (i32.const 1) (local.get 0)))
        (func $main (export "weevil_main") (result i32) (call $divide (i32.const 0)))"#;
    let error = after_which_another_works(fields, "Number", "");
    assert_eq!((error.kind.as_str(), error.message.as_str()), ("thrown", "RuntimeError: divide by zero"));
    let inner = error.stack.find("divide (Code.wasm:wasm-function[0]").expect("the function that trapped");
    let outer = error.stack.find("main (Code.wasm:wasm-function[1]").expect("its caller");
    assert!(inner < outer && !error.stack.contains("data:"), "{}", error.stack);
}

#[test]
fn a_module_that_never_ends_is_terminated() {
    let fields = r#"(func (export "weevil_main") (loop $again (br $again)))"#;
    let error = after_which_another_works(fields, "undefined", "timeout=\"1\"");
    assert_eq!(error.kind, "timeout");
    assert!(error.message.contains("1000 ms"), "{}", error.message);
}

#[test]
fn what_is_no_value_or_too_large_a_value_is_an_error() {
    let answering = |packed: &str| {
        ECHO.replace("(i64.or (i64.shl (i64.extend_i32_u (local.get $at)) (i64.const 32)) (i64.extend_i32_u (local.get $length)))", packed)
    };
    // 0x1c at address 0 would be a reserved byte; 2^24 and one byte more than a value may have.
    let broken = answering("(i32.store8 (i32.const 0) (i32.const 0x1c)) (i64.const 1)");
    assert_eq!(after_which_another_works(&broken, "Number", "").kind, "notAValue");
    let large = answering("(drop (memory.grow (i32.const 300))) (i64.const 16777217)");
    assert_eq!(after_which_another_works(&large, "Number", "").kind, "tooLarge");
}

#[test]
fn modules_and_scripts_of_one_workflow_take_turns() {
    let document = r#"<workflow><nodes>
        <value id="input" value="[1, 2, 3, 4, 5, 6]" returntype="Array"/>
        <pool id="pool" returntype="Number"><parameters><parameter id="all" paramtype="Array"/></parameters>
            <processor id="each" jobtype="wasm" src="Square" returntype="Number">
                <parameters><parameter id="n" paramtype="Number"/></parameters></processor>
            <reducer id="sum" src="Sum" returntype="Number">
                <parameters><parameter id="all" paramtype="Array"/></parameters></reducer>
        </pool>
        <job id="again" jobtype="wasm" src="Square" returntype="Number">
            <parameters><parameter id="n" paramtype="Number"/></parameters></job></nodes>
        <edges><edge source="input" dest="pool"/><edge source="pool" dest="again" paramdest="n"/></edges>
        <finalnode id="again"/></workflow>"#;
    let sum = "function weevil_main(all) { return all.reduce((a, b) => a + b, 0) }";
    let mut files = files(&[("workflow.xml", document), ("Sum.js", sum)]);
    let square =
        r#"(func (export "weevil_main") (param i32) (result i32) (i32.mul (local.get 0) (local.get 0)))"#;
    files.push(("Square.wasm".into(), module(square)));
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url("/?autostart&slots=1"));
    let view = server.api().await_end(&server.api().run(&files));
    assert_eq!(view.result, Some(8281.into()), "{:?}", view.error);
}

/// How text fares that a frame evaluates, on its own thread and in a job worker.
const EVALUATIONS: &str = r#"(async () => {
    const tries = "[() => eval('1'), () => new Function('return 1')(), () => setTimeout('1') && 0]";
    const asked = `const outcomes = ${tries}.map((evaluate) => { try { return evaluate() } catch (error) { return error.name } });
        outcomes.push(new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) instanceof WebAssembly.Module);`;
    const worker = new Worker('data:text/javascript,' + encodeURIComponent(asked + 'postMessage(outcomes)'));
    const inside = await new Promise((resolve) => { worker.onmessage = (event) => resolve(event.data) });
    let own; try { own = eval('1') } catch (error) { own = error.name }
    return { own, inside }
})()"#;

#[test]
fn no_text_is_evaluated_in_the_frame_of_modules() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let seen = |frame: &str| {
        let page = browser.open(&server.url(frame));
        let asked = json!({ "expression": EVALUATIONS, "awaitPromise": true, "returnByValue": true,
            // Or the tool would lift the policy for what it evaluates.
            "allowUnsafeEvalBlockedByCSP": false });
        page.call("Runtime.evaluate", &asked)["result"]["value"].clone()
    };
    let open = seen("/sandbox");
    assert_eq!((&open["own"], &open["inside"][0], &open["inside"][1]), (&json!(1), &json!(1), &json!(1)));
    let strict = seen("/sandbox-wasm");
    assert_eq!(strict["own"], "EvalError", "{strict}");
    // A text for a timer is not an error; it just never runs.
    assert_eq!(strict["inside"], json!(["EvalError", "EvalError", 0, true]), "modules compile all the same");
}

#[test]
fn a_worker_that_does_not_say_wasm_never_gets_a_module() {
    let server = TestServer::start(&[]);
    let scripts = PlainWorker::join(&server.address);
    let mut socket = FakeWorker::join(&server.address, 1);
    let run = server.api().run(&constant(7));
    assert_eq!(scripts.dequeue(1), []);
    let jobs: JobPage = server.api().json(&format!("/api/v1/runs/{run}/jobs"));
    assert_eq!(
        (jobs.jobs[0].waits, &jobs.jobs[0].needs.capabilities),
        (Some(JobWait::Worker), &vec!["wasm".to_owned()])
    );
    let other = server.api().run(&job_workflow("function weevil_main() { return 1 }", ""));
    socket.job();
    server.api().await_run(&other, |view| view.summary.progress.running == 1);
    let join = Join { capabilities: Capabilities::WASM, ..PlainWorker::join_message() };
    let modules = PlainWorker::join_as(&server.address, &join);
    let job = modules.job();
    assert_eq!((job.src.as_str(), job.job_type), ("Code.wasm", JobType::Wasm));
    assert_eq!(modules.dequeue(1), [], "and nothing else");
}

#[test]
fn a_module_that_asks_for_more_is_refused_at_upload() {
    let server = TestServer::start(&[]);
    let fields = r#"(import "env" "fetch" (func)) (func (export "weevil_main"))"#;
    let (status, error) = server.api().refused(&workflow(fields, "undefined", &[], ""), &[]);
    let told: Vec<_> =
        error.diagnostics.iter().map(|found| (found.code.as_str(), found.message.as_str())).collect();
    let message = "`Code.wasm` imports the function `env.fetch`, which workers do not provide";
    assert_eq!((status, told), (422, vec![("W0181", message)]));
}

#[test]
fn a_stored_module_is_run_as_a_job_of_its_own() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url("/?autostart&slots=1"));
    let files = twice();
    let hash = ContentHash::of(&files[1].1).to_string();
    server.api().await_end(&server.api().run(&files));
    let job = server.api().put_job(&json!({ "code": hash, "input": [21] })).job;
    assert_eq!(server.api().await_job(&job).result, Some(42.into()));
    let history: JobHistory = server.api().json(&format!("/api/v1/jobs/{job}"));
    assert_eq!(history.job.needs.capabilities, ["wasm"]);
}

#[test]
fn the_examples_give_what_they_promise() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url("/?autostart&slots=1"));
    for name in ["wasm-c", "wasm-rust/workflow"] {
        let files = workflow_in(&format!("../examples/{name}"));
        assert!(
            files.iter().any(|file| file.1.starts_with(b"\0asm")),
            "{name} is not built: run `cargo xtask examples`"
        );
        let expected = files.iter().find(|file| file.0 == "expected.json").expect("expected.json");
        let expected: Value = serde_json::from_slice(&expected.1).expect("JSON");
        let view = server.api().await_end(&server.api().run(&files));
        assert_eq!(view.result.as_ref(), Some(&expected["result"]), "{name}: {:?}", view.error);
    }
}
