//! The server takes its time: outlines stand where something will be, and give way to it.

use weevil_e2e::{Browser, Wire};

use super::full::Full;
use super::place::look;

#[test]
fn every_page_loading() {
    let full = Full::made();
    let wire = Wire::to(&full.server.address);
    let browser = Browser::start();
    let page = full.server.console_at(&wire.address, &browser, "");
    for place in full.asking() {
        place.leave(&page);
        wire.hold();
        place.open(&page);
        page.wait_for("document.querySelector('main .outlines')");
        look(&page, &format!("{}-loading", place.name));
        wire.let_go();
        place.await_it(&page);
        page.wait_for("!document.querySelector('main .outlines')");
    }
}
