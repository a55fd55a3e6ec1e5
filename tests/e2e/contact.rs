//! How often workers are in contact follows their number, and no lease ends because of it.

use std::time::Duration;

use weevil_e2e::{FakeWorker, Fleet, Habits, PlainWorker, TestServer, pool_workflow};
use weevil_model::RunState;
use weevil_protocol::frame::ServerFrame;
use weevil_protocol::plain::{Dequeue, Heartbeat, Jobs, Renewals};

const CODE: &str = "function weevil_main(...inputs) { return 1 }";
const SEED: u64 = 15;
/// More than the lease that holds while there are few workers.
const LONG: Duration = Duration::from_secs(7);

/// Waits until the worker is told an interval that fits.
fn heartbeat_told(worker: &mut FakeWorker, fits: impl Fn(u32) -> bool) -> u32 {
    loop {
        match worker.frame().expect("the connection stays") {
            ServerFrame::Pace { heartbeat_ms } if fits(heartbeat_ms) => return heartbeat_ms,
            _ => {}
        }
    }
}

#[test]
fn a_crowd_says_less_and_loses_nothing_and_the_rest_speaks_up_again() {
    // Three seconds beyond a heartbeat, for a machine on which a commit takes as long.
    let short = ["--lease-seconds", "6", "--heartbeat-seconds", "3"];
    let server =
        TestServer::start(&[&short[..], &["--contact-threshold", "2", "--contact-rate", "300"]].concat());
    let gauge = |name: &str| server.api().metrics().get(name);
    let mut first = FakeWorker::join(&server.address, 0);
    let well = Habits::at_once(1).working(LONG, LONG);
    let fleet = Fleet::start(&server.address, SEED, &[(31, well)]);
    let crowded_ms = heartbeat_told(&mut first, |ms| ms >= 9_600);
    assert!(crowded_ms <= 12_000, "30 above the threshold, 300 ms for each: {crowded_ms}");
    assert!((gauge("weevil_contact_heartbeat_ms") - f64::from(crowded_ms)).abs() < 1e-9);
    let mut late = FakeWorker::join(&server.address, 0);
    assert_eq!(heartbeat_told(&mut late, |_| true), crowded_ms, "who comes later hears of it as well");
    drop((first, late));

    let input = format!("[{}]", vec!["1"; 31].join(","));
    let run = server.api().run(&pool_workflow(&input, CODE, CODE));
    let view = server.api().await_end(&run);
    assert_eq!((view.summary.state, view.stats.jobs), (RunState::Finished, 32), "{:?}", view.error);
    let ledger = fleet.ledger();
    assert_eq!((ledger.assigned(), ledger.lost(), ledger.superseded()), (32, 0, 0), "{ledger}");
    assert!(gauge("weevil_attempts_ended_total{end=\"expired\"}").abs() < 1e-9);
    assert_eq!(ledger.slowest_ms(), u64::from(crowded_ms));
    assert!(ledger.paced() <= 3 * 31, "a change is told once: {} times", ledger.paced());

    let mut last = FakeWorker::join(&server.address, 0);
    assert_eq!(heartbeat_told(&mut last, |_| true), crowded_ms, "two that left make no difference");
    drop(fleet);
    assert_eq!(heartbeat_told(&mut last, |_| true), 3_000);
    assert!((gauge("weevil_contact_heartbeat_ms") - 3_000.0).abs() < 1e-9);
}

#[test]
fn a_plain_worker_is_told_to_ask_less_often_and_for_more() {
    let rates = ["--contact-threshold", "0", "--contact-rate", "2000"];
    let server =
        TestServer::start(&[&["--lease-seconds", "12", "--heartbeat-seconds", "4"], &rates[..]].concat());
    let worker = PlainWorker::join(&server.address);
    assert_eq!((worker.joined.heartbeat_ms, worker.joined.dequeue_ms), (4_000, 1_000), "the defaults first");
    let pass = worker.joined.pass.clone();
    let dequeue = Dequeue { pass: pass.clone(), max: 1, wait_ms: None }.to_xml();
    let ask = || Jobs::parse(worker.post("dequeue", &dequeue).text.as_bytes()).expect("an answer");
    while ask().batch == 1 {}
    let Jobs { dequeue_ms, batch, .. } = ask();
    assert_eq!((dequeue_ms, batch), (3_000, 3));
    let heartbeat = worker.post("heartbeat", &Heartbeat { pass, holding: Vec::new() }.to_xml());
    assert_eq!(Renewals::parse(heartbeat.text.as_bytes()).expect("an answer").heartbeat_ms, 6_000);
    let metrics = server.api().metrics();
    for (sample, value) in [
        ("weevil_contact_heartbeat_ms", 6_000.0),
        ("weevil_contact_dequeue_ms", 3_000.0),
        ("weevil_contact_batch", 3.0),
    ] {
        assert!((metrics.get(sample) - value).abs() < 1e-9, "{sample} is {}", metrics.get(sample));
    }
}
