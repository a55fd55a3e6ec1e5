//! Which handler answers which operation: one exhaustive match, and the only place where a route is registered, each behind
//! the gate.
//!
//! Whatever is not a GET, and the worker's socket, is registered by a function that takes no handler without an
//! [`OwnPage`](super::own_page::OwnPage). Paths and methods are those of `weevil_api::routes`.

use std::rc::Rc;

use actix_web::body::BoxBody;
use actix_web::dev::ServiceRequest;
use actix_web::guard::{self, Guard};
use actix_web::middleware::{Next, from_fn};
use actix_web::web::{self, ServiceConfig};
use actix_web::{FromRequest, Handler, Responder, Route};
use weevil_api::routes::{Method, Operation};

use super::own_page::FromOwnPage;
use super::{
    aims, audit, blobs, compute_policy, etag, events, gate, jobs, kernels, members, monitor, pages,
    parameters, pauses, projects, run_list, runs, sign_in, standalone, workflow_list, workflows,
};
use crate::workers::{plain_http, socket};

/// A handler, and whether its operation may be asked by whichever page.
enum Handled {
    Reads(Route),
    /// It takes an [`OwnPage`](super::own_page::OwnPage).
    Changes(Route),
}

impl Handled {
    /// Where a row's method and its handler agree.
    fn fitting(self, method: Method) -> Option<Route> {
        match (self, method) {
            (Self::Reads(route), Method::Get)
            | (Self::Changes(route), Method::Post | Method::Put | Method::Patch | Method::Delete) => {
                Some(route)
            }
            _ => None,
        }
    }
}

/// Registers every operation; pages and their assets are what is left.
pub(crate) fn register(config: &mut ServiceConfig) {
    for operation in Operation::ALL {
        let row = operation.row();
        // A test goes through all of them.
        let Some(route) = handler(operation).fitting(row.method) else { continue };
        let gate = from_fn(move |request, next| gate::pass(row, request, next));
        let held =
            from_fn(move |request: ServiceRequest, next: Next<BoxBody>| parameters::hold(row, request, next));
        let tagged =
            from_fn(move |request: ServiceRequest, next: Next<BoxBody>| etag::tag(row, request, next));
        let route = route.wrap(held).wrap(tagged);
        config.service(web::resource(row.path).guard(asked_by(row.method)).route(route).wrap(gate));
    }
    config.default_service(web::to(pages::get));
}

/// Another method goes on to what is left, as another path does.
fn asked_by(method: Method) -> Rc<dyn Guard> {
    match method {
        Method::Get => Rc::new(guard::Get()),
        Method::Post => Rc::new(guard::Post()),
        Method::Put => Rc::new(guard::Put()),
        Method::Patch => Rc::new(guard::Patch()),
        Method::Delete => Rc::new(guard::Delete()),
    }
}

fn handler(operation: Operation) -> Handled {
    match operation {
        Operation::ComputePolicy => reads(compute_policy::get),
        Operation::Health => reads(monitor::healthz),
        Operation::Readiness => reads(monitor::readyz),
        Operation::Metrics => reads(monitor::metrics),
        Operation::CreateRun => changes(runs::create),
        Operation::ListRuns => reads(run_list::get),
        Operation::ShowRun => reads(runs::show),
        Operation::RunResult => reads(runs::result),
        Operation::CancelRun => changes(runs::cancel),
        Operation::RunJobs => reads(jobs::of_run),
        Operation::PauseRun => changes(pauses::pause_run),
        Operation::ResumeRun => changes(pauses::resume_run),
        Operation::SubmitJobs => changes(standalone::submit),
        Operation::ListJobs => reads(standalone::list),
        Operation::ShowJob => reads(jobs::show),
        Operation::JobResult => reads(standalone::result),
        Operation::CancelJob => changes(standalone::cancel),
        Operation::ShowQueue => reads(pauses::queue),
        Operation::PauseQueue => changes(pauses::pause_queue),
        Operation::ResumeQueue => changes(pauses::resume_queue),
        Operation::RunEvents => reads(events::run),
        Operation::KeepWorkflow => changes(workflows::keep),
        Operation::ListWorkflows => reads(workflow_list::get),
        Operation::ShowWorkflow => reads(workflows::show),
        Operation::ShowAim => reads(aims::get),
        Operation::ShowFleet => reads(runs::fleet),
        Operation::Events => reads(events::overview),
        Operation::ListAudit => reads(audit::list),
        Operation::ExportAudit => reads(audit::export),
        Operation::ListProjects => reads(projects::list),
        Operation::ShowProject => reads(projects::show),
        Operation::ListMembers => reads(members::list),
        Operation::SetMember => changes(members::set),
        Operation::RemoveMember => changes(members::remove),
        Operation::Blob => reads(blobs::get),
        Operation::ShowKernels => reads(kernels::get),
        Operation::MakeConsoleLink => changes(sign_in::make_link),
        Operation::OpenSession => changes(sign_in::open),
        Operation::WorkerSocket => opens(socket::open),
        Operation::PlainJoin => changes(plain_http::join),
        Operation::PlainDequeue => changes(plain_http::dequeue),
        Operation::PlainSubmit => changes(plain_http::submit),
        Operation::PlainHeartbeat => changes(plain_http::heartbeat),
        Operation::PlainLeave => changes(plain_http::leave),
    }
}

/// A GET that changes nothing.
fn reads<F, Args>(handler: F) -> Handled
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    Handled::Reads(web::to(handler))
}

/// A GET after which the worker's frames come.
fn opens<F, Args>(handler: F) -> Handled
where
    F: Handler<Args>,
    Args: FromOwnPage,
    F::Output: Responder + 'static,
{
    reads(handler)
}

fn changes<F, Args>(handler: F) -> Handled
where
    F: Handler<Args>,
    Args: FromOwnPage,
    F::Output: Responder + 'static,
{
    Handled::Changes(web::to(handler))
}

#[cfg(test)]
mod tests {
    use weevil_protocol::plain::PLAIN_PATH;
    use weevil_protocol::{BLOBS_PATH, KERNELS_PATH, WORKER_SOCKET_PATH};

    use super::*;

    #[test]
    fn a_handler_is_asked_as_its_row_says() {
        for operation in Operation::ALL {
            assert!(handler(operation).fitting(operation.row().method).is_some(), "{operation:?}");
        }
    }

    #[test]
    fn the_wires_paths_are_those_of_the_rows() {
        for (operation, path) in [
            (Operation::WorkerSocket, WORKER_SOCKET_PATH.to_owned()),
            (Operation::Blob, format!("{BLOBS_PATH}/{{hash}}")),
            (Operation::ShowKernels, format!("{KERNELS_PATH}/{{workflow}}")),
            (Operation::PlainJoin, format!("{PLAIN_PATH}/join")),
            (Operation::PlainDequeue, format!("{PLAIN_PATH}/dequeue")),
            (Operation::PlainSubmit, format!("{PLAIN_PATH}/submit")),
            (Operation::PlainHeartbeat, format!("{PLAIN_PATH}/heartbeat")),
            (Operation::PlainLeave, format!("{PLAIN_PATH}/leave")),
        ] {
            assert_eq!(operation.row().path, path);
        }
    }
}
