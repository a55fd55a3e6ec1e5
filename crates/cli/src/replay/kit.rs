//! A job as files that people can read and change: what was told of it, its input, its code or the files of its workflow, and a
//! script that has it again.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};
use weevil_api::JobHistory;
use weevil_workflow::is_module;

use super::outcome::Outcome;
use super::subject::Subject;
use crate::files::OnDisk;

/// What the server told of it, and what came of it there.
const JOB: &str = "job.json";
/// One CBOR array of the arguments.
const INPUT: &str = "input.cbor";
/// Where the files of its workflow are, its code among them.
const WORKFLOW: &str = "workflow";
/// Its code where it is none of these files: a text, or a module.
const CODES: [&str; 2] = ["code.js", "code.wasm"];
const SCRIPT: &str = "run.sh";
const RUN: &str = "#!/bin/sh
# Has the job of this folder again, as it stands here now, and says what differs from what came of it before.
exec weevil replay --from \"$(dirname \"$0\")\" \"$@\"
";

#[derive(Serialize, Deserialize)]
struct Told {
    history: JobHistory,
    outcome: Outcome,
}

/// # Errors
/// In words for people: the folder is there already, or cannot be written.
pub(super) fn write(folder: &Path, subject: &Subject) -> Result<(), String> {
    let told = Told { history: subject.history.clone(), outcome: subject.outcome.clone() };
    let told = serde_json::to_vec_pretty(&told).map_err(|error| error.to_string())?;
    fs::create_dir(folder).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            format!("{} is there already; name another folder, or remove it", folder.display())
        }
        _ => format!("{} cannot be made: {error}", folder.display()),
    })?;
    let put = |path: &Path, bytes: &[u8]| {
        let path = folder.join(path);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        let written = made.and_then(|()| fs::write(&path, bytes));
        written.map_err(|error| format!("{} cannot be written: {error}", path.display()))
    };
    for (path, bytes) in subject.files.iter().flatten() {
        put(&Path::new(WORKFLOW).join(path), bytes)?;
    }
    if !subject.is_file() {
        let [text, module] = CODES;
        put(Path::new(if is_module(&subject.code) { module } else { text }), &subject.code)?;
    }
    put(Path::new(JOB), &told)?;
    put(Path::new(INPUT), &subject.input)?;
    put(Path::new(SCRIPT), RUN.as_bytes())
}

/// # Errors
/// In words for people: this is no such folder.
pub(super) fn read(folder: &Path) -> Result<Subject, String> {
    let get = |name: &str| {
        let path = folder.join(name);
        fs::read(&path).map_err(|error| format!("{} cannot be read: {error}", path.display()))
    };
    let told = serde_json::from_slice(&get(JOB)?);
    let Told { history, outcome } =
        told.map_err(|error| format!("{} tells no job: {error}", folder.join(JOB).display()))?;
    let name = history.source.clone();
    let workflow = folder.join(WORKFLOW);
    let files = workflow.is_dir().then(|| OnDisk::read(&workflow)).transpose()?.map(|read| read.files);
    let beside = CODES.into_iter().find(|code| folder.join(code).is_file());
    let code = match (&files, beside) {
        (Some(files), None) => code_of(files, &name)?,
        (_, beside) => get(beside.unwrap_or(CODES[0]))?,
    };
    Ok(Subject { history, name, code, input: get(INPUT)?, files, outcome })
}

fn code_of(files: &BTreeMap<String, Vec<u8>>, name: &str) -> Result<Vec<u8>, String> {
    files.get(name).cloned().ok_or_else(|| format!("{WORKFLOW} has no file {name}, which is the job's code"))
}
