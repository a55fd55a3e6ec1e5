//! Engines that get no more of a code, since they differ from what most known devices say of it. Nobody who runs one is at fault.
//! They may agree where answers are compared in another way, so each way is one by itself.
//!
//! Whether two engines differ is counted in `comparisons.rs`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use const_format::formatcp;
use serde::Serialize;
use weevil_model::witness::Engine;
use weevil_model::{ContentHash, RunId};
use weevil_queue::Appetite;
use weevil_records::{EngineDifference, LeftOutEngine};
use weevil_trust::{EnginePair, left_out};

use super::apply::Work;
use super::comparisons::{Comparing, engine};
use super::deal::Ready;
use super::docket::Finding;
use crate::driver::Dialect;
use crate::json::hex;
use crate::{Columns, Fault, Sql, Tx, both};

/// By the head of the primary key: as many rows as known devices have ever agreed on a code. Asked for once an engine has differed
/// more often than it agreed, until it is left out.
const AGREEING: Sql = both!("counting who agrees", [code hash], "
select {LEAD}a.code, a.engine, count(*) as many from {ROWS} join agreeing a{BY_KEY} on a.code = unhex(s.code) group by a.code, a.engine");

/// How the answers of job `j` are compared, in the words of [`Comparing`].
pub(crate) const AGREE: &str = "coalesce(j.agree, 'exact')";

/// By the head of the primary key.
const LEFT_OUT: Sql = both!("reading engines that are left out", [code hash], "
select {LEAD}l.code, l.agree, l.engine from {ROWS} join left_out l{BY_KEY} on l.code = unhex(s.code)");

/// By the primary key. Where one engine alone computes a job, none differs from it.
const COMPARED: Sql = both!("reading how answers are compared", [id int], "
select {LEAD}j.id, {AGREE} as agree from {ROWS} join jobs j on j.id = s.id where j.agree_within is null");

const LEAVE_OUT: Sql = both!("leaving an engine out", [code hash, way hash, engine word, leader word], "
insert{IGNORE} into left_out (code, agree, engine, leader, since)
select {LEAD}unhex(s.code), s.way, s.engine, s.leader, {M2} from {ROWS}{JOIN_M2}{UNLESS_THERE}");

/// For the page of each run in which that was met.
const IN_RUNS: Sql = both!("noting engines that are left out", [run int, code hash, way hash, engine word], "
insert{IGNORE} into runs_left_out (run, code, agree, engine)
select {LEAD}s.run, unhex(s.code), s.way, s.engine from {ROWS}{UNLESS_THERE}");

/// By the index of undecided lots, and any answer of each: all of a lot are of one device for one pool. Once for each engine and code.
const LOTS: Sql = both!("looking for lots of an engine", [code hash, way hash, engine word], "
select {LEAD}l.run, l.device from {ROWS} join lots l{UNDECIDED} on l.fate is null
where (select a.engine from answers a{OF_LOTS} where a.lot = l.id limit 1) = s.engine
  and (select j.code from answers a{OF_LOTS} join jobs j on j.id = a.job where a.lot = l.id limit 1) = unhex(s.code)
  and (select {AGREE} from answers a{OF_LOTS} join jobs j on j.id = a.job where a.lot = l.id limit 1) = s.way");

/// By the primary key. They leave the line in which they stand in the way of those who may not have them.
const PUT_APART: Sql = both!("putting jobs apart", jobs by id, [id int, class int], "
update {TARGET} set needs = s.class{SOURCE}");

/// By the head of the primary key.
const OF_RUN: Sql = Sql::of("reading engines that are left out", "
select r.code, r.agree, r.engine, l.leader from runs_left_out r
join left_out l on l.code = r.code and l.agree = r.agree and l.engine = r.engine where r.run = ? order by r.code, r.agree, r.engine");

/// By the head of the primary key: as many as are kept of these codes. The newest first.
const DIFFERENCES: Sql = Sql::of("reading differences", formatcp!("
select d.code, {AGREE} as agree, d.engine_a, d.engine_b, d.job, j.path, d.said_a, d.said_b from differences d join jobs j on j.id = d.job
where d.run = ? and exists (select 1 from runs_left_out r where r.run = d.run and r.code = d.code) order by d.job desc"));

/// Differences that people are shown of an engine and a code.
const SHOWN: usize = 2;

/// Two engines that differ on a code more often than they agree, and where that was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Split {
    pub(crate) comparing: Comparing,
    pub(crate) pair: EnginePair,
    /// `None` for a job that stands alone.
    pub(crate) run: Option<RunId>,
}

/// code, how answers are compared, and the engine that gets no more of it
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Exclusion(String, String, &'static str);

impl Exclusion {
    fn of(comparing: &Comparing, engine: Engine) -> Self {
        Self(hex(comparing.code.as_bytes()), comparing.agree.clone(), engine.as_str())
    }
}

/// Why that is so, and where it was seen.
#[derive(Debug)]
struct LeftOut {
    leading: Engine,
    /// `None` for a job that stands alone.
    run: Option<RunId>,
}

/// Leaves out which of the engines differ from the one with the most known devices that agree. What they have said in open lots is
/// asked for anew.
pub(crate) async fn weigh<T: Dialect>(
    tx: &mut T,
    work: &mut Work<'_>,
    splits: &[Split],
) -> Result<(), Fault> {
    work.bench.comparisons.write(tx).await?;
    let codes: BTreeSet<String> = splits.iter().map(|split| hex(split.comparing.code.as_bytes())).collect();
    let known = known(tx, &codes).await?;
    let mut devices: HashMap<ContentHash, Vec<(Engine, u32)>> = HashMap::new();
    for row in tx.rows(&AGREEING, &codes.iter().collect::<Vec<_>>()).await? {
        devices.entry(row.hash("code")?).or_default().push((engine(&row, "engine")?, row.small("many")?));
    }
    let mut out = BTreeMap::new();
    for split in splits {
        let devices = devices.get(&split.comparing.code).map(Vec::as_slice).unwrap_or_default();
        let tally = |pair| work.bench.comparisons.tally(&split.comparing, pair);
        for engine in split.pair.engines() {
            let is_known = known.get(&split.comparing).is_some_and(|out| out.contains(&engine));
            if let Some(leading) = left_out(engine, devices, tally).filter(|_| !is_known) {
                let out_of = Exclusion::of(&split.comparing, engine);
                out.entry(out_of).or_insert(LeftOut { leading, run: split.run });
            }
        }
    }
    leave_out(tx, work, &out).await
}

async fn leave_out<T: Dialect>(
    tx: &mut T,
    work: &mut Work<'_>,
    out: &BTreeMap<Exclusion, LeftOut>,
) -> Result<(), Fault> {
    let rows: Vec<_> = out
        .iter()
        .map(|(Exclusion(code, way, engine), left)| (code, way, engine, left.leading.as_str()))
        .collect();
    tx.change(&LEAVE_OUT, &rows, &[work.now.into()]).await?;
    let in_runs = out.iter().filter_map(|(of, left)| Some(InRun::of(left.run?, of)));
    tx.change(&IN_RUNS, &in_runs.collect::<Vec<_>>(), &[]).await?;
    work.outcomes.left_out.extend(out.values().filter_map(|left| left.run));
    for row in tx.rows(&LOTS, &out.keys().collect::<Vec<_>>()).await? {
        let nobody_at_fault = Finding { should_agree: false, is_error: false };
        work.bench.docket.refuse(Some(row.run_id("run")?), row.number("device")?, nobody_at_fault);
    }
    Ok(())
}

/// Jobs that stood in the way of somebody who asks and may not have them.
#[derive(Debug, Default)]
pub(crate) struct Apart {
    /// So many stand elsewhere now.
    pub(crate) moved: usize,
    /// The runs in which that was met for the first time.
    pub(crate) runs: BTreeSet<RunId>,
}

/// Has those of these jobs need another engine of which one gets no more.
pub(crate) async fn put_apart<T: Dialect>(
    tx: &mut T,
    ready: &mut [Ready<T::Row>],
    asks: &[Appetite],
) -> Result<Apart, Fault> {
    let mut judged = Vec::new();
    for job in ready.iter_mut() {
        if job.row.trust()?.is_judged() {
            judged.push((job.row.hash("code")?, job));
        }
    }
    let known = known(tx, &judged.iter().map(|(code, _)| hex(code.as_bytes())).collect()).await?;
    judged.retain(|(code, _)| known.keys().any(|comparing| comparing.code == *code));
    let compared = compared(tx, &judged).await?;
    let (mut moved, mut in_runs, mut runs) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for (code, Ready { row, lane, needs, .. }) in judged {
        let id = row.number("id")?;
        let Some(agree) = compared.get(&id) else { continue };
        let comparing = Comparing { code, agree: agree.clone() };
        let engines = known.get(&comparing).map(Vec::as_slice).unwrap_or_default();
        let apart = engines.iter().fold(*needs, |needs, out| needs.without(*out));
        let before = std::mem::replace(needs, apart);
        if asks.iter().any(|ask| ask.has.meet(before) && !ask.has.meet(apart)) {
            moved.push((id, lane.class(apart)));
            if let Some(run) = row.maybe_run_id("run")? {
                in_runs.extend(engines.iter().map(|out| InRun::of(run, &Exclusion::of(&comparing, *out))));
                runs.insert(run);
            }
        }
    }
    tx.change(&PUT_APART, &moved, &[]).await?;
    if tx.change(&IN_RUNS, &in_runs.iter().collect::<Vec<_>>(), &[]).await? == 0 {
        runs.clear();
    }
    Ok(Apart { moved: moved.len(), runs })
}

async fn known<T: Tx>(
    tx: &mut T,
    codes: &BTreeSet<String>,
) -> Result<HashMap<Comparing, Vec<Engine>>, Fault> {
    let mut known: HashMap<Comparing, Vec<Engine>> = HashMap::new();
    for row in tx.rows(&LEFT_OUT, &codes.iter().collect::<Vec<_>>()).await? {
        let comparing = Comparing { code: row.hash("code")?, agree: row.text("agree")? };
        known.entry(comparing).or_default().push(engine(&row, "engine")?);
    }
    Ok(known)
}

/// How the answers of these jobs are compared. A job whose copies stay within one engine is not among them.
async fn compared<T: Dialect>(
    tx: &mut T,
    judged: &[(ContentHash, &mut Ready<T::Row>)],
) -> Result<HashMap<i64, String>, Fault> {
    let ids: Vec<i64> = judged.iter().map(|(_, job)| job.row.number("id")).collect::<Result<_, _>>()?;
    let mut compared = HashMap::new();
    for row in tx.rows(&COMPARED, &ids).await? {
        compared.insert(row.number("id")?, row.text("agree")?);
    }
    Ok(compared)
}

/// Those that a run has met.
pub(crate) async fn of_run<T: Tx>(tx: &mut T, run: RunId) -> Result<Vec<LeftOutEngine>, Fault> {
    let mut out = Vec::new();
    for row in tx.found(&OF_RUN, &[run.number().into()]).await? {
        let (engine, leading) = (engine(&row, "engine")?, engine(&row, "leader")?);
        let left = LeftOutEngine { code: row.hash("code")?, engine, leading, differences: Vec::new() };
        out.push((row.text("agree")?, left));
    }
    if out.is_empty() {
        return Ok(Vec::new());
    }
    for row in tx.found(&DIFFERENCES, &[run.number().into()]).await? {
        let one = (engine(&row, "engine_a")?, row.text("said_a")?);
        let other = (engine(&row, "engine_b")?, row.text("said_b")?);
        let (code, agree) = (row.hash("code")?, row.text("agree")?);
        let (job, path) = (row.job_id("job")?, row.text("path")?);
        for (_, left) in out.iter_mut().filter(|(way, left)| (left.code, way) == (code, &agree)) {
            let of = |engine| [&one, &other].into_iter().find(|(said_by, _)| *said_by == engine);
            let Some((said, leading)) = of(left.engine).zip(of(left.leading)) else { continue };
            if left.differences.len() < SHOWN {
                let (said, leading_said, path) = (said.1.clone(), leading.1.clone(), path.clone());
                left.differences.push(EngineDifference { job, path, said, leading_said });
            }
        }
    }
    Ok(out.into_iter().map(|(_, left)| left).collect())
}

/// run, code, how answers are compared, engine
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct InRun(i64, String, String, &'static str);

impl InRun {
    fn of(run: RunId, Exclusion(code, way, engine): &Exclusion) -> Self {
        Self(run.number(), code.clone(), way.clone(), engine)
    }
}
