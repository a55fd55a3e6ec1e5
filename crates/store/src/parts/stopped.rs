//! Codes of which a queue hands nothing out: their waiting jobs are held as soon as a claim meets them. Which codes these are,
//! whoever brings the batch knows; a person lets them go (`pause.rs`).

use std::collections::{BTreeSet, HashSet};

use serde::Serialize;
use weevil_model::{ProjectId, Timestamp};
use weevil_queue::StoppedCode;
use weevil_queue::decide::stopped::MAX_STOPPED;
use weevil_records::StoreError;

use super::deal::Ready;
use crate::driver::Dialect;
use crate::json::hex;
use crate::paused::Paused;
use crate::words::HELD;
use crate::{Columns, Fault, Sql, Tx, both};

/// By the head of the primary key: as many rows as a project may have.
const STOP: Sql = both!("stopping a code", [project int, queue queue, code hash, example int], "
insert{IGNORE} into stopped_codes (project, queue, code, example, stopped_at)
select {LEAD}s.project, s.queue, unhex(s.code), s.example, {M2} from {ROWS}{JOIN_M2}
where (select count(*) from stopped_codes c{BY_KEY} where c.project = s.project) < {MAX_STOPPED}{OR_STAYS}");

/// By the primary key, for the codes of the jobs that were found.
const STOPPED: Sql = both!("looking for codes that are stopped", [project int, queue queue, code hash], "
select {LEAD}c.project, {CODE_QUEUE} as queue, c.code
from {ROWS} join stopped_codes c{BY_KEY} on c.project = s.project and c.queue = {ROW_QUEUE} and c.code = unhex(s.code)");

/// By the primary key. They leave the index of ready jobs; a held job has no moment.
const HOLD: Sql = both!("holding jobs", jobs by id, [id int], "
update {TARGET} set delivery = {HELD}, due_at = null{SOURCE}");

/// project, queue, code
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
struct CodeRow(i64, String, String);

impl CodeRow {
    fn read<R: Columns>(row: &R) -> Result<Self, StoreError> {
        let project = row.id("project", ProjectId::from_number)?;
        Ok(Self(project.number(), row.text("queue")?, hex(row.hash("code")?.as_bytes())))
    }
}

/// One after the other, so that each is counted for the next: a project has no more of them than it may.
pub(crate) async fn stop<T: Tx>(
    tx: &mut T,
    codes: &[StoppedCode],
    paused: &mut Paused,
    now: Timestamp,
) -> Result<(), Fault> {
    for StoppedCode { code, example } in codes {
        let row = (code.project.number(), &*code.queue, hex(code.code.as_bytes()), example.number());
        tx.change(&STOP, &[row], &[now.into()]).await?;
        paused.codes = true;
    }
    Ok(())
}

/// Holds those of these ready jobs that are of a stopped code, and takes them out. Answers whether there were any. Asks the
/// database nothing where no code is stopped.
pub(crate) async fn hold<T: Dialect>(
    tx: &mut T,
    ready: &mut Vec<Ready<T::Row>>,
    paused: &Paused,
) -> Result<bool, Fault> {
    if !paused.codes {
        return Ok(false);
    }
    let mut codes = Vec::with_capacity(ready.len());
    for Ready { row, .. } in ready.iter() {
        codes.push(if row.maybe_number("run")?.is_none() { Some(CodeRow::read(row)?) } else { None });
    }
    let asked: Vec<_> = codes.iter().flatten().collect::<BTreeSet<_>>().into_iter().collect();
    let mut stopped = HashSet::new();
    for row in tx.rows(&STOPPED, &asked).await? {
        stopped.insert(CodeRow::read(&row)?);
    }
    let (mut held, mut going) = (Vec::new(), Vec::with_capacity(ready.len()));
    for (job, code) in ready.drain(..).zip(codes) {
        if code.is_some_and(|code| stopped.contains(&code)) {
            held.push(job.row.number("id")?);
        } else {
            going.push(job);
        }
    }
    *ready = going;
    tx.change(&HOLD, &held, &[]).await?;
    Ok(!held.is_empty())
}
