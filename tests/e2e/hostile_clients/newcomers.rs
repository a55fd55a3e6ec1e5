//! Newcomers of one place hold few jobs together, and others are handed what is left.

use serde_json::json;
use weevil_e2e::TestServer;
use weevil_e2e::hostile::Stranger;
use weevil_e2e::hostile::cbor::uint;

/// What a worker holds at first, whatever it asks for.
const WINDOW: usize = 16;
/// What all newcomers of one place hold.
const NEWCOMERS: usize = 512;

fn put(server: &TestServer, jobs: usize) {
    let job = json!({ "source": "function weevil_main() { return 7 }" });
    assert_eq!(server.api().put_jobs(&vec![job; jobs]).len(), jobs);
}

#[test]
fn newcomers_of_one_place_hold_few_jobs_together() {
    let server = TestServer::start(&["--trusted-proxy", "127.0.0.1"]);
    let stranger = Stranger::of(&server.address);
    let (greedy, honest) = (stranger.clone().from("203.0.113.1"), stranger.from("198.51.100.1"));
    put(&server, NEWCOMERS);
    let mut holding: Vec<_> = (0..NEWCOMERS / WINDOW).map(|_| greedy.join(2048)).collect();
    for worker in &mut holding {
        worker.jobs(WINDOW);
    }
    let _one_more = greedy.join(2048);
    put(&server, WINDOW);
    honest.join(1).compute(WINDOW, &uint(7));
}
