//! Workflows and files of projects: what one has, another has not.

use std::collections::BTreeSet;

use weevil_access::audit::{Action, Actor, AuditEntry, AuditOutcome};
use weevil_model::{ContentHash, ProjectId, RunState, Timestamp};
use weevil_records::{Blob, NamedVersion, Removal, RunCourse, RunEnd, RunFacts, StoredWorkflow};

use crate::bed::{Bed, second_project, workflow};
use crate::databases::{Kind, on_each_database};

const MINE: ProjectId = ProjectId::DEFAULT;

/// A workflow of these files, each of which holds its own name.
fn of(name: &str, files: &[&str]) -> StoredWorkflow {
    let files: Vec<_> = files.iter().map(|file| ((*file).to_owned(), file.as_bytes().to_vec())).collect();
    StoredWorkflow {
        hash: ContentHash::of(name.as_bytes()),
        name: name.into(),
        files,
        code: BTreeSet::new(),
        ..workflow()
    }
}

impl Bed {
    async fn has(&self, file: &str) -> Vec<ProjectId> {
        self.store.blob_projects(ContentHash::of(file.as_bytes())).await.unwrap()
    }

    async fn versions(&self, project: Option<ProjectId>) -> Vec<(ProjectId, String)> {
        let versions = self.store.workflows(project, None, 99).await.unwrap();
        let ours = versions.into_iter().filter(|version| version.name != workflow().name);
        ours.map(|NamedVersion { project, name, .. }| (project, name)).collect()
    }

    async fn remove(&self, project: ProjectId, workflow: &StoredWorkflow) -> Removal {
        let entry = AuditEntry {
            at: self.now,
            actor: Actor::Local,
            action: Action::WorkflowRemoved,
            subject: Some(workflow.hash.to_string()),
            project: Some(project),
            place: None,
            outcome: AuditOutcome::Done,
            details: None,
        };
        self.database.open().await.remove_workflow(project, workflow.hash, &entry).await.unwrap()
    }

    /// Rows that tell of removals.
    async fn told(&self) -> Option<i64> {
        self.database.sql("select count(*) from audit where action = 'workflow.removed'").await
    }
}

async fn a_workflow_is_where_it_has_a_name(kind: Kind) {
    let bed = Bed::new(kind).await;
    let sum = of("sum", &["a.js", "b.json"]);
    let renamed = StoredWorkflow { name: "total".into(), ..sum.clone() };
    for (project, workflow, at) in [(MINE, &sum, 2_000), (second_project(), &renamed, 2_001)] {
        for again in 0..2 {
            bed.store.keep_workflow(project, workflow, Timestamp(at + again)).await.unwrap();
        }
    }
    let theirs = (second_project(), "total".to_owned());
    assert_eq!(bed.versions(Some(MINE)).await, [(MINE, "sum".to_owned())]);
    assert_eq!(bed.versions(Some(second_project())).await, *std::slice::from_ref(&theirs));
    assert_eq!(bed.versions(None).await, [theirs, (MINE, "sum".to_owned())]);
    assert_eq!(bed.store.workflow_projects(sum.hash).await.unwrap(), [MINE, second_project()]);
    assert_eq!(bed.store.workflow_projects(ContentHash::of(b"nothing")).await.unwrap(), []);
    for (project, name) in [(MINE, Some("sum")), (second_project(), Some("total")), (third(), None)] {
        let found = bed.store.workflow_name(project, sum.hash).await.unwrap();
        assert_eq!(found.as_deref(), name, "{project}");
    }
    assert_eq!(bed.has("b.json").await, [MINE, second_project()]);
}

fn third() -> ProjectId {
    ProjectId::from_number(3).unwrap()
}

/// Whatever the order in which an index has them.
async fn the_first_of_names_from_one_moment_is_the_workflow_s_own(kind: Kind) {
    let bed = Bed::new(kind).await;
    for first in ["a", "b", "c", "d"] {
        let named =
            |name: &str| StoredWorkflow { name: name.into(), ..of(&format!("of {first}"), &["a.js"]) };
        for name in [first, "a", "b", "c", "d"] {
            bed.store.keep_workflow(MINE, &named(name), bed.now).await.unwrap();
        }
        let found = bed.store.workflow_name(MINE, named(first).hash).await.unwrap();
        assert_eq!(found.as_deref(), Some(first));
    }
}

async fn a_project_has_the_code_that_it_put_in(kind: Kind) {
    let bed = Bed::new(kind).await;
    assert_eq!(bed.has("a.js").await, []);
    for project in [second_project(), MINE, MINE] {
        bed.store.keep_code(project, b"a.js", bed.now).await.unwrap();
    }
    assert_eq!(bed.has("a.js").await, [MINE, second_project()]);
}

async fn a_removed_workflow_takes_the_files_that_nothing_else_names(kind: Kind) {
    let bed = Bed::new(kind).await;
    let (sum, mean) = (of("sum", &["both", "sum's", "put in"]), of("mean", &["both"]));
    for (project, workflow) in [(MINE, &sum), (MINE, &mean), (second_project(), &sum)] {
        bed.store.keep_workflow(project, workflow, bed.now).await.unwrap();
    }
    bed.store.keep_code(MINE, b"put in", bed.now).await.unwrap();
    assert_eq!(bed.remove(third(), &sum).await, Removal::NotThere);
    assert_eq!(bed.remove(MINE, &sum).await, Removal::Removed);
    assert_eq!(bed.remove(MINE, &sum).await, Removal::NotThere);
    let both = [MINE, second_project()];
    for (file, projects) in [("both", &both[..]), ("put in", &both[..]), ("sum's", &both[1..])] {
        assert_eq!(bed.has(file).await, projects, "{file}");
    }
    assert_eq!(bed.store.workflow_projects(sum.hash).await.unwrap(), [second_project()]);
    let bytes = Blob { bytes: b"sum's".to_vec(), code: false };
    assert_eq!(bed.store.blob(ContentHash::of(b"sum's")).await.unwrap(), Some(bytes), "bytes stay");
    assert_eq!(bed.told().await, Some(1));
    bed.store.keep_workflow(MINE, &sum, bed.now).await.unwrap();
    assert_eq!(bed.has("sum's").await, both, "and come again");
}

async fn a_workflow_stays_while_a_run_of_it_is_kept(kind: Kind) {
    let bed = Bed::new(kind).await;
    bed.store.keep_workflow(second_project(), &workflow(), bed.now).await.unwrap();
    assert_eq!(bed.remove(MINE, &workflow()).await, Removal::InUse);
    assert_eq!(bed.remove(second_project(), &workflow()).await, Removal::Removed, "its runs are others'");
    let facts = RunFacts::default();
    let end = RunEnd { state: RunState::Failed, at: bed.now, result: None, facts };
    bed.store.end_run(bed.run, &end, &RunCourse::default()).await.unwrap();
    assert_eq!(bed.remove(MINE, &workflow()).await, Removal::InUse, "also once it has ended");
    bed.store.forget(bed.now.plus_ms(1), 9, bed.now).await.unwrap();
    assert_eq!(bed.remove(MINE, &workflow()).await, Removal::Removed);
}

on_each_database! {
    a_workflow_is_where_it_has_a_name,
    the_first_of_names_from_one_moment_is_the_workflow_s_own,
    a_project_has_the_code_that_it_put_in,
    a_removed_workflow_takes_the_files_that_nothing_else_names,
    a_workflow_stays_while_a_run_of_it_is_kept,
}
