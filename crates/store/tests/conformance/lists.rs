//! Lists, page by page: what is kept is found once, whatever comes in between; and by state, workflow and time.

use std::collections::BTreeSet;

use weevil_model::{ContentHash, ProjectId, RunId, RunState, Timestamp};
use weevil_records::{
    FinalNode, LastRun, MAX_COUNTED_RUNS, NamedVersion, Order, RunCourse, RunEnd, RunFacts, RunList,
    RunRecord, StoredWorkflow, VersionMark,
};

use crate::bed::{Bed, workflow};
use crate::databases::{Kind, on_each_database};

/// Runs or versions that are there when the first page is asked for.
const KEPT: usize = 11;
const PAGE: u32 = 4;

impl Bed {
    async fn runs(&self, list: RunList, most: u32) -> Vec<RunId> {
        let listed = self.store.runs(&list, most).await.unwrap();
        listed.into_iter().map(|run| run.head.id).collect()
    }

    async fn end(&self, run: RunId, state: RunState) {
        let end = RunEnd { state, at: self.now, result: None, facts: RunFacts::default() };
        self.store.end_run(run, &end, &RunCourse::default()).await.unwrap();
    }

    /// A version of its own.
    async fn keep(&self, name: &str, text: &str, at: i64) {
        let files = vec![("workflow.xml".to_owned(), text.as_bytes().to_vec())];
        let hash = ContentHash::of(text.as_bytes());
        let made = StoredWorkflow {
            hash,
            name: name.into(),
            files,
            code: BTreeSet::new(),
            checked_by: 1,
            final_node: FinalNode::Untold,
        };
        self.store.keep_workflow(ProjectId::DEFAULT, &made, Timestamp(at)).await.unwrap();
    }
}

async fn pages_of_runs_lose_and_repeat_none(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let mut kept = vec![bed.run];
    for at in 1..KEPT {
        // Some in one millisecond, some not.
        bed.now = bed.now.plus_ms(i64::try_from(at % 2).unwrap());
        kept.push(bed.add_run().await);
    }
    kept.reverse();
    let (mut found, mut before) = (Vec::new(), None);
    loop {
        let page = bed.runs(RunList { before, ..RunList::default() }, PAGE).await;
        let Some(last) = page.last().copied() else { break };
        found.extend(page);
        before = Some(last);
        let newcomer = bed.add_run().await;
        bed.end(newcomer, RunState::Failed).await;
        bed.end(last, RunState::Finished).await;
    }
    assert_eq!(found, kept);
    assert!(bed.runs(RunList::default(), 100).await.len() > KEPT);
}

async fn runs_are_found_by_state_workflow_and_time(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let mut runs = vec![bed.run];
    for _ in 0..3 {
        bed.now = bed.now.plus_ms(10);
        runs.push(bed.add_run().await);
    }
    bed.end(runs[1], RunState::Failed).await;
    bed.end(runs[2], RunState::Failed).await;
    let (all, here, start) = (RunList::default(), Some(workflow().hash), bed.now.plus_ms(-30));
    let failed = RunList { state: Some(RunState::Failed), ..all };
    for (list, expected) in [
        (all, vec![3, 2, 1, 0]),
        (failed, vec![2, 1]),
        (RunList { before: Some(runs[2]), ..failed }, vec![1]),
        (RunList { state: Some(RunState::Finished), ..all }, vec![]),
        (RunList { workflow: here, ..all }, vec![3, 2, 1, 0]),
        (RunList { workflow: here, ..failed }, vec![2, 1]),
        (RunList { workflow: Some(ContentHash::of(b"another")), ..all }, vec![]),
        (RunList { created_after: Some(start), ..all }, vec![3, 2, 1]),
        (RunList { created_before: Some(start.plus_ms(20)), ..all }, vec![1, 0]),
        (RunList { created_after: Some(start), created_before: Some(start.plus_ms(20)), ..failed }, vec![1]),
        (RunList { created_before: Some(start), ..all }, vec![]),
        (RunList { from: Some(runs[1]), ..all }, vec![3, 2, 1]),
        (RunList { from: Some(runs[1]), before: Some(runs[3]), ..all }, vec![2, 1]),
        (RunList { from: Some(runs[2]), workflow: here, ..failed }, vec![2]),
        (RunList { from: Some(runs[3]), before: Some(runs[3]), ..all }, vec![]),
        (RunList { order: Order::Oldest, ..all }, vec![0, 1, 2, 3]),
        (RunList { order: Order::Oldest, from: Some(runs[1]), before: Some(runs[3]), ..all }, vec![1, 2]),
        (RunList { order: Order::Oldest, workflow: here, ..failed }, vec![1, 2]),
    ] {
        let expected: Vec<RunId> = expected.into_iter().map(|at| runs[at]).collect();
        assert_eq!(bed.runs(list, 100).await, expected, "{list:?}");
    }
}

async fn a_list_of_runs_ends_at_the_wall_of_its_project(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let (first, bees) = (bed.run, ProjectId::from_number(2).unwrap());
    let record = bed.store.run(first).await.unwrap().unwrap();
    assert_eq!((record.project, record.created_by.as_deref()), (ProjectId::DEFAULT, None));
    let theirs =
        RunRecord { id: bed.minter.run(bed.now), project: bees, created_by: Some("local".into()), ..record };
    bed.store.create_run(&workflow(), &theirs, &[]).await.unwrap();
    assert_eq!(bed.store.run(theirs.id).await.unwrap(), Some(theirs.clone()));
    let (state, hash) = (Some(RunState::Started), Some(workflow().hash));
    for (state, workflow) in [(None, None), (state, None), (None, hash), (state, hash)] {
        for (project, expected) in [
            (None, vec![theirs.id, first]),
            (Some(ProjectId::DEFAULT), vec![first]),
            (Some(bees), vec![theirs.id]),
            (ProjectId::from_number(3), vec![]),
        ] {
            let list = RunList { project, state, workflow, ..RunList::default() };
            assert_eq!(bed.runs(list, 9).await, expected, "{list:?}");
        }
    }
}

async fn pages_of_versions_lose_and_repeat_none(kind: Kind) {
    let bed = Bed::new(kind).await;
    for at in 0..KEPT {
        let (name, text) = (["pi", "tau", "\u{fc} of any name"][at % 3], format!("<x n='{at}'/>"));
        // Three in each millisecond; one content under two names.
        bed.keep(name, &text, i64::try_from(2_000 + at / 3).unwrap()).await;
        bed.keep("all", &text, 2_001).await;
    }
    let kept = bed.store.workflows(Some(ProjectId::DEFAULT), None, 100).await.unwrap();
    assert_eq!(kept.len(), 2 * KEPT + 1, "and the bed's own");
    assert!(kept.is_sorted_by(|one, next| one.created_at >= next.created_at));
    let (mut found, mut after, mut newer) = (Vec::<NamedVersion>::new(), None, 3_000);
    loop {
        let page = bed.store.workflows(Some(ProjectId::DEFAULT), after.as_ref(), PAGE).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(VersionMark {
            created_at: last.created_at,
            project: last.project,
            name: last.name.clone(),
            hash: last.hash,
        });
        found.extend(page);
        newer += 1;
        bed.keep("newer", &newer.to_string(), newer).await;
    }
    assert_eq!(found, kept);
}

/// How the newest run stands, and how many there are.
async fn runs_of_a_version_are_told_with_it(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.keep("never run", "<x/>", 2_000).await;
    bed.now = bed.now.plus_ms(10);
    let newest = bed.add_run().await;
    bed.end(newest, RunState::Failed).await;
    let theirs = ProjectId::from_number(2).unwrap();
    let record = bed.store.run(bed.run).await.unwrap().unwrap();
    let elsewhere = RunRecord { id: bed.minter.run(bed.now), project: theirs, ..record };
    bed.store.create_run(&workflow(), &elsewhere, &[]).await.unwrap();
    let last = |id, state| Some(LastRun { id, state, created_at: bed.now });
    let told = async |project| {
        let listed = bed.store.workflows(Some(project), None, 9).await.unwrap();
        let told = listed.into_iter().map(|version| (version.hash, version.last_run, version.runs));
        told.collect::<Vec<_>>()
    };
    let (never, here) = (ContentHash::of(b"<x/>"), workflow().hash);
    let of_bees = LastRun { id: elsewhere.id, state: RunState::Started, created_at: elsewhere.created_at };
    assert_eq!(told(theirs).await, [(here, Some(of_bees), 1)]);
    let mut ours = told(ProjectId::DEFAULT).await;
    ours.sort_by_key(|(hash, ..)| *hash == here);
    assert_eq!(ours, [(never, None, 0), (here, last(newest, RunState::Failed), 2)]);

    bed.database.sql(&copies_of(newest, MAX_COUNTED_RUNS)).await;
    let most = told(ProjectId::DEFAULT).await.into_iter().map(|(.., runs)| runs).max();
    assert_eq!(most, Some(MAX_COUNTED_RUNS));
    // No project was charged for them.
    bed.database
        .sql(&format!("delete from runs where id < {} and id > {}", newest.number(), bed.run.number()))
        .await;
}

/// So many runs like this one, before it.
fn copies_of(run: RunId, copies: u32) -> String {
    let id = run.number();
    format!(
        "insert into runs (id, project, workflow, name, seed, state, created_at, reuse)
         with recursive n(i) as (select 1 union all select i + 1 from n where i < {copies})
         select id - i, project, workflow, name, seed, state, created_at, reuse from n, runs where id = {id}"
    )
}

on_each_database! {
    pages_of_runs_lose_and_repeat_none,
    runs_are_found_by_state_workflow_and_time,
    a_list_of_runs_ends_at_the_wall_of_its_project,
    pages_of_versions_lose_and_repeat_none,
    runs_of_a_version_are_told_with_it,
}
