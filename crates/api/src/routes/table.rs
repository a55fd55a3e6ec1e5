//! The table of routes: a row for each operation.
//!
//! Who adds a row is told by the compiler where a handler is missing (`server/src/http/register.rs`).

use weevil_model::{NodeKind, NodeState, RunState};

use super::access::access;
use super::row::{body, content, fresh, method, operations};
use crate::explain::Explanation;
#[cfg_attr(not(test), expect(clippy::wildcard_imports, reason = "a row names any of the bodies"))]
use crate::*;

/// Milliseconds since 1970, a `number` in TypeScript.
type Moment = f64;

operations! {
    ComputePolicy GET "/.well-known/compute-policy.json" Volunteer Public Open None -> 200 document;
        "[What is done with visitors' machines](sandbox.md#on-other-sites)."
    CertificateKey GET "/.well-known/weevil-key" Volunteer Public Open None -> 200 text;
        "The public half of the key that [certificates](certificate.md) are signed with: 64 hexadecimal digits."
    Health GET "/healthz" Watcher Public Open None -> 200 text;
        "`ok` while the process answers."
    Readiness GET "/readyz" Watcher Public Open None -> 200 text ! notReady;
        "`ready`; 503 `Problem` while the server takes no work."
    Metrics GET "/metrics" Watcher Private MetricsRead None -> 200 text;
        "OpenMetrics text ([what there is](operations.md#metrics))."
    CreateRun POST "/api/v1/runs" Researcher Private RunsWrite Write <- form -> 201 json(RunCreated)
        ! badMediaType badUpload uploadTooLarge badId noSuchWorkflow noSuchExample badBundle badWorkflow badInput whichProject noSuchProject projectArchived tooSlow quotaReached slowDown notReady store;
        "Checks a workflow, keeps it and starts a run of it; 400, 404, 409, 413, 422 `Problem`. See [uploads](#uploads)."
    ListRuns GET "/api/v1/runs" Researcher Private RunsRead Read query(project: Option<String>, q: Option<String>, state: Option<RunState>, workflow: Option<String>,
        createdAfter: Option<Moment>, createdBefore: Option<Moment>, sort: Option<String>, after: Option<String>, limit: Option<u32>)
        -> 200 json(RunPage) ! badId badQuery whichProject noSuchProject store;
        "[A page](#lists) of runs, by default newest first: those in this state, of the workflow with this content hash, made after one moment and before another."
    ShowRun GET "/api/v1/runs/{run}" Researcher Private RunsRead Read -> 200 json(RunView)
        ! badId noSuchRun store;
        "How a run stands, and its nodes."
    RunOrigin GET "/api/v1/runs/{run}/origin" Researcher Private RunsRead Read -> 200 json(RunOriginView) ! badId noSuchRun store;
        "Where a run comes from: the seed of its numbers, which stored results it may take, who started it, and which value nodes were given something else."
    RunResult GET "/api/v1/runs/{run}/result" Researcher Private RunsRead Read query(waitMs: Option<u32>, max: Option<u32>)
        -> 200 json(RunResult), 200 bytes, 200 text ! badId badQuery noSuchRun noValue notAcceptable slowDown store;
        "How a run stands, and its result once there is one, however large; with `waitMs` once the run has ended or so many milliseconds are over, 60,000 at most. A large one comes in pieces, and 429 [`slowDown`](errors/slowDown.md) tells that [too many others](security.md#what-one-place-may-hold) are being read. Also as [CBOR or CSV](#forms-of-values)."
    NodeValue GET "/api/v1/runs/{run}/nodes/{node}/value" Researcher Private RunsRead Read query(max: Option<u32>)
        -> 200 json(NodeValue), 200 bytes, 200 text
        ! badId badQuery badWorkflow noSuchRun noSuchNode noValue notAcceptable slowDown store;
        "The value of a node: what a value node was given, what the job of a job node or a reducer has come to, for a pool or its processor the array that its reducer was given. In [three forms](#forms-of-values)."
    RunCertificate GET "/api/v1/runs/{run}/certificate" Researcher Private RunsRead Read -> 200 bytes
        ! badId noSuchRun noCertificate slowDown store;
        "The [certificate](certificate.md) of a run that has ended and was judged: JSON Lines, signed. One that breaks off has no last line, and holds nowhere."
    CancelRun POST "/api/v1/runs/{run}/cancel" Researcher Private RunsWrite Write -> 200 json(RunResult)
        ! badId noSuchRun slowDown store;
        "Answers once the end is durable. Jobs that wait are dropped, running attempts are revoked. A run that has ended stays as it is and answers its end."
    RunJobs GET "/api/v1/runs/{run}/jobs" Researcher Private RunsRead Read query(q: Option<String>, state: Option<NodeState>, node: Option<String>,
        failed: Option<bool>, after: Option<String>, limit: Option<u32>)
        -> 200 json(JobPage) ! badId badQuery noSuchRun noSuchNode noSuchWorkflow badWorkflow store;
        "[A page](#lists) of a run's jobs, in an order that stays as it is while the run goes on: those with `q` in their path, worker or error, in this state, of this node, those that have `failed` at least once. See [looking back](#looking-back-at-a-run)."
    RunLog GET "/api/v1/runs/{run}/log" Researcher Private RunsRead Read query(q: Option<String>, after: Option<String>, limit: Option<u32>)
        -> 200 json(LogPage) ! badId badQuery noSuchRun store;
        "[A page](#lists) of what a run's jobs have logged, an entry for each attempt, in the order of their ends: those with `q` in their path, worker or lines. See [looking back](#looking-back-at-a-run)."
    RunTimeline GET "/api/v1/runs/{run}/timeline" Researcher Private RunsRead Read query(from: Option<Moment>, to: Option<Moment>,
        lanes: Option<u32>, after: Option<String>)
        -> 200 json(TimelineView) ! badId badQuery noSuchRun store;
        "Who did what of a run when: its attempts `from` one moment `to` another, 2,000 at most, and how busy each slot was. See [looking back](#looking-back-at-a-run)."
    RunNodes GET "/api/v1/runs/{run}/nodes" Researcher Private RunsRead Read query(q: Option<String>, state: Option<NodeState>,
        kind: Option<NodeKind>, sort: Option<String>, after: Option<String>, limit: Option<u32>)
        -> 200 json(NodePage) ! badId badQuery noSuchRun noSuchWorkflow badWorkflow store;
        "[A page](#lists) of a run's nodes, by default in document order: those with `q` in their id, in this state, of this kind."
    ShowNode GET "/api/v1/runs/{run}/nodes/{node}" Researcher Private RunsRead Read -> 200 json(NodeDetail)
        ! badId noSuchRun noSuchNode noSuchWorkflow badWorkflow store;
        "A value, job or pool by its id: what comes in, what is computed for it, where its value goes."
    ExplainNode GET "/api/v1/runs/{run}/nodes/{node}/explain" Researcher Private RunsRead Read -> 200 json(Explanation)
        ! badId noSuchRun noSuchNode noSuchWorkflow badWorkflow store;
        "[Why](#why) a node stands as it does: its open ports, and what the nearest nodes wait for."
    ExplainRun GET "/api/v1/runs/{run}/explain" Researcher Private RunsRead Read -> 200 json(Explanation)
        ! badId noSuchRun noSuchWorkflow badWorkflow store;
        "[Why](#why) a run goes no further, or how it ended: the nearest causes first, at most ten."
    NodeStates GET "/api/v1/runs/{run}/states" Researcher Private RunsRead Read -> 200 bytes
        ! badId noSuchRun store;
        "The states of all nodes of a run: an octet for each in document order, the place of its state among STARTED, PARAM_NOT_FULFILLED, PARAM_FULFILLED, ENQUEUED, RUNNING, ANSWERED, FINISHED, FAILED and CANCELLED, from 0. Of a run that an earlier release has ended, those that it kept."
    RunProfile GET "/api/v1/runs/{run}/profile" Researcher Private RunsRead Read -> 200 json(ProfileView)
        ! badId noSuchRun noProfile store;
        "What a run computed over time: 512 bins at most, and how busy each of 256 slots was."
    PauseRun POST "/api/v1/runs/{run}/pause" Researcher Private RunsWrite Write <- json(NoteAsked) -> 200 json(RunView)
        ! badBody badId noSuchRun runEnded messageTooLarge tooSlow slowDown store;
        "Holds a run's jobs; 404, 409 `Problem`. See [pausing](#pausing)."
    ResumeRun POST "/api/v1/runs/{run}/resume" Researcher Private RunsWrite Write -> 200 json(RunView)
        ! badId noSuchRun runEnded store;
        "Lets a run's jobs go; 404, 409 `Problem`. See [pausing](#pausing)."
    SubmitJobs POST "/api/v1/jobs" Researcher Private JobsWrite Submit query(project: Option<String>) <- json(JobAsked)
        -> 201 json(JobKept), 200 json(JobKept), 200 json(Vec<JobKept>)
        ! badMediaType badJob badCode badId badUpload tooManyJobs noSuchBlob jobNotStored keyTaken badQuery whichProject noSuchProject projectArchived tooSlow quotaReached slowDown notReady store;
        "Puts in one job or an array of them; 404, 409, 413, 422, 503 `Problem`. See [stand-alone jobs](#stand-alone-jobs)."
    ListJobs GET "/api/v1/jobs" Researcher Private JobsRead Read query(project: Option<String>, queue: Option<String>, q: Option<String>,
        state: Option<NodeState>, failed: Option<bool>, sort: Option<String>, after: Option<String>, limit: Option<u32>) -> 200 json(JobPage) ! badQuery whichProject noSuchProject store;
        "[A page](#lists) of a queue's stand-alone jobs, by default oldest first: those with `q` in their key, worker or error, in this state, those that have `failed` at least once; or, without a queue, of jobs whose ids begin with `q`, of runs as well."
    ShowJob GET "/api/v1/jobs/{job}" Researcher Private JobsRead Read query(before: Option<u32>) -> 200 json(JobHistory)
        ! badId badQuery noSuchJob store;
        "The job, of a run or not, and each of its attempts with its last `progress`, 0 to 1, where it has told one, and its `log`, where it has one; its newest 100 attempts, with `before` those before that number. Only the newest ten of those that were given back or lost are kept."
    ExplainJob GET "/api/v1/jobs/{job}/explain" Researcher Private JobsRead Read -> 200 json(Explanation)
        ! badId noSuchJob noSuchRun store;
        "[Why](#why) a job waits, runs or has failed."
    JobResult GET "/api/v1/jobs/{job}/result" Researcher Private JobsRead Read query(waitMs: Option<u32>, max: Option<u32>)
        -> 200 json(JobResult), 200 bytes, 200 text ! badId badQuery noSuchJob noValue notAcceptable slowDown store;
        "How a job stands, and its result, however large; with `waitMs` once the job has ended or so many milliseconds are over, 60,000 at most. Also as [CBOR or CSV](#forms-of-values)."
    JobInput GET "/api/v1/jobs/{job}/input" Researcher Private JobsRead Read query(max: Option<u32>)
        -> 200 bytes, 200 json(JobInput), 200 text ! badId badQuery noSuchJob notAcceptable slowDown store;
        "What the job was given, of a run or not: CBOR unless another [form](#forms-of-values) is asked for, one array of its arguments, as workers got it."
    JobCertificate GET "/api/v1/jobs/{job}/certificate" Researcher Private JobsRead Read -> 200 bytes
        ! badId noSuchJob noCertificate slowDown store;
        "The same of a judged job that stands alone."
    CancelJob POST "/api/v1/jobs/{job}/cancel" Researcher Private JobsWrite Write -> 200 json(JobResult)
        ! badId noSuchJob jobOfRun jobNotStored slowDown notReady store;
        "Answers once the end is durable; 404, 409 `Problem`. A running attempt is revoked. A job that has ended stays as it is and answers its end; one of a run is refused."
    ShowQueue GET "/api/v1/queue" Researcher Private JobsRead Read -> 200 json(QueueView) ! store;
        "How much waits and runs, and whether the queue is paused."
    QueueClasses GET "/api/v1/queue/classes" Researcher Private JobsRead Read -> 200 json(WaitingClasses)
        ! store;
        "What is ready, by what it needs: how many jobs, the workers that meet it, and [why](#why) it waits. Counted at most once in five seconds, whoever asks."
    QueueNames GET "/api/v1/queue/names" Researcher Private JobsRead Read -> 200 json(WaitingQueues) ! store;
        "What waits in named queues of projects that the asker may read. Counted at most once in five seconds, whoever asks."
    ShowSeries GET "/api/v1/series" Researcher Private JobsRead Read query(span: Option<String>) -> 200 json(SeriesView)
        ! badQuery;
        "How the server has fared: a sample each second for ten minutes (`10m`, without `span`), each ten seconds for two hours (`2h`) or each five minutes for seven days (`7d`). In memory: there is nothing from before the start of the server."
    ShowSettings GET "/api/v1/settings" Researcher Private ServerRead Read -> 200 json(SettingsView);
        "The server's settings, and where each comes from: what `weevil serve --print-config` prints. No secret is among them."
    PauseQueue POST "/api/v1/queue/pause" Researcher Private QueuePause Write <- json(NoteAsked) -> 200 json(QueueView)
        ! badBody messageTooLarge tooSlow slowDown store;
        "Nothing at all is handed out. See [pausing](#pausing)."
    ResumeQueue POST "/api/v1/queue/resume" Researcher Private QueuePause Write -> 200 json(QueueView) ! store;
        "Jobs are handed out again. See [pausing](#pausing)."
    ResumeCode POST "/api/v1/queue/codes/{code}/resume" Researcher Private JobsWrite Write query(project: Option<String>, queue: String)
        -> 200 json(QueueView) ! badId badQuery whichProject noSuchProject store;
        "Lets the jobs of a stopped code go, in this queue. One that is not stopped stays as it is."
    RunEvents GET "/api/v1/runs/{run}/events" Researcher Private RunsRead Stream -> 200 events ! badId noSuchRun slowDown store;
        "[Events](#server-sent-events) of one run."
    KeepWorkflow POST "/api/v1/workflows" Researcher Private WorkflowsWrite Write <- form -> 201 json(WorkflowKept)
        ! badMediaType badUpload uploadTooLarge badBundle badWorkflow badId whichProject noSuchProject projectArchived tooSlow quotaReached slowDown notReady store;
        "Checks and keeps a workflow without running it; 400, 409, 413, 422 `Problem`."
    ListWorkflows GET "/api/v1/workflows" Researcher Private WorkflowsRead Read query(project: Option<String>, after: Option<String>, limit: Option<u32>)
        -> 200 json(WorkflowPage) ! badQuery whichProject noSuchProject store;
        "[A page](#lists) of versions by name, the name with the newest version first."
    ShowWorkflow GET "/api/v1/workflows/{hash}" Researcher Private WorkflowsRead Read -> 200 json(WorkflowView)
        ! badId noSuchWorkflow store;
        "A stored workflow and its files, where a project of who asks has it."
    ShowGraph GET "/api/v1/workflows/{hash}/graph" Researcher Private WorkflowsRead Read query(layers: Option<String>, group: Option<String>,
        near: Option<String>, hops: Option<u32>, after: Option<String>, limit: Option<u32>)
        -> 200 json(GraphView), 200 json(GraphLayers), 200 json(GraphStack)
        ! badId badQuery noSuchWorkflow badBundle badWorkflow store;
        "The [picture](#pictures-of-workflows) of a stored workflow: as a whole, `near` a node, its `layers`, or the nodes of a `group`."
    RemoveWorkflow DELETE "/api/v1/workflows/{hash}" Researcher Private WorkflowsWrite Write query(project: Option<String>) -> 204 nothing
        ! badId badQuery whichProject noSuchProject noSuchWorkflow workflowInUse store;
        "Takes a stored workflow out of a project, with the files that the project has for its sake alone; 404, 409 `Problem`."
    ListExamples GET "/api/v1/examples" Researcher Private WorkflowsRead Read -> 200 json(Vec<ExampleView>);
        "The workflows that the server brings along, by name."
    ShowAim GET "/api/v1/aims/{workflow}" Volunteer Public Open None -> 200 json(AimView) ! badId notRunning;
        "What the runs of a workflow are for, `Cache-Control: public, max-age=2`; 404 `Problem` while none goes on. See [aims](#aims)."
    ShowFleet GET "/api/v1/fleet" Researcher Private WorkersRead Read -> 200 json(Fleet);
        "Who is connected, renewed once a second."
    ListWorkers GET "/api/v1/workers" Researcher Private WorkersRead Read query(q: Option<String>, state: Option<WorkerState>,
        sort: Option<String>, after: Option<String>, limit: Option<u32>)
        -> 200 json(WorkerPage) ! badQuery store;
        "[A page](#lists) of workers: those that are connected, or those that have left. See [workers](#workers)."
    ShowWorker GET "/api/v1/workers/{worker}" Researcher Private WorkersRead Read -> 200 json(WorkerView)
        ! badId noSuchWorker store;
        "One worker, also once it has left."
    WorkerAttempts GET "/api/v1/workers/{worker}/attempts" Researcher Private WorkersRead Read
        query(q: Option<String>, failed: Option<bool>, after: Option<String>, limit: Option<u32>) -> 200 json(WorkerAttemptPage)
        ! badId badQuery store;
        "[A page](#lists) of what a worker was handed, the newest first: attempts with `q` in the path of their job or in their error, those that `failed`; of which jobs, to those who may read them."
    ExplainWorker GET "/api/v1/workers/{worker}/explain" Researcher Private WorkersRead Read -> 200 json(Explanation)
        ! badId noSuchWorker store;
        "[Why](#why) a worker gets nothing."
    PauseWorker POST "/api/v1/workers/{worker}/pause" Researcher Private WorkersManage Write <- json(PauseAsked) -> 200 json(WorkerView)
        ! badBody badId noSuchWorker tooManySuspended messageTooLarge tooSlow slowDown store;
        "Has a worker, and every other one of its device, be given nothing for so many minutes. What it holds it finishes."
    ResumeWorker POST "/api/v1/workers/{worker}/resume" Researcher Private WorkersManage Write -> 200 json(WorkerView)
        ! badId noSuchWorker store;
        "Ends a pause or a ban."
    BanWorker POST "/api/v1/workers/{worker}/ban" Researcher Private WorkersManage Write <- json(BanAsked) -> 200 json(WorkerView)
        ! badBody badId noSuchWorker cannotBan tooManySuspended messageTooLarge tooSlow slowDown store;
        "Has every worker of a device be sent away, now and later, or with `once` this worker for now; what they hold returns to the queue and counts against nobody."
    ListDevices GET "/api/v1/devices" Researcher Private WorkersRead Read query(rank: Option<DeviceRank>, after: Option<String>, limit: Option<u32>)
        -> 200 json(DevicePage) ! badQuery store;
        "[A page](#lists) of devices, in the order of their fingerprints: those of this rank. See [devices](#devices)."
    ShowDevice GET "/api/v1/devices/{fingerprint}" Researcher Private WorkersRead Read -> 200 json(DeviceView)
        ! noSuchDevice whichDevice store;
        "One device, by its fingerprint or by the first digits of it."
    TrustDevice POST "/api/v1/devices/{fingerprint}/trust" Researcher Private DevicesTrust Write -> 200 json(DeviceView)
        ! noSuchDevice whichDevice store;
        "Marks a device as trusted: what it says is believed at once, from the next job that it is handed."
    DistrustDevice POST "/api/v1/devices/{fingerprint}/distrust" Researcher Private DevicesTrust Write -> 200 json(DeviceView)
        ! noSuchDevice whichDevice store;
        "Makes a device a newcomer without passes. It can become established again."
    ForgiveDevice POST "/api/v1/devices/{fingerprint}/forgive" Researcher Private DevicesTrust Write -> 200 json(DeviceView)
        ! noSuchDevice whichDevice store;
        "Ends a device's rest, and forgets how often it had to."
    Events GET "/api/v1/events" Researcher Private RunsRead Stream query(project: Option<String>, topics: Option<String>, after: Option<String>, fresh: Option<String>)
        -> 200 events ! badId badQuery tooManyTopics whichProject noSuchProject noSuchRun slowDown store;
        "[Events](#server-sent-events) of [topics](#topics); without `topics`, of a project's runs and the fleet."
    MakeConsoleLink POST "/api/v1/console-links" Researcher Private Own Write -> 201 json(ConsoleLink);
        "A link that opens the console, once and within five minutes. See [who asks](#who-asks)."
    OpenSession POST "/api/v1/session" Researcher Private Open None <- json(SessionAsked) -> 200 json(SessionOpened)
        ! badBody badLink messageTooLarge tooSlow slowDown;
        "Trades such a link for a session. See [who asks](#who-asks)."
    ListAccounts GET "/api/v1/accounts" Researcher Private AccountsManage Read query(state: Option<AccountState>, name: Option<String>,
        after: Option<String>, limit: Option<u32>)
        -> 200 json(AccountPage) ! badQuery store;
        "[A page](#lists) of accounts that are not removed, oldest first: those that can sign in (`active`) or not (`disabled`), the one with this name."
    ShowAccount GET "/api/v1/accounts/{account}" Researcher Private AccountsManage Read -> 200 json(AccountView)
        ! badId noSuchAccount store;
        "One account, also once it is removed."
    MakeInvite POST "/api/v1/invites" Researcher Private AccountsManage + fresh Write <- json(InviteAsked) -> 201 json(LinkMade)
        ! badBody tooManyInvites messageTooLarge tooSlow slowDown store;
        "A link that makes an account, once and within so many hours; the first admin's while nobody administers the server and no hours are named."
    MakeResetLink POST "/api/v1/accounts/{account}/links" Researcher Private AccountsManage + fresh Write -> 201 json(LinkMade)
        ! badId noSuchAccount store;
        "A link that sets a new password, once and within a day; earlier ones for the account are void."
    DisableAccount POST "/api/v1/accounts/{account}/disable" Researcher Private AccountsManage Write -> 200 json(AccountView)
        ! badId noSuchAccount lastAdmin store;
        "Ends an account's sessions, revokes its tokens, and lets nobody sign in to it; its name stays."
    EnableAccount POST "/api/v1/accounts/{account}/enable" Researcher Private AccountsManage Write -> 200 json(AccountView)
        ! badId noSuchAccount store;
        "Lets its owner sign in again; what has ended stays so."
    SetAdmin PUT "/api/v1/accounts/{account}/role" Researcher Private AccountsManage + fresh Write <- json(RoleAsked) -> 200 json(AccountView)
        ! badBody badId noSuchAccount lastAdmin messageTooLarge tooSlow slowDown store;
        "Makes an account administer the server, or no longer."
    RemoveAccount DELETE "/api/v1/accounts/{account}" Researcher Private AccountsManage Write -> 204 nothing
        ! badId noSuchAccount lastAdmin store;
        "Forgets its names, places and ways to sign in; the id stays."
    AccountSessions GET "/api/v1/accounts/{account}/sessions" Researcher Private AccountsManage Read -> 200 json(SessionList)
        ! badId noSuchAccount store;
        "The browsers in which its owner is signed in."
    EndAccountSessions DELETE "/api/v1/accounts/{account}/sessions" Researcher Private AccountsManage Write -> 200 json(SessionsEnded)
        ! badId noSuchAccount store;
        "Ends all sessions of an account."
    ListAudit GET "/api/v1/audit" Researcher Private AuditRead Read query(actor: Option<String>, action: Option<String>,
        project: Option<String>, from: Option<Moment>, to: Option<Moment>, after: Option<String>, limit: Option<u32>)
        -> 200 json(AuditPage) ! badId badQuery store;
        "[A page](#lists) of [the audit](access.md#the-audits-chain), newest first: what this actor did, this action, about this project, from one moment to before another."
    ExportAudit GET "/api/v1/audit/export" Researcher Private AuditRead + fresh Read query(actor: Option<String>, action: Option<String>,
        project: Option<String>, from: Option<Moment>, to: Option<Moment>)
        -> 200 document ! badId badQuery store;
        "All of those rows, newest first, as `application/x-ndjson`: the object of a page on each line. Comes in pieces; one that breaks off was not all. The audit tells of it."
    ListProjects GET "/api/v1/projects" Researcher Private ProjectRead Read query(after: Option<String>, limit: Option<u32>)
        -> 200 json(ProjectPage) ! badQuery store;
        "[A page](#lists) of the projects that who asks may see, oldest first. See [projects](#projects)."
    ShowProject GET "/api/v1/projects/{project}" Researcher Private ProjectRead Read -> 200 json(ProjectView)
        ! noSuchProject store;
        "A project, by its name in addresses."
    ListMembers GET "/api/v1/projects/{project}/members" Researcher Private ProjectRead Read query(after: Option<String>, limit: Option<u32>)
        -> 200 json(MemberPage) ! badQuery noSuchProject store;
        "[A page](#lists) of a project's members, the oldest account first."
    SetMember PUT "/api/v1/projects/{project}/members/{account}" Researcher Private ProjectManage + fresh Write <- json(MemberAsked) -> 204 nothing
        ! badBody badId messageTooLarge noSuchAccount noSuchProject notAllowed tooSlow slowDown store;
        "Makes an account a member of a project, or gives a member another role. A project has at most 1000 members."
    RemoveMember DELETE "/api/v1/projects/{project}/members/{account}" Researcher Private ProjectManage Write -> 204 nothing
        ! badId noSuchAccount noSuchProject notAllowed store;
        "Takes a member out of a project."
    MakeProject POST "/api/v1/projects" Researcher Private ProjectsManage + fresh Write <- json(ProjectAsked) -> 201 json(ProjectView)
        ! badBody badName nameTaken tooManyProjects notAllowed messageTooLarge tooSlow slowDown notReady store;
        "Makes a project, in which nobody is. Its short name stays."
    ChangeProject PATCH "/api/v1/projects/{project}" Researcher Private ProjectManage Write <- json(ProjectChange) -> 200 json(ProjectView)
        ! badBody badName noSuchProject notAllowed messageTooLarge tooSlow slowDown store;
        "Gives a project another name for people."
    SetQuotas PUT "/api/v1/projects/{project}/quotas" Researcher Private ProjectsManage + fresh Write <- json(QuotasAsked) -> 200 json(ProjectView)
        ! badBody noSuchProject notAllowed messageTooLarge tooSlow slowDown store;
        "What a project may use from now on; what it has stays, also where that is more."
    ArchiveProject POST "/api/v1/projects/{project}/archive" Researcher Private ProjectsManage Write -> 200 json(ProjectView)
        ! noSuchProject notAllowed store;
        "From now on a project is read, and takes nothing new."
    RestoreProject POST "/api/v1/projects/{project}/restore" Researcher Private ProjectsManage Write -> 200 json(ProjectView)
        ! noSuchProject notAllowed store;
        "It takes what is new again."
    ShowUsage GET "/api/v1/projects/{project}/usage" Researcher Private ProjectRead Read -> 200 json(UsageView)
        ! noSuchProject store;
        "What a project has, as the last commit has left it."
    ProjectAudit GET "/api/v1/projects/{project}/audit" Researcher Private ProjectManage Read query(actor: Option<String>,
        action: Option<String>, from: Option<Moment>, to: Option<Moment>, after: Option<String>, limit: Option<u32>)
        -> 200 json(AuditPage) ! badQuery noSuchProject notAllowed store;
        "[A page](#lists) of what the audit tells about a project, newest first, as the whole audit is asked."
    InviteToProject POST "/api/v1/projects/{project}/invites" Researcher Private ProjectManage + fresh Write <- json(ProjectInvite)
        -> 201 json(LinkMade)
        ! badBody noSuchProject notAllowed tooManyInvites messageTooLarge tooSlow slowDown store;
        "A link that makes an account which belongs to the project, once and within so many hours."
    ProjectTokens GET "/api/v1/projects/{project}/tokens" Researcher Private ProjectManage Read query(after: Option<String>, limit: Option<u32>)
        -> 200 json(ProjectTokenPage) ! badQuery noSuchProject notAllowed store;
        "[A page](#lists) of the tokens that are for this project alone, oldest first, and whose they are."
    RevokeProjectToken DELETE "/api/v1/projects/{project}/tokens/{token}" Researcher Private ProjectManage Write -> 204 nothing
        ! badId noSuchProject noSuchToken notAllowed store;
        "Revokes one of them."
    SignIn POST "/api/v1/sign-in" Researcher Private Open None <- json(SignInAsked) -> 200 json(SessionOpened)
        ! badBody wrongSignIn accountDisabled messageTooLarge tooSlow slowDown store;
        "Opens a session for somebody with a name and a password. See [who asks](#who-asks)."
    ProveAgain POST "/api/v1/session/proof" Researcher Private Own Write <- json(PasswordAsked) -> 200 json(SessionOpened)
        ! badBody wrongSignIn notAllowed messageTooLarge tooSlow slowDown store;
        "Makes a session fresh for 15 minutes by its owner's password; both halves are new."
    CloseSession DELETE "/api/v1/session" Researcher Private Own Write -> 204 nothing
        ! notAllowed store;
        "Signs out."
    ShowLink POST "/api/v1/links/look" Researcher Private Open None <- json(SessionAsked) -> 200 json(LinkView)
        ! badBody badLink messageTooLarge tooSlow slowDown store;
        "What a link is good for; it stays good."
    AcceptLink POST "/api/v1/links/accept" Researcher Private Open None <- json(AcceptAsked) -> 201 json(SessionOpened)
        ! badBody badLink badName nameTaken weakPassword messageTooLarge tooSlow slowDown store;
        "Makes an account by an invitation, and opens a session of it."
    ResetPassword POST "/api/v1/links/reset" Researcher Private Open None <- json(ResetAsked) -> 200 json(SessionOpened)
        ! badBody badLink weakPassword accountDisabled messageTooLarge tooSlow slowDown store;
        "Sets a new password by a link, ends all sessions of its account and opens one."
    ShowMe GET "/api/v1/me" Researcher Private OwnOrToken Read -> 200 json(Me)
        ! store;
        "Who asks, and what they may do."
    ChangePassword POST "/api/v1/me/password" Researcher Private Own + fresh Write <- json(PasswordAsked) -> 200 json(SessionOpened)
        ! badBody weakPassword notAllowed messageTooLarge tooSlow slowDown store;
        "Sets another password and ends the account's other sessions; both halves of this one are new."
    ListSessions GET "/api/v1/me/sessions" Researcher Private Own Read -> 200 json(SessionList)
        ! notAllowed store;
        "The browsers in which one is signed in."
    EndSessions DELETE "/api/v1/me/sessions" Researcher Private Own Write -> 200 json(SessionsEnded)
        ! notAllowed store;
        "Ends all of one's sessions but the one in which it is asked."
    EndSession DELETE "/api/v1/me/sessions/{session}" Researcher Private Own Write -> 204 nothing
        ! badId noSuchSession notAllowed store;
        "Ends one of one's sessions."
    ListTokens GET "/api/v1/me/tokens" Researcher Private Own Read query(after: Option<String>, limit: Option<u32>)
        -> 200 json(TokenList)
        ! badQuery notAllowed store;
        "[A page](#lists) of one's tokens, oldest first, also of those that are over. See [tokens](#tokens)."
    MakeToken POST "/api/v1/me/tokens" Researcher Private Own + fresh Write <- json(TokenAsked) -> 201 json(TokenMade)
        ! badBody badName noSuchProject noSuchAccount notAllowed tooManyTokens messageTooLarge tooSlow slowDown notReady store;
        "Makes a token; its secret is told once. See [tokens](#tokens)."
    RevokeToken DELETE "/api/v1/me/tokens/{token}" Researcher Private OwnOrToken Write -> 204 nothing
        ! badId noSuchToken notAllowed store;
        "Revokes one of one's tokens; a token itself. What is revoked stays so."
    AccountTokens GET "/api/v1/accounts/{account}/tokens" Researcher Private AccountsManage Read
        query(after: Option<String>, limit: Option<u32>) -> 200 json(TokenList)
        ! badId badQuery noSuchAccount store;
        "[A page](#lists) of an account's tokens."
    RevokeAccountToken DELETE "/api/v1/accounts/{account}/tokens/{token}" Researcher Private AccountsManage Write -> 204 nothing
        ! badId noSuchToken store;
        "Revokes a token of an account."
    BeginLogin POST "/api/v1/device-logins" Researcher Private Open None <- json(LoginAsked) -> 201 json(LoginBegun)
        ! badBody badName messageTooLarge tooSlow slowDown;
        "A program asks to be let in from a browser. See [tokens](#tokens)."
    AskLogin POST "/api/v1/device-login-answers" Researcher Private Open None <- json(LoginPoll) -> 200 json(LoginAnswered)
        ! badBody noSuchAccount tooManyTokens messageTooLarge tooSlow slowDown notReady store;
        "It asks whether it is, every two seconds; its token is told once."
    ShowLogin GET "/api/v1/device-logins/{code}" Researcher Private Own Read -> 200 json(LoginView)
        ! noSuchLogin notAllowed;
        "The program that shows this code."
    DecideLogin POST "/api/v1/device-logins/{code}" Researcher Private Own + fresh Write <- json(LoginDecision) -> 204 nothing
        ! badBody noSuchLogin noSuchProject notAllowed messageTooLarge tooSlow slowDown;
        "Lets it in with these scopes, or not; once, and within ten minutes."
    Blob GET "/blobs/{hash}" Volunteer Public Open None -> 200 bytes
        ! badId noSuchBlob store;
        "The code with this SHA-256, `Cache-Control: public, max-age=31536000, immutable`; on the private face other files as well, `private`, for those who may read workflows in a project that has them."
    ShowKernels GET "/kernels/{workflow}" Volunteer Public Open None -> 200 json(KernelFiles)
        ! badId noSuchWorkflow store;
        "The kernels of a workflow, whose bytes are blobs, `Cache-Control` as there; 404 `Problem` where there is no such workflow."
    WorkerSocket GET "/ws/v1" Volunteer Public Open None <- frames -> 101 frames
        ! notReady fleetFull placeFull slowDown;
        "[The worker's WebSocket](#the-workers-websocket)."
    PlainJoin POST "/worker/v1/join" Volunteer Public Open None <- xml -> 200 xml
        ! badMessage messageTooLarge wrongVersion nothingToRun badToken notReady fleetFull placeFull slowDown tooSlow;
        "A worker without a WebSocket joins; this and the next four are the [plain HTTP protocol](#the-plain-http-protocol)."
    PlainDequeue POST "/worker/v1/dequeue" Volunteer Public Open None <- xml -> 200 xml
        ! badMessage messageTooLarge noSuchWorker wrongSecret slowDown tooSlow;
        "It asks for jobs."
    PlainSubmit POST "/worker/v1/submit" Volunteer Public Open None <- xml -> 200 xml
        ! badMessage messageTooLarge noSuchWorker wrongSecret slowDown tooSlow;
        "It hands results in."
    PlainHeartbeat POST "/worker/v1/heartbeat" Volunteer Public Open None <- xml -> 200 xml
        ! badMessage messageTooLarge noSuchWorker wrongSecret slowDown tooSlow;
        "It keeps what it holds."
    PlainLeave POST "/worker/v1/leave" Volunteer Public Open None <- xml -> 200 xml
        ! badMessage messageTooLarge noSuchWorker wrongSecret slowDown tooSlow;
        "It gives back what it holds."
}
