//! The benchmarks that need a whole system: `cargo xtask bench NAME` builds and calls this. Prints rows for people and
//! writes them as JSON; never judges them.

mod api;
mod bare;
mod bulk;
mod claims;
mod compare;
mod console;
mod duty;
mod figure;
mod first_light;
mod floor;
mod gate;
mod gpu;
mod hostile;
mod hot_path;
mod judged;
mod line;
mod measure;
mod migrations;
mod notary;
mod over_tls;
mod queue;
mod referee;
mod refuted;
mod renewals;
mod report;
mod residents;
mod restart;
mod retrace;
mod rows;
mod sign_in;
mod sizes;
mod somebody;
mod strangers;
mod subject;
mod tail;
mod trust;
mod volunteer;
mod workflow;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;

use compare::{Compared, Sides, compare};
use measure::Measure;
use report::{Report, Row};
use rows::{BENCHES, Wanted};
use subject::Subject;

#[derive(Debug, Parser)]
struct Options {
    /// Which figures: `first-light`, `workflow`, `queue`, `volunteer`, `hostile`, `access`, `api`, `trust`, `console`.
    name: String,
    /// What a process of this program is told that does one thing for another one.
    #[arg(hide = true)]
    words: Vec<String>,
    /// Only rows whose names have one of these parts in them.
    #[arg(long, value_delimiter = ',')]
    rows: Vec<String>,
    /// The release binary of the server.
    #[arg(long, default_value = "target/release/weevil")]
    server_bin: PathBuf,
    /// Another release binary of the server: both are measured in turns.
    #[arg(long)]
    baseline: Option<PathBuf>,
    /// The bench program of the baseline, for rows that run in a process of their own.
    #[arg(long, requires = "baseline")]
    baseline_program: Option<PathBuf>,
    /// What the report calls the baseline.
    #[arg(long, default_value = "the baseline")]
    baseline_commit: String,
    /// How often both are measured, after one round that is thrown away.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Where the JSON goes.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Where the picture of the gang's cells goes, an SVG.
    #[arg(long)]
    figure: Option<PathBuf>,
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

fn main() -> ExitCode {
    let options = Options::parse();
    if alone(&options) {
        return ExitCode::SUCCESS;
    }
    let Some((_, measures)) = BENCHES.iter().find(|(name, _)| *name == options.name) else {
        let known: Vec<_> = BENCHES.iter().map(|(name, _)| *name).collect();
        eprintln!("there is no bench `{}`; known: {}", options.name, known.join(", "));
        return ExitCode::from(2);
    };
    let wanted = Wanted(options.rows.clone());
    match report(options, &measures(&wanted), &wanted) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Measures, prints, and writes the files at the very end.
fn report(options: Options, measures: &[Measure], wanted: &Wanted) -> Result<(), String> {
    let program = std::env::current_exe().map_err(|error| format!("this program has no path: {error}"))?;
    let new = Subject::that_listens(options.server_bin, Some(program))?;
    let named = options.baseline.is_some().then_some(options.baseline_commit);
    let Compared { rows, not_comparable } = match options.baseline {
        Some(server) => {
            let old = Subject::that_listens(server, options.baseline_program)?;
            let rounds = usize::try_from(options.rounds).unwrap_or(usize::MAX);
            compare(measures, wanted, &Sides { old, new }, rounds)
        }
        None => Compared { rows: plain(measures, wanted, &new), not_comparable: Vec::new() },
    };
    let Options { machine, commit, date, .. } = options;
    let report = Report { machine, commit, baseline: named, date, rows, not_comparable };
    print!("{report}");
    if let Some(file) = options.json {
        let json = serde_json::to_string_pretty(&report).unwrap_or_default();
        write(&file, &(json + "\n"))?;
    }
    let Some(file) = options.figure else { return Ok(()) };
    let drawn = figure::draw(&report.rows);
    write(
        &file,
        &drawn.ok_or("there is nothing to draw: no cell of a gang was measured (`trust --rows gang`)")?,
    )
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    std::fs::write(file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

/// The wanted rows of one build.
fn plain(measures: &[Measure], wanted: &Wanted, subject: &Subject) -> Vec<Row> {
    let taken = |measure: &&Measure| measure.kinds.iter().any(|kind| wanted.has(kind));
    let rows = measures.iter().filter(taken).flat_map(|measure| {
        let figures = measure.take(subject, measure.figures).unwrap_or_default();
        let rows = measure
            .kinds
            .iter()
            .zip(figures)
            .filter(|(kind, figures)| wanted.has(kind) && !figures.is_empty());
        rows.map(|(kind, figures)| Row::new(kind, &figures)).collect::<Vec<_>>()
    });
    rows.collect()
}
