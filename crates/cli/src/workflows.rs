//! `weevil workflows`: the stored workflows, a line for each version, the newest first; with `--remove` one fewer.

use clap::Args;
use weevil_api::{NamedWorkflowView, WorkflowPage, WorkflowVersionView};
use weevil_client::Server;
use weevil_model::ContentHash;

use crate::Exit;
use crate::asking::AskingInside;
use crate::clock::{age, now};
use crate::inert::{say_json, say_line};

#[derive(Debug, Args)]
pub struct Workflows {
    #[command(flatten)]
    asking: AskingInside,
    /// Take the workflow with this hash out of the project instead, and print nothing.
    #[arg(long, value_name = "HASH", conflicts_with = "json")]
    remove: Option<ContentHash>,
    /// Print a list of names, each with its `versions`, as the server tells them.
    #[arg(long)]
    json: bool,
}

impl Workflows {
    pub(crate) fn execute(self) -> Exit {
        self.ask().map_or_else(Exit::CouldNot, |()| Exit::Done)
    }

    fn ask(&self) -> Result<(), String> {
        let server = self.asking.server()?;
        if let Some(workflow) = &self.remove {
            return server.remove_workflow(workflow);
        }
        let named = named(&server)?;
        if self.json {
            say_json(&named);
            return Ok(());
        }
        let now = now();
        for NamedWorkflowView { name, versions } in &named {
            for version in versions {
                say_line(&line(name, version, now));
            }
        }
        Ok(())
    }
}

/// All of them, page by page. A name that comes again brings older versions.
fn named(server: &Server) -> Result<Vec<NamedWorkflowView>, String> {
    let (mut all, mut after) = (Vec::<NamedWorkflowView>::new(), None::<String>);
    loop {
        let WorkflowPage { workflows, next } = server.workflows(after.as_deref())?;
        for workflow in workflows {
            match all.iter_mut().find(|known| known.name == workflow.name) {
                Some(known) => known.versions.extend(workflow.versions),
                None => all.push(workflow),
            }
        }
        if next.is_none() {
            return Ok(all);
        }
        after = next;
    }
}

/// The hash first: it is what `weevil run` takes.
fn line(name: &str, version: &WorkflowVersionView, now: i64) -> String {
    let WorkflowVersionView { workflow, created_at, files, bytes, .. } = version;
    let age = age(*created_at, now);
    let files = if *files == 1 { "1 file".to_owned() } else { format!("{files} files") };
    format!("{workflow}  {age:>10}  {files:>10}  {bytes:>9} bytes  {name}")
}
