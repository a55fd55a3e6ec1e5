//! Where a run comes from: seed, reuse, who started it, and which of its values are not the workflow's.
//!
//! Never tells those values: each is read as its node's.

use actix_web::web;
use weevil_access::audit::Actor;
use weevil_api::{GivenView, RunOriginView};
use weevil_records::RunOrigin;

use super::AppState;
use super::runs::no_such_run;
use super::walls::Wall;
use crate::refusal::Refusal;

pub(super) async fn get(
    wall: Wall,
    app: web::Data<AppState>,
    run: web::Path<String>,
) -> Result<web::Json<RunOriginView>, Refusal> {
    let run = wall.run(&run).await?.id;
    let found = app.common.store.run_origin(run).await?.ok_or_else(|| no_such_run(run))?;
    let RunOrigin { seed, reuse, created_by, given } = found;
    let by_name = match created_by.as_deref().map(str::parse) {
        Some(Ok(Actor::Account(account))) => {
            app.access.store.account(account).await?.map(|account| account.name)
        }
        _ => None,
    };
    Ok(web::Json(RunOriginView {
        seed: format!("{seed:016x}"),
        reuse: reuse.as_str().to_owned(),
        by: created_by,
        by_name: by_name.filter(|name| !name.is_empty()),
        given: given.into_iter().map(|(node, bytes)| GivenView { node, bytes }).collect(),
    }))
}
