//! Every way a request can be refused: one variant, one stable code, one status, one sentence with the cure.
//!
//! HTTP bodies (`in_xml.rs` for those who speak XML), statuses and the pages in `docs/errors` follow from this table.

use actix_web::http::StatusCode;
use actix_web::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, HttpResponseBuilder, ResponseError};
use weevil_api::{ApiError, DiagnosticView};
use weevil_engine::budget::NoSeat;
use weevil_engine::health::Unready;
use weevil_model::limits::{MAX_BUNDLE_BYTES, MAX_BUNDLE_FILES, MAX_FRAME_BYTES, MAX_JOBS_AT_ONCE};
use weevil_model::{ContentHash, Diagnostic, HashError, IdError, JobId, RunId, Severity, WorkerId};
use weevil_protocol::plain::PLAIN_VERSION;
use weevil_records::StoreError;
use weevil_workflow::{BundleError, InputError};

use crate::http::OddPath;

/// Seconds after which a caller may ask a busy server again.
const BUSY_SECONDS: u32 = 5;
/// What a 401 has to name (RFC 9110, section 11.6.1): the secret travels in the message, not in a header.
const CHALLENGE: &str = "WeevilSecret";

#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("there is no run {0}; `GET /api/v1/runs` lists the newest ones")]
    NoSuchRun(String),
    #[error("there is no job {0}; `weevil jobs` lists those of a run or a queue")]
    NoSuchJob(JobId),
    #[error("the parameters of the address cannot be read: {0}")]
    BadQuery(String),
    #[error("the job cannot be put in: {0}; docs/protocol.md lists the fields")]
    BadJob(String),
    #[error("the code of {} has {}", .job.map_or_else(|| "the job".to_owned(), |number| format!("job {number}")), errors(.found))]
    BadCode { job: Option<usize>, found: Vec<Diagnostic> },
    #[error(
        "the jobs are larger than {MAX_BUNDLE_BYTES} bytes or more than {MAX_JOBS_AT_ONCE}; send fewer at a time"
    )]
    TooManyJobs,
    #[error(
        "the database does not take what was asked ({0}), and takes other things: nothing of this request was kept"
    )]
    JobNotStored(String),
    #[error(
        "the queue `{queue}` has a job with the key `{key}`, {job}, with other code or other input; choose another key"
    )]
    KeyTaken { queue: String, key: String, job: String },
    #[error("{job} belongs to {run}, which would wait for it for ever; cancel the run instead")]
    JobOfRun { job: JobId, run: RunId },
    #[error("{0} has ended: nothing of it is left to pause or resume")]
    RunEnded(RunId),
    #[error("there is no workflow {0}; `GET /api/v1/workflows` lists the newest ones")]
    NoSuchWorkflow(ContentHash),
    #[error("no run of {0} goes on; `GET /api/v1/runs` lists the newest ones")]
    NotRunning(ContentHash),
    #[error("there is no blob {0}")]
    NoSuchBlob(String),
    #[error("the path of the address holds {0}; spell it plainly, as docs/protocol.md does")]
    BadPath(OddPath),
    #[error("there is nothing at {0}")]
    NoSuchPage(String),
    #[error("nothing here takes {0}; docs/protocol.md lists the routes and their methods")]
    NoSuchMethod(String),
    #[error(transparent)]
    BadId(#[from] IdError),
    #[error(transparent)]
    BadHash(#[from] HashError),
    #[error(
        "the upload cannot be read: {0}; send multipart/form-data with one part `file` for each file, its filename \
         being the path inside the workflow's folder, or a zip as application/zip, or one document as application/xml"
    )]
    BadUpload(String),
    #[error("the upload is larger than {MAX_BUNDLE_BYTES} bytes or {MAX_BUNDLE_FILES} files")]
    UploadTooLarge,
    #[error("not a workflow: {0}")]
    BadBundle(#[from] BundleError),
    #[error("the workflow has {}", errors(.0))]
    BadWorkflow(Vec<Diagnostic>),
    #[error("{}", told(.0))]
    BadInput(Vec<InputError>),
    #[error(
        "the host name `{0}` is not this machine's loopback name; open the page as http://localhost or 127.0.0.1"
    )]
    ForeignHost(String),
    #[error(
        "requests that change something must come from this server's own pages, and this one does not: it says `{0}`"
    )]
    ForeignOrigin(String),
    #[error("{0} workers are connected, which is as many as this server takes; try again in a moment")]
    FleetFull(u64),
    #[error(
        "{0} workers of this address are connected, which is as many as one address may have; close some, or have the \
         operator raise --workers-per-address"
    )]
    PlaceFull(u64),
    #[error("the server is not ready: {0}; try again in a moment")]
    NotReady(#[from] Unready),
    #[error("the message cannot be read: {0}")]
    BadMessage(String),
    #[error(
        "the message is larger than {0} bytes, which is what this exchange takes; none takes more than {MAX_FRAME_BYTES}: \
         send fewer results at a time"
    )]
    MessageTooLarge(usize),
    #[error(
        "this worker speaks version {0} of the plain protocol, the server {PLAIN_VERSION}: update the worker"
    )]
    WrongVersion(u32),
    #[error(
        "the capabilities {0} name nothing that this server has jobs for: bit 0 (1) says that a worker runs JavaScript, bit 1 (2) that it has a GPU, bit 2 (4) that it runs WebAssembly"
    )]
    NothingToRun(u32),
    #[error(
        "there is no worker {0}: it has left, was silent for a whole lease, or the server was restarted; join again"
    )]
    NoSuchWorker(WorkerId),
    #[error("the secret is not that of {0}: send the one that came with the answer to its join")]
    WrongSecret(WorkerId),
    #[error(
        "the body comes too slowly: after ten seconds at least 32 KiB have to come in each second; send less at a time"
    )]
    TooSlow,
    #[error("more comes in than can be answered: slow down")]
    SlowDown,
    #[error("the server cannot reach its database: {0}")]
    Store(#[from] StoreError),
    #[error("the server has failed: {0}")]
    Internal(String),
}

impl Refusal {
    /// The stable name, which never changes its meaning, and the status. `pages_test.rs` reads these lines, too.
    const fn row(&self) -> (&'static str, StatusCode) {
        match self {
            Self::NoSuchRun(_) => ("noSuchRun", StatusCode::NOT_FOUND),
            Self::NoSuchJob(_) => ("noSuchJob", StatusCode::NOT_FOUND),
            Self::BadQuery(_) => ("badQuery", StatusCode::BAD_REQUEST),
            Self::BadJob(_) => ("badJob", StatusCode::UNPROCESSABLE_ENTITY),
            Self::BadCode { .. } => ("badCode", StatusCode::UNPROCESSABLE_ENTITY),
            Self::TooManyJobs => ("tooManyJobs", StatusCode::PAYLOAD_TOO_LARGE),
            Self::JobNotStored(_) => ("jobNotStored", StatusCode::UNPROCESSABLE_ENTITY),
            Self::KeyTaken { .. } => ("keyTaken", StatusCode::CONFLICT),
            Self::JobOfRun { .. } => ("jobOfRun", StatusCode::CONFLICT),
            Self::RunEnded(_) => ("runEnded", StatusCode::CONFLICT),
            Self::NoSuchWorkflow(_) => ("noSuchWorkflow", StatusCode::NOT_FOUND),
            Self::NotRunning(_) => ("notRunning", StatusCode::NOT_FOUND),
            Self::NoSuchBlob(_) => ("noSuchBlob", StatusCode::NOT_FOUND),
            Self::BadPath(_) => ("badPath", StatusCode::BAD_REQUEST),
            Self::NoSuchPage(_) => ("noSuchPage", StatusCode::NOT_FOUND),
            Self::NoSuchMethod(_) => ("noSuchMethod", StatusCode::METHOD_NOT_ALLOWED),
            Self::BadId(_) | Self::BadHash(_) => ("badId", StatusCode::BAD_REQUEST),
            Self::BadUpload(_) => ("badUpload", StatusCode::BAD_REQUEST),
            Self::UploadTooLarge => ("uploadTooLarge", StatusCode::PAYLOAD_TOO_LARGE),
            Self::BadBundle(_) => ("badBundle", StatusCode::UNPROCESSABLE_ENTITY),
            Self::BadWorkflow(_) => ("badWorkflow", StatusCode::UNPROCESSABLE_ENTITY),
            Self::BadInput(_) => ("badInput", StatusCode::UNPROCESSABLE_ENTITY),
            Self::ForeignHost(_) => ("foreignHost", StatusCode::FORBIDDEN),
            Self::ForeignOrigin(_) => ("foreignOrigin", StatusCode::FORBIDDEN),
            Self::FleetFull(_) => ("fleetFull", StatusCode::SERVICE_UNAVAILABLE),
            Self::PlaceFull(_) => ("placeFull", StatusCode::SERVICE_UNAVAILABLE),
            Self::NotReady(_) => ("notReady", StatusCode::SERVICE_UNAVAILABLE),
            Self::BadMessage(_) => ("badMessage", StatusCode::BAD_REQUEST),
            Self::MessageTooLarge(_) => ("messageTooLarge", StatusCode::PAYLOAD_TOO_LARGE),
            Self::WrongVersion(_) => ("wrongVersion", StatusCode::BAD_REQUEST),
            Self::NothingToRun(_) => ("nothingToRun", StatusCode::UNPROCESSABLE_ENTITY),
            Self::NoSuchWorker(_) => ("noSuchWorker", StatusCode::NOT_FOUND),
            Self::WrongSecret(_) => ("wrongSecret", StatusCode::UNAUTHORIZED),
            Self::TooSlow => ("tooSlow", StatusCode::REQUEST_TIMEOUT),
            Self::SlowDown => ("slowDown", StatusCode::TOO_MANY_REQUESTS),
            Self::Store(_) => ("store", StatusCode::SERVICE_UNAVAILABLE),
            Self::Internal(_) => ("internal", StatusCode::INTERNAL_SERVER_ERROR),
        }
    }

    pub(crate) const fn code(&self) -> &'static str {
        self.row().0
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

/// `1 error`, `3 errors`
fn errors(found: &[Diagnostic]) -> String {
    let errors = found.iter().filter(|found| found.severity == Severity::Error).count();
    format!("{errors} error{}", if errors == 1 { "" } else { "s" })
}

fn told(problems: &[InputError]) -> String {
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

    fn error_response(&self) -> HttpResponse {
        let diagnostics = self.diagnostics();
        self.head().json(ApiError { code: self.code().to_owned(), message: self.to_string(), diagnostics })
    }
}

impl Refusal {
    /// Status and headers, without a body.
    pub(super) fn head(&self) -> HttpResponseBuilder {
        let status = self.status_code();
        // Being unready is said once where it begins, not with each probe; that a house is full the metrics say.
        let expected = matches!(self, Self::NotReady(_) | Self::PlaceFull(_) | Self::FleetFull(_));
        if status.is_server_error() && !expected {
            tracing::error!(code = self.code(), error = %self, "a request fails");
        }
        let mut response = HttpResponse::build(status);
        match status {
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => {
                response.insert_header((RETRY_AFTER, BUSY_SECONDS));
            }
            StatusCode::UNAUTHORIZED => {
                response.insert_header((WWW_AUTHENTICATE, CHALLENGE));
            }
            _ => {}
        }
        response
    }
}

impl From<NoSeat> for Refusal {
    fn from(no_seat: NoSeat) -> Self {
        match no_seat {
            NoSeat::TooOften => Self::SlowDown,
            NoSeat::PlaceFull(seats) => Self::PlaceFull(seats),
            NoSeat::FleetFull(seats) => Self::FleetFull(seats),
        }
    }
}
