//! What waits, for people who ask why: how many jobs come before one, and what waits by needs and by queue.
//!
//! Only counts. What is counted for one job ends at a bound; what is counted for all costs time for each job that waits.

use std::collections::BTreeMap;

use const_format::formatcp;
use weevil_model::{JobId, Needs, ProjectId, Timestamp};
use weevil_queue::decide::lane::Lane;
use weevil_queue::explain::{Ahead, MAX_AHEAD, WaitingClass};
use weevil_records::{MAX_WAITING_SHOWN, StoreError, WaitingQueue};

use crate::json::corrupt;
use crate::words::{DELAYED, HELD, READY};
use crate::{Columns, Fault, Sql, Tx, both};

/// Classes that are looked at for one job; jobs of any others are more than were counted.
const MAX_CLASSES_AHEAD: u32 = 64;

/// By the primary key.
const PLACE: Sql = Sql::of(
    "looking for a job's turn",
    formatcp!("select order_key from jobs where id = ? and delivery = {READY}"),
);

/// Jumps from class to class along the index of ready jobs, as a claim does.
const NEXT_CLASS: Sql = both!(
    "looking for classes of jobs",
    "
select min(needs) as needs from jobs{BY_CLASS} where delivery = {READY} and shard = 0 and needs > ?"
);

/// Two parts of the index of ready jobs, neither walked beyond its limit.
const BEFORE: Sql = both!("counting jobs that come first", "
select (select count(*) from (select 1 from jobs{BY_CLASS}
            where delivery = {READY} and shard = 0 and needs = ? and order_key < ? limit ?) earlier)
     + (select count(*) from (select 1 from jobs{BY_CLASS}
            where delivery = {READY} and shard = 0 and needs = ? and order_key = ? and id < ? limit ?) equal) as many");

/// Along the index of ready jobs, whose entries end with the id; the oldest of each class by the primary key.
const CLASSES: Sql = both!(
    "counting what waits",
    "
select c.needs, c.many, (select o.enqueued_at from jobs o where o.id = c.oldest) as oldest
from (select needs, count(*) as many, min(id) as oldest from jobs{BY_CLASS}
    where delivery = {READY} and shard = 0 group by needs) c
order by c.many desc limit ?"
);

/// Along the indices of what is ready, delayed and held; each row of a stand-alone job is looked at.
const QUEUES: Sql = both!("counting what waits in queues", "
select c.project, c.delivery, c.queue, c.many, (select o.enqueued_at from jobs o where o.id = c.oldest) as oldest
from (select project, {READY} as delivery, {QUEUE} as queue, count(*) as many, min(id) as oldest from jobs{BY_CLASS}
    where delivery = {READY} and shard = 0 and {IS_ALONE} group by project, jobs.queue
    union all select project, {DELAYED}, {QUEUE}, count(*), min(id) from jobs{BY_CLASS}
    where delivery = {DELAYED} and due_at is not null and {IS_ALONE} group by project, jobs.queue
    union all select project, {HELD}, {QUEUE}, count(*), min(id) from jobs{BY_CLASS}
    where delivery = {HELD} and {IS_ALONE} group by project, jobs.queue) c
order by c.many desc limit ?");

pub(crate) async fn ahead<T: Tx>(tx: &mut T, job: JobId, workers: &[Needs]) -> Result<Option<Ahead>, Fault> {
    let Some(place) = tx.one(&PLACE, &[job.number().into()]).await? else { return Ok(None) };
    let (key, most) = (place.number("order_key")?, u64::from(MAX_AHEAD) + 1);
    let (mut class, mut jobs) = (-1, 0);
    for _ in 0..MAX_CLASSES_AHEAD {
        let next = tx.one(&NEXT_CLASS, &[class.into()]).await?;
        let Some(next) = next.map(|row| row.maybe_number("needs")).transpose()?.flatten() else {
            return Ok(Some(Ahead::of(jobs)));
        };
        class = next;
        let (_, needs) = Lane::of_class(class).ok_or_else(|| corrupt("an unknown class of needs"))?;
        if !workers.iter().any(|has| has.meet(needs)) {
            continue;
        }
        let limit = most.saturating_sub(jobs).cast_signed().into();
        let (class, key) = (class.into(), key.into());
        let args = [class, key, limit, class, key, job.number().into(), limit];
        jobs += tx.one(&BEFORE, &args).await?.map(|row| row.unsigned("many")).transpose()?.unwrap_or(0);
        if jobs >= most {
            return Ok(Some(Ahead::of(jobs)));
        }
    }
    Ok(Some(Ahead { more: true, ..Ahead::of(jobs) }))
}

/// Jobs with equal needs are one class, in whichever line they stand.
pub(crate) async fn classes<T: Tx>(tx: &mut T) -> Result<Vec<WaitingClass>, Fault> {
    let mut classes: BTreeMap<i64, WaitingClass> = BTreeMap::new();
    for row in tx.found(&CLASSES, &[MAX_WAITING_SHOWN.into()]).await? {
        let (_, needs) = row.class()?;
        let found = WaitingClass { needs, jobs: row.unsigned("many")?, oldest: row.maybe_moment("oldest")? };
        let class = classes.entry(needs.class()).or_insert(WaitingClass { needs, jobs: 0, oldest: None });
        class.jobs += found.jobs;
        class.oldest = older(class.oldest, found.oldest);
    }
    let mut classes: Vec<WaitingClass> = classes.into_values().collect();
    classes.sort_by_key(|class| std::cmp::Reverse(class.jobs));
    Ok(classes)
}

pub(crate) async fn queues<T: Tx>(tx: &mut T) -> Result<Vec<WaitingQueue>, Fault> {
    let mut queues: BTreeMap<(i64, String), WaitingQueue> = BTreeMap::new();
    for row in tx.found(&QUEUES, &[MAX_WAITING_SHOWN.into()]).await? {
        let key = (row.number("project")?, row.text("queue")?);
        let known = match queues.remove(&key) {
            Some(known) => known,
            None => empty(&row)?,
        };
        queues.insert(key, with(known, &row)?);
    }
    let mut queues: Vec<WaitingQueue> = queues.into_values().collect();
    queues.sort_by_key(|queue| std::cmp::Reverse(queue.ready + queue.delayed + queue.held));
    Ok(queues)
}

fn empty<R: Columns>(row: &R) -> Result<WaitingQueue, StoreError> {
    Ok(WaitingQueue {
        project: row.id("project", ProjectId::from_number)?,
        queue: row.text("queue")?,
        ready: 0,
        delayed: 0,
        held: 0,
        oldest: None,
    })
}

fn with<R: Columns>(queue: WaitingQueue, row: &R) -> Result<WaitingQueue, StoreError> {
    let (many, delivery) = (row.unsigned("many")?, row.number("delivery")?);
    let of = |state: u8| if delivery == i64::from(state) { many } else { 0 };
    Ok(WaitingQueue {
        ready: queue.ready + of(READY),
        delayed: queue.delayed + of(DELAYED),
        held: queue.held + of(HELD),
        oldest: older(queue.oldest, row.maybe_moment("oldest")?),
        ..queue
    })
}

fn older(one: Option<Timestamp>, other: Option<Timestamp>) -> Option<Timestamp> {
    one.into_iter().chain(other).min()
}
