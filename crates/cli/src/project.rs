//! `weevil project`: rooms with walls, asked from a server. Who belongs to one stands in `members.rs`.

use clap::{Args, Subcommand};
use weevil_api::{ProjectAsked, ProjectView, QuotasAsked, QuotasView, UsageView};

use crate::Exit;
use crate::asking::Asking;
use crate::clock::{age, now};
use crate::inert::{one_line, say_json, say_line};
use crate::members::Members;

#[derive(Debug, Args)]
pub struct Project {
    #[command(subcommand)]
    which: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    /// Make a project, in which nobody is yet.
    Create(Create),
    /// List the projects that you may see, the oldest first: name in addresses, how it stands, what it may use, shown name.
    List(List),
    /// Show one project.
    Show(One),
    /// List its members, or change who they are.
    Members(Members),
    /// Bound what a project may use; what is not named stays as it is.
    Quota(Quota),
    /// Tell what a project has.
    Usage(One),
    /// Have a project take nothing new from now on.
    Archive(One),
    /// Have it take what is new again.
    Restore(One),
}

#[derive(Debug, Args)]
struct List {
    #[command(flatten)]
    asking: Asking,
    /// Print a line of JSON for each project.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct Create {
    #[command(flatten)]
    one: One,
    /// The name that people are shown; the one in addresses unless this is given.
    #[arg(long)]
    name: Option<String>,
}

/// One project.
#[derive(Debug, Args)]
struct One {
    /// The project's name in addresses.
    project: String,
    #[command(flatten)]
    asking: Asking,
    /// Print the project as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct Quota {
    #[command(flatten)]
    one: One,
    #[command(flatten)]
    bounds: Bounds,
}

/// What a project may use; 0 is no bound.
#[derive(Debug, Args)]
struct Bounds {
    /// Open jobs; 0 is no bound.
    #[arg(long, value_name = "JOBS")]
    jobs: Option<u64>,
    /// Open runs; 0 is no bound.
    #[arg(long, value_name = "RUNS")]
    runs: Option<u64>,
    /// Bytes that are kept; 0 is no bound.
    #[arg(long, value_name = "BYTES")]
    bytes: Option<u64>,
    /// Jobs that may be put in within a minute; 0 is no bound.
    #[arg(long, value_name = "JOBS")]
    rate: Option<u64>,
}

impl Project {
    pub(crate) fn execute(self) -> Exit {
        let done = match self.which {
            Which::Create(create) => create.execute(),
            Which::List(list) => list.execute(),
            Which::Show(one) => one.asking.server().and_then(|server| one.say(server.project(&one.project))),
            Which::Members(members) => members.execute(),
            Which::Quota(quota) => quota.execute(),
            Which::Usage(one) => one.usage(),
            Which::Archive(one) => one.archive(true),
            Which::Restore(one) => one.archive(false),
        };
        done.map_or_else(Exit::CouldNot, |()| Exit::Done)
    }
}

impl Create {
    fn execute(self) -> Result<(), String> {
        let Self { one, name } = self;
        let name = name.unwrap_or_else(|| one.project.clone());
        let asked = ProjectAsked { slug: one.project.clone(), name, quotas: None };
        one.say(one.asking.server()?.make_project(&asked))
    }
}

impl List {
    fn execute(self) -> Result<(), String> {
        let (server, now, mut after) = (self.asking.server()?, now(), None);
        loop {
            let page = server.projects(after.as_deref())?;
            page.projects.iter().for_each(|project| say(project, self.json, now));
            if page.next.is_none() {
                return Ok(());
            }
            after = page.next;
        }
    }
}

impl One {
    fn say(&self, project: Result<ProjectView, String>) -> Result<(), String> {
        project.map(|project| say(&project, self.json, now()))
    }

    fn usage(&self) -> Result<(), String> {
        let usage = self.asking.server()?.usage(&self.project)?;
        if self.json {
            say_json(&usage);
        } else {
            let UsageView { open_jobs, open_runs, stored_bytes } = usage;
            say_line(&format!("{open_jobs} open jobs, {open_runs} open runs, {stored_bytes} stored bytes"));
        }
        Ok(())
    }

    fn archive(&self, archived: bool) -> Result<(), String> {
        self.say(self.asking.server()?.archive_project(&self.project, archived))
    }
}

impl Quota {
    fn execute(self) -> Result<(), String> {
        let server = self.one.asking.server()?;
        let there = server.project(&self.one.project)?.quotas;
        self.one.say(server.set_quotas(&self.one.project, &self.bounds.over(&there)))
    }
}

impl Bounds {
    /// Those that are there, but for what is named.
    fn over(&self, there: &QuotasView) -> QuotasAsked {
        QuotasAsked {
            open_jobs: self.jobs.unwrap_or(there.open_jobs),
            open_runs: self.runs.unwrap_or(there.open_runs),
            stored_bytes: self.bytes.unwrap_or(there.stored_bytes),
            jobs_a_minute: self.rate.unwrap_or(there.jobs_a_minute),
        }
    }
}

fn say(project: &ProjectView, json: bool, now: i64) {
    if json { say_json(project) } else { say_line(&line(project, now)) }
}

/// The name in addresses first: it is what the other commands take.
fn line(project: &ProjectView, now: i64) -> String {
    let ProjectView { slug, name, archived_at, quotas, .. } = project;
    let standing = archived_at.map_or_else(|| "open".to_owned(), |at| format!("archived {}", age(at, now)));
    one_line(&format!("{slug}  {standing}  {}  {name}", bounds(quotas)))
}

fn bounds(quotas: &QuotasView) -> String {
    let QuotasView { open_jobs, open_runs, stored_bytes, jobs_a_minute } = quotas;
    let all =
        [(open_jobs, "jobs"), (open_runs, "runs"), (stored_bytes, "bytes"), (jobs_a_minute, "jobs a minute")];
    let bounds = all.iter().filter(|(most, _)| **most > 0).map(|(most, what)| format!("{most} {what}"));
    let bounds: Vec<String> = bounds.collect();
    if bounds.is_empty() { "no bounds".to_owned() } else { bounds.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_a_project_stands() {
        const DAY: i64 = 86_400_000;
        let none = QuotasView { open_jobs: 0, open_runs: 0, stored_bytes: 0, jobs_a_minute: 0 };
        let project = ProjectView {
            id: "prj_0000000000002".into(),
            slug: "bees".into(),
            name: "All bees".into(),
            created_at: 0,
            archived_at: None,
            quotas: none.clone(),
        };
        let bounded = QuotasView { open_jobs: 7, jobs_a_minute: 9, ..none };
        for (project, expected) in [
            (project.clone(), "bees  open  no bounds  All bees"),
            (
                ProjectView { archived_at: Some(9 * DAY), ..project.clone() },
                "bees  archived 1 d ago  no bounds  All bees",
            ),
            (ProjectView { quotas: bounded, ..project }, "bees  open  7 jobs, 9 jobs a minute  All bees"),
        ] {
            assert_eq!(line(&project, 10 * DAY), expected);
        }
    }

    #[test]
    fn what_is_not_named_stays() {
        let there = QuotasView { open_jobs: 1, open_runs: 2, stored_bytes: 3, jobs_a_minute: 4 };
        let named = Bounds { jobs: None, runs: Some(0), bytes: None, rate: Some(9) };
        let expected = QuotasAsked { open_jobs: 1, open_runs: 0, stored_bytes: 3, jobs_a_minute: 9 };
        assert_eq!(named.over(&there), expected);
    }
}
