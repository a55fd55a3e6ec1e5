//! The command line of `weevil`: what each command takes, and the one match from its end to an exit code.

mod ask;
mod cancel;
mod check;
mod check_kernel;
mod config_file;
mod db;
mod files;
mod form;
mod inert;
mod jobs;
mod pause;
mod report;
mod result;
mod run;
mod serve;
mod settings;
mod snippet;
mod submit;
mod upload;
mod workflows;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use weevil_model::RunState;

use inert::{Inert, complain};

/// Volunteer computing in which any browser is a worker.
#[derive(Debug, Parser)]
#[command(name = "weevil", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve volunteers, researchers and the console.
    Serve(serve::Serve),
    /// Upload a workflow and run it: exit 0 finished, 1 failed, 2 could not ask.
    Run(run::Run),
    /// Find the mistakes of a workflow: exit 0 none or warnings only, 1 errors, 2 could not read.
    Check(check::Check),
    /// Check one kernel, on stdin, within bounds.
    #[command(hide = true)]
    CheckKernel(check_kernel::CheckKernel),
    /// Read a run's state and result.
    Result(result::Show),
    /// Put a stand-alone job into a queue: exit 0 kept or finished, 1 failed, 2 could not ask.
    Submit(submit::Submit),
    /// List the jobs of a run or of a queue.
    Jobs(jobs::Jobs),
    /// Tell what became of a job, attempt by attempt.
    Explain(jobs::Explain),
    /// Hand nothing out any more, of one run or at all; what runs goes on.
    Pause(pause::Pause),
    /// Go on with a run, or with the queue.
    Resume(pause::Pause),
    /// End a run or a stand-alone job: exit 0 when it is cancelled or had ended before, 2 could not ask.
    Cancel(cancel::Cancel),
    /// Check a workflow and keep it, without running it.
    Upload(upload::Upload),
    /// Take care of the database.
    Db(db::Db),
    /// List the stored workflows.
    Workflows(workflows::Workflows),
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Outcome {
    Done,
    /// The run was asked for and did not finish.
    RunFailed,
    /// The workflow cannot run, or has what was denied.
    ProblemsFound,
    /// Nothing could be asked, read or served.
    CouldNot(String),
}

impl Outcome {
    const fn of(state: RunState) -> Self {
        match state {
            RunState::Started | RunState::Finished => Self::Done,
            RunState::Failed | RunState::Cancelled => Self::RunFailed,
        }
    }
}

/// Runs the command that the arguments name.
pub fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        // Its settings have more sources than these arguments, which are the last ones of the command line.
        Command::Serve(_) => serve::Serve::execute(&std::env::args_os().skip(2).collect::<Vec<_>>()),
        Command::Db(command) => command.execute(),
        Command::Run(command) => command.execute(),
        Command::Check(command) => command.execute(),
        Command::CheckKernel(command) => command.execute(),
        Command::Result(command) => command.execute(),
        Command::Jobs(command) => command.execute(),
        Command::Explain(command) => command.execute(),
        Command::Submit(command) => command.execute(),
        Command::Pause(command) => command.execute("pause"),
        Command::Resume(command) => command.execute("resume"),
        Command::Cancel(command) => command.execute(),
        Command::Upload(command) => command.execute(),
        Command::Workflows(command) => command.execute(),
    };
    match outcome {
        Outcome::Done => ExitCode::SUCCESS,
        Outcome::RunFailed | Outcome::ProblemsFound => ExitCode::from(1),
        Outcome::CouldNot(why) => {
            // What it quotes begins no line of its own.
            complain(&Inert::fill("weevil: {}\n", &[&Inert::lines(&why.replace('\n', "\n  "))]));
            ExitCode::from(2)
        }
    }
}
