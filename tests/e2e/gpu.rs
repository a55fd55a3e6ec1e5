//! GPU jobs in a real browser, on the software adapter: WebCL as in the thesis, `weevil.kernel`, and what goes wrong.

use serde_json::{Value, json};
use weevil_api::explain::Explanation;
use weevil_api::routes::Operation;
use weevil_e2e::{Browser, Files, TestServer, files, shipped};
use weevil_model::RunState;

pub(super) const TAB: &str = "/?autostart&slots=1&gpu=1";

/// Runs `files` with one tab and answers the result, or the message of the first error.
fn compute(files: &Files) -> Result<Value, String> {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url(TAB));
    let view = server.api().await_end(&server.api().run(files));
    match view.summary.state {
        RunState::Finished => Ok(view.result.expect("a finished run has a result")),
        _ => Err(format!("{:?}", view.error)),
    }
}

/// One GPU job without ports, with this code and this kernel.
pub(super) fn gpu_job(returns: &str, code: &str, kernel: &str) -> Files {
    let document = format!(
        r#"<workflow><nodes><job id="only" src="Code" jobtype="webcl" returntype="{returns}" retries="0"/></nodes>
        <finalnode id="only"/></workflow>"#
    );
    files(&[("workflow.xml", &document), ("Code.js", code), ("Kernel.wgsl", kernel)])
}

#[test]
fn figure_6_3_adds_on_the_gpu_as_printed() {
    assert_eq!(compute(&shipped("webcl-add")), Ok(json!(157)));
}

/// Nobody's graphics card is taken without a tick.
#[test]
fn a_volunteer_lends_the_gpu_by_a_tick() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = browser.open(&server.url("/?autostart&slots=1"));
    let run = server.api().run(&shipped("webcl-add"));
    page.wait_for("!document.querySelector('#gpu-offer').hidden");
    server.api().await_fleet(|fleet| fleet.slots == 1);
    assert_eq!(server.api().view(&run).summary.progress.done, 0);
    assert_eq!(page.eval("document.querySelector('#gpu-slider').hidden"), json!(true));
    page.click("#gpu");
    assert_eq!(server.api().await_end(&run).result, Some(json!(157)));
    page.keep_picture("gpu-lent");
    page.click("#gpu");
    page.wait_for("document.querySelector('#gpu-slider').hidden");
    let job = server
        .api()
        .put_job(&json!({ "source": "function weevil_main() {}", "capabilities": ["webcl"] }))
        .job;
    let counted = |told: &Explanation| told.reasons[0].numbers.get("keepGpu") == Some(&1.0);
    let told: Explanation = server.api().await_json(&Operation::ExplainJob.path(&[&job]), counted);
    let text =
        "The only connected worker cannot run it: `webcl` is missing; 1 could lend a GPU and does not.";
    assert_eq!(told.reasons[0].text, text);
    let told = server.api().answer(&Operation::ListWorkers.path(&[])).text;
    assert!(
        !told.contains("adapter") && !told.to_lowercase().contains("gpu"),
        "of whom, nobody is told: {told}"
    );
}

pub(super) const SAXPY: &str = "
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> a: f32;

@compute @workgroup_size(64)
fn saxpy(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&x) { y[id.x] = a * x[id.x] + y[id.x]; }
}
";

#[test]
fn a_kernel_takes_typed_arrays_and_numbers_and_fills_what_it_may_write() {
    let code = "async function weevil_main() {
        const k = await weevil.kernel('Kernel');
        // More than one slice, and a last workgroup that is not full.
        const n = 300001, x = new Float32Array(n).map((_, i) => i), y = new Float32Array(n).fill(1);
        const out = await k.run({ a: 2, x, y }, [n]);
        const wrong = y.findIndex((value, i) => value !== Math.fround(2 * i + 1));
        return { same: out.y === y, wrong, workgroup: k.workgroup, last: y[n - 1] };
    }";
    let expected = json!({ "same": true, "wrong": -1, "workgroup": [64, 1, 1], "last": 600_001 });
    assert_eq!(compute(&gpu_job("Object", code, SAXPY)), Ok(expected));
}

#[test]
fn what_is_wrong_with_a_gpu_job_is_said_in_words() {
    let sized =
        |n: &str| format!("async function weevil_main() {{ const k = await weevil.kernel('Kernel'); {n} }}");
    for (code, said) in [
        (sized("await k.run({ x: new Float32Array(1), y: new Float32Array(1) }, [1])"), "`a` is missing"),
        (sized("await k.run({ a: 1, x: [1], y: new Float32Array(1) }, [1])"), "`x` is object; a typed array"),
        (sized("await k.run({ a: 1, x: new Float32Array(1), y: new Float32Array(2**28) }, [1])"), "buffer"),
        ("async function weevil_main() { await weevil.kernel('Other') }".into(), "no kernel `Other`"),
        (
            "function weevil_main() { WebCL.createContext().createProgramWithSource('@compute fn x() {\\n let y = z; }').buildProgram() }".into(),
            "kernel:2:",
        ),
    ] {
        let error = compute(&gpu_job("Number", &code, SAXPY)).expect_err(&code);
        assert!(error.contains(said), "{code}: {error}");
    }
}

/// Turns each element as often as it is told.
const TURNS: &str = "
@group(0) @binding(0) var<storage, read_write> y: array<u32>;
@group(0) @binding(1) var<uniform> turns: u32;

@compute @workgroup_size(64)
fn turn(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&y) { return; }
    var x = y[id.x];
    for (var i = 0u; i < turns; i++) { x = x * 1664525u + 1013904223u; }
    y[id.x] = x;
}
";

/// A kernel that nobody waits for is no job's after the result: what it brings comes before the next job, or never.
#[test]
fn a_kernel_that_is_not_waited_for_does_not_reach_the_next_job() {
    let leaves = "async function weevil_main() {
        const k = await weevil.kernel('Kernel'), y = new Uint32Array(1 << 20);
        const late = () => { self.came++ };
        self.came = 0;
        k.run({ turns: TURNS, y }, [y.length]).then(late, late);
        return self.came;
    }";
    let witness = "async function weevil_main(left) {
        const before = self.came | 0, k = await weevil.kernel('Kernel'), y = Uint32Array.of(1, 2, 3);
        await k.run({ turns: 1, y }, [3]);
        await new Promise((passed) => setTimeout(passed, 1500));
        return [left, (self.came | 0) - before, y[0]];
    }";
    let document = r#"<workflow><nodes><job id="leaves" src="Leaves" jobtype="webcl" returntype="Number"/>
        <job id="witness" src="Witness" jobtype="webcl" returntype="Array">
        <parameters><parameter id="left" paramtype="Number"/></parameters></job></nodes>
        <edges><edge source="leaves" dest="witness"/></edges><finalnode id="witness"/></workflow>"#;
    for turns in ["10", "20000"] {
        let leaves = leaves.replace("TURNS", turns);
        let sources = [
            ("workflow.xml", document),
            ("Leaves.js", &leaves),
            ("Witness.js", witness),
            ("Kernel.wgsl", TURNS),
        ];
        assert_eq!(compute(&files(&sources)), Ok(json!([0, 0, 1_015_568_748])), "{turns} turns");
    }
}

/// Reads what it has written, `reads` times, each time through a wait.
pub(super) const READER: &str = "function weevil_main() {
    const context = WebCL.createContext(), queue = context.createCommandQueue();
    const buffer = context.createBuffer(WebCL.CL_MEM_READ_WRITE, 8), array = Float64Array(1);
    let sum = 0;
    for (let i = 0; i < 5; i++) {
        queue.enqueueWriteBuffer(buffer, true, 0, 8, Float64Array([WRITTEN]), []);
        queue.enqueueReadBuffer(buffer, true, 0, 8, array, []);
        sum += array[0];
    }
    return sum;
}";

#[test]
fn a_job_that_waits_several_times_goes_the_same_way_again() {
    let job = |written| gpu_job("Number", &READER.replace("WRITTEN", written), SAXPY);
    let sum = compute(&job("Math.random()")).expect("the same numbers each time");
    assert!(sum.as_f64().is_some_and(|sum| sum > 0.0 && sum < 5.0), "{sum}");
    let error = compute(&job("globalThis.turns = (globalThis.turns ?? 0) + 1")).expect_err("another way");
    assert!(error.contains("the job took another way"), "{error}");
}

#[test]
fn a_worker_without_the_gpu_ticked_is_given_no_gpu_job() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _plain = browser.open(&server.url("/?autostart&slots=1"));
    let gpu = server.api().run(&shipped("webcl-add"));
    let plain = server.api().run(&shipped("add"));
    assert_eq!(server.api().await_end(&plain).result, Some(json!(157)));
    assert_eq!(server.api().view(&gpu).summary.progress.running, 0);
    let _ticked = browser.open(&server.url(TAB));
    assert_eq!(server.api().await_end(&gpu).result, Some(json!(157)));
}

#[test]
fn a_kernel_that_does_not_compile_is_refused_at_upload_with_its_place() {
    let server = TestServer::start(&[]);
    let code = "function weevil_main() {}";
    let (status, refusal) =
        server.api().refused(&gpu_job("Number", code, &SAXPY.replace("a * x", "b * x")), &[]);
    let told: Vec<_> = refusal
        .diagnostics
        .iter()
        .map(|found| (&*found.code, &*found.file, found.line, found.column))
        .collect();
    assert_eq!((status, &told[..]), (422, &[("W0190", "Kernel.wgsl", 8, 43)][..]), "{refusal:?}");
}
