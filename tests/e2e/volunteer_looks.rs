//! The volunteer's page in each of its states: nothing that axe-core finds, nothing wider than the screen, and a picture
//! for people to look at in `target/pages`.

use weevil_e2e::{Browser, Form, Page, TestServer, pool_workflow};

use crate::looks::{judge, light, phone};
use crate::manners::{FAKES, set_charging};

pub(crate) const SUM: &str = "function weevil_main(all) { return all.reduce((a, b) => a + b, 0) }";
pub(crate) const WORK: &str = "function weevil_main(n) {
    const end = performance.now() + 50; while (performance.now() < end); weevil.flops(5e6); return n }";

fn many_jobs() -> weevil_e2e::Files {
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

fn await_state(page: &Page<'_>, state: &str) {
    page.wait_for(&format!("document.documentElement.dataset.state === '{state}'"));
}

pub(crate) fn speak(page: &Page<'_>, language: &str) {
    page.eval(&format!("language.value = '{language}'; language.dispatchEvent(new Event('change')); 0"));
    page.wait_for(&format!("document.documentElement.lang === '{language}'"));
}

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
