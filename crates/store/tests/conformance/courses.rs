//! How runs went: kept with their end, read on their own.

use weevil_model::{NodeState, RunId, RunState, Timestamp};
use weevil_records::{NodeStates, Progress, RunCourse, RunEnd, RunFacts, StoreError};

use crate::bed::Bed;
use crate::databases::{Kind, on_each_database};

fn end() -> RunEnd {
    RunEnd { state: RunState::Finished, at: Timestamp(9), result: None, facts: RunFacts::default() }
}

async fn the_states_of_nodes_are_kept_with_the_end(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let unheard_of = RunId::from_number(1).unwrap();
    for run in [bed.run, unheard_of] {
        assert_eq!(bed.store.node_states(run).await.unwrap(), None);
    }
    let pools = vec![(1, Progress { total: 3, done: 3, ..Progress::default() })];
    for states in [NodeStates::default(), NodeStates::new(&vec![NodeState::Failed; 100_000], pools)] {
        let (run, course) = (bed.add_run().await, RunCourse { states });
        assert!(bed.store.end_run(run, &end(), &course).await.unwrap());
        assert_eq!(bed.store.node_states(run).await.unwrap(), Some(course.states));
    }
}

async fn broken_states_hide_no_run(kind: Kind) {
    let bed = Bed::new(kind).await;
    assert!(bed.store.end_run(bed.run, &end(), &RunCourse::default()).await.unwrap());
    bed.database.sql("update runs set states = x'00'").await;
    let read = bed.store.node_states(bed.run).await;
    assert!(matches!(read, Err(StoreError::Corrupt { .. })), "{read:?}");
    assert_eq!(bed.store.run(bed.run).await.unwrap().unwrap().end, Some(end()));
}

on_each_database! {
    the_states_of_nodes_are_kept_with_the_end,
    broken_states_hide_no_run,
}
