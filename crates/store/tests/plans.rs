//! No statement of a batch walks over the jobs or the attempts, and none about accounts over any table of theirs: each is
//! run, heard and explained by its database.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its scene must stop")]

#[path = "plans/access.rs"]
mod access;
#[path = "conformance/bed.rs"]
#[expect(dead_code, reason = "the conformance tests use all of it")]
mod bed;
#[path = "databases/mod.rs"]
mod databases;
#[path = "plans/devices.rs"]
mod devices;
#[path = "plans/judged.rs"]
mod judged;
#[path = "plans/lists.rs"]
mod lists;
#[path = "plans/stated.rs"]
mod stated;
#[path = "plans/waits.rs"]
mod waits;
#[path = "plans/workers.rs"]
mod workers;

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Mutex;

use sqlx::mysql::MySqlConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Row};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};
use weevil_model::witness::Engine;
use weevil_model::{ContentHash, Encoded, Needs, RunState, Timestamp, TypedArrayKind, Value};
use weevil_queue::batch::Change;
use weevil_queue::decide::claim::MAX_CLAIM_BYTES;
use weevil_queue::decide::server::SERVER;
use weevil_queue::{
    AttemptEnd, Batch, Cancel, Claim, Claimed, Ended, Judging, NewJob, Origin, Outcomes, QueueCode, Release,
    Renew, Reopen, Report, Reporter, ServerAppetite, Spares, StoppedCode, Submission,
};
use weevil_records::history::MAX_UNREPORTED;
use weevil_records::{RunCourse, RunEnd, RunFacts};

use bed::{Bed, LEASE_MS, ask, boom, number, paths, reporter, submission, worker};
use databases::{Kind, TestDatabase, on_each_database};
use devices::no_page_of_devices_walks_a_table;
use judged::{IDLE, JudgedParts, REFEREED, quorum};
use lists::no_list_walks_a_table;
use stated::{Stated, stated};
use waits::what_waits_is_counted_along_its_index;
use workers::nothing_about_workers_walks_a_table;

/// Jobs that have ended; a plan that is good among few rows may be bad among many.
const ENDED: usize = 10_000;

/// What a batch must not walk over.
const TABLES: [&str; 12] = [
    "jobs",
    "attempts",
    "answers",
    "answer_values",
    "questions",
    "lots",
    "records",
    "comparisons",
    "agreeing",
    "left_out",
    "scattered",
    "judgements",
];

/// Indices of few rows, however many their table has: walking along one is no walk over the table.
const OF_FEW: [&str; 2] = [" USING INDEX lots_undecided", " USING INDEX jobs_paused"];

/// Statements as the driver tells them.
static HEARD: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// One database after the other: whose a statement is, is not told.
static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

struct Ear;

struct Words(String);

impl Visit for Words {
    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}

    /// The first words, and the whole where that is more.
    fn record_str(&mut self, field: &Field, value: &str) {
        if matches!(field.name(), "summary" | "db.statement") && !value.is_empty() {
            value.trim().clone_into(&mut self.0);
        }
    }
}

impl Subscriber for Ear {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "sqlx::query"
    }

    fn event(&self, event: &Event<'_>) {
        let mut words = Words(String::new());
        event.record(&mut words);
        HEARD.lock().unwrap().push(words.0);
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// What has been run since it was last asked, each statement once.
fn heard() -> BTreeSet<String> {
    let read = |text: &&String| {
        ["select", "insert", "update", "delete", "with"].iter().any(|verb| text.starts_with(verb))
    };
    std::mem::take(&mut *HEARD.lock().unwrap()).iter().filter(read).cloned().collect()
}

/// Too large for its row, and for what a claim reads before it is dealt.
fn large() -> Encoded {
    Encoded::of(&Value::Typed(TypedArrayKind::Uint8, vec![0; 8 << 20])).unwrap()
}

impl Bed {
    async fn put(&mut self, jobs: Vec<NewJob>) {
        self.apply(Batch { enqueue: jobs, ..Batch::default() }).await;
    }

    /// Jobs of another run, all of them computed.
    async fn compute_many(&mut self) {
        for part in 0..ENDED / 1_000 {
            let jobs = (0..1_000).map(|at| self.job(&format!("{part}/{at}"), 0)).collect();
            self.put(jobs).await;
            let tokens = (0..1_000).map(|n| self.token + n).collect();
            self.token += 1_000;
            let claim = Claim {
                asks: vec![ask(9, 1_000, Needs::JAVASCRIPT)],
                tokens,
                bytes: MAX_CLAIM_BYTES,
                ..Claim::default()
            };
            let claimed = self.apply(Batch { claim, ..Batch::default() }).await.claimed;
            let complete = claimed.iter().map(|c| submission(c.key, Report::Value(number(1.0)))).collect();
            self.apply(Batch { complete, ..Batch::default() }).await;
        }
    }

    /// Some jobs of every kind: seven that worker 1 holds and one that was lost, delayed, overdue and keyed ones.
    async fn some_of_each(&mut self) -> Vec<Claimed> {
        let held = |at| NewJob { returns: None, ..self.job(&format!("held/{at}"), 9) };
        let held = (0..6).map(held).collect();
        self.put(held).await;
        let mut claimed = self.claim(&[(1, 6)]).await;
        let lapsed = NewJob { max_attempts: 1, ..self.job("lapsed", 9) };
        self.put(vec![lapsed]).await;
        self.now = self.now.plus_ms(-LEASE_MS);
        self.claim_one(1).await.unwrap();
        self.now = self.now.plus_ms(LEASE_MS);
        claimed.push(self.often().await);
        let later = NewJob { delay_ms: 1, ..self.job("later", 0) };
        let hurried = NewJob { max_wait_ms: Some(1), ..self.job("hurried", 0) };
        let keyed = self.alone("key");
        self.put(vec![later, hurried, keyed]).await;
        claimed
    }

    /// One that was handed out and lost so often that its oldest attempts are forgotten with the next loss.
    async fn often(&mut self) -> Claimed {
        let often = self.job("often", 9);
        self.put(vec![often]).await;
        for _ in 0..MAX_UNREPORTED {
            let key = self.claim_one(1).await.unwrap().key;
            self.release(Release { key, end: AttemptEnd::Lost }).await;
        }
        self.claim_one(1).await.unwrap()
    }

    /// What is run to certify a run.
    async fn hear_certificate(&self) -> BTreeSet<String> {
        heard();
        assert!(self.store.is_judged(self.run).await.unwrap());
        let jobs = self.store.by_path(self.run).await.unwrap();
        assert_eq!(self.store.job_facts(&jobs).await.unwrap().len(), jobs.len());
        assert_eq!(self.store.job_values(&jobs).await.unwrap().len(), jobs.len());
        assert!(!self.store.lot_facts(self.run, None, 10).await.unwrap().is_empty());
        heard()
    }

    fn alone(&mut self, key: &str) -> NewJob {
        NewJob { origin: Origin::Queue("q".into()), ..self.job(key, 0) }
    }

    /// A batch in which no part is empty.
    async fn everything(&mut self, computed: NewJob) -> Batch {
        let gone = std::mem::replace(&mut self.run, computed.origin.run().unwrap());
        let claimed = self.some_of_each().await;
        let JudgedParts { complete, opinions, close, again: [answered, changed], slow } =
            self.some_judged().await;
        let unsalted = self.add_run().await;
        let first = NewJob { trust: quorum(), origin: Origin::Run(unsalted), ..self.job("first", 99) };
        let key = |at: usize| claimed[at].key;
        let again = NewJob { id: self.minter.job(self.now), ..computed.clone() };
        let equal = NewJob { path: "equal".into(), reuse: true, ..self.job("0/1", 0) };
        let (cancelled, given) = (
            NewJob { trust: quorum(), ..self.alone("cancelled") },
            NewJob { input: large().into(), ..self.job("large", 9) },
        );
        let (lone, taken, fresh) = (cancelled.id, self.alone("key"), self.alone("fresh"));
        let stopped = QueueCode {
            project: fresh.project,
            queue: fresh.origin.queue().unwrap().into(),
            code: fresh.code,
        };
        let twice = NewJob { copies: 2, ..self.job("twice", 99) };
        let kept = NewJob { input: large().into(), ..self.job("kept", 0) };
        self.put(vec![cancelled, given]).await;
        self.now = self.now.plus_ms(10);
        let device = Some(ContentHash::of(b"device"));
        let proven = Submission {
            reporter: Reporter { device, ..reporter() },
            ..submission(key(0), Report::Value(large()))
        };
        Batch {
            opinions,
            complete: [vec![proven, submission(key(1), boom("x"))], complete].concat(),
            release: [2, 3, 6].map(|at| Release { key: key(at), end: AttemptEnd::Lost }).into(),
            renew: vec![key(4).into(), Renew { key: key(5), progress: Some(0.5) }],
            look: true,
            cancel: vec![Cancel::Run(gone), Cancel::Job(lone)],
            reopen: vec![Reopen {
                run: self.run,
                path: "0/2".into(),
                message: "too many bytes".into(),
                anew: true,
            }],
            shorten: vec![self.shortened()],
            close,
            enqueue: vec![again, equal, taken, fresh, twice, kept, first, answered, changed],
            doubted: vec![(worker(1), key(0))],
            stop: vec![StoppedCode { code: stopped, example: lone }],
            claim: Claim {
                asks: vec![ask(2, 14, Needs::JAVASCRIPT)],
                tokens: (-17..0).collect(),
                bytes: MAX_CLAIM_BYTES,
                spares: Spares {
                    jobs: vec![key(4).job, slow],
                    asks: vec![ask(IDLE, 2, Needs::JAVASCRIPT.run_by(Engine::Other))],
                },
                server: Some(ServerAppetite { wants: 1, unsaid: vec![] }),
            },
            probe: true,
            lease_ms: LEASE_MS,
            judging: Judging::default(),
            chance: [7; 32],
            company: self.company.clone(),
        }
    }
}

async fn no_statement_of_a_batch_walks_a_table(kind: Kind) {
    let _turn = TURN.lock().await;
    let _set_by_the_other = tracing::subscriber::set_global_default(Ear);
    let mut bed = Bed::new(kind).await;
    bed.compute_many().await;
    let computed = bed.job("0/1", 0);
    bed.run = bed.add_run().await;
    bed.meet(&[(1, 1), (2, 2)]);
    bed.enqueue(&[("gone", 0)]).await;
    bed.claim_one(3).await.unwrap();
    let batch = bed.everything(computed).await;
    heard();
    let outcomes = bed.store.apply(&batch, bed.now).await.unwrap();
    let statements = heard();
    assert!(statements.len() >= 20, "{statements:#?}");
    let met = (outcomes.returned.len(), outcomes.overdue.len(), outcomes.woken, outcomes.revoked.len());
    assert_eq!(met, (4, 1, 3, 1), "every part had something to do: {outcomes:?}");
    assert_eq!((outcomes.enqueued.len(), outcomes.duplicates.len()), (2, 1));
    lots_were_decided(&outcomes);
    let idle = outcomes.claimed.iter().filter(|claimed| claimed.worker == worker(IDLE));
    assert_eq!(paths(&idle.cloned().collect::<Vec<_>>()), ["held/4", "slow"], "spares");
    let here = outcomes.claimed.iter().filter(|claimed| claimed.worker == SERVER);
    assert_eq!(paths(&here.cloned().collect::<Vec<_>>()), [REFEREED]);
    none_walks(&bed.database, &TABLES, &statements).await;
    let asked = bed.hear_questions().await;
    none_walks(&bed.database, &TABLES, &asked).await;
    bed.audit().await;
    // What asks modules, the end of a run, its certificate and the start of a server do is no batch, but there may be as much.
    let end = RunEnd { state: RunState::Failed, at: Timestamp(9), result: None, facts: RunFacts::default() };
    heard();
    assert!(
        !bed.store.end_run(bed.run, &end, &RunCourse::default()).await.unwrap(),
        "something of it was reopened"
    );
    bed.store.retrace(bed.run, bed.now).await.unwrap();
    assert!(bed.store.end_run(bed.run, &end, &RunCourse::default()).await.unwrap());
    let at_the_end = heard();
    let ended = bed.database.sql("select count(*) from lots where fate = 'ended'").await;
    assert_eq!(
        ended,
        Some(4),
        "what is closed, what was opened, what an answer has left, and what another device has said"
    );
    none_walks(&bed.database, &TABLES, &at_the_end).await;
    let certified = bed.hear_certificate().await;
    none_walks(&bed.database, &TABLES, &certified).await;
    heard();
    assert!(bed.store.tidy_up(bed.now).await.unwrap() > 0);
    let at_the_start = heard();
    none_walks(&bed.database, &TABLES, &at_the_start).await;
    let heard = statements.into_iter().chain(asked).chain(certified).chain(at_the_start);
    all_ran(&stated(kind), &heard.collect());
}

/// What is judged came as it was to: one lot is accepted, one is refused, an answer of another waits, and the older one of two that are
/// near is believed, and so is that of two of which a module says that they agree.
fn lots_were_decided(outcomes: &Outcomes) {
    let ruled = outcomes.ruled.iter().map(|ruled| (&*ruled.job.path, &ruled.job.change)).collect::<Vec<_>>();
    let value = Change::Ended(Ended::Value(number(1.0)));
    let expected =
        [("void/0/f", &Change::Requeued), ("near", &value), ("compared", &value), ("right/0/f", &value)];
    assert_eq!(ruled, expected);
    let answered = outcomes.answered.iter().map(|(_, path)| &**path).collect::<Vec<_>>();
    assert_eq!(answered, ["closed/0/f"]);
    let handed_out = paths(&outcomes.claimed);
    assert!(handed_out.contains(&"void/0/f"), "a newcomer may have it: {handed_out:?}");
}

fn all_ran(stated: &[Stated], heard: &BTreeSet<String>) {
    let ran = |stated: &&Stated| heard.iter().any(|heard| stated.is(heard));
    let missing: Vec<&str> =
        stated.iter().filter(|stated| !ran(stated)).map(|stated| stated.place.as_str()).collect();
    assert!(missing.is_empty(), "statements that this test does not run: {missing:?}");
}

async fn none_walks(database: &TestDatabase, tables: &[&str], statements: &BTreeSet<String>) {
    if !database.address.starts_with("sqlite:") {
        // What MariaDB knows of its tables it learns in its own time.
        database.sql(&format!("analyze table runs, {}", tables.join(", "))).await;
    }
    for statement in statements {
        let walks = walks(database, tables, statement).await;
        assert!(walks.is_empty(), "{walks:?} in the plan of {statement}");
    }
}

/// The steps of a plan that go over all of a table.
async fn walks(database: &TestDatabase, tables: &[&str], statement: &str) -> Vec<String> {
    let names = names(tables, statement);
    match database.address.strip_prefix("sqlite:") {
        Some(path) => sqlite_walks(path, statement, &names).await,
        None => mysql_walks(&database.address, statement, &names).await,
    }
}

/// What the tables are called in a statement.
fn names(tables: &[&str], statement: &str) -> BTreeSet<String> {
    let words: Vec<&str> =
        statement.split_whitespace().map(|word| word.trim_matches(['(', ')', ','])).collect();
    let named = words.windows(2).filter(|pair| tables.contains(&pair[0]));
    named.flat_map(|pair| pair.iter().map(|word| (*word).to_owned())).collect()
}

async fn sqlite_walks(path: &str, statement: &str, names: &BTreeSet<String>) -> Vec<String> {
    let mut raw = SqliteConnectOptions::new().filename(path).connect().await.unwrap();
    let explain = AssertSqlSafe(format!("explain query plan {statement}"));
    let steps = sqlx::query(explain).fetch_all(&mut raw).await.unwrap();
    let steps = steps.iter().map(|step| step.get::<String, _>("detail"));
    let over = |step: &str| {
        let scanned = step.strip_prefix("SCAN ").filter(|rest| !OF_FEW.iter().any(|few| rest.ends_with(few)));
        scanned.is_some_and(|rest| rest.split_whitespace().next().is_some_and(|table| names.contains(table)))
    };
    // What is grouped is copied whole, files of megabytes too where their length alone is asked for.
    let copies =
        |step: &str| step.contains("TEMP B-TREE FOR GROUP BY") && statement.contains("length(b.bytes)");
    steps.filter(|step| over(step) || copies(step)).collect()
}

/// What stands before a text or bytes: a number there would not be looked for in an index.
const TEXTS: [&str; 7] =
    ["actor = ", "action = ", "hash = ", "name = ", "rotated_from = ", "slug = ", "coalesce("];

async fn mysql_walks(address: &str, statement: &str, names: &BTreeSet<String>) -> Vec<String> {
    let mut raw = address.parse::<MySqlConnectOptions>().unwrap().connect().await.unwrap();
    let mut explain = sqlx::query(AssertSqlSafe(format!("explain {statement}")));
    let row = if statement.contains("path '$')") {
        "[1]".to_owned()
    } else {
        format!("[[{}]]", ["1"; 23].join(","))
    };
    let pieces: Vec<&str> = statement.split('?').collect();
    for before in &pieces[..pieces.len() - 1] {
        explain = if before.ends_with("json_table(") {
            explain.bind(row.clone())
        } else if TEXTS.iter().any(|text| before.ends_with(text)) {
            explain.bind("1")
        } else {
            explain.bind(1)
        };
    }
    let steps = explain.fetch_all(&mut raw).await.unwrap();
    let text = |step: &sqlx::mysql::MySqlRow, column| {
        step.try_get_unchecked::<Option<String>, _>(column).unwrap().unwrap_or_default()
    };
    let over = |step: &&sqlx::mysql::MySqlRow| {
        names.contains(&text(step, "table")) && ["ALL", "index"].contains(&text(step, "type").as_str())
    };
    steps.iter().filter(over).map(|step| format!("{} {}", text(step, "table"), text(step, "Extra"))).collect()
}

on_each_database! {
    no_statement_of_a_batch_walks_a_table,
    no_list_walks_a_table,
    no_page_of_devices_walks_a_table,
    nothing_about_workers_walks_a_table,
    what_waits_is_counted_along_its_index,
}
