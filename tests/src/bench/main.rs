//! The benchmarks that need a whole system: `cargo xtask bench NAME` builds and calls this. Prints rows for people and
//! writes them as JSON; never judges them.

mod bare;
mod claims;
mod duty;
mod first_light;
mod gpu;
mod queue;
mod report;
mod volunteer;
mod workflow;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use report::Report;

#[derive(Debug, Parser)]
struct Options {
    /// Which figures: `first-light`, `workflow`, `queue`, `volunteer`.
    name: String,
    /// The release binary of the server.
    #[arg(long, default_value = "target/release/weevil")]
    server_bin: PathBuf,
    /// Where the JSON goes.
    #[arg(long)]
    json: Option<PathBuf>,
    #[arg(long, default_value = "unknown machine")]
    machine: String,
    #[arg(long, default_value = "none")]
    commit: String,
    #[arg(long, default_value = "unknown date")]
    date: String,
}

/// Does one thing for another process of this program, which reads what it prints.
fn alone(what: fn()) -> ExitCode {
    what();
    ExitCode::SUCCESS
}

fn main() -> ExitCode {
    let options = Options::parse();
    let rows = match options.name.as_str() {
        "first-light" => first_light::run(&options.server_bin),
        "workflow" => workflow::run(&options.server_bin),
        "queue" => queue::run(&options.server_bin),
        "volunteer" => volunteer::run(&options.server_bin),
        workflow::PLAN_ONCE => return alone(workflow::plan_once),
        workflow::BARE_ONCE => return alone(workflow::bare_once),
        workflow::SCHEDULE_ONCE => return alone(workflow::schedule_once),
        other => {
            eprintln!("there is no bench `{other}`; known: first-light, workflow, queue, volunteer");
            return ExitCode::from(2);
        }
    };
    let report = Report { machine: options.machine, commit: options.commit, date: options.date, rows };
    print!("{report}");
    if let Some(file) = options.json {
        let json = serde_json::to_string_pretty(&report).unwrap_or_default();
        if let Err(error) = std::fs::write(&file, json + "\n") {
            eprintln!("cannot write {}: {error}", file.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
