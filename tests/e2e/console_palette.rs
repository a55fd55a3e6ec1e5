//! The console by keyboard alone: palette, keys, rows, filter; and that single letters can be turned off.

use serde_json::json;
use weevil_e2e::{Browser, Form, Page, TestServer, job_workflow, shipped};

use super::console::{press, write};
use crate::looks::await_words;

/// Presses a letter, as somebody does who writes into nothing.
fn letter(page: &Page<'_>, key: &str) {
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
fn open_palette(page: &Page<'_>) {
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
