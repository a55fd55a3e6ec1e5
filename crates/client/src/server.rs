//! Asking one server over HTTP.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use ureq::config::ConfigBuilder;
use ureq::http::header::LOCATION;
use ureq::http::{Response, StatusCode};
use ureq::typestate::{AgentScope, WithBody};
use ureq::{Agent, Body, RequestBuilder, SendBody};
use weevil_api::routes::search;
use weevil_api::{DiagnosticView, Problem};

use crate::local::{LocalToken, folders};
use crate::wanted::{Chosen, Credential};
use crate::{Form, Origin};

type Builder = ConfigBuilder<AgentScope>;

/// A server that answers nothing for this long is not there.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The code of a refusal that asks for `in_project`.
const WHICH_PROJECT: &str = "whichProject";

/// The codes of a server that does not know the route or the method (those of things that are not there are others).
const MISSING: [&str; 2] = ["noSuchPage", "noSuchMethod"];

/// A question without the answer that was asked for.
#[derive(Debug)]
pub struct Refused {
    /// In words for people.
    pub message: String,
    /// The code of the server's refusal; `None` where the server has not refused.
    pub code: Option<String>,
    /// What is wrong with the workflow, where that is why.
    pub diagnostics: Vec<DiagnosticView>,
}

impl From<String> for Refused {
    fn from(message: String) -> Self {
        Self { message, code: None, diagnostics: Vec::new() }
    }
}

/// One server.
#[derive(Debug, Clone)]
pub struct Server {
    url: String,
    agent: Agent,
    credential: Credential,
    /// Short name of the project that is meant; without it the server says which.
    project: Option<String>,
}

impl Server {
    /// `url` is scheme, host and port; a `/` at its end does not matter. Opened by the token that a server of this machine
    /// leaves, and by nothing else.
    pub fn new(url: &str) -> Self {
        Self::with_timeout(url, TIMEOUT)
    }

    /// One that is not there once it has answered nothing for so long.
    pub fn with_timeout(url: &str, timeout: Duration) -> Self {
        let config = Agent::config_builder().timeout_global(Some(timeout)).http_status_as_error(false);
        let local = local(url, folders(|name| std::env::var_os(name)));
        // What opens a server of this machine goes to no proxy.
        let config = if local.is_some() { config.proxy(None) } else { config };
        let credential = local.map_or(Credential::Nothing, Credential::Local);
        let agent = config.max_redirects(0).build().into();
        Self { url: url.trim_end_matches('/').to_owned(), agent, credential, project: None }
    }

    /// What a command asks.
    pub(crate) fn of(chosen: Chosen) -> Result<Self, String> {
        let Chosen { origin, ca, credential } = chosen;
        let config = Agent::config_builder().timeout_global(Some(TIMEOUT)).http_status_as_error(false);
        let config = if origin.is_loopback() { config.proxy(None) } else { config };
        let config = with_roots(config.max_redirects(0), &origin, ca.as_deref())?;
        Ok(Self { url: origin.to_string(), agent: config.build().into(), credential, project: None })
    }

    /// The same server, whose token is looked for in this folder and not where this process would leave one.
    #[must_use]
    pub fn with_folder(self, folder: PathBuf) -> Self {
        let local = local(&self.url, vec![folder]);
        Self { credential: local.map_or(Credential::Nothing, Credential::Local), ..self }
    }

    /// The same server, asked about the project with this short name, or about the one that it takes to be meant.
    #[must_use]
    pub fn in_project(self, project: Option<String>) -> Self {
        Self { project, ..self }
    }

    /// The `?` that names the project, of an operation that takes nothing else there.
    pub(crate) fn inside(&self) -> String {
        search(&[self.named_project()])
    }

    pub(crate) fn named_project(&self) -> (&'static str, Option<&dyn Display>) {
        ("project", self.project.as_ref().map(|project| project as _))
    }

    /// Scheme, host and port, with nothing behind them.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The token of a server of this machine, as it is now.
    pub fn local_token(&self) -> Option<String> {
        match &self.credential {
            Credential::Local(local) => local.read(),
            Credential::Nothing | Credential::Token(_) => None,
        }
    }

    fn signed<B>(&self, request: RequestBuilder<B>) -> RequestBuilder<B> {
        let token = match &self.credential {
            Credential::Token(token) => Some(token.clone()),
            Credential::Local(local) => local.read(),
            Credential::Nothing => None,
        };
        match token {
            Some(token) => request.header("authorization", format!("Bearer {token}")),
            None => request,
        }
    }

    /// Asks once.
    ///
    /// # Errors
    /// In words for people: the server's own, or why it could not be asked.
    pub(crate) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, String> {
        self.look(path).map_err(|refused| refused.message)
    }

    /// As `get`; a refusal keeps its code.
    pub(crate) fn look<T: DeserializeOwned>(&self, path: &str) -> Result<T, Refused> {
        let request = self.agent.get(format!("{}{path}", self.url));
        self.read(("GET", path), self.signed(request).call())
    }

    /// A GET whose answer is read piece by piece, however long it comes.
    pub(crate) fn open(&self, path: &str) -> Result<Response<Body>, String> {
        let request = self.agent.get(format!("{}{path}", self.url));
        let patient = request.config().timeout_global(None).timeout_recv_response(Some(TIMEOUT)).build();
        let answer = self.signed(patient).call();
        if answer.as_ref().is_ok_and(|answer| answer.status().is_success()) {
            return answer.map_err(|error| error.to_string());
        }
        self.read::<()>(("GET", path), answer).map_err(|refused| refused.message)?;
        Err(format!("{} does not answer like a weevil server", self.url))
    }

    /// A DELETE; a refusal keeps its code.
    pub(crate) fn delete<T: DeserializeOwned>(&self, path: &str) -> Result<T, Refused> {
        let request = self.agent.delete(format!("{}{path}", self.url));
        self.read(("DELETE", path), self.signed(request).call())
    }

    /// Uploads a form; a refusal keeps what is wrong with the workflow.
    pub(crate) fn post<T: DeserializeOwned>(&self, path: &str, form: &Form) -> Result<T, Refused> {
        let (content_type, body) = form.encode();
        let request = self.agent.post(format!("{}{path}", self.url)).header("content-type", content_type);
        let request = request.header("content-length", body.len().to_string());
        let answer = self.signed(request).send(SendBody::from_reader(&mut form.reader(&body)));
        self.read(("POST", path), answer)
    }

    /// A POST without a body.
    pub(crate) fn post_nothing<T: DeserializeOwned>(&self, path: &str) -> Result<T, String> {
        let request = self.agent.post(format!("{}{path}", self.url));
        self.read(("POST", path), self.signed(request).send_empty()).map_err(|refused| refused.message)
    }

    /// A POST of JSON; what is wrong with job code stands in the words of the refusal, a line each.
    pub(crate) fn post_json<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, String> {
        self.send_json(("POST", path), self.agent.post(format!("{}{path}", self.url)), body)
    }

    /// A PUT of JSON.
    pub(crate) fn put_json<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, String> {
        self.send_json(("PUT", path), self.agent.put(format!("{}{path}", self.url)), body)
    }

    fn send_json<T: DeserializeOwned>(
        &self,
        asked: (&str, &str),
        request: RequestBuilder<WithBody>,
        body: &impl Serialize,
    ) -> Result<T, String> {
        let body = serde_json::to_vec(body).map_err(|error| error.to_string())?;
        let request = request.header("content-type", "application/json");
        self.read(asked, self.signed(request).send(&body)).map_err(|refused| {
            let found = refused.diagnostics.iter().map(|found| {
                format!(
                    "\n{}:{}:{}: {} [{}]",
                    found.file, found.line, found.column, found.message, found.code
                )
            });
            refused.message.clone() + &found.collect::<String>()
        })
    }

    /// `asked` is the method and the path.
    fn read<T: DeserializeOwned>(
        &self,
        asked: (&str, &str),
        answer: Result<Response<Body>, ureq::Error>,
    ) -> Result<T, Refused> {
        let mut answer = answer
            .map_err(|error| format!("cannot ask {}: {error}; is `weevil serve` running there?", self.url))?;
        let status = answer.status();
        if let Some(elsewhere) = answer.headers().get(LOCATION).filter(|_| status.is_redirection()) {
            let elsewhere = elsewhere.to_str().unwrap_or_default();
            return Err(format!("{} sends on to {elsewhere}: name that with --server", self.url).into());
        }
        let text = answer
            .body_mut()
            .with_config()
            .limit(u64::MAX)
            .read_to_string()
            .map_err(|error| format!("the answer of {} ended early: {error}", self.url))?;
        if !status.is_success() {
            let refused = refusal(&text);
            if refused.code.as_deref().is_none_or(|code| MISSING.contains(&code)) && is_missing(status) {
                return Err(Refused { message: missing(&self.url, asked), ..refused });
            }
            let cure = match status {
                StatusCode::UNAUTHORIZED => format!("; run `weevil login --server {}`", self.url),
                _ => String::new(),
            };
            return Err(Refused { message: refused.message + &cure, ..refused });
        }
        // An answer without a body (RFC 9110, section 15.3.5) is read as nothing.
        let read = serde_json::from_str(if text.is_empty() { "null" } else { &text });
        Ok(read.map_err(|error| format!("{} does not answer like a weevil server: {error}", self.url))?)
    }
}

#[cfg(feature = "https")]
fn with_roots(config: Builder, origin: &Origin, ca: Option<&Path>) -> Result<Builder, String> {
    Ok(if origin.is_https() { config.tls_config(crate::tls::config(ca)?) } else { config })
}

#[cfg(not(feature = "https"))]
fn with_roots(config: Builder, origin: &Origin, _ca: Option<&Path>) -> Result<Builder, String> {
    if origin.is_https() {
        Err(format!("this program cannot ask {origin}: it speaks no HTTPS"))
    } else {
        Ok(config)
    }
}

/// Where the token of the server with this address lies, if it is a server of this machine.
fn local(url: &str, folders: Vec<PathBuf>) -> Option<LocalToken> {
    LocalToken::of(&Origin::parse(url).ok()?, folders)
}

/// Whether an answer may say that there is no such route.
fn is_missing(status: StatusCode) -> bool {
    matches!(status, StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED)
}

/// What is said of a server that lacks the route of a command.
fn missing(url: &str, (method, path): (&str, &str)) -> String {
    let path = path.split('?').next().unwrap_or_default();
    format!(
        "{url} has no route `{method} {path}`: it is older than this command, or its address for volunteers alone; use the \
         `weevil` that came with the server, or name its own address with --server"
    )
}

/// The server's own words.
fn refusal(text: &str) -> Refused {
    let Ok(Problem { detail, code, diagnostics, hint, .. }) = serde_json::from_str(text) else {
        return format!("the server refused: {text}").into();
    };
    let mut message = hint.map_or(detail.clone(), |hint| format!("{detail}; {hint}"));
    if code == WHICH_PROJECT {
        message += "; commands take it as `--project`";
    }
    Refused { message, code: Some(code), diagnostics }
}
