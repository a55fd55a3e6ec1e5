//! The facts about one worker, connected or gone, and why it gets nothing.

use weevil_api::explain::ReasonView;
use weevil_engine::fleet::FleetWorker;
use weevil_model::Timestamp;
use weevil_queue::explain::{Known, Suspended, WaitingClass, WorkerCase, explain_worker};
use weevil_records::{Suspension, Term};

use super::scene::{Gathered, told};
use super::views::About;
use crate::http::AppState;
use crate::http::workers::Found;

/// What waits is left out where the database does not tell it: the answer says so.
pub(super) async fn reasons(app: &AppState, found: &Found, now: Timestamp) -> Vec<ReasonView> {
    let gathered = Gathered::of(app).await;
    let case = match found {
        Found::Connected(worker) => {
            let waiting = app.past.waiting.classes(app).await.ok();
            connected(worker, waiting.map(|counted| counted.what.clone()))
        }
        Found::Gone(kept) => WorkerCase {
            told: None,
            connected_at: kept.worker.connected_at,
            window: None,
            suspended: suspended(kept.suspension.as_ref().filter(|suspension| !suspension.is_over(now))),
            rests_until: None,
            classes: None,
        },
    };
    let reasons = explain_worker(&case, &gathered.scene);
    reasons.iter().map(|reason| About::default().view(reason, gathered.scene.now)).collect()
}

fn connected(worker: &FleetWorker, classes: Option<Vec<WaitingClass>>) -> WorkerCase {
    WorkerCase {
        told: Some(told(worker)),
        connected_at: worker.connected_at,
        window: Some(worker.window),
        suspended: suspended(worker.suspension.as_ref()),
        rests_until: worker.rests_until,
        classes,
    }
}

fn suspended(suspension: Option<&Suspension>) -> Known<Suspended> {
    let Some(Suspension { term, note }) = suspension else { return Known::No };
    let note = Some(note.as_str()).filter(|note| !note.is_empty()).map(Into::into);
    Known::Yes(match *term {
        Term::Paused { until } => Suspended::Paused { until, note },
        Term::Banned { since } => Suspended::Banned { since, note },
    })
}
