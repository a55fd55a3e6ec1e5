//! Which handler answers which operation: one exhaustive match, and the only place where a route is registered, each behind
//! the gate.
//!
//! Whatever is not a GET, and the worker's socket, is registered by a function that takes no handler without an
//! [`OwnPage`](super::own_page::OwnPage); a row that demands a right which a role brings, by one that takes no handler without a
//! [`Wall`](super::walls::Wall), or says that its answer is the same for all projects. Paths and methods are those of
//! `weevil_api::routes`.

use std::rc::Rc;

use actix_web::body::BoxBody;
use actix_web::dev::ServiceRequest;
use actix_web::guard::{self, Guard};
use actix_web::middleware::{Next, from_fn};
use actix_web::web::{self, ServiceConfig};
use actix_web::{FromRequest, Handler, Responder, Route};
use weevil_api::routes::{Access, Method, Operation, Row};
use weevil_model::Right;

use super::own_page::FromOwnPage;
use super::walls::{FromOwnWall, FromWall};
use super::{
    accounts, aims, audit, blobs, certificates, compute_policy, device_logins, device_marks, devices, etag,
    events, examples, explain, gate, graph, invites, jobs, kernels, links, me, members, monitor, node_values,
    nodes, pages, parameters, pauses, project_changes, project_tokens, projects, queue_jobs, run_jobs,
    run_list, run_log, run_origin, run_profile, run_timeline, runs, series, session_rows, settings, sign_in,
    standalone, suspensions, tokens, worker_list, workers, workflow_list, workflows,
};
use crate::workers::{plain_http, socket};

/// A handler, and what it has to be asked by and from.
struct Handled {
    route: Route,
    /// It takes an [`OwnPage`](super::own_page::OwnPage).
    changes: bool,
    project: Project,
}

/// How the project is found that something is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Project {
    /// It is about none, or the path names it (`projects.rs`).
    Path,
    /// The handler takes a [`Wall`](super::walls::Wall).
    Wall,
    /// All projects have it together.
    Shared,
}

impl Handled {
    /// Where a row and its handler agree.
    fn fitting(self, row: &Row) -> Option<Route> {
        let changes = row.method != Method::Get;
        let about_projects = [Right::ProjectRead, Right::ProjectManage];
        let walled = matches!(row.access, Access::Right(right)
            if right.least_role().is_some() && !about_projects.contains(&right));
        (self.changes == changes && walled == (self.project != Project::Path)).then_some(self.route)
    }
}

/// A row's handler, in a match without a rest: the compiler names the row that has none.
macro_rules! handlers {
    ($($operation:ident: $how:ident($handler:path),)+) => {
        fn handler(operation: Operation) -> Handled {
            match operation {
                $(Operation::$operation => $how($handler),)+
            }
        }
    };
}

/// Registers every operation; pages and their assets are what is left.
pub(crate) fn register(config: &mut ServiceConfig) {
    for operation in in_order() {
        let row = operation.row();
        // A test goes through all of them.
        let Some(route) = handler(operation).fitting(row) else { continue };
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

/// In the order in which a path is compared with them. Each row with a parameter costs all that are behind it, so what workers
/// ask for comes first.
fn in_order() -> impl Iterator<Item = Operation> {
    let is_api = |operation: &Operation| operation.row().path.starts_with("/api/");
    let (api, others): (Vec<_>, Vec<_>) = Operation::ALL.into_iter().partition(is_api);
    others.into_iter().chain(api)
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

handlers! {
    ComputePolicy: reads(compute_policy::get),
    CertificateKey: reads(certificates::key),
    Health: reads(monitor::healthz),
    Readiness: reads(monitor::readyz),
    Metrics: reads(monitor::metrics),
    CreateRun: changes_inside(runs::create),
    ListRuns: reads_inside(run_list::get),
    ShowRun: reads_inside(runs::show),
    RunResult: reads_inside(runs::result),
    NodeValue: reads_inside(node_values::value),
    RunCertificate: reads_inside(certificates::of_run),
    CancelRun: changes_inside(runs::cancel),
    RunJobs: reads_inside(run_jobs::list),
    RunLog: reads_inside(run_log::get),
    RunTimeline: reads_inside(run_timeline::get),
    RunNodes: reads_inside(nodes::list),
    ShowNode: reads_inside(nodes::show),
    ExplainNode: reads_inside(explain::node),
    ExplainRun: reads_inside(explain::run),
    NodeStates: reads_inside(nodes::states),
    RunOrigin: reads_inside(run_origin::get),
    RunProfile: reads_inside(run_profile::get),
    PauseRun: changes_inside(pauses::pause_run),
    ResumeRun: changes_inside(pauses::resume_run),
    SubmitJobs: changes_inside(standalone::submit),
    ListJobs: reads_inside(queue_jobs::list),
    ShowJob: reads_inside(jobs::show),
    ExplainJob: reads_inside(explain::job),
    JobResult: reads_inside(standalone::result),
    JobInput: reads_inside(jobs::input),
    JobCertificate: reads_inside(certificates::of_job),
    CancelJob: changes_inside(standalone::cancel),
    ShowQueue: reads_shared(pauses::queue),
    QueueClasses: reads_shared(explain::classes),
    QueueNames: reads_shared(explain::names),
    ShowSeries: reads_shared(series::get),
    ShowSettings: reads(settings::show),
    PauseQueue: changes(pauses::pause_queue),
    ResumeQueue: changes(pauses::resume_queue),
    ResumeCode: changes_inside(pauses::resume_code),
    RunEvents: reads_inside(events::run),
    KeepWorkflow: changes_inside(workflows::keep),
    ListWorkflows: reads_inside(workflow_list::get),
    ShowWorkflow: reads_inside(workflows::show),
    ShowGraph: reads_inside(graph::get),
    RemoveWorkflow: changes_inside(workflows::remove),
    ListExamples: reads_shared(examples::list),
    ShowAim: reads(aims::get),
    ShowFleet: reads_shared(runs::fleet),
    ListWorkers: reads_shared(worker_list::list),
    ShowWorker: reads_shared(workers::show),
    WorkerAttempts: reads_shared(workers::attempts),
    ExplainWorker: reads_shared(explain::worker),
    PauseWorker: changes(suspensions::pause),
    ResumeWorker: changes(suspensions::resume),
    BanWorker: changes(suspensions::ban),
    ListDevices: reads_shared(devices::list),
    ShowDevice: reads_shared(devices::show),
    TrustDevice: changes(device_marks::trust),
    DistrustDevice: changes(device_marks::distrust),
    ForgiveDevice: changes(device_marks::forgive),
    Events: reads_inside(events::overview),
    ListAccounts: reads(accounts::list),
    ShowAccount: reads(accounts::show),
    MakeInvite: changes(invites::invite),
    MakeResetLink: changes(invites::reset),
    DisableAccount: changes(accounts::disable),
    EnableAccount: changes(accounts::enable),
    SetAdmin: changes(accounts::set_admin),
    RemoveAccount: changes(accounts::remove),
    AccountSessions: reads(accounts::sessions),
    EndAccountSessions: changes(accounts::end_sessions),
    ListAudit: reads(audit::list),
    ExportAudit: reads(audit::export),
    ListProjects: reads(projects::list),
    ShowProject: reads(projects::show),
    ListMembers: reads(members::list),
    SetMember: changes(members::set),
    RemoveMember: changes(members::remove),
    MakeProject: changes(project_changes::make),
    ChangeProject: changes(project_changes::change),
    SetQuotas: changes(project_changes::set_quotas),
    ArchiveProject: changes(project_changes::archive),
    RestoreProject: changes(project_changes::restore),
    ShowUsage: reads(projects::usage),
    ProjectAudit: reads(audit::of_project),
    InviteToProject: changes(invites::into_project),
    ProjectTokens: reads(project_tokens::list),
    RevokeProjectToken: changes(project_tokens::revoke),
    Blob: reads(blobs::get),
    ShowKernels: reads(kernels::get),
    MakeConsoleLink: changes(sign_in::make_link),
    OpenSession: changes(sign_in::open),
    SignIn: changes(session_rows::sign_in),
    ProveAgain: changes(session_rows::prove_again),
    CloseSession: changes(session_rows::close),
    ShowLink: changes(links::look),
    AcceptLink: changes(links::accept),
    ResetPassword: changes(links::reset),
    ShowMe: reads(me::show),
    ChangePassword: changes(me::change_password),
    ListSessions: reads(session_rows::list),
    EndSessions: changes(session_rows::end_others),
    EndSession: changes(session_rows::end),
    ListTokens: reads(tokens::list),
    MakeToken: changes(tokens::make),
    RevokeToken: changes(tokens::revoke),
    AccountTokens: reads(tokens::of_account),
    RevokeAccountToken: changes(tokens::revoke_of_account),
    BeginLogin: changes(device_logins::begin),
    AskLogin: changes(device_logins::ask),
    ShowLogin: reads(device_logins::show),
    DecideLogin: changes(device_logins::decide),
    WorkerSocket: opens(socket::open),
    PlainJoin: changes(plain_http::join),
    PlainDequeue: changes(plain_http::dequeue),
    PlainSubmit: changes(plain_http::submit),
    PlainHeartbeat: changes(plain_http::heartbeat),
    PlainLeave: changes(plain_http::leave),
}

/// A GET that changes nothing.
fn reads<F, Args>(handler: F) -> Handled
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    Handled { route: web::to(handler), changes: false, project: Project::Path }
}

/// A GET about something in a project.
fn reads_inside<F, Args>(handler: F) -> Handled
where
    F: Handler<Args>,
    Args: FromWall,
    F::Output: Responder + 'static,
{
    Handled { project: Project::Wall, ..reads(handler) }
}

/// A GET about what all projects share.
fn reads_shared<F, Args>(handler: F) -> Handled
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    Handled { project: Project::Shared, ..reads(handler) }
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
    Handled { route: web::to(handler), changes: true, project: Project::Path }
}

/// It changes something in a project.
fn changes_inside<F, Args>(handler: F) -> Handled
where
    F: Handler<Args>,
    Args: FromOwnWall,
    F::Output: Responder + 'static,
{
    Handled { route: web::to(handler), changes: true, project: Project::Wall }
}

#[cfg(test)]
mod tests {
    use weevil_protocol::plain::PLAIN_PATH;
    use weevil_protocol::{BLOBS_PATH, KERNELS_PATH, WORKER_SOCKET_PATH};

    use super::*;

    #[test]
    fn a_handler_is_asked_as_its_row_says() {
        for operation in Operation::ALL {
            assert!(handler(operation).fitting(operation.row()).is_some(), "{operation:?}");
        }
    }

    #[test]
    fn what_workers_ask_for_is_compared_first() {
        let rows: Vec<_> = in_order().map(Operation::row).collect();
        let api = rows.iter().position(|row| row.path.starts_with("/api/")).unwrap();
        assert!(rows[..api].iter().any(|row| row.path.starts_with(BLOBS_PATH)));
        assert!(rows[api..].iter().all(|row| row.path.starts_with("/api/")));
        assert_eq!(rows.len(), Operation::ALL.into_iter().count());
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
