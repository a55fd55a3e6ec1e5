//! How runs went: kept with their end, read on their own.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use weevil_model::{NodeState, RunId, RunState, Timestamp};
use weevil_queue::profile::{Computed, Profile};
use weevil_queue::{Batch, ClaimedEffort, Report, Reporter, Submission};
use weevil_records::{NodeStates, Progress, RunCourse, RunEnd, RunFacts, StoreError};

use crate::bed::{Bed, boom, number, submission, worker};
use crate::databases::{Kind, on_each_database};

fn end() -> RunEnd {
    RunEnd { state: RunState::Finished, at: Timestamp(9), result: None, facts: RunFacts::default() }
}

async fn the_states_of_nodes_are_kept_with_the_end(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let unheard_of = RunId::from_number(1).unwrap();
    for run in [bed.run, unheard_of] {
        assert_eq!(bed.store.node_states(run).await.unwrap(), None);
        assert_eq!(bed.store.profile(run).await.unwrap(), None);
    }
    let pools = vec![(1, Progress { total: 3, done: 3, ..Progress::default() })];
    for states in [NodeStates::default(), NodeStates::new(&vec![NodeState::Failed; 100_000], pools)] {
        let course = RunCourse { states, profile: Some(Profile::default().facts()) };
        let run = bed.add_run().await;
        assert!(bed.store.end_run(run, &end(), &course).await.unwrap());
        assert_eq!(bed.store.node_states(run).await.unwrap(), Some(course.states));
        assert_eq!(bed.store.profile(run).await.unwrap(), course.profile);
    }
}

async fn broken_states_hide_no_run(kind: Kind) {
    let bed = Bed::new(kind).await;
    assert!(bed.store.end_run(bed.run, &end(), &RunCourse::default()).await.unwrap());
    bed.database.sql("update runs set states = x'00', profile = x'00'").await;
    let read = bed.store.node_states(bed.run).await;
    assert!(matches!(read, Err(StoreError::Corrupt { .. })), "{read:?}");
    let read = bed.store.profile(bed.run).await;
    assert!(matches!(read, Err(StoreError::Corrupt { .. })), "{read:?}");
    assert_eq!(bed.store.run(bed.run).await.unwrap().unwrap().end, Some(end()));
}

async fn jobs_are_found_where_they_are(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let other = bed.add_run().await;
    bed.enqueue(&[("a", 0), ("a/0/f", 0), ("ü", 0)]).await;
    let paths = ["ü", "nowhere", "a", "A"].map(str::to_owned);
    let mut found = bed.store.jobs_at(bed.run, &paths).await.unwrap();
    found.sort_by(|one, other| one.path.cmp(&other.path));
    assert_eq!(found.iter().map(|job| job.path.as_str()).collect::<Vec<_>>(), ["a", "ü"]);
    let one = bed.store.jobs(bed.run, None, 9).await.unwrap().into_iter().find(|job| job.path == "ü");
    assert_eq!(Some(&found[1]), one.as_ref());
    assert_eq!(bed.store.jobs_at(other, &paths).await.unwrap(), []);
    assert_eq!(bed.store.jobs_at(bed.run, &[]).await.unwrap(), []);
}

async fn a_profile_is_made_anew_of_all_attempts(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let other = bed.add_run().await;
    bed.enqueue(&[("a", 0), ("b", 0)]).await;
    let failed = bed.claim_one(1).await.unwrap();
    bed.report(failed.key, boom("boom")).await;
    for worker in 1..=2 {
        let claimed = bed.claim_one(worker).await.unwrap();
        bed.report(claimed.key, Report::Value(number(1.0))).await;
    }
    let sums = bed.store.computed(bed.run).await.unwrap().sums();
    assert_eq!((sums.jobs, sums.errors), (2, 1));
    assert_eq!(bed.store.computed(other).await.unwrap().facts(), Profile::default().facts());
}

/// Courses of runs that are drawn; each has a database of its own.
const COURSES: usize = 4;

/// One attempt, and whether the server starts anew behind it.
#[derive(Debug)]
struct Step {
    worker: i64,
    lasts_ms: i64,
    claimed: ClaimedEffort,
    fails: bool,
    restart: bool,
}

fn course() -> impl Strategy<Value = Vec<Step>> {
    let compute_us = prop_oneof![3 => 0..5_000_000_u64, 1 => any::<u64>()];
    let lasts_ms = prop_oneof![4 => 0..5_000_i64, 1 => 0..4_000_000_i64];
    let step = (1..=3_i64, lasts_ms, 0..3_u32, compute_us, 0.0..1e12, 0..4_u8, any::<bool>()).prop_map(
        |(worker, lasts_ms, slot, compute_us, flops, luck, restart)| {
            let claimed = ClaimedEffort { slot, compute_us, flops };
            Step { worker, lasts_ms, claimed, fails: luck == 0, restart }
        },
    );
    prop::collection::vec(step, 8..24)
}

async fn a_restart_changes_no_profile(kind: Kind) {
    let mut runner = TestRunner::deterministic();
    for _ in 0..COURSES {
        let course = course().new_tree(&mut runner).unwrap().current();
        let mut bed = Bed::new(kind).await;
        let mut live = Profile::default();
        for (at, step) in course.iter().enumerate() {
            bed.enqueue(&[(&at.to_string(), 0)]).await;
            attempt(&mut bed, step, &mut live).await;
            let anew = bed.store.computed(bed.run).await.unwrap();
            assert_eq!(anew.facts(), live.facts(), "{at} of {course:?}");
            if step.restart {
                live = anew;
            }
        }
    }
}

/// Notes it as the run that goes on does.
async fn attempt(bed: &mut Bed, step: &Step, live: &mut Profile) {
    let key = bed.claim_one(step.worker).await.unwrap().key;
    bed.now = bed.now.plus_ms(step.lasts_ms);
    let report = if step.fails { boom("boom") } else { Report::Value(number(1.0)) };
    let reporter = Reporter { worker: worker(step.worker), device: None };
    let told = Submission { reporter, claimed: step.claimed, slots: 3, ..submission(key, report) };
    let outcomes = bed.apply(Batch { complete: vec![told], ..Batch::default() }).await;
    let effort = outcomes.completed[0].effort.unwrap();
    if step.fails {
        live.failed(bed.now);
    } else {
        live.worked(&Computed::of(worker(step.worker), &effort, bed.now));
    }
}

on_each_database! {
    a_restart_changes_no_profile,
    a_profile_is_made_anew_of_all_attempts,
    jobs_are_found_where_they_are,
    the_states_of_nodes_are_kept_with_the_end,
    broken_states_hide_no_run,
}
