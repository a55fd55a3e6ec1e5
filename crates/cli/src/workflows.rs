//! `weevil workflows`: the stored workflows, a line for each version, the newest first.

use clap::Args;
use weevil_api::{NamedWorkflowView, WorkflowPage, WorkflowVersionView};
use weevil_client::Server;

use crate::Exit;
use crate::asking::Asking;
use crate::clock::{age, now};
use crate::inert::{say_json, say_line};

#[derive(Debug, Args)]
pub struct Workflows {
    #[command(flatten)]
    asking: Asking,
    /// Print a list of names, each with its `versions`, as the server tells them.
    #[arg(long)]
    json: bool,
}

impl Workflows {
    pub(crate) fn execute(self) -> Exit {
        let named = match self.asking.server().and_then(|server| named(&server)) {
            Ok(named) => named,
            Err(why) => return Exit::CouldNot(why),
        };
        if self.json {
            say_json(&named);
            return Exit::Done;
        }
        let now = now();
        for NamedWorkflowView { name, versions } in &named {
            for version in versions {
                say_line(&line(name, version, now));
            }
        }
        Exit::Done
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
    let WorkflowVersionView { workflow, created_at, files, bytes } = version;
    let age = age(*created_at, now);
    let files = if *files == 1 { "1 file".to_owned() } else { format!("{files} files") };
    format!("{workflow}  {age:>10}  {files:>10}  {bytes:>9} bytes  {name}")
}
