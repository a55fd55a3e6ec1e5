//! What projects have: counted on every way by which something comes, ends and goes. That it is what a count made anew finds, the
//! audit says after each step of the bed.

use std::collections::BTreeSet;

use weevil_access::Usage;
use weevil_access::audit::Action;
use weevil_model::{ContentHash, Encoded, ProjectId, RunId, RunState, Timestamp, TypedArrayKind, Value};
use weevil_queue::{AttemptEnd, Batch, Cancel, NewJob, Origin, Release, Reopen, Report};
use weevil_records::{RunEnd, RunFacts, StoredWorkflow};

use crate::bed::{Bed, LEASE_MS, boom, number, submission, workflow};
use crate::databases::{Kind, on_each_database};

const FIRST: ProjectId = ProjectId::DEFAULT;

/// Bytes of what each job of the bed is given.
const INPUT: i64 = 1;
/// Bytes of each small value.
const SMALL: i64 = 9;

/// Long enough to lie beside its row.
fn large() -> Encoded {
    Encoded::of(&Value::Typed(TypedArrayKind::Uint8, vec![7; 200_000])).unwrap()
}

fn size(value: &Encoded) -> i64 {
    i64::try_from(value.as_bytes().len()).unwrap()
}

fn end(result: Option<Encoded>) -> RunEnd {
    RunEnd { state: RunState::Finished, at: Timestamp(5_000), result, facts: RunFacts::default() }
}

impl Bed {
    /// Open jobs and stored bytes of a project, the latter without its files.
    async fn used(&self, project: ProjectId) -> (i64, i64) {
        let Usage { open_jobs, stored_bytes, .. } = self.store.usage(project).await.unwrap();
        let files = format!(
            "select coalesce(sum(length(b.bytes)), 0) from project_blobs o join blobs b on b.hash = o.`blob`
             where o.project = {}",
            project.number()
        );
        let files = self.database.sql(&files).await.unwrap();
        (i64::try_from(open_jobs).unwrap(), i64::try_from(stored_bytes).unwrap() - files)
    }

    /// A job that fails with its first error.
    fn once(&mut self, path: &str) -> NewJob {
        NewJob { max_attempts: 1, returns: None, ..self.job(path, 0) }
    }
}

/// How a job that worker 1 has leaves the queue.
#[derive(Debug, Clone, Copy)]
enum Way {
    Value,
    LargeValue,
    Error,
    Lost,
    Expired,
    Cancelled,
    Run,
}

async fn a_job_is_open_until_it_ends_and_its_bytes_stay(kind: Kind) {
    for (way, kept) in [
        (Way::Value, SMALL),
        (Way::LargeValue, size(&large())),
        (Way::Error, 0),
        (Way::Lost, 0),
        (Way::Expired, 0),
        (Way::Cancelled, 0),
        (Way::Run, 0),
    ] {
        let mut bed = Bed::new(kind).await;
        let origin = match way {
            Way::Cancelled => Origin::Queue("q".into()),
            _ => Origin::Run(bed.run),
        };
        let jobs = vec![
            NewJob { origin: origin.clone(), ..bed.once("a") },
            NewJob { origin, input: large().into(), ..bed.once("b") },
        ];
        let ids = [jobs[0].id, jobs[1].id];
        bed.put(jobs).await;
        let given = INPUT + size(&large());
        assert_eq!(bed.used(FIRST).await, (2, given), "{way:?}");
        let held = bed.claim(&[(1, 2)]).await;
        assert_eq!(bed.used(FIRST).await, (2, given), "{way:?}: a claim changes nothing");
        let report =
            |report: Report| held.iter().map(|claimed| submission(claimed.key, report.clone())).collect();
        let batch = match way {
            Way::Value => Batch { complete: report(Report::Value(number(0.1))), ..Batch::default() },
            Way::LargeValue => Batch { complete: report(Report::Value(large())), ..Batch::default() },
            Way::Error => Batch { complete: report(boom("x")), ..Batch::default() },
            Way::Lost => {
                let lost = held.iter().map(|c| Release { key: c.key, end: AttemptEnd::Expired }).collect();
                Batch { release: lost, ..Batch::default() }
            }
            Way::Expired => {
                bed.now = bed.now.plus_ms(LEASE_MS + 1);
                Batch { look: true, ..Batch::default() }
            }
            Way::Cancelled => Batch { cancel: ids.map(Cancel::Job).into(), ..Batch::default() },
            Way::Run => Batch { cancel: vec![Cancel::Run(bed.run)], ..Batch::default() },
        };
        for _ in 0..2 {
            bed.apply(batch.clone()).await;
            assert_eq!(bed.used(FIRST).await, (0, given + 2 * kept), "{way:?}: once and twice are the same");
        }
    }
}

async fn a_job_that_nobody_takes_in_time_is_open_no_more(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let hurried = NewJob { max_wait_ms: Some(1), ..bed.once("a") };
    let patient = NewJob { delay_ms: 1, ..bed.once("b") };
    let twice = NewJob { max_wait_ms: Some(1), copies: 2, priority: 9, ..bed.once("c") };
    bed.put(vec![hurried, patient, twice]).await;
    assert_eq!(bed.claim(&[(1, 1)]).await.len(), 1, "a copy of the third");
    bed.now = bed.now.plus_ms(10);
    bed.apply(Batch { look: true, ..Batch::default() }).await;
    assert_eq!(bed.used(FIRST).await, (2, 3 * INPUT));
}

async fn what_was_put_in_before_counts_once(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let alone = |job| NewJob { origin: Origin::Queue("q".into()), ..job };
    let (ended, open) = (bed.run, bed.add_run().await);
    bed.end_run(ended, &end(None)).await;
    bed.run = open;
    let jobs = vec![bed.once("a"), alone(bed.once("a"))];
    bed.put(jobs).await;
    let again = vec![
        bed.once("a"),
        alone(bed.once("a")),
        bed.once("b"),
        bed.once("b"),
        alone(bed.once("b")),
        NewJob { origin: Origin::Run(ended), ..bed.once("c") },
    ];
    bed.put(again).await;
    assert_eq!(bed.used(FIRST).await, (4, 4 * INPUT));
}

async fn a_result_that_is_taken_over_counts_again(kind: Kind) {
    for value in [number(0.1), large()] {
        let mut bed = Bed::new(kind).await;
        let job = NewJob { returns: Some(value.data_type().unwrap()), ..bed.job("a", 0) };
        bed.put(vec![job.clone()]).await;
        let key = bed.claim_one(1).await.unwrap().key;
        bed.run = bed.add_run().await;
        let equal = |bed: &mut Bed, path: &str| {
            let (id, path) = (bed.minter.job(bed.now), path.into());
            NewJob { id, path, origin: Origin::Run(bed.run), reuse: true, ..job.clone() }
        };
        let (early, other) = (equal(&mut bed, "early"), bed.job("other", 0));
        bed.put(vec![early, other]).await;
        assert_eq!(bed.used(FIRST).await, (3, 3 * INPUT));
        bed.report(key, Report::Value(value.clone())).await;
        // One that is new, one that has waited, and one that is there twice.
        let batch = vec![equal(&mut bed, "new"), equal(&mut bed, "early"), equal(&mut bed, "new")];
        bed.put(batch).await;
        for _ in 0..2 {
            assert_eq!(bed.used(FIRST).await, (1, 4 * INPUT + 3 * size(&value)));
            let again = vec![equal(&mut bed, "new"), equal(&mut bed, "early")];
            bed.put(again).await;
        }
        let all_new = vec![equal(&mut bed, "newer")];
        bed.put(all_new).await;
        assert_eq!(bed.used(FIRST).await, (1, 5 * INPUT + 4 * size(&value)));
    }
}

async fn a_value_that_is_given_up_counts_no_more(kind: Kind) {
    for value in [number(0.1), large()] {
        let mut bed = Bed::new(kind).await;
        for (path, max_attempts) in [("again", 3), ("over", 1)] {
            let job = NewJob { returns: None, max_attempts, ..bed.job(path, 0) };
            bed.put(vec![job]).await;
        }
        for claimed in bed.claim(&[(1, 2)]).await {
            bed.report(claimed.key, Report::Value(value.clone())).await;
        }
        assert_eq!(bed.used(FIRST).await, (0, 2 * INPUT + 2 * size(&value)));
        let reopen =
            |path: &str| Reopen { run: bed.run, path: path.into(), message: "too many".into(), anew: false };
        let batch = Batch { reopen: vec![reopen("again"), reopen("over")], ..Batch::default() };
        for _ in 0..2 {
            bed.apply(batch.clone()).await;
            assert_eq!(bed.used(FIRST).await, (1, 2 * INPUT));
        }
    }
}

async fn what_an_ended_run_has_left_ends_with_the_next_start(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let other = bed.add_project().await;
    bed.enqueue(&[("a", 0), ("b", 0)]).await;
    bed.claim_one(1).await.unwrap();
    let theirs = bed.add_run_of(other, &[]).await;
    let job = NewJob { project: other, origin: Origin::Run(theirs), ..bed.job("a", 0) };
    bed.put(vec![job]).await;
    bed.run = bed.add_run().await;
    bed.enqueue(&[("c", 0)]).await;
    bed.end_run(theirs, &end(None)).await;
    bed.tidy_up().await;
    let expected = ((3, 3 * INPUT), (0, INPUT));
    assert_eq!((bed.used(FIRST).await, bed.used(other).await), expected);
}

async fn runs_keep_inputs_and_results_until_they_are_forgotten(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let other = bed.add_project().await;
    let inputs = [("x".to_owned(), number(0.1)), ("y".to_owned(), large())];
    let run = bed.add_run_of(other, &inputs).await;
    let given = SMALL + size(&large());
    assert_eq!((bed.used(FIRST).await, bed.used(other).await), ((0, 0), (0, given)));
    let jobs =
        ["a", "b", "c"].map(|path| NewJob { project: other, origin: Origin::Run(run), ..bed.once(path) });
    bed.put(jobs.into()).await;
    for claimed in bed.claim(&[(1, 2)]).await {
        bed.report(claimed.key, Report::Value(large())).await;
    }
    assert_eq!(bed.store.usage(other).await.unwrap().open_runs, 1);
    for (result, bytes) in [(Some(large()), size(&large())), (Some(number(0.1)), SMALL), (None, 0)] {
        bed.end_run(run, &end(result)).await;
        assert_eq!(bed.used(other).await, (1, given + 3 * INPUT + 2 * size(&large()) + bytes));
    }
    assert_eq!(bed.store.usage(other).await.unwrap().open_runs, 0);
    // The third job is still open, as after a crash between two transactions.
    while bed.forget(Timestamp(6_000), 2).await.jobs > 0 {}
    assert_eq!((bed.used(FIRST).await, bed.used(other).await), ((0, 0), (0, 0)));
}

async fn stand_alone_jobs_keep_their_bytes_until_they_are_forgotten(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let other = bed.add_project().await;
    let mut jobs = Vec::new();
    for (project, key) in [(FIRST, "a"), (other, "b"), (other, "c"), (FIRST, "d")] {
        jobs.push(NewJob { project, origin: Origin::Queue("q".into()), ..bed.once(key) });
    }
    bed.put(jobs).await;
    for claimed in bed.claim(&[(1, 3)]).await {
        bed.report(claimed.key, Report::Value(large())).await;
    }
    let before = ((1, 2 * INPUT + size(&large())), (0, 2 * (INPUT + size(&large()))));
    assert_eq!((bed.used(FIRST).await, bed.used(other).await), before);
    while bed.forget(bed.now.plus_ms(1), 2).await.jobs > 0 {}
    assert_eq!((bed.used(FIRST).await, bed.used(other).await), ((1, INPUT), (0, 0)));
}

/// Two files of 1 and of 2 bytes, the second also in the other workflow and put in as code.
async fn a_file_counts_once_for_each_project_that_has_it(kind: Kind) {
    let bed = Bed::new(kind).await;
    let other = bed.add_project().await;
    let before = bed.store.usage(FIRST).await.unwrap().stored_bytes;
    let of = |name: &str, files: &[&str]| StoredWorkflow {
        hash: ContentHash::of(name.as_bytes()),
        name: name.into(),
        files: files.iter().map(|file| ((*file).to_owned(), file.as_bytes().to_vec())).collect(),
        code: BTreeSet::new(),
        ..workflow()
    };
    let (sum, mean) = (of("sum", &["a", "bb"]), of("mean", &["bb"]));
    let entry = bed.entry(Action::WorkflowRemoved);
    for (step, project, expected) in [
        (Step::Keep(&sum), FIRST, (3, 0)),
        (Step::Keep(&sum), FIRST, (3, 0)),
        (Step::Keep(&mean), FIRST, (3, 0)),
        (Step::Keep(&mean), other, (3, 2)),
        (Step::Code("bb"), other, (3, 2)),
        (Step::Code("cccc"), other, (3, 6)),
        (Step::Code("cccc"), other, (3, 6)),
        (Step::Code("cccc"), FIRST, (7, 6)),
        (Step::Remove(&mean), other, (7, 6)),
        (Step::Remove(&mean), FIRST, (7, 6)),
        (Step::Remove(&sum), FIRST, (4, 6)),
        (Step::Remove(&sum), FIRST, (4, 6)),
    ] {
        match step {
            Step::Keep(workflow) => bed.store.keep_workflow(project, workflow, bed.now).await.unwrap(),
            Step::Code(code) => {
                bed.store.keep_code(project, code.as_bytes(), bed.now).await.unwrap();
            }
            Step::Remove(workflow) => {
                bed.store.remove_workflow(project, workflow.hash, &entry).await.unwrap();
            }
        }
        bed.audit().await;
        let first = bed.store.usage(FIRST).await.unwrap().stored_bytes - before;
        assert_eq!((first, bed.store.usage(other).await.unwrap().stored_bytes), expected, "{step:?}");
    }
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Keep(&'a StoredWorkflow),
    Code(&'a str),
    Remove(&'a StoredWorkflow),
}

async fn one_batch_counts_for_each_project(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let other = bed.add_project().await;
    let theirs = bed.add_run_of(other, &[]).await;
    let (mut own, mut foreign) = (Vec::new(), Vec::new());
    for path in ["a", "b", "c"] {
        own.push(bed.once(path));
        foreign.push(NewJob { project: other, origin: Origin::Run(theirs), ..bed.once(path) });
    }
    foreign.pop();
    bed.put(own.into_iter().chain(foreign).collect()).await;
    assert_eq!((bed.used(FIRST).await, bed.used(other).await), ((3, 3 * INPUT), (2, 2 * INPUT)));
    let held = bed.claim(&[(1, 4)]).await;
    assert_eq!(held.iter().filter(|claimed| claimed.run == Some(theirs)).count(), 2);
    let complete = held.iter().map(|claimed| submission(claimed.key, Report::Value(number(0.1)))).collect();
    let cancel = vec![Cancel::Run(bed.run), Cancel::Run(theirs)];
    bed.apply(Batch { complete, cancel, ..Batch::default() }).await;
    assert_eq!(
        (bed.used(FIRST).await, bed.used(other).await),
        ((0, 3 * INPUT + 2 * SMALL), (0, 2 * INPUT + 2 * SMALL))
    );
}

async fn a_project_has_nothing_until_it_keeps_something(kind: Kind) {
    let bed = Bed::new(kind).await;
    let other = bed.add_project().await;
    assert_eq!(bed.store.usage(other).await.unwrap(), Usage::default());
    let nobody = ProjectId::from_number(9).unwrap();
    assert_eq!(bed.store.usage(nobody).await.unwrap(), Usage::default());
    let first = bed.store.usage(FIRST).await.unwrap();
    assert_eq!((first.open_jobs, first.open_runs), (0, 1));
}

/// As a database is that no release has counted yet.
async fn what_was_there_before_is_counted_by_the_migration(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let run: RunId = bed.add_run_of(FIRST, &[("x".to_owned(), large())]).await;
    let jobs = vec![bed.once("a"), NewJob { input: large().into(), ..bed.once("b") }];
    bed.put(jobs).await;
    let key = bed.claim_one(1).await.unwrap().key;
    bed.report(key, Report::Value(large())).await;
    bed.end_run(run, &end(Some(number(0.1)))).await;
    bed.add_project().await;
    let before = bed.store.usage(FIRST).await.unwrap();
    bed.database.sql("drop table project_usage").await;
    bed.database.sql("delete from _sqlx_migrations where version = 19").await;
    bed.store = bed.database.open().await;
    assert_eq!(bed.store.usage(FIRST).await.unwrap(), before);
    bed.put(Vec::new()).await;
}

on_each_database! {
    a_job_is_open_until_it_ends_and_its_bytes_stay,
    a_job_that_nobody_takes_in_time_is_open_no_more,
    what_was_put_in_before_counts_once,
    a_result_that_is_taken_over_counts_again,
    a_value_that_is_given_up_counts_no_more,
    what_an_ended_run_has_left_ends_with_the_next_start,
    runs_keep_inputs_and_results_until_they_are_forgotten,
    stand_alone_jobs_keep_their_bytes_until_they_are_forgotten,
    a_file_counts_once_for_each_project_that_has_it,
    one_batch_counts_for_each_project,
    a_project_has_nothing_until_it_keeps_something,
    what_was_there_before_is_counted_by_the_migration,
}
