//! Who may not have a copy of a ready job: who has one, who could be somebody that has answered it, and whose answer would be of no
//! use to it.
//!
//! Reads witnesses for jobs with answers alone, and what newcomers wait for only where a job is judged by lots.

use std::collections::{BTreeSet, HashMap, HashSet};

use weevil_model::witness::{Rank, Record, Witness};
use weevil_model::{JobId, Needs, RunId, WorkerId};
use weevil_queue::decide::claim::{barred_to_all, held_by_askers};
use weevil_queue::decide::company::Company;
use weevil_queue::decide::lane::Lane;
use weevil_queue::decide::parties::Party;
use weevil_queue::decide::spare::is_elsewhere;
use weevil_queue::{Appetite, Batch};
use weevil_records::StoreError;
use weevil_trust::{OpenFleet, points, rests, waiting_answers};

use super::answers::{AskedRow, COUNTS, witness};
use super::asked::Worth;
use super::deal::Ready;
use super::ranks::Ranks;
use super::{copies, salts};
use crate::words::CONFIRMED;
use crate::{Columns, Fault, Sql, Tx, both};

/// By the answers' primary key.
pub(crate) const ANSWERED_BY: Sql = both!("looking for who has answered", [job int], "
select {LEAD}a.job, a.device, a.network, a.engine from {ROWS} join answers a{BY_KEY} on a.job = s.job where a.given_at is not null and {COUNTS}");

/// By the primary keys of both. Only of judged jobs with copies out, which are few.
const ASKED: Sql = both!("looking for who has been asked", [job int], "
select {LEAD}a.job, a.device, a.network, a.engine from {ROWS} join attempts t on t.job = s.job
join answers a{BY_KEY} on a.job = t.job and a.number = t.number where t.ending is null");

/// By the index of undecided answers. What was asked for and never came, or ended with its run, waits for nothing.
const WAITING: Sql = both!("looking for what newcomers wait for", [device int], "
select {LEAD}a.device, count(*) as many from {ROWS} join answers a{UNDECIDED_ANSWERS} on a.device = s.device join jobs j on j.id = a.job
where a.fate is null and a.given_at is not null and j.outcome is null and a.marks & {CONFIRMED} = 0 group by a.device");

/// Jobs that are passed over in one line because nobody who asks may have them. There are other lines.
pub(crate) const MAX_PASSED_OVER: u64 = 256;

/// Whom each ready job is not for, and who the workers that ask are to the judged ones.
#[derive(Default)]
pub(crate) struct Barred {
    holders: HashMap<JobId, Vec<WorkerId>>,
    to_judge: HashMap<JobId, Vec<WorkerId>>,
    crowd: Crowd,
}

/// The workers that ask, as witnesses of the jobs of a run.
#[derive(Default)]
struct Crowd(HashMap<(Option<RunId>, WorkerId), Witness>);

/// Those who may be asked, as far as what is kept of them says.
struct Askers<'r> {
    ranks: &'r Ranks<'r>,
    /// Answers of newcomers that wait to be compared, by device.
    waiting: HashMap<i64, u32>,
}

/// A judged job that is ready.
struct Judged {
    id: JobId,
    run: Option<RunId>,
    lane: Lane,
    needs: Needs,
    by_lots: bool,
    /// Copies of it are out.
    is_out: bool,
}

impl Judged {
    /// `None` for a job that nobody judges.
    fn of<T: Tx>(Ready { row, lane, needs, .. }: &Ready<T::Row>) -> Result<Option<Self>, StoreError> {
        let policy = row.trust()?;
        let (id, run, by_lots) = (row.job_id("id")?, row.maybe_run_id("run")?, policy.is_by_lots());
        let is_out = row.small("open_attempts")? > 0;
        Ok(policy.is_judged().then_some(Self { id, run, lane: *lane, needs: *needs, by_lots, is_out }))
    }
}

impl Barred {
    pub(crate) async fn of<T: Tx>(
        tx: &mut T,
        ready: &[Ready<T::Row>],
        asks: &[Appetite],
        batch: &Batch,
        ranks: &Ranks<'_>,
    ) -> Result<Self, Fault> {
        let (mut out, mut judged) = (Vec::new(), Vec::new());
        for job in ready {
            if job.row.small("open_attempts")? > 0 {
                out.push(job.row.job_id("id")?);
            }
            judged.extend(Judged::of::<T>(job)?);
        }
        let holders = copies::holders(tx, &out).await?;
        let crowd = Crowd::of(tx, &judged, asks, batch).await?;
        let answered = answered_by(tx, &judged).await?;
        let by_lots = judged.iter().any(|job| job.by_lots);
        let askers = Askers::of(tx, asks, ranks, by_lots).await?;
        let mut to_judge = HashMap::new();
        for job in judged {
            let answers = answered.get(&job.id).map(Vec::as_slice).unwrap_or_default();
            let may = |ask: &&Appetite| crowd.may(&job, answers, ask.worker) && askers.may(&job, ask.worker);
            let barred: Vec<WorkerId> = asks.iter().filter(|ask| !may(ask)).map(|ask| ask.worker).collect();
            if !barred.is_empty() {
                to_judge.insert(job.id, barred);
            }
        }
        Ok(Self { holders, to_judge, crowd })
    }

    /// How many of these jobs are nothing for who asks.
    pub(crate) fn passed_over(&self, asks: &[Appetite], jobs: &[JobId]) -> u64 {
        let held = jobs.iter().filter_map(|job| self.holders.get(job));
        let judged = jobs.iter().filter_map(|job| self.to_judge.get(job));
        held_by_askers(asks, held) + barred_to_all(asks, judged).min(MAX_PASSED_OVER)
    }

    /// Has those of the askers have no copy who are where somebody has one.
    pub(crate) fn all_but_elsewhere(&mut self, asks: &[Appetite], company: &Company) {
        for holders in self.holders.values_mut() {
            let places: Vec<_> = holders.iter().map(|holder| company.place(*holder)).collect();
            let may =
                |ask: &&Appetite| places.iter().all(|place| is_elsewhere(*place, company.place(ask.worker)));
            holders.extend(asks.iter().filter(|ask| !may(ask)).map(|ask| ask.worker));
        }
    }

    pub(crate) fn from(&self, job: JobId) -> Vec<WorkerId> {
        let both = [self.holders.get(&job), self.to_judge.get(&job)];
        both.into_iter().flatten().flatten().copied().collect()
    }

    /// The row of a copy that is handed out, with what an answer to it is worth; `None` where the worker is nobody.
    pub(crate) fn row<R: Columns>(
        &self,
        Ready { row, needs, .. }: &Ready<R>,
        number: u32,
        worker: WorkerId,
        ranks: &Ranks<'_>,
    ) -> Result<Option<AskedRow>, StoreError> {
        let (run, policy) = (row.maybe_run_id("run")?, row.trust()?);
        let Some((witness, party)) = self.crowd.0.get(&(run, worker)).zip(ranks.party(worker)) else {
            return Ok(None);
        };
        let (rank, by_lots) = (ranks.rank(&party), policy.is_by_lots());
        let fleet = if by_lots { ranks.opens(*needs) } else { OpenFleet(false) };
        let is_crowded = by_lots && ranks.is_crowded(&party);
        let worth = Worth { rank, points: points(rank, fleet), is_crowded };
        Ok(Some(AskedRow::new(row.number("id")?, number, witness, worth)))
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
        let salts = salts::of(tx, &runs, &batch.chance).await?;
        let mut crowd = HashMap::new();
        for run in runs {
            for ask in asks {
                let Some(party) = batch.company.parties.of(ask.worker) else { continue };
                let salted = |network| {
                    run.and_then(|run| salts.get(&run)).map_or(network, |salt| salts::salted(*salt, network))
                };
                let network = party.witness.network.map(salted);
                crowd.insert((run, ask.worker), Witness { network, ..party.witness });
            }
        }
        Ok(Self(crowd))
    }

    /// Nobody whom nobody knows, and nobody who could be one of those that have answered.
    fn may(&self, job: &Judged, answers: &[Witness], worker: WorkerId) -> bool {
        let witness = self.0.get(&(job.run, worker));
        witness.is_some_and(|witness| answers.iter().all(|answer| witness.is_independent_of(answer)))
    }
}

impl<'r> Askers<'r> {
    async fn of<T: Tx>(
        tx: &mut T,
        asks: &[Appetite],
        ranks: &'r Ranks<'r>,
        by_lots: bool,
    ) -> Result<Self, Fault> {
        let is_new = |party: &Party| ranks.rank(party) == Rank::Newcomer;
        let new =
            asks.iter().filter_map(|ask| ranks.party(ask.worker)).filter(|party| by_lots && is_new(party));
        let devices: BTreeSet<i64> = new.filter_map(|party| party.witness.device).collect();
        let mut waiting = HashMap::new();
        for row in tx.rows(&WAITING, &devices.iter().collect::<Vec<_>>()).await? {
            waiting.insert(row.number("device")?, row.small("many")?);
        }
        Ok(Self { ranks, waiting })
    }

    /// Nobody who rests or has not said yet who it is.
    fn may(&self, job: &Judged, worker: WorkerId) -> bool {
        let now = self.ranks.now();
        self.ranks.party(worker).is_some_and(|party| {
            let record = self.ranks.record(&party);
            let is_here = party.is_introduced(now) && !rests(&record, now);
            is_here && (!job.by_lots || self.is_of_use(job, &party, &record))
        })
    }

    /// What a newcomer says is compared with what somebody says who is known, unless there is nobody yet. Who has no device can never
    /// be known.
    fn is_of_use(&self, job: &Judged, party: &Party, record: &Record) -> bool {
        let (now, fleet) = (self.ranks.now(), self.ranks.opens(job.needs));
        if fleet.0 || self.ranks.rank(party) != Rank::Newcomer {
            return true;
        }
        let waits = |device| self.waiting.get(&device).copied().unwrap_or_default();
        let has_room = |device| waits(device) < waiting_answers(record, now, fleet);
        !job.lane.is_answered() && party.witness.device.is_some_and(has_room)
    }
}

/// Those who have answered each job, and those who are about to.
async fn answered_by<T: Tx>(tx: &mut T, judged: &[Judged]) -> Result<HashMap<JobId, Vec<Witness>>, Fault> {
    let jobs = judged.iter().filter(|job| job.lane.has_answers()).map(|job| job.id.number());
    let mut answered: HashMap<JobId, Vec<Witness>> = HashMap::new();
    for row in tx.rows(&ANSWERED_BY, &jobs.collect::<Vec<_>>()).await? {
        answered.entry(row.job_id("job")?).or_default().push(witness(&row)?);
    }
    let out = judged.iter().filter(|job| job.is_out).map(|job| job.id.number());
    for row in tx.rows(&ASKED, &out.collect::<Vec<_>>()).await? {
        answered.entry(row.job_id("job")?).or_default().push(witness(&row)?);
    }
    Ok(answered)
}
