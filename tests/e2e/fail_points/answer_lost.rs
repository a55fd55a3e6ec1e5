//! MariaDB commits, and the connection breaks before the server hears of it.

use weevil_e2e::{Cutter, MariaDb, TestServer};

use super::scene::{SharedLedger, ends_well, work, workflow};

/// More than the transactions of one run: each of them loses its answer.
const CUTS: u32 = 1000;

#[test]
fn a_commit_whose_answer_is_lost_is_not_done_again() {
    let cutter = Cutter::before(MariaDb::shared());
    let database = cutter.through(&MariaDb::shared().database());
    let ledger = SharedLedger::default();
    let mut server = TestServer::start(&["--database", &database]);
    cutter.cut(CUTS);
    work(&server.address, &ledger);
    let run = server.api().run(&workflow());
    ends_well(&mut server, &run, &ledger, "each answer to a commit is lost");
    // Stored, begun, nine jobs one after the other or together, ended.
    assert!(CUTS - cutter.left() >= 5, "{} answers were lost", CUTS - cutter.left());
}
