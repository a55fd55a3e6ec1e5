//! What waits in the queue: a row for each class of needs, with who could have it and why it waits, and a row for each named queue.

use actix_web::web;
use weevil_access::may;
use weevil_api::explain::ReasonView;
use weevil_api::{JobNeeds, WaitingClassView, WaitingClasses, WaitingQueueView, WaitingQueues};
use weevil_model::Right;
use weevil_model::witness::Engine;
use weevil_queue::explain::{Reason, WaitingClass, WorkerTold, explain_class, explain_queue};
use weevil_records::WaitingQueue;

use super::scene::{Gathered, takes_jobs};
use super::views::About;
use crate::http::AppState;
use crate::http::asker::Asker;
use crate::refusal::Refusal;

pub(in crate::http) async fn classes(app: web::Data<AppState>) -> Result<web::Json<WaitingClasses>, Refusal> {
    let counted = app.past.waiting.classes(&app).await?;
    let gathered = Gathered::of(&app).await;
    let classes = counted.what.iter().map(|class| view(class, &gathered)).collect();
    let why = told(&explain_queue(&gathered.scene), &gathered);
    Ok(web::Json(WaitingClasses { counted_at: counted.at.0, classes, why }))
}

fn view(class: &WaitingClass, gathered: &Gathered) -> WaitingClassView {
    let needs = class.needs;
    let meets = |worker: &&WorkerTold| worker.has.meet(needs);
    let workers = || gathered.scene.workers.iter().flatten().filter(meets);
    let is_idle = |worker: &&WorkerTold| takes_jobs(worker) && worker.in_flight < worker.slots;
    let why = explain_class(needs, class.jobs, &gathered.scene);
    WaitingClassView {
        needs: JobNeeds {
            capabilities: needs.capabilities.names().into_iter().map(str::to_owned).collect(),
            memory_mb: needs.memory_mb,
        },
        left_out: Engine::ALL
            .into_iter()
            .filter(|engine| needs.is_without(*engine))
            .map(|engine| engine.as_str().to_owned())
            .collect(),
        jobs: class.jobs,
        oldest_at: class.oldest.map(|oldest| oldest.0),
        workers: many(workers().count()),
        idle: many(workers().filter(is_idle).count()),
        why: told(&why, gathered),
    }
}

fn told(reasons: &[Reason], gathered: &Gathered) -> Vec<ReasonView> {
    reasons.iter().map(|reason| About::default().view(reason, gathered.scene.now)).collect()
}

/// Names of queues stay within the walls of their projects.
pub(in crate::http) async fn names(
    app: web::Data<AppState>,
    asker: Asker,
) -> Result<web::Json<WaitingQueues>, Refusal> {
    let counted = app.past.waiting.queues(&app).await?;
    let reads = |queue: &&WaitingQueue| may(&asker.caller, Right::JobsRead, Some(queue.project)).is_ok();
    let queues = counted.what.iter().filter(reads).map(|queue| WaitingQueueView {
        project: queue.project.to_string(),
        queue: queue.queue.clone(),
        ready: queue.ready,
        delayed: queue.delayed,
        held: queue.held,
        oldest_at: queue.oldest.map(|oldest| oldest.0),
    });
    Ok(web::Json(WaitingQueues { counted_at: counted.at.0, queues: queues.collect() }))
}

fn many(workers: usize) -> u32 {
    u32::try_from(workers).unwrap_or(u32::MAX)
}
