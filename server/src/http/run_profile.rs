//! What a run computed over time: of one that goes on from the board, of one that has ended from the store.
//!
//! Only puts the numbers into columns; `weevil_queue::profile` makes them.

use actix_web::{HttpRequest, HttpResponse, web};
use weevil_api::{BinView, LaneView, ProfileView};
use weevil_model::{Timestamp, WorkerId};
use weevil_queue::profile::{BinFacts, LaneFacts, ProfileFacts};
use weevil_records::RunHead;

use super::walls::Wall;
use super::{AppState, etag, runs};
use crate::refusal::Refusal;

pub(super) async fn get(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    run: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let head = wall.run(&run).await?;
    etag::unless_known(runs::end_tag(&head), &request, async || {
        let view = find(&app, &head).await?;
        Ok(HttpResponse::Ok().json(view.ok_or_else(|| Refusal::NoProfile(head.id.to_string()))?))
    })
    .await
}

pub(super) async fn find(app: &AppState, head: &RunHead) -> Result<Option<ProfileView>, Refusal> {
    let live = app.common.board.run(head.id).map(|live| live.borrow().clone());
    if let Some(run) = live.filter(|run| !run.has_ended()) {
        return Ok(run.profile.as_deref().map(view));
    }
    Ok(app.common.store.profile(head.id).await?.as_ref().map(view))
}

/// A bin on its own.
pub(crate) fn bin_view(at: Timestamp, bin: &BinFacts, width_ms: u64) -> BinView {
    let micros = width_ms as f64 * 1000.0;
    BinView(at.0, bin.jobs, bin.errors, bin.flops / micros, bin.busy_us as f64 / micros)
}

fn view(facts: &ProfileFacts) -> ProfileView {
    let width_us = facts.width_ms as f64 * 1000.0;
    let column = |figure: fn(&BinFacts) -> f64| facts.bins.iter().map(|bin| figure(bin) / width_us).collect();
    ProfileView {
        from: facts.first.saturating_mul(facts.width_ms.cast_signed()),
        width_ms: facts.width_ms,
        jobs: facts.bins.iter().map(|bin| bin.jobs).collect(),
        errors: facts.bins.iter().map(|bin| bin.errors).collect(),
        mflops: column(|bin| bin.flops),
        busy: column(|bin| bin.busy_us as f64),
        lanes: facts.lanes.iter().map(lane).collect(),
        rest: facts.rest.iter().map(|busy_us| *busy_us as f64 / (2.0 * width_us)).collect(),
    }
}

fn lane(facts: &LaneFacts) -> LaneView {
    let worker = WorkerId::from_number(facts.worker).map_or_else(String::new, |worker| worker.to_string());
    LaneView {
        worker,
        slot: facts.slot,
        began: facts.began,
        ended: facts.ended,
        first: facts.first,
        shares: facts.shares.clone(),
    }
}
