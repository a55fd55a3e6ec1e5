//! The same code through the whole system and in a bare Web Worker: what sandbox, wire and queue take from a job. The
//! two are tabs of two browsers, both in front, since code of a background tab is compiled for patience; one always rests
//! while the other works.

use std::path::Path;

use weevil_e2e::{Browser, Files, Page, TestServer, shipped, workflow_in};

use crate::measure::Figures;
use crate::volunteer::{ONE_SLOT, pool, stats};

/// Jobs of one run; each takes about 50 ms.
const JOBS: usize = 100;
const PI_SAMPLES: u64 = 5_000_000;
const FLOPS_TURNS: u64 = 50_000_000;
const ZETA_TERMS: u64 = 60_000_000;

/// What both sides run.
struct Pair {
    workflow: Files,
    /// Text of a script that defines `inner`.
    bare: String,
    n: u64,
}

pub(crate) fn js(binary: &Path, figures: usize) -> Vec<Figures> {
    ratio(binary, &script("pi", "pi_approx.js", PI_SAMPLES), figures)
}

pub(crate) fn flops(binary: &Path, figures: usize) -> Vec<Figures> {
    ratio(binary, &script("flops", "FLOPS.js", FLOPS_TURNS), figures)
}

pub(crate) fn wasm(binary: &Path, figures: usize) -> Vec<Figures> {
    ratio(binary, &module("wasm-c", "Zeta.wasm", ZETA_TERMS), figures)
}

/// The function of a shipped processor.
fn script(workflow: &str, file: &str, n: u64) -> Pair {
    let code = String::from_utf8_lossy(&only(shipped(workflow), file))
        .replace("function weevil_main", "function inner");
    let workflow = pool(JOBS, n, &format!("{code}\nfunction weevil_main(n) {{ inner(n); return 1 }}"));
    Pair { workflow, bare: code, n }
}

/// An example that `cargo xtask examples` builds.
fn module(example: &str, file: &str, n: u64) -> Pair {
    let module = only(workflow_in(&format!("../examples/{example}")), file);
    let bytes = module.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
    let bare = format!(
        "const inner = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.of({bytes})), {{ weevil }}).exports.weevil_main;"
    );
    Pair { workflow: module_pool(&module, n), bare, n }
}

fn only(files: Files, wanted: &str) -> Vec<u8> {
    files.into_iter().find(|(name, _)| name == wanted).expect("the folder has the file").1
}

fn module_pool(module: &[u8], n: u64) -> Files {
    let mut files = pool(JOBS, n, "");
    for (name, bytes) in &mut files {
        match name.as_str() {
            "workflow.xml" => {
                let document = String::from_utf8_lossy(bytes);
                *bytes = document.replace("id=\"each\"", "id=\"each\" jobtype=\"wasm\"").into_bytes();
            }
            "Each.js" => (*name, *bytes) = ("Each.wasm".to_owned(), module.to_vec()),
            _ => {}
        }
    }
    files
}

/// Speed through the whole system over speed in the bare worker, both after a warm-up: engines compile in stages.
fn ratio(binary: &Path, pair: &Pair, figures: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    let (volunteer, other) = (Browser::start(), Browser::start());
    let bare = other.open("about:blank");
    let _tab = volunteer.open(&server.url(ONE_SLOT));
    server.api().await_fleet(|fleet| fleet.slots == 1);
    stats(&server.api(), &pair.workflow);
    let figures = (0..figures).map(|_| {
        let bare_ms = bare_ms(&bare, pair);
        bare_ms * JOBS as f64 / stats(&server.api(), &pair.workflow).wall_ms as f64
    });
    vec![figures.collect()]
}

/// Milliseconds of a call without sandbox, wire and queue, with the engine's own `Math.random`.
fn bare_ms(page: &Page<'_>, Pair { bare, n, .. }: &Pair) -> f64 {
    let work = format!(
        "const weevil = {{ flops() {{}}, progress() {{}}, log() {{}} }};\n{bare}\ninner({n});
         const start = performance.now();
         for (let i = 0; i < {JOBS}; i++) inner({n});
         postMessage((performance.now() - start) / {JOBS});"
    );
    let text = serde_json::to_string(&work).expect("texts are JSON");
    let ms = page.eval(&format!(
        "new Promise((resolve, reject) => {{
            const worker = new Worker('data:text/javascript,' + encodeURIComponent({text}));
            worker.onerror = (event) => reject(new Error(event.message));
            worker.onmessage = (event) => {{ worker.terminate(); resolve(event.data); }};
        }})"
    ));
    ms.as_f64().expect("a number")
}
