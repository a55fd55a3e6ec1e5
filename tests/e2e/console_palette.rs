//! The console by keyboard alone: palette, keys, rows, filter; and that single letters can be turned off.

use serde_json::json;
use weevil_e2e::{Browser, Form, Page, TestServer, job_workflow, pool_workflow, shipped};

use super::console::{press, write};
use crate::looks::await_words;

/// Presses a letter, as somebody does who writes into nothing.
pub(super) fn letter(page: &Page<'_>, key: &str) {
    for kind in ["keyDown", "keyUp"] {
        let event = json!({ "type": kind, "key": key, "text": if kind == "keyDown" { key } else { "" } });
        page.call("Input.dispatchKeyEvent", &event);
    }
}

/// Starts a run that is called so.
fn named(server: &TestServer, name: &str) -> String {
    server.api().run_form(&Form::of(&shipped(name)).text("name", name)).run
}

/// Ctrl K.
pub(super) fn open_palette(page: &Page<'_>) {
    for kind in ["rawKeyDown", "keyUp"] {
        let event =
            json!({ "type": kind, "key": "k", "code": "KeyK", "modifiers": 2, "windowsVirtualKeyCode": 75 });
        page.call("Input.dispatchKeyEvent", &event);
    }
    page.wait_for("document.activeElement.id === 'palette-field'");
}

fn is_at(page: &Page<'_>, title: &str) {
    page.wait_for(&format!("document.activeElement === document.querySelector('h1') && document.querySelector('h1').innerText === {}", json!(title)));
}

#[test]
fn pages_and_runs_are_reached_without_a_mouse() {
    let server = TestServer::start(&[]);
    let run = named(&server, "add");
    server.api().run(&job_workflow("function weevil_main() {}", ""));
    let browser = Browser::start();
    let page = server.console(&browser, "");
    is_at(&page, "Overview");
    for (key, title) in
        [("w", "Workflows"), ("q", "Queue"), ("f", "Workers"), ("o", "Overview"), ("r", "Runs")]
    {
        letter(&page, "g");
        letter(&page, key);
        is_at(&page, title);
    }
    page.wait_for("document.querySelectorAll('#runs [data-run]').length === 2");
    letter(&page, "j");
    letter(&page, "j");
    page.wait_for(
        "document.activeElement.closest('[data-run]') === document.querySelectorAll('#runs [data-run]')[1]",
    );
    letter(&page, "k");
    page.wait_for(
        "document.activeElement.closest('[data-run]') === document.querySelector('#runs [data-run]')",
    );
    letter(&page, "/");
    page.wait_for("document.activeElement.id === 'filter-name'");
    write(&page, "ad");
    page.wait_for("document.querySelectorAll('#runs [data-run]').length === 1");
    page.wait_for("location.hash === '#/runs?q=ad'");
    press(&page, "Escape");
    is_at(&page, "Runs");
    letter(&page, "j");
    press(&page, "Enter");
    page.wait_for("document.querySelector('#run-page').dataset.state === 'STARTED'");
    assert_eq!(page.eval("location.hash"), json!(format!("#/runs/{run}")));
}

#[test]
fn the_palette_finds_pages_workflows_and_ids() {
    let server = TestServer::start(&[]);
    let run = named(&server, "add");
    let browser = Browser::start();
    let page = server.console(&browser, "");
    is_at(&page, "Overview");
    open_palette(&page);
    assert_eq!(page.barriers(), [""; 0]);
    write(&page, "work");
    await_words(&page, "#palette-list", "Workflows");
    page.wait_for(
        "document.querySelector('[role=option][aria-selected=true]').innerText.includes('Workflows')",
    );
    press(&page, "Enter");
    is_at(&page, "Workflows");
    page.wait_for("!document.querySelector('dialog')");
    open_palette(&page);
    write(&page, "add");
    page.wait_for("document.querySelector('[aria-label=Workflows] [role=option]') && document.querySelector('[aria-label=Runs] [role=option]')");
    press(&page, "Escape");
    page.wait_for("!document.querySelector('dialog')");
    assert_eq!(page.eval("document.activeElement.tagName"), "H1", "the focus is back");
    open_palette(&page);
    write(&page, &run);
    page.wait_for(
        "document.querySelector('[role=option][aria-selected=true]').innerText.includes('Open run_')",
    );
    press(&page, "Enter");
    page.wait_for("document.querySelector('#run-page').dataset.state === 'STARTED'");
}

#[test]
fn choices_are_remembered_and_letters_can_be_turned_off() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = server.console(&browser, "#/settings");
    is_at(&page, "Settings");
    letter(&page, "?");
    page.wait_for("document.querySelector('#keys').open");
    assert_eq!(page.barriers(), [""; 0]);
    press(&page, "Escape");
    page.wait_for("!document.querySelector('dialog')");
    for selector in ["[name=theme][value=dark]", "[name=density][value=compact]", "#letters"] {
        page.eval(&format!("document.querySelector('{selector}').focus()"));
        press(&page, " ");
    }
    page.wait_for("document.documentElement.dataset.theme === 'dark' && document.documentElement.dataset.density === 'compact'");
    page.eval("location.hash = '#/runs'");
    page.wait_for("document.querySelector('#no-runs')");
    page.eval("window.before = true; location.reload()");
    page.wait_for("!window.before && document.documentElement.dataset.live === 'true' && document.querySelector('#no-runs')");
    assert_eq!(page.eval("document.documentElement.dataset.theme"), "dark");
    let ground = page.eval("getComputedStyle(document.body).backgroundColor");
    assert_eq!(ground, "rgb(15, 20, 18)", "whatever the system says");
    letter(&page, "g");
    letter(&page, "q");
    open_palette(&page);
    assert_eq!(page.eval("location.hash"), "#/runs", "letters do nothing, the palette opens");
}

#[test]
fn news_are_held_while_somebody_reads() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = server.console(&browser, "#/runs");
    page.click("#live");
    page.wait_for("document.querySelector('#live').dataset.kind === 'held'");
    server.api().run(&shipped("add"));
    page.wait_for("/held by you, [1-9]/.test(document.querySelector('#live').innerText)");
    assert_eq!(page.eval("document.querySelectorAll('[data-run]').length"), json!(0));
    page.click("#live");
    page.wait_for("document.querySelectorAll('[data-run]').length === 1");
}

/// What is chosen in the palette now has these words.
fn await_chosen(page: &Page<'_>, words: &str) {
    page.wait_for(&format!(
        "document.querySelector('[role=option][aria-selected=true]')?.textContent.includes({})",
        json!(words)
    ));
}

/// What begins so, among more runs than a console has by itself.
#[test]
fn runs_that_nobody_has_listed_are_found_by_name() {
    let mut server = TestServer::start(&[]);
    let old = server.api().run_form(&Form::of(&shipped("add")).text("name", "zeta of long ago")).run;
    let others = server.api().run(&shipped("add"));
    server.api().cancel(&others);
    server.kill();
    server.sql(
        "with recursive n(v) as (select 1 union all select v + 1 from n where v < 250) \
         insert into runs (id, workflow, name, seed, state, created_at, finished_at, summary, nodes, node_count) \
         select runs.id + v * 2097152, workflow, name, seed, state, created_at + v, finished_at, summary, nodes, node_count \
         from runs, n where state = 'CANCELLED'",
    );
    server.restart();
    let browser = Browser::start();
    let page = server.console(&browser, "#/runs");
    page.wait_for("document.querySelectorAll('#runs [data-run]').length > 1");
    assert_eq!(page.eval(&format!("document.querySelector('[data-run=\"{old}\"]')")), json!(null));
    letter(&page, "/");
    write(&page, "zet");
    page.wait_for(&format!("document.querySelectorAll('#runs [data-run]').length === 1 && document.querySelector('[data-run=\"{old}\"]')"));
    write(&page, "?");
    page.wait_for("document.querySelector('#runs-page .empty')");
    page.eval("location.hash = '#/'");
    is_at(&page, "Overview");
    open_palette(&page);
    write(&page, "zeta of");
    await_chosen(&page, "zeta of long ago");
    press(&page, "Enter");
    page.wait_for(&format!("location.hash === '#/runs/{old}'"));
}

#[test]
fn what_is_pasted_and_what_the_page_offers_is_in_the_palette() {
    let server = TestServer::start(&[]);
    let run = named(&server, "add");
    let workflow = server.api().view(&run).summary.workflow;
    let browser = Browser::start();
    let page = server.console(&browser, "");
    is_at(&page, "Overview");
    open_palette(&page);
    write(&page, &format!("at /user/rootSupervisor/{run}/val3:"));
    await_chosen(&page, "Open run_");
    press(&page, "Enter");
    page.wait_for("document.querySelector('#run-page').dataset.state === 'STARTED'");
    page.wait_for("document.querySelector('#graph-follow')");
    let offered = "[...document.querySelectorAll('[aria-label=\"On this page\"] [role=option]')].map((option) => option.textContent)";
    open_palette(&page);
    page.wait_for("document.querySelector('[aria-label=\"On this page\"] [role=option]')");
    let names = page.eval(offered).to_string();
    let heads = page.eval("[...document.querySelectorAll('main .page-head button')].map((button) => button.getAttribute('aria-label') ?? button.textContent)");
    let heads = heads.as_array().expect("a list");
    assert!(heads.len() >= 4, "{heads:?}");
    for name in heads {
        assert!(names.contains(name.as_str().expect("a name")), "{name} in {names}");
    }
    let tools = page.eval(
        "[...document.querySelectorAll('main [aria-keyshortcuts]')].map((tool) =>
            (tool.getAttribute('aria-label') ?? tool.textContent) + tool.getAttribute('aria-keyshortcuts'))",
    );
    let tools = tools.as_array().expect("a list");
    assert!(tools.len() >= 7, "{tools:?}");
    for tool in tools {
        assert!(names.contains(tool.as_str().expect("a name and a key")), "{tool} in {names}");
    }
    write(&page, "Why?");
    await_chosen(&page, "Why? add");
    press(&page, "Enter");
    page.wait_for("document.querySelector('dialog.why[open]')?.contains(document.activeElement)");
    press(&page, "Escape");
    page.wait_for("!document.querySelector('dialog')");
    open_palette(&page);
    write(&page, &workflow);
    await_chosen(&page, "Open ");
    press(&page, "Enter");
    page.wait_for(&format!("location.hash === '#/workflows/add/{workflow}'"));
}

#[test]
fn a_german_browser_reads_german_numbers_among_english_words() {
    let server = TestServer::start(&[]);
    let input = format!("[{}]", vec!["1"; 1234].join(","));
    let run = server.api().run(&pool_workflow(
        &input,
        "function weevil_main(n) { return n }",
        "function weevil_main(all) { return all.length }",
    ));
    let browser = Browser::start();
    let page = server.console(&browser, &format!("#/runs/{run}"));
    let german = json!({ "userAgent": page.eval("navigator.userAgent"), "acceptLanguage": "de-DE" });
    page.call("Emulation.setUserAgentOverride", &german);
    page.eval("location.reload(); 0");
    page.wait_for("/^0 of 1\\.23\\d jobs$/.test(document.querySelector('.run-done')?.textContent)");
    page.eval("location.hash = '#/queue'");
    page.wait_for("/^Queue: 1\\.234 wait/.test(document.querySelector('#queue-line')?.textContent)");
}

#[test]
fn the_palette_is_used_by_pointer() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = server.console(&browser, "");
    is_at(&page, "Overview");
    page.click("#find");
    page.wait_for("document.activeElement.id === 'palette-field'");
    write(&page, "workers");
    await_words(&page, "[role=option]", "Workers");
    page.click("[role=option]");
    is_at(&page, "Workers");
    page.click("#to-queue");
    is_at(&page, "Queue");
}
