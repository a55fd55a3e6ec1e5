//! What certificates are made of: all jobs in the order of their paths, their answers, what was given and said, and lots.

use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::{Encoded, JobId, RunState};
use weevil_queue::{Batch, Cancel, NewJob, Origin, Outcome};
use weevil_records::{AnswerFate, RunCourse, RunEnd, RunFacts};

use crate::bed::{Bed, number};
use crate::databases::{Kind, on_each_database};
use crate::judged::{error, value};
use crate::lots::{KNOWN, right, wrong};

impl Bed {
    async fn end_of_run(&self) {
        let end =
            RunEnd { state: RunState::Finished, at: self.now, result: None, facts: RunFacts::default() };
        self.store.end_run(self.run, &end, &RunCourse::default()).await.unwrap();
        self.apply(Batch { cancel: vec![Cancel::Run(self.run)], ..Batch::default() }).await;
    }

    async fn facts(&self, paths: &[&str]) -> Vec<weevil_records::JobFacts> {
        let jobs = self.store.jobs(self.run, None, 500).await.unwrap();
        let id = |path: &&str| jobs.iter().find(|job| job.path == **path).unwrap().id;
        self.store.job_facts(&paths.iter().map(id).collect::<Vec<JobId>>()).await.unwrap()
    }
}

async fn jobs_come_in_the_order_of_the_bytes_of_their_paths(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let long = |end: &str| format!("{}/{end}", "x".repeat(3_000));
    let mut paths =
        ["p/2/f", "p/10/f", "p/1/f", "p", "p ", "p!", "P/1/f", "é", "z", "a\u{1f600}", "a\u{ffff}"]
            .map(str::to_owned)
            .to_vec();
    paths.extend(["2", "10", "1"].map(long));
    let enqueue = paths.iter().map(|path| bed.job(path, 0)).collect();
    bed.apply(Batch { enqueue, ..Batch::default() }).await;
    let ids = bed.store.by_path(bed.run).await.unwrap();
    let found = bed.store.job_facts(&ids).await.unwrap();
    paths.sort_unstable();
    assert_eq!(found.iter().map(|job| job.path.as_str()).collect::<Vec<_>>(), paths);
    assert!(!bed.store.is_judged(bed.run).await.unwrap());
    let empty = bed.add_run().await;
    assert_eq!(bed.store.by_path(empty).await.unwrap(), []);
}

async fn answers_of_a_lot_are_told_as_they_came(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come(&[(1, KNOWN), (2, KNOWN), (3, KNOWN), (4, KNOWN), (9, 0)]);
    bed.pool(3, "credible(0.01)").await;
    bed.answer(9, value(wrong("p/0/f"))).await;
    bed.compute(1, right).await;
    bed.close().await;
    for by in [2, 3, 4] {
        bed.compute(by, right).await;
        bed.close().await;
    }
    assert!(bed.store.is_judged(bed.run).await.unwrap());
    bed.end_of_run().await;
    let found = bed.facts(&["p/2/f", "p/0/f"]).await;
    assert_eq!(
        found.iter().map(|job| &*job.path).collect::<Vec<_>>(),
        ["p/2/f", "p/0/f"],
        "as they were named"
    );
    let contested = &found[1];
    assert_eq!((contested.outcome, &contested.error), (Some(Outcome::Value), &None));
    assert_eq!((contested.assumed, contested.is_reused), (Some(AssumedShare::default()), false));
    let fates: Vec<_> = contested.answers.iter().map(|answer| answer.fate).collect();
    assert_eq!(fates[0], Some(AnswerFate::Refuted));
    assert!(fates[1..].iter().all(|fate| *fate == Some(AnswerFate::Agreed)), "{fates:?}");
    let lots = bed.store.lot_facts(bed.run, None, 9).await.unwrap();
    let answers: u32 = lots.iter().map(|lot| lot.answers).sum();
    assert_eq!((answers, lots.iter().all(|lot| lot.is_accepted == Some(true))), (3, true), "{lots:?}");
    assert!(lots.iter().any(|lot| Some(lot.id) == contested.answers[1].lot && lot.node == "p"));
    let mut one_by_one = Vec::new();
    while let Some(lot) = bed.store.lot_facts(bed.run, one_by_one.last().copied(), 1).await.unwrap().pop() {
        one_by_one.push(lot.id);
    }
    assert_eq!(one_by_one, lots.iter().map(|lot| lot.id).collect::<Vec<_>>());
}

/// What waits beside a job is nobody's value.
async fn values_are_told_of_what_has_ended_with_one(kind: Kind) {
    let large = || Encoded::of(&weevil_model::Value::String("x".repeat(40_000))).unwrap();
    let mut bed = Bed::new(kind).await;
    bed.come(&[(1, KNOWN), (2, KNOWN)]);
    let input = Encoded::array(&[large()]).unwrap();
    let job = NewJob { returns: None, input: input.clone().into(), ..bed.job("a", 1) };
    bed.judge(job, "quorum(2)").await;
    let said = || weevil_queue::Report::Value(large());
    bed.answer(1, said()).await;
    let ids = bed.store.by_path(bed.run).await.unwrap();
    let waits = bed.store.job_values(&ids).await.unwrap();
    assert_eq!((waits.len(), waits[0].value.clone()), (1, None));
    bed.answer(2, said()).await;
    let told = bed.store.job_values(&ids).await.unwrap();
    assert_eq!((&told[0].input, told[0].value.clone()), (&input, Some(large())));
    let facts = bed.store.job_facts(&ids).await.unwrap();
    assert_eq!((facts[0].assumed, facts[0].trust), (None, Policy::from_number(2).unwrap()));
    assert_eq!(facts[0].bytes, (input.as_bytes().len() + large().as_bytes().len()) as u64);
}

async fn a_job_that_failed_tells_what_its_answers_agree_on(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come(&[(1, KNOWN), (2, KNOWN), (3, KNOWN), (4, KNOWN)]);
    let job = NewJob { origin: Origin::Queue("q".into()), ..bed.job("a", 0) };
    let id = job.id;
    bed.judge(job, "credible(0.1)").await;
    for by in 1..=4 {
        bed.answer(by, error("thrown")).await;
    }
    let facts = bed.store.job_facts(&[id]).await.unwrap().remove(0);
    assert_eq!((facts.outcome, facts.error.as_deref()), (Some(Outcome::Failed), Some("thrown")));
    let said: Vec<_> = facts.answers.iter().map(|answer| answer.error.as_deref()).collect();
    assert_eq!(said, [Some("thrown"); 4]);
    let networks: std::collections::BTreeSet<_> =
        facts.answers.iter().map(|answer| answer.witness.network).collect();
    assert!(
        networks.iter().all(|network| network.is_some_and(|network| network < 99)),
        "{networks:?}: numbers alone"
    );
    assert_eq!(bed.store.job_values(&[id]).await.unwrap()[0].input, number(7.0));
    assert_eq!(bed.store.job_facts(&[]).await.unwrap(), []);
}

on_each_database! {
    jobs_come_in_the_order_of_the_bytes_of_their_paths,
    answers_of_a_lot_are_told_as_they_came,
    values_are_told_of_what_has_ended_with_one,
    a_job_that_failed_tells_what_its_answers_agree_on,
}
