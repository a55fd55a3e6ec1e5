//! The demo's volunteers: headless browsers, or a person's own.
//! It never knows what they compute.

use std::path::Path;

use super::server;
use crate::browser::Volunteer;
use crate::failure::{Done, Failure};
use crate::{paths, sh};

/// Who computes.
#[derive(Debug)]
pub(super) struct Volunteers {
    /// Empty where a person's browser does it.
    browsers: Vec<Volunteer>,
}

impl Volunteers {
    /// Opens `count` browsers, each with a profile and a log of its own.
    pub(super) fn open(chromium: &Path, url: &str, port: u16, count: u32) -> Done<Self> {
        let page = format!("{url}/?autostart&slots=1");
        sh::say(format!("opening {count} headless volunteers at {page}"));
        let profiles = paths::target().join("volunteers");
        let browsers = (1..=count).map(|number| {
            let profile = profiles.join(format!("{port}-{number}"));
            Volunteer::open(chromium, &page, profile, &server::data().join(format!("volunteer-{number}.log")))
        });
        Ok(Self { browsers: browsers.collect::<Done<_>>()? })
    }

    /// Asks the person to open the page.
    pub(super) fn of_a_person(url: &str) -> Self {
        println!("\nopen {url}/ in a browser and click Start; the more browsers, the faster\n");
        Self { browsers: Vec::new() }
    }

    /// Whether somebody will come without being waited for.
    pub(super) fn are_ours(&self) -> bool {
        !self.browsers.is_empty()
    }

    /// Fails where all browsers of ours are gone.
    pub(super) fn must_run(&mut self) -> Done {
        let gone = self.browsers.iter_mut().filter_map(|browser| browser.has_ended().then_some(())).count();
        if gone == 0 || gone < self.browsers.len() {
            return Ok(());
        }
        Err(Failure::new(
            "all volunteers' browsers have ended",
            "read data/demo/volunteer-1.log, or use --no-browser",
        ))
    }
}
