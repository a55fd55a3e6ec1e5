//! The server dies between the end of a run that it cannot take up and the news of it: the next one tells it, and takes up the
//! others.

use weevil_api::JobPage;
use weevil_e2e::{DatabaseKind, job_workflow};
use weevil_failpoint::Point;
use weevil_model::{NodeState, RunId, RunState};

use super::scene::{SharedLedger, work, workflow};

/// A job that waits when its run fails.
const CODE: &str = "function weevil_main() { return 1 }";

#[test]
fn the_end_of_a_failed_take_up_outlives_the_server() {
    stays_failed(DatabaseKind::Sqlite);
}

#[test]
fn the_end_of_a_failed_take_up_outlives_the_server_on_mariadb() {
    stays_failed(DatabaseKind::MariaDb);
}

fn stays_failed(kind: DatabaseKind) {
    let mut server = kind.server();
    let broken = server.api().run(&job_workflow(CODE, ""));
    server.api().await_queue(|queue| queue.ready == 1);
    let whole = server.api().run(&workflow());
    server.kill();
    let number = broken.parse::<RunId>().expect("ids are ids").number();
    server.sql(&format!("update runs set state = 'LATER' where id = {number}"));
    server.restart_to_die(Point::TakeUpFailed, 1);
    server.await_death();
    server.restart();
    let view = server.api().view(&broken);
    assert_eq!(view.summary.state, RunState::Failed, "{kind:?}");
    let error = view.error.expect("it says why");
    assert!(error.message.contains("the state `LATER`"), "{kind:?}: {error:?}");
    let jobs: JobPage = server.api().json(&format!("/api/v1/runs/{broken}/jobs"));
    assert_eq!(jobs.jobs.iter().map(|job| job.state).collect::<Vec<_>>(), [NodeState::Cancelled], "{kind:?}");
    work(&server.address, &SharedLedger::default());
    assert_eq!(server.api().await_end(&whole).summary.state, RunState::Finished, "{kind:?}");
    server.audit();
}
