//! A run looked back at in a real browser: its timeline walked by keys alone and by pointer, its jobs with failures first, its log.

use serde_json::{Value, json};
use weevil_e2e::{Browser, Page, TestServer};

use super::console::{press, write};
use super::lookback::a_run_that_stumbles;

/// Waits until the element's text has this in it.
fn await_text(page: &Page<'_>, selector: &str, part: &str) {
    page.wait_for(&format!("document.querySelector('{selector}')?.textContent.includes({})", json!(part)));
}

/// One server and one browser for all of it.
#[test]
fn a_run_is_looked_back_at_by_keys_and_by_pointer() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let run = a_run_that_stumbles(&server);
    let console = server.console(&browser, &format!("#/runs/{run}/timeline"));
    by_keys(&console, &run);
    by_pointer(&console, &run);
    its_jobs(&console, &run);
    its_log(&console);
}

fn by_keys(console: &Page<'_>, run: &str) {
    await_text(console, "#timeline-shown", "5 attempts");
    console.wait_for("document.querySelector('canvas.timeline')");
    console.eval("document.querySelector('canvas.timeline').focus()");
    press(console, "ArrowRight");
    await_text(console, "#timeline-told", "from");
    press(console, "ArrowDown");
    await_text(console, "#timeline-told", "finished");
    press(console, "+");
    console.wait_for("/from=[0-9]+&to=[0-9]+/.test(location.hash)");
    console.eval("window.before = true; location.reload()");
    console.wait_for("!window.before && document.querySelector('canvas.timeline')");
    assert_eq!(
        console.eval("/from=[0-9]+&to=[0-9]+/.test(location.hash)"),
        json!(true),
        "the zoom is in the address"
    );
    console.eval("document.querySelector('canvas.timeline').focus()");
    press(console, "0");
    console.wait_for("!location.hash.includes('from=')");
    press(console, "w");
    console.wait_for("location.hash.includes('by=node')");
    press(console, "t");
    console.wait_for("document.querySelectorAll('#timeline-attempts [data-job]').length === 5");
    assert_eq!(
        console.eval("document.querySelectorAll('#timeline-attempts [data-end=error]').length"),
        json!(1)
    );
    press(console, "t");
    console.wait_for("document.querySelector('canvas.timeline')");
    console.eval("document.querySelector('canvas.timeline').focus()");
    press(console, "ArrowRight");
    await_text(console, "#timeline-told", "from");
    press(console, "Enter");
    console.wait_for("document.querySelector('#job-page').dataset.state === 'FINISHED'");
    await_text(console, "#job-page .figures", "waited");
    await_text(console, "#job-code", "Each.js");
    console.eval(&format!("location.hash = '#/runs/{run}/timeline'"));
}

/// A bar is found as somebody does who moves the pointer over the picture until it is on one.
const WALK: &str = "(() => {
    const canvas = document.querySelector('canvas.timeline');
    canvas.scrollIntoView({ block: 'center' });
    const { left, top, width, height } = canvas.getBoundingClientRect();
    for (let y = 104; y < height; y += 6) for (let x = 132; x < width; x += 1) {
        const at = { clientX: left + x, clientY: top + y, bubbles: true };
        canvas.dispatchEvent(new PointerEvent('pointermove', at));
        if (canvas.classList.contains('over')) return { x: at.clientX, y: at.clientY };
    }
    return null;
})()";

fn mouse(console: &Page<'_>, kind: &str, more: &Value) {
    let mut event = console.eval("window.bar");
    let event_fields = event.as_object_mut().expect("a place");
    event_fields.insert("type".to_owned(), json!(kind));
    event_fields.extend(more.as_object().expect("fields").clone());
    console.call("Input.dispatchMouseEvent", &event);
}

fn by_pointer(console: &Page<'_>, run: &str) {
    await_text(console, "#timeline-shown", "5 attempts");
    console.wait_for("document.querySelector('canvas.timeline')?.clientHeight > 100");
    console.wait_for(&format!("(window.bar = {WALK}) !== null"));
    console.eval(
        "document.querySelector('canvas.timeline').dispatchEvent(new WheelEvent('wheel',
            { bubbles: true, cancelable: true, deltaY: -240, clientX: window.bar.x, clientY: window.bar.y }))",
    );
    console.wait_for("location.hash.includes('from=')");
    console.click("#timeline-whole");
    console.wait_for("!location.hash.includes('from=')");
    console.wait_for(&format!("(window.bar = {WALK}) !== null"));
    for kind in ["mousePressed", "mouseReleased"] {
        mouse(console, kind, &json!({ "button": "left", "clickCount": 1 }));
    }
    console.wait_for("document.querySelector('#job-page')");
    console.eval(&format!("location.hash = '#/runs/{run}/timeline?as=table'"));
    console.click("#timeline-attempts [data-end=error] a");
    console.wait_for("document.querySelector('#job-page')");
    await_text(console, "#attempts", "out of luck");
    console.eval(&format!("location.hash = '#/runs/{run}/jobs'"));
}

fn its_jobs(console: &Page<'_>, run: &str) {
    await_text(console, "#jobs-shown", "4 jobs");
    let first = "document.querySelector('#run-jobs .rows > .row').textContent";
    assert!(console.eval(first).as_str().is_some_and(|row| row.contains("out of luck")), "failures first");
    console.click("#jobs-failed");
    await_text(console, "#jobs-shown", "1 job");
    console.wait_for("location.hash.includes('failed=true')");
    console.click("#jobs-failed");
    await_text(console, "#jobs-shown", "4 jobs");
    console.eval(&format!("location.hash = '#/runs/{run}/log'"));
}

fn its_log(console: &Page<'_>) {
    await_text(console, "#log-shown", "6 lines");
    assert_eq!(
        console.eval("document.querySelectorAll('#run-log b').length"),
        json!(0),
        "a stranger's text stays text"
    );
    console.eval("document.querySelector('#log-text').focus()");
    write(console, "element 1");
    await_text(console, "#log-shown", "1 line");
    console.click("[data-entry] a");
    console.wait_for("document.querySelector('#job-page')");
}
