//! The end of a pool: what the slowest worker holds is given to one that has nothing else to do, and counts once.

use weevil_e2e::{DatabaseKind, TestServer, number, on_each_database, pool_workflow};
use weevil_model::{JobId, RunState};
use weevil_protocol::frame::Verdict;

use super::scene::{BEHIND_A_PROXY, ends, next, report, story, volunteer};

on_each_database!(the_slowest_worker_holds_up_nobody);

/// So many ended attempts of a code say how long it takes.
const KNOWN: usize = 20;

fn start(server: &TestServer) -> String {
    let elements = vec!["1"; KNOWN + 1].join(",");
    let sum = "function weevil_main(all) { return all.reduce((sum, n) => sum + n, 0) }";
    server.api().run(&pool_workflow(&format!("[{elements}]"), "function weevil_main(n) { return n }", sum))
}

fn the_slowest_worker_holds_up_nobody(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let (mut quick, mut slow) = (volunteer(&server, 1), volunteer(&server, 2));
    let run = start(&server);
    let held = next(&mut slow);
    // It wants no more once this one is taken back.
    slow.tell(vec![(held.key, 0.0)]);
    for _ in 0..KNOWN {
        let given = next(&mut quick);
        assert_eq!(report(&mut quick, &given, number(1.0)), Verdict::Accepted);
    }
    let spare = next(&mut quick);
    assert_eq!(spare.key.job, held.key.job);
    assert_eq!(report(&mut quick, &spare, number(1.0)), Verdict::Accepted);
    let reducer = next(&mut quick);
    report(&mut quick, &reducer, number(21.0));
    let end = server.api().await_end(&run);
    assert_eq!((end.summary.state, end.result), (RunState::Finished, Some(21.into())));
    assert_eq!(slow.revoked(), [held.key]);
    assert_eq!(report(&mut slow, &held, number(5.0)), Verdict::Superseded);
    let job = JobId::from_number(held.key.job).expect("the id of a job");
    assert_eq!(ends(&story(&server, job)), ["cancelled", "completed"]);
    let metrics = server.api().metrics();
    let counted = ["true", "false"].map(|won| metrics.get(&format!("weevil_spares_total{{won=\"{won}\"}}")));
    assert_eq!(format!("{counted:?}"), "[1.0, 0.0]");
    server.audit();
}
