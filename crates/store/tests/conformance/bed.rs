//! A database, a clock and a run of one test's own, and what tests ask of them.

use std::sync::Arc;

use weevil_access::Quotas;
use weevil_access::audit::{Action, Actor, AuditEntry, AuditOutcome};
use weevil_access::store::NewProject;
use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::{
    Agree, ContentHash, DataType, Encoded, Minter, Needs, PauseWords, PlaceNumber, ProjectId, Reuse, RunId,
    RunState, Timestamp, Value, WorkerId,
};
use weevil_queue::batch::{Change, Verdict};
use weevil_queue::decide::claim::MAX_CLAIM_BYTES;
use weevil_queue::decide::company::Company;
use weevil_queue::{
    Appetite, AttemptKey, Batch, Claim, Claimed, ClaimedEffort, Failure, NewJob, Origin, Outcomes, Release,
    Report, Reporter, RunJudgement, Submission,
};
use weevil_records::{
    FinalNode, Forgotten, Retrace, RunCourse, RunEnd, RunInput, RunRecord, Scope, StoredWorkflow,
};
use weevil_store::Stores;

use crate::databases::{Kind, TestDatabase};

pub(crate) const LEASE_MS: i64 = 60_000;
/// What each report claims.
pub(crate) const COST: ClaimedEffort = ClaimedEffort { slot: 0, compute_us: 5, flops: 2.0 };

pub(crate) struct Bed {
    pub(crate) store: Arc<dyn Stores>,
    pub(crate) database: TestDatabase,
    pub(crate) minter: Minter,
    pub(crate) now: Timestamp,
    pub(crate) run: RunId,
    pub(crate) token: i64,
    pub(crate) company: Arc<Company>,
}

/// Worker 1, of no device.
pub(crate) fn reporter() -> Reporter {
    Reporter { worker: worker(1), device: None }
}

pub(crate) fn submission(key: AttemptKey, report: Report) -> Submission {
    Submission { key, reporter: reporter(), report, claimed: COST, slots: 1, digest: None, log: None }
}

/// Jobs that one claim hands out.
const MOST: i64 = 500;

/// Beside the one that everything else here is of.
pub(crate) fn second_project() -> ProjectId {
    ProjectId::from_number(2).unwrap()
}

pub(crate) fn number(n: f64) -> Encoded {
    Encoded::of(&Value::Number(n)).unwrap()
}

pub(crate) fn worker(n: i64) -> WorkerId {
    WorkerId::from_number(n).unwrap()
}

pub(crate) fn ask(worker_number: i64, wants: u32, has: Needs) -> Appetite {
    Appetite { worker: worker(worker_number), wants, has }
}

pub(crate) fn workflow() -> StoredWorkflow {
    let files = vec![("Add.js".to_owned(), b"function weevil_main() {}".to_vec())];
    StoredWorkflow {
        hash: ContentHash::of(b"workflow"),
        name: "add".into(),
        code: [ContentHash::of(&files[0].1)].into(),
        files,
        checked_by: 1,
        final_node: FinalNode::Untold,
    }
}

impl Bed {
    pub(crate) async fn new(kind: Kind) -> Self {
        let database = TestDatabase::new(kind);
        let store = database.open().await;
        let mut minter = Minter::new(0);
        let run = minter.run(Timestamp(1));
        let mut bed =
            Self { store, database, minter, now: Timestamp(1_000), run, token: 0, company: Arc::default() };
        bed.run = bed.add_run().await;
        bed
    }

    pub(crate) async fn add_run(&mut self) -> RunId {
        self.add_run_of(ProjectId::DEFAULT, &[]).await
    }

    pub(crate) async fn add_run_of(&mut self, project: ProjectId, inputs: &[RunInput]) -> RunId {
        let id = self.minter.run(self.now);
        let record = RunRecord {
            id,
            project,
            created_by: None,
            name: "add".into(),
            workflow: workflow().hash,
            seed: u64::MAX,
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
        };
        self.store.create_run(&workflow(), &record, inputs).await.unwrap();
        self.audit().await;
        id
    }

    pub(crate) fn job(&mut self, path: &str, priority: i32) -> NewJob {
        NewJob {
            id: self.minter.job(self.now),
            project: ProjectId::DEFAULT,
            origin: Origin::Run(self.run),
            path: path.into(),
            code: ContentHash::of(path.as_bytes()),
            source: "Add.js".into(),
            input: number(7.0).into(),
            returns: Some(DataType::Number),
            reuse: false,
            seed: u64::MAX - 1,
            priority,
            needs: Needs::JAVASCRIPT,
            delay_ms: 0,
            max_wait_ms: None,
            retry_ms: 0,
            timeout_ms: 1_000,
            max_attempts: 3,
            copies: 1,
            trust: Policy::None,
            assumed: AssumedShare::default(),
            agree: Agree::Exact,
            proof: None,
            within: None,
            kernels: None,
            in_pool: path.matches('/').count() == 2,
        }
    }

    /// Makes the `second_project`.
    pub(crate) async fn add_project(&self) -> ProjectId {
        let new = NewProject {
            slug: "second".parse().unwrap(),
            name: "Second".parse().unwrap(),
            quotas: Quotas::default(),
            jobs_a_minute: 0,
        };
        self.store.add_project(&new, &self.entry(Action::ProjectCreated)).await.unwrap().unwrap()
    }

    /// What the audit is to say, in tests where it does not matter.
    pub(crate) fn entry(&self, action: Action) -> AuditEntry {
        AuditEntry {
            at: self.now,
            actor: Actor::Local,
            action,
            subject: None,
            project: None,
            place: None,
            outcome: AuditOutcome::Done,
            details: None,
        }
    }

    pub(crate) async fn apply(&self, batch: Batch) -> Outcomes {
        let batch = Batch { lease_ms: LEASE_MS, company: self.company.clone(), ..batch };
        let outcomes = self.store.apply(&batch, self.now).await.unwrap();
        self.audit().await;
        outcomes
    }

    /// No rule is broken, whatever was just done.
    pub(crate) async fn audit(&self) {
        let found = weevil_store::audit(&self.database.address.parse().unwrap()).await.unwrap();
        assert_eq!(found.broken, []);
    }

    pub(crate) async fn end_run(&self, run: RunId, end: &RunEnd) {
        self.store.end_run(run, end, &RunCourse::default()).await.unwrap();
        self.audit().await;
    }

    pub(crate) async fn tidy_up(&self) -> u64 {
        let returned = self.store.tidy_up(self.now).await.unwrap();
        self.audit().await;
        returned
    }

    pub(crate) async fn forget(&self, before: Timestamp, most: u32) -> Forgotten {
        let forgotten = self.store.forget(before, most, self.now).await.unwrap();
        self.audit().await;
        forgotten
    }

    /// Pauses or resumes.
    pub(crate) async fn pause(&self, scope: Scope, paused: bool) -> bool {
        self.pause_with(scope, paused.then(PauseWords::default)).await
    }

    pub(crate) async fn pause_with(&self, scope: Scope, words: Option<PauseWords>) -> bool {
        let changed = self.store.pause(scope, words.as_ref(), self.now).await.unwrap();
        self.audit().await;
        changed
    }

    /// Connects workers, each at the place of this number.
    pub(crate) fn meet(&mut self, workers: &[(i64, u64)]) {
        for (number, place) in workers {
            let place = PlaceNumber::from_number(*place);
            Arc::make_mut(&mut self.company).join(worker(*number), place, Needs::JAVASCRIPT);
        }
    }

    pub(crate) async fn enqueue(&mut self, jobs: &[(&str, i32)]) {
        let enqueue = jobs.iter().map(|(path, priority)| self.job(path, *priority)).collect();
        self.apply(Batch { enqueue, ..Batch::default() }).await;
    }

    pub(crate) async fn claim(&mut self, asks: &[(i64, u32)]) -> Vec<Claimed> {
        let has = |number: &i64| {
            let party = self.company.parties.of(worker(*number));
            party.map_or(Needs::JAVASCRIPT, |party| Needs::JAVASCRIPT.run_by(party.witness.engine))
        };
        let asks = asks.iter().map(|(number, wants)| ask(*number, *wants, has(number))).collect();
        self.claim_with(asks).await
    }

    pub(crate) async fn claim_with(&mut self, asks: Vec<Appetite>) -> Vec<Claimed> {
        let tokens = (0..MOST).map(|n| self.token + n).collect();
        self.token += MOST;
        let claim = Claim { asks, tokens, bytes: MAX_CLAIM_BYTES, ..Claim::default() };
        self.apply(Batch { claim, ..Batch::default() }).await.claimed
    }

    pub(crate) async fn claim_one(&mut self, worker: i64) -> Option<Claimed> {
        self.claim(&[(worker, 1)]).await.pop()
    }

    pub(crate) async fn report(&self, key: AttemptKey, report: Report) -> (Verdict, Option<Change>) {
        let submission = submission(key, report);
        let outcomes = self.apply(Batch { complete: vec![submission], ..Batch::default() }).await;
        let settled = outcomes.completed.into_iter().next().unwrap();
        (settled.verdict, settled.job.map(|job| job.change))
    }

    pub(crate) async fn release(&self, release: Release) -> Outcomes {
        self.apply(Batch { release: vec![release], ..Batch::default() }).await
    }
}

pub(crate) fn boom(message: &str) -> Report {
    Report::Error(Failure { kind: "thrown".into(), message: message.into(), stack: "at weevil_main".into() })
}

pub(crate) fn paths(claimed: &[Claimed]) -> Vec<&str> {
    claimed.iter().map(|c| c.path.as_str()).collect()
}
