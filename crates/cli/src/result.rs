//! `weevil result`, and how any command prints what a run came to.

use clap::Args;
use weevil_api::{AttemptError, DiagnosticView, RunError, RunResult};
use weevil_model::{RunId, RunState};

use crate::Exit;
use crate::asking::Asking;
use crate::cut::Cut;
use crate::inert::{Inert, complain, one_line, say_json, say_line};

#[derive(Debug, Args)]
pub struct Show {
    /// Id of the run; its beginning is enough where no other one has it.
    run: Cut<RunId>,
    #[command(flatten)]
    asking: Asking,
    /// Print one JSON object with `run`, `state` and, once there is one, `result`.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(crate) fn execute(self) -> Exit {
        let found = self.asking.server().and_then(|server| server.run_result(&self.run.run(&server)?, None));
        match found {
            Ok(found) => print_kept(&found, self.json),
            Err(why) => Exit::CouldNot(why),
        }
    }
}

/// The same of a run that its server keeps: of one that failed, people are told how to go on.
pub(crate) fn print_kept(found: &RunResult, json: bool) -> Exit {
    let exit = print(found, json);
    if found.state == RunState::Failed && !json {
        let run = &found.run;
        let words = format!(
            "`weevil jobs {run} --failed` lists the jobs that went wrong, `weevil explain JOB` tells of one"
        );
        complain(&Inert::fill("{}\n", &[&Inert::line(&words)]));
    }
    exit
}

/// Prints a result for people, or for tools.
pub(crate) fn print(found: &RunResult, json: bool) -> Exit {
    if json {
        say_json(found);
        return Exit::of(found.state);
    }
    match (&found.result, &found.error, found.state) {
        (Some(result), ..) => say_json(result),
        (_, Some(error), _) => complain(&Inert::lines(&explain(error))),
        (.., RunState::Started) => say_line(&format!("{} has not ended yet", found.run)),
        (.., state) => say_line(&format!("{} is {state}", found.run)),
    }
    Exit::of(found.state)
}

fn explain(error: &RunError) -> String {
    let mut lines = Vec::new();
    if !error.node.is_empty() {
        lines.push(format!("node {} failed", one_line(&error.node)));
    }
    lines.extend(error.message.lines().map(one_line));
    lines.extend(error.diagnostics.iter().map(diagnostic));
    lines.extend(error.attempts.iter().flat_map(attempt));
    lines.into_iter().map(|line| line + "\n").collect()
}

/// Without the text that it is about: that is the server's.
fn diagnostic(found: &DiagnosticView) -> String {
    let DiagnosticView { code, severity, file, line, column, message, .. } = found;
    one_line(&format!("{file}:{line}:{column}: {severity}[{code}]: {message}"))
}

/// What went wrong in an attempt: a line of ours, then what strangers say, set in, so that it cannot pass for one.
pub(crate) fn attempt(error: &AttemptError) -> Vec<String> {
    let AttemptError { attempt, worker, kind, message, stack } = error;
    let by = if worker.is_empty() { String::new() } else { format!(" on {worker}") };
    let mut message = message.lines();
    let first = message.next().unwrap_or_default();
    let head = one_line(&format!("attempt {attempt}{by}: {kind}: {first}"));
    let further = message.chain(stack.lines()).map(|line| format!("    {}", line.trim()));
    [head].into_iter().chain(further).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(error: &str) -> String {
        explain(&serde_json::from_str(error).unwrap())
    }

    #[test]
    fn an_error_is_explained_by_what_it_has() {
        let attempt = r#"{"attempt":1,"worker":"w","kind":"thrown","message":"no","stack":"at F"}"#;
        let found = r#"{"code":"W0101","severity":"error","file":"workflow.xml","line":1,"column":2,"endLine":1,
            "endColumn":3,"message":"what?","help":null}"#;
        for (error, expected) in [
            (
                format!(r#"{{"node":"v/p","attempts":[{attempt}]}}"#),
                "node v/p failed\nattempt 1 on w: thrown: no\n    at F\n",
            ),
            (r#"{"node":"","attempts":[],"message":"one\ntwo"}"#.into(), "one\ntwo\n"),
            (
                format!(r#"{{"node":"","attempts":[],"message":"refused","diagnostics":[{found}]}}"#),
                "refused\nworkflow.xml:1:2: error[W0101]: what?\n",
            ),
        ] {
            assert_eq!(told(&error), expected, "{error}");
        }
    }
}
