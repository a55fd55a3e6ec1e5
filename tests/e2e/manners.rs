//! The volunteer's page keeps its manners in a real browser: the share of time, pauses by themselves, one budget for all
//! tabs, an orderly end, and a memory for choices.

use serde_json::json;
use weevil_api::{JobHistory, JobPage};
use weevil_e2e::{Browser, Page, TestServer, pool_workflow};

const SUM: &str = "function weevil_main(all) { return all.reduce((a, b) => a + b, 0) }";
const RUNNING: &str = "['working', 'waiting'].includes(document.documentElement.dataset.state)";

/// A battery that the test holds, and no word about the processor, which other tests need at the same time.
pub(crate) const FAKES: &str = "delete globalThis.PressureObserver;
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (command, ports) {
        if (command.kind !== 'spin') post.call(this, command, ports);
    };
    globalThis.battery = Object.assign(new EventTarget(), { charging: true });
    navigator.getBattery = async () => battery;";

fn jobs(ms: u32, count: usize) -> weevil_e2e::Files {
    let code = format!(
        "function weevil_main(n) {{ weevil.progress(0); const end = performance.now() + {ms}; while (performance.now() < end); return n }}"
    );
    pool_workflow(&format!("[{}]", vec!["1"; count].join(",")), &code, SUM)
}

pub(crate) fn set_charging(page: &Page<'_>, charging: bool) {
    page.eval(&format!(
        "battery.charging = {charging}; battery.dispatchEvent(new Event('chargingchange')); 0"
    ));
}

fn reason_is(page: &Page<'_>, reason: &str) {
    page.wait_for(&format!("document.documentElement.dataset.reason === '{reason}'"));
}

fn sentence(page: &Page<'_>) -> String {
    page.eval("document.querySelector('#sentence').innerText").as_str().unwrap_or_default().to_owned()
}

/// Milliseconds that the longest job of a run has computed.
fn longest_ms(server: &TestServer, run: &str) -> f64 {
    let page: JobPage = server.api().json(&format!("/api/v1/runs/{run}/jobs?limit=1000"));
    let attempts = page
        .jobs
        .iter()
        .flat_map(|job| server.api().json::<JobHistory>(&format!("/api/v1/jobs/{}", job.id)).attempts);
    attempts.map(|attempt| attempt.compute_us as f64 / 1e3).fold(0.0, f64::max)
}

#[test]
fn a_duty_is_kept_over_short_and_long_jobs() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    for (duty, ms, count) in [(25, 20, 40), (50, 300, 8)] {
        let page = browser.open(&server.url(&format!("/?autostart&slots=1&duty={duty}")));
        server.api().await_fleet(|fleet| fleet.slots == 1);
        let view = server.api().await_end(&server.api().run(&jobs(ms, count)));
        // The rest after the last job is not in the wall time; so the last job is not counted either.
        let last_ms = longest_ms(&server, &view.summary.id);
        let share = 100.0 * (view.stats.compute_ms - last_ms) / (view.stats.wall_ms as f64 - last_ms);
        let wanted = f64::from(duty);
        eprintln!("{share} % instead of {duty} %");
        // How little it is, a busy machine decides: `bench volunteer` tells the error of a duty.
        assert!(share < wanted * 1.2, "{share} % instead of {duty} %: {:?}", view.stats);
        page.close();
        server.api().await_fleet(|fleet| fleet.workers.is_empty());
    }
}

#[test]
fn on_battery_it_pauses_says_so_and_goes_on_later() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = browser.open_with(&server.url("/"), FAKES);
    let run = server.api().run(&jobs(20, 20_000));
    page.click("#start");
    page.wait_for(RUNNING);
    set_charging(&page, false);
    reason_is(&page, "battery");
    page.wait_for("document.documentElement.dataset.state === 'paused'");
    assert_eq!(sentence(&page), "Paused: on battery.");
    server.api().await_run(&run, |view| view.summary.progress.running == 0);
    page.click("#pause");
    reason_is(&page, "own");
    set_charging(&page, true);
    page.click("#resume");
    page.wait_for(RUNNING);
    page.click("#stop");
}

#[test]
fn every_reason_comes_from_what_its_browser_tells() {
    let tells = "globalThis.Fake = class extends EventTarget {};
        Object.defineProperty(navigator, 'connection', { value: Object.assign(new Fake(), { saveData: false }) });
        Object.defineProperty(document, 'hidden', { get: () => globalThis.away === true });
        globalThis.PressureObserver = class {
            constructor(tell) { globalThis.press = (state) => tell([{ state }]); }
            observe() { return Promise.resolve(); }
        };";
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    for (reason, act) in [
        (
            "saveData",
            "navigator.connection.saveData = true; navigator.connection.dispatchEvent(new Event('change'))",
        ),
        (
            "hidden",
            "document.querySelector('#pause-hidden').click(); away = true; document.dispatchEvent(new Event('visibilitychange'))",
        ),
        ("pressure", "press('critical')"),
    ] {
        let page = browser.open_with(&server.url("/"), &format!("{FAKES}{tells}"));
        page.click("#start");
        page.wait_for(RUNNING);
        page.eval(&format!("{act}; 0"));
        reason_is(&page, reason);
        page.wait_for("document.documentElement.dataset.state === 'paused'");
        page.close();
    }
}

#[test]
fn tabs_of_one_browser_compute_one_after_the_other() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let first = browser.open_with(&server.url("/"), FAKES);
    first.click("#start");
    first.wait_for(RUNNING);
    let second = browser.open_with(&server.url("/"), FAKES);
    second.click("#start");
    second.wait_for("document.documentElement.dataset.state === 'elsewhere'");
    assert!(sentence(&second).starts_with("Another tab"), "{}", sentence(&second));
    server.api().await_fleet(|fleet| fleet.workers.len() == 1);
    first.click("#stop");
    second.wait_for(RUNNING);
    first.click("#start");
    first.wait_for("document.documentElement.dataset.state === 'elsewhere'");
    second.close();
    first.wait_for(RUNNING);
    first.click("#stop");
}

#[test]
fn finishing_hands_in_what_runs_and_stops() {
    let server = TestServer::start(&["--heartbeat-seconds", "1"]);
    let browser = Browser::start();
    let page = browser.open(&server.url("/?autostart&slots=1"));
    let run = server.api().run(&jobs(2000, 100));
    let begun = server.api().begun(&run).summary.progress;
    page.click("#finish");
    page.wait_for("document.documentElement.dataset.state === 'stopped'");
    server.api().await_fleet(|fleet| fleet.workers.is_empty());
    let progress = server.api().await_run(&run, |view| view.summary.progress.running == 0).summary.progress;
    assert!(progress.done >= begun.done.max(1) && progress.failed == 0, "{begun:?}, then {progress:?}");
    assert_eq!(page.settled(), progress.done);
}

#[test]
fn choices_and_consent_are_remembered_and_asked_for_again() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = browser.open_with(&server.url("/"), FAKES);
    page.wait_for("document.querySelector('#consent').dataset.consent === 'none'");
    assert_eq!(page.eval("document.querySelector('#start').innerText"), "Agree and start computing");
    page.click("#start");
    page.wait_for("document.querySelector('#consent').dataset.consent === 'given'");
    page.click("#preset-quiet");
    page.eval("language.value = 'de'; language.dispatchEvent(new Event('change')); 0");
    page.wait_for("document.documentElement.lang === 'de'");
    page.call("Page.navigate", &json!({ "url": server.url("/") }));
    page.wait_for("document.querySelector('#start').innerText === 'Rechnen'");
    assert_eq!(
        page.eval("[document.querySelector('#preset-quiet').checked, +duty.value]"),
        json!([true, 25])
    );
    page.eval(
        "localStorage.setItem('weevil.consent', JSON.stringify({ version: 0, at: Date.UTC(2026, 0, 2) }))",
    );
    page.call("Page.navigate", &json!({ "url": server.url("/") }));
    page.wait_for("document.querySelector('#consent').dataset.consent === 'changed'");
    assert!(
        page.eval("document.querySelector('#consent').innerText")
            .as_str()
            .unwrap_or_default()
            .contains("2026")
    );
}

#[test]
fn the_screen_is_kept_awake_in_the_full_screen_view_only() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let watched = "globalThis.locks = [];
        const request = WakeLock.prototype.request;
        WakeLock.prototype.request = async function (kind) {
            const lock = await request.call(this, kind);
            locks.push(lock);
            document.documentElement.dataset.locks = locks.length;
            lock.addEventListener('release', () => { document.documentElement.dataset.locks = 'released'; });
            return lock;
        };";
    let page = browser.open_with(&server.url("/"), &format!("{FAKES}{watched}"));
    page.click("#start");
    page.wait_for(RUNNING);
    assert_eq!(page.eval("locks.length"), 0);
    let click = json!({ "expression": "document.querySelector('#full').click()", "userGesture": true });
    page.call("Runtime.evaluate", &click);
    page.wait_for("document.documentElement.dataset.full !== undefined && document.documentElement.dataset.locks === '1'");
    page.call("Runtime.evaluate", &click);
    page.wait_for("document.documentElement.dataset.full === undefined && document.documentElement.dataset.locks === 'released'");
}

#[test]
fn the_page_can_be_installed_without_a_service_worker() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = browser.open_with(&server.url("/"), FAKES);
    page.wait_for("document.documentElement.dataset.loaded !== undefined");
    assert_eq!(page.call("Page.getAppManifest", &json!({}))["errors"], json!([]));
    assert_eq!(page.call("Page.getInstallabilityErrors", &json!({}))["installabilityErrors"], json!([]));
    let workers = page.eval("navigator.serviceWorker.getRegistrations().then((all) => all.length)");
    assert_eq!(workers, 0);
}
