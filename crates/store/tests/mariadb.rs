//! What only a database with several writers can get wrong, and what a server that is killed may take: nothing.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its scene must stop")]

#[path = "mariadb/judged.rs"]
mod judged;
#[path = "mariadb/pairs.rs"]
mod pairs;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::mysql::MySqlConnectOptions;
use sqlx::{ConnectOptions, Connection, Executor, MySqlConnection};
use weevil_mariadb::MariaDb;
use weevil_model::limits::MAX_VALUE_BYTES;
use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::{
    Agree, Capabilities, ContentHash, DataType, Encoded, Minter, Needs, ProjectId, Reuse, RunId, RunState,
    Timestamp, Value, WorkerId,
};
use weevil_queue::batch::{Change, Verdict};
use weevil_queue::decide::claim::MAX_CLAIM_BYTES;
use weevil_queue::{
    Appetite, AttemptKey, Batch, Claim, Claimed, ClaimedEffort, Ended, NewJob, Origin, Outcomes, Report,
    Reporter, RunJudgement, Submission,
};
use weevil_records::{FinalNode, Retrace, RunRecord, Store, StoredWorkflow};

const LEASE_MS: i64 = 60_000;

/// One run in a database of its own, and what a test asks of it.
struct Bed {
    address: String,
    minter: Minter,
    run: RunId,
    token: i64,
}

async fn open(address: &str) -> Arc<dyn Store> {
    weevil_store::open(&address.parse().unwrap()).await.unwrap()
}

fn worker(n: i64) -> WorkerId {
    WorkerId::from_number(n).unwrap()
}

fn number(n: f64) -> Encoded {
    Encoded::of(&Value::Number(n)).unwrap()
}

fn text(bytes: usize) -> Encoded {
    Encoded::of(&Value::String("x".repeat(bytes))).unwrap()
}

impl Bed {
    async fn new(maria: &MariaDb) -> (Self, Arc<dyn Store>) {
        let address = maria.database();
        let store = open(&address).await;
        let mut bed = Self { address, minter: Minter::new(0), run: RunId::from_number(1).unwrap(), token: 0 };
        bed.run = bed.another_run(&*store).await;
        (bed, store)
    }

    async fn another_run(&mut self, store: &dyn Store) -> RunId {
        let run = self.minter.run(Timestamp(1));
        let workflow = StoredWorkflow {
            hash: ContentHash::of(b"workflow"),
            name: "add".into(),
            files: Vec::new(),
            code: BTreeSet::new(),
            checked_by: 1,
            final_node: FinalNode::Untold,
        };
        let record = RunRecord {
            id: run,
            project: ProjectId::DEFAULT,
            created_by: None,
            name: "add".into(),
            workflow: workflow.hash,
            seed: 1,
            state: RunState::Started,
            created_at: Timestamp(1),
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
        store.create_run(&workflow, &record, &[]).await.unwrap();
        run
    }

    fn job(&mut self, path: &str, input: &Encoded) -> NewJob {
        NewJob {
            id: self.minter.job(Timestamp(1)),
            project: ProjectId::DEFAULT,
            origin: Origin::Run(self.run),
            path: path.into(),
            code: ContentHash::of(b"code"),
            source: "Add.js".into(),
            input: input.clone().into(),
            returns: Some(DataType::Number),
            reuse: false,
            seed: 1,
            priority: 0,
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
            in_pool: false,
        }
    }

    fn enqueue(&mut self, paths: &[String]) -> Batch {
        let input = number(1.0);
        batch(Batch {
            enqueue: paths.iter().map(|path| self.job(path, &input)).collect(),
            ..Batch::default()
        })
    }

    fn claim(&mut self, worker_number: i64, jobs: u32) -> Batch {
        self.token += i64::from(jobs);
        let tokens = (self.token..self.token + i64::from(jobs)).collect();
        batch(Batch {
            claim: Claim {
                asks: vec![Appetite { worker: worker(worker_number), wants: jobs, has: Needs::JAVASCRIPT }],
                tokens,
                bytes: MAX_CLAIM_BYTES,
                ..Claim::default()
            },
            ..Batch::default()
        })
    }
}

fn batch(batch: Batch) -> Batch {
    Batch { lease_ms: LEASE_MS, ..batch }
}

fn complete(claimed: &[Claimed], value: &Encoded) -> Batch {
    let submission = |c: &Claimed| Submission {
        key: c.key,
        reporter: Reporter { worker: c.worker, device: None },
        report: Report::Value(value.clone()),
        claimed: ClaimedEffort { slot: 0, compute_us: 1, flops: 0.0 },
        slots: 1,
        digest: None,
        log: None,
    };
    batch(Batch { complete: claimed.iter().map(submission).collect(), ..Batch::default() })
}

async fn apply(store: &dyn Store, batch: &Batch) -> Outcomes {
    store.apply(batch, Timestamp(2)).await.unwrap()
}

/// As the feeder does: until the database has it.
async fn persist(store: &dyn Store, batch: &Batch, refused: &AtomicU32) -> Outcomes {
    loop {
        match store.apply(batch, Timestamp(2)).await {
            Ok(outcomes) => return outcomes,
            Err(_) => refused.fetch_add(1, Ordering::Relaxed),
        };
    }
}

fn names(many: usize) -> Vec<String> {
    (0..many).map(|at| format!("pool/{at}/each")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_never_hand_one_job_out_twice() {
    const JOBS: usize = 1_000;
    let (mut bed, first) = Bed::new(MariaDb::shared()).await;
    let second = open(&bed.address).await;
    apply(&*first, &bed.enqueue(&names(JOBS))).await;
    let mut servers = Vec::new();
    for (name, store) in [(1, first), (2, second)] {
        let mut batches: Vec<Batch> = Vec::new();
        batches.resize_with(JOBS / 20, || bed.claim(name, 40));
        servers.push(tokio::spawn(async move {
            let mut all: Vec<Claimed> = Vec::new();
            for batch in batches {
                let claimed = apply(&*store, &batch).await.claimed;
                assert!(claimed.is_sorted_by_key(|c| c.key.job), "in the order of the queue");
                let settled = apply(&*store, &complete(&claimed, &number(1.0))).await.completed;
                assert!(settled.iter().all(|s| s.verdict == Verdict::Accepted && s.job.is_some()));
                all.extend(claimed);
            }
            all
        }));
    }
    let mut handed = Vec::new();
    for server in servers {
        handed.extend(server.await.unwrap());
    }
    let different: BTreeSet<_> = handed.iter().map(|c| c.key.job).collect();
    assert_eq!((handed.len(), different.len()), (JOBS, JOBS));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_database_loses_nothing_and_tells_everything_once() {
    const ROUNDS: usize = 200;
    let mut maria = MariaDb::start();
    let (mut bed, store) = Bed::new(&maria).await;
    let refused = AtomicU32::new(0);
    let (kill, kills) = std::sync::mpsc::channel();
    let mut told: BTreeMap<String, u32> = BTreeMap::new();
    let mut hands: Vec<AttemptKey> = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for () in kills {
                maria.kill();
                maria.restart();
            }
        });
        tokio::task::block_in_place(|| {
            tokio::runtime::Handle::current().block_on(async {
                for round in 0..ROUNDS {
                    // At some moment from now on: the stream goes on meanwhile.
                    if round % 50 == 10 {
                        kill.send(()).unwrap();
                    }
                    let paths: Vec<String> = (0..10).map(|at| format!("{round}/{at}")).collect();
                    persist(&*store, &bed.enqueue(&paths), &refused).await;
                    let claimed = persist(&*store, &bed.claim(1, 10), &refused).await.claimed;
                    let done = persist(&*store, &complete(&claimed, &number(2.0)), &refused).await;
                    hands.extend(claimed.iter().map(|c| c.key));
                    for job in done.completed.into_iter().filter_map(|settled| settled.job) {
                        assert_eq!(job.change, Change::Ended(Ended::Value(number(2.0))));
                        *told.entry(job.path).or_default() += 1;
                    }
                }
                drop(kill);
            });
        });
    });
    assert_eq!((hands.len(), told.len()), (ROUNDS * 10, ROUNDS * 10), "every job was handed out and is done");
    assert!(told.values().all(|times| *times == 1), "and its end was told once");
    let again: Vec<String> = told.into_keys().collect();
    let known = apply(&*store, &bed.enqueue(&again)).await.enqueued;
    assert_eq!(known.len(), ROUNDS * 10, "all that was acknowledged is there");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deadlock_is_tried_again() {
    let maria = MariaDb::shared();
    let (mut bed, store) = Bed::new(maria).await;
    apply(&*store, &bed.enqueue(&names(50))).await;
    let claimed = apply(&*store, &bed.claim(1, 2)).await.claimed;
    let [one, two] = [0, 1].map(|at| claimed[at].key);
    let mut other = raw(&bed.address).await;
    let mut tx = other.begin().await.unwrap();
    // The database gives up whoever has changed less: not this one.
    tx.execute("update jobs set shard = 1 where delivery = 0").await.unwrap();
    touch(&mut tx, two).await;
    let renewing = tokio::spawn(async move {
        let renew = batch(Batch { renew: vec![one.into(), two.into()], ..Batch::default() });
        store.apply(&renew, Timestamp(1_000)).await
    });
    while maria.sql("select count(*) from information_schema.innodb_trx where trx_state = 'LOCK WAIT'")
        == "0\n"
    {}
    touch(&mut tx, one).await;
    tx.commit().await.unwrap();
    renewing.await.unwrap().unwrap();
    let renewed = "select count(*) from attempts where due_at = 61000";
    let renewed: i64 = sqlx::query_scalar(renewed).fetch_one(&mut other).await.unwrap();
    assert_eq!(renewed, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_waits_for_what_is_under_way() {
    let maria = MariaDb::shared();
    let (mut bed, _) = Bed::new(maria).await;
    let store = weevil_store::open(&bed.address.parse().unwrap()).await.unwrap();
    apply(&*store, &bed.enqueue(&names(1))).await;
    let claimed = apply(&*store, &bed.claim(1, 1)).await.claimed;
    let mut other = raw(&bed.address).await;
    let mut tx = other.begin().await.unwrap();
    touch(&mut tx, claimed[0].key).await;
    let (writer, batch) = (store.clone(), complete(&claimed, &number(1.0)));
    let writing = tokio::spawn(async move { writer.apply(&batch, Timestamp(2)).await });
    let name = bed.address.rsplit_once('/').unwrap().1;
    let waits = format!(
        "select count(*) from information_schema.innodb_trx t
         join information_schema.processlist p on p.id = t.trx_mysql_thread_id
         where p.db = '{name}' and t.trx_state = 'LOCK WAIT'"
    );
    while maria.sql(&waits) == "0\n" {}
    let mut ending = std::pin::pin!(store.end());
    tokio::select! {
        biased;
        () = &mut ending => panic!("a transaction is under way"),
        () = std::future::ready(()) => {}
    }
    tx.commit().await.unwrap();
    ending.await;
    assert!(writing.await.unwrap().is_ok(), "it is written");
}

async fn raw(address: &str) -> MySqlConnection {
    address.parse::<MySqlConnectOptions>().unwrap().connect().await.unwrap()
}

async fn touch(tx: &mut MySqlConnection, key: AttemptKey) {
    let touched = sqlx::query("update attempts set slot = slot where job = ?").bind(key.job.number());
    touched.execute(tx).await.unwrap();
}

#[tokio::test]
async fn values_may_be_as_large_as_the_wire_allows() {
    let (mut bed, store) = Bed::new(MariaDb::shared()).await;
    let largest = text(MAX_VALUE_BYTES - 16);
    let inputs = [largest.clone(), text(3 << 20), text(3 << 20), number(1.0)];
    let jobs: Vec<NewJob> =
        inputs.iter().enumerate().map(|(at, input)| bed.job(&at.to_string(), input)).collect();
    apply(&*store, &batch(Batch { enqueue: jobs, ..Batch::default() })).await;
    let mut claimed = apply(&*store, &bed.claim(1, 9)).await.claimed;
    claimed.extend(apply(&*store, &bed.claim(2, 9)).await.claimed);
    claimed.sort_by_key(|claimed| claimed.key.job);
    let lengths =
        |all: &mut dyn Iterator<Item = &Encoded>| all.map(|v| v.as_bytes().len()).collect::<Vec<_>>();
    assert_eq!(lengths(&mut claimed.iter().map(|c| &c.input)), lengths(&mut inputs.iter()));
    sqlx::query("update jobs set `returns` = 'String'").execute(&mut raw(&bed.address).await).await.unwrap();
    apply(&*store, &complete(&claimed[..2], &largest)).await;
    let again = ["0".to_owned(), "1".to_owned()];
    let known = apply(&*store, &bed.enqueue(&again)).await.enqueued;
    assert!(known.iter().all(|job| job.ended == Ended::Value(largest.clone())) && known.len() == 2);
}

#[tokio::test]
async fn paths_are_literal() {
    let (mut bed, store) = Bed::new(MariaDb::shared()).await;
    let long = "p".repeat(100_000);
    let paths = ["a", "A", "a ", "\u{e4}", "a\u{308}", "%", "_", "\u{1F41B}", long.as_str()];
    let paths = paths.map(str::to_owned);
    apply(&*store, &bed.enqueue(&paths)).await;
    apply(&*store, &bed.enqueue(&paths)).await;
    let claimed = apply(&*store, &bed.claim(1, 99)).await.claimed;
    assert_eq!(claimed.iter().map(|c| c.path.as_str()).collect::<Vec<_>>(), paths);
}

#[tokio::test]
async fn a_server_that_cannot_be_used_is_told_in_words_without_the_password() {
    let maria = MariaDb::start();
    let address = maria.database();
    maria.sql("set global max_allowed_packet = 16777216");
    let (wrong, nowhere) = (address.replace("%40ss", "ass"), address.replace("/weevil_", "/nowhere_"));
    for (address, part) in [
        (&address, "max_allowed_packet = 64M"),
        (&wrong, "cannot be reached"),
        (&nowhere, "cannot be reached"),
    ] {
        let refused = weevil_store::open(&address.parse().unwrap()).await.err().unwrap().to_string();
        assert!(refused.contains(part) && !refused.contains("ss/w%rd"), "{refused}");
    }
}

/// Rows that the whole server has walked over, from one to the next.
fn walked(maria: &MariaDb) -> u64 {
    let status = maria.sql("show global status like 'Handler_read_next'");
    status.split_whitespace().last().and_then(|count| count.parse().ok()).unwrap()
}

/// A look a second and a claim are all that an idle server does: neither may walk over what waits.
#[tokio::test]
async fn claims_and_looks_do_not_walk_over_jobs_that_match_nobody() {
    const UNMATCHED: usize = 10_000;
    let maria = MariaDb::start();
    let (mut bed, store) = Bed::new(&maria).await;
    let input = number(1.0);
    let gpu = Needs { capabilities: Capabilities(3), memory_mb: 0 };
    let paths: Vec<String> = (0..UNMATCHED).map(|n| format!("gpu{n}")).collect();
    for paths in paths.chunks(1000) {
        let enqueue = paths
            .iter()
            .map(|path| NewJob {
                needs: gpu,
                priority: 9,
                max_wait_ms: Some(9_000_000),
                ..bed.job(path, &input)
            })
            .collect();
        apply(&*store, &batch(Batch { enqueue, ..Batch::default() })).await;
    }
    let mine = bed.enqueue(&["a".to_owned()]);
    apply(&*store, &mine).await;
    let before = walked(&maria);
    let claimed = apply(&*store, &Batch { look: true, ..bed.claim(1, 5) }).await.claimed;
    assert_eq!(claimed.len(), 1);
    let walked = walked(&maria) - before;
    assert!(walked < 500, "{walked} rows for one claim of one job");
}
