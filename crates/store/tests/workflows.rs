//! What every store must keep of workflows and runs: names, versions, files, inputs, reuse.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its scene must stop")]

mod databases;

use std::collections::BTreeSet;
use std::sync::Arc;

use weevil_model::{ContentHash, Encoded, Minter, ProjectId, Reuse, RunId, RunState, Timestamp, Value};
use weevil_queue::RunJudgement;
use weevil_records::{
    FinalNode, ListedFile, ListedWorkflow, Retrace, RunInput, RunRecord, Store, StoredWorkflow,
};

use databases::{Kind, TestDatabase, on_each_database};

struct Bed {
    store: Arc<dyn Store>,
    database: TestDatabase,
    minter: Minter,
}

impl Bed {
    async fn new(kind: Kind) -> Self {
        let database = TestDatabase::new(kind);
        let store = database.open().await;
        Self { store, database, minter: Minter::new(0) }
    }

    async fn reopen(&mut self) {
        self.store = self.database.open().await;
    }

    async fn keep(&self, workflow: &StoredWorkflow, at: i64) {
        self.store.keep_workflow(ProjectId::DEFAULT, workflow, Timestamp(at)).await.unwrap();
    }

    fn record(&mut self, workflow: &StoredWorkflow, reuse: Reuse, at: i64) -> RunRecord {
        RunRecord {
            id: self.minter.run(Timestamp(at)),
            project: ProjectId::DEFAULT,
            created_by: None,
            name: "a run".into(),
            workflow: workflow.hash,
            seed: 1,
            state: RunState::Started,
            created_at: Timestamp(at),
            paused: None,
            reuse,
            trust: None,
            assumed: None,
            left_out: Vec::new(),
            doubted: 0,
            retrace: Retrace::Never,
            judgement: RunJudgement::default(),
            end: None,
            unread: None,
        }
    }

    async fn run(&mut self, workflow: &StoredWorkflow, reuse: Reuse, inputs: &[RunInput], at: i64) -> RunId {
        let record = self.record(workflow, reuse, at);
        self.store.create_run(workflow, &record, inputs).await.unwrap();
        record.id
    }

    /// Each version: name, hash, when, files, bytes.
    async fn listed(&self, most: u32) -> Vec<(String, ContentHash, i64, u32, u64)> {
        let versions = self.store.workflows(Some(ProjectId::DEFAULT), None, most).await.unwrap();
        versions.into_iter().map(|v| (v.name, v.hash, v.created_at.0, v.files, v.bytes)).collect()
    }
}

fn workflow(name: &str, files: &[(&str, &str)]) -> StoredWorkflow {
    let hash = ContentHash::of_parts(files.iter().map(|(path, text)| (*path, text.as_bytes())));
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
    StoredWorkflow {
        hash,
        name: name.into(),
        files,
        code: BTreeSet::new(),
        checked_by: 1,
        final_node: FinalNode::Id("x".into()),
    }
}

fn value(value: &Value) -> Encoded {
    Encoded::of(value).unwrap()
}

async fn names_have_versions_and_contents_may_have_names(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let first = workflow("pi", &[("a.js", "one"), ("workflow.xml", "<x/>")]);
    let second = workflow("pi", &[("a.js", "three"), ("workflow.xml", "<x/>")]);
    let alias = StoredWorkflow { name: "tau".into(), ..first.clone() };
    for (workflow, at) in [(&first, 1), (&second, 2), (&alias, 3), (&first, 4)] {
        bed.keep(workflow, at).await;
    }
    bed.run(&second, Reuse::Never, &[], 5).await;
    bed.reopen().await;
    let version = |name: &str, of: &StoredWorkflow, at, bytes| (name.to_owned(), of.hash, at, 2, bytes);
    let all = [version("tau", &first, 3, 7), version("pi", &second, 2, 9), version("pi", &first, 1, 7)];
    for (limit, expected) in [(9, &all[..]), (3, &all), (2, &all[..2]), (1, &all[..1]), (0, &[])] {
        assert_eq!(bed.listed(limit).await, expected, "{limit}");
    }
    assert_eq!(bed.store.workflow(first.hash).await.unwrap(), Some(first.clone()), "by its first name");
    assert_eq!(bed.store.workflow(ContentHash::of(b"nothing")).await.unwrap(), None);
}

async fn a_workflow_knows_the_newest_checker_that_accepted_it(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let made = workflow("add", &[("workflow.xml", "<x/>")]);
    for (at, (checked_by, newest)) in [(3, 3), (2, 3), (4, 4), (4, 4)].into_iter().enumerate() {
        let made = StoredWorkflow { checked_by, ..made.clone() };
        if at % 2 == 0 {
            bed.keep(&made, 1).await;
        } else {
            bed.run(&made, Reuse::Never, &[], 1).await;
        }
        let stored = bed.store.workflow(made.hash).await.unwrap().unwrap();
        assert_eq!(stored.checked_by, newest, "after {checked_by}");
    }
}

async fn a_run_names_its_workflow_as_an_upload_does(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let add = workflow("add", &[("workflow.xml", "<x/>")]);
    bed.run(&add, Reuse::Never, &[], 1).await;
    bed.run(&add, Reuse::Never, &[], 2).await;
    assert_eq!(bed.listed(9).await, [("add".to_owned(), add.hash, 1, 1, 4)]);
}

async fn files_are_listed_with_their_sizes(kind: Kind) {
    let bed = Bed::new(kind).await;
    let pi = workflow("pi", &[("b.js", "one"), ("a.json", ""), ("workflow.xml", "<ü/>")]);
    bed.keep(&pi, 1).await;
    let file = |path: &str, text: &str| ListedFile {
        path: path.into(),
        hash: ContentHash::of(text.as_bytes()),
        bytes: text.len() as u64,
    };
    let files = vec![file("a.json", ""), file("b.js", "one"), file("workflow.xml", "<ü/>")];
    let listed = ListedWorkflow { name: "pi".into(), files, final_node: FinalNode::Id("x".into()) };
    assert_eq!(bed.store.workflow_files(pi.hash).await.unwrap(), Some(listed));
    assert_eq!(bed.store.workflow_files(ContentHash::of(b"nothing")).await.unwrap(), None);
}

async fn a_final_node_is_kept_once(kind: Kind) {
    let bed = Bed::new(kind).await;
    let told = async |hash| bed.store.workflow_files(hash).await.unwrap().unwrap().final_node;
    for (text, found) in [("one", FinalNode::Refused), ("two", FinalNode::Id("y".into()))] {
        let old = StoredWorkflow { final_node: FinalNode::Untold, ..workflow("pi", &[("a.js", text)]) };
        bed.keep(&old, 1).await;
        assert_eq!(told(old.hash).await, FinalNode::Untold);
        for later in [found.clone(), FinalNode::Id("z".into())] {
            bed.store.keep_final_node(old.hash, &later, Timestamp(2)).await.unwrap();
            assert_eq!(told(old.hash).await, found);
        }
        let stored = bed.store.workflow(old.hash).await.unwrap();
        assert_eq!(stored, Some(StoredWorkflow { final_node: found, ..old }));
    }
}

async fn equal_files_are_stored_once(kind: Kind) {
    let bed = Bed::new(kind).await;
    let large = "x".repeat(1 << 18);
    for at in 0..20_i64 {
        bed.keep(&workflow("many", &[("large.json", &large), ("workflow.xml", &at.to_string())]), at).await;
    }
    let versions = bed.listed(99).await;
    assert!(versions.iter().all(|version| version.0 == "many"));
    assert_eq!((versions.len(), versions[0].4), (20, (1 << 18) + 2));
    assert_eq!(
        bed.store.blob(ContentHash::of(large.as_bytes())).await.unwrap().map(|blob| blob.bytes),
        Some(large.into_bytes())
    );
    let stored = bed.database.sql("select sum(length(bytes)) from blobs").await;
    assert_eq!(stored, Some((1 << 18) + 10 + 10 * 2), "bytes for 20 workflows that share all but a few");
}

async fn inputs_and_reuse_come_back_with_their_run(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let add = workflow("add", &[("workflow.xml", "<x/>")]);
    let inputs = vec![
        ("val1".to_owned(), value(&Value::Number(f64::NAN))),
        ("val2".to_owned(), value(&Value::Undefined)),
        ("\u{1F41B} \"'".to_owned(), value(&Value::String("; drop table runs".into()))),
    ];
    let mut made = Vec::new();
    for (reuse, inputs) in
        [(Reuse::Never, &inputs[..0]), (Reuse::Repeatable, &inputs[..1]), (Reuse::Always, &inputs)]
    {
        made.push((bed.run(&add, reuse, inputs, 1).await, reuse, inputs.to_vec()));
    }
    bed.reopen().await;
    let open = bed.store.open_runs().await.unwrap();
    assert_eq!(open, made.iter().map(|run| run.0).collect::<Vec<_>>(), "oldest first");
    for (run, reuse, mut inputs) in made {
        assert_eq!(bed.store.run(run).await.unwrap().unwrap().reuse, reuse);
        inputs.sort_by(|one, other| one.0.cmp(&other.0));
        assert_eq!(bed.store.inputs(run).await.unwrap(), inputs, "by the ids of their nodes");
    }
}

async fn a_run_whose_inputs_collide_is_not_kept_at_all(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let add = workflow("add", &[("workflow.xml", "<x/>")]);
    let one = ("val1".to_owned(), value(&Value::Null));
    let record = bed.record(&add, Reuse::Never, 1);
    bed.store.create_run(&add, &record, &[one.clone(), one]).await.unwrap_err();
    assert_eq!(bed.store.run(record.id).await.unwrap(), None);
    assert_eq!((bed.listed(9).await, bed.store.workflow(add.hash).await.unwrap()), (vec![], None));
}

on_each_database! {
    names_have_versions_and_contents_may_have_names,
    a_workflow_knows_the_newest_checker_that_accepted_it,
    a_run_names_its_workflow_as_an_upload_does,
    files_are_listed_with_their_sizes,
    a_final_node_is_kept_once,
    equal_files_are_stored_once,
    inputs_and_reuse_come_back_with_their_run,
    a_run_whose_inputs_collide_is_not_kept_at_all,
}
