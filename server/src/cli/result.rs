//! `weevil result`, and how any command prints what a run came to.

use clap::Args;
use serde::Serialize;
use weevil_model::{RunId, RunState};
use weevil_protocol::api::{RunError, RunResult};

use super::Outcome;
use super::ask::Server;

#[derive(Debug, Args)]
pub(super) struct Show {
    /// Id of the run.
    run: RunId,
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    server: String,
    /// Print one JSON object with `run`, `state` and, once there is one, `result`.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) fn execute(self) -> Outcome {
        match Server::new(&self.server).get(&format!("/api/v1/runs/{}/result", self.run)) {
            Ok(found) => print(&found, self.json),
            Err(why) => Outcome::CouldNot(why),
        }
    }
}

/// Prints one line for tools.
pub(super) fn print_json(answer: &impl Serialize) {
    println!("{}", serde_json::to_string(answer).unwrap_or_default());
}

/// Prints a result for people, or for tools.
pub(super) fn print(found: &RunResult, json: bool) -> Outcome {
    if json {
        print_json(found);
        return Outcome::of(found.state);
    }
    match (&found.result, &found.error, found.state) {
        (Some(result), ..) => println!("{result}"),
        (_, Some(error), _) => eprintln!("{}", explain(error)),
        (.., RunState::Started) => println!("{} has not ended yet", found.run),
        (.., state) => println!("{} is {state}", found.run),
    }
    Outcome::of(found.state)
}

fn explain(error: &RunError) -> String {
    let mut lines = vec![format!("node {} failed", error.node)];
    for attempt in &error.attempts {
        let by = if attempt.worker.is_empty() { String::new() } else { format!(" on {}", attempt.worker) };
        lines.push(format!("attempt {}{by}: {}: {}", attempt.attempt, attempt.kind, attempt.message));
        lines.extend(attempt.stack.lines().map(|line| format!("    {}", line.trim())));
    }
    lines.join("\n")
}
