//! Every way a request can be refused: one variant, one stable code, one status, one sentence with the cure.
//!
//! Problem details (`http/problems.rs` writes them, `in_xml.rs` for those who speak XML), statuses and the pages in
//! `docs/errors` follow from this table.

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, HttpResponseBuilder, ResponseError};
use weevil_access::{Denied, NameError, QuotaReached, WeakPassword};
use weevil_api::{DiagnosticView, Problem};
use weevil_engine::health::Unready;
use weevil_model::limits::{MAX_BUNDLE_BYTES, MAX_BUNDLE_FILES, MAX_FRAME_BYTES, MAX_JOBS_AT_ONCE};
use weevil_model::{
    AccountId, ContentHash, Diagnostic, HashError, IdError, JobId, Right, RunId, SessionId, Severity,
    TokenId, WorkerId,
};
use weevil_protocol::plain::PLAIN_VERSION;
use weevil_records::StoreError;
use weevil_workflow::{BundleError, InputError};

use crate::access::BadToken;
use crate::book::meaning;
use crate::http::{Methods, OddPath};
use crate::stream::MAX_TOPICS;

/// Seconds after which a caller may ask a busy server again.
const BUSY_SECONDS: u64 = 5;
/// In the place of a cause, for those who may not know it.
pub(super) const NO_CAUSE: &str =
    "the server cannot do this now; its operator finds the cause in the log, by the id in `x-request-id`";
/// What a 401 has to name (RFC 9110, section 11.6.1): a plain worker's secret travels in the message, not in a header.
const WORKER_CHALLENGE: &str = "WeevilSecret";
/// RFC 6750, section 3.
const CHALLENGE: &str = "Bearer";

/// `Variant(data) => "code" STATUS ("sentence with the cure");`, as `thiserror` reads sentences.
macro_rules! refusals {
    ($(#[$attribute:meta])+ enum $name:ident; $(
        $variant:ident $(($($data:tt)*))? $({$($named:tt)*})? => $code:literal $status:ident $sentence:tt;
    )+) => {
        $(#[$attribute])+
        pub(crate) enum $name {
            $(#[error $sentence] $variant $(($($data)*))? $({$($named)*})?,)+
        }

        impl $name {
            /// Code and status of each row.
            #[cfg(test)]
            pub(super) const ROWS: &[(&'static str, StatusCode)] = &[$(($code, StatusCode::$status)),+];

            /// The stable name, which never changes its meaning, and the status.
            const fn row(&self) -> (&'static str, StatusCode) {
                match self {
                    $(Self::$variant { .. } => ($code, StatusCode::$status),)+
                }
            }
        }
    };
}

refusals! {
    /// Why a request is refused.
    // Here, and not in the macro: what it writes has to see the names that the sentences use.
    #[derive(Debug, thiserror::Error)]
    enum Refusal;

    NoSuchRun(String) => "noSuchRun" NOT_FOUND
        ("there is no run {0}; `GET /api/v1/runs` lists the newest ones");
    NoSuchJob(JobId) => "noSuchJob" NOT_FOUND
        ("there is no job {0}; `weevil jobs` lists those of a run or a queue");
    NoSuchExample(String) => "noSuchExample" NOT_FOUND ("there is no such example; there are {0}");
    NoSuchNode(String) => "noSuchNode" NOT_FOUND
        ("the run has no node `{0}`; `GET /api/v1/runs/ID/nodes` lists them, and processors and reducers are shown with their pool");
    NoValue(String) => "noValue" NOT_FOUND
        ("there is no value at {0}: ask for application/json, which tells why");
    NotAcceptable(String) => "notAcceptable" NOT_ACCEPTABLE
        ("{0}; values come as application/json, as application/cbor, and numbers and tables as text/csv");
    NoProfile(String) => "noProfile" NOT_FOUND
        ("there is no profile of {0}: it was ended by an earlier release, was never computed, or has not been taken up since the server started");
    NoCertificate(String) => "noCertificate" NOT_FOUND
        ("there is no certificate of {0}: it has not ended, nothing of it was judged, or it is a job of a run, whose certificate tells of all its jobs");
    BadQuery(String) => "badQuery" BAD_REQUEST
        ("the parameters of the address cannot be read: {0}");
    TooManyTopics => "tooManyTopics" BAD_REQUEST
        ("a stream has at most {MAX_TOPICS} topics: leave some out");
    BadJob(String) => "badJob" UNPROCESSABLE_ENTITY
        ("the job cannot be put in: {0}; docs/protocol.md lists the fields");
    BadCode { job: Option<usize>, found: Vec<Diagnostic> } => "badCode" UNPROCESSABLE_ENTITY
        ("the code of {} has {}", .job.map_or_else(|| "the job".to_owned(), |number| format!("job {number}")), errors(.found));
    TooManyJobs => "tooManyJobs" PAYLOAD_TOO_LARGE
        ("the jobs are larger than {MAX_BUNDLE_BYTES} bytes or more than {MAX_JOBS_AT_ONCE}; send fewer at a time");
    JobNotStored(String) => "jobNotStored" UNPROCESSABLE_ENTITY
        ("the database does not take what was asked ({0}), and takes other things: nothing of this request was kept");
    KeyTaken { queue: String, key: String, job: String } => "keyTaken" CONFLICT
        ("the queue `{queue}` has a job with the key `{key}`, {job}, with other code or other input; choose another key");
    JobOfRun { job: JobId, run: RunId } => "jobOfRun" CONFLICT
        ("{job} belongs to {run}, which would wait for it for ever; cancel the run instead");
    RunEnded(RunId) => "runEnded" CONFLICT
        ("{0} has ended: nothing of it is left to pause or resume");
    NoSuchWorkflow(ContentHash) => "noSuchWorkflow" NOT_FOUND
        ("there is no workflow {0}; `GET /api/v1/workflows` lists the newest ones");
    WorkflowInUse(ContentHash) => "workflowInUse" CONFLICT
        ("a run of {0} is kept in the project: it can be taken out once its runs are forgotten");
    NoSuchProject(String) => "noSuchProject" NOT_FOUND
        ("there is no project `{0}`; `GET /api/v1/projects` lists those that you belong to");
    WhichProject(String) => "whichProject" BAD_REQUEST
        ("several projects are yours, and none of them is meant where none is named: name one with `project`, of {0}");
    ProjectArchived(String) => "projectArchived" CONFLICT
        ("the project `{0}` is archived: it is read and takes nothing new; an administrator of the server can restore it");
    TooManyProjects(u32) => "tooManyProjects" CONFLICT
        ("{0} projects are there, which is as many as there may be, also of those that are archived: use one of them again");
    NoSuchAccount(AccountId) => "noSuchAccount" NOT_FOUND ("there is no account {0} here");
    NoSuchDevice(String) => "noSuchDevice" NOT_FOUND
        ("no device is known here whose fingerprint begins with `{0}`: name its first eight digits, as `weevil devices` lists them, or all 64");
    WhichDevice(String) => "whichDevice" BAD_REQUEST
        ("the fingerprints of several devices begin with `{0}`: name more of the digits of the one that is meant, or all 64");
    NotRunning(ContentHash) => "notRunning" NOT_FOUND
        ("no run of {0} goes on; `GET /api/v1/runs` lists the newest ones");
    NoSuchBlob(String) => "noSuchBlob" NOT_FOUND ("there is no blob {0}");
    BadPath(OddPath) => "badPath" BAD_REQUEST
        ("the path of the address holds {0}; spell it plainly, as docs/protocol.md does");
    NoSuchPage(String) => "noSuchPage" NOT_FOUND ("there is nothing at {0}");
    NoSuchMethod { asked: String, known: Methods } => "noSuchMethod" METHOD_NOT_ALLOWED
        ("nothing here takes {asked}; docs/protocol.md lists the routes and their methods");
    BadMediaType { found: String, taken: &'static str } => "badMediaType" UNSUPPORTED_MEDIA_TYPE
        ("a body of the type `{found}` is not read here; send {taken}");
    BadBody(String) => "badBody" BAD_REQUEST
        ("the body cannot be read: {0}; docs/protocol.md lists what each operation takes");
    BadId(#[from] IdError) => "badId" BAD_REQUEST (transparent);
    BadHash(#[from] HashError) => "badId" BAD_REQUEST (transparent);
    BadUpload(String) => "badUpload" BAD_REQUEST
        ("the upload cannot be read: {0}; send multipart/form-data with one part `file` for each file, its filename \
         being the path inside the workflow's folder, or a zip as application/zip, or one document as application/xml");
    UploadTooLarge => "uploadTooLarge" PAYLOAD_TOO_LARGE
        ("the upload is larger than {MAX_BUNDLE_BYTES} bytes or {MAX_BUNDLE_FILES} files");
    BadBundle(#[from] BundleError) => "badBundle" UNPROCESSABLE_ENTITY
        ("not a workflow: {0}");
    BadWorkflow(Vec<Diagnostic>) => "badWorkflow" UNPROCESSABLE_ENTITY
        ("the workflow has {}", errors(.0));
    BadInput(Vec<InputError>) => "badInput" UNPROCESSABLE_ENTITY
        ("{}", list(.0));
    ForeignHost(String) => "foreignHost" FORBIDDEN
        ("this server is not called `{0}`; on its own machine open http://localhost or 127.0.0.1, elsewhere have its operator name it with --url, --public-url or --host");
    ForeignOrigin(String) => "foreignOrigin" FORBIDDEN
        ("requests that change something must come from this server's own pages, and this one does not: it says `{0}`");
    FleetFull(u64) => "fleetFull" SERVICE_UNAVAILABLE
        ("{0} workers are connected, which is as many as this server takes; try again in a moment");
    PlaceFull(u64) => "placeFull" SERVICE_UNAVAILABLE
        ("{0} workers of this address are connected, which is as many as one address may have; close some, or have the \
         operator raise --workers-per-address");
    NotReady(#[from] Unready) => "notReady" SERVICE_UNAVAILABLE
        ("the server is not ready: {0}; try again in a moment");
    BadMessage(String) => "badMessage" BAD_REQUEST
        ("the message cannot be read: {0}");
    MessageTooLarge(usize) => "messageTooLarge" PAYLOAD_TOO_LARGE
        ("the message is larger than {0} bytes, which is what this exchange takes; none takes more than {MAX_FRAME_BYTES}: \
         send fewer results at a time");
    WrongVersion(u32) => "wrongVersion" BAD_REQUEST
        ("this worker speaks version {0} of the plain protocol, the server {PLAIN_VERSION}: update the worker");
    NothingToRun(u32) => "nothingToRun" UNPROCESSABLE_ENTITY
        ("the capabilities {0} name nothing that this server has jobs for: bit 0 (1) says that a worker runs JavaScript, bit 1 (2) that it has a GPU, bit 2 (4) that it runs WebAssembly");
    NoSuchWorker(WorkerId) => "noSuchWorker" NOT_FOUND
        ("there is no worker {0}: it has left, was silent for a whole lease, or the server was restarted; join again");
    WorkerUnknown(WorkerId) => "noSuchWorker" NOT_FOUND
        ("there is no worker {0}: it is not connected, and was never given anything or is forgotten; `GET /api/v1/workers` lists \
         those that are");
    WorkerLeft(WorkerId) => "noSuchWorker" NOT_FOUND
        ("{0} has left: it cannot be sent away, and where it had proved no device nothing of it can be paused or resumed");
    CannotBan(WorkerId) => "cannotBan" CONFLICT
        ("{0} has proved no device, so it would come back as somebody else: pause it, or send it away `once`");
    TooManySuspended(u32) => "tooManySuspended" CONFLICT
        ("{0} other devices are paused or banned, which is as many as may be at a time: let some of them go on");
    NotSignedIn => "notSignedIn" UNAUTHORIZED
        ("nobody is signed in: send `authorization: Bearer` with a token; on the server's own machine `weevil token local` \
         prints one, and `weevil console` prints a link for a browser");
    NotAllowed(String) => "notAllowed" FORBIDDEN
        ("this is not for who asks: {0}");
    ScopeMissing(Right) => "scopeMissing" FORBIDDEN
        ("the token is not made for `{0}`: make another one with that scope");
    SignInAgain => "signInAgain" FORBIDDEN
        ("this asks for a sign-in of the last quarter of an hour: prove again who you are");
    WrongSignIn => "wrongSignIn" UNAUTHORIZED
        ("nobody has this name and this password together");
    AccountDisabled => "accountDisabled" FORBIDDEN
        ("the account is disabled; whoever administers the server can enable it");
    WeakPassword(WeakPassword) => "weakPassword" UNPROCESSABLE_ENTITY
        ("this password is not taken: {0}");
    BadName(NameError) => "badName" UNPROCESSABLE_ENTITY
        ("this name is not taken: {0}");
    NameTaken(String) => "nameTaken" CONFLICT
        ("`{0}` is taken already; choose another name");
    NoSuchSession(SessionId) => "noSuchSession" NOT_FOUND
        ("you have no session {0}: it has ended, or it is somebody else's");
    TooManyFailures(u64) => "slowDown" TOO_MANY_REQUESTS
        ("too many attempts have failed: try again in {0} seconds");
    LastAdmin => "lastAdmin" CONFLICT
        ("this is the last account that administers the server: make somebody else an administrator first");
    TooManyInvites(u32) => "tooManyInvites" CONFLICT
        ("{0} invitations are neither used nor over, which is as many as there may be: wait until some are");
    BadToken(BadToken) => "badToken" UNAUTHORIZED
        ("the token is refused: {0}");
    NoSessionKey => "noSessionKey" FORBIDDEN
        ("the request has the cookie of a session and not its other half, the header `x-weevil-session-key`");
    BadLink => "badLink" GONE
        ("the link is unknown, was used before, or is too old; `weevil console` on the server's own machine prints another one for \
         the console, an administrator of the server makes those for accounts");
    WrongSecret(WorkerId) => "wrongSecret" UNAUTHORIZED
        ("the secret is not that of {0}: send the one that came with the answer to its join");
    TooSlow => "tooSlow" REQUEST_TIMEOUT
        ("the body comes too slowly: after ten seconds at least 32 KiB have to come in each second; send less at a time");
    RateReached { rate: &'static str, seconds: u64 } => "slowDown" TOO_MANY_REQUESTS
        ("more `{rate}` requests come in than one account, token or place may send in a minute; the next one is answered \
         in {seconds} s");
    JobsReached { jobs: u32, seconds: u64 } => "slowDown" TOO_MANY_REQUESTS
        ("the project may put in {jobs} jobs in a minute: send at most so many at a time, and the next ones in {seconds} s");
    QuotaReached(QuotaReached) => "quotaReached" CONFLICT
        ("{0}: let some end, or remove what is not needed; an administrator of the server can raise the quota");
    NoSuchToken(TokenId) => "noSuchToken" NOT_FOUND
        ("there is no token {0} here: it was forgotten after its end, or it is somebody else's");
    TooManyTokens(u32) => "tooManyTokens" CONFLICT
        ("the account has {0} live tokens, which is as many as it may have: revoke one");
    NoSuchLogin => "noSuchLogin" NOT_FOUND
        ("no program waits with this code: it is mistyped, somebody has decided already, or ten minutes are over; run `weevil \
         login` again");
    SlowDown => "slowDown" TOO_MANY_REQUESTS
        ("more comes in than can be answered: slow down");
    Store(#[from] StoreError) => "store" SERVICE_UNAVAILABLE
        ("the server cannot reach its database: {0}");
    Internal(String) => "internal" INTERNAL_SERVER_ERROR
        ("the server has failed: {0}");
}

impl Refusal {
    pub(crate) const fn code(&self) -> &'static str {
        self.row().0
    }

    /// What is said of it, but for which request it answers.
    fn problem(&self) -> Problem {
        let (code, status) = self.row();
        Problem {
            page: Problem::page_of(code),
            title: meaning(code).to_owned(),
            status: status.as_u16(),
            detail: self.to_string(),
            instance: String::new(),
            code: code.to_owned(),
            request_id: String::new(),
            diagnostics: self.diagnostics(),
            hint: self.hint(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::NoSuchMethod { known, .. } => Some(format!("taken here: {known}")),
            _ => None,
        }
    }

    fn diagnostics(&self) -> Vec<DiagnosticView> {
        match self {
            Self::BadWorkflow(found) | Self::BadCode { found, .. } => {
                found.iter().map(DiagnosticView::from).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// What strangers may read of a problem.
pub(crate) fn without_cause(problem: Problem) -> Problem {
    Problem { detail: NO_CAUSE.to_owned(), diagnostics: Vec::new(), hint: None, ..problem }
}

/// `1 error`, `3 errors`
fn errors(found: &[Diagnostic]) -> String {
    let errors = found.iter().filter(|found| found.severity == Severity::Error).count();
    format!("{errors} error{}", if errors == 1 { "" } else { "s" })
}

fn list(problems: &[InputError]) -> String {
    if let [only] = problems {
        return format!("an input does not fit the workflow: {only}");
    }
    let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
    format!("{} inputs do not fit the workflow:\n- {}", told.len(), told.join("\n- "))
}

impl ResponseError for Refusal {
    fn status_code(&self) -> StatusCode {
        self.row().1
    }

    /// Its body is written where the request is known (`http/problems.rs`).
    fn error_response(&self) -> HttpResponse {
        let mut response = self.head().finish();
        response.extensions_mut().insert(self.problem());
        response
    }
}

impl Refusal {
    /// After how long a caller may ask again.
    const fn retry_seconds(&self) -> u64 {
        match self {
            Self::RateReached { seconds, .. }
            | Self::JobsReached { seconds, .. }
            | Self::TooManyFailures(seconds) => *seconds,
            _ => BUSY_SECONDS,
        }
    }

    /// Status and headers, without a body.
    pub(super) fn head(&self) -> HttpResponseBuilder {
        let status = self.status_code();
        // Being unready is said once where it begins, not with each probe; that a house is full the metrics say.
        let expected = matches!(self, Self::NotReady(_) | Self::PlaceFull(_) | Self::FleetFull(_));
        if status.is_server_error() && !expected {
            tracing::error!(code = self.code(), error = %self, "a request fails");
        }
        let mut response = HttpResponse::build(status);
        if let Self::NoSuchMethod { known, .. } = self {
            // RFC 9110, section 15.5.6: a 405 names what is taken.
            response.insert_header((ALLOW, known.to_string()));
        }
        match status {
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => {
                response.insert_header((RETRY_AFTER, self.retry_seconds()));
            }
            StatusCode::UNAUTHORIZED => {
                let worker = matches!(self, Self::WrongSecret(_));
                response.insert_header((WWW_AUTHENTICATE, if worker { WORKER_CHALLENGE } else { CHALLENGE }));
            }
            _ => {}
        }
        response
    }
}

impl From<Denied> for Refusal {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::NotSignedIn => Self::NotSignedIn,
            Denied::ScopeMissing(right) => Self::ScopeMissing(right),
            Denied::NotAllowed(_) | Denied::NoScope | Denied::OtherProject | Denied::NotEverywhere => {
                Self::NotAllowed(denied.to_string())
            }
        }
    }
}

impl From<getrandom::Error> for Refusal {
    fn from(error: getrandom::Error) -> Self {
        Self::Internal(error.to_string())
    }
}
