//! How fast the server checks what modules have answered, and how much of a core it takes for that.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use weevil_e2e::{FakeWorker, Files, Guest, TestServer, answer_all, files};
use weevil_model::{Capabilities, ContentHash, Needs};

use crate::measure::Figures;

/// What the server may take of a core, percent.
const SHARES: [u8; 3] = [1, 10, 50];
/// As long as the setting is to hold over.
const WINDOW: Duration = Duration::from_secs(10);
/// Until it has spent what it had saved.
const WARM: Duration = Duration::from_secs(2);
/// More than there is time for.
const JOBS: usize = 8_000;
/// In one request.
const AT_A_TIME: usize = 1_000;
const DOCUMENT: &str = r#"<workflow><nodes><job id="only" jobtype="wasm" src="Code" returntype="Number"/></nodes><edges/><finalnode id="only"/></workflow>"#;
/// A millisecond or so of an interpreter's time, for the number that everybody answers.
const MODULE: &str = r#"(module (func (export "weevil_main") (result i32) (local i32)
    (loop
        (local.set 0 (i32.add (local.get 0) (i32.const 1)))
        (br_if 0 (i32.lt_u (local.get 0) (i32.const 40000))))
    (i32.const 1)))"#;

struct Checked {
    per_second: f64,
    /// Milliseconds.
    each: f64,
    /// The part that it took of what it may take.
    kept: f64,
}

/// Checks a second at 10 %, what one takes, and which part of its share the server took at 1, 10 and 50 %.
pub(crate) fn checks(binary: &Path, _: usize) -> Vec<Figures> {
    let [one, ten, half] = SHARES.map(|percent| checked(binary, percent));
    [ten.per_second, ten.each, one.kept, ten.kept, half.kept].map(|figure| vec![figure]).to_vec()
}

fn checked(binary: &Path, percent: u8) -> Checked {
    let server = TestServer::start_binary(binary, &["--referee-percent", &percent.to_string()]);
    fill(&server);
    let has = Some(Needs { capabilities: Capabilities::WASM, memory_mb: 0 });
    let mut worker = FakeWorker::join_as(&server.address, Guest { capacity: 64, has, ..Guest::default() });
    worker.introduce(1, &server.address);
    thread::spawn(move || answer_all(worker));
    thread::sleep(WARM);
    let figures = || {
        let metrics = server.api().metrics();
        [r#"weevil_checks_total{by="referee"}"#, "weevil_referee_seconds_total"].map(|name| metrics.get(name))
    };
    let (began, before) = (Instant::now(), figures());
    thread::sleep(WINDOW);
    let (passed, after) = (began.elapsed().as_secs_f64(), figures());
    let [checks, seconds] = [after[0] - before[0], after[1] - before[1]];
    let kept = seconds / passed / (f64::from(percent) / 100.0);
    Checked { per_second: checks / passed, each: seconds / checks * 1000.0, kept }
}

/// Keeps the module, and puts in jobs of it that are to be judged.
fn fill(server: &TestServer) {
    let module = wat::parse_str(MODULE).expect("a module");
    let code = ContentHash::of(&module).to_string();
    let mut all: Files = files(&[("workflow.xml", DOCUMENT)]);
    all.push(("Code.wasm".into(), module));
    let run = server.api().run(&all);
    server.api().cancel(&run);
    let job = json!({ "code": code, "trust": "credible(0.001)" });
    for _ in 0..JOBS / AT_A_TIME {
        server.api().put_jobs(&vec![job.clone(); AT_A_TIME]);
    }
}
