//! The command line of `cargo xtask`: names the commands and hands each to its module.
//! It never does a command's work itself, and no part of the product depends on it.

mod apt;
mod baseline;
mod bench;
mod bindgen;
mod browser;
mod build;
mod ci;
mod codegen;
mod demo;
mod docs;
mod examples;
mod failure;
mod job_names;
mod limits;
mod npm;
mod paths;
mod pictures;
mod setup;
mod sh;
mod test;
mod tidy;
mod tools;
mod unpacked;
mod wasm;
mod wasm_toolchain;
mod web;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::failure::Done;

/// The project's own commands. Start with `cargo xtask demo` or `cargo xtask test`.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show the whole path: server, two browser volunteers and pi, with figures at the end
    Demo(demo::Options),
    /// Run every test there is: Rust, WebAssembly in a browser, web units, end to end
    Test(test::Options),
    /// Install what is missing on this machine, saying what and why
    Setup,
    /// Build everything: worker, web pages and the server that carries them
    Build(build::Options),
    /// Build the volunteer's coordinator to WebAssembly, into web/src/wasm
    Wasm(wasm::Options),
    /// Build the worker and the web pages, into web/dist
    Web,
    /// Make the documentation of docs/ as the server serves it, into target/docs
    Docs,
    /// Take the pictures of README.md from a real run, into docs/pictures
    Pictures,
    /// Build the WebAssembly modules of the examples, each beside its workflow
    Examples,
    /// Write the TypeScript types of the wire, or prove that they are up to date
    Codegen(codegen::Options),
    /// Prove the borders between the crates and the habits of every file
    Tidy,
    /// Do what CI does: format, clippy (native and wasm), tidy, type check, every test
    Ci,
    /// Write to FILE and flush without end: what strained tests are strained by
    #[command(name = test::WRITE_WITHOUT_END, hide = true)]
    Burden { file: std::path::PathBuf },
    /// Measure NAME and print its figures, for instance `first-light`
    Bench(bench::Options),
}

fn main() -> ExitCode {
    match dispatch(Cli::parse().command) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("\nxtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(command: Command) -> Done<ExitCode> {
    match command {
        Command::Demo(options) => return demo::run(&options),
        Command::Test(options) => return test::run(&options),
        Command::Burden { file } => test::write_without_end(&file)?,
        Command::Ci => return ci::run(),
        Command::Setup => setup::everything()?,
        Command::Build(options) => build::run(options)?,
        Command::Wasm(options) => wasm::run(options)?,
        Command::Web => web::run()?,
        Command::Docs => docs::run()?,
        Command::Pictures => pictures::run()?,
        Command::Examples => examples::run()?,
        Command::Codegen(options) => codegen::run(options)?,
        Command::Tidy => tidy::run()?,
        Command::Bench(options) => bench::run(&options)?,
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_explains_itself_in_one_line() {
        for command in Cli::command().get_subcommands() {
            let about = command.get_about().unwrap().to_string();
            assert!(!about.is_empty() && !about.contains('\n'), "{}", command.get_name());
        }
    }
}
