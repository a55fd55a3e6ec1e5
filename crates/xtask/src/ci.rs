//! What CI does: every check and every test, each run even where another failed; and what has changed of the end-to-end
//! tests again, under load.
//! It never changes a file of the repository.

use std::process::{Command, ExitCode};

use crate::apt::{self, Want};
use crate::failure::{Done, Failure};
use crate::setup::{self, TestTools};
use crate::test::{self, Stages};
use crate::{npm, sh, tidy, tools, wasm};

const GIT: Want = Want { any_of: &["git"], packages: &["git"], why: "lists the files that tidy looks at" };
const DENY_WARNINGS: [&str; 3] = ["--", "-D", "warnings"];

/// The command `ci`.
pub(crate) fn run() -> Done<ExitCode> {
    apt::ensure(&[GIT])?;
    has_component("fmt", "rustfmt")?;
    has_component("clippy", "clippy")?;
    let tools = setup::for_tests()?;
    tools::ensure(&[tools::typos(), tools::cargo_deny()])?;
    let mut stages = Stages::default();
    stages.step("format", || sh::run(sh::cargo().args(["fmt", "--all", "--check"]), "cargo fmt --all"));
    stages.step("tidy", tidy::run);
    stages.step("typos", || sh::run(&mut tools::command("typos"), "mend the word, or name it in typos.toml"));
    stages
        .step("deny", || sh::run(&mut deny(), "take another crate, or name it in deny.toml with the reason"));
    // Before clippy: the server takes the built pages in when it is compiled.
    test::build_all(&mut stages, &tools);
    stages.step("clippy", || lint(&mut native_clippy()));
    stages.step("clippy wasm", || wasm_clippy(&tools));
    stages.step("docs of the code", || sh::run(&mut rustdoc(), "mend what rustdoc names above"));
    stages.step("web types", || sh::run(&mut npm::script("check"), "mend the error above"));
    stages.step("web format", || sh::run(&mut npm::script("format"), "cd web && npx prettier --write ."));
    stages.step("web lint", || sh::run(&mut npm::script("lint"), "mend what oxlint names above"));
    test::test_all(&mut stages, &tools);
    test::strained_changes(&mut stages);
    Ok(stages.conclude())
}

fn native_clippy() -> Command {
    let mut clippy = sh::cargo();
    clippy.args(["clippy", "--workspace", "--all-targets"]);
    clippy
}

/// Advisories need the network and change by the day: `cargo deny check advisories` is for people.
fn deny() -> Command {
    let mut deny = tools::command("cargo-deny");
    deny.args(["--log-level", "error", "check", "bans", "licenses", "sources"]);
    deny
}

/// Documents private items too: a link that leads nowhere is an error.
fn rustdoc() -> Command {
    let mut rustdoc = sh::cargo();
    rustdoc.args(["doc", "--workspace", "--no-deps", "--document-private-items"]);
    rustdoc.env("RUSTDOCFLAGS", "--deny warnings");
    rustdoc
}

fn wasm_clippy(tools: &TestTools) -> Done {
    lint(tools.toolchain.clippy()?.args(["--package", wasm::PACKAGE, "--all-targets"]))?;
    lint(tools.toolchain.clippy()?.args([
        "--package",
        wasm::GPU_PACKAGE,
        "--package",
        wasm::CHECK_PACKAGE,
        "--lib",
    ]))
}

fn lint(clippy: &mut Command) -> Done {
    sh::run(clippy.args(DENY_WARNINGS), "mend what clippy names above")
}

fn has_component(subcommand: &str, component: &str) -> Done {
    if sh::ask(sh::cargo().args([subcommand, "--version"])).is_some() {
        return Ok(());
    }
    Err(Failure::new(format!("`cargo {subcommand}` is missing"), format!("rustup component add {component}")))
}
