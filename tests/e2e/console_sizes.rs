//! How much the console's first view weighs, as it goes over the wire, and what comes later with single pages, as it lies in the build.

use std::fs::{DirEntry, read_dir};
use std::path::Path;

use weevil_e2e::TestServer;
use weevil_e2e::hostile::Stranger;

/// Bytes, compressed with Brotli.
const FIRST_VIEW: usize = 90_000;
/// What is loaded when it is shown first: how the name of its file begins and ends, and bytes compressed with Brotli.
const LATER: [(&str, &str, u64); 5] = [
    ("graph-", ".js.br", 10_000),
    ("stage-", ".js.br", 20_000),
    ("plot-", ".js.br", 25_000),
    ("text-view-", ".js.br", 175_000),
    ("weevil_check_bg-", ".wasm.br", 600_000),
];

/// Addresses of what the page names with one of these endings.
fn named<'p>(page: &'p str, endings: &[&str]) -> Vec<&'p str> {
    let addresses = page.split('"').filter(|part| part.starts_with("/assets/"));
    addresses.filter(|address| endings.iter().any(|ending| address.ends_with(ending))).collect()
}

#[test]
fn the_first_view_stays_light() {
    let server = TestServer::start(&[]);
    let stranger = Stranger::of(&server.address);
    let page = stranger.get("/console").text();
    let files = named(&page, &[".js", ".css"]);
    assert!(files.len() >= 2, "{page}");
    let sizes: Vec<(&str, usize)> = files
        .into_iter()
        .map(|file| {
            let reply = stranger.ask("GET", file, &[("Accept-Encoding", "br")], &[]);
            assert_eq!(reply.status, 200, "{file}");
            (file, reply.body.len())
        })
        .collect();
    let all: usize = sizes.iter().map(|(_, bytes)| bytes).sum();
    assert!(all <= FIRST_VIEW, "{all} bytes: {sizes:?}");
    for (begin, ..) in LATER {
        assert!(!page.contains(&format!("/assets/{begin}")), "{begin} is no part of the first view");
    }
}

#[test]
fn what_comes_later_stays_light() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/dist/assets");
    let files: Vec<_> =
        read_dir(folder).expect("the pages are built").map(|entry| entry.expect("a file")).collect();
    for (begin, end, most) in LATER {
        let named = |entry: &&DirEntry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            name.starts_with(begin) && name.ends_with(end)
        };
        let sizes: Vec<_> =
            files.iter().filter(named).map(|entry| entry.metadata().expect("a size").len()).collect();
        let all: u64 = sizes.iter().sum();
        assert!((1..=most).contains(&all), "{begin}: {sizes:?}, {most} at most");
    }
}
