//! What a scraper sees of judged jobs.

use std::time::Instant;

use weevil_e2e::{PATIENCE, TestServer, number};

use super::scene::{BEHIND_A_PROXY, answer, put_judged, volunteer};

/// Gauges are told as they are found: within a second or two they say this.
pub(super) fn await_gauges(server: &TestServer, expected: &[(&str, f64)]) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let metrics = server.api().metrics();
        let other = expected.iter().find(|(sample, value)| (metrics.get(sample) - value).abs() > 1e-9);
        let Some((sample, value)) = other else { return };
        assert!(Instant::now() < deadline, "{sample} is {}, never {value}", metrics.get(sample));
    }
}

#[test]
fn answers_are_counted_by_what_they_were_asked_for() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let mut workers: Vec<_> = (1..=3).map(|key| volunteer(&server, key)).collect();
    let before = server.api().metrics();
    let job = put_judged(&server, "quorum(2)", 0);
    for (worker, said) in workers.iter_mut().zip([7.0, 1.0, 7.0]) {
        answer(worker, job, number(said));
    }
    let after = server.api().metrics();
    for (sample, grown) in [
        ("weevil_answers_total{role=\"first\"}", 1.0),
        ("weevil_answers_total{role=\"check\"}", 1.0),
        ("weevil_answers_total{role=\"third\"}", 1.0),
        ("weevil_checks_total{by=\"device\"}", 2.0),
        ("weevil_checks_total{by=\"trusted\"}", 0.0),
        ("weevil_answers_refuted_total", 1.0),
        ("weevil_lots_total{fate=\"accepted\"}", 0.0),
        ("weevil_lots_total{fate=\"refused\"}", 0.0),
    ] {
        let found = after.get(sample) - before.get(sample);
        assert!((found - grown).abs() < 1e-9, "{sample} has grown by {found}, not {grown}");
    }
    await_gauges(
        &server,
        &[
            ("weevil_devices{rank=\"newcomer\"}", 3.0),
            ("weevil_devices{rank=\"established\"}", 0.0),
            ("weevil_devices{rank=\"trusted\"}", 0.0),
            ("weevil_devices_resting", 0.0),
            ("weevil_jobs_answered", 0.0),
            ("weevil_lots_open", 0.0),
            ("weevil_engines_left_out", 0.0),
        ],
    );
}
