//! The list of workers that have left, the newest first: those that wait to be written down, and those that the store has.
//!
//! The store has those that are connected as well: they are passed over, as many as they are.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use weevil_api::WorkerPage;
use weevil_model::limits::MAX_PAGE;
use weevil_model::{Timestamp, WorkerId};
use weevil_records::{KeptWorker, WorkerList, WorkerRecord};

use super::AppState;
use super::page::Limit;
use super::workers::{kept, with_suspension};
use crate::refusal::Refusal;

/// Looks for one page: more than as many workers are connected as a server has.
const MOST_LOOKS: usize = 20;

pub(super) async fn page(
    app: &AppState,
    mut list: WorkerList,
    limit: Limit,
    now: Timestamp,
) -> Result<WorkerPage, Refusal> {
    let fleet = app.common.board.fleet().borrow().clone();
    let here: BTreeSet<WorkerId> = fleet.workers.iter().map(|worker| worker.id).collect();
    let (mut found, mut at_once, mut behind) = (Vec::new(), limit.and_one(), None);
    for _ in 0..MOST_LOOKS {
        let looked_at = look(app, &list, at_once).await?;
        behind = looked_at.last().map(|kept| kept.worker.id).filter(|_| looked_at.len() >= at_once as usize);
        found.extend(looked_at.into_iter().filter(|kept| !here.contains(&kept.worker.id)));
        if found.len() > limit.most() || behind.is_none() {
            break;
        }
        (list.before, at_once) = (behind, MAX_PAGE);
    }
    let next = limit.cut(&mut found, |last| last.worker.id.to_string());
    let next = next.or_else(|| behind.map(|last| last.to_string()));
    let workers = found.iter().map(|worker| kept(worker, now)).collect();
    Ok(WorkerPage { workers, next, sums: None })
}

/// The first so many of a list, connected or not.
async fn look(app: &AppState, list: &WorkerList, most: u32) -> Result<Vec<KeptWorker>, Refusal> {
    let mut found = left(app, list, most as usize).await?;
    found.extend(app.common.store.workers(list, most).await?);
    found.sort_by_key(|kept| Reverse(kept.worker.id));
    found.dedup_by_key(|kept| kept.worker.id);
    found.truncate(most as usize);
    Ok(found)
}

/// The first so many of those that wait to be written down.
async fn left(app: &AppState, list: &WorkerList, most: usize) -> Result<Vec<KeptWorker>, Refusal> {
    let mut left = app.common.board.all_left();
    left.retain(|worker| list.before.is_none_or(|before| worker.id < before) && is_meant(worker, list));
    left.sort_by_key(|worker| Reverse(worker.id));
    left.truncate(most);
    let mut found = Vec::with_capacity(left.len());
    for worker in left {
        found.push(with_suspension(app, worker).await?);
    }
    Ok(found)
}

/// As the store looks for a text.
fn is_meant(worker: &WorkerRecord, list: &WorkerList) -> bool {
    let Some(text) = &list.text else { return true };
    let told = [Some(&worker.agent), worker.adapter.as_ref()];
    told.into_iter().flatten().any(|told| told.to_lowercase().contains(text))
        || worker.device.is_some_and(|device| device.to_string().starts_with(text))
        || list.ids().is_some_and(|(first, last)| (first..=last).contains(&worker.id))
}
