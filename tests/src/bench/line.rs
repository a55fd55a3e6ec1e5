//! A line of jobs in a database, with no server around it: grown, claimed from, completed.

use std::sync::Arc;

use tempfile::TempDir;
use weevil_e2e::DatabaseKind;
use weevil_mariadb::MariaDb;
use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::witness::{Engine, Record, Witness};
use weevil_model::{
    Agree, Capabilities, ContentHash, DataType, Encoded, Minter, Needs, PlaceNumber, ProjectId, Reuse,
    RunState, Timestamp, Value, WorkerId, digest,
};
use weevil_queue::batch::{Change, Settled};
use weevil_queue::decide::claim::MAX_CLAIM_BYTES;
use weevil_queue::decide::company::Company;
use weevil_queue::decide::effort::ClaimedEffort;
use weevil_queue::{
    Appetite, AttemptKey, Batch, Claim, NewJob, Origin, Report, Reporter, RunJudgement, Submission,
};
use weevil_records::{FinalNode, Retrace, RunRecord, Store, StoredWorkflow};

const AT_ONCE: usize = 10_000;
const NOW: Timestamp = Timestamp(1_000);
const LEASE_MS: i64 = 60_000;
/// Confirmed answers of a device that is established.
const PASSES: u32 = 10;
/// The worker of a line that has one.
const FIRST: i64 = 1;
const EFFORT: ClaimedEffort = ClaimedEffort { slot: 0, compute_us: 5, flops: 2.0 };

pub(crate) struct Line {
    store: Arc<dyn Store>,
    minter: Minter,
    record: RunRecord,
    made: usize,
    /// What new jobs need.
    capabilities: Capabilities,
    /// The last token that a claim was given.
    token: i64,
    policy: Policy,
    /// Who speaks from the workers.
    company: Arc<Company>,
    _folder: TempDir,
}

impl Line {
    /// In a database of its own.
    pub(crate) async fn new(kind: DatabaseKind) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let address = match kind {
            DatabaseKind::Sqlite => format!("sqlite:{}", folder.path().join("weevil.db").display()),
            DatabaseKind::MariaDb => MariaDb::shared().database(),
        };
        let database = address.parse().expect("an address");
        let store = weevil_store::open(&database).await.expect("a database");
        let mut minter = Minter::new(0);
        let workflow = StoredWorkflow {
            hash: ContentHash::of(b"line"),
            name: "line".into(),
            files: vec![("Code.js".into(), b"function weevil_main() {}".to_vec())],
            code: [ContentHash::of(b"function weevil_main() {}")].into(),
            checked_by: 1,
            final_node: FinalNode::Untold,
        };
        let record = RunRecord {
            id: minter.run(NOW),
            project: ProjectId::DEFAULT,
            created_by: None,
            name: "line".into(),
            workflow: workflow.hash,
            seed: 0,
            state: RunState::Started,
            created_at: NOW,
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
        store.create_run(&workflow, &record, &[]).await.expect("a run is stored");
        let capabilities = Capabilities::JAVASCRIPT;
        Self {
            store,
            minter,
            record,
            made: 0,
            capabilities,
            token: 0,
            policy: Policy::None,
            company: Arc::default(),
            _folder: folder,
        }
    }

    /// New jobs are judged so, by workers 1 to `devices`: each an established device in a network of its own.
    pub(crate) fn judge(&mut self, policy: Policy, devices: i64) {
        self.policy = policy;
        for number in 1..=devices {
            let (device, network) = (Some(number), Some(number));
            let witness = Witness { device, network, engine: Engine::Other };
            let (place, company) = (number.unsigned_abs(), Arc::make_mut(&mut self.company));
            company.join(worker(number), PlaceNumber::from_number(place), Needs::JAVASCRIPT);
            company.parties.join(worker(number), witness, NOW);
            company.parties.learn(&[(number, Record { passes: PASSES, ..Record::default() })]);
        }
    }

    /// So many jobs more, which need this.
    pub(crate) async fn grow(&mut self, count: usize, capabilities: Capabilities) {
        self.capabilities = capabilities;
        let length = self.made + count;
        while self.made < length {
            let enqueue = self.jobs(AT_ONCE.min(length - self.made));
            self.apply(Batch { enqueue, ..Batch::default() }).await;
        }
    }

    pub(crate) async fn claim(&mut self, count: usize) -> Vec<AttemptKey> {
        self.claim_by(FIRST, count).await
    }

    pub(crate) async fn claim_by(&mut self, by: i64, count: usize) -> Vec<AttemptKey> {
        let claim = self.asking(by, count);
        self.apply(Batch { claim, ..Batch::default() }).await.held
    }

    /// These attempts end with values.
    pub(crate) async fn answer(&mut self, held: &[AttemptKey]) -> Turned {
        let complete = held.iter().map(|key| self.done(*key)).collect();
        self.apply(Batch { complete, ..Batch::default() }).await
    }

    /// This attempt ends with another value than all others.
    pub(crate) async fn lie(&mut self, key: AttemptKey) -> Turned {
        let complete = vec![self.said(key, 2.0)];
        self.apply(Batch { complete, ..Batch::default() }).await
    }

    /// One batch as a busy server has them: these attempts end, as many jobs come, and as many are claimed.
    pub(crate) async fn turn(&mut self, held: &[AttemptKey]) -> Vec<AttemptKey> {
        self.turn_of(FIRST, held, held.len(), held.len()).await.held
    }

    /// The same for one worker of several: these of its attempts end, so many jobs come, and it claims so many.
    pub(crate) async fn turn_of(
        &mut self,
        by: i64,
        held: &[AttemptKey],
        come: usize,
        claimed: usize,
    ) -> Turned {
        let enqueue = self.jobs(come);
        let complete = held.iter().map(|key| self.done(*key)).collect();
        let claim = self.asking(by, claimed);
        self.apply(Batch { enqueue, complete, claim, ..Batch::default() }).await
    }

    fn asking(&mut self, by: i64, count: usize) -> Claim {
        let worker = worker(by);
        let wants = u32::try_from(count).expect("few jobs");
        let tokens: Vec<i64> = (self.token + 1..).take(count).collect();
        self.token = tokens.last().copied().unwrap_or(self.token);
        Claim {
            asks: vec![Appetite { worker, wants, has: Needs::JAVASCRIPT }],
            tokens,
            bytes: MAX_CLAIM_BYTES,
            ..Claim::default()
        }
    }

    fn jobs(&mut self, count: usize) -> Vec<NewJob> {
        (0..count).map(|_| self.job()).collect()
    }

    fn job(&mut self) -> NewJob {
        self.made += 1;
        NewJob {
            id: self.minter.job(NOW),
            project: self.record.project,
            origin: Origin::Run(self.record.id),
            path: format!("pool/{}/each", self.made).into(),
            code: ContentHash::of(b"code"),
            source: "Code.js".into(),
            input: Encoded::of(&Value::Array(vec![])).expect("arrays are small").into(),
            returns: Some(DataType::Number),
            reuse: false,
            seed: 0,
            priority: 0,
            needs: Needs { capabilities: self.capabilities, memory_mb: 0 },
            delay_ms: 0,
            max_wait_ms: None,
            retry_ms: 0,
            timeout_ms: 1_000,
            max_attempts: 3,
            copies: 1,
            trust: self.policy,
            assumed: AssumedShare::default(),
            agree: Agree::Exact,
            proof: None,
            within: None,
            kernels: None,
            in_pool: true,
        }
    }

    /// A value, as the wire hands it over: that of a judged job with its digest.
    fn done(&self, key: AttemptKey) -> Submission {
        self.said(key, 1.0)
    }

    fn said(&self, key: AttemptKey, number: f64) -> Submission {
        let value = Encoded::of(&Value::Number(number)).expect("numbers are small");
        let reporter = Reporter { worker: worker(FIRST), device: None };
        let digest = self.policy.is_judged().then(|| digest(&value));
        Submission {
            key,
            reporter,
            report: Report::Value(value),
            claimed: EFFORT,
            slots: 1,
            digest,
            log: None,
        }
    }

    async fn apply(&self, batch: Batch) -> Turned {
        let company = self.company.clone();
        let outcomes = self.store.apply(&Batch { lease_ms: LEASE_MS, company, ..batch }, NOW).await;
        let outcomes = outcomes.expect("the store applies");
        let ended = |settled: &&Settled| {
            settled.job.as_ref().is_some_and(|job| matches!(job.change, Change::Ended(_)))
        };
        let ruled = outcomes.ruled.iter().filter(|ruled| matches!(ruled.job.change, Change::Ended(_)));
        Turned {
            ended: outcomes.completed.iter().filter(ended).count() + ruled.count(),
            held: outcomes.claimed.into_iter().map(|claimed| claimed.key).collect(),
            takes_back: !outcomes.retrace.is_empty(),
        }
    }
}

/// What one batch came to.
pub(crate) struct Turned {
    /// Jobs that have ended.
    pub(crate) ended: usize,
    /// What was claimed.
    pub(crate) held: Vec<AttemptKey>,
    /// The run begins anew, without something that had been believed.
    pub(crate) takes_back: bool,
}

fn worker(number: i64) -> WorkerId {
    WorkerId::from_number(number).expect("a small number")
}
