//! The graph of a run and of a workflow in a real browser: walked through by keyboard alone and by pointer, each kind of node told of,
//! the table of all nodes, and all of it looked at in every light.

use std::thread;

use serde_json::json;
use weevil_e2e::{
    Browser, FakeWorker, Page, TestServer, answer_all, job_workflow, layered, number, pool_workflow, shipped,
    text, thrown,
};

use super::console::{press, write};
use super::looks::{await_words, judge, light, phone};

/// An element of the picture, by its item.
fn figure(node: &str) -> String {
    format!("document.querySelector('.graph-figure[data-key=\"{node}\"]')")
}

fn open(console: &Page<'_>, place: &str, until: &str) {
    console.eval(&format!("location.hash = '{place}'"));
    console.wait_for(&format!("document.querySelector('{until}')"));
}

/// A letter, or a sign, that is no text of a field.
fn letter(console: &Page<'_>, key: &str) {
    for kind in ["keyDown", "keyUp"] {
        console.call("Input.dispatchKeyEvent", &json!({ "type": kind, "key": key, "text": key }));
    }
}

fn hash(console: &Page<'_>) -> String {
    console.eval("location.hash").as_str().expect("a hash").to_owned()
}

/// The middle of an item, in pixels of the screen.
fn middle(console: &Page<'_>, node: &str) -> (f64, f64) {
    let found = figure(node);
    console.wait_for(&found);
    console.eval(&format!("{found}.scrollIntoView({{ block: 'center' }})"));
    let at = console.eval(&format!(
        "(({{ x, y, width, height }}) => [x + width / 2, y + height / 2])({found}.getBoundingClientRect())"
    ));
    (at[0].as_f64().expect("x"), at[1].as_f64().expect("y"))
}

fn mouse(console: &Page<'_>, kind: &str, (x, y): (f64, f64)) {
    let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
    console.call("Input.dispatchMouseEvent", &event);
}

fn click_item(console: &Page<'_>, node: &str) {
    let at = middle(console, node);
    mouse(console, "mousePressed", at);
    mouse(console, "mouseReleased", at);
}

#[test]
fn a_graph_is_walked_through_by_keyboard_alone() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&shipped("add"));
    let browser = Browser::start();
    let console = server.console(&browser, "");
    open(&console, &format!("#/runs/{run}/graph"), ".graph-figure");
    console.eval("document.querySelector('.graph-figure[tabindex=\"0\"]').focus()");
    let at = |node: &str| format!("document.activeElement.dataset.key === '{node}'");
    for (key, node) in
        [("ArrowRight", "val3"), ("ArrowDown", "val5"), ("ArrowRight", "val4"), ("ArrowLeft", "val3")]
    {
        press(&console, key);
        console.wait_for(&at(node));
    }
    await_words(&console, ".graph-hint", "val3: job, queued");
    press(&console, "Enter");
    console.wait_for("document.querySelector('#node[data-kind=job]')");
    assert!(hash(&console).contains("node=val3"), "{}", hash(&console));
    press(&console, "Escape");
    console.wait_for(&format!("!document.querySelector('#node') && {}", at("val3")));
    letter(&console, "+");
    console.wait_for("location.hash.includes('at=')");
    letter(&console, "t");
    console.wait_for("document.querySelectorAll('#graph-rows .rows > .row').length === 5");
    letter(&console, "t");
    console.wait_for("document.querySelector('.graph-figure')");
    letter(&console, "/");
    console.wait_for("document.activeElement.id === 'graph-find'");
    write(&console, "VAL5");
    press(&console, "Enter");
    console.wait_for("document.querySelector('#node h2')?.innerText === 'val5'");
    let mut worker = FakeWorker::join(&server.address, 1);
    let first = worker.job();
    worker.report(vec![(first.key, number(57.0))]);
    console.wait_for(&format!("{}?.ariaLabel.startsWith('val3: job, finished')", figure("val3")));
    let last = worker.job();
    worker.report(vec![(last.key, number(157.0))]);
    console.wait_for(&format!("{}?.ariaLabel.startsWith('val4: result, finished')", figure("val4")));
    let failing = server.api().run(&job_workflow("function weevil_main() { null.x }", r#"retries="0""#));
    open(&console, &format!("#/runs/{failing}/graph"), ".graph-figure[data-key=only]");
    let broken = worker.job();
    worker.report(vec![(broken.key, thrown("no"))]);
    console.wait_for(&format!("{}?.ariaLabel.startsWith('only: result, failed')", figure("only")));
    letter(&console, "e");
    console.wait_for("document.querySelector('#node[data-state=FAILED] [data-attempt]')");
    let seen = hash(&console);
    let other = server.console(&browser, &seen);
    other.wait_for("document.querySelector('#node[data-state=FAILED] [data-attempt]')");
}

#[test]
fn a_graph_is_moved_by_pointer_and_its_stacks_open_in_place() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&layered(3, 90, 5));
    let workflow = server.api().view(&run).summary.workflow;
    let browser = Browser::start();
    let console = server.console(&browser, "");
    let desk = json!({ "width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false });
    console.call("Emulation.setDeviceMetricsOverride", &desk);
    open(&console, &format!("#/runs/{run}/graph"), ".graph-figure");
    click_item(&console, "n0_0");
    console.wait_for("document.querySelectorAll('.graph-figure[data-key^=\"n0_0 \"]').length > 5");
    console.wait_for("location.hash.includes('open=n0_0')");
    click_item(&console, "n0_0 n0_3");
    console.wait_for("document.querySelector('#node[data-kind=value] h2').innerText === 'n0_3'");
    await_words(&console, "#node-value", "3");
    let view = "document.querySelector('.graph-svg > g').getAttribute('transform')";
    let before = console.eval(view);
    let (x, y) = middle(&console, "n0_0 n0_3");
    mouse(&console, "mousePressed", (x, y));
    mouse(&console, "mouseMoved", (x + 40.0, y + 30.0));
    mouse(&console, "mouseMoved", (x + 60.0, y + 50.0));
    mouse(&console, "mouseReleased", (x + 60.0, y + 50.0));
    console.wait_for(&format!("{view} !== {before}"));
    let dragged = console.eval(view);
    let wheel = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": 400 });
    console.call("Input.dispatchMouseEvent", &wheel);
    console.wait_for(&format!("{view} !== {dragged}"));
    console.click("#node-close");
    console.click("#graph-fit");
    open(&console, &format!("#/workflows/workflow/{workflow}"), "#version-page .graph-figure");
    click_item(&console, "last");
    console.wait_for("document.querySelector('#node').innerText.includes('All.js')");
    console.eval("dispatchEvent(new Event('beforeprint'))");
    let drawn = console.eval("document.querySelectorAll('.graph-svg .graph-figure').length");
    let edges = console.eval("document.querySelectorAll('.graph-svg .graph-edges path').length > 0");
    assert_eq!((drawn, edges), (json!(8), json!(true)));
}

#[test]
fn a_run_opens_at_its_graph_which_tells_times() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&shipped("add"));
    let browser = Browser::start();
    let console = server.console(&browser, &format!("#/runs/{run}"));
    console.wait_for("document.querySelector('.tabs [aria-current]')?.innerText === 'Graph'");
    console.wait_for(&figure("val3"));
    letter(&console, "l");
    await_words(&console, ".graph-hint", "Nothing runs.");
    let mut worker = FakeWorker::join(&server.address, 1);
    let first = worker.job();
    console.wait_for(&format!("/job, running for \\d/.test({}?.ariaLabel)", figure("val3")));
    for mark in [".graph-running", ".state[data-shape=running] .icon"] {
        console.wait_for(&format!(
            "document.querySelector('{mark}') && /^0\\.\\d+turn/.test(document.querySelector('{mark}').style.getPropertyValue('--turn'))"
        ));
    }
    letter(&console, "l");
    console.wait_for("document.querySelector('#node h2')?.innerText === 'val3'");
    press(&console, "Escape");
    // The ways on are lit from what has the focus, and from nothing else.
    console.eval(&format!("{}.focus()", figure("val5")));
    console.wait_for("document.querySelectorAll('.graph-edges [data-lit]').length === 1");
    console.eval(&format!("{}.focus()", figure("val1")));
    console.wait_for("document.querySelectorAll('.graph-edges [data-lit]').length === 2");
    worker.report(vec![(first.key, number(57.0))]);
    let last = worker.job();
    worker.report(vec![(last.key, number(157.0))]);
    console.wait_for("document.querySelector('#run-page').dataset.state === 'FINISHED'");
    console.wait_for(&format!("/finished, ran for \\d/.test({}?.ariaLabel)", figure("val4")));
    letter(&console, "t");
    await_words(&console, "#graph-rows [data-node=val4]", "ran for");
    // Keys of the whole console come first.
    letter(&console, "g");
    letter(&console, "f");
    console.wait_for("location.hash === '#/workers'");
}

#[test]
fn a_map_shows_what_part_is_looked_at_and_goes_where_it_is_pressed() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&layered(9, 12, 5));
    let browser = Browser::start();
    let console = server.console(&browser, &format!("#/runs/{run}?at=200,200,1"));
    console.wait_for("document.querySelector('.graph-map')?.checkVisibility()");
    assert_eq!(console.eval("document.querySelector('.graph-map').ariaHidden"), "true");
    console.eval("document.querySelector('.graph-stage').scrollIntoView({ block: 'center' })");
    let corner = console.eval(
        "(({ right, bottom }) => [right - 6, bottom - 6])(document.querySelector('.graph-map').getBoundingClientRect())",
    );
    let at = (corner[0].as_f64().expect("x"), corner[1].as_f64().expect("y"));
    mouse(&console, "mousePressed", at);
    mouse(&console, "mouseReleased", at);
    console.wait_for("Number(/at=(\\d+)/.exec(location.hash)?.[1]) > 1500");
    // The same without a pointer.
    console.eval("document.querySelector('.graph-figure[tabindex=\"0\"]').focus()");
    press(&console, "Home");
    console.wait_for("location.hash.includes('at=0')");
    press(&console, "PageDown");
    console.wait_for("Number(/at=(\\d+)/.exec(location.hash)?.[1]) > 100");
    console.click("#graph-fit");
    console.wait_for("!document.querySelector('.graph-map').checkVisibility()");
}

#[test]
fn each_kind_of_node_is_told_of() {
    let server = TestServer::start(&[]);
    let square = "function weevil_main(n) { return n * n }";
    let sum = "function weevil_main(all) { return all.length }";
    let run = server.api().run(&pool_workflow("[1, 2, 3]", square, sum));
    let browser = Browser::start();
    let console = server.console(&browser, "");
    open(&console, &format!("#/runs/{run}/graph?node=pool"), "#node[data-kind=pool]");
    await_words(&console, "#node .facts", "0 of 4 jobs");
    await_words(&console, "[data-work=processor]", "A job for each element");
    await_words(&console, "[data-work=reducer]", "There is no job yet");
    let worker = FakeWorker::join(&server.address, 1);
    thread::spawn(|| answer_all(worker));
    console.wait_for("document.querySelector('#node[data-state=FINISHED] #node-value')");
    console.wait_for("document.querySelector('[data-work=reducer] [data-attempt]')");
    console.click("[data-port] a[data-to]");
    console.wait_for("document.querySelector('#node[data-kind=value]')");
    await_words(&console, "#node .node-inputs", "Nothing comes in");
    await_words(&console, "#node .node-outputs", "pool");
    console.click(".node-outputs a[data-to=pool]");
    console.wait_for("document.querySelector('#node[data-kind=pool]')");
    console.click("[data-port] details summary");
    console.wait_for("document.querySelector('[data-port] .viewer-body')");
    console.click("[data-work=reducer] a[href^=\"#/jobs/\"]");
    console.wait_for("document.querySelector('#job-page[data-state=FINISHED] a[href*=\"node=pool\"]')");
    console.click("#job-page a[href*=\"node=pool\"]");
    console.wait_for("document.querySelector('#node[data-kind=pool]')");
    a_processor_leads_to_its_jobs_and_back(&console);
}

/// It has a job for each element: the node leads to the list of them, and each of them to the node.
fn a_processor_leads_to_its_jobs_and_back(console: &Page<'_>) {
    await_words(console, "[data-work=processor] h3", "Processor each");
    await_words(console, "[data-work=processor] .facts", "Each.js, JavaScript");
    console.click("[data-work=processor] a");
    console.wait_for("location.hash.endsWith('/jobs?node=pool')");
    console.wait_for("document.querySelectorAll('#run-jobs [data-job][data-state=FINISHED]').length === 4");
    console.click("#run-jobs a[title$=\"/1/each\"]");
    console.wait_for("document.querySelector('#job-page[data-state=FINISHED] [data-attempt]')");
    await_words(console, "#job-code .facts", "Each.js");
    console.click("#job-page a[href*=\"node=pool\"]");
    console.wait_for("document.querySelector('#node[data-kind=pool] [data-work=processor]')");
}

#[test]
fn a_large_run_comes_as_layers_windows_and_pages() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&layered(44, 60, 3));
    let browser = Browser::start();
    let console = server.console(&browser, "");
    open(&console, &format!("#/runs/{run}/graph"), ".graph-figure[data-key^=layer]");
    assert_eq!(console.eval("document.querySelectorAll('.graph-figure').length"), 45);
    await_words(&console, "#graph-part", "do not fit: this is the part from layer 1");
    console.eval("document.querySelector('.graph-figure[tabindex=\"0\"]').focus()");
    press(&console, "ArrowRight");
    console.wait_for("document.activeElement.dataset.key === 'layer 1'");
    press(&console, "Enter");
    console.wait_for("document.querySelector('.graph-figure[data-key^=n1_]')");
    console.eval("document.querySelector('#graph-find').focus()");
    write(&console, "n43_59");
    press(&console, "Enter");
    console.wait_for("document.querySelector('#node h2')?.innerText === 'n43_59'");
    await_words(&console, "#graph-part", "Around n43_59");
    console.click("#graph-all");
    console.wait_for("document.querySelector('.graph-figure[data-key^=layer]')");
    open(&console, &format!("#/runs/{run}/graph?at=1400,2000,0.2"), ".graph-canvas");
    console.eval("document.querySelector('.graph-canvas').focus()");
    press(&console, "ArrowRight");
    console.wait_for("document.querySelector('.graph-hint').innerText.startsWith('n')");
    open(&console, &format!("#/runs/{run}/nodes"), "#all-nodes [data-node=n0_0]");
    let table = "document.querySelector('#all-nodes')";
    assert_eq!(console.eval(&format!("{table}.ariaRowCount")), "2642");
    await_words(&console, "#nodes-shown", "2,641 nodes, 1,000 of them loaded");
    console.eval("document.querySelector('#all-nodes').scrollTop = 1e7");
    await_words(&console, "#nodes-shown", "2,000 of them loaded");
    assert_eq!(console.eval("document.querySelectorAll('#all-nodes .row').length < 100"), true);
    console.eval("document.querySelector('#node-q').focus()");
    write(&console, "n43_5");
    await_words(&console, "#nodes-shown", "11 nodes");
    assert!(hash(&console).ends_with("/nodes?q=n43_5"), "{}", hash(&console));
}

/// On a desk and on a phone, in both themes.
fn look(console: &Page<'_>, name: &str) {
    for scheme in ["light", "dark"] {
        light(console, scheme);
        judge(console, &format!("graph-{name}-{scheme}"));
    }
}

#[test]
fn graphs_are_looked_at_in_every_light() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&layered(6, 8, 2));
    let large = server.api().run(&layered(30, 40, 2));
    let workflow = server.api().view(&run).summary.workflow;
    let mut worker = FakeWorker::join(&server.address, 1);
    let first = worker.job();
    worker.report(vec![(first.key, text("a text"))]);
    let browser = Browser::start();
    let console = server.console(&browser, "");
    let desk = json!({ "width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false });
    console.call("Emulation.setDeviceMetricsOverride", &desk);
    for (name, place, until) in [
        ("node", format!("#/runs/{run}/graph?node=n1_0"), "#node .facts"),
        ("table", format!("#/runs/{run}/graph?view=table"), "#graph-rows .row"),
        ("map", format!("#/runs/{run}?at=600,200,1"), ".graph-map"),
        ("layers", format!("#/runs/{large}/graph"), ".graph-figure"),
        ("nodes", format!("#/runs/{run}/nodes"), "#all-nodes [data-node]"),
        ("version", format!("#/workflows/workflow/{workflow}"), ".graph-figure"),
    ] {
        open(&console, &place, until);
        look(&console, name);
    }
    phone(&console);
    for (name, place, until) in [
        ("phone-list", format!("#/runs/{run}/graph"), ".graph-layers details"),
        ("phone-node", format!("#/runs/{run}/graph?node=n1_0"), "#node .facts"),
        ("phone-nodes", format!("#/runs/{run}/nodes"), "#all-nodes [data-node]"),
        ("phone-version", format!("#/workflows/workflow/{workflow}"), ".graph-layers details"),
    ] {
        open(&console, &place, until);
        look(&console, name);
    }
}
