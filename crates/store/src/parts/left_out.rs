//! Engines that get no more of a code, since they differ from what most known devices say of it. Nobody who runs one is at fault.
//!
//! Whether two engines differ is counted in `comparisons.rs`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

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

/// By the head of the primary key.
const LEFT_OUT: Sql = both!("reading engines that are left out", [code hash], "
select {LEAD}l.code, l.engine from {ROWS} join left_out l{BY_KEY} on l.code = unhex(s.code)");

const LEAVE_OUT: Sql = both!("leaving an engine out", [code hash, engine word, leader word], "
insert{IGNORE} into left_out (code, engine, leader, since)
select {LEAD}unhex(s.code), s.engine, s.leader, {M2} from {ROWS}{JOIN_M2}{UNLESS_THERE}");

/// For the page of each run in which that was met.
const IN_RUNS: Sql = both!("noting engines that are left out", [run int, code hash, engine word], "
insert{IGNORE} into runs_left_out (run, code, engine) select {LEAD}s.run, unhex(s.code), s.engine from {ROWS}{UNLESS_THERE}");

/// By the index of undecided lots, and any answer of each: all of a lot are of one device for one pool. Once for each engine and code.
const LOTS: Sql = both!("looking for lots of an engine", [code hash, engine word], "
select {LEAD}l.run, l.device from {ROWS} join lots l{UNDECIDED} on l.fate is null
where (select a.engine from answers a{OF_LOTS} where a.lot = l.id limit 1) = s.engine
  and (select j.code from answers a{OF_LOTS} join jobs j on j.id = a.job where a.lot = l.id limit 1) = unhex(s.code)");

/// By the primary key. They leave the line in which they stand in the way of those who may not have them.
const PUT_APART: Sql = both!("putting jobs apart", jobs by id, [id int, class int], "
update {TARGET} set needs = s.class{SOURCE}");

/// By the head of the primary key.
const OF_RUN: Sql = Sql::of("reading engines that are left out", "
select r.code, r.engine, l.leader from runs_left_out r join left_out l on l.code = r.code and l.engine = r.engine where r.run = ?
order by r.code, r.engine");

/// By the head of the primary key: as many as are kept of these codes. The newest first.
const DIFFERENCES: Sql = Sql::of("reading differences", "
select d.code, d.engine_a, d.engine_b, d.job, j.path, d.said_a, d.said_b from differences d join jobs j on j.id = d.job
where d.run = ? and exists (select 1 from runs_left_out r where r.run = d.run and r.code = d.code) order by d.job desc");

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

/// An engine that gets no more of a code.
#[derive(Debug, Clone)]
struct LeftOut {
    engine: Engine,
    leading: Engine,
    split: Split,
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
            let is_known = known.get(&split.comparing.code).is_some_and(|out| out.contains(&engine));
            if let Some(leading) = left_out(engine, devices, tally).filter(|_| !is_known) {
                let key = (hex(split.comparing.code.as_bytes()), engine.as_str());
                out.entry(key).or_insert(LeftOut { engine, leading, split: split.clone() });
            }
        }
    }
    leave_out(tx, work, &out.into_values().collect::<Vec<_>>()).await
}

async fn leave_out<T: Dialect>(tx: &mut T, work: &mut Work<'_>, out: &[LeftOut]) -> Result<(), Fault> {
    let code = |left: &LeftOut| hex(left.split.comparing.code.as_bytes());
    let rows: Vec<_> =
        out.iter().map(|left| (code(left), left.engine.as_str(), left.leading.as_str())).collect();
    tx.change(&LEAVE_OUT, &rows, &[work.now.into()]).await?;
    let in_runs: Vec<_> = out
        .iter()
        .filter_map(|left| Some(InRun::of(left.split.run?, left.split.comparing.code, left.engine)))
        .collect();
    tx.change(&IN_RUNS, &in_runs, &[]).await?;
    work.outcomes.left_out.extend(out.iter().filter_map(|left| left.split.run));
    let rows: Vec<_> = out.iter().map(|left| (code(left), left.engine.as_str())).collect();
    for row in tx.rows(&LOTS, &rows).await? {
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
        if job.row.trust()?.is_by_lots() {
            judged.push((job.row.hash("code")?, job));
        }
    }
    let codes = judged.iter().map(|(code, _)| hex(code.as_bytes())).collect();
    let known = known(tx, &codes).await?;
    let (mut moved, mut in_runs, mut runs) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for (code, Ready { row, lane, needs, .. }) in judged {
        let engines = known.get(&code).map(Vec::as_slice).unwrap_or_default();
        let apart = engines.iter().fold(*needs, |needs, out| needs.without(*out));
        let before = std::mem::replace(needs, apart);
        if asks.iter().any(|ask| ask.has.meet(before) && !ask.has.meet(apart)) {
            moved.push((row.number("id")?, lane.class(apart)));
            if let Some(run) = row.maybe_run_id("run")? {
                in_runs.extend(engines.iter().map(|out| InRun::of(run, code, *out)));
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
) -> Result<HashMap<ContentHash, Vec<Engine>>, Fault> {
    let mut known: HashMap<ContentHash, Vec<Engine>> = HashMap::new();
    for row in tx.rows(&LEFT_OUT, &codes.iter().collect::<Vec<_>>()).await? {
        known.entry(row.hash("code")?).or_default().push(engine(&row, "engine")?);
    }
    Ok(known)
}

/// Those that a run has met.
pub(crate) async fn of_run<T: Tx>(tx: &mut T, run: RunId) -> Result<Vec<LeftOutEngine>, Fault> {
    let mut out = Vec::new();
    for row in tx.found(&OF_RUN, &[run.number().into()]).await? {
        let (engine, leading) = (engine(&row, "engine")?, engine(&row, "leader")?);
        out.push(LeftOutEngine { code: row.hash("code")?, engine, leading, differences: Vec::new() });
    }
    if out.is_empty() {
        return Ok(out);
    }
    for row in tx.found(&DIFFERENCES, &[run.number().into()]).await? {
        let one = (engine(&row, "engine_a")?, row.text("said_a")?);
        let other = (engine(&row, "engine_b")?, row.text("said_b")?);
        let (code, job, path) = (row.hash("code")?, row.job_id("job")?, row.text("path")?);
        for left in out.iter_mut().filter(|left| left.code == code && left.differences.len() < SHOWN) {
            let of = |engine| [&one, &other].into_iter().find(|(said_by, _)| *said_by == engine);
            let Some((said, leading)) = of(left.engine).zip(of(left.leading)) else { continue };
            let (said, leading_said, path) = (said.1.clone(), leading.1.clone(), path.clone());
            left.differences.push(EngineDifference { job, path, said, leading_said });
        }
    }
    Ok(out)
}

/// run, code, engine
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct InRun(i64, String, &'static str);

impl InRun {
    fn of(run: RunId, code: ContentHash, engine: Engine) -> Self {
        Self(run.number(), hex(code.as_bytes()), engine.as_str())
    }
}
