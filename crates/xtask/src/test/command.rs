//! The command `test`: what is built, and which runner runs what.

use std::num::NonZero;
use std::process::{Command, ExitCode};
use std::thread;

use clap::Args;

use super::scratch::Scratch;
use super::stage::Stages;
use super::strained;
use crate::failure::Done;
use crate::setup::{self, TestTools};
use crate::{examples, npm, paths, sh, tools, wasm, web};

pub(super) const CURE: &str = "the failures are named above";
const RUNNER: &str = "wasm-bindgen-test-runner";
const DEPTH_TEST: &str = "javascript::tests::no_shape_runs_off_the_stack";

/// Options of `test`.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Run the Rust and browser tests N times under load: eight tests at a time, and two writers that flush without end
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1")]
    strained: Option<u32>,
    /// Only Rust tests whose names hold one of these
    #[arg(long, value_name = "NAME", requires = "strained")]
    pub(super) only: Vec<String>,
}

/// The command `test`.
pub(crate) fn run(options: &Options) -> Done<ExitCode> {
    if let Some(rounds) = options.strained {
        return strained::run(rounds, options);
    }
    let tools = setup::for_tests()?;
    let mut stages = Stages::default();
    build_all(&mut stages, &tools);
    test_all(&mut stages, &tools);
    Ok(stages.conclude())
}

/// What the tests run against, and the tests: the worker, the pages, the examples, the server's binary.
pub(crate) fn build_all(stages: &mut Stages, tools: &TestTools) {
    stages.step("build worker", || wasm::build(tools.toolchain, false));
    stages.step("build web", web::pages);
    stages.step("build examples", || examples::build(tools.toolchain));
    stages.step("build server, tests", || sh::run(&mut server_and_tests(), "mend the error above"));
}

/// All tests, one stage for each runner.
pub(crate) fn test_all(stages: &mut Stages, tools: &TestTools) {
    let scratch = Scratch::new();
    stages.tests("rust", |each| sh::tee(&mut rust(&scratch), CURE, each));
    stages.tests("depth under demo", |each| sh::tee(&mut depth_under_demo(), CURE, each));
    stages.tests("worker in browser", |each| sh::tee(&mut worker_in_browser(tools), CURE, each));
    stages.tests("web units", |each| sh::tee(npm::npm().arg("test"), CURE, each));
}

/// In one, with the features that tests ask for of what they depend on: a server that is built alone has others, and would
/// be compiled again with all below it.
fn server_and_tests() -> Command {
    let mut command = sh::cargo();
    command.args(["build", "--workspace", "--bins", "--tests"]);
    command
}

/// Two tests for each core: much of a test is waiting, for a browser or a moment, or for a disk where memory is short.
fn rust(scratch: &Scratch) -> Command {
    let threads = 2 * thread::available_parallelism().map_or(1, NonZero::get);
    let mut command = sh::cargo();
    command.args(["test", "--workspace", "--no-fail-fast"]).env("WEEVIL_BIN", paths::weevil("debug"));
    command.env("RUST_TEST_THREADS", threads.to_string());
    scratch.lend(&mut command);
    command
}

/// How deep the JavaScript parser goes depends on the size of its frames, hence on the profile of the server.
fn depth_under_demo() -> Command {
    let mut command = sh::cargo();
    command.args(["test", "--profile", "demo", "--package", "weevil-workflow", "--lib", DEPTH_TEST]);
    command
}

pub(super) fn worker_in_browser(setup: &TestTools) -> Command {
    let mut command = setup.toolchain.cargo("test");
    command.args(["--package", wasm::PACKAGE]);
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", tools::find(RUNNER));
    command.env("CHROMEDRIVER", &setup.chromedriver).env("WASM_BINDGEN_TEST_ONLY_WEB", "1");
    command
}
