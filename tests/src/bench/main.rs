//! The benchmarks that need a whole system: `cargo xtask bench NAME` builds and calls this. Prints rows for people and
//! writes them as JSON; never judges them.

mod bare;
mod chosen;
mod claims;
mod duty;
mod first_light;
mod gpu;
mod hostile;
mod pairs;
mod queue;
mod report;
mod volunteer;
mod workflow;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use chosen::Chosen;
use report::{Bench, Report};

#[derive(Debug, Parser)]
struct Options {
    /// Which figures: `first-light`, `workflow`, `queue`, `volunteer`, `hostile`.
    name: String,
    /// What a process of this program is told that does one thing for another one.
    #[arg(hide = true)]
    words: Vec<String>,
    /// Another release binary of the server: both are measured in turns, five pairs of each figure.
    #[arg(long)]
    baseline: Option<PathBuf>,
    /// Only rows whose names have this in them; may come again.
    #[arg(long = "row")]
    rows: Vec<String>,
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

/// What one process of this program does for another one, which reads what it prints.
fn alone(options: &Options) -> bool {
    match options.name.as_str() {
        workflow::PLAN_ONCE => workflow::plan_once(),
        workflow::BARE_ONCE => workflow::bare_once(),
        workflow::SCHEDULE_ONCE => workflow::schedule_once(),
        hostile::ONCE => hostile::once(&options.words),
        _ => return false,
    }
    true
}

/// Name, what it measures, and how many pairs it takes beside a baseline.
const BENCHES: [(&str, Bench, usize); 5] = [
    ("first-light", first_light::run, 5),
    ("workflow", workflow::run, 5),
    ("queue", queue::run, 5),
    ("volunteer", volunteer::run, 5),
    // Its rows are ratios of the same half hour.
    ("hostile", hostile::run, 1),
];

fn main() -> ExitCode {
    let options = Options::parse();
    if alone(&options) {
        return ExitCode::SUCCESS;
    }
    let Some((_, bench, pairs)) = BENCHES.iter().find(|(name, ..)| *name == options.name) else {
        let known: Vec<_> = BENCHES.iter().map(|(name, ..)| *name).collect();
        eprintln!("there is no bench `{}`; known: {}", options.name, known.join(", "));
        return ExitCode::from(2);
    };
    Chosen { rows: options.rows.clone(), paired: options.baseline.is_some() }.set();
    let rows = match &options.baseline {
        Some(old) => pairs::compare(*bench, &options.server_bin, old, *pairs),
        None => bench(&options.server_bin),
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
