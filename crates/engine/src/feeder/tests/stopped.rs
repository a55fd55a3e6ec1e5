//! Codes that fail wherever they run: what is counted over many batches, and stopped by the next one.

use weevil_model::witness::Witness;
use weevil_model::{ContentHash, ProjectId, RunId, WorkerId};
use weevil_queue::batch::Change;
use weevil_queue::job::Attempt;
use weevil_queue::{AttemptEnd, Claimed, Ended, Failure, Outcomes, QueueCode, Reporter, Submission};

use super::driven::{Driven, complete};
use crate::feeder::Request;
use crate::feeder::stopped::{MAX_WATCHED, StopDesk};
use crate::testing::{Guest, claimed, ended, failed, report, run, settled, worker};

const QUEUE: &str = "sums";

/// Three workers, each of a device of its own.
fn three() -> Driven {
    let mut driven = Driven::with([1, 2, 3].map(Guest::new));
    for number in 1..=3_i64 {
        let device = ContentHash::of(&number.to_le_bytes());
        driven.ask(Request::Identified { worker: worker(number), device });
    }
    driven
}

fn handed(number: i64, by: i64, run: Option<RunId>) -> Claimed {
    Claimed { run, workflow_name: QUEUE.into(), ..claimed(number, by) }
}

fn has_failed(by: i64) -> Change {
    let failure = Failure { kind: "thrown".into(), message: "boom".into(), stack: String::new() };
    let attempt = Attempt { number: 1, worker: worker(by), end: AttemptEnd::Error, failure: Some(failure) };
    Change::Ended(Ended::Failed(vec![attempt]))
}

/// A worker is handed this job and reports of it: what the batch after that does.
async fn computes(driven: &mut Driven, number: i64, by: i64, run: Option<RunId>, works: bool) -> Vec<String> {
    driven.ask(Request::Probe);
    driven.answered(Outcomes { claimed: vec![handed(number, by, run)], ..Outcomes::default() }).await;
    let (said, change) = if works { (report(number), ended()) } else { (failed(number), has_failed(by)) };
    driven.ask(complete(by, vec![said], 0));
    let completed = vec![settled(number, by, change)];
    driven.answered(Outcomes { completed, ..Outcomes::default() }).await;
    driven.parts().await
}

/// Behind which of so many jobs, of three workers in turn, the code is stopped.
async fn stopped_at(driven: &mut Driven, jobs: i64, run: Option<RunId>, works: &[i64]) -> Option<i64> {
    for number in 1..=jobs {
        let parts = computes(driven, number, 1 + number % 3, run, works.contains(&number)).await;
        if !parts.is_empty() {
            assert_eq!(parts, [format!("stop {QUEUE}: {number}")]);
            return Some(number);
        }
    }
    None
}

#[actix::test]
async fn the_first_five_jobs_of_a_code_that_stand_alone_and_fail_stop_it() {
    for (jobs, run, works, expected) in [
        (9, None, &[][..], Some(5)),
        (4, None, &[], None),
        (9, Some(run(7)), &[], None),
        (9, None, &[1], None),
        (9, None, &[5], None),
    ] {
        assert_eq!(stopped_at(&mut three(), jobs, run, works).await, expected, "{jobs} {works:?}");
    }
}

#[actix::test]
async fn what_a_person_lets_go_is_counted_anew() {
    let mut driven = three();
    for _ in 0..2 {
        assert_eq!(stopped_at(&mut driven, 9, None, &[]).await, Some(5));
        let code = ContentHash::of(b"code");
        driven.ask(Request::CodeResumed(QueueCode {
            project: ProjectId::DEFAULT,
            queue: QUEUE.into(),
            code,
        }));
    }
}

/// Else a value among those that nobody looks for would be missed.
#[test]
fn a_code_with_more_jobs_than_are_watched_is_not_stopped() {
    for (many, stops) in [(MAX_WATCHED, true), (MAX_WATCHED + 1, false)] {
        let mut desk = StopDesk::default();
        (1..=many).for_each(|number| desk.handed(&handed(i64::try_from(number).unwrap(), 1, None)));
        let witness = |by: WorkerId| Some(Witness { device: Some(by.number()), ..Witness::nobody("") });
        let stopped = (1..=5).any(|number| {
            let by = 1 + number % 3;
            let completed = vec![settled(number, by, has_failed(by))];
            let reporter = Reporter { worker: worker(by), device: None };
            let reports = [Submission { reporter, ..failed(number) }];
            !desk.hear(&reports, &Outcomes { completed, ..Outcomes::default() }, witness).is_empty()
        });
        assert_eq!(stopped, stops, "{many}");
    }
}
