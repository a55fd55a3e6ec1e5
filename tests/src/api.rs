//! The HTTP API as a researcher's program uses it.

use std::io::{BufRead, BufReader};
use std::time::Duration;

use serde::de::DeserializeOwned;
use ureq::Agent;
use ureq::http::{Request, Response};
use weevil_protocol::api::{ApiError, Fleet, RunCreated, RunResult, RunView};

use crate::PATIENCE;

const BOUNDARY: &str = "weevil-test-boundary";

/// One server's API.
#[derive(Debug, Clone)]
pub struct Api {
    base: String,
    agent: Agent,
}

/// Path and bytes of each file of an upload.
pub type Files = Vec<(String, Vec<u8>)>;

impl Api {
    pub fn new(address: &str) -> Self {
        Self::with_patience(address, PATIENCE)
    }

    /// Waits longer, for work that takes longer than a test may.
    pub fn with_patience(address: &str, patience: Duration) -> Self {
        let config = Agent::config_builder().timeout_global(Some(patience)).http_status_as_error(false);
        Self { base: format!("http://{address}"), agent: config.build().into() }
    }

    pub fn get(&self, path: &str) -> Response<ureq::Body> {
        self.agent.get(format!("{}{path}", self.base)).call().expect("the server answers")
    }

    /// A GET with other headers than this client's own.
    pub fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Response<ureq::Body> {
        let request = self.agent.get(format!("{}{path}", self.base));
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        request.call().expect("the server answers")
    }

    /// The status that a request of this method, without a body, is answered with.
    pub fn status_of(&self, method: &str, path: &str) -> u16 {
        let request = Request::builder().method(method).uri(format!("{}{path}", self.base)).body(());
        self.agent.run(request.expect("a request")).expect("the server answers").status().as_u16()
    }

    pub fn json<T: DeserializeOwned>(&self, path: &str) -> T {
        parse(self.get(path))
    }

    fn post(&self, files: &Files, headers: &[(&str, &str)]) -> Response<ureq::Body> {
        self.try_post(files, headers).expect("the server answers")
    }

    fn try_post(&self, files: &Files, headers: &[(&str, &str)]) -> Option<Response<ureq::Body>> {
        let content_type = format!("multipart/form-data; boundary={BOUNDARY}");
        let request = self.agent.post(format!("{}/api/v1/runs", self.base)).content_type(&content_type);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        request.send(multipart(files).as_slice()).ok()
    }

    /// Uploads a workflow to a server that may go before it answers.
    pub fn upload_at_risk(&self, files: &Files) {
        let _answered = self.try_post(files, &[]);
    }

    /// Uploads a workflow that must be accepted. Answers the run's id.
    pub fn run(&self, files: &Files) -> String {
        let response = self.post(files, &[]);
        assert_eq!(response.status(), 201, "{:?}", response.into_body().read_to_string());
        let created: RunCreated = parse(response);
        created.run
    }

    /// Uploads a workflow that must be refused, with these headers on top. Answers status and body.
    pub fn refused(&self, files: &Files, headers: &[(&str, &str)]) -> (u16, ApiError) {
        let response = self.post(files, headers);
        (response.status().as_u16(), parse(response))
    }

    pub fn view(&self, run: &str) -> RunView {
        self.json(&format!("/api/v1/runs/{run}"))
    }

    pub fn result(&self, run: &str) -> RunResult {
        self.json(&format!("/api/v1/runs/{run}/result"))
    }

    pub fn fleet(&self) -> Fleet {
        self.json("/api/v1/fleet")
    }

    /// Follows the run's events until one fits.
    pub fn await_run(&self, run: &str, fits: impl Fn(&RunView) -> bool) -> RunView {
        self.await_event(&format!("/api/v1/runs/{run}/events"), "run", fits)
    }

    /// Waits for the end of a run.
    pub fn await_end(&self, run: &str) -> RunView {
        self.await_run(run, |view| view.summary.state.is_terminal())
    }

    pub fn await_fleet(&self, fits: impl Fn(&Fleet) -> bool) -> Fleet {
        self.await_event("/api/v1/events", "fleet", fits)
    }

    fn await_event<T: DeserializeOwned>(&self, path: &str, name: &str, fits: impl Fn(&T) -> bool) -> T {
        let response = self.get(path);
        assert_eq!(response.status(), 200, "{path}");
        let mut lines = BufReader::new(response.into_body().into_reader()).lines();
        let mut current = String::new();
        loop {
            let line =
                lines.next().unwrap_or_else(|| panic!("{path} ended")).expect("events are readable in time");
            if let Some(event) = line.strip_prefix("event: ") {
                event.clone_into(&mut current);
            } else if let Some(data) = line.strip_prefix("data: ").filter(|_| current == name) {
                let seen = serde_json::from_str(data).expect("events carry JSON");
                if fits(&seen) {
                    return seen;
                }
            }
        }
    }
}

fn parse<T: DeserializeOwned>(response: Response<ureq::Body>) -> T {
    let text = response.into_body().with_config().limit(u64::MAX).read_to_string().expect("a body");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn multipart(files: &Files) -> Vec<u8> {
    let mut body = Vec::new();
    for (path, bytes) in files {
        let head = format!(
            "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{path}\"\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    body
}
