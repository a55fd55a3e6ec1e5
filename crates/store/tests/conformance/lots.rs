//! Jobs that are judged by lots: which answers wait, which are computed again, and what is believed or asked for anew.

use std::collections::BTreeMap;
use std::sync::Arc;

use weevil_model::trust::{AssumedShare, ErrorShare, Policy};
use weevil_model::witness::{Record, Witness};
use weevil_model::{ContentHash, Encoded, JobId, NodeState, RunState, Timestamp, Value};
use weevil_queue::batch::{Change, Ruled, Verdict};
use weevil_queue::{
    AttemptEnd, Batch, Cancel, Closing, Ended, Judging, NewJob, Origin, Outcomes, Release, Report,
    RunJudgement, Waiting,
};
use weevil_records::{AnswerFate, DeviceList, KnownDevice, RunCourse, RunEnd, RunFacts, Scope};
use weevil_trust::{Depth, Plan};

use crate::bed::{Bed, number, submission, worker};
use crate::databases::{Kind, on_each_database};
use crate::judged::{device, error, value};

/// Passes of a device that is established.
pub(crate) const KNOWN: u32 = 10;
/// A millisecond less than an hour, and than five minutes.
const LATE: [i64; 2] = [3_599_999, 299_999];

/// What the elements of a pool come to.
pub(crate) type Values = BTreeMap<String, f64>;

/// The value of an element, by its path.
pub(crate) fn right(path: &str) -> f64 {
    path.split('/').nth(1).map_or(7.0, |index| index.parse().unwrap())
}

pub(crate) fn wrong(path: &str) -> f64 {
    right(path) + 1000.0
}

pub(crate) fn ended(ruled: &[Ruled]) -> Values {
    let value = |ruled: &Ruled| match &ruled.job.change {
        Change::Ended(Ended::Value(value)) => Some((ruled.job.path.clone(), of_number(value))),
        _ => None,
    };
    ruled.iter().filter_map(value).collect()
}

pub(crate) fn requeued(ruled: &[Ruled]) -> usize {
    ruled.iter().filter(|ruled| ruled.job.change == Change::Requeued).count()
}

fn of_number(value: &Encoded) -> f64 {
    let Value::Number(number) = value.value().unwrap() else { panic!("{value:?}") };
    number
}

fn all(elements: u32) -> Values {
    let path = |index| format!("p/{index}/f");
    (0..elements).map(|index| (path(index), right(&path(index)))).collect()
}

impl Bed {
    /// Workers of a device each, at places and in networks of their own, with so many passes.
    pub(crate) fn come(&mut self, workers: &[(i64, u32)]) {
        let witnesses: Vec<(i64, Witness)> =
            workers.iter().map(|(number, _)| (*number, device(*number))).collect();
        self.know(&witnesses);
        self.meet(&workers.iter().map(|(number, _)| (*number, number.unsigned_abs())).collect::<Vec<_>>());
        let record = |passes| Record { passes, ..Record::default() };
        let records: Vec<_> = workers.iter().map(|(number, passes)| (*number, record(*passes))).collect();
        Arc::make_mut(&mut self.company).parties.learn(&records);
    }

    /// Three who are known.
    pub(crate) fn come_three(&mut self) {
        self.come(&[(1, KNOWN), (2, KNOWN), (3, KNOWN)]);
    }

    /// The run says what is assumed of liars, so that the audit knows what its lots are looked at for.
    async fn assume(&self) {
        let (run, assumed) = (self.run.number(), AssumedShare::default().millionths());
        self.database.sql(&format!("update runs set assumed = {assumed} where id = {run}")).await;
    }

    pub(crate) async fn pool(&mut self, elements: u32, policy: &str) {
        self.assume().await;
        let trust = policy.parse::<Policy>().unwrap();
        let code = ContentHash::of(b"f");
        let element = |index| NewJob { trust, code, ..self.job(&format!("p/{index}/f"), 0) };
        let enqueue = (0..elements).map(element).collect();
        self.apply(Batch { enqueue, ..Batch::default() }).await;
    }

    /// The worker takes what it may have, and answers. Answers what was ruled besides, and how many it took.
    pub(crate) async fn compute(&mut self, by: i64, say: impl Fn(&str) -> f64) -> (Vec<Ruled>, u32) {
        let (mut ruled, mut took) = (Vec::new(), 0);
        loop {
            let claimed = self.claim(&[(by, 99)]).await;
            if claimed.is_empty() {
                return (ruled, took);
            }
            took += u32::try_from(claimed.len()).unwrap();
            self.now = self.now.plus_ms(1);
            let report = |job: &weevil_queue::Claimed| submission(job.key, value(say(&job.path)));
            let complete = claimed.iter().map(report).collect();
            let outcomes = self.apply(Batch { complete, ..Batch::default() }).await;
            assert!(outcomes.completed.iter().all(|settled| settled.verdict == Verdict::Accepted));
            ruled.extend(outcomes.ruled);
        }
    }

    /// For each device that has answered, what it gave, what of it was confirmed, and what differed.
    async fn credits(&self) -> Vec<(i64, [u64; 3])> {
        let list = DeviceList { rank: None, from: 0, until: i64::MAX, now: self.now };
        let known = self.store.devices(&list, 99).await.unwrap();
        self.stand_alike(&known).await;
        let credit = known.into_iter().map(|known| (known.number, known.credit));
        credit
            .filter(|(_, credit)| credit.given > 0)
            .map(|(number, credit)| (number, [credit.given, credit.confirmed, credit.differed]))
            .collect()
    }

    /// Each device is told what the list of devices says of it.
    async fn stand_alike(&self, known: &[KnownDevice]) {
        let numbers: Vec<i64> = known.iter().map(|known| known.number).collect();
        for told in self.store.standings(&numbers, self.now).await.unwrap() {
            let listed = known.iter().find(|known| known.number == told.device).unwrap();
            let rests = listed.record.rests_until.filter(|until| *until > self.now);
            let expected = (listed.rank, listed.credit, listed.waiting, rests);
            assert_eq!((told.rank, told.credit, told.waiting, told.rests_until), expected);
        }
    }

    pub(crate) async fn close(&self) -> Outcomes {
        let close = vec![Closing { run: self.run, node: "p".into() }];
        self.apply(Batch { close, ..Batch::default() }).await
    }

    async fn look_now(&self) -> Outcomes {
        self.apply(Batch { look: true, ..Batch::default() }).await
    }

    /// State and value of each job of the run.
    pub(crate) async fn states(&self) -> Vec<(NodeState, Option<f64>)> {
        let mut states = Vec::new();
        for job in self.store.jobs(self.run, None, 500).await.unwrap() {
            let value = self.store.value(job.id).await.unwrap();
            states.push((job.state, value.as_ref().map(of_number)));
        }
        states
    }

    pub(crate) async fn job_at(&self, path: &str) -> JobId {
        let jobs = self.store.jobs(self.run, None, 500).await.unwrap();
        jobs.iter().find(|job| job.path == path).unwrap().id
    }

    pub(crate) async fn fates(&self, path: &str) -> Vec<Option<AnswerFate>> {
        let (_, attempts) = self.store.attempts(self.job_at(path).await).await.unwrap().unwrap();
        attempts.iter().filter_map(|attempt| Some(attempt.answer.as_ref()?.fate)).collect()
    }
}

async fn a_lot_waits_is_looked_at_and_is_believed_as_a_whole(kind: Kind) {
    for (millionths, elements, checked) in [(10_000, 6, 2), (10_000, 1, 1), (1_000, 5, 5), (1_000, 12, 11)] {
        let error = ErrorShare::of_millionths(millionths).unwrap();
        let plan = Plan::new(error, AssumedShare::default()).unwrap();
        assert_eq!(plan.depth(elements), Depth { devices: 1, chosen: checked });
        let policy = Policy::Credible(error).to_string();
        let mut bed = Bed::new(kind).await;
        bed.come_three();
        bed.pool(elements, &policy).await;
        let (ruled, took) = bed.compute(1, right).await;
        assert_eq!((ruled, took), (vec![], elements), "{policy}");
        let waits = vec![(NodeState::Answered, None); elements as usize];
        assert_eq!(bed.states().await, waits, "what waits is nobody's value yet");
        let depth = bed.store.depth().await.unwrap();
        assert_eq!((depth.answered + depth.ready, depth.lots), (elements.into(), 1), "{depth:?}");
        let (early, before) = bed.compute(2, right).await;
        assert_eq!(early, [], "an open lot is not believed, whatever of it was checked");
        assert_eq!(bed.close().await.ruled, []);
        assert_eq!(bed.close().await.ruled, [], "it is the same once and twice");
        let (ruled, after) = bed.compute(2, right).await;
        assert_eq!((ended(&ruled), before + after), (all(elements), checked), "{policy} {elements}");
        let states = bed.states().await;
        assert!(
            states.iter().all(|(state, value)| *state == NodeState::Finished && value.is_some()),
            "{states:?}"
        );
        assert_eq!(bed.compute(3, right).await, (vec![], 0), "nothing is left of it");
        assert_eq!(bed.store.depth().await.unwrap(), weevil_queue::Depth::default());
        let totals = bed.store.slot_totals(bed.run).await.unwrap();
        assert_eq!(totals.iter().map(|slot| slot.jobs).sum::<u32>(), elements);
        let judgement = bed.store.judgement(bed.run).await.unwrap();
        let expected = RunJudgement {
            answers: u64::from(elements + checked),
            in_lots: elements.into(),
            bounded: elements.into(),
            wrong: plan.wrong_in_lot(elements),
            liars: Some(AssumedShare::default()),
            ..RunJudgement::default()
        };
        assert_eq!(judgement, expected);
        let (given, checks) = (u64::from(elements), u64::from(checked));
        assert_eq!(bed.credits().await, [(1, [given, given, 0]), (2, [checks, checks, 0])]);
    }
}

async fn a_full_lot_closes_by_itself(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come_three();
    bed.pool(51, "credible(0.01)").await;
    assert_eq!(bed.compute(1, right).await.1, 51);
    let (ruled, took) = bed.compute(2, right).await;
    let ended = ended(&ruled);
    assert_eq!(ended.len(), 50, "a lot has 50 answers");
    assert!((2..=8).contains(&took), "{took}");
    assert_eq!(bed.close().await.ruled.len(), 0, "the 51st is a lot of its own and is looked at");
    let (ruled, took) = bed.compute(2, right).await;
    assert_eq!((ruled.len(), took), (1, 1));
}

async fn one_lie_that_is_found_refuses_the_whole_lot(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come_three();
    bed.pool(6, "credible(0.001)").await;
    bed.compute(1, |path| if path == "p/4/f" { wrong(path) } else { right(path) }).await;
    bed.close().await;
    let (mut ruled, mut again) = (Vec::new(), 0);
    for turn in 0..12 {
        for by in [2, 3] {
            let (more, _) = bed.compute(by, right).await;
            again += requeued(&more);
            ruled.extend(more);
        }
        if turn % 2 == 1 {
            ruled.extend(bed.close().await.ruled);
        }
    }
    // Devices 2 and 3 alone cannot check each other's lots to the depth that six take: somebody else has to come.
    bed.come(&[(4, KNOWN), (5, KNOWN)]);
    for _ in 0..6 {
        for by in [4, 5] {
            ruled.extend(bed.compute(by, right).await.0);
        }
        ruled.extend(bed.close().await.ruled);
    }
    assert!(again <= 6, "{again}");
    assert_eq!(ended(&ruled), all(6));
    let fates = bed.fates("p/4/f").await;
    assert_eq!(fates[0], Some(AnswerFate::Refuted), "{fates:?}");
    let first = bed.fates("p/0/f").await[0];
    assert!(matches!(first, Some(AnswerFate::Void)), "{first:?}");
    assert_eq!(bed.claim(&[(1, 9)]).await, [], "it has answered all of them");
}

/// A liar is found elsewhere while a third one computes what two differ on: then the second one's word stands, whose value nobody
/// has kept.
async fn a_value_that_was_found_wrong_is_nobody_elses(kind: Kind) {
    for byte in 0..3 {
        let mut bed = Bed::new(kind).await;
        bed.come(&[(1, KNOWN), (2, KNOWN), (3, KNOWN), (4, KNOWN)]);
        bed.come(&[(9, 0)]);
        let trusted = Record { is_trusted: true, ..Record::default() };
        Arc::make_mut(&mut bed.company).parties.learn(&[(9, trusted)]);
        bed.pool(1, "credible(0.01)").await;
        bed.compute(1, wrong).await;
        bed.close().await;
        assert_eq!(bed.answer(2, value(right("p/0/f"))).await.1, Some(Change::Answered));
        let third = bed.claim_one(3).await.unwrap();
        let others = (1..10).map(|index| format!("p/{index}/f")).collect::<Vec<_>>();
        for path in &others {
            let job = bed.job(path, 0);
            bed.judge(job, "credible(0.01)").await;
        }
        bed.compute(2, right).await;
        let job = bed.job("q", 0);
        bed.judge(job, "credible(0.01)").await;
        bed.answer(1, value(wrong("q"))).await;
        assert_eq!(
            bed.answer(9, value(right("q"))).await.1,
            Some(Change::Ended(Ended::Value(number(right("q")))))
        );
        let close = vec![Closing { run: bed.run, node: "p".into() }];
        let mut ruled = bed.apply(Batch { close, chance: [byte; 32], ..Batch::default() }).await.ruled;
        ruled.extend(bed.compute(4, right).await.0);
        let complete = vec![submission(third.key, value(right("p/0/f")))];
        ruled.extend(bed.apply(Batch { complete, ..Batch::default() }).await.ruled);
        for _ in 0..3 {
            ruled.extend(bed.compute(3, right).await.0);
            ruled.extend(bed.compute(4, right).await.0);
            ruled.extend(bed.close().await.ruled);
        }
        assert_eq!(ended(&ruled), all(10), "{byte}");
    }
}

async fn what_stands_alone_takes_as_many_as_its_error_asks_for(kind: Kind) {
    for (policy, devices) in
        [("credible(0.1)", 2), ("credible(0.01)", 2), ("credible(0.001)", 3), ("credible(0.0001)", 4)]
    {
        for alone in [false, true] {
            let mut bed = Bed::new(kind).await;
            bed.come(&[(1, KNOWN), (2, KNOWN), (3, KNOWN), (4, KNOWN), (5, KNOWN)]);
            let origin = if alone { Origin::Queue("q".into()) } else { Origin::Run(bed.run) };
            let job = NewJob { origin, ..bed.job("a", 0) };
            let id = job.id;
            bed.judge(job, policy).await;
            for by in 1..devices {
                assert_eq!(bed.answer(by, value(7.0)).await.1, Some(Change::Answered), "{policy} {by}");
                assert_eq!(bed.store.value(id).await.unwrap(), None);
            }
            let last = bed.answer(devices, value(7.0)).await.1;
            assert_eq!(last, Some(Change::Ended(Ended::Value(number(7.0)))), "{policy}");
            assert_eq!(bed.store.value(id).await.unwrap(), Some(number(7.0)));
        }
    }
}

async fn newcomers_answer_for_a_fleet_that_opens_and_for_nobody_else(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come(&[(1, 0), (2, 0), (3, 0), (4, 0)]);
    bed.judge_one("credible(0.001)").await;
    for by in 1..=2 {
        assert_eq!(bed.answer(by, value(7.0)).await.1, Some(Change::Answered), "{by}");
    }
    assert_eq!(bed.answer(3, value(7.0)).await.1, Some(Change::Ended(Ended::Value(number(7.0)))));
    bed.come(&[(5, KNOWN), (6, KNOWN), (7, KNOWN)]);
    let job = bed.job("b", 0);
    bed.judge(job, "credible(0.01)").await;
    assert_eq!(bed.answer(1, value(7.0)).await.1, Some(Change::Answered));
    assert_eq!(bed.claim(&[(2, 1), (4, 1)]).await, [], "what one newcomer has said, no other one confirms");
    assert_eq!(bed.answer(5, value(7.0)).await.1, Some(Change::Answered));
    assert_eq!(bed.answer(6, value(7.0)).await.1, Some(Change::Ended(Ended::Value(number(7.0)))));
}

async fn who_has_no_device_answers_only_while_the_fleet_opens(kind: Kind) {
    let nobody = Witness { device: None, ..device(9) };
    for (known, taken) in [(2, true), (3, false)] {
        let mut bed = Bed::new(kind).await;
        bed.come(&(1..=known).map(|number| (number, KNOWN)).collect::<Vec<_>>());
        bed.know(&[(9, nobody)]);
        bed.judge_one("credible(0.01)").await;
        assert_eq!(bed.claim_one(9).await.is_some(), taken, "{known}");
    }
}

/// Twenty-one networks, of which one holds two of twenty-two workers, or has announced that it computes twice as much.
async fn all_answers_of_a_crowded_network_are_checked(kind: Kind) {
    for (second, slots, checked) in [(false, 1, false), (true, 1, true), (false, 2, true)] {
        let mut bed = Bed::new(kind).await;
        bed.come(&(1..=21).map(|number| (number, KNOWN)).collect::<Vec<_>>());
        if second {
            let neighbour = Witness { network: Some(1), ..device(22) };
            bed.know(&[(22, neighbour)]);
        }
        Arc::make_mut(&mut bed.company).parties.offer(worker(1), slots);
        bed.pool(1, "credible(0.01)").await;
        bed.compute(1, right).await;
        assert_eq!(bed.compute(2, right).await.1 == 1, checked, "{second} {slots}");
    }
}

async fn ten_confirmed_answers_make_a_device_established(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come(&[(1, KNOWN), (2, KNOWN), (3, KNOWN), (4, 3)]);
    bed.pool(30, "credible(0.01)").await;
    let claimed = bed.claim(&[(4, 7)]).await;
    assert_eq!(claimed.len(), 7);
    for job in &claimed {
        bed.report(job.key, value(right(&job.path))).await;
    }
    assert_eq!(
        bed.claim(&[(4, 1)]).await,
        [],
        "no more of its answers than would establish it wait at a time"
    );
    let copies = bed.claim(&[(1, 7)]).await;
    let complete = copies.iter().map(|job| submission(job.key, value(right(&job.path)))).collect();
    let outcomes = bed.apply(Batch { complete, ..Batch::default() }).await;
    let record = Record { passes: 3 + 7, ..Record::default() };
    assert!(outcomes.records.contains(&(4, record)), "{:?}", outcomes.records);
    bed.store = bed.database.open().await;
    let mut company = (*bed.company).clone();
    company.parties.join(worker(4), device(4), Timestamp(0));
    bed.company = Arc::new(company);
    let took = bed.claim(&[(4, 20)]).await.len();
    assert!(took > 10, "it was counted durably: {took}");
}

async fn an_error_is_checked_always_and_takes_four_who_are_known(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come(&[(1, KNOWN), (2, KNOWN), (3, KNOWN), (4, KNOWN)]);
    bed.pool(1, "credible(0.1)").await;
    for by in 1..=3 {
        assert_eq!(bed.answer(by, error("thrown")).await.1, Some(Change::Answered), "{by}");
    }
    let Some(Change::Ended(Ended::Failed(history))) = bed.answer(4, error("thrown")).await.1 else {
        panic!()
    };
    assert_eq!(history.len(), 4);
}

async fn old_lots_and_those_of_devices_that_are_away_are_closed_by_a_look(kind: Kind) {
    for (leaves, wait_ms) in [(false, LATE[0]), (true, LATE[1])] {
        let mut bed = Bed::new(kind).await;
        bed.come_three();
        bed.pool(1, "credible(0.01)").await;
        bed.compute(1, right).await;
        if leaves {
            Arc::make_mut(&mut bed.company).leave(worker(1));
            bed.come(&[(4, KNOWN)]);
        }
        let early = bed.compute(2, right).await.1 > 0;
        bed.now = bed.now.plus_ms(wait_ms);
        let outcomes = bed.look_now().await;
        assert_eq!(outcomes.woken, 0, "not yet");
        bed.now = bed.now.plus_ms(1);
        let outcomes = bed.look_now().await;
        assert_eq!(outcomes.woken == 0, early, "{leaves}");
        let (ruled, _) = bed.compute(2, right).await;
        assert_eq!(ended(&ruled).len() + ended(&outcomes.ruled).len(), 1);
    }
}

async fn settings_say_how_long_a_lot_stays_open(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come_three();
    bed.pool(1, "credible(0.01)").await;
    bed.compute(1, right).await;
    bed.now = bed.now.plus_ms(20_000);
    let judging = Judging { lot_ms: 10_000, ..Judging::default() };
    let look = Batch { look: true, judging, ..Batch::default() };
    assert_eq!(bed.apply(look).await.woken, 1);
}

async fn jobs_are_judged_to_their_end_by_what_was_assumed_when_they_came(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come_three();
    bed.pool(6, "credible(0.001)").await;
    bed.compute(1, right).await;
    let early = bed.compute(2, right).await.1;
    let judging = Judging { liars: AssumedShare::LARGEST, ..Judging::default() };
    let close = vec![Closing { run: bed.run, node: "p".into() }];
    let outcomes = bed.apply(Batch { close, judging, ..Batch::default() }).await;
    let plan = Plan::new(ErrorShare::of_millionths(1_000).unwrap(), AssumedShare::default()).unwrap();
    assert_eq!(plan.depth(6).devices, 1);
    assert_eq!(outcomes.woken, u64::from(plan.depth(6).chosen.saturating_sub(early)));
}

async fn where_no_plan_is_enough_any_more_all_are_looked_at(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come_three();
    bed.pool(6, "credible(0.0001)").await;
    bed.compute(1, right).await;
    let early = bed.compute(2, right).await.1;
    bed.database.sql("update jobs set assumed = null").await;
    let judging = Judging { liars: AssumedShare::LARGEST, ..Judging::default() };
    let close = vec![Closing { run: bed.run, node: "p".into() }];
    let outcomes = bed.apply(Batch { close, judging, ..Batch::default() }).await;
    assert_eq!((outcomes.ruled, outcomes.woken), (vec![], 6 - u64::from(early)));
    let states = bed.states().await;
    assert!(states.iter().all(|state| *state == (NodeState::Answered, None)), "{states:?}");
}

async fn large_values_are_kept_and_delivered(kind: Kind) {
    let large = |fill: &str| Encoded::of(&Value::String(fill.repeat(40_000))).unwrap();
    let mut bed = Bed::new(kind).await;
    bed.come(&[(1, KNOWN), (2, KNOWN), (3, KNOWN), (4, KNOWN)]);
    let job = NewJob { returns: None, ..bed.job("p/0/f", 0) };
    bed.judge(job, "credible(0.01)").await;
    bed.answer(1, Report::Value(large("x"))).await;
    bed.close().await;
    for by in [2, 3, 4] {
        assert_eq!(bed.answer(by, Report::Value(large("y"))).await.1, Some(Change::Answered), "{by}");
    }
    let id = bed.job_at("p/0/f").await;
    assert_eq!(bed.store.value(id).await.unwrap(), None);
    let more = bed.close().await.ruled;
    let value = |ruled: &Ruled| ruled.job.change == Change::Ended(Ended::Value(large("y")));
    assert!(more.iter().any(value), "{more:?}: the value that was believed, not the one that was kept first");
    assert_eq!(bed.store.value(id).await.unwrap(), Some(large("y")));
}

async fn a_copy_that_is_lost_is_asked_for_again(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come_three();
    bed.pool(1, "credible(0.01)").await;
    bed.compute(1, right).await;
    bed.close().await;
    let key = bed.claim_one(2).await.unwrap().key;
    let outcomes = bed.release(Release { key, end: AttemptEnd::Lost }).await;
    assert_eq!(outcomes.returned[0].job.change, Change::CopyReturned);
    assert_eq!(ended(&bed.compute(3, right).await.0).len(), 1);
}

async fn answers_that_wait_are_told_of_after_a_restart(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come_three();
    bed.pool(3, "credible(0.01)").await;
    let two = bed.claim(&[(1, 2)]).await;
    for job in &two {
        bed.report(job.key, value(right(&job.path))).await;
    }
    bed.store = bed.database.open().await;
    let trust = "credible(0.01)".parse::<Policy>().unwrap();
    let again = |index| NewJob { trust, ..bed.job(&format!("p/{index}/f"), 0) };
    let enqueue = (0..3).map(again).collect();
    let outcomes = bed.apply(Batch { enqueue, ..Batch::default() }).await;
    let mut told: Vec<&str> = outcomes.answered.iter().map(|(_, path)| path.as_str()).collect();
    told.sort_unstable();
    let mut answered: Vec<&str> = two.iter().map(|job| job.path.as_str()).collect();
    answered.sort_unstable();
    assert_eq!(told, answered);
    assert_eq!(outcomes.enqueued, []);
}

async fn a_paused_run_is_judged_and_asks_for_nothing(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come_three();
    bed.pool(2, "credible(0.01)").await;
    bed.compute(1, right).await;
    bed.pause(Scope::Run(bed.run), true).await;
    bed.close().await;
    assert_eq!(bed.claim(&[(2, 9)]).await, []);
    let jobs = bed.store.jobs(bed.run, None, 9).await.unwrap();
    assert!(jobs.iter().any(|job| job.waiting == Some(Waiting::Resume)), "{jobs:?}");
    bed.pause(Scope::Run(bed.run), false).await;
    assert_eq!(ended(&bed.compute(2, right).await.0), all(2));
}

/// What was chosen to be checked had been checked already, since a newcomer had said something else: nothing of it is wanted.
async fn what_has_ended_stays_so_when_its_lot_closes(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come_three();
    bed.come(&[(9, 0)]);
    bed.pool(1, "credible(0.01)").await;
    bed.answer(9, value(wrong("p/0/f"))).await;
    for by in [1, 2] {
        bed.answer(by, value(right("p/0/f"))).await;
    }
    assert_eq!(bed.states().await, [(NodeState::Answered, None)]);
    bed.apply(Batch { cancel: vec![Cancel::Run(bed.run)], ..Batch::default() }).await;
    assert_eq!(bed.close().await.ruled, []);
    assert_eq!(bed.states().await, [(NodeState::Cancelled, None)]);
}

async fn with_its_run_a_lot_ends(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come_three();
    bed.pool(2, "credible(0.01)").await;
    bed.compute(1, right).await;
    let end = RunEnd { state: RunState::Cancelled, at: bed.now, result: None, facts: RunFacts::default() };
    let run = bed.run;
    bed.store.end_run(run, &end, &RunCourse::default()).await.unwrap();
    bed.apply(Batch { cancel: vec![Cancel::Run(run)], ..Batch::default() }).await;
    bed.now = bed.now.plus_ms(2 * LATE[0]);
    assert_eq!((bed.look_now().await.ruled, bed.close().await.ruled), (vec![], vec![]));
    assert_eq!(bed.states().await, [(NodeState::Cancelled, None); 2]);
    assert_eq!(bed.forget(bed.now, 9).await.run, Some(run));
}

on_each_database! {
    a_lot_waits_is_looked_at_and_is_believed_as_a_whole,
    a_full_lot_closes_by_itself,
    one_lie_that_is_found_refuses_the_whole_lot,
    a_value_that_was_found_wrong_is_nobody_elses,
    what_stands_alone_takes_as_many_as_its_error_asks_for,
    newcomers_answer_for_a_fleet_that_opens_and_for_nobody_else,
    who_has_no_device_answers_only_while_the_fleet_opens,
    all_answers_of_a_crowded_network_are_checked,
    ten_confirmed_answers_make_a_device_established,
    an_error_is_checked_always_and_takes_four_who_are_known,
    old_lots_and_those_of_devices_that_are_away_are_closed_by_a_look,
    settings_say_how_long_a_lot_stays_open,
    jobs_are_judged_to_their_end_by_what_was_assumed_when_they_came,
    where_no_plan_is_enough_any_more_all_are_looked_at,
    large_values_are_kept_and_delivered,
    a_copy_that_is_lost_is_asked_for_again,
    answers_that_wait_are_told_of_after_a_restart,
    a_paused_run_is_judged_and_asks_for_nothing,
    what_has_ended_stays_so_when_its_lot_closes,
    with_its_run_a_lot_ends,
}
