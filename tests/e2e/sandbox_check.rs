//! `/sandbox-check`: all doors are closed in real browsers, and the page can be red.

use serde_json::{Value, json};
use weevil_e2e::{Browser, Firefox, Page, TestServer, without_deletions, without_policies};

use crate::looks::{light, phone};
use crate::volunteer_looks::look;

/// Doors that a browser of today has, whatever its version; the rest may be absent.
const ALWAYS: [&str; 30] = [
    "fetch",
    "xhr",
    "webSocket",
    "eventSource",
    "importHttp",
    "importData",
    "importBlob",
    "importScripts",
    "importScriptsData",
    "nestedWorker",
    "cookies",
    "localStorage",
    "sessionStorage",
    "indexedDb",
    "broadcastChannel",
    "document",
    "restored",
    "fineClock",
    "memory",
    "fingerprint",
    "locale",
    "navigation",
    "postMessage",
    "port",
    "sharedMemory",
    "pollution",
    "inputs",
    "forgery",
    "forgedError",
    "later",
];

/// Doors that a worker of the page's own origin finds open: a probe that cannot be red proves nothing.
const OPEN_TO_PLAIN_WORKERS: [&str; 14] = [
    "fetch",
    "xhr",
    "webSocket",
    "eventSource",
    "importHttp",
    "importBlob",
    "importScripts",
    "nestedWorker",
    "indexedDb",
    "caches",
    "opfs",
    "broadcastChannel",
    "locks",
    "fineClock",
];

/// Every probe with its state and its sentence, once all have ended.
const FINDINGS: &str = "Object.fromEntries([...document.querySelectorAll('[data-probe]')].map((row) =>
    [row.dataset.probe, [row.dataset.state, row.querySelector('.found').textContent]]))";

const ENDED: &str = "document.documentElement.dataset.verdict !== 'running'";

fn findings(page: &Page<'_>) -> Value {
    page.wait_for(ENDED);
    page.eval(FINDINGS)
}

fn state<'f>(findings: &'f Value, probe: &str) -> &'f str {
    findings[probe][0].as_str().unwrap_or("missing")
}

fn assert_tight(found: &Value) {
    let rows = found.as_object().expect("rows by their names");
    for (probe, finding) in rows {
        assert_ne!(finding[0], "open", "{probe}: {found:#}");
    }
    for probe in ALWAYS {
        assert_eq!(state(found, probe), "closed", "{probe}: {found:#}");
    }
}

#[test]
fn every_door_is_closed_in_chromium() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = browser.open(&server.url("/sandbox-check"));
    assert_tight(&findings(&page));
    assert_eq!(page.eval("document.documentElement.dataset.verdict"), "closed");
    assert_eq!(page.eval("document.getElementById('verdict').getAttribute('role')"), "status");
}

#[test]
fn every_door_is_closed_in_firefox() {
    let server = TestServer::start(&[]);
    let firefox = Firefox::start();
    let page = firefox.open(&server.url("/sandbox-check"));
    page.wait_for(ENDED);
    assert_tight(&page.eval(FINDINGS));
    assert_eq!(page.eval("document.documentElement.dataset.verdict"), "closed");
}

#[test]
fn a_frame_without_its_policy_shows_red() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = browser.open(&format!("http://{}/sandbox-check", without_policies(&server.address)));
    let found = findings(&page);
    assert_eq!(page.eval("document.documentElement.dataset.verdict"), "open", "{found:#}");
    // `import()` is syntax: only the policy stops it. The rest is closed a second time, by deletion.
    for (probe, expected) in [("importData", "open"), ("fetch", "closed")] {
        assert_eq!(state(&found, probe), expected, "{found:#}");
    }
}

/// Closed by the opaque origin and the policy alone. What is missing here leads nowhere that they do not close.
const CLOSED_BY_THE_BORDER: [&str; 14] = [
    "fetch",
    "xhr",
    "webSocket",
    "eventSource",
    "importHttp",
    "importData",
    "importBlob",
    "importScripts",
    "importScriptsData",
    "localStorage",
    "indexedDb",
    "caches",
    "opfs",
    "navigation",
];

#[test]
fn the_border_holds_without_the_deletions() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = browser.open(&format!("http://{}/sandbox-check", without_deletions(&server.address)));
    let found = findings(&page);
    assert_eq!(state(&found, "restored"), "open", "the names are there: {found:#}");
    for probe in CLOSED_BY_THE_BORDER {
        assert_eq!(state(&found, probe), "closed", "{probe}: {found:#}");
    }
}

/// Runs the page's own probes in plain workers, and answers those that got through.
const IN_PLAIN_WORKERS: &str = r"(async () => {
    const attempt = (code) => new Promise((resolve) => {
        // Slow is not closed: on a busy machine an answer may take longer than the page waits for one.
        const text = `${code.replace('1500', '30000')}\nweevil_main(${JSON.stringify(location.host)}, ${JSON.stringify(location.origin)}).then(postMessage)`;
        const worker = new Worker(URL.createObjectURL(new Blob([text])));
        worker.onmessage = ({ data }) => { worker.terminate(); resolve(data.reached); };
        worker.onerror = () => resolve([]);
    });
    const rows = [...document.querySelectorAll('[data-probe]')].filter((row) => row.querySelector('pre'));
    const all = rows.map(async (row) => [row.dataset.probe, await attempt(row.querySelector('pre').textContent)]);
    return Object.fromEntries(await Promise.all(all));
})()";

#[test]
fn in_a_plain_worker_the_same_probes_get_through() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = browser.open(&format!("http://{}/sandbox-check", without_policies(&server.address)));
    page.wait_for("document.querySelector('[data-probe]')");
    let reached = page.eval(IN_PLAIN_WORKERS);
    let ways = json!(["directly", "through eval", "through Function"]);
    for probe in OPEN_TO_PLAIN_WORKERS {
        assert_eq!(reached[probe], ways, "{probe}: {reached:#}");
    }
}

#[test]
fn the_page_speaks_as_chosen_without_barriers() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    for (language, heading) in [
        ("en", "Is the sandbox tight?"),
        ("de", "Ist die abgeschlossene Umgebung dicht?"),
        ("zh-Hans", "沙箱严密吗？"),
    ] {
        // In the frame there is no storage.
        let choice = format!(
            "try {{ localStorage.setItem('weevil.choices', '{{\"language\":\"{language}\"}}') }} catch {{}}"
        );
        let page = browser.open_with(&server.url("/sandbox-check"), &choice);
        light(&page, "light");
        page.wait_for(ENDED);
        assert_eq!(page.eval("document.documentElement.lang"), language);
        assert_eq!(page.eval("document.querySelector('h1').innerText"), heading);
        assert_eq!(
            page.eval("/{[a-z]+}/.test(document.body.innerText)"),
            false,
            "{language}: a hole is left"
        );
        look(&page, &format!("check-{language}"));
        light(&page, "dark");
        phone(&page);
        look(&page, &format!("check-phone-{language}"));
    }
}
