//! Many workers at once that behave as strangers do: every run still ends with the right result, and nothing is applied
//! twice.

use std::time::Duration;

use weevil_e2e::{Fleet, Habits, TestServer, layered, pool_workflow};
use weevil_model::RunState;

const SEED: u64 = 4;
const LEASES: &[&str] = &["--lease-seconds", "2", "--heartbeat-seconds", "1"];
const SHORT: Duration = Duration::from_millis(1);
const LONG: Duration = Duration::from_millis(8);

/// Half of them do well; the others do everything that can go wrong but report errors, which would fail the run.
fn strangers() -> [(usize, Habits); 2] {
    let well = Habits::at_once(8).working(SHORT, LONG);
    let ill = Habits { vanish: 0.02, stall: 0.002, give_back: 0.05, repeat: 0.05, garbage: 0.02, ..well };
    [(40, well), (40, ill)]
}

#[test]
fn a_fleet_of_strangers_ends_every_run_once() {
    let server = TestServer::start(LEASES);
    let fleet = Fleet::start(&server.address, SEED, &strangers());
    let input = format!("[{}]", vec!["1"; 4000].join(","));
    let pool = pool_workflow(
        &input,
        "function weevil_main(n) { return n }",
        "function weevil_main(all) { return all.length }",
    );
    let runs = [server.api().run(&pool), server.api().run(&layered(20, 50, SEED))];
    for run in &runs {
        let view = server.api().await_end(run);
        assert_eq!(view.summary.state, RunState::Finished, "{:?}", view.error);
        assert_eq!(view.summary.progress.done, view.summary.progress.total);
    }
    let ledger = fleet.ledger();
    let twice: Vec<_> = ledger.accepted().into_iter().filter(|(_, attempts)| attempts.len() > 1).collect();
    assert_eq!(twice, [], "no job takes two results");
    assert!(ledger.lost() > 0, "the habits show: {ledger}");
    assert_eq!(ledger.unknown(), 0, "every attempt was one of theirs: {ledger}");
}
