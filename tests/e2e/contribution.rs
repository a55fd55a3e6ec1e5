//! What a volunteer's page keeps and shows of its own work: the ledger in the browser, the picture of the work, the card to share.

use serde_json::{Value, json};
use weevil_e2e::{Browser, Files, Page, TestServer, pool_workflow};

use crate::manners::FAKES;
use crate::volunteer_looks::{SUM, WORK, await_state, many_jobs, open};

/// Reads what the ledger holds: days, jobs, milliseconds, operations, aims.
const LEDGER: &str = "(() => {
    const kept = JSON.parse(localStorage.getItem('weevil.contribution'));
    if (kept === null) return null;
    const sum = (at) => kept.days.reduce((all, day) => all + day[at], 0);
    return { days: kept.days.length, jobs: sum(1), ms: sum(2), flops: sum(3), aims: kept.names };
})()";
/// Takes the place of the part of a device that shares, reads what it is given, and says so in the document, where waits look.
const SHARES: &str = "navigator.canShare = ({ files }) => files.length === 1;
    navigator.share = async ({ files, ...rest }) => {
        const { width, height } = await createImageBitmap(files[0]);
        globalThis.shared = { name: files[0].name, type: files[0].type, width, height, rest: Object.keys(rest) };
        document.documentElement.dataset.shared = '';
    };";

fn pool(jobs: usize) -> Files {
    pool_workflow(&format!("[{}]", vec!["1"; jobs].join(",")), WORK, SUM)
}

fn again(page: &Page<'_>, server: &TestServer) {
    page.call("Page.navigate", &json!({ "url": server.url("/") }));
    page.wait_for("document.documentElement.dataset.loaded !== undefined");
}

fn ledger(page: &Page<'_>) -> Value {
    page.eval(LEDGER)
}

/// Computes so many jobs and the one that adds them up, then stops.
fn compute(page: &Page<'_>, server: &TestServer, jobs: usize) {
    let run = server.api().run(&pool(jobs));
    page.click("#start");
    server.api().await_end(&run);
    page.wait_for(&format!("document.documentElement.dataset.done === '{}'", jobs + 1));
    page.click("#stop");
    await_state(page, "stopped");
}

#[test]
fn a_day_of_a_volunteer_is_kept_shown_and_forgotten() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = open(&browser, &server);
    assert_eq!(page.eval("document.querySelector('#contribution')"), Value::Null, "nothing to show yet");
    compute(&page, &server, 12);
    page.wait_for("document.querySelector('#given-jobs')?.innerText === '13'");
    page.wait_for("JSON.parse(localStorage.getItem('weevil.contribution'))?.days[0]?.[1] === 13");
    let kept = ledger(&page);
    assert_eq!((&kept["days"], &kept["flops"]), (&json!(1), &json!(60_000_000)), "{kept}");
    assert!(kept["ms"].as_f64().is_some_and(|ms| ms >= 12.0 * 45.0), "{kept}");
    again(&page, &server);
    page.wait_for("document.querySelector('#given-jobs')?.innerText === '13'");
    assert_eq!(ledger(&page), kept);
    compute(&page, &server, 3);
    page.wait_for("document.querySelector('#given-jobs').innerText === '17'");
    page.eval("document.querySelector('.as-table').open = true");
    page.wait_for("document.querySelector('.as-table tbody tr td')?.innerText === '17'");
    page.click("#forget");
    assert_eq!(page.eval("document.activeElement.id"), "forget-no", "the safe answer has the focus");
    page.click("#forget-no");
    assert_eq!(page.eval("document.activeElement.id"), "forget");
    page.click("#forget");
    page.click("#forget-yes");
    page.wait_for("document.querySelector('#given-jobs').innerText === '0'");
    assert_eq!((ledger(&page), page.eval("document.activeElement.id")), (Value::Null, json!("forget")));
    again(&page, &server);
    assert_eq!(
        (ledger(&page), page.eval("document.querySelector('#contribution')")),
        (Value::Null, Value::Null)
    );
}

#[test]
fn the_picture_has_a_cell_for_each_slot_and_says_the_same_in_words() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = browser.open(&server.url("/?autostart&slots=2"));
    server.api().run(&many_jobs());
    page.wait_for(
        "/^[12] of 2 slots compute\\. .*Jobs ended in the last minute: [1-9]/.test(document.querySelector('#picture-text')?.innerText)",
    );
    page.wait_for(
        "Number(/[\\d,]+(?= of them)/.exec(document.querySelector('#aim-own-text')?.innerText)?.[0]) > 0",
    );
    let share = "(() => { const own = document.querySelector('#aim-own').getBoundingClientRect().width;
        return own > 0 && own <= document.querySelector('#aim-bar').getBoundingClientRect().width })()";
    assert_eq!(page.eval(share), true);
    let drawn = "(() => { const canvas = document.querySelector('#picture canvas');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return data.some((value) => value !== 0) })()";
    assert_eq!(page.eval(drawn), true);
    page.click("#stop");
    await_state(&page, "stopped");
    page.wait_for("document.querySelector('#picture').hidden");
}

#[test]
fn the_card_is_a_png_and_leaves_the_page_only_by_hand() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = browser.open_with(&server.url("/"), &format!("{FAKES}\n{SHARES}"));
    page.wait_for("document.documentElement.dataset.loaded !== undefined");
    compute(&page, &server, 4);
    page.wait_for("document.querySelector('#given-jobs')?.innerText === '5'");
    page.eval("performance.clearResourceTimings()");
    page.click("#make-card");
    let png = page.save_bytes("#card-save", "weevilscout.png");
    assert_eq!(png.get(..8), Some(&b"\x89PNG\r\n\x1a\n"[..]));
    assert_eq!((&png[16..20], &png[20..24]), (&1200_u32.to_be_bytes()[..], &630_u32.to_be_bytes()[..]));
    page.click("#card-share");
    page.wait_for("document.documentElement.dataset.shared !== undefined");
    assert_eq!(
        page.eval("shared"),
        json!({ "name": "weevilscout.png", "type": "image/png", "width": 1200, "height": 630, "rest": [] })
    );
    let asked =
        page.eval("performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)");
    let own = |path: &Value| path.as_str().is_some_and(|path| path.starts_with("/assets/"));
    assert!(asked.as_array().is_some_and(|asked| asked.iter().all(own)), "{asked}");
    assert_eq!(
        page.eval(
            "/5 jobs done.*Computed in a browser tab/.test(document.querySelector('#card-picture').ariaLabel)"
        ),
        true
    );
    page.click("#card-close");
    page.wait_for("document.querySelector('dialog') === null");
}

#[test]
fn a_ledger_in_disorder_and_a_storage_that_is_off_stop_nothing() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    // The pages of one browser share their storage: the last one begins without what the first has written.
    for (kept, script) in [
        ("in disorder", "localStorage.setItem('weevil.contribution', '{\"version\":7}');"),
        (
            "off",
            "Object.defineProperty(globalThis, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError') } });",
        ),
        (
            "full",
            "localStorage.clear(); Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') };",
        ),
    ] {
        let page = browser.open_with(&server.url("/"), &format!("{FAKES}\n{script}"));
        page.wait_for("document.documentElement.dataset.loaded !== undefined");
        compute(&page, &server, 2);
        page.wait_for("document.querySelector('#given-jobs')?.innerText === '3'");
        let notice = if kept == "in disorder" { "set aside" } else { "keeps nothing" };
        page.wait_for(&format!(
            "document.querySelector('#contribution-notice').innerText.includes('{notice}')"
        ));
        page.close();
    }
}
