//! What a claim costs by the length of the line: the store alone, with no server around it.

use std::sync::Arc;
use std::time::Instant;

use tempfile::TempDir;
use weevil_e2e::DatabaseKind;
use weevil_mariadb::MariaDb;
use weevil_model::{
    Capabilities, ContentHash, DataType, Encoded, Minter, Needs, RunState, Timestamp, Value, WorkerId,
};
use weevil_queue::decide::claim::MAX_CLAIM_BYTES;
use weevil_queue::{Ask, Batch, Claim, NewJob, Origin, Reuse, RunRecord, Store, StoredWorkflow};

use crate::report::Row;

const LINES: [usize; 3] = [1_000, 100_000, 1_000_000];
/// Jobs that nobody can take, before all others in the order.
const UNMATCHED: usize = 10_000;
/// Jobs of one claim, as a feeder under load asks for them.
const JOBS: usize = 32;
/// Every claim is followed by as many new jobs, so that the line keeps its length.
const CLAIMS: usize = 200;
const AT_ONCE: usize = 10_000;
const NOW: Timestamp = Timestamp(1_000);
const LEASE_MS: i64 = 60_000;

pub(crate) const ROWS: [&str; 4] =
    ["claim_100k_ratio", "claim_1m_ratio", "claim_unmatched_ratio", "claim_unmatched_mariadb_ratio"];

/// The median claim with a long line over that with a short one: 100,000 and 1,000,000 jobs over 1,000; and 1,000 behind
/// 10,000 that match nobody over 1,000, on each database.
pub(crate) fn ratios() -> [Row; 4] {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let claim = |kind, line, unmatched| runtime.block_on(median_claim(kind, line, unmatched));
    let [short, long, longest] = LINES.map(|line| claim(DatabaseKind::Sqlite, line, 0));
    let behind = |kind| claim(kind, LINES[0], UNMATCHED);
    let (sqlite, mariadb) = (behind(DatabaseKind::Sqlite), behind(DatabaseKind::MariaDb));
    let mariadb_short = claim(DatabaseKind::MariaDb, LINES[0], 0);
    [
        Row::median("claim_100k_ratio", "ratio", vec![long / short]),
        Row::median("claim_1m_ratio", "ratio", vec![longest / short]),
        Row::median("claim_unmatched_ratio", "ratio", vec![sqlite / short]),
        Row::median("claim_unmatched_mariadb_ratio", "ratio", vec![mariadb / mariadb_short]),
    ]
}

struct Line {
    store: Arc<dyn Store>,
    minter: Minter,
    record: RunRecord,
    made: usize,
    /// What new jobs need.
    capabilities: Capabilities,
    _folder: TempDir,
}

/// Seconds.
async fn median_claim(kind: DatabaseKind, length: usize, unmatched: usize) -> f64 {
    let mut line = Line::new(kind).await;
    line.grow(unmatched, Capabilities::JAVASCRIPT.and(Capabilities::WEBCL)).await;
    line.grow(length, Capabilities::JAVASCRIPT).await;
    let mut times = Vec::with_capacity(CLAIMS);
    for claim in 0..CLAIMS {
        times.push(line.claim(claim).await);
        line.enqueue(JOBS).await;
    }
    times.sort_by(f64::total_cmp);
    times[CLAIMS / 2]
}

impl Line {
    async fn new(kind: DatabaseKind) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let address = match kind {
            DatabaseKind::Sqlite => format!("sqlite:{}", folder.path().join("weevil.db").display()),
            DatabaseKind::MariaDb => MariaDb::shared().database(),
        };
        let database = address.parse().expect("an address");
        let store = weevil_store::open(&database).await.expect("a database");
        let mut minter = Minter::new(0);
        let workflow = StoredWorkflow {
            hash: ContentHash::of(b"claims"),
            name: "claims".into(),
            files: vec![("Code.js".into(), b"function weevil_main() {}".to_vec())],
        };
        let record = RunRecord {
            id: minter.run(NOW),
            name: "claims".into(),
            workflow: workflow.hash,
            seed: 0,
            state: RunState::Started,
            created_at: NOW,
            paused: false,
            reuse: Reuse::Never,
            end: None,
            unread: None,
        };
        store.create_run(&workflow, &record, &[]).await.expect("a run is stored");
        Self { store, minter, record, made: 0, capabilities: Capabilities::JAVASCRIPT, _folder: folder }
    }

    fn job(&mut self) -> NewJob {
        self.made += 1;
        NewJob {
            id: self.minter.job(NOW),
            origin: Origin::Run(self.record.id),
            path: self.made.to_string().into(),
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
        }
    }

    async fn grow(&mut self, count: usize, capabilities: Capabilities) {
        self.capabilities = capabilities;
        let length = self.made + count;
        while self.made < length {
            self.enqueue(AT_ONCE.min(length - self.made)).await;
        }
    }

    async fn enqueue(&mut self, count: usize) {
        let enqueue = (0..count).map(|_| self.job()).collect();
        self.apply(Batch { enqueue, ..Batch::default() }).await;
    }

    async fn claim(&self, nth: usize) -> f64 {
        let worker = WorkerId::from_number(1).expect("a small number");
        let first = i64::try_from(nth * JOBS).expect("few jobs");
        let tokens = (first..).take(JOBS).collect();
        let asks =
            vec![Ask { worker, wants: u32::try_from(JOBS).expect("few jobs"), has: Needs::JAVASCRIPT }];
        let began = Instant::now();
        let claimed = self
            .apply(Batch { claim: Claim { asks, tokens, bytes: MAX_CLAIM_BYTES }, ..Batch::default() })
            .await;
        assert_eq!(claimed, JOBS, "the line is long enough");
        began.elapsed().as_secs_f64()
    }

    async fn apply(&self, batch: Batch) -> usize {
        let outcomes = self.store.apply(&Batch { lease_ms: LEASE_MS, ..batch }, NOW).await;
        outcomes.expect("the store applies").claimed.len()
    }
}
