//! Elements that a pool has no more: its run began anew, and what the pool takes turned out shorter. Their jobs end as cancelled, so that nobody computes them, no
//! lot waits for them and no certificate counts them. Where such an element comes back, its job is put in as with another input (`changed.rs`).

use std::ops::Range;

use weevil_model::{Needs, ProjectId};
use weevil_queue::{Delivery, Shortened};

use super::apply::Work;
use super::changed::{Former, take_back};
use crate::driver::Dialect;
use crate::words::{CANCELLED, ENDED};
use crate::{Columns, Fault, Sql, both};

/// Elements that are looked for first, since most pools are as long as they were; and twice as many each time, at most so many.
const FIRST_LOOK: u32 = 8;
const MOST_AT_ONCE: u32 = 8_192;

/// By the unique index of runs and paths, without a lock: it has the jobs in another order than that of ids (ADR 0039).
const BEYOND: Sql = both!("looking for elements", [run int, path text], "
select {LEAD}j.id from {ROWS} join runs r on r.id = s.run and r.retrace <> 0 join jobs j on j.run = s.run and {SAME_PATH}");

/// By the primary key. Those that have gone before are left out.
const GOING: Sql = both!("looking for elements", [id int], "
select {LEAD}j.id, j.project, j.delivery, j.open_attempts, j.needs, j.trust, {RESULT_SIZE} as bytes
from {ROWS} join jobs j on j.id = s.id where j.outcome is null or j.outcome <> '{CANCELLED}'{LOCK}");

/// By the primary key. No input has this fingerprint, so whatever the element is put in with is another one.
const GO: Sql = both!("shortening pools", jobs by id, [id int, class int], "
update {TARGET} set delivery = {ENDED}, outcome = '{CANCELLED}', result = null, reused = null, fingerprint = 0, due_at = null, wanted = 0,
    open_attempts = 0, needs = s.class, ended_at = {P2}{SOURCE}");

struct Going {
    project: ProjectId,
    was_open: bool,
    /// Bytes of its value.
    bytes: u64,
    needs: Needs,
    former: Former,
}

impl Going {
    fn read<R: Columns>(row: &R) -> Result<Self, Fault> {
        Ok(Self {
            project: row.id("project", ProjectId::from_number)?,
            was_open: row.delivery()? != Delivery::Ended,
            bytes: row.unsigned("bytes")?,
            needs: row.needs()?,
            former: Former {
                job: row.job_id("id")?,
                is_judged: row.trust()?.is_judged(),
                has_copies_out: row.small("open_attempts")? > 0,
            },
        })
    }
}

pub(crate) async fn shorten<T: Dialect>(tx: &mut T, work: &mut Work<'_>) -> Result<(), Fault> {
    let mut beyond = Vec::new();
    for shortened in &work.batch.shorten {
        beyond.extend(elements(tx, shortened).await?);
    }
    beyond.sort_unstable();
    let going = tx.rows(&GOING, &beyond).await?;
    let going: Vec<Going> = going.iter().map(Going::read).collect::<Result<_, _>>()?;
    for each in &going {
        work.usage.give_back(each.project, each.bytes);
        work.usage.end(each.project, each.was_open.into());
    }
    let rows: Vec<_> = going.iter().map(|each| (each.former.job.number(), each.needs.class())).collect();
    let former: Vec<_> = going.into_iter().map(|each| each.former).collect();
    take_back(tx, &former, work).await?;
    tx.change(&GO, &rows, &[work.now.into()]).await.map(drop)
}

/// The ids of jobs of elements beyond the last. They were put in in their order: behind one that has no job none has one.
async fn elements<T: Dialect>(tx: &mut T, shortened: &Shortened) -> Result<Vec<i64>, Fault> {
    let mut ids = Vec::new();
    let (mut from, mut many) = (shortened.elements, FIRST_LOOK);
    loop {
        let found = tx.rows(&BEYOND, &keys(shortened, from..from.saturating_add(many))).await?;
        for row in &found {
            ids.push(row.number("id")?);
        }
        if found.len() < many as usize {
            return Ok(ids);
        }
        (from, many) = (from.saturating_add(many), (2 * many).min(MOST_AT_ONCE));
    }
}

/// run, path
fn keys(shortened: &Shortened, elements: Range<u32>) -> Vec<(i64, String)> {
    let Shortened { run, pool, processor, .. } = shortened;
    elements.map(|index| (run.number(), [&**pool, &*index.to_string(), processor].join("/"))).collect()
}
