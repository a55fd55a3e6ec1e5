//! What it costs a device that it was found wrong: its lots, and where engines agree its rest.

use std::sync::Arc;

use weevil_model::witness::{Engine, Mark, Record, Witness};
use weevil_model::{ContentHash, NodeState, Timestamp};
use weevil_queue::batch::{Change, Verdict};
use weevil_queue::{Batch, NewJob, Outcomes, Report};
use weevil_records::AnswerFate;

use crate::bed::{Bed, number, submission};
use crate::databases::{Kind, on_each_database};
use crate::judged::{device, error, value};
use crate::lots::{KNOWN, ended, requeued, right, wrong};

const HOUR_MS: i64 = 3_600_000;
const POLICY: &str = "credible(0.001)";

impl Bed {
    /// The worker takes a job and says this of it.
    pub(crate) async fn say(&mut self, by: i64, report: Report) -> Outcomes {
        let key =
            self.claim_one(by).await.unwrap_or_else(|| panic!("nothing for {by}, who says {report:?}")).key;
        self.now = self.now.plus_ms(1);
        self.apply(Batch { complete: vec![submission(key, report)], ..Batch::default() }).await
    }

    /// A job of the code of all pools, in front of what else is there.
    pub(crate) async fn first(&mut self, path: &str) {
        let job = NewJob { code: ContentHash::of(b"f"), ..self.job(path, 9) };
        self.judge(job, POLICY).await;
    }

    /// Devices 1 and 2 agree on a pool.
    pub(crate) async fn agree_often(&mut self) {
        self.pool(8, POLICY).await;
        self.compute(1, right).await;
        self.close().await;
        assert!(self.compute(2, right).await.1 >= 3);
    }

    /// Device 1 says this, and four who are known say otherwise: by so much they lead. Answers what came of it, and keeps what is known of devices.
    pub(crate) async fn outvote(&mut self, path: &str, said: Report) -> Outcomes {
        self.first(path).await;
        self.say(1, said).await;
        for by in [2, 3, 4] {
            self.say(by, value(right(path))).await;
        }
        let outcomes = self.say(5, value(right(path))).await;
        Arc::make_mut(&mut self.company).parties.learn(&outcomes.records);
        outcomes
    }
}

fn of_first(outcomes: &Outcomes) -> Option<Record> {
    outcomes.records.iter().find(|(device, _)| *device == 1).map(|(_, record)| *record)
}

/// Five who are known, also to the database.
pub(crate) async fn five(kind: Kind) -> Bed {
    let mut bed = Bed::new(kind).await;
    for number in 1..=5 {
        bed.come(&[(number, KNOWN)]);
        bed.database.sql(&format!("insert into records (device, passes) values ({number}, {KNOWN})")).await;
    }
    bed
}

async fn where_answers_have_agreed_a_lie_costs_a_rest_and_all_open_lots(kind: Kind) {
    let mut bed = five(kind).await;
    bed.agree_often().await;
    let here = bed.run;
    bed.run = bed.add_run().await;
    bed.pool(2, POLICY).await;
    assert_eq!(bed.compute(1, right).await.1, 2, "an open lot of another run");
    bed.run = here;
    let outcomes = bed.outvote("a", value(wrong("a"))).await;
    let until = Some(bed.now.plus_ms(HOUR_MS));
    let rests = Record { refuted: 1, rests_until: until, ..Record::default() };
    assert_eq!((of_first(&outcomes), requeued(&outcomes.ruled)), (Some(rests), 2));
    let vote = bed.job("vote", 99);
    bed.judge(vote, "quorum(2)").await;
    for (wait_ms, taken) in [(0, false), (HOUR_MS - 1, false), (1, true)] {
        bed.now = bed.now.plus_ms(wait_ms);
        assert_eq!(bed.claim_one(1).await.is_some(), taken, "{wait_ms}");
    }
}

async fn the_answer_that_stands_now_is_told_of_since_its_lot_is_new(kind: Kind) {
    let mut bed = five(kind).await;
    bed.agree_often().await;
    let here = bed.run;
    bed.run = bed.add_run().await;
    bed.pool(1, POLICY).await;
    bed.compute(1, right).await;
    bed.close().await;
    assert_eq!(bed.compute(2, right).await.1, 1, "of three devices");
    let there = std::mem::replace(&mut bed.run, here);
    let outcomes = bed.outvote("a", value(wrong("a"))).await;
    let of_there = outcomes.ruled.iter().filter(|ruled| ruled.job.run == Some(there));
    assert_eq!(of_there.map(|ruled| &ruled.job.change).collect::<Vec<_>>(), [&Change::Answered]);
    bed.run = there;
    bed.close().await;
    bed.compute(3, right).await;
    assert_eq!(ended(&bed.compute(4, right).await.0).len(), 1);
}

/// What a trusted device has said as well does not stand on the lot that is refused.
async fn what_was_confirmed_at_once_stays_believed(kind: Kind) {
    let mut bed = five(kind).await;
    bed.agree_often().await;
    bed.run = bed.add_run().await;
    bed.pool(2, POLICY).await;
    bed.compute(1, right).await;
    bed.close().await;
    let trusted = Record { is_trusted: true, ..Record::default() };
    Arc::make_mut(&mut bed.company).parties.learn(&[(2, trusted)]);
    let first = bed.claim_one(2).await.unwrap();
    let said = value(right(&first.path));
    assert_eq!(bed.report(first.key, said).await.0, Verdict::Accepted);
    let second = bed.claim_one(2).await.unwrap();
    bed.report(second.key, value(-1.0)).await;
    assert_eq!(bed.fates(&first.path).await, [Some(AnswerFate::Agreed); 2]);
    assert_eq!(bed.fates(&second.path).await, [Some(AnswerFate::Refuted), Some(AnswerFate::Agreed)]);
}

async fn before_answers_have_agreed_it_costs_the_lot_alone(kind: Kind) {
    let mut bed = five(kind).await;
    let outcomes = bed.outvote("a", value(wrong("a"))).await;
    assert_eq!(of_first(&outcomes), None);
    bed.first("b").await;
    assert!(bed.claim_one(1).await.is_some(), "it does not rest");
}

async fn engines_that_have_never_agreed_differ_without_harm(kind: Kind) {
    let mut bed = five(kind).await;
    bed.agree_often().await;
    let other = Witness { engine: Engine::WebKit, ..device(1) };
    let known = Record { passes: KNOWN, ..Record::default() };
    let company = Arc::make_mut(&mut bed.company);
    company.parties.join(crate::bed::worker(1), other, Timestamp(0));
    company.parties.learn(&[(1, known)]);
    assert_eq!(of_first(&bed.outvote("a", value(wrong("a"))).await), None);
}

async fn the_third_refuted_error_of_a_day_costs_a_rest(kind: Kind) {
    let mut bed = five(kind).await;
    bed.agree_often().await;
    for (path, rests) in [("a", false), ("b", false), ("c", true)] {
        let outcomes = bed.outvote(path, error("thrown")).await;
        let record = of_first(&outcomes).unwrap();
        assert_eq!(record.rests_until.is_some(), rests, "{path}: {record:?}");
    }
}

async fn who_rests_hands_in_what_it_holds_and_pays_once(kind: Kind) {
    let mut bed = five(kind).await;
    bed.agree_often().await;
    bed.first("held").await;
    let held = bed.claim_one(1).await.unwrap();
    bed.outvote("a", value(wrong("a"))).await;
    let complete = vec![submission(held.key, value(wrong("held")))];
    bed.apply(Batch { complete, ..Batch::default() }).await;
    for by in [2, 3] {
        bed.say(by, value(right("held"))).await;
    }
    let outcomes = bed.say(4, value(right("held"))).await;
    assert_eq!(of_first(&outcomes), None, "without points it was only compared");
    let jobs = bed.store.jobs(bed.run, None, 99).await.unwrap();
    let held = jobs.iter().find(|job| job.path == "held").unwrap();
    assert_eq!(held.state, NodeState::Finished);
}

/// It was marked before anybody knew.
async fn what_it_holds_for_a_quorum_is_one_vote(kind: Kind) {
    let mut bed = five(kind).await;
    bed.agree_often().await;
    bed.first("a").await;
    bed.say(1, value(wrong("a"))).await;
    bed.mark(1, Mark::Trusted).await;
    let vote = bed.job("vote", 99);
    let id = vote.id;
    bed.judge(vote, "quorum(2)").await;
    let held = bed.claim_one(1).await.unwrap();
    assert_eq!(held.key.job, id);
    for by in [2, 3, 4, 5] {
        bed.say(by, value(right("a"))).await;
    }
    let (_, change) = bed.report(held.key, value(wrong("vote"))).await;
    assert_eq!(change, Some(Change::Answered), "it is trusted no more");
    for by in [2, 3] {
        bed.say(by, value(right("vote"))).await;
    }
    assert_eq!(bed.store.value(id).await.unwrap(), Some(number(right("vote"))));
}

async fn a_rest_outlasts_a_restart(kind: Kind) {
    let mut bed = five(kind).await;
    bed.agree_often().await;
    bed.outvote("a", value(wrong("a"))).await;
    bed.store = bed.database.open().await;
    Arc::make_mut(&mut bed.company).parties.join(crate::bed::worker(1), device(1), Timestamp(0));
    bed.first("b").await;
    assert_eq!(bed.claim_one(1).await, None);
}

on_each_database! {
    where_answers_have_agreed_a_lie_costs_a_rest_and_all_open_lots,
    what_was_confirmed_at_once_stays_believed,
    before_answers_have_agreed_it_costs_the_lot_alone,
    engines_that_have_never_agreed_differ_without_harm,
    the_third_refuted_error_of_a_day_costs_a_rest,
    who_rests_hands_in_what_it_holds_and_pays_once,
    what_it_holds_for_a_quorum_is_one_vote,
    a_rest_outlasts_a_restart,
    the_answer_that_stands_now_is_told_of_since_its_lot_is_new,
}
