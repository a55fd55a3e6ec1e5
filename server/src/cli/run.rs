//! `weevil run`: a path or a stored workflow becomes a run; with `--wait` the result becomes output and exit code.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use weevil_model::limits::{MAX_BUNDLE_BYTES, MAX_BUNDLE_FILES};
use weevil_model::{ContentHash, RunState};
use weevil_protocol::api::{RunCreated, RunResult};
use weevil_queue::Reuse;

use super::ask::{Server, warn};
use super::form::Form;
use super::{Outcome, result};

/// The words of `weevil_queue::Reuse`.
const REUSE: [&str; 3] = [Reuse::Never.as_str(), Reuse::Repeatable.as_str(), Reuse::Always.as_str()];

/// How often a waiting command looks.
const POLL_EVERY: Duration = Duration::from_millis(200);

#[derive(Debug, Args)]
pub(super) struct Run {
    /// A workflow's folder, its XML document (its folder comes along), a zip of the folder, or the hash of a stored
    /// workflow.
    #[arg(value_name = "PATH|HASH")]
    workflow: PathBuf,
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    server: String,
    /// Give a value node this value, written as an attribute `value` is. May be repeated.
    #[arg(long, value_name = "ID=LITERAL")]
    set: Vec<String>,
    /// Give a value node the value in this JSON file. May be repeated.
    #[arg(long, value_name = "ID=FILE")]
    set_file: Vec<String>,
    /// Take stored results of equal jobs instead of computing them: of those that give the same value every time, or
    /// of all.
    #[arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "repeatable", value_parser = REUSE)]
    reuse: Option<String>,
    /// Wait for the end and print the result.
    #[arg(long)]
    wait: bool,
    /// Print one JSON object with `run`, `state` and, once there is one, `result`.
    #[arg(long)]
    json: bool,
}

impl Run {
    pub(super) fn execute(self) -> Outcome {
        self.ask().unwrap_or_else(Outcome::CouldNot)
    }

    fn ask(&self) -> Result<Outcome, String> {
        let form = self.form()?;
        let server = Server::new(&self.server);
        let created: RunCreated = server.post("/api/v1/runs", &form)?;
        warn(&created.warnings);
        if self.wait {
            return Ok(result::print(&wait(&server, &created.run)?, self.json));
        }
        if self.json {
            let started = RunResult { run: created.run, state: RunState::Started, result: None, error: None };
            return Ok(result::print(&started, true));
        }
        println!("{}", created.run);
        Ok(Outcome::Done)
    }

    fn form(&self) -> Result<Form, String> {
        let mut form = Form::default();
        match stored(&self.workflow) {
            Some(hash) => form.text("workflow", &hash.to_string()),
            None => form.workflow(&self.workflow)?,
        }
        for set in &self.set {
            assignment("--set", set)?;
            form.text("set", set);
        }
        for set in &self.set_file {
            let (id, path) = assignment("--set-file", set)?;
            let bytes = fs::read(path).map_err(|error| format!("cannot read {path}: {error}"))?;
            form.file("setFile", id.to_owned(), bytes);
        }
        if let Some(reuse) = &self.reuse {
            form.text("reuse", reuse);
        }
        Ok(form)
    }
}

/// What is there is a path, whatever it looks like.
fn stored(workflow: &Path) -> Option<ContentHash> {
    if workflow.exists() { None } else { workflow.to_str()?.parse().ok() }
}

fn assignment<'s>(option: &str, text: &'s str) -> Result<(&'s str, &'s str), String> {
    text.split_once('=')
        .ok_or_else(|| format!("{option} takes the id of a value node, `=` and its value, not `{text}`"))
}

fn wait(server: &Server, run: &str) -> Result<RunResult, String> {
    loop {
        let found: RunResult = server.get(&format!("/api/v1/runs/{run}/result"))?;
        if found.state.is_terminal() {
            return Ok(found);
        }
        std::thread::sleep(POLL_EVERY);
    }
}

pub(super) type Files = Vec<(String, Vec<u8>)>;

/// The workflow's name and files: a folder with everything in it, or a document together with its folder.
pub(super) fn read(path: &Path) -> Result<(String, Files), String> {
    let found = path.canonicalize().map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let (folder, document) = if found.is_dir() {
        (found.as_path(), None)
    } else {
        (found.parent().unwrap_or(&found), found.file_name().and_then(|name| name.to_str()))
    };
    let mut files = Files::new();
    collect(folder, "", &mut files)?;
    if let Some(document) = document {
        // Other documents of the folder would make it unclear which one is meant.
        files.retain(|(path, _)| path == document || path.contains('/') || !is_document(path));
    }
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or("workflow");
    Ok((name.to_owned(), files))
}

fn is_document(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xml"))
}

fn collect(folder: &Path, prefix: &str, files: &mut Files) -> Result<(), String> {
    let fail = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let name =
            entry.file_name().into_string().map_err(|name| format!("{} is not UTF-8", name.display()))?;
        let kind = entry.file_type().map_err(fail)?;
        let path = format!("{prefix}{name}");
        // Hidden files and links are the author's own business.
        if name.starts_with('.') || kind.is_symlink() {
            continue;
        }
        if kind.is_dir() {
            collect(&entry.path(), &format!("{path}/"), files)?;
        } else {
            files.push((path, fs::read(entry.path()).map_err(fail)?));
        }
        bounded(files)?;
    }
    Ok(())
}

fn bounded(files: &Files) -> Result<(), String> {
    let bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    if files.len() > MAX_BUNDLE_FILES || bytes > MAX_BUNDLE_BYTES {
        let most = format!("at most {MAX_BUNDLE_FILES} files and {MAX_BUNDLE_BYTES} bytes");
        return Err(format!(
            "the folder is no workflow: {most} are allowed; name the folder of one workflow"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_brings_its_folder_but_no_other_document() {
        let folder = tempfile::TempDir::new().unwrap();
        let write = |path: &str| fs::write(folder.path().join(path), path).unwrap();
        fs::create_dir(folder.path().join("lib")).unwrap();
        for path in ["one.xml", "two.xml", "Add.js", ".hidden", "lib/Sub.js"] {
            write(path);
        }
        let paths = |path: &Path| {
            let mut paths: Vec<String> = read(path).unwrap().1.into_iter().map(|file| file.0).collect();
            paths.sort();
            paths
        };
        assert_eq!(paths(&folder.path().join("one.xml")), ["Add.js", "lib/Sub.js", "one.xml"]);
        assert_eq!(paths(folder.path()), ["Add.js", "lib/Sub.js", "one.xml", "two.xml"]);
        assert!(read(Path::new("/no/such/place")).is_err());
    }
}
