//! Asking a server over HTTP, for the commands that do. Never retries: the caller sees what the server said.

use std::time::Duration;

use serde::de::DeserializeOwned;
use ureq::Agent;
use weevil_protocol::api::{ApiError, DiagnosticView};

use super::form::Form;

/// A server that answers nothing for this long is not there.
const TIMEOUT: Duration = Duration::from_mins(1);

/// One server.
pub(super) struct Server {
    url: String,
    agent: Agent,
}

impl Server {
    pub(super) fn new(url: &str) -> Self {
        let agent =
            Agent::config_builder().timeout_global(Some(TIMEOUT)).http_status_as_error(false).build().into();
        Self { url: url.trim_end_matches('/').to_owned(), agent }
    }

    pub(super) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, String> {
        self.read(self.agent.get(format!("{}{path}", self.url)).call())
    }

    pub(super) fn post<T: DeserializeOwned>(&self, path: &str, form: &Form) -> Result<T, String> {
        let (content_type, body) = form.encode();
        let request = self.agent.post(format!("{}{path}", self.url)).header("content-type", content_type);
        self.read(request.send(&body))
    }

    pub(super) fn post_nothing<T: DeserializeOwned>(&self, path: &str) -> Result<T, String> {
        self.read(self.agent.post(format!("{}{path}", self.url)).send_empty())
    }

    fn read<T: DeserializeOwned>(
        &self,
        answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> Result<T, String> {
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
        serde_json::from_str(&text)
            .map_err(|error| format!("{} does not answer like a weevil server: {error}", self.url))
    }
}

/// Prints what is odd in a workflow that was taken.
pub(super) fn warn(warnings: &[DiagnosticView]) {
    for found in warnings {
        eprintln!("{}:{}:{}: warning: {}", found.file, found.line, found.column, found.message);
    }
}

/// The server's own words, findings first, as compilers print them.
fn refusal(text: &str) -> String {
    let Ok(error) = serde_json::from_str::<ApiError>(text) else {
        return format!("the server refused: {text}");
    };
    let mut lines = vec![error.message];
    for found in error.diagnostics {
        lines.push(format!(
            "{}:{}:{}: {}[{}]: {}",
            found.file, found.line, found.column, found.severity, found.code, found.message
        ));
        lines.extend(found.help.map(|help| format!("    help: {help}")));
    }
    lines.join("\n")
}
