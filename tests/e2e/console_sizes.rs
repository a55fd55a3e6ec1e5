//! How much the console's first view weighs: its script and styles, as they go over the wire.

use weevil_e2e::TestServer;
use weevil_e2e::hostile::Stranger;

/// Bytes, compressed with Brotli.
const FIRST_VIEW: usize = 90_000;

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
}
