//! `weevil audit list` and `export`: what the audit tells, asked from a server.

use clap::{Args, Subcommand};
use weevil_api::AuditRowView;
use weevil_client::AuditFilter;

use crate::Exit;
use crate::asking::Asking;
use crate::clock::{age, now};
use crate::inert::{one_line, say_json, say_line};

/// What of `weevil audit` asks a server.
#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// List what was done, the newest first: id, when, who, from where, what, to what.
    List(List),
    /// Print all of it as lines of JSON, the newest first. A line that is missing at the end would be an error: exit 2.
    Export(Export),
}

#[derive(Debug, Args)]
pub struct List {
    #[command(flatten)]
    which: Which,
    /// How many rows at most.
    #[arg(long, value_name = "ROWS", default_value_t = 100)]
    limit: usize,
    #[command(flatten)]
    asking: Asking,
    /// Print a line of JSON for each row.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub struct Export {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    asking: Asking,
}

/// Which rows: those that fit all that is named.
#[derive(Debug, Args)]
struct Which {
    /// Done by this account or token, or by local, system or nobody.
    #[arg(long, value_name = "ID")]
    actor: Option<String>,
    /// Rows of this kind, such as token.created.
    #[arg(long, value_name = "ACTION")]
    action: Option<String>,
    /// About the project with this id.
    #[arg(long, value_name = "ID")]
    project: Option<String>,
    /// Not before this moment, in milliseconds since 1970.
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    from: Option<i64>,
    /// Before this moment, in milliseconds since 1970.
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    to: Option<i64>,
}

impl Which {
    fn filter(self) -> AuditFilter {
        let Self { actor, action, project, from, to } = self;
        AuditFilter { actor, action, project, from, to }
    }
}

impl AuditCommand {
    pub fn execute(self) -> Exit {
        let done = match self {
            Self::List(list) => list.execute(),
            Self::Export(export) => export.execute(),
        };
        done.map_or_else(Exit::CouldNot, |()| Exit::Done)
    }
}

impl List {
    fn execute(self) -> Result<(), String> {
        let (server, filter, now) = (self.asking.server()?, self.which.filter(), now());
        let (mut left, mut after) = (self.limit, None);
        while left > 0 {
            let page = server.audit(&filter, after.as_deref())?;
            for row in page.rows.iter().take(left) {
                if self.json { say_json(row) } else { say_line(&line(row, now)) }
            }
            left = left.saturating_sub(page.rows.len());
            match page.next {
                Some(next) => after = Some(next),
                None => break,
            }
        }
        Ok(())
    }
}

impl Export {
    fn execute(self) -> Result<(), String> {
        let server = self.asking.server()?;
        server.export_audit(&self.which.filter(), say_json)
    }
}

fn line(row: &AuditRowView, now: i64) -> String {
    let AuditRowView { id, at, actor, action, outcome, .. } = row;
    let (place, subject) = (row.place.as_deref().unwrap_or("-"), row.subject.as_deref().unwrap_or("-"));
    let details = row.details.as_deref().map(|details| format!("  {details}")).unwrap_or_default();
    let outcome = if outcome == "done" { String::new() } else { format!("  {outcome}") };
    one_line(&format!("{id}  {:>10}  {actor}  {place}  {action}  {subject}{outcome}{details}", age(*at, now)))
}
