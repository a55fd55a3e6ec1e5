//! The pages about people in a real browser: signing in, oneself, others. Nothing that axe-core finds, nothing wider than a phone,
//! and a picture of each in `target/pages`.

use serde_json::json;
use weevil_e2e::{Browser, Page, TestServer};

use crate::volunteer_looks::{light, phone};

/// Looks at a page on a large light screen, and on a small dark one.
fn look(page: &Page<'_>, name: &str) {
    light(page, "light");
    let desk = json!({ "width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false });
    page.call("Emulation.setDeviceMetricsOverride", &desk);
    judge(page, name);
    light(page, "dark");
    phone(page);
    judge(page, &format!("{name}-phone-dark"));
}

fn judge(page: &Page<'_>, name: &str) {
    page.keep_picture(&format!("console-{name}"));
    assert_eq!(page.barriers(), [""; 0], "{name}");
    let fits = page.eval("document.documentElement.scrollWidth <= document.documentElement.clientWidth");
    assert_eq!(fits, true, "{name}: too wide");
}

#[test]
fn pages_of_errors_have_no_barriers() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = browser.open(&server.url("/docs/errors/"));
    for name in ["", "diagnostics.html", "W0101.html", "slowDown.html", "notSignedIn.html"] {
        page.call("Page.navigate", &json!({ "url": server.url(&format!("/docs/errors/{name}")) }));
        look(&page, &format!("errors-{}", name.trim_end_matches(".html")));
    }
}
