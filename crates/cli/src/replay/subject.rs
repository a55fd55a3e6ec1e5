//! What is computed again: a job as the server that has it tells it. Every byte is known by its hash, and checked against it.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use weevil_api::{AttemptView, JobHistory};
use weevil_client::Server;
use weevil_model::{ContentHash, JobId, NodeState};

use super::outcome::Outcome;
use crate::input;

/// What a name of a module ends with.
const MODULE: &str = ".wasm";
/// How an attempt ends that has a value.
const COMPLETED: &str = "completed";
/// What a worker needs that lends its graphics card.
const GPU: &str = "webcl";

#[derive(Debug)]
pub(super) struct Subject {
    pub(super) history: JobHistory,
    /// What its code is called; where it has files, a path of one of them.
    pub(super) name: String,
    pub(super) code: Vec<u8>,
    /// One CBOR array of its arguments.
    pub(super) input: Vec<u8>,
    /// Files of its workflow by their paths, where its code is one that is found there alone, a module or a kernel, or finds
    /// kernels there.
    pub(super) files: Option<BTreeMap<String, Vec<u8>>>,
    /// What came of it there.
    pub(super) outcome: Outcome,
}

impl Subject {
    /// # Errors
    /// In words for people: there is no such job or attempt, it has no outcome yet, or the server is older than this command.
    pub(super) fn fetch(server: &Server, job: JobId, attempt: Option<u32>) -> Result<Self, String> {
        let before = attempt.map(|number| number.saturating_add(1));
        let history = server.job(&job, before)?;
        let outcome = outcome(server, &history, attempt)?;
        let (code, input) = (bytes(server, &history.code)?, server.job_input(&job)?);
        let name = history.source.clone();
        let mut subject = Self { history, name, code, input, files: None, outcome };
        if subject.wants_gpu() || subject.name.ends_with(MODULE) {
            subject.files =
                subject.history.workflow.as_deref().map(|hash| files(server, hash)).transpose()?;
        }
        Ok(subject)
    }

    pub(super) fn wants_gpu(&self) -> bool {
        self.history.job.needs.capabilities.iter().any(|name| name == GPU)
    }

    /// Whether its code is a file of its workflow; that of a stand-alone job is beside it.
    pub(super) fn is_file(&self) -> bool {
        self.files.as_ref().and_then(|files| files.get(&self.name)).is_some_and(|code| *code == self.code)
    }

    /// Its arguments, each in the JSON view.
    ///
    /// # Errors
    /// In words for people: what was fetched is no value.
    pub(super) fn arguments(&self) -> Result<Vec<Json>, String> {
        match input::arguments(&self.input)? {
            Json::Array(arguments) => Ok(arguments),
            _ => Err("the job's input is not an array of arguments".into()),
        }
    }
}

/// That of the attempt that is asked for, else of the one that decided.
fn outcome(server: &Server, history: &JobHistory, attempt: Option<u32>) -> Result<Outcome, String> {
    let job = &history.job.id;
    let has_error = |attempt: &&AttemptView| attempt.kind.is_some();
    let deciding = match attempt {
        Some(number) => {
            let found = history.attempts.iter().find(|found| found.number == number);
            Some(found.ok_or_else(|| format!("{job} has no attempt {number} that is kept"))?)
        }
        None if history.job.state == NodeState::Finished => None,
        None => Some(history.attempts.iter().rfind(has_error).ok_or_else(|| without_end(history))?),
    };
    match deciding.map(|attempt| (attempt, attempt.kind.clone())) {
        Some((attempt, Some(kind))) => {
            Ok(Outcome::Error { kind, message: attempt.message.clone().unwrap_or_default() })
        }
        Some((attempt, None)) if attempt.end.as_deref() != Some(COMPLETED) => {
            Err(format!("attempt {} of {job} has neither a value that is kept nor an error", attempt.number))
        }
        _ => {
            let result = server.job_result(job, None)?.result;
            Ok(Outcome::Value(result.ok_or_else(|| format!("the value of {job} is not kept any more"))?))
        }
    }
}

/// What is said where nobody has told an error.
fn without_end(history: &JobHistory) -> String {
    let job = &history.job.id;
    if history.job.state.is_terminal() {
        return format!("{job} is {} without a value or an error that is kept", history.job.state);
    }
    format!("no attempt of {job} has come to an end yet")
}

fn files(server: &Server, workflow: &str) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let files = server.workflow(&workflow)?.files;
    files.into_iter().map(|file| Ok((file.path, bytes(server, &file.hash)?))).collect()
}

fn bytes(server: &Server, hash: &str) -> Result<Vec<u8>, String> {
    let bytes = server.code(&hash)?;
    if ContentHash::of(&bytes).to_string() == hash {
        Ok(bytes)
    } else {
        Err(format!("{} answers other bytes than {hash}", server.url()))
    }
}
