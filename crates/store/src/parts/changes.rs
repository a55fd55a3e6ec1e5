//! What becomes of jobs and of their attempts, as rows: one statement for each table, whatever has decided it.

use serde::Serialize;
use weevil_model::{JobId, Timestamp};
use weevil_queue::decide::copies::Stand;
use weevil_queue::{AttemptEnd, Outcome};

use crate::words::{ENDED, code, word};
use crate::{Fault, Sql, Tx, both};

/// By the primary key. Failures are added, since a row stands for all that a batch does to its job; the end follows from
/// the delivery, so that neither is there without the other. A value that is kept beside a job stays there while it goes on.
const JOBS: Sql = both!("changing jobs", jobs by id,
    [id int, state int, how word, value hex, counted int, moment int, wants int, copies int], "
update {TARGET}
set delivery = s.state, outcome = s.how, result = coalesce(unhex(s.value), result), failures = failures + s.counted, due_at = s.moment,
    wanted = s.wants, open_attempts = s.copies, ended_at = case when s.state = {ENDED} then {P2} end{SOURCE}");

/// By the whole primary key. The jobs are locked, and with them their attempts.
const ATTEMPTS: Sql = both!("ending attempts", attempts by job and number, [job int, number int, how word], "
update {TARGET} set ending = s.how, ended_at = {P2}, due_at = null{SOURCE}");

/// id, delivery, outcome, result, failures to add, due moment, wanted copies, copies that are out. Values travel in
/// hexadecimal, since JSON has no bytes.
#[derive(Serialize)]
pub(crate) struct JobRow(i64, u8, Option<&'static str>, Option<String>, u32, Option<i64>, u32, u32);

impl JobRow {
    pub(crate) fn new(job: JobId, stand: Stand, counted: u32) -> Self {
        let Stand { delivery, due, copies } = stand;
        let due = due.map(|due| due.0);
        Self(job.number(), code(delivery), None, None, counted, due, copies.wanted, copies.open)
    }

    /// With the value that is kept beside the job from now on.
    pub(crate) fn keeping(self, result: Option<String>) -> Self {
        Self { 3: result, ..self }
    }

    pub(crate) fn ended(job: JobId, outcome: Outcome, result: Option<String>, counted: u32) -> Self {
        Self { 2: Some(word(outcome)), 3: result, ..Self::new(job, Stand::ENDED, counted) }
    }
}

/// Each job once, as the last change has left it.
#[derive(Default)]
pub(crate) struct JobRows(Vec<JobRow>);

impl JobRows {
    /// `place` is where the job stands among the rows, once something has become of it.
    pub(crate) fn enter(&mut self, place: &mut Option<usize>, row: JobRow) {
        if let Some(earlier) = place.and_then(|at| self.0.get_mut(at)) {
            let (kept, counted) = (earlier.3.take(), earlier.4);
            *earlier = JobRow { 3: row.3.or(kept), 4: counted + row.4, ..row };
        } else {
            *place = Some(self.0.len());
            self.0.push(row);
        }
    }
}

pub(crate) async fn jobs<T: Tx>(tx: &mut T, rows: &JobRows, now: Timestamp) -> Result<(), Fault> {
    tx.change(&JOBS, &rows.0, &[now.into()]).await.map(drop)
}

/// job, number, ending
#[derive(Serialize)]
pub(crate) struct EndRow(i64, u32, &'static str);

impl EndRow {
    pub(crate) fn new(job: JobId, number: u32, end: AttemptEnd) -> Self {
        Self(job.number(), number, end.as_str())
    }
}

/// Ends of attempts without a report.
pub(crate) async fn attempts<T: Tx>(tx: &mut T, rows: &[EndRow], now: Timestamp) -> Result<(), Fault> {
    tx.change(&ATTEMPTS, rows, &[now.into()]).await.map(drop)
}
