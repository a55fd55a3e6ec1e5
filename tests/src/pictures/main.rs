//! The pictures of README.md: the page of a run of `pi` that two volunteers have computed, light and dark. `cargo xtask
//! pictures` builds and calls this with the folder that they belong to.
//!
//! Never judges what is to be seen: people look at the pictures before they commit them.

use std::path::{Path, PathBuf};

use clap::Parser;
use serde_json::json;
use weevil_e2e::{Browser, Form, Page, TestServer, shipped};

/// The size of a picture.
const SCREEN: (u32, u32) = (1280, 800);
/// What a picture may have; it comes with each clone.
const MAX_BYTES: usize = 150_000;

#[derive(Debug, Parser)]
struct Options {
    /// The server to look at.
    server: PathBuf,
    /// Where the pictures go.
    folder: PathBuf,
}

fn main() {
    let Options { server, folder } = Options::parse();
    let server = TestServer::start_binary(&server, &[]);
    let volunteers = Browser::start();
    let _tabs = [(); 2].map(|()| volunteers.open(&server.url("/?autostart&slots=1")));
    let run = server.api().run_form(&Form::of(&shipped("pi")).text("name", "pi")).run;
    let browser = Browser::start();
    let page = server.console(&browser, &format!("#/runs/{run}/overview"));
    page.call("Emulation.setDeviceMetricsOverride", &screen());
    server.api().await_end(&run);
    page.wait_for("document.body.innerText.includes('3.14')");
    for scheme in ["light", "dark"] {
        take(&page, scheme, &folder);
    }
}

fn screen() -> serde_json::Value {
    json!({ "width": SCREEN.0, "height": SCREEN.1, "deviceScaleFactor": 1, "mobile": false })
}

fn take(page: &Page<'_>, scheme: &str, folder: &Path) {
    let features = json!({ "features": [
        { "name": "prefers-color-scheme", "value": scheme },
        { "name": "prefers-reduced-motion", "value": "reduce" },
    ] });
    page.call("Emulation.setEmulatedMedia", &features);
    let picture = page.picture();
    let file = folder.join(format!("run-{scheme}.png"));
    assert!(picture.len() <= MAX_BYTES, "{} would have {} bytes", file.display(), picture.len());
    std::fs::create_dir_all(folder).expect("a folder for pictures");
    std::fs::write(&file, picture).expect("a picture can be written");
}
