//! Who did what of a run when: attempts as bars where they are few enough, and always how busy each slot was.
//!
//! Attempts are found by their workers, whatever else these do: a run has its workers in its profile, those that hold something now
//! on the board, and those that have only failed among its jobs that went wrong.

use std::collections::BTreeSet;

use actix_web::{HttpRequest, web};
use serde::Deserialize;
use weevil_api::{LaneView, ProfileView, TimelineAttempt, TimelineView};
use weevil_model::{Timestamp, WorkerId};
use weevil_records::{DoneAttempt, RunHead};

use super::AppState;
use super::jobs::worker;
use super::page::no_mark;
use super::parameters::query;
use super::run_profile;
use super::walls::Wall;
use crate::refusal::Refusal;

/// Attempts of a run that are told.
const MAX_ATTEMPTS: usize = 2_000;
/// Attempts of any run that are looked at for them.
const MAX_LOOKED_AT: u32 = 8_000;
/// Workers without a lane whose attempts are looked at.
const MAX_OTHERS: usize = 256;
/// Lanes that are told at once.
const MAX_LANES: u32 = 256;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    from: Option<i64>,
    to: Option<i64>,
    lanes: Option<u32>,
    after: Option<String>,
}

impl Asked {
    fn span(&self, head: &RunHead, now: Timestamp) -> Result<(Timestamp, Timestamp), Refusal> {
        let from = self.from.map_or(head.created_at, Timestamp);
        let to = self.to.map_or_else(|| head.finished_at.unwrap_or(now), Timestamp);
        if from > to {
            return Err(Refusal::BadQuery(format!("`from` is {}, behind `to`, {}", from.0, to.0)));
        }
        Ok((from, to))
    }

    fn most_lanes(&self) -> Result<usize, Refusal> {
        let lanes = self.lanes.unwrap_or(MAX_LANES);
        if !(1..=MAX_LANES).contains(&lanes) {
            return Err(Refusal::BadQuery(format!("`lanes` is {lanes}; 1 to {MAX_LANES} are allowed")));
        }
        Ok(lanes as usize)
    }
}

/// Some of a run's lanes.
struct Page {
    lanes: Vec<LaneView>,
    /// All that the run has, as they are told.
    all: Vec<(String, u32)>,
    from: usize,
    next: Option<String>,
}

impl Page {
    fn of(profile: &mut ProfileView, after: Option<&str>, most: usize) -> Result<Self, Refusal> {
        let all: Vec<(String, u32)> =
            profile.lanes.iter().map(|lane| (lane.worker.clone(), lane.slot)).collect();
        let behind = |mark: &str| all.iter().position(|lane| self::mark(lane) == mark).ok_or_else(no_mark);
        let from = after.map(behind).transpose()?.map_or(0, |place| place + 1);
        let mut lanes = profile.lanes.split_off(from);
        let is_last = lanes.len() <= most;
        lanes.truncate(most);
        let next = all.get(from + most - 1).filter(|_| !is_last).map(mark);
        Ok(Self { lanes, all, from, next })
    }

    /// What stands in no lane belongs to the first page.
    fn has(&self, attempt: &TimelineAttempt) -> bool {
        let is_here = |lane: &(String, u32)| lane.0 == attempt.worker && Some(lane.1) == attempt.slot;
        let place = self.all.iter().position(is_here).unwrap_or(0);
        (self.from..self.from + self.lanes.len().max(1)).contains(&place)
    }
}

fn mark((worker, slot): &(String, u32)) -> String {
    format!("{worker}.{slot}")
}

pub(super) async fn get(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    run: web::Path<String>,
) -> Result<web::Json<TimelineView>, Refusal> {
    let asked: Asked = query(&request)?;
    let most_lanes = asked.most_lanes()?;
    let head = wall.run(&run).await?;
    let (from, to) = asked.span(&head, app.common.clock.now())?;
    let mut profile = run_profile::find(&app, &head).await?.unwrap_or_default();
    let page = Page::of(&mut profile, asked.after.as_deref(), most_lanes)?;
    let (workers, is_cut) = workers(&app, &head, &page).await?;
    let done = app.common.store.done_by(&workers, (from, to), MAX_LOOKED_AT).await?;
    Ok(web::Json(TimelineView {
        from: from.0,
        to: to.0,
        attempts: bars(done, &head, &page).filter(|_| !is_cut),
        lanes: page.lanes,
        rest: profile.rest,
        shares_from: profile.from,
        share_ms: profile.width_ms * 2,
        next: page.next,
    }))
}

/// Those of the lanes that are told; on the first page those that have no lane as well, and whether some of these were left out.
async fn workers(app: &AppState, head: &RunHead, page: &Page) -> Result<(Vec<WorkerId>, bool), Refusal> {
    let of_lanes: BTreeSet<WorkerId> =
        page.lanes.iter().filter_map(|lane| lane.worker.parse().ok()).collect();
    let mut others = Vec::new();
    if page.from == 0 {
        others.extend(app.common.store.troubled_workers(head.id).await?);
        if head.finished_at.is_none() {
            let fleet = app.common.board.fleet().borrow().clone();
            let at_work = fleet.workers.iter().filter(|worker| worker.in_flight > 0);
            others.extend(at_work.map(|worker| worker.id));
        }
    }
    Ok(together(of_lanes, others))
}

/// Those of the lanes, and as many others as are looked at; whether there were more.
fn together(of_lanes: BTreeSet<WorkerId>, others: Vec<WorkerId>) -> (Vec<WorkerId>, bool) {
    let mut others: Vec<WorkerId> = others.into_iter().filter(|one| !of_lanes.contains(one)).collect();
    others.sort_unstable();
    others.dedup();
    let is_cut = others.len() > MAX_OTHERS;
    others.truncate(MAX_OTHERS);
    (of_lanes.into_iter().chain(others).collect(), is_cut)
}

/// `None` where there are more than are told, or more than were looked at.
fn bars(done: Vec<DoneAttempt>, head: &RunHead, page: &Page) -> Option<Vec<TimelineAttempt>> {
    if done.len() >= MAX_LOOKED_AT as usize {
        return None;
    }
    let own = done.into_iter().filter(|attempt| attempt.run == Some(head.id)).map(bar);
    let bars: Vec<TimelineAttempt> = own.filter(|bar| page.has(bar)).collect();
    (bars.len() <= MAX_ATTEMPTS).then_some(bars)
}

fn bar(attempt: DoneAttempt) -> TimelineAttempt {
    let computed = i64::try_from(attempt.compute_us / 1000).unwrap_or(i64::MAX);
    let began = attempt.ended_at.filter(|_| attempt.compute_us > 0).map(|end| end.0.saturating_sub(computed));
    TimelineAttempt {
        job: attempt.job.to_string(),
        path: attempt.path,
        number: attempt.number,
        worker: worker(attempt.worker),
        slot: attempt.slot,
        end: attempt.end.map(|end| end.as_str().to_owned()),
        from: began.unwrap_or(attempt.started_at.0).max(attempt.started_at.0),
        to: attempt.ended_at.map(|at| at.0),
    }
}

#[cfg(test)]
mod tests {
    use weevil_model::JobId;
    use weevil_queue::AttemptEnd;

    use super::*;

    fn profile(lanes: u32) -> ProfileView {
        let lane = |slot| LaneView { worker: "w".into(), slot, began: 0, ended: 0, first: 0, shares: vec![] };
        ProfileView { lanes: (0..lanes).map(lane).collect(), ..ProfileView::default() }
    }

    fn attempt(slot: Option<u32>, ended_at: Option<i64>, compute_us: u64) -> DoneAttempt {
        DoneAttempt {
            job: JobId::from_number(1).unwrap(),
            number: 1,
            run: None,
            path: "a".into(),
            worker: WorkerId::from_number(7).unwrap(),
            slot,
            started_at: Timestamp(100),
            ended_at: ended_at.map(Timestamp),
            end: ended_at.map(|_| AttemptEnd::Completed),
            compute_us,
        }
    }

    #[test]
    fn a_bar_begins_when_its_code_did() {
        for (ended_at, compute_us, from) in [
            (None, 0, 100),
            (Some(150), 0, 100),
            (Some(150), 20_000, 130),
            (Some(150), 60_000_000, 100),
            (Some(150), u64::MAX, 100),
        ] {
            assert_eq!(bar(attempt(None, ended_at, compute_us)).from, from, "{ended_at:?} {compute_us}");
        }
    }

    #[test]
    fn workers_of_lanes_are_never_left_out_and_others_not_in_silence() {
        let ids = |range: std::ops::Range<i64>| range.map(|number| WorkerId::from_number(number).unwrap());
        for (lanes, others, count, is_cut) in [
            (0..0, 0..0, 0, false),
            (300..556, 0..256, 512, false),
            (300..556, 0..257, 512, true),
            (0..256, 0..256, 256, false),
        ] {
            let (found, cut) = together(ids(lanes.clone()).collect(), ids(others).collect());
            assert_eq!((found.len(), cut), (count, is_cut));
            assert!(ids(lanes).all(|worker| found.contains(&worker)));
        }
    }

    #[test]
    fn each_attempt_stands_on_one_page_of_lanes() {
        let (mut pages, mut after) = (Vec::<Page>::new(), None);
        while pages.is_empty() || after.is_some() {
            let page = Page::of(&mut profile(5), after.as_deref(), 2).unwrap();
            after = page.next.clone();
            pages.push(page);
        }
        let lengths: Vec<usize> = pages.iter().map(|page| page.lanes.len()).collect();
        assert_eq!(lengths, [2, 2, 1]);
        for (slot, expected) in
            [(Some(0), 0), (Some(1), 0), (Some(2), 1), (Some(4), 2), (Some(9), 0), (None, 0)]
        {
            let bar = TimelineAttempt { worker: "w".into(), ..bar(attempt(slot, None, 0)) };
            let found: Vec<usize> = (0..3).filter(|at| pages[*at].has(&bar)).collect();
            assert_eq!(found, [expected], "{slot:?}");
        }
        assert!(Page::of(&mut profile(5), Some("w.5"), 2).is_err());
        assert!(Page::of(&mut profile(0), None, 2).unwrap().next.is_none());
    }
}
