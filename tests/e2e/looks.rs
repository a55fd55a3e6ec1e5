//! How pages are looked at: on a large screen or a phone, light or dark, with a picture of each in `target/pages`.

use serde_json::json;
use weevil_e2e::Page;

/// Before it there is nothing to take a picture of.
pub(crate) const LOADED: &str = "new Promise((loaded) => document.readyState === 'complete' ? loaded() : addEventListener('load', () => loaded()))";

pub(crate) fn phone(page: &Page<'_>) {
    let screen = json!({ "width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": true });
    page.call("Emulation.setDeviceMetricsOverride", &screen);
}

/// Without motion: a picture must not catch a colour on its way to another.
pub(crate) fn light(page: &Page<'_>, scheme: &str) {
    let features = json!({ "features": [
        { "name": "prefers-color-scheme", "value": scheme },
        { "name": "prefers-reduced-motion", "value": "reduce" },
    ] });
    page.call("Emulation.setEmulatedMedia", &features);
}

pub(crate) fn desk(page: &Page<'_>) {
    let screen = json!({ "width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false });
    page.call("Emulation.setDeviceMetricsOverride", &screen);
}

/// Nothing that axe-core finds, nothing wider than the screen, and a picture.
pub(crate) fn judge(page: &Page<'_>, picture: &str) {
    judge_by(page, picture, &page.barriers());
}

/// As `judge`, of a page that was judged on this screen before: themes differ in their colours alone.
pub(crate) fn judge_colours(page: &Page<'_>, picture: &str) {
    judge_by(page, picture, &page.colour_barriers());
}

fn judge_by(page: &Page<'_>, picture: &str, barriers: &[String]) {
    page.keep_picture(picture);
    assert_eq!(*barriers, [""; 0], "{picture}");
    let fits = page.eval("document.documentElement.scrollWidth <= document.documentElement.clientWidth");
    assert_eq!(fits, true, "{picture}: too wide");
}

/// Looks at a page of the console on a large light screen, and on a small dark one.
pub(crate) fn look_at_console(page: &Page<'_>, name: &str) {
    light(page, "light");
    desk(page);
    judge(page, &format!("console-{name}"));
    light(page, "dark");
    phone(page);
    judge(page, &format!("console-{name}-phone-dark"));
}

/// Until the element shows these words.
pub(crate) fn await_words(page: &Page<'_>, selector: &str, words: &str) {
    page.wait_for(&format!("document.querySelector('{selector}').innerText.includes({})", json!(words)));
}
