//! The audit: counts what a healthy database never has. For tests, and for people who doubt theirs.
//!
//! Only reads, in one transaction: a server may be at work meanwhile. Never repairs anything.

use const_format::formatcp;
use sqlx::{ColumnIndex, ConnectOptions, Decode, MySqlConnection, Row, SqliteConnection, Type};
use weevil_records::StoreError;

use crate::database::Database;
use crate::parts::suspensions::FOR_EVER;
use crate::sql::Sql;
use crate::words::{
    ACTIVE, AGREED, ANSWERED, CHECKING, CHOSEN, COPY_LINES, DELAYED, DISPROVED, ENDED, HELD, KEPT, LEASED,
    LOT_ACCEPTED, LOT_ENDED, LOT_REFUSED, MOST_VOTES, PROVED, READY, REMOVED, STALE, TRUSTED, VALUE,
};
use crate::{trust_audit, usage_audit};

/// What is in a database, and which rules it breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audit {
    pub jobs: u64,
    /// Jobs that have not ended: those that wait and those of which copies are out.
    pub open: u64,
    pub attempts: u64,
    /// Empty in every healthy database, whenever it is looked at.
    pub broken: Vec<Broken>,
}

/// A rule that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// What should be so.
    pub rule: &'static str,
    /// Jobs, attempts, accounts or projects of which it is not so.
    pub rows: u64,
}

const JOBS: &str = "select count(*) from jobs";
const OPEN: &str = formatcp!("select count(*) from jobs where delivery <> {ENDED}");
const ATTEMPTS: &str = "select count(*) from attempts";

pub(crate) const AUDITING: &str = "auditing";
/// Whatever a proof has said.
const PROVED_OR_NOT: u8 = PROVED | DISPROVED;

/// Each with the count of what breaks it; that of usage stands in `usage_audit.rs`, and what no statement tells in `trust_audit.rs`. One text for both databases, so no index is named: each walks over all
/// jobs, all attempts or all accounts.
const RULES: [(&str, &str); 26] = [
    (
        "the attempts of a job have numbers from 1 to `handed_out`, which is that of the newest",
        "select count(*) from jobs j left join (
             select job, min(number) as oldest, max(number) as newest from attempts group by job
         ) a on a.job = j.id
         where coalesce(a.newest, 0) <> j.handed_out or coalesce(a.oldest, 1) < 1",
    ),
    (
        "a job that was computed to a value has one completed attempt, any other job that nobody judges none",
        formatcp!("select count(*) from jobs j left join (
             select job, count(*) as many from attempts where ending = 'completed' group by job
         ) a on a.job = j.id
         where j.trust = 0 and coalesce(a.many, 0) <> case when j.outcome = '{VALUE}' and j.reused is null then 1 else 0 end"),
    ),
    (
        "a job whose outcome is a value has a result; beside any other stands one only where it is judged by lots",
        formatcp!("select count(*) from jobs where (result is null and coalesce(outcome, '') = '{VALUE}')
             or (result is not null and coalesce(outcome, '') <> '{VALUE}' and trust <= {MOST_VOTES})"),
    ),
    (
        "an ended job, and no other, has an outcome and an end",
        formatcp!("select count(*) from jobs
         where (delivery = {ENDED}) <> (outcome is not null) or (delivery = {ENDED}) <> (ended_at is not null)"),
    ),
    (
        "`open_attempts` counts the attempts of a job without an end",
        "select count(*) from jobs j left join (
             select job, count(*) as many from attempts where ending is null group by job
         ) a on a.job = j.id
         where coalesce(a.many, 0) <> j.open_attempts",
    ),
    (
        "ready, delayed and held jobs want copies, leased ones want none and have some out, answered and ended ones neither",
        formatcp!("select count(*) from jobs
         where (delivery in ({READY}, {DELAYED}, {HELD})) <> (wanted > 0)
             or (delivery = {LEASED} and open_attempts = 0) or (delivery in ({ANSWERED}, {ENDED}) and open_attempts > 0)"),
    ),
    (
        "a delayed job has a moment at which that changes, a leased, a held, an answered and an ended one have none",
        formatcp!("select count(*) from jobs
         where (delivery = {DELAYED} and due_at is null) or (delivery in ({LEASED}, {HELD}, {ANSWERED}, {ENDED}) and due_at is not null)
             or delivery not in ({READY}, {LEASED}, {ENDED}, {DELAYED}, {HELD}, {ANSWERED})"),
    ),
    (
        "a job belongs to a run or to a queue, it is in the run's project, and only jobs of runs that are paused or have ended are held, and of codes that are stopped",
        formatcp!("select count(*) from jobs j left join runs r on r.id = j.run
         where (j.run is null) = (j.queue is null) or j.project <> r.project
             or (j.delivery = {HELD} and r.paused_at is null and r.finished_at is null
                 and not exists (select 1 from stopped_codes c where j.run is null and c.project = j.project and c.queue = j.queue and c.code = j.code))
             or (j.delivery = {READY} and r.paused_at is not null and r.finished_at is null)"),
    ),
    (
        "an attempt has a deadline exactly while it has no end, and its end and the moment of it come together",
        "select count(*) from attempts
         where (due_at is null) <> (ending is not null) or (ending is null) <> (ended_at is null)",
    ),
    (
        "no worker holds two open attempts of a job",
        "select count(*) from (
             select job from attempts where ending is null group by job, worker having count(*) > 1
         ) twice",
    ),
    (
        "no two attempts of a job have the same token",
        "select count(*) from (select job from attempts group by job, token having count(*) > 1) twice",
    ),
    (
        "only judged jobs have answers, and values among them are the completed attempts of a job that has not failed",
        "select count(*) from (
             select x.job from answers x join jobs j on j.id = x.job where j.trust = 0
             union
             select j.id from jobs j where j.trust <> 0 and coalesce(j.outcome, '') <> 'failed'
                 and (select count(*) from answers x where x.job = j.id and x.digest is not null)
                     <> (select count(*) from attempts a where a.job = j.id and a.ending = 'completed')
             union
             select x.job from answers x join jobs j on j.id = x.job join attempts a on a.job = x.job and a.number = x.number
             where x.digest is not null and a.ending <> 'completed' and coalesce(j.outcome, '') <> 'failed'
         ) wrong",
    ),
    (
        "an answer says a value or an error, and when it came",
        "select count(*) from answers
         where (given_at is null) <> (digest is null and kind is null) or (given_at is null) <> (handed_out is null)
             or (digest is not null and kind is not null) or (fate is not null and given_at is null)",
    ),
    (
        "no two answers of a job are of one device or of one network",
        formatcp!("select count(*) from (
             select job from answers where given_at is not null and device is not null and coalesce(fate, '') <> '{STALE}' group by job, device having count(*) > 1
             union all
             select job from answers where given_at is not null and network is not null and coalesce(fate, '') <> '{STALE}' group by job, network having count(*) > 1
         ) twice"),
    ),
    (
        "a judged job waits in a line of copies exactly when it has answers",
        formatcp!("select count(*) from jobs j where j.trust <> 0
             and (j.needs >= {COPY_LINES}) <> exists (select 1 from answers x where x.job = j.id and x.given_at is not null
                 and coalesce(x.fate, '') <> '{STALE}')"),
    ),
    (
        "the value of a judged job that was computed is what an answer said that agreed, and no answer of an open one agrees yet",
        formatcp!("select count(*) from jobs j where j.trust <> 0
             and ((j.outcome = '{VALUE}' and j.reused is null
                     and not exists (select 1 from answers x where x.job = j.id and x.digest is not null and x.fate = '{AGREED}'))
                 or (j.outcome is null and exists (select 1 from answers x where x.job = j.id and x.fate = '{AGREED}')))"),
    ),
    (
        "an answered job has an answer that stands for it, and what it says beside it, unless a module is asked",
        formatcp!("select count(*) from jobs j where j.delivery = {ANSWERED}
             and not exists (select 1 from questions q where q.job = j.id)
             and (j.result is null
                 or not exists (select 1 from answers x join answers y on y.job = x.job and y.digest = x.digest
                     where x.job = j.id and x.devices is not null and x.fate is null and y.marks & {KEPT} <> 0))"),
    ),
    (
        "what answers say is kept while more of it is compared than digests, each value once, and of no other job",
        formatcp!("select count(*) from (
             select j.id from jobs j where j.trust = 0 and (j.agree is not null or j.agree_within is not null or j.proof is not null)
             union all
             select v.job from answer_values v join jobs j on j.id = v.job where (j.agree is null and j.proof is null)
                 or j.outcome = '{VALUE}' or not exists (select 1 from answers x where x.job = v.job and x.digest = v.digest)
             union all
             select x.job from answers x join jobs j on j.id = x.job where (j.agree is not null or j.proof is not null) and j.delivery <> {ENDED}
                 and x.digest is not null and x.fate is null
                 and not exists (select 1 from answer_values v where v.job = x.job and v.digest = x.digest)
         ) wrong"),
    ),
    (
        "a module is asked about values of jobs that have one, for their project, and what a proof has found wrong is believed nowhere",
        formatcp!("select count(*) from (
             select q.job from questions q join jobs j on j.id = q.job where j.project <> q.project or j.trust = 0
                 or (j.proof is null and (j.agree is null or j.agree like 'near(%'))
             union all
             select x.job from answers x join jobs j on j.id = x.job where x.marks & {PROVED_OR_NOT} <> 0
                 and (j.proof is null or x.digest is null or x.marks & {PROVED_OR_NOT} = {PROVED_OR_NOT}
                     or (x.marks & {DISPROVED} <> 0 and x.fate = '{AGREED}'))
         ) wrong"),
    ),
    (
        "a lot counts the answers that have joined it, those that chance has chosen, and while it is undecided those whose check has not ended",
        formatcp!("select count(*) from lots l left join (
             select lot, count(*) as many, sum(case when marks & {CHOSEN} <> 0 then 1 else 0 end) as chosen,
                 sum(case when fate is null and marks & {CHECKING} <> 0 then 1 else 0 end) as checks
             from answers where lot is not null group by lot
         ) a on a.lot = l.id
         where coalesce(a.many, 0) <> l.answers or coalesce(a.chosen, 0) <> l.chosen or (l.fate is null and coalesce(a.checks, 0) <> l.checking)"),
    ),
    (
        "a lot is accepted with all of its answers and no open check, and refused with no answer that stands",
        formatcp!("select count(*) from lots l where (l.fate is not null and l.fate <> '{LOT_ENDED}')
             and (l.closed_at is null or (l.fate = '{LOT_ACCEPTED}' and l.checking > 0)
                 or exists (select 1 from answers x join jobs j on j.id = x.job where x.lot = l.id and x.fate is null and j.outcome is null))"),
    ),
    (
        "nothing that is believed in a run that goes on stands on a lot that was refused",
        formatcp!("select count(distinct l.id) from answers x join lots l on l.id = x.lot join jobs j on j.id = x.job join runs r on r.id = j.run
         where l.fate = '{LOT_REFUSED}' and x.fate = '{AGREED}' and j.outcome is not null and r.finished_at is null
             and not exists (select 1 from answers t where t.job = x.job and t.fate = '{AGREED}'
                 and (t.`rank` = {TRUSTED} or t.marks & {PROVED} <> 0))"),
    ),
    (
        "a device has rested exactly if it was found wrong, and begins anew",
        "select count(*) from records where (refuted > 0) <> (rests_until is not null)",
    ),
    (
        "an account that is not active says since when, and only an id is left of a removed one",
        formatcp!("select count(*) from accounts a
         where (a.state = {ACTIVE}) <> (a.state_at is null) or (a.state = {REMOVED}) <> (a.name is null)
             or (a.state = {REMOVED} and (a.admin <> 0 or a.password is not null
                 or exists (select 1 from sessions s where s.account = a.id)
                 or exists (select 1 from tokens t where t.owner = a.id)))"),
    ),
    (
        "the chain of the audit has one end, which is its newest row",
        "select count(*) from (select 1 as one) o
         left join audit_ends e on e.id = 1 left join audit a on a.id = e.last and a.hash = e.last_hash
         where e.id is null or e.last < e.trimmed or (e.last > e.trimmed) <> (a.id is not null)
             or exists (select 1 from audit later where later.id > e.last)",
    ),
    (
        "a banned device is given nothing for ever, and what is noted is of a device that is paused or banned",
        formatcp!("select count(*) from devices
         where (banned_at is not null and coalesce(held_until, 0) <> {FOR_EVER}) or (note is null) <> (held_until is null)"),
    ),
];

/// Looks at a database that has been opened by a server before. Takes time for each job.
///
/// # Errors
///
/// Where the database cannot be read.
pub async fn audit(database: &Database) -> Result<Audit, StoreError> {
    let mut reader = Reader::open(database).await?;
    let mut broken = Vec::new();
    let rules = RULES.map(|(rule, breaches)| (rule, Sql::of(AUDITING, breaches)));
    for (rule, breaches) in rules.into_iter().chain([(usage_audit::RULE, usage_audit::BREACHES)]) {
        let rows = reader.count(&breaches).await?;
        if rows > 0 {
            broken.push(Broken { rule, rows });
        }
    }
    let shallow = trust_audit::shallow_lots(&mut reader).await?;
    let strange = trust_audit::strange_values(&mut reader).await?;
    for (rule, rows) in [(trust_audit::PLAN_RULE, shallow), (trust_audit::DIGEST_RULE, strange)] {
        broken.extend((rows > 0).then_some(Broken { rule, rows }));
    }
    let [jobs, open, attempts] = [JOBS, OPEN, ATTEMPTS].map(|count| Sql::of(AUDITING, count));
    let (jobs, open) = (reader.count(&jobs).await?, reader.count(&open).await?);
    Ok(Audit { jobs, open, attempts: reader.count(&attempts).await?, broken })
}

/// One moment of a database. The transaction ends with the connection. On MySQL this connection keeps the server's
/// own isolation, usually REPEATABLE READ: a consistent snapshot needs it, while each statement of the store sees
/// what is committed.
pub(crate) enum Reader {
    Sqlite(SqliteConnection),
    MySql(MySqlConnection),
}

impl Reader {
    pub(crate) async fn open(database: &Database) -> Result<Self, StoreError> {
        let fail =
            |error: sqlx::Error| StoreError::Open { place: database.to_string(), cause: error.to_string() };
        match database {
            Database::Sqlite(path) => {
                let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path).read_only(true);
                let mut connection = options.connect().await.map_err(fail)?;
                sqlx::raw_sql("begin").execute(&mut connection).await.map_err(fail)?;
                Ok(Self::Sqlite(connection))
            }
            Database::MySql(server) => {
                let mut connection = server.options().connect().await.map_err(fail)?;
                let begin = "start transaction with consistent snapshot, read only";
                sqlx::raw_sql(begin).execute(&mut connection).await.map_err(fail)?;
                Ok(Self::MySql(connection))
            }
        }
    }

    /// Rows of so many numbers. What is missing is negative.
    pub(crate) async fn numbers<const N: usize>(&mut self, sql: &Sql) -> Result<Vec<[i64; N]>, StoreError> {
        let fail = |error: sqlx::Error| StoreError::Failed { doing: sql.doing, cause: error.to_string() };
        match self {
            Self::Sqlite(connection) => {
                let rows = sqlx::query(sql.sqlite).fetch_all(connection).await.map_err(fail)?;
                rows.iter().map(numbers).collect::<Result<_, _>>().map_err(fail)
            }
            Self::MySql(connection) => {
                let rows = sqlx::query(sql.mysql).fetch_all(connection).await.map_err(fail)?;
                rows.iter().map(numbers).collect::<Result<_, _>>().map_err(fail)
            }
        }
    }

    /// Rows of a number and bytes.
    pub(crate) async fn bytes(&mut self, sql: &Sql, args: &[i64]) -> Result<Vec<(i64, Vec<u8>)>, StoreError> {
        let found = match self {
            Self::Sqlite(connection) => {
                let query = args.iter().fold(sqlx::query_as(sql.sqlite), |query, arg| query.bind(*arg));
                query.fetch_all(connection).await
            }
            Self::MySql(connection) => {
                let query = args.iter().fold(sqlx::query_as(sql.mysql), |query, arg| query.bind(*arg));
                query.fetch_all(connection).await
            }
        };
        found.map_err(|error| StoreError::Failed { doing: sql.doing, cause: error.to_string() })
    }

    async fn count(&mut self, sql: &Sql) -> Result<u64, StoreError> {
        let counted: Result<i64, sqlx::Error> = match self {
            Self::Sqlite(connection) => sqlx::query_scalar(sql.sqlite).fetch_one(connection).await,
            Self::MySql(connection) => sqlx::query_scalar(sql.mysql).fetch_one(connection).await,
        };
        counted
            .map(i64::cast_unsigned)
            .map_err(|error| StoreError::Failed { doing: sql.doing, cause: error.to_string() })
    }
}

fn numbers<'r, const N: usize, R: Row>(row: &'r R) -> Result<[i64; N], sqlx::Error>
where
    usize: ColumnIndex<R>,
    Option<i64>: Decode<'r, R::Database> + Type<R::Database>,
{
    let mut numbers = [-1; N];
    for (place, number) in numbers.iter_mut().enumerate() {
        *number = row.try_get::<Option<i64>, _>(place)?.unwrap_or(-1);
    }
    Ok(numbers)
}
