//! The ends of runs: their facts read back, and the views of earlier releases read, listed and turned into facts.

use weevil_model::{NodeKind, NodeState, RunId, RunState, Timestamp};
use weevil_records::{
    ListedRun, NodeFacts, Progress, RunCourse, RunEnd, RunFacts, RunFailure, RunList, RunStats, RunTotals,
    Turned,
};

use crate::bed::{Bed, number};
use crate::databases::{Kind, on_each_database};

const PROGRESS: Progress =
    Progress { total: 3, queued: 0, running: 0, done: 2, failed: 1, answered: 0, reused: 0 };

fn facts() -> RunFacts {
    let node = NodeFacts {
        id: "p".into(),
        kind: NodeKind::Pool,
        path: "v/p".into(),
        state: NodeState::Failed,
        sources: vec!["v".into()],
        jobs: Some(PROGRESS),
        trust: Vec::new(),
    };
    RunFacts {
        summary: RunTotals { progress: PROGRESS, stats: RunStats { jobs: 2, ..RunStats::default() } },
        error: Some(RunFailure { node: "v/p/x".into(), ..RunFailure::default() }),
        nodes: vec![node],
        node_count: 1,
    }
}

/// What a release before stored of the same facts.
fn old_view(run: RunId) -> String {
    let progress = r#"{"total":3,"queued":0,"running":0,"done":2,"failed":1}"#;
    format!(
        r#"{{"summary":{{"progress":{progress}}},"nodes":[{{"id":"p","kind":"pool","path":"/user/rootSupervisor/{run}/v/p",
        "state":"FAILED","sources":["v"],"jobs":{progress}}}],"nodeCount":1,"stats":{{"jobs":2,"reused":0,"workers":0,
        "places":null,"slots":0,"wallMs":0,"computeMs":0.0,"medianMs":0.0,"utilisation":0.0,"mflops":0.0}},
        "result":null,"error":{{"node":"v/p/x","attempts":[]}}}}"#
    )
}

impl Bed {
    /// A run that a release before has ended.
    async fn ended_before(&mut self, view: impl FnOnce(RunId) -> String) -> RunId {
        let run = self.add_run().await;
        let row = format!("state = 'FAILED', finished_at = 9, `view` = '{}'", view(run));
        self.database.sql(&format!("update runs set {row} where id = {}", run.number())).await;
        run
    }

    async fn facts_of(&self, run: RunId) -> RunFacts {
        self.store.run(run).await.unwrap().unwrap().end.unwrap().facts
    }

    async fn listed(&self, run: RunId) -> ListedRun {
        let listed = self.store.runs(&RunList::default(), 100).await.unwrap();
        listed.into_iter().find(|listed| listed.head.id == run).unwrap()
    }

    async fn count(&self, which: &str) -> i64 {
        self.database.sql(&format!("select count(*) from runs where {which}")).await.unwrap()
    }
}

async fn an_end_is_read_back_and_listed_by_its_totals(kind: Kind) {
    let bed = Bed::new(kind).await;
    let open = bed.listed(bed.run).await;
    assert_eq!((open.head.state, open.head.finished_at), (RunState::Started, None));
    assert_eq!(open.progress, Progress::default());
    let end =
        RunEnd { state: RunState::Failed, at: Timestamp(9), result: Some(number(157.0)), facts: facts() };
    bed.store.end_run(bed.run, &end, &RunCourse::default()).await.unwrap();
    let record = bed.store.run(bed.run).await.unwrap().unwrap();
    assert_eq!(bed.listed(bed.run).await, ListedRun { head: record.head(), progress: PROGRESS });
    assert_eq!((record.head().finished_at, record.end), (Some(Timestamp(9)), Some(end)));
    assert_eq!(bed.count("`view` is not null").await, 0, "views are not written any more");
}

async fn old_views_are_read_until_they_are_facts(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let mut runs = Vec::new();
    for _ in 0..3 {
        runs.push(bed.ended_before(old_view).await);
    }
    assert_eq!(bed.count("summary is not null").await, 0);
    let mut after = None;
    for (turned, left) in [(2, 1), (1, 0)] {
        for run in &runs {
            assert_eq!((bed.facts_of(*run).await, bed.listed(*run).await.progress), (facts(), PROGRESS));
        }
        let step = bed.store.turn_views(after, 2, bed.now).await.unwrap();
        assert_eq!((step.runs, step.unreadable.len()), (turned, 0));
        assert_eq!(bed.count("`view` is not null and summary is null").await, left);
        after = step.last;
    }
    assert_eq!(after, runs.last().copied());
    for run in &runs {
        assert_eq!((bed.facts_of(*run).await, bed.listed(*run).await.progress), (facts(), PROGRESS));
    }
    assert_eq!(bed.count("`view` is not null").await, 0);
    for after in [None, after] {
        assert_eq!(bed.store.turn_views(after, 2, bed.now).await.unwrap(), Turned::default());
    }
}

async fn a_view_that_cannot_be_read_is_listed_and_says_so(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let lost = bed.ended_before(|_| "no view".into()).await;
    let whole = bed.ended_before(old_view).await;
    for (turned, told) in [(2, vec![lost]), (0, Vec::new())] {
        let failure = bed.facts_of(lost).await.error.unwrap();
        assert!(failure.message.contains("cannot be read: expected"), "{failure:?}");
        let listed = bed.listed(lost).await;
        assert_eq!((listed.head.state, listed.progress), (RunState::Failed, Progress::default()));
        assert_eq!(bed.facts_of(whole).await, facts());
        let step = bed.store.turn_views(None, 9, bed.now).await.unwrap();
        let unreadable: Vec<RunId> = step.unreadable.into_iter().map(|(run, _)| run).collect();
        assert_eq!((step.runs, unreadable), (turned, told), "it is told once");
    }
    assert_eq!(bed.count("`view` = 'no view'").await, 1, "a person may make something of it");
}

async fn facts_that_cannot_be_read_are_told_as_such(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let whole = bed.ended_before(old_view).await;
    let end = RunEnd { state: RunState::Finished, at: Timestamp(9), result: None, facts: facts() };
    bed.store.end_run(bed.run, &end, &RunCourse::default()).await.unwrap();
    for broken in ["nodes = x'ff'", "error = x'00'", "summary = x''"] {
        bed.database.sql(&format!("update runs set {broken} where id = {}", bed.run.number())).await;
        let told = bed.facts_of(bed.run).await;
        assert!(told.error.unwrap().message.contains("cannot be read"), "{broken}");
        assert_eq!(bed.listed(bed.run).await.head.state, RunState::Finished, "{broken}");
        assert_eq!(bed.facts_of(whole).await, facts(), "{broken}");
    }
}

on_each_database! {
    an_end_is_read_back_and_listed_by_its_totals,
    old_views_are_read_until_they_are_facts,
    a_view_that_cannot_be_read_is_listed_and_says_so,
    facts_that_cannot_be_read_are_told_as_such,
}
