//! A place in the console, and how it is looked at.

use serde_json::json;
use weevil_e2e::Page;

use crate::looks::{desk, judge, judge_colours, light, phone};

/// Somewhere in the console.
pub(crate) struct Place {
    /// What its pictures are called.
    pub name: &'static str,
    pub hash: String,
    /// What is there once it stands.
    pub until: &'static str,
}

pub(crate) fn place(name: &'static str, hash: &str, until: &'static str) -> Place {
    Place { name, hash: hash.to_owned(), until }
}

impl Place {
    /// Opens what shows nothing of it: another part of the same run where it is a part of one, so that the run is known.
    pub(super) fn leave(&self, page: &Page<'_>) {
        let (run, part) = self.hash.rsplit_once('/').expect("an address of the console");
        let is_part = run.starts_with("#/runs/") && !part.starts_with("about");
        let (hash, until) = if is_part {
            (format!("{run}/about"), "#run-page .facts")
        } else {
            ("#/settings".to_owned(), "#letters")
        };
        page.eval(&format!("location.hash = '{hash}'"));
        page.wait_for(&format!("document.querySelector('{until}')"));
    }

    pub(super) fn open(&self, page: &Page<'_>) {
        page.eval(&format!("location.hash = {}", json!(self.hash)));
    }

    pub(super) fn await_it(&self, page: &Page<'_>) {
        page.wait_for(&format!("document.querySelector('{}')", self.until));
    }
}

/// Looks at a page in each theme on each screen, and leaves it on a desk.
pub(super) fn look(page: &Page<'_>, name: &str) {
    type Screen = (&'static str, fn(&Page<'_>));
    let screens: [Screen; 2] = [("", desk), ("-phone", phone)];
    for (on, screen) in screens {
        screen(page);
        light(page, "light");
        judge(page, &format!("console-{name}-light{on}"));
        light(page, "dark");
        judge_colours(page, &format!("console-{name}-dark{on}"));
    }
    desk(page);
    light(page, "light");
}

pub(crate) fn look_at_each(page: &Page<'_>, face: &str, places: &[Place]) {
    for place in places {
        place.open(page);
        place.await_it(page);
        assert_eq!(page.eval("document.querySelectorAll('h1').length"), json!(1), "{}", place.name);
        look(page, &format!("{}-{face}", place.name));
    }
}
