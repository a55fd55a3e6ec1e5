//! The HTTP API: its routes, bodies in JSON, and their TypeScript. Moments are milliseconds since 1970, ids are in their text form.
//!
//! Never does IO, and knows nothing of the wire between server and workers (`weevil-protocol`).

mod access;
mod accounts;
mod aims;
mod audit;
mod devices;
pub mod explain;
mod graphs;
mod job_fleet;
mod jobs;
mod lookback;
mod me;
mod nodes;
mod problem;
mod profile;
mod projects;
mod queue;
pub mod routes;
mod runs;
mod series;
mod settings;
mod stream;
mod tokens;
mod typescript;
mod values;
mod workers;
mod workflows;

pub use access::{
    AcceptAsked, ConsoleLink, LinkUse, LinkView, PasswordAsked, ResetAsked, SessionAsked, SessionOpened,
    SignInAsked,
};
pub use accounts::{AccountPage, AccountState, AccountView, InviteAsked, LinkMade, RoleAsked};
pub use aims::AimView;
pub use audit::{AuditPage, AuditRowView};
pub use devices::{DevicePage, DeviceRank, DeviceView};
pub use graphs::{GraphCut, GraphEdge, GraphItem, GraphLayers, GraphMember, GraphStack, GraphView};
pub use job_fleet::JobFleet;
pub use jobs::{
    AnswerView, AttemptView, JobAsked, JobHistory, JobKept, JobNeeds, JobPage, JobResult, JobView, JobWait,
    LotView, NoteAsked, QueueView, StoppedCodeView,
};
pub use lookback::{LogPage, LogView, TimelineAttempt, TimelineView};
pub use me::{CallerKind, Me, MembershipView, SessionList, SessionView, SessionsEnded};
pub use nodes::{NodeDetail, NodePage, NodeRow, PortView, WorkView};
pub use problem::{DiagnosticView, PROBLEM_JSON, Problem};
pub use profile::{LaneView, ProfileView};
pub use projects::{
    MemberAsked, MemberPage, MemberView, ProjectAsked, ProjectChange, ProjectInvite, ProjectPage,
    ProjectToken, ProjectTokenPage, ProjectView, QuotasAsked, QuotasView, UsageView,
};
pub use queue::{WaitingClassView, WaitingClasses, WaitingQueueView, WaitingQueues};
pub use runs::{
    AttemptError, DifferenceView, GivenView, LeftOutView, NodeView, Progress, RunCreated, RunError,
    RunOriginView, RunPage, RunResult, RunStats, RunSummary, RunView,
};
pub use series::SeriesView;
pub use settings::{SettingView, SettingsView};
pub use stream::{
    BinView, FleetSums, OverviewFrame, PoolCounts, ProfileChange, QueueFrame, RunFrame, RunPart, SampleView,
    WorkersFrame,
};
pub use tokens::{
    LoginAnswered, LoginAsked, LoginBegun, LoginDecision, LoginPoll, LoginState, LoginView, TokenAsked,
    TokenList, TokenMade, TokenView,
};
pub use typescript::typescript;
pub use values::{JobInput, NodeValue, ValueMissing};
pub use workers::{
    BanAsked, Fleet, HeldBackView, PauseAsked, WorkerAttemptPage, WorkerAttemptView, WorkerDoing,
    WorkerJobView, WorkerPage, WorkerState, WorkerSums, WorkerView,
};
pub use workflows::{
    ExampleView, KernelFile, KernelFiles, LastRunView, NamedWorkflowView, WorkflowFileView, WorkflowKept,
    WorkflowPage, WorkflowVersionView, WorkflowView,
};

/// Fields that say nothing are left out.
fn is_default<T: Default + PartialEq>(field: &T) -> bool {
    *field == T::default()
}
