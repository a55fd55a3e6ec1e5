//! The HTTP API as a researcher's program uses it.

use std::fmt::Debug;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use ureq::http::{Request, Response};
use ureq::{Agent, RequestBuilder};
use weevil_api::routes::{Operation, search};
use weevil_api::{
    Fleet, JobHistory, JobKept, JobPage, JobResult, Problem, QueueView, RunCreated, RunResult, RunSummary,
    RunView,
};
use weevil_client::{JobFilter, Server};
use weevil_model::NodeState;

use crate::{Form, Metrics, PATIENCE};

/// One server's API.
#[derive(Debug, Clone)]
pub struct Api {
    base: String,
    agent: Agent,
    /// What asks where only the answer matters.
    typed: Server,
}

/// Path and bytes of each file of an upload.
pub type Files = Vec<(String, Vec<u8>)>;

impl Api {
    /// As somebody asks who proves nothing.
    pub fn new(address: &str) -> Self {
        Self::of_owner(address, Path::new("/nowhere"), PATIENCE)
    }

    /// As the owner of a server asks, who leaves its token in this folder; a request waits so long for its answer.
    pub fn of_owner(address: &str, folder: &Path, patience: Duration) -> Self {
        let config = Agent::config_builder().timeout_global(Some(patience)).http_status_as_error(false);
        let base = format!("http://{address}");
        let typed = Server::with_timeout(&base, patience).with_folder(folder.to_owned());
        Self { base, agent: config.build().into(), typed }
    }

    pub fn get(&self, path: &str) -> Response<ureq::Body> {
        self.get_with(path, &[])
    }

    /// With the token as it is now: a server that was started again has another one.
    fn signed<B>(&self, request: RequestBuilder<B>) -> RequestBuilder<B> {
        match self.typed.local_token() {
            Some(token) => request.header("authorization", format!("Bearer {token}")),
            None => request,
        }
    }

    /// Status and body of a GET.
    pub fn answer(&self, path: &str) -> Answer {
        Answer::of(self.get(path))
    }

    /// A GET with other headers than this client's own.
    pub fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Response<ureq::Body> {
        let request = self.signed(self.agent.get(format!("{}{path}", self.base)));
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        request.call().expect("the server answers")
    }

    /// The status that a request of this method, without a body, is answered with.
    pub fn status_of(&self, method: &str, path: &str) -> u16 {
        self.ask(method, path).status().as_u16()
    }

    /// A request of this method without a body.
    pub fn ask(&self, method: &str, path: &str) -> Response<ureq::Body> {
        let request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        let request = match self.typed.local_token() {
            Some(token) => request.header("authorization", format!("Bearer {token}")),
            None => request,
        };
        let request = request.body(());
        self.agent.run(request.expect("a request")).expect("the server answers")
    }

    /// Every metric of the server, each line checked against the format.
    pub fn metrics(&self) -> Metrics {
        let response = self.get(&Operation::Metrics.path(&[]));
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], Metrics::CONTENT_TYPE);
        Metrics::parse(&Answer::of(response).text)
    }

    /// Asks for the metrics until this one is as much.
    pub fn await_metric(&self, name: &str, least: f64) -> Metrics {
        let since = Instant::now();
        loop {
            let metrics = self.metrics();
            if metrics.get(name) >= least {
                return metrics;
            }
            assert!(since.elapsed() < PATIENCE, "{name} stays at {}", metrics.get(name));
        }
    }

    /// Status and body of `/readyz`.
    pub fn ready(&self) -> Answer {
        self.answer(&Operation::Readiness.path(&[]))
    }

    /// Asks `/readyz` until it answers with this status.
    pub fn await_ready(&self, status: u16) -> Answer {
        let since = Instant::now();
        loop {
            let answer = self.ready();
            if answer.status == status {
                return answer;
            }
            assert!(since.elapsed() < PATIENCE, "{}", answer.text);
        }
    }

    pub fn json<T: DeserializeOwned>(&self, path: &str) -> T {
        self.answer(path).json()
    }

    /// A POST of any body, with these headers on top.
    pub fn post(&self, path: &str, content_type: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        Answer::of(self.try_post(path, content_type, headers, body).expect("the server answers"))
    }

    /// As `submit`, with the answer's headers.
    pub fn submit_response(&self, path: &str, form: &Form) -> Response<ureq::Body> {
        let answer = self.try_post(path, &Form::content_type(), &[], &form.bytes());
        answer.expect("the server answers")
    }

    fn try_post(
        &self,
        path: &str,
        content_type: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Result<Response<ureq::Body>, ureq::Error> {
        let request = self.agent.post(format!("{}{path}", self.base)).content_type(content_type);
        let request = self.signed(request);
        headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)).send(body)
    }

    pub fn submit(&self, path: &str, form: &Form) -> Answer {
        self.post(path, &Form::content_type(), &[], &form.bytes())
    }

    /// Uploads a workflow; answers status and body.
    pub fn upload(&self, files: &Files) -> Answer {
        self.submit(&Operation::CreateRun.path(&[]), &Form::of(files))
    }

    /// Uploads a workflow to a server that may go before it answers.
    pub fn upload_at_risk(&self, files: &Files) {
        let form = Form::of(files);
        let _answered =
            self.try_post(&Operation::CreateRun.path(&[]), &Form::content_type(), &[], &form.bytes());
    }

    /// Uploads a workflow that must be accepted. Answers the run's id.
    pub fn run(&self, files: &Files) -> String {
        self.run_form(&Form::of(files)).run
    }

    /// As `run`, asked again while the server has no database.
    pub fn run_when_ready(&self, files: &Files) -> String {
        let (form, since) = (Form::of(files), Instant::now());
        loop {
            let answer = self.submit(&Operation::CreateRun.path(&[]), &form);
            if answer.status != 503 || since.elapsed() > PATIENCE {
                return answer.created::<RunCreated>().run;
            }
        }
    }

    /// Asks for a run that must be accepted.
    pub fn run_form(&self, form: &Form) -> RunCreated {
        self.submit(&Operation::CreateRun.path(&[]), form).created()
    }

    /// Uploads a workflow that must be refused, with these headers on top. Answers status and body.
    pub fn refused(&self, files: &Files, headers: &[(&str, &str)]) -> (u16, Problem) {
        let form = Form::of(files);
        self.post(&Operation::CreateRun.path(&[]), &Form::content_type(), headers, &form.bytes()).refusal()
    }

    /// A POST of JSON.
    pub fn post_json(&self, path: &str, body: &serde_json::Value) -> Answer {
        self.post(path, "application/json", &[], body.to_string().as_bytes())
    }

    /// Puts in a stand-alone job that must be new.
    pub fn put_job(&self, job: &serde_json::Value) -> JobKept {
        self.post_json(&Operation::SubmitJobs.path(&[]), job).created()
    }

    /// Puts in several stand-alone jobs.
    pub fn put_jobs(&self, jobs: &[serde_json::Value]) -> Vec<JobKept> {
        let answer = self.post_json(&Operation::SubmitJobs.path(&[]), &jobs.into());
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()
    }

    /// As `put_jobs`, asked again while the server has no database.
    pub fn put_jobs_when_ready(&self, jobs: &[serde_json::Value]) -> Vec<JobKept> {
        let since = Instant::now();
        loop {
            let answer = self.post_json(&Operation::SubmitJobs.path(&[]), &jobs.into());
            if answer.status != 503 || since.elapsed() > PATIENCE {
                assert_eq!(answer.status, 200, "{}", answer.text);
                return answer.json();
            }
        }
    }

    /// Waits for the end of a job.
    pub fn await_job(&self, job: &str) -> JobResult {
        let wait_ms = u32::try_from(PATIENCE.as_millis()).expect("a minute");
        let result = self.typed.job_result(&job, Some(wait_ms)).expect("a job");
        assert!(result.state.is_terminal(), "{result:?}");
        result
    }

    /// Ends a run; answers how it ended.
    pub fn cancel(&self, run: &str) -> RunResult {
        self.typed.cancel_run(&run).expect("a run")
    }

    pub fn view(&self, run: &str) -> RunView {
        self.typed.run(&run).expect("a run")
    }

    pub fn result(&self, run: &str) -> RunResult {
        self.typed.run_result(&run, None).expect("a run")
    }

    /// Waits until somebody computes this run: an attempt has told progress, or a result is there. Handed out is not begun.
    /// The run as it was just before.
    pub fn begun(&self, run: &str) -> RunView {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let view = self.view(run);
            if view.summary.progress.done > 0 || self.tells(run) {
                return view;
            }
            assert!(Instant::now() < deadline, "nobody has begun: {view:?}");
        }
    }

    /// Has an attempt that runs told how much is done?
    fn tells(&self, run: &str) -> bool {
        let page = self.typed.run_jobs(&run, &JobFilter::default(), None).expect("a run");
        let running = page.jobs.iter().filter(|job| job.state == NodeState::Running);
        running.map(|job| self.history(&job.id)).any(|history| {
            history.attempts.last().is_some_and(|attempt| attempt.end.is_none() && attempt.progress.is_some())
        })
    }

    fn history(&self, job: &str) -> JobHistory {
        self.typed.job(&job, None).expect("a job")
    }

    /// What became of the run's first job.
    pub fn first_job(&self, run: &str) -> JobHistory {
        let first = Operation::RunJobs.path(&[&run]) + &search(&[("limit", Some(&1))]);
        self.history(&self.json::<JobPage>(&first).jobs[0].id)
    }

    pub fn fleet(&self) -> Fleet {
        self.typed.fleet().expect("the server answers")
    }

    /// Follows the run's events until one fits.
    pub fn await_run(&self, run: &str, fits: impl Fn(&RunView) -> bool) -> RunView {
        self.await_event(&Operation::RunEvents.path(&[&run]), "run", fits)
    }

    /// Waits for the end of a run.
    pub fn await_end(&self, run: &str) -> RunView {
        self.await_run(run, |view| view.summary.state.is_terminal())
    }

    /// Asks for the job's history until it fits.
    pub fn await_history(&self, job: &str, fits: impl Fn(&JobHistory) -> bool) -> JobHistory {
        await_answer(|| self.history(job), fits)
    }

    /// Asks how much is in the queue until it fits: the server counts beside everything else.
    pub fn await_queue(&self, fits: impl Fn(&QueueView) -> bool) -> QueueView {
        await_answer(|| self.typed.queue().expect("the server answers"), fits)
    }

    /// Asks for this until it fits.
    pub fn await_json<T: DeserializeOwned + Debug>(&self, path: &str, fits: impl Fn(&T) -> bool) -> T {
        await_answer(|| self.json(path), fits)
    }

    /// The first page of the runs that are kept, the newest first.
    pub fn runs(&self) -> Vec<RunSummary> {
        self.typed.runs(None, None).expect("the server answers").runs
    }

    pub fn await_fleet(&self, fits: impl Fn(&Fleet) -> bool) -> Fleet {
        self.await_event(&Operation::Events.path(&[]), "fleet", fits)
    }

    pub fn await_runs(&self, fits: impl Fn(&Vec<RunSummary>) -> bool) -> Vec<RunSummary> {
        self.await_event(&Operation::Events.path(&[]), "runs", fits)
    }

    fn await_event<T: DeserializeOwned>(&self, path: &str, name: &str, fits: impl Fn(&T) -> bool) -> T {
        let response = self.get(path);
        assert_eq!(response.status(), 200, "{path}");
        let mut lines = BufReader::new(response.into_body().into_reader()).lines();
        let (mut current, mut last) = (String::new(), String::new());
        loop {
            let line = lines.next().unwrap_or_else(|| panic!("{path} ended; the last one was {last}"));
            let line = line.unwrap_or_else(|error| panic!("{path}: {error}; the last one was {last}"));
            if let Some(event) = line.strip_prefix("event: ") {
                event.clone_into(&mut current);
            } else if let Some(data) = line.strip_prefix("data: ").filter(|_| current == name) {
                let seen = serde_json::from_str(data).expect("events carry JSON");
                if fits(&seen) {
                    return seen;
                }
                data.clone_into(&mut last);
            }
        }
    }
}

/// Status and body.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub text: String,
}

fn await_answer<T: Debug>(ask: impl Fn() -> T, fits: impl Fn(&T) -> bool) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let answer = ask();
        if fits(&answer) {
            return answer;
        }
        assert!(Instant::now() < deadline, "{answer:?}");
    }
}

impl Answer {
    /// Reads the body as text.
    pub fn of(response: Response<ureq::Body>) -> Self {
        let status = response.status().as_u16();
        let text = response.into_body().with_config().limit(u64::MAX).read_to_string().expect("a body");
        Self { status, text }
    }

    pub fn json<T: DeserializeOwned>(&self) -> T {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// The body of a 201.
    pub fn created<T: DeserializeOwned>(&self) -> T {
        assert_eq!(self.status, 201, "{}", self.text);
        self.json()
    }

    /// Status and body of a refusal.
    pub fn refusal(&self) -> (u16, Problem) {
        (self.status, self.json())
    }
}
