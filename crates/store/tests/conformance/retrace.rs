//! What was believed on the word of a device that is found wrong later: open again in runs that go on, doubted elsewhere; and jobs that are put in
//! again with another input.

use std::collections::{BTreeMap, BTreeSet};

use weevil_model::trust::Policy;
use weevil_model::witness::Mark;
use weevil_model::{ContentHash, Encoded, NodeState, RunId, RunState, Value};
use weevil_queue::batch::Verdict;
use weevil_queue::{AttemptEnd, Batch, Ended, NewJob, Origin, Outcomes, Release, Report, Shortened};
use weevil_records::{AnswerFate, Retrace, RunCourse, RunEnd, RunFacts};

use crate::bed::{Bed, number, submission};
use crate::databases::{Kind, on_each_database};
use crate::judged::value;
use crate::lots::{right, wrong};
use crate::refused::five;

/// Two of six answers are checked.
const POLICY: &str = "credible(0.01)";
const ELEMENTS: u32 = 6;

impl Bed {
    /// A pool of a run of its own, believed on the word of device 1; two of its answers have been checked. Answers the run.
    async fn believed(&mut self) -> RunId {
        self.run = self.add_run().await;
        self.pool(ELEMENTS, POLICY).await;
        self.compute(1, right).await;
        self.compute(2, right).await;
        self.close().await;
        self.compute(2, right).await;
        assert!(self.states().await.iter().all(|(state, _)| *state == NodeState::Finished));
        self.run
    }

    /// Device 1 is found wrong in this run.
    async fn found_wrong_in(&mut self, run: RunId) -> Outcomes {
        self.run = run;
        self.outvote("a", value(wrong("a"))).await
    }

    async fn lets_end(&self, run: RunId, state: RunState) -> bool {
        let end = RunEnd { state, at: self.now, result: None, facts: RunFacts::default() };
        let ended = self.store.end_run(run, &end, &RunCourse::default()).await.unwrap();
        self.audit().await;
        ended
    }

    async fn finished(&self, run: RunId) -> usize {
        let jobs = self.store.jobs(run, None, 99).await.unwrap();
        jobs.iter().filter(|job| job.state == NodeState::Finished).count()
    }

    async fn doubted(&self, run: RunId) -> (u64, usize) {
        let record = self.store.run(run).await.unwrap().unwrap();
        let jobs = self.store.jobs(run, None, 99).await.unwrap();
        (record.doubted, jobs.iter().filter(|job| job.is_doubted).count())
    }

    /// Puts a job in whose input is this, once more or for the first time.
    async fn put_with(&mut self, path: &str, input: Encoded, policy: Policy) -> Outcomes {
        let (trust, code) = (policy, ContentHash::of(b"f"));
        let job = NewJob { input: input.into(), trust, code, ..self.job(path, 0) };
        self.apply(Batch { enqueue: vec![job], ..Batch::default() }).await
    }

    /// The states of the run's jobs in the order of their paths.
    async fn by_path(&self) -> Vec<NodeState> {
        let mut jobs = self.store.jobs(self.run, None, 99).await.unwrap();
        jobs.sort_by(|one, other| one.path.cmp(&other.path));
        jobs.iter().map(|job| job.state).collect()
    }

    /// The pool has so many elements from now on.
    async fn shorten(&mut self, elements: u32) -> Outcomes {
        let shortened = Shortened { run: self.run, pool: "p".into(), processor: "f".into(), elements };
        self.apply(Batch { shorten: vec![shortened], ..Batch::default() }).await
    }

    /// A run of which something was reopened, as far as its row says.
    async fn is_retraced(&self) {
        self.database.sql(&format!("update runs set retrace = 2 where id = {}", self.run.number())).await;
    }
}

fn text(letters: usize) -> Encoded {
    Encoded::of(&Value::String("x".repeat(letters))).unwrap()
}

async fn what_rests_on_a_liar_alone_is_computed_again(kind: Kind) {
    let mut bed = five(kind).await;
    bed.agree_often().await;
    let here = bed.run;
    let run = bed.believed().await;
    let retrace = bed.found_wrong_in(here).await.retrace;
    assert_eq!(retrace, BTreeSet::from([here, run]));
    bed.run = run;
    let states = bed.states().await;
    assert_eq!(states.iter().filter(|state| **state == (NodeState::Answered, None)).count(), 2, "{states:?}");
    assert_eq!(states.iter().filter(|state| **state == (NodeState::Enqueued, None)).count(), 4, "{states:?}");
    assert_eq!(bed.fates("p/0/f").await[0], Some(AnswerFate::Void));
    for _ in 0..2 {
        bed.compute(3, right).await;
        bed.close().await;
        bed.compute(4, right).await;
    }
    let states = bed.states().await;
    assert!(
        states.iter().all(|(state, value)| *state == NodeState::Finished && value.is_some()),
        "{states:?}"
    );
}

/// More than a batch delivers: the rest waits for the next look.
async fn what_was_delivered_of_a_lot_is_taken_back_with_the_rest(kind: Kind) {
    let mut bed = five(kind).await;
    bed.agree_often().await;
    let here = bed.run;
    bed.run = bed.add_run().await;
    let large = |job: &str| Encoded::of(&Value::String(job.repeat(1_500_000))).unwrap();
    for element in 0..ELEMENTS {
        let job =
            NewJob { returns: None, code: ContentHash::of(b"f"), ..bed.job(&format!("p/{element}/f"), 0) };
        bed.judge(job, POLICY).await;
    }
    for by in [1, 2] {
        for job in bed.claim(&[(by, 9)]).await {
            bed.report(job.key, Report::Value(large(&job.path))).await;
        }
        bed.close().await;
    }
    for job in bed.claim(&[(2, 9)]).await {
        bed.report(job.key, Report::Value(large(&job.path))).await;
    }
    let (run, delivered) = (bed.run, bed.finished(bed.run).await);
    assert!((1..ELEMENTS as usize).contains(&delivered), "{delivered} of {ELEMENTS}");
    bed.found_wrong_in(here).await;
    assert_eq!(bed.finished(run).await, 0);
}

async fn a_run_does_not_end_with_what_was_taken_back(kind: Kind) {
    let mut bed = five(kind).await;
    bed.agree_often().await;
    let here = bed.run;
    let run = bed.believed().await;
    bed.found_wrong_in(here).await;
    assert_eq!(bed.store.run(run).await.unwrap().unwrap().retrace, Retrace::Due);
    for state in [RunState::Finished, RunState::Failed] {
        assert!(!bed.lets_end(run, state).await, "{state}");
    }
    assert!(bed.lets_end(here, RunState::Cancelled).await, "a person may always end it");
    for _ in 0..2 {
        bed.store.retrace(run, bed.now).await.unwrap();
    }
    assert_eq!(bed.store.run(run).await.unwrap().unwrap().retrace, Retrace::Begun);
    assert!(bed.lets_end(run, RunState::Finished).await);
    assert!(bed.lets_end(run, RunState::Finished).await, "twice is the same as once");
}

async fn what_has_ended_stays_so_and_is_doubted(kind: Kind) {
    let mut bed = five(kind).await;
    bed.agree_often().await;
    let here = bed.run;
    let run = bed.believed().await;
    assert!(bed.lets_end(run, RunState::Finished).await);
    let outcomes = bed.found_wrong_in(here).await;
    assert_eq!((outcomes.retrace, outcomes.doubted_runs), ([here].into(), [(run, 4)].into()));
    assert_eq!(bed.doubted(run).await, (4, 4), "what somebody else has checked stands by that");
    assert_eq!(bed.doubted(here).await, (0, 0));
    bed.run = run;
    assert!(bed.states().await.iter().all(|(state, value)| *state == NodeState::Finished && value.is_some()));
    assert_eq!(bed.forget(bed.now.plus_ms(1), 99).await.run, Some(run));
}

async fn no_doubted_value_is_reused(kind: Kind) {
    let mut bed = five(kind).await;
    bed.agree_often().await;
    let here = bed.run;
    let run = bed.believed().await;
    assert!(bed.lets_end(run, RunState::Finished).await);
    bed.found_wrong_in(here).await;
    bed.database.sql(&format!("update jobs set code = x'00' where run = {}", here.number())).await;
    let sound = bed.store.jobs(run, None, 99).await.unwrap().iter().find(|job| !job.is_doubted).unwrap().id;
    let all = format!("insert into doubts (job) select id from jobs where run = {}", run.number());
    bed.database.sql(&format!("{all} and id not in (select job from doubts)")).await;
    for expected in [None, Some(sound)] {
        bed.run = bed.add_run().await;
        let again = NewJob { reuse: true, code: ContentHash::of(b"f"), ..bed.job("p/0/f", 0) };
        let id = again.id;
        bed.judge(again, POLICY).await;
        assert_eq!(bed.store.attempts(id).await.unwrap().unwrap().0.reused, expected);
        bed.database.sql(&format!("delete from doubts where job = {}", sound.number())).await;
    }
}

async fn what_a_trusted_device_alone_has_said_is_taken_back_as_well(kind: Kind) {
    let mut bed = five(kind).await;
    bed.agree_often().await;
    let here = bed.run;
    bed.mark(1, Mark::Trusted).await;
    let alone = NewJob { origin: Origin::Queue("q".into()), ..bed.job("k", 0) };
    let id = alone.id;
    bed.judge(alone, "quorum(2)").await;
    bed.answer(1, value(7.0)).await;
    bed.run = bed.add_run().await;
    let run = bed.run;
    let job = bed.job("t", 0);
    bed.judge(job, POLICY).await;
    bed.answer(1, value(7.0)).await;
    assert_eq!(bed.states().await, [(NodeState::Finished, Some(7.0))]);
    bed.mark(1, Mark::Distrusted).await;
    bed.run = here;
    bed.first("a").await;
    bed.say(1, value(wrong("a"))).await;
    for by in [2, 3] {
        bed.say(by, value(right("a"))).await;
    }
    let outcomes = bed.say(4, value(right("a"))).await;
    assert_eq!((outcomes.retrace, outcomes.doubted_runs), ([here, run].into(), BTreeMap::new()));
    bed.run = run;
    assert_eq!(bed.states().await, [(NodeState::Enqueued, None)]);
    let (job, _) = bed.store.attempts(id).await.unwrap().unwrap();
    assert!(job.is_doubted && job.state == NodeState::Finished, "{job:?}");
}

async fn a_job_with_another_input_is_as_new(kind: Kind) {
    for judged in [false, true] {
        let mut bed = five(kind).await;
        let policy = if judged { "quorum(2)" } else { "none" }.parse().unwrap();
        bed.put_with("d", number(1.0), policy).await;
        let late = bed.claim_one(1).await.unwrap();
        bed.release(Release { key: late.key, end: AttemptEnd::Lost }).await;
        bed.answer(2, value(5.0)).await;
        if judged {
            bed.answer(3, value(5.0)).await;
        }
        let id = late.key.job;
        let same = bed.put_with("d", number(2.0), policy).await;
        assert_eq!(same.enqueued.len(), 1, "nobody looks where nothing was reopened");
        bed.is_retraced().await;
        let same = bed.put_with("d", number(1.0), policy).await;
        assert_eq!(same.enqueued[0].ended, Ended::Value(number(5.0)), "an equal input changes nothing");
        let changed = bed.put_with("d", text(40_000), policy).await;
        assert_eq!(changed.enqueued, [], "{judged}");
        assert_eq!(bed.states().await, [(NodeState::Enqueued, None)]);
        let reported = bed.report(late.key, value(5.0)).await;
        assert_eq!(reported, (Verdict::Superseded, None), "it was computed for another input");
        let held = bed.claim_one(4).await.unwrap();
        assert_eq!((held.key.job, held.input.clone()), (id, text(40_000)));
        let again = bed.put_with("d", text(50_000), policy).await;
        assert_eq!(again.revoked.len(), 1, "a copy that is out is taken back");
        assert_eq!(bed.report(held.key, value(5.0)).await.0, Verdict::Superseded);
        for by in if judged { vec![2, 3] } else { vec![2] } {
            let claimed =
                bed.claim_one(by).await.expect("who has answered for another input may answer again");
            assert_eq!(claimed.input, text(50_000));
            bed.report(claimed.key, value(6.0)).await;
        }
        assert_eq!(bed.states().await, [(NodeState::Finished, Some(6.0))]);
    }
}

async fn lots_are_without_answers_to_another_input(kind: Kind) {
    for is_decided in [false, true] {
        let mut bed = five(kind).await;
        bed.pool(ELEMENTS, POLICY).await;
        bed.compute(1, right).await;
        if is_decided {
            bed.close().await;
            bed.compute(2, right).await;
        }
        bed.is_retraced().await;
        bed.put_with("p/3/f", number(9.0), POLICY.parse().unwrap()).await;
        let open = bed.states().await.iter().filter(|state| **state == (NodeState::Enqueued, None)).count();
        assert_eq!(open, 1);
        assert_eq!(bed.fates("p/3/f").await[0], Some(AnswerFate::Stale));
        for _ in 0..2 {
            bed.compute(1, right).await;
            bed.close().await;
            bed.compute(2, right).await;
        }
        let states = bed.states().await;
        assert!(states.iter().all(|(state, _)| *state == NodeState::Finished), "{is_decided}: {states:?}");
    }
}

async fn a_pool_that_is_shorter_has_nothing_beyond_its_end(kind: Kind) {
    for policy in ["none", POLICY] {
        let mut bed = five(kind).await;
        bed.pool(ELEMENTS, policy).await;
        for job in bed.claim(&[(1, 9)]).await.into_iter().skip(1) {
            bed.report(job.key, value(right(&job.path))).await;
        }
        bed.close().await;
        let checks = bed.claim(&[(2, 9)]).await.len();
        let before = bed.by_path().await;
        assert_eq!(bed.shorten(2).await, Outcomes::default());
        assert_eq!(bed.by_path().await, before, "nobody looks where nothing was reopened");
        bed.is_retraced().await;
        let revoked = bed.shorten(2).await.revoked.len();
        assert!(revoked <= checks, "{policy}: {revoked} of {checks}");
        let states = bed.by_path().await;
        assert_eq!((&states[..2], &states[2..]), (&before[..2], &[NodeState::Cancelled; 4][..]), "{policy}");
        assert_eq!(bed.shorten(2).await, Outcomes::default(), "twice is the same as once");
        assert_eq!(bed.shorten(ELEMENTS).await, Outcomes::default());
        let back = bed.put_with("p/3/f", number(3.0), policy.parse().unwrap()).await;
        assert_eq!(back.enqueued, [], "{policy}");
        assert_eq!(bed.by_path().await[3], NodeState::Enqueued, "{policy}");
    }
}

async fn what_has_ended_in_the_batch_that_finds_its_device_wrong_is_open_again(kind: Kind) {
    let mut bed = five(kind).await;
    bed.agree_often().await;
    let here = bed.run;
    bed.run = bed.add_run().await;
    bed.pool(ELEMENTS, POLICY).await;
    bed.compute(1, right).await;
    let early = bed.compute(2, right).await.1;
    bed.close().await;
    let checks = bed.claim(&[(2, 9)]).await;
    assert!(early < 2 && !checks.is_empty());
    let run = bed.run;
    bed.run = here;
    bed.first("a").await;
    let lie = bed.claim_one(1).await.unwrap();
    bed.report(lie.key, value(wrong("a"))).await;
    for by in [2, 3, 4] {
        bed.answer(by, value(right("a"))).await;
    }
    let last = bed.claim_one(5).await.unwrap();
    let mut complete: Vec<_> =
        checks.iter().map(|job| submission(job.key, value(right(&job.path)))).collect();
    complete.push(submission(last.key, value(right("a"))));
    let outcomes = bed.apply(Batch { complete, ..Batch::default() }).await;
    bed.run = run;
    let states = bed.states().await;
    assert!(states.iter().all(|(state, _)| *state != NodeState::Finished), "{states:?} {outcomes:?}");
}

on_each_database! {
    what_rests_on_a_liar_alone_is_computed_again,
    what_was_delivered_of_a_lot_is_taken_back_with_the_rest,
    a_run_does_not_end_with_what_was_taken_back,
    what_has_ended_stays_so_and_is_doubted,
    no_doubted_value_is_reused,
    what_a_trusted_device_alone_has_said_is_taken_back_as_well,
    a_job_with_another_input_is_as_new,
    lots_are_without_answers_to_another_input,
    a_pool_that_is_shorter_has_nothing_beyond_its_end,
    what_has_ended_in_the_batch_that_finds_its_device_wrong_is_open_again,
}
