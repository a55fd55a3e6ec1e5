//! The stages of a check: their outcome, their time, the table and the closing line.
//! It never knows what a stage does.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use super::counts::Counts;
use crate::failure::Done;
use crate::sh;

/// All stages so far, in order.
#[derive(Debug, Default)]
pub(crate) struct Stages(Vec<Stage>);

#[derive(Debug)]
struct Stage {
    name: &'static str,
    counts: Counts,
    /// Why the stage is not well, where its counts alone do not say so.
    failure: Option<String>,
    time: Duration,
}

impl Stages {
    /// A stage that either works or fails, without tests in it.
    pub(crate) fn step(&mut self, name: &'static str, step: impl FnOnce() -> Done) {
        sh::say(name);
        let began = Instant::now();
        let failure = step().err().map(|failure| failure.to_string());
        self.push(Stage { name, counts: Counts::default(), failure, time: began.elapsed() });
    }

    /// A stage that hands each line of a test runner's output to its argument.
    pub(crate) fn tests(&mut self, name: &'static str, runner: impl FnOnce(&mut dyn FnMut(&str)) -> Done) {
        sh::say(name);
        let began = Instant::now();
        let mut counts = Counts::default();
        let outcome = runner(&mut |line| counts.read(line));
        let failure = outcome.err().map(|failure| failure.to_string()).or_else(|| doubt(counts));
        self.push(Stage { name, counts, failure, time: began.elapsed() });
    }

    /// Prints the table and the closing line; the exit code says whether all is well.
    pub(crate) fn conclude(&self) -> ExitCode {
        println!("\n{}", self.table());
        println!("{} passed, {} failed", self.passed(), self.failed());
        if self.failed() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    fn push(&mut self, stage: Stage) {
        if let Some(failure) = &stage.failure {
            sh::say(format!("{}: {failure}", stage.name));
        }
        self.0.push(stage);
    }

    fn passed(&self) -> u64 {
        self.0.iter().map(|stage| stage.counts.passed).sum()
    }

    fn failed(&self) -> u64 {
        self.0.iter().map(Stage::failed).sum()
    }

    fn table(&self) -> String {
        let mut table =
            format!("{:<20}{:>8}{:>8}{:>8}{:>9}\n", "stage", "passed", "failed", "skipped", "seconds");
        for stage in &self.0 {
            let Counts { passed, skipped, .. } = stage.counts;
            let verdict = if stage.failed() == 0 { "ok" } else { "FAILED" };
            let seconds = stage.time.as_secs_f64();
            // Writing to a String cannot fail.
            let _ = writeln!(
                table,
                "{:<20}{passed:>8}{:>8}{skipped:>8}{seconds:>9.1}  {verdict}",
                stage.name,
                stage.failed()
            );
        }
        table
    }
}

impl Stage {
    /// Failed tests; a stage that failed without one counts as one.
    fn failed(&self) -> u64 {
        self.counts.failed.max(u64::from(self.failure.is_some()))
    }
}

/// A runner that ended well can still have hidden something.
fn doubt(counts: Counts) -> Option<String> {
    match counts {
        Counts { passed: 0, failed: 0, .. } => Some("no test was run".to_owned()),
        Counts { skipped: 1.., .. } => Some(format!("{} tests were skipped", counts.skipped)),
        Counts { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Failure;

    fn stages(runner: impl FnOnce(&mut dyn FnMut(&str)) -> Done) -> Stages {
        let mut stages = Stages::default();
        stages.tests("some", runner);
        stages
    }

    #[test]
    fn counts_what_passed_and_failed() {
        let stages = stages(|each| {
            each("test result: ok. 5 passed; 0 failed; 0 ignored");
            Ok(())
        });
        assert_eq!((stages.passed(), stages.failed()), (5, 0));
        assert!(stages.table().contains("ok"));
    }

    #[test]
    fn nothing_run_something_skipped_and_a_bad_end_are_failures() {
        let nothing = stages(|_| Ok(()));
        let skipped = stages(|each| {
            each("test result: ok. 5 passed; 0 failed; 1 ignored");
            Ok(())
        });
        let crashed = stages(|each| {
            each("test result: ok. 5 passed; 0 failed; 0 ignored");
            Err(Failure::new("signal 9", "none"))
        });
        assert_eq!([nothing, skipped, crashed].map(|stages| stages.failed()), [1, 1, 1]);
    }

    #[test]
    fn a_failed_test_is_counted_once() {
        let stages = stages(|each| {
            each("test result: FAILED. 5 passed; 2 failed; 0 ignored");
            Err(Failure::new("exit status: 101", "none"))
        });
        assert_eq!(stages.failed(), 2);
    }
}
