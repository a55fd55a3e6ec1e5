//! The TypeScript twin of the bodies, as the text of declarations.
//!
//! `cargo xtask codegen` writes it to `web/src/api/types.gen.ts`; nobody edits that file.

use ts_rs::{Config, TS};
use weevil_model::{JobType, NodeKind, NodeState, RunState};

use crate::explain::{Explanation, ReasonView};
use crate::{
    AcceptAsked, AccountPage, AccountState, AccountView, AimView, AnswerView, AttemptError, AttemptView,
    AuditPage, AuditRowView, BanAsked, BinView, CallerKind, ConsoleLink, DevicePage, DeviceRank, DeviceView,
    DiagnosticView, DifferenceView, ExampleView, Fleet, FleetSums, GivenView, GraphCut, GraphEdge, GraphItem,
    GraphLayers, GraphMember, GraphStack, GraphView, HeldBackView, InviteAsked, JobAsked, JobFleet,
    JobHistory, JobInput, JobKept, JobNeeds, JobPage, JobResult, JobView, JobWait, KernelFile, KernelFiles,
    LaneView, LastRunView, LeftOutView, LinkMade, LinkUse, LinkView, LogPage, LogView, LoginAnswered,
    LoginAsked, LoginBegun, LoginDecision, LoginPoll, LoginState, LoginView, LotView, Me, MemberAsked,
    MemberPage, MemberView, MembershipView, NamedWorkflowView, NodeDetail, NodePage, NodeRow, NodeValue,
    NodeView, NoteAsked, OverviewFrame, PasswordAsked, PauseAsked, PoolCounts, PortView, Problem,
    ProfileChange, ProfileView, Progress, ProjectAsked, ProjectChange, ProjectInvite, ProjectPage,
    ProjectToken, ProjectTokenPage, ProjectView, QueueFrame, QueueView, QuotasAsked, QuotasView, ResetAsked,
    RoleAsked, RunCreated, RunError, RunFrame, RunOriginView, RunPage, RunPart, RunResult, RunStats,
    RunSummary, RunView, SampleView, SeriesView, SessionAsked, SessionList, SessionOpened, SessionView,
    SessionsEnded, SettingView, SettingsView, SignInAsked, StoppedCodeView, TimelineAttempt, TimelineView,
    TokenAsked, TokenList, TokenMade, TokenView, UsageView, ValueMissing, WaitingClassView, WaitingClasses,
    WaitingQueueView, WaitingQueues, WorkView, WorkerAttemptPage, WorkerAttemptView, WorkerDoing,
    WorkerJobView, WorkerPage, WorkerState, WorkerSums, WorkerView, WorkersFrame, WorkflowFileView,
    WorkflowKept, WorkflowPage, WorkflowVersionView, WorkflowView,
};

macro_rules! declarations {
    ($($type:ty),+ $(,)?) => {{
        let config = Config::default();
        [$(format!("\nexport {}\n", <$type>::decl(&config))),+].concat()
    }};
}

/// Every exported type, in the order of its source, and the words of the model that they use.
pub fn typescript() -> String {
    declarations![
        RunState,
        NodeState,
        NodeKind,
        JobType,
        RunCreated,
        MemberAsked,
        MemberPage,
        MemberView,
        JobPage,
        JobWait,
        LotView,
        JobNeeds,
        JobView,
        JobHistory,
        AnswerView,
        AttemptView,
        JobAsked,
        JobKept,
        JobResult,
        QueueView,
        StoppedCodeView,
        QuotasView,
        DiagnosticView,
        Problem,
        RunPage,
        RunSummary,
        Progress,
        ProjectPage,
        ProjectView,
        RunView,
        NodeView,
        RunStats,
        RunError,
        AttemptError,
        RunResult,
    ] + &workflows()
        + &looking()
        + &pictures()
        + &values()
        + &computing()
        + &people()
}

/// Those of workflows that are kept, and of where runs of them come from.
fn workflows() -> String {
    declarations![
        WorkflowKept,
        WorkflowPage,
        NamedWorkflowView,
        WorkflowVersionView,
        LastRunView,
        WorkflowView,
        WorkflowFileView,
        KernelFiles,
        KernelFile,
        RunOriginView,
        GivenView
    ]
}

/// Those of looking into runs and at the server over time, and of the workflows that it brings along.
fn looking() -> String {
    declarations![
        NodePage,
        NodeRow,
        NodeDetail,
        PortView,
        WorkView,
        ProfileView,
        LogPage,
        LogView,
        TimelineView,
        TimelineAttempt,
        LaneView,
        SeriesView,
        SettingView,
        SettingsView,
        Explanation,
        ReasonView,
        WaitingClasses,
        WaitingClassView,
        WaitingQueues,
        WaitingQueueView,
        ExampleView
    ]
}

/// Those of pictures of workflows, and of engines that are left out of runs.
fn pictures() -> String {
    declarations![
        GraphView,
        GraphItem,
        GraphEdge,
        GraphCut,
        GraphLayers,
        GraphStack,
        GraphMember,
        DifferenceView,
        LeftOutView
    ] + &frames()
}

/// Those of the stream.
fn frames() -> String {
    declarations![
        OverviewFrame,
        FleetSums,
        WorkersFrame,
        QueueFrame,
        SampleView,
        RunFrame,
        PoolCounts,
        ProfileChange,
        BinView,
        RunPart,
    ]
}

/// Those of nodes and jobs.
fn values() -> String {
    declarations![NodeValue, ValueMissing, JobInput]
}

/// Those of workers, their devices, and what they compute for.
fn computing() -> String {
    declarations![
        AimView,
        Fleet,
        JobFleet,
        WorkerView,
        HeldBackView,
        WorkerState,
        WorkerPage,
        WorkerSums,
        WorkerDoing,
        WorkerAttemptView,
        WorkerJobView,
        WorkerAttemptPage,
        NoteAsked,
        PauseAsked,
        BanAsked,
        DeviceRank,
        DeviceView,
        DevicePage,
    ]
}

/// Those of signing in, accounts, projects and the audit.
fn people() -> String {
    declarations![
        ConsoleLink,
        SessionAsked,
        SessionOpened,
        AccountPage,
        InviteAsked,
        LinkMade,
        RoleAsked,
        AuditPage,
        AuditRowView,
        SignInAsked,
        PasswordAsked,
        LinkUse,
        LinkView,
        AcceptAsked,
        ResetAsked,
        AccountState,
        AccountView,
        CallerKind,
        Me,
        MembershipView,
        SessionView,
        SessionList,
        SessionsEnded,
        TokenView,
        TokenList,
        TokenAsked,
        TokenMade,
        LoginAsked,
        LoginBegun,
        LoginPoll,
        LoginState,
        LoginAnswered,
        LoginView,
        LoginDecision,
        UsageView,
        ProjectAsked,
        ProjectChange,
        QuotasAsked,
        ProjectInvite,
        ProjectToken,
        ProjectTokenPage,
    ]
}

#[cfg(test)]
mod tests {
    use super::typescript;

    #[test]
    fn names_follow_serde() {
        let text = typescript();
        for part in ["export type RunState = \"STARTED\"", "createdAt: number", "inFlight: number"] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }
}
