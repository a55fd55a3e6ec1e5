//! `weevil run`: a path or a stored workflow becomes a run; with `--wait` the result becomes output and exit code.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use weevil_api::RunResult;
use weevil_client::Form;
use weevil_model::{ContentHash, Reuse, RunState};

use crate::asking::AskingInside;
use crate::bar::Bar;
use crate::files::OnDisk;
use crate::inert::say_line;
use crate::local::{Local, Subject};
use crate::report::{tell, told};
use crate::{Exit, result, wait};

/// The words of `weevil_model::Reuse`.
const REUSE: [&str; 3] = [Reuse::Never.as_str(), Reuse::Repeatable.as_str(), Reuse::Always.as_str()];

#[derive(Debug, Args)]
pub struct Run {
    /// A workflow's folder, its XML document (its folder comes along), a zip of the folder, or the hash of a stored
    /// workflow.
    #[arg(value_name = "PATH|HASH")]
    workflow: PathBuf,
    #[command(flatten)]
    asking: AskingInside,
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
    /// From which answers on values are believed, whatever the workflow says: none; quorum(3), where three volunteers who
    /// are independent of each other have to agree; or credible(0.001), where so much is checked that at most this share
    /// of the values is wrong.
    #[arg(long, value_name = "POLICY")]
    trust: Option<String>,
    #[command(flatten)]
    local: Local,
    /// Wait for the end and print the result; Ctrl-C leaves the run alone.
    #[arg(long)]
    wait: bool,
    /// Print one JSON object with `run`, `state` and, once there is one, `result`.
    #[arg(long)]
    json: bool,
}

impl Run {
    pub(crate) fn execute(self) -> Exit {
        self.ask().unwrap_or_else(Exit::CouldNot)
    }

    fn ask(&self) -> Result<Exit, String> {
        if self.local.is_asked_for {
            let (path, json) = (self.workflow.as_path(), self.json);
            return self.local.run(&Subject { path, form: &|| self.form(), json });
        }
        let (mut form, read) = self.form()?;
        let server = self.asking.server()?;
        let bar = Bar::of_upload(self.json, &mut form);
        let created = server.create_run(&form);
        bar.clear();
        let created = created.map_err(|refused| told(refused, &read))?;
        tell(&created.warnings, &read);
        if self.wait {
            return Ok(result::print_kept(&wait::run(&server, &created.run, self.json)?, self.json));
        }
        if self.json {
            let started = RunResult { run: created.run, state: RunState::Started, result: None, error: None };
            return Ok(result::print(&started, true));
        }
        say_line(&created.run);
        Ok(Exit::Done)
    }

    /// What to ask, and the files that the answer may point into.
    fn form(&self) -> Result<(Form, OnDisk), String> {
        let mut form = Form::default();
        let mut read = OnDisk::default();
        if let Some(hash) = stored(&self.workflow) {
            form.text("workflow", &hash.to_string());
        } else {
            read = OnDisk::read(&self.workflow)?;
            form.workflow(&read.name, &read.files);
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
        // What is run again and again computes what has changed.
        let again = self.local.watch.then_some(Reuse::Repeatable.as_str());
        if let Some(reuse) = self.reuse.as_deref().or(again) {
            form.text("reuse", reuse);
        }
        if let Some(trust) = &self.trust {
            form.text("trust", trust);
        }
        Ok((form, read))
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
