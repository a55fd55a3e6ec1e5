//! Asking one server over HTTP.

use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use ureq::Agent;
use weevil_api::{ApiError, DiagnosticView};

use crate::Form;

/// A server that answers nothing for this long is not there.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A question without the answer that was asked for.
#[derive(Debug)]
pub struct Refused {
    /// In words for people.
    pub message: String,
    /// What is wrong with the workflow, where that is why.
    pub diagnostics: Vec<DiagnosticView>,
}

impl From<String> for Refused {
    fn from(message: String) -> Self {
        Self { message, diagnostics: Vec::new() }
    }
}

/// One server.
#[derive(Debug, Clone)]
pub struct Server {
    url: String,
    agent: Agent,
}

impl Server {
    /// `url` is scheme, host and port; a `/` at its end does not matter.
    pub fn new(url: &str) -> Self {
        Self::with_timeout(url, TIMEOUT)
    }

    /// One that is not there once it has answered nothing for so long.
    pub fn with_timeout(url: &str, timeout: Duration) -> Self {
        let agent =
            Agent::config_builder().timeout_global(Some(timeout)).http_status_as_error(false).build().into();
        Self { url: url.trim_end_matches('/').to_owned(), agent }
    }

    /// Asks once.
    ///
    /// # Errors
    /// In words for people: the server's own, or why it could not be asked.
    pub(crate) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, String> {
        self.read(self.agent.get(format!("{}{path}", self.url)).call()).map_err(|refused| refused.message)
    }

    /// Uploads a form; a refusal keeps what is wrong with the workflow.
    pub(crate) fn post<T: DeserializeOwned>(&self, path: &str, form: &Form) -> Result<T, Refused> {
        let (content_type, body) = form.encode();
        let request = self.agent.post(format!("{}{path}", self.url)).header("content-type", content_type);
        self.read(request.send(&body))
    }

    /// A POST without a body.
    pub(crate) fn post_nothing<T: DeserializeOwned>(&self, path: &str) -> Result<T, String> {
        let answer = self.agent.post(format!("{}{path}", self.url)).send_empty();
        self.read(answer).map_err(|refused| refused.message)
    }

    /// A POST of JSON; what is wrong with job code stands in the words of the refusal, a line each.
    pub(crate) fn post_json<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, String> {
        let body = serde_json::to_vec(body).map_err(|error| error.to_string())?;
        let request =
            self.agent.post(format!("{}{path}", self.url)).header("content-type", "application/json");
        self.read(request.send(&body)).map_err(|refused| {
            let found = refused.diagnostics.iter().map(|found| {
                format!(
                    "\n{}:{}:{}: {} [{}]",
                    found.file, found.line, found.column, found.message, found.code
                )
            });
            refused.message.clone() + &found.collect::<String>()
        })
    }

    fn read<T: DeserializeOwned>(
        &self,
        answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> Result<T, Refused> {
        let mut answer = answer
            .map_err(|error| format!("cannot ask {}: {error}; is `weevil serve` running there?", self.url))?;
        let success = answer.status().is_success();
        let text = answer
            .body_mut()
            .with_config()
            .limit(u64::MAX)
            .read_to_string()
            .map_err(|error| format!("the answer of {} ended early: {error}", self.url))?;
        if !success {
            return Err(refusal(&text));
        }
        let read = serde_json::from_str(&text);
        Ok(read.map_err(|error| format!("{} does not answer like a weevil server: {error}", self.url))?)
    }
}

/// The server's own words.
fn refusal(text: &str) -> Refused {
    match serde_json::from_str(text) {
        Ok(ApiError { message, diagnostics, .. }) => Refused { message, diagnostics },
        Err(_) => format!("the server refused: {text}").into(),
    }
}
