//! Answers that need not be the same to the last bit, and those that are compared within one engine alone.

use weevil_model::witness::Engine;
use weevil_model::{Agree, Encoded, NodeState, TypedArrayKind, Value, Within};
use weevil_queue::batch::Change;
use weevil_queue::{Batch, Ended, NewJob, Outcomes, Report};
use weevil_records::AnswerFate::{Agreed, Refuted};

use crate::bed::{Bed, number};
use crate::databases::{Kind, on_each_database};
use crate::judged::value;
use crate::lots::{KNOWN, ended};

/// Larger than what a row takes on SQLite.
fn floats(last: f64) -> Encoded {
    let bytes = std::iter::repeat_n(1.0_f64, 4000).chain([last]).flat_map(f64::to_le_bytes).collect();
    Encoded::of(&Value::Typed(TypedArrayKind::Float64, bytes)).unwrap()
}

/// The value that a batch has ended the only job with, whoever brought it.
fn believed(outcomes: &Outcomes) -> Option<Encoded> {
    let settled = outcomes.completed.iter().filter_map(|settled| settled.job.as_ref());
    settled.chain(outcomes.ruled.iter().map(|ruled| &ruled.job)).find_map(|job| match &job.change {
        Change::Ended(Ended::Value(value)) => Some(value.clone()),
        _ => None,
    })
}

impl Bed {
    async fn judge_near(&mut self, path: &str, policy: &str, agree: &str) {
        let agree = agree.parse().unwrap();
        let job = NewJob { agree, returns: None, ..self.job(path, 0) };
        self.judge(job, policy).await;
    }
}

async fn numbers_that_are_near_agree_and_the_oldest_of_them_is_believed(kind: Kind) {
    for (policy, agree, said, last, fates) in [
        ("quorum(2)", "near(1e-6)", &[1.0, 1.000_000_5][..], 1.0, &[Agreed, Agreed][..]),
        ("quorum(2)", "near(0, 0.5)", &[0.0, 0.5], 0.0, &[Agreed, Agreed]),
        ("quorum(2)", "near(1e-6)", &[1.0, 2.0, 2.000_001], 2.0, &[Refuted, Agreed, Agreed]),
        // The third one is near the second, and not near the first.
        (
            "quorum(3)",
            "near(1e-6)",
            &[1.0, 1.000_000_8, 1.000_001_6, 1.000_000_4],
            1.0,
            &[Agreed, Agreed, Refuted, Agreed],
        ),
        // What was said before is not compared again, and agrees with the same.
        ("quorum(3)", "near(1e-6)", &[1.0, 1.000_000_5, 1.000_000_5], 1.0, &[Agreed, Agreed, Agreed]),
        ("quorum(2)", "exact", &[1.0, 1.000_000_5, 1.000_000_5], 1.000_000_5, &[Refuted, Agreed, Agreed]),
    ] {
        let mut bed = Bed::new(kind).await;
        bed.know_twenty();
        bed.judge_near("a", policy, agree).await;
        for (by, said_by) in (1..).zip(said) {
            let outcomes = bed.says(by, value(*said_by)).await;
            let is_last = usize::try_from(by).unwrap() == said.len();
            assert_eq!(believed(&outcomes), is_last.then(|| number(last)), "{agree} {said:?} {by}");
        }
        let found = bed.fates("a").await;
        assert_eq!(found, fates.iter().map(|fate| Some(*fate)).collect::<Vec<_>>(), "{agree} {said:?}");
        let id = bed.job_at("a").await;
        assert_eq!(bed.store.value(id).await.unwrap(), Some(number(last)));
    }
}

async fn large_values_are_compared_and_brought_back(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    bed.judge_near("a", "quorum(2)", "near(1e-6)").await;
    for (by, said, last) in [(1, 5.0, false), (2, 7.0, false), (3, 5.000_001, true)] {
        let outcomes = bed.says(by, Report::Value(floats(said))).await;
        assert_eq!(believed(&outcomes), last.then(|| floats(5.0)), "{by}");
        bed.store = bed.database.open().await;
    }
    let id = bed.job_at("a").await;
    assert_eq!(bed.store.value(id).await.unwrap(), Some(floats(5.0)));
}

async fn sixteen_that_are_far_from_each_other_are_the_end(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    bed.judge_near("a", "quorum(2)", "near(1e-6)").await;
    for by in 1..=16_u32 {
        let outcomes = bed.says(by.into(), value(by.into())).await;
        let change = outcomes.completed[0].job.as_ref().map(|job| &job.change);
        assert_eq!(matches!(change, Some(Change::Ended(Ended::Failed(_)))), by == 16, "{by} {change:?}");
    }
}

async fn a_lot_is_checked_within_its_tolerance(kind: Kind) {
    for (said, believed, refuted) in [(7.000_001, 7.0, 0), (8.0, 8.0, 1)] {
        let mut bed = Bed::new(kind).await;
        bed.come(&[(1, KNOWN), (2, KNOWN), (3, KNOWN), (4, KNOWN)]);
        let job = NewJob { agree: "near(1e-6)".parse().unwrap(), ..bed.job("p/0/f", 0) };
        bed.judge(job, "credible(0.01)").await;
        bed.says(1, value(7.0)).await;
        assert_eq!(bed.close().await.ruled, []);
        let mut ruled = bed.says(2, value(said)).await.ruled;
        for by in [3, 4] {
            if bed.claimable(by).await {
                ruled.extend(bed.says(by, value(said + 1e-7)).await.ruled);
            }
        }
        ruled.extend(bed.close().await.ruled);
        assert_eq!(ended(&ruled).values().copied().collect::<Vec<_>>(), [believed], "{said}");
        let fates = bed.fates("p/0/f").await;
        assert_eq!(fates.iter().filter(|fate| **fate == Some(Refuted)).count(), refuted, "{fates:?}");
    }
}

async fn copies_stay_within_the_engine_that_answered_first(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    for (number, engine) in [
        (1, Engine::Gecko),
        (2, Engine::Chromium),
        (3, Engine::Gecko),
        (4, Engine::Chromium),
        (5, Engine::Gecko),
    ] {
        bed.come_by(number, engine);
    }
    let within = Some(Within::Engine);
    let (first, second) = (bed.job("first", 1), bed.job("second", 0));
    bed.judge(NewJob { within, ..first }, "quorum(2)").await;
    bed.judge(NewJob { within, ..second }, "quorum(2)").await;
    bed.says(2, value(1.0)).await;
    bed.says(1, value(2.0)).await;
    bed.store = bed.database.open().await;
    let mut taken = Vec::new();
    for by in [3, 4] {
        let claimed = bed.claim_one(by).await.unwrap();
        taken.push(claimed.path.clone());
        let said = if claimed.path == "first" { 1.0 } else { 2.0 };
        let (_, change) = bed.report(claimed.key, value(said)).await;
        assert_eq!(change, Some(Change::Ended(Ended::Value(number(said)))), "{by}");
    }
    assert_eq!(taken, ["second", "first"], "Gecko computes what Gecko has answered");
    let job = NewJob { within, ..bed.job("third", 0) };
    bed.judge(job, "quorum(3)").await;
    bed.says(1, value(1.0)).await;
    assert_eq!(bed.claim(&[(2, 1), (4, 1)]).await, [], "nobody else may");
    bed.says(5, value(1.0)).await;
    assert_eq!(bed.store.jobs(bed.run, None, 9).await.unwrap()[2].state, NodeState::Answered);
}

async fn a_stored_value_stands_in_only_where_it_was_compared_as_strictly(kind: Kind) {
    for (stored, asked, taken) in [
        ("exact", "exact", true),
        ("exact", "near(1e-6)", true),
        ("near(1e-6)", "near(1e-6)", true),
        ("near(1e-6)", "near(1e-9)", false),
        ("near(1e-6)", "exact", false),
    ] {
        let mut bed = Bed::new(kind).await;
        bed.know_twenty();
        let job = NewJob { agree: stored.parse().unwrap(), ..bed.job("a", 0) };
        let again = NewJob { path: "b".into(), id: bed.job("b", 0).id, reuse: true, ..job.clone() };
        bed.judge(job, "quorum(2)").await;
        for by in [1, 2] {
            bed.says(by, value(1.0)).await;
        }
        let again = NewJob { agree: asked.parse::<Agree<_>>().unwrap(), ..again };
        bed.judge(again, "quorum(2)").await;
        assert_eq!(bed.claimable(3).await, !taken, "{stored} for {asked}");
    }
}

impl Bed {
    /// Whether the worker would be handed something; it gives that back.
    async fn claimable(&mut self, by: i64) -> bool {
        let Some(claimed) = self.claim_one(by).await else { return false };
        let end = weevil_queue::AttemptEnd::Yielded;
        let release = vec![weevil_queue::Release { key: claimed.key, end }];
        self.apply(Batch { release, ..Batch::default() }).await;
        true
    }
}

on_each_database! {
    numbers_that_are_near_agree_and_the_oldest_of_them_is_believed,
    large_values_are_compared_and_brought_back,
    sixteen_that_are_far_from_each_other_are_the_end,
    a_lot_is_checked_within_its_tolerance,
    copies_stay_within_the_engine_that_answered_first,
    a_stored_value_stands_in_only_where_it_was_compared_as_strictly,
}
