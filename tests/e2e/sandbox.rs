//! What job code can reach from inside its sandbox: nothing of the volunteer's.

use serde_json::Value;
use weevil_e2e::{Browser, Firefox, TestServer, files, job_workflow, shipped};

/// Each probe tries to get out, or to see something, and says how far it came.
const PROBES: &str = r#"
async function weevil_main() {
  const tries = {
    fetch: () => fetch('/healthz'),
    xhr: () => { const x = new XMLHttpRequest(); x.open('GET', '/healthz', false); x.send() },
    webSocket: () => new Promise((ok, no) => { const s = new WebSocket('ws://' + HOST + '/ws/v1'); s.onopen = ok; s.onerror = no }),
    eventSource: () => new Promise((ok, no) => { const s = new EventSource('http://' + HOST + '/check-target.events'); s.onopen = ok; s.onerror = no }),
    importScripts: () => importScripts('http://' + HOST + '/assets/x.js'),
    dynamicImport: () => import('data:text/javascript,export default 1'),
    dynamicImportForeign: () => import('http://' + HOST + '/assets/x.js'),
    evalImport: () => (0, eval)("import('data:text/javascript,export default 1')"),
    nestedWorker: () => new Promise((ok, no) => { const w = new Worker('data:text/javascript,postMessage(1)'); w.onmessage = ok; w.onerror = no; setTimeout(no, 500) }),
    broadcastChannel: () => new BroadcastChannel('x'),
    indexedDb: () => new Promise((ok, no) => { const r = indexedDB.open('x'); r.onsuccess = ok; r.onerror = no }),
    caches: () => caches.open('x'),
    opfs: () => navigator.storage.getDirectory(),
    localStorage: () => localStorage.length,
    cookie: () => document.cookie,
    parentDocument: () => parent.document.title,
    ownPort: () => { if (typeof onmessage === 'undefined' && typeof postMessage !== 'function') throw 0; self.postMessage('x') },
  }
  const reached = []
  for (const [name, attempt] of Object.entries(tries)) {
    try { await attempt(); reached.push(name) } catch { /* closed, as it should be */ }
  }
  return { reached, tried: Object.keys(tries).length, around: [typeof isSecureContext, typeof navigator, typeof self.origin] }
}
"#;

fn object_job(code: &str) -> weevil_e2e::Files {
    let document = r#"<workflow><nodes><job id="only" src="Code" returntype="Object"/></nodes><finalnode id="only"/></workflow>"#;
    files(&[("workflow.xml", document), ("Code.js", code)])
}

fn run(code: &str) -> Value {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = browser.open(&server.url("/?autostart&slots=1"));
    let code = code.replace("HOST", &format!("'{}'", server.address));
    let view = server.api().await_end(&server.api().run(&object_job(&code)));
    assert!(view.error.is_none(), "{:?}", view.error);
    view.result.expect("a result")
}

#[test]
fn every_door_is_closed_and_the_gpu_is_hidden() {
    let seen = run(PROBES);
    assert_eq!(seen["reached"], serde_json::json!([]), "{seen}");
    assert_eq!(seen["tried"], 17);
    assert_eq!(seen["around"], serde_json::json!(["undefined", "undefined", "undefined"]));
}

#[test]
fn values_keep_their_identity_through_the_whole_path() {
    let seen = run(
        "function weevil_main() { return { u: undefined, nan: NaN, zero: -0, inf: -Infinity, bug: '\\u{1F41B}', typed: new Float64Array([0.5, NaN]), bytes: new Uint8Array([1, 255]) } }",
    );
    assert_eq!(seen["u"], serde_json::json!({ "$undefined": true }));
    assert_eq!(seen["nan"], serde_json::json!({ "$number": "NaN" }));
    assert_eq!(seen["zero"], serde_json::json!({ "$number": "-0" }));
    assert_eq!(seen["inf"], serde_json::json!({ "$number": "-Infinity" }));
    assert_eq!(seen["bug"], "\u{1F41B}");
    assert_eq!(
        seen["typed"],
        serde_json::json!({ "$typed": "Float64Array", "values": [0.5, { "$number": "NaN" }] })
    );
    assert_eq!(seen["bytes"], serde_json::json!({ "$typed": "Uint8Array", "values": [1, 255] }));
}

#[test]
fn random_numbers_follow_from_the_job_alone() {
    let code = "function weevil_main() { return { drawn: [Math.random(), Math.random()] } }";
    let first = run(code);
    assert_eq!(run(code), first);
}

#[test]
fn firefox_gives_the_same_results() {
    let code = "function weevil_main() { return Math.random() + Math.random() }";
    let server = TestServer::start(&[]);
    let chromium = Browser::start();
    let tab = chromium.open(&server.url("/?autostart&slots=1"));
    let first = server.api().await_end(&server.api().run(&job_workflow(code, "")));
    tab.close();
    server.api().await_fleet(|fleet| fleet.workers.is_empty());
    let firefox = Firefox::start();
    let _page = firefox.open(&server.url("/?autostart&slots=1"));
    let second = server.api().await_end(&server.api().run(&job_workflow(code, "")));
    assert_eq!(first.result, second.result);
    assert_eq!(server.api().await_end(&server.api().run(&shipped("add"))).result, Some(157.into()));
}

/// What two volunteers would see differently, if it were not for the attribute.
const CLOCKS: &str = "function weevil_main() { var out = new Float64Array([Date.now(), +new Date(), performance.now(), Math.random()]); for (var i = 0; i < 1e6; i++) out[3] += Math.random(); return { out: out, text: new Date().toISOString() } }";

#[test]
fn deterministic_jobs_are_byte_identical_in_two_browsers() {
    let server = TestServer::start(&[]);
    let document = r#"<workflow><nodes><job id="only" src="Code" deterministic="true" returntype="Object"/></nodes><finalnode id="only"/></workflow>"#;
    let job = files(&[("workflow.xml", document), ("Code.js", CLOCKS)]);
    let chromium = Browser::start();
    let mut seen = Vec::new();
    for _ in 0..2 {
        let tab = chromium.open(&server.url("/?autostart&slots=1"));
        seen.push(server.api().await_end(&server.api().run(&job)).result);
        tab.close();
        server.api().await_fleet(|fleet| fleet.workers.is_empty());
    }
    let firefox = Firefox::start();
    let _page = firefox.open(&server.url("/?autostart&slots=1"));
    seen.push(server.api().await_end(&server.api().run(&job)).result);
    assert_eq!((&seen[0], &seen[0]), (&seen[1], &seen[2]));
    assert_eq!(seen[0].as_ref().expect("a result")["text"], "2013-01-01T00:00:00.000Z");
}
