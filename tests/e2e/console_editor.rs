//! The editor of workflows in a real browser: one journey by keyboard alone, one by pointer, one on a phone; a text that the checker's
//! module cannot bear; what two versions differ in.

use serde_json::json;
use weevil_e2e::{Browser, Page, TestServer};

use super::console::{press, write};
use crate::looks::{judge, light, look_at_console, phone};

/// Inside the shadow root that the text lives in.
const ROOT: &str = "document.querySelector('.text-host')?.shadowRoot";
const CTRL: u32 = 2;

/// A key that types nothing, with these modifiers.
fn chord(page: &Page<'_>, key: &str, code: u32, modifiers: u32) {
    for kind in ["rawKeyDown", "keyUp"] {
        let event =
            json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers });
        page.call("Input.dispatchKeyEvent", &event);
    }
}

fn desk(page: &Page<'_>) {
    let screen = json!({ "width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false });
    page.call("Emulation.setDeviceMetricsOverride", &screen);
}

fn lines() -> String {
    format!("[...({ROOT}?.querySelectorAll('.cm-line') ?? [])].map((line) => line.textContent).join('\\n')")
}

/// Looks again and again: what happens inside of a shadow root changes nothing in the document.
fn await_inside(page: &Page<'_>, expression: &str) {
    let seen = page.eval(&format!(
        "new Promise((resolve) => {{
            const end = performance.now() + 59000;
            const look = () => {{
                const seen = Boolean({expression});
                if (seen || performance.now() > end) resolve(seen);
                else setTimeout(look, 20);
            }};
            look();
        }})"
    ));
    assert_eq!(seen, json!(true), "never came true: {expression}");
}

fn await_text(page: &Page<'_>, words: &str) {
    await_inside(page, &format!("({}).includes({})", lines(), json!(words)));
}

fn await_state(page: &Page<'_>, state: &str) {
    page.wait_for(&format!("document.querySelector('#checked')?.dataset.state === '{state}'"));
}

fn await_mark(page: &Page<'_>, words: &str) {
    page.wait_for(&format!("document.querySelector('#draft-mark')?.innerText === '{words}'"));
}

/// Presses Tab until what has the focus fits, as somebody does who has no pointer.
fn tab_to(page: &Page<'_>, selector: &str) {
    let at = format!("document.activeElement.matches({})", json!(selector));
    for _ in 0..60 {
        if page.eval(&at) == true {
            return;
        }
        press(page, "Tab");
    }
    panic!("no Tab leads to {selector}");
}

/// Takes the first name that is offered, once the list has been there long enough for its keys to count.
fn take_offer(page: &Page<'_>, name: &str) {
    let first =
        format!("{ROOT}.querySelector('.cm-tooltip-autocomplete li[aria-selected] .cm-completionLabel')");
    page.eval("window.offered = undefined");
    await_inside(
        page,
        &format!(
            "{first}?.textContent === '{name}' && (window.offered ??= performance.now()) + 150 < performance.now()"
        ),
    );
    press(page, "Enter");
}

/// A node of the preview.
fn drawn(node: &str) -> String {
    format!(".preview .graph-figure[data-key=\"{node}\"]")
}

fn open_new(page: &Page<'_>, name: &str, start: &str) {
    page.eval(&format!("location.hash = '#/workflows/{name}/edit{start}'"));
    page.wait_for(&format!("document.querySelector('h1')?.innerText === 'Edit {name}'"));
    await_state(page, "sound");
    page.wait_for("document.querySelector('.text-host').dataset.there === 'true'");
}

#[test]
fn a_workflow_is_written_cured_completed_saved_and_run_by_keyboard_alone() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = server.console(&browser, "");
    page.eval("location.hash = '#/workflows'");
    page.wait_for("document.querySelector('#new-workflow') !== null");
    tab_to(&page, "#new-workflow");
    press(&page, "Enter");
    page.wait_for("document.activeElement.id === 'new-name'");
    write(&page, "written");
    press(&page, "Enter");
    await_state(&page, "sound");
    await_mark(&page, "New, not saved");
    page.wait_for("document.querySelector('.text-host').dataset.there === 'true'");
    look_at_console(&page, "editor");
    light(&page, "light");
    desk(&page);
    a_mistake_is_cured(&page);
    a_node_gets_another_name(&page);
    an_edge_is_completed(&page);
    both_sides_go_together(&page);
    chord(&page, "s", 83, CTRL);
    await_mark(&page, "As saved");
    page.wait_for("/^#.workflows.written.[0-9a-f]{64}.edit$/.test(location.hash)");
    chord(&page, "Enter", 13, CTRL);
    page.wait_for("document.querySelector('#run-page')?.dataset.state === 'STARTED'");
}

/// Another id for a value leaves an edge without its source; the checker says so, and its cure is taken.
fn a_mistake_is_cured(page: &Page<'_>) {
    tab_to(page, &drawn("one"));
    press(page, "Enter");
    await_inside(page, &format!("{ROOT}.activeElement !== null"));
    write(page, "onee");
    await_state(page, "broken");
    page.wait_for(&format!("document.querySelector('{}')", drawn("onee")));
    page.wait_for("document.querySelector('.problems [data-code=W0150] .cure') !== null");
    judge(page, "console-editor-broken");
    tab_to(page, ".cure");
    press(page, "Enter");
    await_text(page, "<edge source=\"onee\" dest=\"twice\" />");
    await_state(page, "sound");
}

fn a_node_gets_another_name(page: &Page<'_>) {
    press(page, "Tab");
    tab_to(page, ".preview .graph-figure");
    press(page, "ArrowRight");
    page.wait_for(&format!("document.activeElement.matches('{}')", drawn("twice")));
    press(page, "Enter");
    await_inside(page, &format!("{ROOT}.activeElement !== null"));
    chord(page, "F2", 113, 0);
    page.wait_for("document.activeElement.id === 'node-name'");
    write(page, "twins");
    press(page, "Enter");
    await_text(page, "<job id=\"twins\"");
    await_text(page, "dest=\"twins\"");
    await_text(page, "<finalnode id=\"twins\" />");
    await_state(page, "sound");
}

/// Where the cursor stands is chosen in the preview, and what is pressed there has the cursor; a list leads to the same places.
fn both_sides_go_together(page: &Page<'_>) {
    let chosen = |node: &str| {
        let frame =
            format!("document.querySelector('{}')?.querySelector('[stroke=\"var(--accent)\"]')", drawn(node));
        page.wait_for(&frame);
    };
    press(page, "Tab");
    tab_to(page, ".preview .graph-figure");
    press(page, "ArrowRight");
    page.wait_for(&format!("document.activeElement.matches('{}')", drawn("twins")));
    press(page, "Enter");
    await_inside(page, &format!("{ROOT}.activeElement !== null"));
    chosen("twins");
    press(page, "Tab");
    tab_to(page, "#preview-list");
    press(page, "Enter");
    tab_to(page, "[data-node=onee]");
    press(page, "Enter");
    await_inside(page, &format!("{ROOT}.activeElement !== null"));
    page.click("#preview-list");
    chosen("onee");
    page.eval(&format!("{ROOT}.querySelector('.cm-content').focus()"));
}

/// An element with what it must have, and a name that fits there; then all of it is taken back.
fn an_edge_is_completed(page: &Page<'_>) {
    chord(page, "End", 35, CTRL);
    for _ in 0..3 {
        press(page, "ArrowUp");
    }
    write(page, "<ed");
    take_offer(page, "edge");
    await_text(page, "<edge source=\"\" dest=\"\" />");
    chord(page, " ", 32, CTRL);
    take_offer(page, "onee");
    await_text(page, "<edge source=\"onee\" dest=\"\" />");
    await_state(page, "broken");
    for _ in 0..3 {
        chord(page, "z", 90, CTRL);
    }
    await_state(page, "sound");
}

#[test]
fn drafts_stay_and_versions_are_compared_by_pointer() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = server.console(&browser, "");
    open_new(&page, "adding", "?from=add");
    page.click("#save-version");
    await_mark(&page, "As saved");
    page.click("[data-file=\"Add.js\"] button");
    await_text(&page, "weevil_main");
    page.eval(&format!("{ROOT}.querySelector('.cm-content').focus()"));
    write(&page, "// Sums.\n");
    await_mark(&page, "Draft, not saved");
    page.eval("location.hash = '#/workflows'");
    page.wait_for("document.querySelector('#drafts [data-draft=adding] a') !== null");
    judge(&page, "console-workflows-drafts");
    page.click("#drafts [data-draft=adding] a");
    await_mark(&page, "Draft, not saved");
    page.click("[data-file=\"Add.js\"] button");
    await_text(&page, "// Sums.");
    page.click("#run-draft-with");
    page.wait_for("document.querySelector('dialog [data-input=val1]')?.value === '44'");
    page.eval("const field = document.querySelector('[data-input=val1]'); field.value = 'many'; field.dispatchEvent(new Event('input'))");
    assert_eq!(page.eval("document.querySelector('[data-input=val1]').validity.customError"), true);
    judge(&page, "console-editor-run-with");
    page.eval("document.querySelector('dialog[open]').close()");
    await_mark(&page, "As saved");
    compare(&page);
}

fn compare(page: &Page<'_>) {
    desk(page);
    page.eval("location.hash = '#/workflows/adding'");
    page.wait_for("document.querySelector('a[href^=\"#/diff/\"]') !== null");
    page.click("a[href^=\"#/diff/\"]");
    page.wait_for("document.querySelector('[data-diff=\"Add.js\"] tr[data-kind=added]') !== null");
    assert_eq!(page.eval("document.querySelectorAll('#diff-page .file-diff').length"), json!(1));
    page.wait_for("document.querySelector('#graph-diff p') !== null");
    look_at_console(page, "diff");
    page.wait_for("document.querySelector('table.diff').dataset.columns === '2'");
    page.click("#two-columns");
    page.wait_for("document.querySelector('table.diff').dataset.columns === '1'");
    judge(page, "console-diff-one-column-phone-dark");
}

/// A checker that fails is said to have failed, and the next text is checked by a new one.
#[test]
fn on_a_phone_and_after_a_trap_the_editor_goes_on() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = server.console(&browser, "");
    phone(&page);
    open_new(&page, "small", "?from=add");
    assert_eq!(page.eval("document.querySelector('.outline').checkVisibility()"), false);
    page.click("[data-file=\"Add.js\"] button");
    await_text(&page, "weevil_main");
    page.eval(&format!("{ROOT}.querySelector('.cm-content').focus()"));
    chord(&page, "a", 65, CTRL);
    let deep = format!("function weevil_main(a, b) {{ return {}a + b{} }}", "(".repeat(190), ")".repeat(190));
    write(&page, &deep);
    await_inside(&page, &format!("({}).includes('((((')", lines()));
    await_mark(&page, "New, not saved");
    await_state(&page, "sound");
    page.eval("window.real = Worker.prototype.postMessage; Worker.prototype.postMessage = function () { this.dispatchEvent(new Event('error')); }");
    write(&page, "\n");
    await_state(&page, "trapped");
    judge(&page, "console-editor-trapped-phone");
    page.eval("Worker.prototype.postMessage = window.real");
    write(&page, "\n");
    await_state(&page, "sound");
    page.click("#run-draft");
    page.wait_for("document.querySelector('#run-page')?.dataset.state === 'STARTED'");
}
