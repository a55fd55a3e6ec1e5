//! The server stops itself at a moment; MariaDB is killed meanwhile, and started again. The server goes on, the same
//! process as before.

use std::thread;

use weevil_api::RunCreated;
use weevil_e2e::{MariaDb, TestServer};
use weevil_failpoint::Point;

use super::scene::{SharedLedger, ends_well, work, workflow};
use super::{at_start, moments};

/// A server that cannot start says so with this.
const COULD_NOT: i32 = 2;

/// Takes the database away from a server that stands at a point, with a run under way. Answers the run, if the server
/// had a chance to take one and did.
fn outage(
    server: &mut TestServer,
    maria: &mut MariaDb,
    (point, nth): (Point, u32),
    ledger: &SharedLedger,
) -> Option<String> {
    let left = at_start(point).then(|| server.api().run(&workflow()));
    server.kill();
    let listens = server.restart_to_stop(point, nth);
    if !listens || at_start(point) {
        if listens {
            server.await_stop();
        }
        // A database that stays away is the other test's.
        maria.kill();
        maria.restart();
        server.proceed();
        assert!(listens || server.listens(), "{point:?} {nth}: the start goes on");
        return left;
    }
    let api = server.api();
    let upload = thread::spawn(move || api.upload(&workflow()));
    work(&server.address, ledger);
    server.await_stop();
    maria.kill();
    // It goes on without a database, until there is one again.
    server.proceed();
    maria.restart();
    let answer = upload.join().expect("the server answers");
    (answer.status != 503).then(|| answer.created::<RunCreated>().run)
}

#[test]
fn every_run_goes_on_when_mariadb_is_killed_at_any_moment() {
    let mut maria = MariaDb::start();
    for (point, nth) in moments() {
        let ledger = SharedLedger::default();
        let mut server = TestServer::start(&["--database", &maria.database()]);
        let run = outage(&mut server, &mut maria, (point, nth), &ledger);
        let run = run.unwrap_or_else(|| server.api().run_when_ready(&workflow()));
        ends_well(&mut server, &run, &ledger, &format!("{point:?} {nth}"));
    }
}

/// Without its database a server cannot read what was left open, and ends as one that finds none at all: what keeps it
/// running starts it again. Once it listens it can wait.
#[test]
fn a_server_that_starts_goes_on_without_its_database_or_says_that_it_cannot() {
    let mut maria = MariaDb::start();
    for (point, goes_on) in [(Point::Restarting, false), (Point::RunResumed, true)] {
        let ledger = SharedLedger::default();
        let mut server = TestServer::start(&["--database", &maria.database()]);
        let run = server.api().run(&workflow());
        server.kill();
        assert_eq!(server.restart_to_stop(point, 1), goes_on, "{point:?}");
        if goes_on {
            server.await_stop();
        }
        maria.kill();
        server.proceed();
        if !goes_on {
            assert!(!server.listens(), "{point:?}");
            assert_eq!(server.await_death().code(), Some(COULD_NOT), "{point:?}");
        }
        maria.restart();
        if !goes_on {
            server.restart();
        }
        ends_well(&mut server, &run, &ledger, &format!("{point:?}"));
    }
}
