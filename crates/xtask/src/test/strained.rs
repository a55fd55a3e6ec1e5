//! The suite as its own load: eight tests at a time, and a disk that is never quiet. What fails here holds on an idle
//! machine only. Never repeats a test until it passes.

use std::fs;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use super::burden::Burden;
use super::changed;
use super::command::{CURE, Options, build_all, worker_in_browser};
use super::slowest::Slowest;
use super::stage::Stages;
use crate::failure::Done;
use crate::setup::{self, TestTools};
use crate::{paths, sh};

/// Tests at a time, whatever the machine has.
const THREADS: &str = "--test-threads=8";
/// Times are told by the runner of tests alone, and only to who asks so: nothing is built otherwise for it.
const TIMED: [&str; 2] = ["-Zunstable-options", "--report-time"];
const RUNNER: &str = "target.'cfg(all())'.runner=['env','RUSTC_BOOTSTRAP=1']";
/// How often CI runs what has changed.
const ROUNDS_IN_CI: u32 = 3;
/// After this long no further round begins in CI.
const BUDGET: Duration = Duration::from_mins(3);

/// The command `test --strained`.
pub(super) fn run(rounds: u32, options: &Options) -> Done<ExitCode> {
    let tools = setup::for_tests()?;
    let mut stages = Stages::default();
    build_all(&mut stages, &tools);
    let mut slowest = Slowest::default();
    for _ in 0..rounds {
        round(&mut stages, &mut slowest, &options.only)?;
        if options.only.is_empty() {
            browser(&mut stages, &tools)?;
        }
    }
    println!("\n{}", slowest.table());
    Ok(stages.conclude())
}

/// What differs from the main branch in the end-to-end tests, three times where that is not long.
pub(crate) fn changes(stages: &mut Stages) {
    let names = match changed::tests() {
        Ok(names) if names.is_empty() => {
            return sh::say("strained: no end-to-end test differs from the main branch");
        }
        Ok(names) => names,
        Err(why) => {
            return sh::say(format!("strained: there is nothing to compare with ({why}): none is run"));
        }
    };
    let (began, mut slowest) = (Instant::now(), Slowest::default());
    for number in 0..ROUNDS_IN_CI {
        if began.elapsed() > BUDGET {
            sh::say(format!("strained: {number} of {ROUNDS_IN_CI} rounds have taken {:?}", began.elapsed()));
            break;
        }
        if let Err(failure) = round(stages, &mut slowest, &names) {
            stages.step("strained", || Err(failure));
            break;
        }
    }
    println!("\n{}", slowest.table());
}

/// The same packages as in the calm stage, or cargo would build their dependencies with other features.
fn cargo_test() -> Command {
    let mut command = sh::cargo();
    command.args(["--config", RUNNER, "test", "--workspace", "--tests"]);
    command
}

/// The Rust tests with these names in theirs; all of them where there are none.
fn round(stages: &mut Stages, slowest: &mut Slowest, names: &[String]) -> Done {
    let burden = Burden::start()?;
    stages.tests("rust strained", |each| {
        let mut command = cargo_test();
        command.args(["--no-fail-fast", "--", THREADS, "--show-output"]).args(TIMED).args(names);
        sh::tee(command.env("WEEVIL_BIN", paths::weevil("debug")), CURE, |line| {
            slowest.read(line);
            each(line);
        })
    });
    drop(burden);
    tell_load();
    Ok(())
}

fn browser(stages: &mut Stages, tools: &TestTools) -> Done {
    let _burden = Burden::start()?;
    stages.tests("browser strained", |each| sh::tee(&mut worker_in_browser(tools), CURE, each));
    tell_load();
    Ok(())
}

fn tell_load() {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: Vec<_> = load.split(' ').take(3).collect();
    sh::say(format!("load over 1, 5 and 15 minutes: {}", load.join(" ")));
}
