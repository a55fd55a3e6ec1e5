//! What people in charge say of devices: trusted, or not, or forgiven. Told in the transaction that changes it, and by the next
//! batch the feeder has read it.

use actix_web::web;
use weevil_access::audit::Action;
use weevil_api::DeviceView;
use weevil_engine::feeder::Request;
use weevil_model::witness::Mark;

use super::AppState;
use super::asker::Asker;
use super::devices::{find, look};
use super::own_page::OwnPage;
use crate::refusal::Refusal;

pub(super) async fn trust(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    name: web::Path<String>,
) -> Result<web::Json<DeviceView>, Refusal> {
    mark(&app, &asker, &name, Mark::Trusted).await
}

pub(super) async fn distrust(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    name: web::Path<String>,
) -> Result<web::Json<DeviceView>, Refusal> {
    mark(&app, &asker, &name, Mark::Distrusted).await
}

pub(super) async fn forgive(
    _own: OwnPage,
    app: web::Data<AppState>,
    asker: Asker,
    name: web::Path<String>,
) -> Result<web::Json<DeviceView>, Refusal> {
    mark(&app, &asker, &name, Mark::Forgiven).await
}

async fn mark(
    app: &AppState,
    asker: &Asker,
    name: &str,
    mark: Mark,
) -> Result<web::Json<DeviceView>, Refusal> {
    let device = find(app, asker, name).await?;
    let number = device.known.number;
    let entry = asker.entry(action(mark), Some(device.name()));
    app.written(app.access.store.mark_device(number, mark, &entry).await)?;
    app.common.feeder.ask(Request::Marked(number));
    // By all that is known of it: meanwhile another one may have come that begins the same.
    Ok(web::Json(look(app, asker, &device.digits()).await?))
}

const fn action(mark: Mark) -> Action {
    match mark {
        Mark::Trusted => Action::DeviceTrusted,
        Mark::Distrusted => Action::DeviceDistrusted,
        Mark::Forgiven => Action::DeviceForgiven,
    }
}
