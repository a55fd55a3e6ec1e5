//! Answers of which a module of the workflow has something to say: nothing is decided before it has said it.

use std::sync::Arc;

use weevil_model::{Agree, ContentHash, NodeState, Pause, ProjectId, RunPause, Timestamp};
use weevil_queue::batch::{Change, PausedRun};
use weevil_queue::{Batch, Cancel, NewJob, Opinion, Origin, Outcomes, Proof, Waiting};
use weevil_records::AnswerFate::{Agreed, Refuted};
use weevil_records::{QuestionKey, Scope};

use crate::bed::{Bed, number, second_project};
use crate::databases::{Kind, on_each_database};
use crate::judged::{error, value};
use crate::lots::{ended, requeued};
use crate::refused::five;

const LOTS: &str = "credible(0.01)";

fn module() -> ContentHash {
    ContentHash::of(b"module")
}

impl Bed {
    /// Five who are known, and a job that has a proof.
    async fn proving(kind: Kind, path: &str, policy: &str) -> Self {
        let mut bed = five(kind).await;
        let job = NewJob { proof: Some(module()), ..bed.job(path, 0) };
        bed.judge(job, policy).await;
        bed
    }

    /// The same with a module that compares.
    async fn comparing(kind: Kind, policy: &str) -> Self {
        let mut bed = five(kind).await;
        let job = NewJob { agree: Agree::Module(module()), ..bed.job("a", 0) };
        bed.judge(job, policy).await;
        bed
    }

    /// All that is to be asked in the first project.
    async fn questions(&self) -> Vec<QuestionKey> {
        self.store.questions(None, 99).await.unwrap()
    }

    async fn question(&self) -> QuestionKey {
        let all = self.questions().await;
        let [one] = &all[..] else { panic!("{all:?}") };
        *one
    }

    /// What nothing is said of yet, as it is asked now.
    async fn asked(&self) -> Opinion {
        let key = self.question().await;
        let about = self.store.question(&key).await.unwrap().map(|question| question.fingerprint);
        let QuestionKey { job, digest, .. } = key;
        Opinion { job, digest, about, proof: None, alike: [].into(), failed: None }
    }

    async fn opine(&mut self, opinion: Opinion) -> Outcomes {
        self.now = self.now.plus_ms(1);
        self.apply(Batch { opinions: vec![opinion], ..Batch::default() }).await
    }

    async fn prove(&mut self, proof: Option<Proof>) -> Outcomes {
        let opinion = self.asked().await;
        self.opine(Opinion { proof, ..opinion }).await
    }

    /// What is asked about agrees with these, which were said before.
    async fn compare(&mut self, alike: &[ContentHash]) -> Outcomes {
        let opinion = self.asked().await;
        self.opine(Opinion { alike: alike.iter().copied().collect(), ..opinion }).await
    }
}

async fn what_is_proved_is_believed_whoever_gave_it(kind: Kind) {
    for (path, policy, by) in
        [("a", "quorum(7)", 1), ("a", "credible(0.0001)", 9), ("p/0/f", LOTS, 9), ("p/0/f", LOTS, 1)]
    {
        let mut bed = Bed::proving(kind, path, policy).await;
        bed.come(&[(9, 0)]);
        let outcomes = bed.says(by, value(1.0)).await;
        assert_eq!(outcomes.questions, 1, "{path} {policy}");
        let id = bed.job_at(path).await;
        let (job, _) = bed.store.attempts(id).await.unwrap().unwrap();
        assert_eq!((job.state, job.waiting), (NodeState::Answered, Some(Waiting::Module)));
        assert_eq!(bed.claim(&[(2, 1), (3, 1)]).await, [], "nobody else is asked before");
        assert_eq!(bed.close().await.ruled, []);
        bed.store = bed.database.open().await;
        let asked = bed.store.question(&bed.question().await).await.unwrap().unwrap();
        assert_eq!(asked.proof, Some((module(), number(7.0))), "the module and the input");
        assert_eq!((asked.value, &*asked.path, asked.comparator), (number(1.0), path, None));
        let outcomes = bed.prove(Some(Proof::Right)).await;
        assert_eq!(ended(&outcomes.ruled).into_values().collect::<Vec<_>>(), [1.0], "{path} {policy}");
        let judged = outcomes.judged[0].1;
        assert_eq!((judged.proved, judged.accepted(), judged.wrong), (1, 1, 0.0));
        assert_eq!(outcomes.counts.by_proof, 1);
        assert_eq!(bed.fates(path).await, [Some(Agreed)]);
        assert_eq!(bed.store.value(id).await.unwrap(), Some(number(1.0)));
        let facts = bed.store.job_facts(&[id]).await.unwrap().remove(0);
        assert_eq!((facts.proof, facts.answers[0].is_proved), (Some(module()), true));
        assert_eq!(bed.questions().await, []);
    }
}

/// Whoever says so rests, and whoever says the same as well, whatever the policy.
async fn what_is_disproved_is_wrong_whoever_says_it(kind: Kind) {
    for policy in [LOTS, "quorum(2)"] {
        let mut bed = Bed::proving(kind, "a", policy).await;
        bed.says(1, value(1.0)).await;
        let outcomes = bed.prove(Some(Proof::Wrong)).await;
        assert_eq!((requeued(&outcomes.ruled), outcomes.counts.refuted), (1, 1));
        assert!(outcomes.records.iter().any(|(device, record)| *device == 1 && record.rests_until.is_some()));
        assert_eq!(bed.fates("a").await, [Some(Refuted)]);
        let outcomes = bed.says(2, value(1.0)).await;
        assert_eq!((outcomes.questions, outcomes.counts.refuted), (0, 1), "that is known to be wrong");
        assert_eq!(bed.says(3, value(2.0)).await.questions, 1);
        let outcomes = bed.prove(Some(Proof::Right)).await;
        assert_eq!(ended(&outcomes.ruled).into_values().collect::<Vec<_>>(), [2.0]);
        assert_eq!(bed.fates("a").await, [Some(Refuted), Some(Refuted), Some(Agreed)]);
    }
}

async fn where_a_proof_cannot_say_answers_are_compared(kind: Kind) {
    for (said, fates) in [
        (&[1.0, 1.0][..], &[Some(Agreed), Some(Agreed)][..]),
        (&[1.0, 2.0, 2.0], &[Some(Refuted), Some(Agreed), Some(Agreed)]),
    ] {
        let mut bed = Bed::proving(kind, "a", "quorum(2)").await;
        let mut believed = Vec::new();
        for (by, said) in (1..).zip(said) {
            let outcomes = bed.says(by, value(*said)).await;
            let reported = outcomes.completed.iter().filter_map(|settled| settled.job.as_ref());
            believed.extend(reported.filter(|job| matches!(job.change, Change::Ended(_))).map(|_| by));
            if outcomes.questions > 0 {
                believed.extend(bed.prove(None).await.ruled.iter().map(|_| by));
            }
        }
        assert_eq!(believed, [i64::try_from(said.len()).unwrap()], "{said:?}");
        assert_eq!(bed.fates("a").await, fates, "{said:?}");
    }
}

/// Whoever has asked in vain asks again, also where the same batch looks for jobs whose moment has come.
async fn a_job_that_wants_one_more_answer_is_told_of(kind: Kind) {
    for look in [false, true] {
        let mut bed = Bed::proving(kind, "a", "quorum(2)").await;
        bed.says(1, value(1.0)).await;
        let opinions = vec![bed.asked().await];
        assert_eq!(bed.apply(Batch { opinions, look, ..Batch::default() }).await.woken, 1, "{look}");
    }
}

async fn errors_are_not_proved(kind: Kind) {
    let mut bed = Bed::proving(kind, "a", "quorum(2)").await;
    for by in 1..=4 {
        assert_eq!(bed.says(by, error("thrown")).await.questions, 0, "{by}");
    }
    assert_eq!(bed.store.jobs(bed.run, None, 9).await.unwrap()[0].state, NodeState::Failed);
}

async fn a_module_says_which_values_agree(kind: Kind) {
    for (policy, agree, believed, fates) in [
        ("quorum(2)", true, Some(1.0), &[Some(Agreed), Some(Agreed)][..]),
        ("quorum(2)", false, None, &[None, None]),
        (LOTS, true, Some(1.0), &[Some(Agreed), Some(Agreed)]),
    ] {
        let mut bed = Bed::comparing(kind, policy).await;
        assert_eq!(bed.says(1, value(1.0)).await.questions, 0, "there is nothing to compare it with");
        let first = bed.store.attempts(bed.job_at("a").await).await.unwrap().unwrap().1.remove(0);
        let first = first.answer.unwrap().digest.unwrap();
        assert_eq!(bed.says(2, value(2.0)).await.questions, 1);
        let asked = bed.store.question(&bed.question().await).await.unwrap().unwrap();
        assert_eq!((asked.comparator, &asked.others[..], asked.proof), (Some(module()), &[first][..], None));
        let job = bed.job_at("a").await;
        assert_eq!(bed.store.answer_value(job, first).await.unwrap(), Some(number(1.0)));
        let outcomes = bed.compare(&[first][..usize::from(agree)]).await;
        assert_eq!(ended(&outcomes.ruled).into_values().next(), believed, "{policy} {agree}");
        assert_eq!(bed.fates("a").await, fates, "{policy} {agree}");
        if believed.is_none() {
            assert_eq!(bed.says(3, value(1.0)).await.questions, 0, "that was compared before");
            assert_eq!(bed.fates("a").await, [Some(Agreed), Some(Refuted), Some(Agreed)]);
        }
    }
}

/// Nearness is not transitive: see `near`.
async fn a_third_value_is_compared_with_both_before_it(kind: Kind) {
    let mut bed = Bed::comparing(kind, "quorum(3)").await;
    bed.says(1, value(1.0)).await;
    bed.says(2, value(2.0)).await;
    bed.compare(&[]).await;
    bed.says(3, value(3.0)).await;
    let asked = bed.store.question(&bed.question().await).await.unwrap().unwrap();
    assert_eq!(asked.others.len(), 2);
    bed.compare(&asked.others).await;
    bed.says(4, value(1.0)).await;
    assert_eq!(bed.fates("a").await, [Some(Agreed), Some(Refuted), Some(Agreed), Some(Agreed)]);
}

async fn a_module_that_fails_pauses_its_run_until_somebody_lets_it_go_on(kind: Kind) {
    let mut bed = Bed::comparing(kind, "quorum(2)").await;
    bed.says(1, value(1.0)).await;
    bed.says(2, value(2.0)).await;
    let failed: Arc<str> = "It traps.".into();
    let opinion = bed.asked().await;
    let outcomes = bed.opine(Opinion { failed: Some(failed.clone()), ..opinion }).await;
    let pause = RunPause { since: bed.now, why: Pause::AgreeFailed(failed) };
    assert_eq!(outcomes.paused, [PausedRun { run: bed.run, pause: pause.clone() }]);
    assert_eq!(bed.store.run(bed.run).await.unwrap().unwrap().paused, Some(pause));
    assert_eq!(bed.claim_one(3).await, None);
    assert!(bed.store.pause(Scope::Run(bed.run), None, Timestamp(9)).await.unwrap());
    assert_eq!(bed.store.run(bed.run).await.unwrap().unwrap().paused, None);
    bed.says(3, value(2.0)).await;
    assert_eq!(bed.fates("a").await, [Some(Refuted), Some(Agreed), Some(Agreed)], "the two differ");
}

/// Whether a module was asked before the end or after it.
async fn of_what_has_ended_no_module_is_asked(kind: Kind) {
    for was_asked in [true, false] {
        let mut bed = Bed::proving(kind, "a", "quorum(2)").await;
        bed.says(1, value(1.0)).await;
        let (key, before) = (bed.question().await, bed.asked().await);
        bed.apply(Batch { cancel: vec![Cancel::Run(bed.run)], ..Batch::default() }).await;
        assert_eq!(bed.store.question(&key).await.unwrap(), None);
        let after = bed.asked().await;
        assert_eq!(after.about, None);
        let said = Opinion { proof: Some(Proof::Right), ..before };
        let outcomes = bed.opine(if was_asked { said } else { after }).await;
        assert_eq!((outcomes.ruled, outcomes.counts.by_proof), (vec![], 0));
        assert_eq!(bed.questions().await, []);
    }
}

/// What was said for the old one is not heard, though the same value was given for the new one.
async fn a_changed_input_asks_anew(kind: Kind) {
    let mut bed = Bed::proving(kind, "a", "quorum(2)").await;
    bed.says(1, value(1.0)).await;
    let (key, late) = (bed.question().await, bed.asked().await);
    bed.database.sql("update runs set retrace = 1").await;
    let changed = NewJob { input: number(8.0).into(), proof: Some(module()), ..bed.job("a", 0) };
    bed.judge(changed, "quorum(2)").await;
    assert_eq!((bed.questions().await, bed.store.question(&key).await.unwrap()), (vec![], None));
    assert_eq!(bed.says(1, value(1.0)).await.questions, 1);
    let failed = Some("It failed then.".into());
    let outcomes = bed.opine(Opinion { proof: Some(Proof::Wrong), failed, ..late }).await;
    assert_eq!((outcomes.counts.refuted, outcomes.paused), (0, vec![]));
    let asked = bed.store.question(&bed.question().await).await.unwrap().unwrap();
    assert_eq!(asked.proof, Some((module(), number(8.0))));
    let outcomes = bed.prove(Some(Proof::Right)).await;
    assert_eq!(ended(&outcomes.ruled).into_values().collect::<Vec<_>>(), [1.0]);
}

/// Its device is found wrong elsewhere; what others have only agreed on is open again.
async fn what_is_proved_stays(kind: Kind) {
    let mut bed = Bed::proving(kind, "p/0/f", LOTS).await;
    bed.says(1, value(1.0)).await;
    bed.prove(Some(Proof::Right)).await;
    let lie = NewJob { proof: Some(module()), ..bed.job("b", 0) };
    bed.judge(lie, LOTS).await;
    bed.says(1, value(5.0)).await;
    let outcomes = bed.prove(Some(Proof::Wrong)).await;
    assert!(outcomes.retrace.is_empty() && outcomes.doubted_runs.is_empty());
    assert_eq!(bed.fates("p/0/f").await, [Some(Agreed)]);
}

async fn projects_take_turns(kind: Kind) {
    let mut bed = five(kind).await;
    let there = second_project();
    bed.add_project().await;
    for (project, key, by) in [(ProjectId::DEFAULT, "a", 1), (there, "b", 2), (ProjectId::DEFAULT, "c", 3)] {
        let origin = Origin::Queue("q".into());
        let job = NewJob { project, origin, proof: Some(module()), ..bed.job(key, 0) };
        bed.judge(job, "quorum(2)").await;
        bed.says(by, value(1.0)).await;
    }
    let mut found = Vec::new();
    for (after, most) in [(None, 9), (Some(ProjectId::DEFAULT), 9), (Some(there), 9), (None, 1)] {
        let keys = bed.store.questions(after, most).await.unwrap();
        found.push(keys.iter().map(|key| key.project).collect::<Vec<_>>());
    }
    let first = ProjectId::DEFAULT;
    assert_eq!(found, [vec![first, first], vec![there], vec![], vec![first]]);
}

async fn a_job_that_stands_alone_goes_on_where_its_module_fails(kind: Kind) {
    let mut bed = five(kind).await;
    let origin = Origin::Queue("q".into());
    let job = NewJob { origin, agree: Agree::Module(module()), ..bed.job("a", 0) };
    let id = job.id;
    bed.judge(job, "quorum(2)").await;
    bed.says(1, value(1.0)).await;
    bed.says(2, value(2.0)).await;
    let opinion = bed.asked().await;
    let outcomes = bed.opine(Opinion { failed: Some("It traps.".into()), ..opinion }).await;
    assert_eq!(outcomes.paused, []);
    bed.says(3, value(2.0)).await;
    assert_eq!(bed.store.value(id).await.unwrap(), Some(number(2.0)));
}

on_each_database! {
    what_is_proved_is_believed_whoever_gave_it,
    what_is_disproved_is_wrong_whoever_says_it,
    where_a_proof_cannot_say_answers_are_compared,
    a_job_that_wants_one_more_answer_is_told_of,
    errors_are_not_proved,
    a_module_says_which_values_agree,
    a_third_value_is_compared_with_both_before_it,
    a_module_that_fails_pauses_its_run_until_somebody_lets_it_go_on,
    of_what_has_ended_no_module_is_asked,
    a_changed_input_asks_anew,
    what_is_proved_stays,
    projects_take_turns,
    a_job_that_stands_alone_goes_on_where_its_module_fails,
}
