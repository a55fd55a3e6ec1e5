//! `weevil workflows`: the stored workflows, a line for each version, the newest first.

use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use weevil_api::{NamedWorkflowView, WorkflowPage, WorkflowVersionView};
use weevil_client::Server;

use crate::Exit;
use crate::asking::Asking;
use crate::inert::{say_json, say_line};

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

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
    let age = age((now - created_at) / 1000);
    let files = if *files == 1 { "1 file".to_owned() } else { format!("{files} files") };
    format!("{workflow}  {age:>10}  {files:>10}  {bytes:>9} bytes  {name}")
}

fn age(seconds: i64) -> String {
    match seconds {
        ..MINUTE => format!("{} s ago", seconds.max(0)),
        MINUTE..HOUR => format!("{} min ago", seconds / MINUTE),
        HOUR..DAY => format!("{} h ago", seconds / HOUR),
        DAY.. => format!("{} d ago", seconds / DAY),
    }
}

/// Milliseconds since 1970, by this machine's clock.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::age;

    #[test]
    fn ages_are_told_in_their_largest_unit() {
        let ages = [-5, 0, 59, 60, 3599, 3600, 86_399, 86_400, 864_000].map(age);
        let expected = [
            "0 s ago",
            "0 s ago",
            "59 s ago",
            "1 min ago",
            "59 min ago",
            "1 h ago",
            "23 h ago",
            "1 d ago",
            "10 d ago",
        ];
        assert_eq!(ages, expected);
    }
}
