//! Judged jobs: copies one after the other, whom they go to, and what their answers make of them.

use std::sync::Arc;

use weevil_model::trust::Policy;
use weevil_model::witness::{Engine, Witness};
use weevil_model::{Encoded, NodeState, RunState, Timestamp, Value};
use weevil_queue::batch::{Change, Verdict};
use weevil_queue::decide::parties::INTRODUCTION_MS;
use weevil_queue::{
    AttemptEnd, AttemptKey, Batch, Cancel, Ended, Failure, NewJob, Origin, Outcomes, Release, Reopen, Report,
};
use weevil_records::{AnswerFate, RunEnd, RunFacts};

use crate::bed::{Bed, LEASE_MS, number, submission, worker};
use crate::databases::{Kind, on_each_database};

pub(crate) const fn device(number: i64) -> Witness {
    Witness { device: Some(number), network: Some(number), engine: Engine::Gecko }
}

pub(crate) fn value(n: f64) -> Report {
    Report::Value(number(n))
}

pub(crate) fn error(kind: &str) -> Report {
    Report::Error(Failure { kind: kind.into(), message: format!("{kind} here"), stack: String::new() })
}

fn ended(n: f64) -> Change {
    Change::Ended(Ended::Value(number(n)))
}

impl Bed {
    /// Connects workers as these witnesses, long enough ago to be known.
    pub(crate) fn know(&mut self, workers: &[(i64, Witness)]) {
        let since = Timestamp(self.now.0 - INTRODUCTION_MS);
        for (number, witness) in workers {
            Arc::make_mut(&mut self.company).parties.join(worker(*number), *witness, since);
        }
    }

    /// Workers 1 to 20, a device each.
    pub(crate) fn know_twenty(&mut self) {
        self.know(&(1..=20).map(|number| (number, device(number))).collect::<Vec<_>>());
    }

    pub(crate) async fn judge(&mut self, job: NewJob, policy: &str) {
        let trust = policy.parse::<Policy>().unwrap();
        self.apply(Batch { enqueue: vec![NewJob { trust, ..job }], ..Batch::default() }).await;
    }

    pub(crate) async fn judge_one(&mut self, policy: &str) {
        let job = self.job("a", 0);
        self.judge(job, policy).await;
    }

    /// A worker takes the job and reports.
    pub(crate) async fn answer(&mut self, number: i64, report: Report) -> (Verdict, Option<Change>) {
        let key = self.claim_one(number).await.unwrap_or_else(|| panic!("nothing for {number}")).key;
        self.now = self.now.plus_ms(1);
        self.report(key, report).await
    }

    async fn tell_both(&self, reports: &[(AttemptKey, Report)]) -> Outcomes {
        let complete = reports.iter().map(|(key, report)| submission(*key, report.clone())).collect();
        self.apply(Batch { complete, ..Batch::default() }).await
    }

    /// How a job stands, and what each attempt came to as an answer.
    async fn stands(&self, key: AttemptKey) -> (NodeState, Vec<Option<Option<AnswerFate>>>) {
        let (job, attempts) = self.store.attempts(key.job).await.unwrap().unwrap();
        let fates = attempts.iter().map(|attempt| attempt.answer.as_ref().map(|answer| answer.fate));
        (job.state, fates.collect())
    }
}

async fn copies_go_out_one_after_the_other_until_enough_agree(kind: Kind) {
    for (policy, answers, last) in [
        ("quorum(2)", &[1.0, 1.0][..], 1.0),
        ("quorum(2)", &[1.0, 2.0, 2.0], 2.0),
        ("quorum(3)", &[1.0, 2.0, 1.0, 1.0], 1.0),
    ] {
        let mut bed = Bed::new(kind).await;
        bed.know_twenty();
        let copies = NewJob { copies: 3, ..bed.job("a", 0) };
        bed.judge(copies, policy).await;
        for (by, said) in (1..).zip(answers) {
            let both = bed.claim(&[(by, 1), (by + 1, 1)]).await;
            let [first] = &both[..] else { panic!("{both:?}") };
            assert!(first.judged);
            let (verdict, change) = bed.report(first.key, value(*said)).await;
            let is_last = usize::try_from(by).unwrap() == answers.len();
            let expected = if is_last { ended(last) } else { Change::Answered };
            assert_eq!((verdict, change.as_ref()), (Verdict::Accepted, Some(&expected)), "{policy} {by}");
            let (state, fates) = bed.stands(first.key).await;
            if is_last {
                let agreed = |answer: &f64| {
                    Some(Some(if answer.total_cmp(said).is_eq() {
                        AnswerFate::Agreed
                    } else {
                        AnswerFate::Refuted
                    }))
                };
                assert_eq!((state, fates), (NodeState::Finished, answers.iter().map(agreed).collect()));
            } else {
                assert_eq!(state, NodeState::Answered);
                assert!(fates.iter().all(|fate| *fate == Some(None)), "{fates:?}");
            }
        }
        assert_eq!(bed.claim(&[(19, 9)]).await, [], "nothing is left of it");
    }
}

async fn nobody_answers_twice_whoever_it_says_it_is(kind: Kind) {
    let nobody = Witness { device: None, network: None, ..device(0) };
    let one = device(1);
    for (other, taken) in [
        (device(2), true),
        (one, false),
        (Witness { network: Some(2), ..one }, false),
        (Witness { device: Some(2), ..one }, false),
        (Witness { network: None, ..device(2) }, true),
        (Witness { device: None, ..device(2) }, true),
        (Witness { device: None, ..one }, false),
        (nobody, false),
    ] {
        for alone in [false, true] {
            let mut bed = Bed::new(kind).await;
            bed.know(&[(1, one), (2, other)]);
            let origin = if alone { Origin::Queue("q".into()) } else { Origin::Run(bed.run) };
            let job = NewJob { origin, ..bed.job("a", 0) };
            let (id, run) = (job.id, job.origin.run());
            bed.judge(job, "quorum(2)").await;
            bed.answer(1, value(1.0)).await;
            let overlaps = bed.store.overlaps(id, run, &[one, other]).await.unwrap();
            assert_eq!(overlaps, [true, !taken], "as people are told: {other:?} {alone}");
            assert_eq!(bed.claim_one(2).await.is_some(), taken, "{other:?} {alone}");
            assert_eq!(bed.claim_one(1).await, None);
            bed.store = bed.database.open().await;
            assert_eq!(bed.claim_one(1).await, None, "nor after a restart");
        }
    }
}

async fn who_is_not_known_gets_no_judged_jobs_yet(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let (judged, plain) = (bed.job("judged", 0), bed.job("plain", 0));
    bed.apply(Batch { enqueue: vec![plain], ..Batch::default() }).await;
    bed.judge(judged, "quorum(2)").await;
    let nobody = Witness { device: None, ..device(1) };
    let now = bed.now;
    Arc::make_mut(&mut bed.company).parties.join(worker(1), nobody, now);
    let paths = |claimed: Vec<weevil_queue::Claimed>| -> Vec<String> {
        claimed.into_iter().map(|claimed| claimed.path).collect()
    };
    assert_eq!(paths(bed.claim(&[(1, 9)]).await), ["plain"]);
    assert_eq!(paths(bed.claim(&[(2, 9)]).await), [] as [&str; 0], "it is not connected");
    bed.now = bed.now.plus_ms(INTRODUCTION_MS);
    assert_eq!(paths(bed.claim(&[(1, 9)]).await), ["judged"]);
}

async fn what_was_handed_out_before_an_answer_came_is_overtaken(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    let job = NewJob { max_attempts: 9, ..bed.job("a", 0) };
    bed.judge(job, "quorum(2)").await;
    let mut keys = Vec::new();
    for by in 1..=3 {
        keys.push(bed.claim_one(by).await.unwrap().key);
        bed.now = bed.now.plus_ms(LEASE_MS);
        bed.apply(Batch { look: true, ..Batch::default() }).await;
    }
    let answers = [1, 0, 2].map(|at| (keys[at], value(1.0)));
    let heard = bed.tell_both(&answers).await;
    let verdicts: Vec<_> = heard.completed.iter().map(|each| each.verdict).collect();
    assert_eq!(verdicts, [Verdict::Accepted, Verdict::Superseded, Verdict::Superseded]);
    assert_eq!(bed.report(keys[1], value(1.0)).await, (Verdict::Accepted, None), "it is stored");
    assert_eq!(bed.answer(4, value(1.0)).await.1, Some(ended(1.0)));
}

async fn a_late_answer_counts_while_no_copy_is_out(kind: Kind) {
    for again in [false, true] {
        let mut bed = Bed::new(kind).await;
        bed.know_twenty();
        bed.judge_one("quorum(2)").await;
        let late = bed.claim_one(1).await.unwrap().key;
        bed.now = bed.now.plus_ms(LEASE_MS);
        bed.apply(Batch { look: true, ..Batch::default() }).await;
        let other = if again { bed.claim_one(2).await } else { None };
        let expected =
            if again { (Verdict::Superseded, None) } else { (Verdict::Accepted, Some(Change::Answered)) };
        assert_eq!(bed.report(late, value(1.0)).await, expected);
        if let Some(other) = other {
            assert_eq!(bed.report(other.key, value(1.0)).await.1, Some(Change::Answered));
        }
    }
}

async fn a_copy_that_comes_back_leaves_the_answers(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    bed.judge_one("quorum(2)").await;
    bed.answer(1, value(1.0)).await;
    for end in [AttemptEnd::Yielded, AttemptEnd::Lost] {
        let key = bed.claim_one(2).await.unwrap().key;
        let outcomes = bed.release(Release { key, end }).await;
        assert_eq!(outcomes.returned[0].job.change, Change::CopyReturned);
        assert_eq!(bed.stands(key).await.0, NodeState::Answered);
    }
    assert_eq!(bed.answer(3, error("crashed")).await.1, Some(Change::CopyReturned), "the machine's error");
    assert_eq!(bed.answer(4, value(1.0)).await.1, Some(ended(1.0)));
}

/// Two who crash again and again do not end what a third has not tried.
async fn each_witness_fails_a_job_once(kind: Kind) {
    for machine_fails in [true, false] {
        let mut bed = Bed::new(kind).await;
        bed.come(&[(1, 0), (2, 0), (3, 0)]);
        bed.judge_one("credible(0.01)").await;
        for (by, is_last) in
            [(1, false), (2, false), (1, false), (2, false), (1, false), (2, false), (3, true)]
        {
            bed.now = bed.now.plus_ms(600_000);
            let key = bed.claim_one(by).await.unwrap_or_else(|| panic!("nothing for {by}")).key;
            let change = if machine_fails {
                bed.report(key, error("crashed")).await.1
            } else {
                let mut expired = bed.release(Release { key, end: AttemptEnd::Expired }).await;
                Some(expired.returned.remove(0).job.change)
            };
            let is_over = matches!(change, Some(Change::Ended(Ended::Failed(_))));
            assert_eq!(is_over, is_last, "{machine_fails} {by}: {change:?}");
        }
    }
}

async fn errors_of_the_code_are_answers_and_take_four(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    bed.judge_one("quorum(2)").await;
    for (by, kind) in [(1, "thrown"), (2, "thrown"), (3, "thrown")] {
        assert_eq!(bed.answer(by, error(kind)).await.1, Some(Change::Answered), "{by}");
    }
    let Some(Change::Ended(Ended::Failed(history))) = bed.answer(4, error("thrown")).await.1 else {
        panic!("four agree")
    };
    assert_eq!(history.len(), 4);
    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    bed.judge_one("quorum(2)").await;
    for (by, report) in [(1, error("thrown")), (2, error("syntax")), (3, value(1.0))] {
        assert_eq!(bed.answer(by, report).await.1, Some(Change::Answered), "{by}");
    }
    assert_eq!(bed.answer(4, value(1.0)).await.1, Some(ended(1.0)), "liars cannot end it");
}

async fn equal_values_agree_however_they_were_written(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    bed.judge_one("quorum(3)").await;
    for (by, bytes) in
        [(1, &[0xf9, 0x3c, 0x00][..]), (2, &[0xfb, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0]), (3, &[0x01])]
    {
        let report = Report::Value(Encoded::checked(bytes).unwrap());
        let last = bed.answer(by, report).await.1;
        let expected = if by == 3 { ended(1.0) } else { Change::Answered };
        assert_eq!(last, Some(expected), "{by}");
    }
}

async fn sixteen_answers_without_a_decision_are_the_end(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    bed.judge_one("quorum(2)").await;
    for by in 1..16 {
        #[expect(clippy::cast_precision_loss, reason = "fifteen values")]
        let report = value(by as f64);
        assert_eq!(bed.answer(by, report).await.1, Some(Change::Answered), "{by}");
    }
    let key = bed.claim_one(16).await.unwrap().key;
    let (_, change) = bed.report(key, value(0.0)).await;
    let Some(Change::Ended(Ended::Failed(history))) = change else { panic!("{change:?}") };
    let failure = history.last().unwrap().failure.as_ref().unwrap();
    assert_eq!(failure.kind, "disputed");
    assert!(failure.message.contains("16 answers") && failure.message.contains(" from 1,"), "{failure:?}");
    let enqueue = vec![bed.job("a", 0)];
    let stored = bed.apply(Batch { enqueue, ..Batch::default() }).await.enqueued;
    assert_eq!(stored[0].ended, Ended::Failed(history), "a restart tells the same");
}

async fn a_stored_value_stands_in_only_where_it_was_judged_as_strictly(kind: Kind) {
    for (stored, asked, taken) in [
        ("none", "none", true),
        ("quorum(2)", "none", true),
        ("none", "quorum(2)", false),
        ("quorum(2)", "quorum(2)", true),
        ("quorum(2)", "quorum(3)", false),
        ("quorum(3)", "quorum(2)", true),
        ("credible(0.01)", "credible(0.01)", true),
        ("credible(0.001)", "credible(0.01)", true),
        ("credible(0.01)", "credible(0.001)", false),
        ("credible(0.001)", "quorum(2)", false),
        ("quorum(3)", "credible(0.01)", false),
    ] {
        let mut bed = Bed::new(kind).await;
        bed.know_twenty();
        bed.judge_one(stored).await;
        for by in 1..=3 {
            if let Some(claimed) = bed.claim_one(by).await {
                bed.report(claimed.key, value(5.0)).await;
            }
        }
        bed.run = bed.add_run().await;
        let job = NewJob { reuse: true, trust: asked.parse().unwrap(), ..bed.job("a", 0) };
        let enqueued = bed.apply(Batch { enqueue: vec![job], ..Batch::default() }).await.enqueued;
        assert_eq!(enqueued.len(), usize::from(taken), "{stored} {asked}");
    }
}

async fn what_was_agreed_on_and_does_not_fit_fails(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    bed.judge_one("quorum(2)").await;
    for by in 1..=2 {
        bed.answer(by, value(1.0)).await;
    }
    let reopen =
        vec![Reopen { run: bed.run, path: "a".into(), message: "too many bytes".into(), anew: false }];
    let enqueue = vec![bed.job("a", 0)];
    let told = bed.apply(Batch { reopen, enqueue, ..Batch::default() }).await.enqueued;
    let Ended::Failed(history) = &told[0].ended else { panic!("{told:?}") };
    assert!(history.iter().all(|each| each.failure.as_ref().unwrap().kind == "tooLarge"));
}

/// Numbers of networks that the answers of a job have.
async fn networks(bed: &Bed) -> Vec<String> {
    bed.database.texts("select coalesce(cast(network as char), '-') from answers order by job, number").await
}

async fn networks_are_pseudonyms_until_the_end(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    let chance = [7; 32];
    let alone = NewJob { origin: Origin::Queue("q".into()), ..bed.job("alone", 0) };
    let cancelled = NewJob { origin: Origin::Queue("q".into()), ..bed.job("cancelled", 0) };
    let (alone_id, cancelled_id) = (alone.id, cancelled.id);
    for job in [alone, cancelled] {
        bed.judge(job, "quorum(2)").await;
    }
    bed.claim(&[(1, 1), (2, 1)]).await;
    assert_eq!(networks(&bed).await, ["1", "2"], "the server's own");
    bed.apply(Batch { cancel: vec![Cancel::Job(alone_id), Cancel::Job(cancelled_id)], ..Batch::default() })
        .await;
    assert_eq!(networks(&bed).await, ["1", "1"], "the numbers of their attempts");

    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    bed.judge_one("quorum(2)").await;
    let claim = weevil_queue::Claim {
        asks: vec![crate::bed::ask(3, 1, weevil_model::Needs::JAVASCRIPT)],
        tokens: vec![1],
        bytes: 1 << 20,
        ..weevil_queue::Claim::default()
    };
    bed.apply(Batch { claim, chance, ..Batch::default() }).await;
    let salted = networks(&bed).await;
    assert_ne!(salted, ["3"], "another in each run");
    let salts = "select hex(salt) from salts";
    assert_eq!(bed.database.texts(salts).await.len(), 1);
    let end = RunEnd { state: RunState::Failed, at: bed.now, result: None, facts: RunFacts::default() };
    bed.end_run(bed.run, &end).await;
    assert_eq!(bed.database.texts(salts).await, [] as [String; 0]);
    assert_eq!(networks(&bed).await, salted);
}

async fn a_line_of_ones_own_answers_hides_nobody_elses(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    let jobs: Vec<NewJob> = (0..400)
        .map(|at| NewJob { trust: "quorum(2)".parse().unwrap(), ..bed.job(&format!("mine/{at}"), 0) })
        .collect();
    bed.apply(Batch { enqueue: jobs, ..Batch::default() }).await;
    let mine = bed.claim(&[(1, 400)]).await;
    let reports: Vec<_> = mine.iter().map(|claimed| (claimed.key, value(1.0))).collect();
    bed.tell_both(&reports).await;
    for path in ["new", "other"] {
        let job = bed.job(path, 0);
        bed.judge(job, "quorum(2)").await;
    }
    // Worker 4 is in worker 1's line, worker 2 in another.
    assert_eq!(bed.claim_one(2).await.map(|claimed| claimed.path).as_deref(), Some("mine/0"));
    let first = bed.claim(&[(1, 1)]).await;
    assert_eq!(first[0].path, "new", "first copies stand in a line of their own");
    bed.report(first[0].key, value(1.0)).await;
    assert_eq!(bed.answer(2, value(1.0)).await.1, Some(ended(1.0)));
    let others = bed.claim(&[(1, 9)]).await;
    assert_eq!(others.iter().map(|claimed| claimed.path.as_str()).collect::<Vec<_>>(), ["other"]);
}

/// As many as are asked for, one more, one less: what was read says each time whether there is more.
async fn a_copy_behind_ones_own_is_found_however_many_these_are(kind: Kind) {
    for own in 0..=5 {
        let mut bed = Bed::new(kind).await;
        bed.know_twenty();
        for path in (0..own).map(|at| format!("mine/{at}")).chain(["theirs".to_owned()]) {
            let job = bed.job(&path, 0);
            bed.judge(job, "quorum(2)").await;
        }
        let mut held = bed.claim(&[(1, own)]).await;
        held.extend(bed.claim(&[(4, 1)]).await);
        let reports: Vec<_> = held.iter().map(|claimed| (claimed.key, value(1.0))).collect();
        bed.tell_both(&reports).await;
        let claimed = bed.claim(&[(1, 2)]).await;
        assert_eq!(
            claimed.iter().map(|claimed| claimed.path.as_str()).collect::<Vec<_>>(),
            ["theirs"],
            "{own}"
        );
    }
}

async fn answers_go_with_their_job(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    bed.judge_one("quorum(2)").await;
    for by in 1..=2 {
        bed.answer(by, value(1.0)).await;
    }
    let end = RunEnd { state: RunState::Failed, at: bed.now, result: None, facts: RunFacts::default() };
    bed.end_run(bed.run, &end).await;
    bed.forget(Timestamp(99_999_999), 10).await;
    assert_eq!(networks(&bed).await, [] as [String; 0]);
}

async fn copies_that_were_given_back_often_leave_few_rows(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    bed.judge_one("quorum(2)").await;
    bed.answer(1, value(1.0)).await;
    for _ in 0..15 {
        let key = bed.claim_one(2).await.unwrap().key;
        bed.release(Release { key, end: AttemptEnd::Yielded }).await;
    }
    assert_eq!(networks(&bed).await.len(), 11);
    assert_eq!(bed.answer(3, value(1.0)).await.1, Some(ended(1.0)));
}

async fn a_device_is_counted_for_each_answer(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    bed.judge_one("quorum(2)").await;
    let fingerprint = weevil_model::ContentHash::of(b"key");
    for by in 1..=2 {
        let key = bed.claim_one(by).await.unwrap().key;
        let reporter = weevil_queue::Reporter { worker: worker(by), device: Some(fingerprint) };
        let complete = vec![weevil_queue::Submission { reporter, ..submission(key, value(1.0)) }];
        bed.apply(Batch { complete, ..Batch::default() }).await;
    }
    assert_eq!(bed.store.device(fingerprint).await.unwrap().unwrap().accepted, 2);
}

async fn a_job_counts_once_in_what_a_run_adds_up_to(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    for (path, values) in [("agreed", &[1.0, 2.0, 2.0, 1.0, 1.0][..]), ("open", &[1.0])] {
        let job = bed.job(path, 0);
        bed.judge(job, "quorum(3)").await;
        for (by, said) in (1..).zip(values) {
            bed.answer(by, value(*said)).await;
        }
    }
    let totals = bed.store.slot_totals(bed.run).await.unwrap();
    assert_eq!(totals.iter().map(|slot| (slot.worker, slot.jobs)).collect::<Vec<_>>(), [(worker(5), 1)]);
    let times = bed.store.job_times(bed.run).await.unwrap();
    assert_eq!(times.iter().map(|time| time.jobs).sum::<u32>(), 1);
}

async fn who_was_outvoted_still_has_its_other_votes(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    for (path, priority) in [("outvoted", 9), ("other", 0)] {
        let job = bed.job(path, priority);
        bed.judge(job, "quorum(2)").await;
        bed.answer(1, value(1.0)).await;
    }
    bed.answer(2, value(2.0)).await;
    assert_eq!(bed.answer(3, value(2.0)).await.1, Some(ended(2.0)));
    assert_eq!(bed.answer(2, value(1.0)).await.1, Some(ended(1.0)));
}

async fn a_text_is_a_value_of_another_type_for_each_who_gives_it(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    bed.judge_one("quorum(2)").await;
    let text = || Report::Value(Encoded::of(&Value::String("1".into())).unwrap());
    for by in 1..=3 {
        assert_eq!(bed.answer(by, text()).await.1, Some(Change::Answered), "{by}");
    }
    let Some(Change::Ended(Ended::Failed(history))) = bed.answer(4, text()).await.1 else { panic!() };
    assert_eq!(history[0].failure.as_ref().unwrap().kind, "returnType");
}

on_each_database! {
    copies_go_out_one_after_the_other_until_enough_agree,
    nobody_answers_twice_whoever_it_says_it_is,
    who_is_not_known_gets_no_judged_jobs_yet,
    what_was_handed_out_before_an_answer_came_is_overtaken,
    a_late_answer_counts_while_no_copy_is_out,
    a_copy_that_comes_back_leaves_the_answers,
    each_witness_fails_a_job_once,
    errors_of_the_code_are_answers_and_take_four,
    equal_values_agree_however_they_were_written,
    sixteen_answers_without_a_decision_are_the_end,
    a_stored_value_stands_in_only_where_it_was_judged_as_strictly,
    what_was_agreed_on_and_does_not_fit_fails,
    networks_are_pseudonyms_until_the_end,
    a_line_of_ones_own_answers_hides_nobody_elses,
    a_copy_behind_ones_own_is_found_however_many_these_are,
    answers_go_with_their_job,
    copies_that_were_given_back_often_leave_few_rows,
    a_device_is_counted_for_each_answer,
    a_job_counts_once_in_what_a_run_adds_up_to,
    who_was_outvoted_still_has_its_other_votes,
    a_text_is_a_value_of_another_type_for_each_who_gives_it,
}
