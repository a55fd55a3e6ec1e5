//! Work that the audit tells of: what is done and what is said of it are there together, and sessions, links and tokens that are
//! over go piece by piece.

use weevil_access::audit::{Action, AuditEntry};
use weevil_access::store::{AuditQuery, LinkFor};
use weevil_model::{PauseWords, ProjectId, QueuePause, Reuse, RunState};
use weevil_queue::RunJudgement;
use weevil_records::{Retrace, RunRecord, Scope};

use super::{DAY_MS, People};
use crate::bed::workflow;
use crate::databases::{Kind, on_each_database};

impl People {
    fn of(&self, action: Action) -> AuditEntry {
        AuditEntry { action, ..self.entry() }
    }

    fn a_run(&mut self) -> RunRecord {
        RunRecord {
            id: self.minter.run(self.now),
            project: ProjectId::DEFAULT,
            created_by: None,
            name: "add".into(),
            workflow: workflow().hash,
            seed: 1,
            state: RunState::Started,
            created_at: self.now,
            paused: None,
            reuse: Reuse::Never,
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

    /// The newest first.
    async fn actions(&self) -> Vec<String> {
        let rows = self.store.audit_page(&AuditQuery::default(), None, 99).await.unwrap();
        rows.into_iter().map(|row| row.action).collect()
    }
}

async fn work_and_what_is_said_of_it_are_there_together(kind: Kind) {
    let mut people = People::new(kind).await;
    let (run, store) = (people.a_run(), people.store.clone());
    store.create_audited_run(&workflow(), &run, &[], &people.of(Action::RunCreated)).await.unwrap();
    store
        .keep_audited_workflow(ProjectId::DEFAULT, &workflow(), &people.of(Action::WorkflowCreated))
        .await
        .unwrap();
    let unknown = Scope::Run(people.minter.run(people.now));
    let words = PauseWords { by: Some("ada".into()), note: Some("lunch".into()) };
    for (scope, paused, action, there) in [
        (Scope::Run(run.id), Some(&words), Action::RunPaused, true),
        (unknown, Some(&words), Action::RunPaused, false),
        (Scope::Run(run.id), None, Action::RunResumed, true),
        (Scope::Queue, Some(&words), Action::QueuePaused, true),
    ] {
        assert_eq!(
            store.pause_audited(scope, paused, &people.of(action)).await.unwrap(),
            there,
            "{action:?}"
        );
    }
    assert!(store.run(run.id).await.unwrap().is_some_and(|run| run.paused.is_none()));
    let pause = QueuePause { since: people.now, words };
    assert_eq!(store.queue_pause().await.unwrap(), Some(pause));
    let expected = ["queue.paused", "run.resumed", "run.paused", "workflow.created", "run.created"];
    assert_eq!(people.actions().await, expected);
}

/// An id that is there already: the transaction fails, and the audit says nothing.
async fn a_run_that_is_not_kept_is_not_told(kind: Kind) {
    let mut people = People::new(kind).await;
    let (run, store) = (people.a_run(), people.store.clone());
    let entry = people.of(Action::RunCreated);
    store.create_audited_run(&workflow(), &run, &[], &entry).await.unwrap();
    assert!(store.create_audited_run(&workflow(), &run, &[], &entry).await.is_err());
    assert_eq!(people.actions().await, ["run.created"]);
}

async fn what_is_over_goes_in_pieces(kind: Kind) {
    let mut people = People::new(kind).await;
    let ada = people.add("ada", true).await;
    for _ in 0..3 {
        people.open(ada).await;
        people.link(LinkFor::Invite { admin: false, into: None }).await.unwrap();
        people.token(ada).await.unwrap();
    }
    let (now, store) = (people.now, people.store.clone());
    let forget = async |days: i64, most| {
        store.forget_expired(now.plus_ms(days * DAY_MS + 1), most, now).await.unwrap()
    };
    for (days, most, gone) in [(0, 9, 0), (1, 2, 2), (1, 2, 1), (1, 2, 0), (14, 9, 3), (90, 9, 3), (99, 9, 0)]
    {
        assert_eq!(forget(days, most).await, gone, "{days} {most}");
    }
    assert!(store.account(ada).await.unwrap().is_some(), "accounts stay");
}

on_each_database! {
    work_and_what_is_said_of_it_are_there_together,
    a_run_that_is_not_kept_is_not_told,
    what_is_over_goes_in_pieces,
}
