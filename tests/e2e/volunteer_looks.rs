//! The volunteer's page in each of its states: nothing that axe-core finds, nothing wider than the screen, and a picture
//! for people to look at in `target/pages`.

use serde_json::json;
use weevil_e2e::{Browser, Form, Page, TestServer, pool_workflow};

use crate::looks::{judge, light, phone};
use crate::manners::{FAKES, set_charging};

pub(crate) const SUM: &str = "function weevil_main(all) { return all.reduce((a, b) => a + b, 0) }";
pub(crate) const WORK: &str = "function weevil_main(n) {
    const end = performance.now() + 50; while (performance.now() < end); weevil.flops(5e6); return n }";

pub(crate) fn many_jobs() -> weevil_e2e::Files {
    pool_workflow(&format!("[{}]", vec!["1"; 20_000].join(",")), WORK, SUM)
}

pub(crate) fn open<'b>(browser: &'b Browser, server: &TestServer) -> Page<'b> {
    let page = browser.open_with(&server.url("/"), FAKES);
    page.wait_for("document.documentElement.dataset.loaded !== undefined");
    light(&page, "light");
    page
}

/// Looks at the page as it is now.
pub(crate) fn look(page: &Page<'_>, name: &str) {
    judge(page, &format!("volunteer-{name}"));
}

pub(crate) fn await_state(page: &Page<'_>, state: &str) {
    page.wait_for(&format!("document.documentElement.dataset.state === '{state}'"));
}

pub(crate) fn speak(page: &Page<'_>, language: &str) {
    page.eval(&format!("language.value = '{language}'; language.dispatchEvent(new Event('change')); 0"));
    page.wait_for(&format!("document.documentElement.lang === '{language}'"));
}

/// A theme, and what makes the window so large.
type Screen = (&'static str, fn(&Page<'_>));

#[test]
fn before_the_start_in_every_language_and_on_a_phone() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = open(&browser, &server);
    for language in ["en", "de", "zh-Hans"] {
        speak(&page, language);
        look(&page, &format!("idle-{language}"));
    }
    phone(&page);
    speak(&page, "de");
    look(&page, "idle-phone");
    light(&page, "dark");
    look(&page, "idle-phone-dark");
}

fn desk(page: &Page<'_>) {
    let screen = json!({ "width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false });
    page.call("Emulation.setDeviceMetricsOverride", &screen);
}

/// The page anew, in a browser that has kept this.
fn recall(page: &Page<'_>, server: &TestServer, key: &str, kept: &str) {
    page.eval(&format!("localStorage.setItem('{key}', JSON.stringify({kept}))"));
    page.call("Page.navigate", &json!({ "url": server.url("/") }));
    page.wait_for("document.documentElement.dataset.loaded !== undefined");
}

/// Whether all of Start is on the first screen with nothing over it, how many terms are to be read, and whether the button that
/// folds them says the same.
const FIRST_SCREEN: &str = "(() => {
    const { top, bottom, left, right } = document.querySelector('#start').getBoundingClientRect();
    const seen = [[left + 9, top + 9], [right - 9, bottom - 9]].every(([x, y]) => document.elementFromPoint(x, y)?.id === 'start');
    const terms = [...document.querySelectorAll('.deal dd')].filter((term) => term.getClientRects().length > 0).length;
    const words = [...document.querySelectorAll('.deal dt')].filter((word) => word.getClientRects().length > 0).length;
    return { start: seen && scrollY === 0, terms, words, open: document.querySelector('#fold').ariaExpanded };
})()";

#[test]
fn on_a_phone_start_is_on_the_first_screen_and_known_terms_are_folded() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = open(&browser, &server);
    phone(&page);
    let unfolded = json!({ "start": true, "terms": 5, "words": 5, "open": "true" });
    let folded = json!({ "start": true, "terms": 0, "words": 5, "open": "false" });
    let agreed = "Number(/version (\\d+)/.exec(document.querySelector('#consent').textContent)[1])";
    for (name, version, screen) in
        [("first", None, &unfolded), ("changed", Some("1"), &unfolded), ("agreed", Some(agreed), &folded)]
    {
        if let Some(version) = version {
            speak(&page, "en");
            recall(&page, &server, "weevil.consent", &format!("{{ version: {version}, at: 1e12 }}"));
        }
        for language in ["en", "de", "zh-Hans"] {
            speak(&page, language);
            assert_eq!(page.eval(FIRST_SCREEN), *screen, "{name}, {language}");
            look(&page, &format!("terms-{name}-{language}"));
        }
    }
    light(&page, "dark");
    look(&page, "terms-agreed-dark");
    page.click("#fold");
    assert_eq!(page.eval(FIRST_SCREEN), unfolded);
    look(&page, "terms-unfolded-dark");
    desk(&page);
    page.click("#fold");
    assert_eq!(
        page.eval("document.querySelector('.deal dd').getClientRects().length > 0"),
        true,
        "room enough"
    );
}

/// 230 days, the last one today, as some browser may have kept them.
const KEPT: &str = "(() => {
    const now = new Date();
    const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 864e5;
    const days = Array.from({ length: 230 }, (_, at) => [today - 229 + at, (at * 7919) % 97]);
    const rows = days.filter(([, n]) => n % 3 !== 0 && n > 19);
    const names = ['Prime gaps below a billion billions', 'Weevil census'];
    return { version: 1, before: [100, 5000, 1e9], names, days: rows.map(([day, n]) => [day, n * 13, n * 4e5, n * 3e12, [day % 2]]) };
})()";

#[test]
fn what_this_browser_has_given() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = open(&browser, &server);
    recall(&page, &server, "weevil.contribution", KEPT);
    page.wait_for("document.querySelectorAll('.strip rect').length > 175");
    let screens: [Screen; 2] = [("light", desk), ("dark", phone)];
    for language in ["en", "de", "zh-Hans"] {
        speak(&page, language);
        page.wait_for(&format!(
            "document.querySelector('#contribution h2').innerText === {}",
            title(language)
        ));
        for (scheme, on) in screens {
            light(&page, scheme);
            on(&page);
            look(&page, &format!("given-{language}-{scheme}"));
        }
    }
    speak(&page, "en");
    page.eval("document.querySelector('.as-table').open = true");
    page.wait_for("document.querySelectorAll('.as-table tbody tr').length > 50");
    page.click("#forget");
    look(&page, "given-table-dark");
    desk(&page);
    look(&page, "given-table-desk-dark");
    light(&page, "light");
    page.click("#make-card");
    page.wait_for("document.querySelector('#card-save')");
    look(&page, "card");
    phone(&page);
    look(&page, "card-phone");
}

fn title(language: &str) -> serde_json::Value {
    json!(match language {
        "de" => "Was dieser Browser beigesteuert hat",
        "en" => "What this browser has given",
        _ => "此浏览器的贡献",
    })
}

/// A job of five seconds that tells how far it is.
const SLOW: &str = "function weevil_main(n) {
    const begin = performance.now();
    for (;;) { const done = (performance.now() - begin) / 5000; weevil.progress(done); if (done >= 1) return n } }";

#[test]
fn the_picture_of_the_work_with_many_slots_and_long_jobs() {
    let browser = Browser::start();
    for (slots, code) in [(2, SLOW), (24, WORK)] {
        let server = TestServer::start(&[]);
        let page = browser.open(&server.url(&format!("/?autostart&slots={slots}")));
        server.api().run(&pool_workflow(&format!("[{}]", vec!["1"; 4_000].join(",")), code, SUM));
        page.wait_for(
            "document.querySelector('#picture')?.hidden === false && document.querySelector('#aim-own')",
        );
        page.wait_for("/compute.*minute: [1-9]/.test(document.querySelector('#picture-text').innerText)");
        // With its motion: this is what most people see.
        for scheme in ["light", "dark"] {
            let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
            page.call("Emulation.setEmulatedMedia", &features);
            desk(&page);
            look(&page, &format!("picture-{slots}-{scheme}"));
            phone(&page);
            look(&page, &format!("picture-{slots}-phone-{scheme}"));
        }
        light(&page, "dark");
        look(&page, &format!("picture-{slots}-still"));
        page.close();
    }
}

#[test]
fn at_work_paused_and_stopped() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = open(&browser, &server);
    server.api().run(&many_jobs());
    page.click("#start");
    // Two points of the line.
    page.wait_for("document.querySelector('#chart-line').getAttribute('d')");
    look(&page, "working");
    light(&page, "dark");
    look(&page, "working-dark");
    // A browser enters it only by a person's own click.
    page.eval("document.documentElement.toggleAttribute('data-full', true)");
    look(&page, "full-screen");
    page.eval("document.documentElement.toggleAttribute('data-full', false)");
    phone(&page);
    speak(&page, "zh-Hans");
    look(&page, "working-phone");
    speak(&page, "en");
    set_charging(&page, false);
    await_state(&page, "paused");
    look(&page, "battery");
    page.click("#stop");
    await_state(&page, "stopped");
    look(&page, "stopped");
}

#[test]
fn how_its_answers_stand_and_while_it_rests() {
    let mut server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = open(&browser, &server);
    assert_eq!(page.eval("standing.hidden"), true, "nothing is judged yet");
    server.api().run_form(&Form::of(&many_jobs()).text("trust", "quorum(2)"));
    page.click("#start");
    page.wait_for(
        "!standing.hidden && given.innerText === unchecked.innerText && rank.innerText.includes('new here')",
    );
    for language in ["de", "zh-Hans", "en"] {
        speak(&page, language);
        look(&page, &format!("standing-{language}"));
    }
    server.kill();
    // It was found wrong, and rests until the year 2100.
    server.sql("update records set refuted = 1, rests_until = 4102444800000");
    server.restart();
    page.wait_for("!rest.hidden && rest.innerText.includes('2100')");
    look(&page, "rests");
    light(&page, "dark");
    phone(&page);
    look(&page, "rests-phone-dark");
    light(&page, "light");
    speak(&page, "de");
    look(&page, "rests-phone");
}

#[test]
fn beside_another_tab_and_without_a_server() {
    let mut server = TestServer::start(&[]);
    let browser = Browser::start();
    let first = open(&browser, &server);
    first.click("#start");
    await_state(&first, "waiting");
    look(&first, "waiting");
    let second = open(&browser, &server);
    second.click("#start");
    await_state(&second, "elsewhere");
    look(&second, "elsewhere");
    second.close();
    server.kill();
    first.wait_for("document.querySelector('#retry').innerText.includes('Next try')");
    look(&first, "lost");
    server.restart();
    await_state(&first, "waiting");
}
