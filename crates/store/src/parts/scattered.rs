//! Code of which no two devices say the same: its run waits until somebody has seen to it.

use std::collections::BTreeSet;

use weevil_model::{JobId, Pause, RunId, RunPause};
use weevil_queue::batch::PausedRun;
use weevil_trust::limits::SCATTERED_JOBS;

use super::apply::Work;
use super::pause::stop_run;
use crate::driver::Dialect;
use crate::{Columns, Fault, Sql, both};

const ADD: Sql = both!("noting jobs that scatter", [run int, code hash, job int], "
insert{IGNORE} into scattered (run, code, job) select {LEAD}s.run, unhex(s.code), s.job from {ROWS}{UNLESS_THERE}");

/// By the head of the primary key: few, since a run does not go on with more.
const MANY: Sql = both!("counting jobs that scatter", [run int, code hash], "
select {LEAD}c.run, c.code, count(*) as many from {ROWS} join scattered c{BY_KEY} on c.run = s.run and c.code = unhex(s.code)
group by c.run, c.code");

/// A job of a run, and the hexadecimal hash of its code.
pub(crate) type Scattered = (RunId, String, JobId);

/// Pauses the runs that have too many of them.
pub(crate) async fn note<T: Dialect>(
    tx: &mut T,
    work: &mut Work<'_>,
    jobs: &BTreeSet<Scattered>,
) -> Result<(), Fault> {
    let rows: Vec<_> = jobs.iter().map(|(run, code, job)| (run.number(), code, job.number())).collect();
    tx.change(&ADD, &rows, &[]).await?;
    let codes: BTreeSet<(i64, &String)> = jobs.iter().map(|(run, code, _)| (run.number(), code)).collect();
    for row in tx.rows(&MANY, &codes.iter().collect::<Vec<_>>()).await? {
        let run = row.run_id("run")?;
        if row.small("many")? < SCATTERED_JOBS || work.paused.has(run) {
            continue;
        }
        let why = Pause::Incomparable;
        if stop_run(tx, run, &why, work.now).await? {
            work.paused.add(run);
            work.outcomes.paused.push(PausedRun { run, pause: RunPause { since: work.now, why } });
        }
    }
    Ok(())
}
