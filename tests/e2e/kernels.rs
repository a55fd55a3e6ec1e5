//! Jobs that are kernels, in a real browser on the software adapter: no JavaScript of the workflow's runs for them.

use serde_json::{Value, json};
use weevil_api::JobPage;
use weevil_api::routes::Operation;
use weevil_e2e::{Browser, Files, TestServer, files, shipped};
use weevil_model::{ContentHash, RunState};

/// Runs `files` with one tab and answers the result, or the message of the first error.
fn compute(files: &Files) -> Result<Value, String> {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url("/?autostart&slots=1&gpu=1"));
    let view = server.api().await_end(&server.api().run(files));
    match view.summary.state {
        RunState::Finished => Ok(view.result.expect("a finished run has a result")),
        _ => Err(format!("{:?}", view.error)),
    }
}

#[test]
fn saxpy_is_exact() {
    let expected =
        shipped("saxpy").into_iter().find(|(path, _)| path == "expected.json").expect("there is one");
    let expected: Value = serde_json::from_slice(&expected.1).expect("JSON");
    assert_eq!(compute(&shipped("saxpy")), Ok(expected["result"].clone()));
}

/// Takes one array and gives it back, each number twice as large.
const DOUBLE: &str = "
@group(0) @binding(3) var<storage, read_write> numbers: array<f32>;
@compute @workgroup_size(64)
fn double(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&numbers) { numbers[id.x] *= 2.0; }
}
";

/// A pool whose processors are kernels, over arrays of these lengths.
fn pool(lengths: &[usize]) -> Files {
    let document = r#"<workflow><nodes>
        <job id="made" src="Make" returntype="Array"/>
        <pool id="pool" returntype="Object">
            <parameters><parameter id="all" paramtype="Array"/></parameters>
            <processor id="twice" jobtype="webcl" src="double" returntype="Float32Array" retries="0">
                <parameters><parameter id="numbers" paramtype="Float32Array"/></parameters>
            </processor>
            <reducer id="judge" src="Judge" returntype="Object">
                <parameters><parameter id="results" paramtype="Array"/></parameters>
            </reducer>
        </pool>
        </nodes><edges><edge source="made" dest="pool"/></edges><finalnode id="pool"/></workflow>"#;
    let judge = "function weevil_main(results) {
        const wrong = results.flatMap((numbers) => [...numbers].filter((number, at) => number !== 2 * at));
        return { lengths: results.map((numbers) => numbers.length), wrong: wrong.length };
    }";
    let counting = "(length) => Float32Array.from({ length }, (_, at) => at)";
    let make = format!("function weevil_main() {{ return {lengths:?}.map({counting}); }}");
    files(&[("workflow.xml", document), ("Make.js", &make), ("double.wgsl", DOUBLE), ("Judge.js", judge)])
}

#[test]
fn processors_may_be_kernels_that_change_what_they_are_given() {
    // Nothing at all, a workgroup that is not full, more than one slice.
    let lengths = [0, 65, 200_001];
    assert_eq!(compute(&pool(&lengths)), Ok(json!({ "lengths": lengths, "wrong": 0 })));
}

const WEIGHTS: &str = "[1, 10, 100, 1000]";
/// Counts how often each number below 4 stands in `numbers`, weighted: the result is no port.
const COUNT: &str = "
alias Counts = array<atomic<u32>>;
@group(0) @binding(0) var<storage, read> numbers: array<vec2<u32>>;
@group(0) @binding(1) var<uniform> weights: vec4<u32>;
@group(0) @binding(2) var<storage, read_write> counts: Counts;
@compute @workgroup_size(8)
fn count(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&numbers) { return; }
    let pair = numbers[id.x];
    atomicAdd(&counts[pair.x], weights[pair.x]);
    atomicAdd(&counts[pair.y], weights[pair.y]);
}
";

fn counting(weights: &str) -> Files {
    let document = format!(
        r#"<workflow><nodes>
        <value id="list" value="[0, 1, 1, 3, 3, 3, 1, 0]" returntype="Uint32Array"/>
        <value id="four" value="{weights}" returntype="Uint32Array"/>
        <job id="counts" jobtype="webcl" src="count.wgsl" returntype="Uint32Array" retries="0">
            <parameters>
                <parameter id="numbers" paramtype="Uint32Array"/><parameter id="weights" paramtype="Uint32Array"/>
            </parameters>
        </job></nodes><edges>
            <edge source="list" dest="counts" paramdest="numbers"/>
            <edge source="four" dest="counts" paramdest="weights"/>
        </edges><finalnode id="counts"/></workflow>"#
    );
    files(&[("workflow.xml", &document), ("count.wgsl", COUNT)])
}

#[test]
fn a_result_that_is_no_port_begins_as_zeros_and_has_the_size_of_the_input() {
    let expected = json!({ "$typed": "Uint32Array", "values": [2, 30, 0, 3000] });
    assert_eq!(compute(&counting(WEIGHTS)), Ok(expected));
}

#[test]
fn an_argument_that_does_not_fit_is_told_by_the_name_of_its_binding() {
    let error = compute(&counting("[1, 2, 3]")).expect_err("three numbers are no vector of four");
    assert!(error.contains("count.wgsl: `weights` has 3 numbers; vec4<u32> has 4"), "{error}");
}

#[test]
fn a_worker_without_the_gpu_ticked_is_given_no_kernel() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _plain = browser.open(&server.url("/?autostart&slots=1"));
    let kernel = server.api().run(&counting(WEIGHTS));
    let plain = server.api().run(&shipped("add"));
    assert_eq!(server.api().await_end(&plain).result, Some(json!(157)));
    let jobs: JobPage = server.api().json(&format!("/api/v1/runs/{kernel}/jobs"));
    assert_eq!(jobs.jobs[0].needs.capabilities, ["webcl"], "and no JavaScript");
    assert_eq!(server.api().view(&kernel).summary.progress.running, 0);
}

/// A tab needs to know the kernels of a workflow, and nothing else of it.
#[test]
fn the_kernels_of_a_workflow_are_listed_for_ever() {
    let server = TestServer::start(&[]);
    let api = server.api();
    let of = |files: &Files| {
        let run = api.run(files);
        Operation::ShowKernels.path(&[&api.view(&run).summary.workflow])
    };
    let path = of(&counting(WEIGHTS));
    let response = api.get(&path);
    assert_eq!(response.headers()["cache-control"], "public, max-age=31536000, immutable");
    let hash = ContentHash::of(COUNT.as_bytes()).to_string();
    assert_eq!(api.json::<Value>(&path), json!({ "kernels": [{ "name": "count.wgsl", "hash": hash }] }));
    assert_eq!(api.json::<Value>(&of(&shipped("add"))), json!({ "kernels": [] }));
    for (workflow, status, code) in [(&*"0".repeat(64), 404, "noSuchWorkflow"), ("xyz", 400, "badId")] {
        let (found, refusal) = api.answer(&Operation::ShowKernels.path(&[&workflow])).refusal();
        assert_eq!((found, &*refusal.code), (status, code));
    }
    assert_eq!(api.status_of("POST", &path), 405);
}

#[test]
fn a_kernel_whose_ports_differ_is_refused_at_upload() {
    let server = TestServer::start(&[]);
    let mut files = shipped("saxpy");
    let kernel = files.iter_mut().find(|(path, _)| path == "saxpy.wgsl").expect("there is one");
    kernel.1 = String::from_utf8_lossy(&kernel.1)
        .replace("@binding(2)", "@binding(7)")
        .replace("@binding(0)", "@binding(8)")
        .into();
    let (status, refusal) = server.api().refused(&files, &[]);
    let told: Vec<_> =
        refusal.diagnostics.iter().map(|found| (&*found.code, &*found.file, found.line)).collect();
    assert_eq!((status, &told[..]), (422, &[("W0193", "workflow.xml", 9)][..]), "{refusal:?}");
}
