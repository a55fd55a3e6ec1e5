//! Rows grow with reports, not with hand-outs; long histories are read in pages; jobs are found by their paths.

use weevil_queue::batch::Change;
use weevil_queue::{AttemptEnd, Batch, Claimed, Ended, NewJob, Release};
use weevil_records::history::{MAX_ATTEMPTS_READ, MAX_UNREPORTED};

use crate::bed::{Bed, boom};
use crate::databases::{Kind, on_each_database};

async fn numbers(bed: &Bed, job: weevil_model::JobId, before: u32) -> Vec<u32> {
    let (_, attempts) = bed.store.attempts_before(job, before).await.unwrap().unwrap();
    attempts.iter().map(|attempt| attempt.number).collect()
}

async fn taking_and_leaving_leaves_the_newest_ten(kind: Kind) {
    const ROUNDS: u32 = 40;
    let mut bed = Bed::new(kind).await;
    let job = NewJob { max_attempts: 9, ..bed.job("a", 0) };
    let id = job.id;
    bed.apply(Batch { enqueue: vec![job], ..Batch::default() }).await;
    for round in 1..=ROUNDS {
        let key = bed.claim_one(1).await.unwrap().key;
        if round == 20 {
            bed.report(key, boom("x")).await;
            continue;
        }
        let end = if round % 2 == 0 { AttemptEnd::Yielded } else { AttemptEnd::Lost };
        bed.release(Release { key, end }).await;
    }
    let newest = ROUNDS - MAX_UNREPORTED + 1..=ROUNDS;
    assert_eq!(numbers(&bed, id, u32::MAX).await, [20].into_iter().chain(newest).collect::<Vec<_>>());
    let (record, _) = bed.store.attempts(id).await.unwrap().unwrap();
    assert_eq!((record.handed_out, record.failures), (ROUNDS, 1), "it goes on counting");
}

/// As one visitor would who takes all there is, and goes, again and again.
async fn rounds_of_taking_everything_leave_ten_rows_a_job(kind: Kind) {
    const ROUNDS: u32 = 200;
    const JOBS: u32 = 500;
    let mut bed = Bed::new(kind).await;
    let enqueue: Vec<NewJob> = (0..JOBS).map(|at| bed.job(&at.to_string(), 0)).collect();
    let ids: Vec<_> = enqueue.iter().map(|job| job.id).collect();
    bed.apply(Batch { enqueue, ..Batch::default() }).await;
    for _ in 0..ROUNDS {
        let taken = bed.claim(&[(1, JOBS)]).await;
        assert_eq!(taken.len(), ids.len());
        let lost = |claimed: &Claimed| Release { key: claimed.key, end: AttemptEnd::Lost };
        bed.apply(Batch { release: taken.iter().map(lost).collect(), ..Batch::default() }).await;
    }
    for id in ids {
        let newest: Vec<u32> = (ROUNDS - MAX_UNREPORTED + 1..=ROUNDS).collect();
        assert_eq!(numbers(&bed, id, u32::MAX).await, newest);
    }
}

async fn long_histories_are_read_in_pages(kind: Kind) {
    const MORE: u32 = 5;
    let mut bed = Bed::new(kind).await;
    let job = NewJob { max_attempts: MAX_ATTEMPTS_READ + MORE, ..bed.job("a", 0) };
    let id = job.id;
    bed.apply(Batch { enqueue: vec![job], ..Batch::default() }).await;
    let mut change = None;
    for round in 1..=MAX_ATTEMPTS_READ + MORE {
        let key = bed.claim_one(1).await.unwrap().key;
        (_, change) = bed.report(key, boom(&round.to_string())).await;
    }
    let Some(Change::Ended(Ended::Failed(told))) = change else { panic!("{change:?}") };
    assert_eq!(told.len(), MAX_ATTEMPTS_READ as usize + 1, "what was read, and the last error");
    let newest = numbers(&bed, id, u32::MAX).await;
    assert_eq!(newest, (MORE + 1..=MAX_ATTEMPTS_READ + MORE).collect::<Vec<_>>());
    assert_eq!(numbers(&bed, id, newest[0]).await, (1..=MORE).collect::<Vec<_>>());
    assert_eq!(numbers(&bed, id, 1).await, [0; 0]);
}

/// Paths are compared byte by byte, whatever a database makes of letters.
async fn a_job_of_a_run_is_found_by_its_path(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let paths = ["a", "a/B", "ä", &"x/".repeat(2000)];
    let jobs: Vec<NewJob> = paths.iter().map(|path| bed.job(path, 0)).collect();
    let ids: Vec<_> = jobs.iter().map(|job| job.id).collect();
    bed.apply(Batch { enqueue: jobs, ..Batch::default() }).await;
    for (path, id) in paths.into_iter().zip(ids) {
        assert_eq!(bed.store.job_at(bed.run, path).await.unwrap(), Some(id), "{path}");
    }
    for other in ["A", "a/b", "a/", ""] {
        assert_eq!(bed.store.job_at(bed.run, other).await.unwrap(), None, "{other}");
    }
    let other = bed.add_run().await;
    assert_eq!(bed.store.job_at(other, "a").await.unwrap(), None);
}

on_each_database! {
    taking_and_leaving_leaves_the_newest_ten,
    rounds_of_taking_everything_leave_ten_rows_a_job,
    long_histories_are_read_in_pages,
    a_job_of_a_run_is_found_by_its_path,
}
