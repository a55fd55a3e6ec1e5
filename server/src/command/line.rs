//! What each command takes, and the one match from its end to an exit code.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use weevil_cli::Exit;
use weevil_cli::inert::{Inert, complain};

use super::{audit, check_kernel, completions, db, reference, serve, settings, user};

/// Volunteer computing in which any browser is a worker.
#[derive(Debug, Parser)]
#[command(name = "weevil", version)]
pub(super) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve volunteers, researchers and the console.
    Serve(Box<serve::Serve>),
    #[command(flatten)]
    Asking(weevil_cli::Command),
    /// Check one kernel, on stdin, within bounds.
    #[command(hide = true)]
    CheckKernel(check_kernel::CheckKernel),
    /// Take care of the database.
    // Beside `upload` in the list, where it has always been.
    #[command(display_order = 17)]
    Db(db::Db),
    /// Look after the audit.
    #[command(display_order = 18)]
    Audit(audit::Audit),
    /// Look after accounts.
    #[command(display_order = 19)]
    User(user::User),
    /// Print what lets a shell complete commands.
    #[command(display_order = 90)]
    Completions(completions::Completions),
    /// Write the pages of the manual.
    #[command(display_order = 91)]
    Man(completions::Man),
    /// Print docs/commands.md.
    #[command(hide = true)]
    CommandsPage(reference::CommandsPage),
}

/// Runs the command that the arguments name.
pub fn main() -> ExitCode {
    let exit = match Cli::try_parse() {
        Ok(cli) => execute(cli.command),
        Err(error) => refuse(&error),
    };
    if let Exit::CouldNot(why) = &exit {
        // What it quotes begins no line of its own.
        complain(&Inert::fill("weevil: {}\n", &[&Inert::lines(&why.replace('\n', "\n  "))]));
    }
    ExitCode::from(exit.code())
}

fn execute(command: Command) -> Exit {
    match command {
        Command::Serve(_) => serve::Serve::execute(&of_serve()),
        Command::Asking(command) => command.execute(),
        Command::CheckKernel(command) => command.execute(),
        Command::Db(command) => command.execute(),
        Command::Audit(command) => command.execute(),
        Command::User(command) => command.execute(),
        Command::Completions(command) => command.execute(Cli::command()),
        Command::Man(command) => command.execute(Cli::command()),
        Command::CommandsPage(command) => command.execute(Cli::command()),
    }
}

/// What clap says, and ends the process; where `serve` is given several wrong values, all of them.
fn refuse(error: &clap::Error) -> Exit {
    let is_serve = std::env::args_os().nth(1).is_some_and(|word| word == "serve");
    let mistakes = if is_serve { settings::mistakes(&of_serve()) } else { Vec::new() };
    if mistakes.len() < 2 {
        error.exit();
    }
    Exit::CouldNot(mistakes.join("\n"))
}

/// The settings of `serve` have more sources than these arguments, which are the last ones of the command line.
fn of_serve() -> Vec<OsString> {
    std::env::args_os().skip(2).collect()
}
