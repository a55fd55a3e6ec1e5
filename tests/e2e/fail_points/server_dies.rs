//! The server kills itself at a moment, and is started again.

use weevil_e2e::{DatabaseKind, TestServer};
use weevil_failpoint::Point;

use super::scene::{SharedLedger, ends_well, work, workflow};
use super::{at_start, moments};

/// Brings the server to its death at a point, with a run under way.
fn crash(server: &mut TestServer, point: Point, nth: u32, ledger: &SharedLedger) {
    if at_start(point) {
        server.api().run(&workflow());
        server.kill();
        assert_eq!(
            server.restart_to_die(point, nth),
            point == Point::RunResumed,
            "{point:?}: before it listens"
        );
    } else {
        server.kill();
        // The first look for ended leases is a batch too, and may come before the server listens.
        if server.restart_to_die(point, nth) {
            server.api().upload_at_risk(&workflow());
            work(&server.address, ledger);
        }
    }
    server.await_death();
}

#[test]
fn every_run_goes_on_after_a_crash_at_any_moment() {
    goes_on(DatabaseKind::Sqlite);
}

#[test]
fn every_run_goes_on_after_a_crash_at_any_moment_on_mariadb() {
    goes_on(DatabaseKind::MariaDb);
}

fn goes_on(database: DatabaseKind) {
    for (point, nth) in moments() {
        let ledger = SharedLedger::default();
        let mut server = database.server();
        crash(&mut server, point, nth, &ledger);
        // Whether the upload was answered or not.
        let taken = server.stored_runs();
        server.restart();
        let run = taken.first().map_or_else(|| server.api().run(&workflow()), ToString::to_string);
        ends_well(&mut server, &run, &ledger, &format!("{database:?} {point:?} {nth}"));
    }
}
