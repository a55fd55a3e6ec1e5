//! Who may not have a copy of a ready job: who has one, and who could be somebody that has answered it.
//!
//! Reads witnesses for jobs with answers alone.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use weevil_model::witness::Witness;
use weevil_model::{ContentHash, JobId, RunId, Timestamp, WorkerId};
use weevil_queue::decide::claim::{barred_to_all, held_by_askers};
use weevil_queue::decide::parties::Parties;
use weevil_queue::{Appetite, Batch};
use weevil_records::StoreError;

use super::answers::{AskedRow, witness};
use super::copies;
use super::deal::Ready;
use crate::json::hex;
use crate::{Columns, Fault, Sql, Tx, both};

/// By the answers' primary key.
const ANSWERED_BY: Sql = both!("looking for who has answered", [job int], "
select {LEAD}a.job, a.device, a.network, a.engine from {ROWS} join answers a{BY_KEY} on a.job = s.job where a.given_at is not null");

/// By the primary key.
const SALTS: Sql = both!("telling networks apart", [run int], "
select {LEAD}k.run, k.salt from {ROWS} join salts k on k.run = s.run");

/// One that another server has made meanwhile stays.
const ADD_SALTS: Sql = Sql {
    doing: "telling networks apart",
    sqlite: "
insert into salts (run, salt) select value ->> 0, unhex(value ->> 1) from jsonb_each(?1) where true on conflict do nothing",
    mysql: "
insert ignore into salts (run, salt)
select s.run, unhex(s.salt) from json_table(?, '$[*]' columns (run bigint path '$[0]', salt varchar(64) path '$[1]')) s",
};

/// Jobs that are passed over in one line because nobody who asks may have them. There are other lines.
const MAX_PASSED_OVER: u64 = 256;

/// Whom each ready job is not for, and who the workers that ask are to the judged ones.
pub(crate) struct Barred {
    holders: HashMap<JobId, Vec<WorkerId>>,
    to_judge: HashMap<JobId, Vec<WorkerId>>,
    pub(crate) crowd: Crowd,
}

/// The workers that ask, as witnesses of the jobs of a run.
pub(crate) struct Crowd(HashMap<(Option<RunId>, WorkerId), Witness>);

/// A judged job that is ready.
struct Judged {
    id: JobId,
    run: Option<RunId>,
    has_answers: bool,
}

impl Barred {
    pub(crate) async fn of<T: Tx>(
        tx: &mut T,
        ready: &[Ready<T::Row>],
        batch: &Batch,
        now: Timestamp,
    ) -> Result<Self, Fault> {
        let (mut out, mut judged) = (Vec::new(), Vec::new());
        for Ready { row, lane, .. } in ready {
            if row.small("open_attempts")? > 0 {
                out.push(row.job_id("id")?);
            }
            if row.trust()?.is_judged() {
                let (id, run) = (row.job_id("id")?, row.maybe_run_id("run")?);
                judged.push(Judged { id, run, has_answers: lane.has_answers() });
            }
        }
        let holders = copies::holders(tx, &out).await?;
        let (asks, parties) = (&batch.claim.asks, &batch.company.parties);
        let crowd = Crowd::of(tx, &judged, asks, batch).await?;
        let answered = answered_by(tx, &judged).await?;
        let mut to_judge = HashMap::new();
        for Judged { id, run, .. } in judged {
            let answers = answered.get(&id).map(Vec::as_slice).unwrap_or_default();
            let barred = crowd.barred(run, answers, asks, parties, now);
            if !barred.is_empty() {
                to_judge.insert(id, barred);
            }
        }
        Ok(Self { holders, to_judge, crowd })
    }

    /// How many of these jobs are nothing for who asks.
    pub(crate) fn passed_over(&self, asks: &[Appetite]) -> u64 {
        held_by_askers(asks, self.holders.values())
            + barred_to_all(asks, self.to_judge.values()).min(MAX_PASSED_OVER)
    }

    pub(crate) fn from(&self, job: JobId) -> Vec<WorkerId> {
        let both = [self.holders.get(&job), self.to_judge.get(&job)];
        both.into_iter().flatten().flatten().copied().collect()
    }
}

impl Crowd {
    async fn of<T: Tx>(
        tx: &mut T,
        judged: &[Judged],
        asks: &[Appetite],
        batch: &Batch,
    ) -> Result<Self, Fault> {
        let runs: HashSet<Option<RunId>> = judged.iter().map(|job| job.run).collect();
        let salts = salts(tx, &runs, &batch.chance).await?;
        let mut crowd = HashMap::new();
        for run in runs {
            for ask in asks {
                let Some(party) = batch.company.parties.of(ask.worker) else { continue };
                let salted = |network| {
                    run.and_then(|run| salts.get(&run)).map_or(network, |salt| salted(*salt, network))
                };
                let network = party.witness.network.map(salted);
                crowd.insert((run, ask.worker), Witness { network, ..party.witness });
            }
        }
        Ok(Self(crowd))
    }

    /// Those who could be one of the witnesses, whom nobody knows, or who have not said yet who they are.
    fn barred(
        &self,
        run: Option<RunId>,
        answers: &[Witness],
        asks: &[Appetite],
        parties: &Parties,
        now: Timestamp,
    ) -> Vec<WorkerId> {
        let may = |ask: &&Appetite| {
            let Some(witness) = self.0.get(&(run, ask.worker)) else { return false };
            parties.of(ask.worker).is_some_and(|party| party.is_introduced(now))
                && answers.iter().all(|answer| witness.is_independent_of(answer))
        };
        asks.iter().filter(|ask| !may(ask)).map(|ask| ask.worker).collect()
    }

    /// The row of a copy that is handed out; `None` where the worker is nobody.
    pub(crate) fn row(
        &self,
        job: i64,
        number: u32,
        run: Option<RunId>,
        worker: WorkerId,
    ) -> Option<AskedRow> {
        self.0.get(&(run, worker)).map(|witness| AskedRow::new(job, number, witness))
    }
}

async fn answered_by<T: Tx>(tx: &mut T, judged: &[Judged]) -> Result<HashMap<JobId, Vec<Witness>>, Fault> {
    let jobs = judged.iter().filter(|job| job.has_answers).map(|job| job.id.number());
    let mut answered: HashMap<JobId, Vec<Witness>> = HashMap::new();
    for row in tx.rows(&ANSWERED_BY, &jobs.collect::<Vec<_>>()).await? {
        answered.entry(row.job_id("job")?).or_default().push(witness(&row)?);
    }
    Ok(answered)
}

/// run, salt
#[derive(Serialize)]
struct SaltRow(i64, String);

/// That of each run; made of the batch's chance where there is none yet.
async fn salts<T: Tx>(
    tx: &mut T,
    runs: &HashSet<Option<RunId>>,
    chance: &[u8; 32],
) -> Result<HashMap<RunId, ContentHash>, Fault> {
    let mut wanted: Vec<i64> = runs.iter().flatten().map(|run| run.number()).collect();
    wanted.sort_unstable();
    let mut known = read_salts(tx, &wanted).await?;
    let is_new = |run: &&i64| !known.keys().any(|known| known.number() == **run);
    let made = |run: &i64| {
        let salt = ContentHash::of_parts([("salt", chance.as_slice()), ("run", &run.to_be_bytes())]);
        SaltRow(*run, hex(salt.as_bytes()))
    };
    let new: Vec<SaltRow> = wanted.iter().filter(is_new).map(made).collect();
    if !new.is_empty() {
        tx.change(&ADD_SALTS, &new, &[]).await?;
        known = read_salts(tx, &wanted).await?;
    }
    Ok(known)
}

async fn read_salts<T: Tx>(tx: &mut T, runs: &[i64]) -> Result<HashMap<RunId, ContentHash>, Fault> {
    let rows = tx.rows(&SALTS, runs).await?;
    let salt = |row: &T::Row| Ok((row.run_id("run")?, row.hash("salt")?));
    Ok(rows.iter().map(salt).collect::<Result<_, StoreError>>()?)
}

/// The pseudonym of a network in a run.
fn salted(salt: ContentHash, network: i64) -> i64 {
    let parts = [("salt", salt.as_bytes().as_slice()), ("network", &network.to_be_bytes())];
    ContentHash::of_parts(parts).seed().cast_signed() & i64::MAX
}
