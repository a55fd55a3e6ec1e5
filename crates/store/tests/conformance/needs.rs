//! A worker gets what it can run, at once, whatever else waits.

use weevil_model::{Capabilities, Needs};
use weevil_queue::{Batch, NewJob};

use crate::bed::{Bed, ask, paths};
use crate::databases::{Kind, on_each_database};

const PLAIN: Needs = Needs::JAVASCRIPT;
const GPU: Needs = Needs { capabilities: Capabilities::JAVASCRIPT.and(Capabilities::WEBCL), memory_mb: 0 };
const LARGE: Needs = Needs { memory_mb: 4096, ..PLAIN };

async fn enqueue(bed: &mut Bed, jobs: &[(&str, i32, Needs)]) {
    let job =
        |(path, priority, needs): &(&str, i32, Needs)| NewJob { needs: *needs, ..bed.job(path, *priority) };
    let enqueue = jobs.iter().map(job).collect();
    bed.apply(Batch { enqueue, ..Batch::default() }).await;
}

async fn a_worker_is_only_handed_what_it_can_run(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    enqueue(&mut bed, &[("gpu", 0, GPU), ("plain", 0, PLAIN), ("large", 0, LARGE), ("more", 0, PLAIN)]).await;
    for (has, expected) in [
        (Needs { memory_mb: 2048, ..PLAIN }, vec!["plain"]),
        (Needs { capabilities: Capabilities::WEBCL, memory_mb: 0 }, vec![]),
        (Needs { memory_mb: 8192, ..GPU }, vec!["gpu"]),
        (LARGE, vec!["large"]),
        (GPU, vec!["more"]),
        (GPU, vec![]),
    ] {
        assert_eq!(paths(&bed.claim_with(vec![ask(1, 1, has)]).await), expected, "{has:?}");
    }
}

async fn jobs_of_all_classes_stand_in_one_order(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    enqueue(&mut bed, &[("c", 0, PLAIN), ("b", 1, GPU), ("a", 2, PLAIN), ("d", 0, GPU), ("e", 0, PLAIN)])
        .await;
    let claimed = bed.claim_with(vec![ask(1, 4, GPU)]).await;
    assert_eq!(paths(&claimed), ["a", "b", "c", "d"]);
}

/// However often the others ask: the job goes to the one that can take it, in the same batch or in its own.
async fn a_job_that_only_one_can_take_does_not_wait_behind_those_who_cannot(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    enqueue(&mut bed, &[("gpu", 0, GPU)]).await;
    let deaf: Vec<_> = (1..50).map(|worker| ask(worker, 10, PLAIN)).collect();
    assert_eq!(bed.claim_with(deaf.clone()).await, []);
    let all = deaf.into_iter().chain([ask(50, 1, GPU)]).collect();
    let claimed = bed.claim_with(all).await;
    assert_eq!(
        claimed.iter().map(|job| (job.path.as_str(), job.worker.number())).collect::<Vec<_>>(),
        [("gpu", 50)]
    );
}

/// `cargo xtask bench queue` tells how long it takes (`claim_unmatched_ratio`); here, that nobody notices them.
async fn ten_thousand_jobs_that_match_nobody_are_passed_over(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let unmatched: Vec<String> = (0..10_000).map(|n| format!("gpu{n}")).collect();
    let unmatched: Vec<_> = unmatched.iter().map(|path| (path.as_str(), 100, GPU)).collect();
    enqueue(&mut bed, &unmatched).await;
    enqueue(&mut bed, &[("a", 0, PLAIN), ("b", 0, PLAIN)]).await;
    assert_eq!(paths(&bed.claim_with(vec![ask(1, 9, PLAIN)]).await), ["a", "b"]);
    assert_eq!(bed.store.depth().await.unwrap().ready, 10_000);
}

on_each_database! {
    a_worker_is_only_handed_what_it_can_run,
    jobs_of_all_classes_stand_in_one_order,
    a_job_that_only_one_can_take_does_not_wait_behind_those_who_cannot,
    ten_thousand_jobs_that_match_nobody_are_passed_over,
}
