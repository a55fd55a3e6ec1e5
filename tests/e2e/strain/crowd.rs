//! The server goes away under twenty tabs and comes back: so do they, by themselves.

use std::collections::HashMap;

use weevil_api::JobPage;
use weevil_e2e::{Browser, Page, TestServer};
use weevil_model::NodeState;

use super::{WATCHED, assert_calm, jobs};

const TABS: usize = 20;
const JOBS: usize = 600;

/// How often each job was handed out that has ended.
fn ended(server: &TestServer, run: &str) -> HashMap<String, u32> {
    let page: JobPage = server.api().json(&format!("/api/v1/runs/{run}/jobs?limit=1000"));
    let ended = page.jobs.into_iter().filter(|job| job.state == NodeState::Finished);
    ended.map(|job| (job.id, job.handed_out)).collect()
}

/// Milliseconds between the first and the last that have come.
fn spread(server: &TestServer) -> i64 {
    let fleet = server.api().await_fleet(|fleet| fleet.workers.len() == TABS);
    let came = || fleet.workers.iter().map(|worker| worker.connected_at);
    came().max().unwrap_or_default() - came().min().unwrap_or_default()
}

fn survives(end: fn(&mut TestServer)) {
    let mut server = TestServer::start(&[]);
    let browser = Browser::start();
    let tabs: Vec<Page<'_>> =
        (0..TABS).map(|_| browser.open_with(&server.url("/?autostart&slots=1"), WATCHED)).collect();
    server.api().await_fleet(|fleet| fleet.workers.len() == TABS);
    let run = server.api().run(&jobs(JOBS, 20));
    server.api().await_run(&run, |view| view.summary.progress.done >= 100);
    let before = ended(&server, &run);
    assert!(before.len() >= 100);
    end(&mut server);
    server.restart();
    // Not as one: the chance in their pauses is the `Backoff` of `worker-wasm/src/link.rs`.
    eprintln!("{TABS} tabs came back within {} ms", spread(&server));
    assert_eq!(server.api().await_end(&run).result, Some(JOBS.into()));
    let after = ended(&server, &run);
    assert!(
        before.iter().all(|(job, handed)| after.get(job) == Some(handed)),
        "what was accepted was asked for again"
    );
    tabs.iter().for_each(assert_calm);
    assert_eq!(server.audit().open, 0);
}

#[test]
fn after_a_crash_of_the_server_all_come_back() {
    survives(TestServer::kill);
}

#[test]
fn after_an_orderly_restart_all_come_back() {
    survives(|server| {
        server.terminate();
        assert!(server.await_death().success());
    });
}
