//! A bar on stderr for what takes a while: how much is done, how fast, and how long the rest takes.
//!
//! Only where a terminal shows it; elsewhere each call does nothing.

use std::fmt::Write;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use weevil_api::{JobHistory, Progress};
use weevil_client::Form;
use weevil_model::NodeState;

use crate::terminal::bars;

/// Fits into 80 columns with the largest numbers.
const JOBS: &str = "[{bar:16.cyan/dim}] {msg}, {rate}, {eta} left";
const ONE: &str = "[{bar:16.cyan/dim}] {msg}, {elapsed}";
const BYTES: &str = "[{bar:16.cyan/dim}] {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
/// An upload below this is over before somebody has read a bar.
const SHOWN_BYTES: u64 = 1024 * 1024;

/// Steps that the bar of one job has.
const PARTS: u64 = 1000;

#[derive(Debug, Clone, Default)]
pub(crate) struct Bar(Option<ProgressBar>);

impl Bar {
    /// For the jobs of a run.
    pub(crate) fn of_jobs(json: bool) -> Self {
        Self::begin(bars(json), JOBS, 0)
    }

    /// For one job, by what it has told.
    pub(crate) fn of_one(json: bool) -> Self {
        Self::begin(bars(json), ONE, PARTS)
    }

    /// For an upload, which moves it.
    pub(crate) fn of_upload(json: bool, form: &mut Form) -> Self {
        let bytes = form.bytes();
        let bar = Self::begin(bars(json) && bytes >= SHOWN_BYTES, BYTES, bytes);
        if bar.is_shown() {
            let moved = bar.clone();
            form.watch(move |sent| moved.bytes(sent));
        }
        bar
    }

    fn begin(shown: bool, template: &str, length: u64) -> Self {
        let style = ProgressStyle::with_template(template).ok().filter(|_| shown);
        Self(style.map(|style| {
            let style = style.progress_chars("=> ").with_key("rate", rate);
            ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr()).with_style(style)
        }))
    }

    pub(crate) const fn is_shown(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn jobs(&self, progress: &Progress) {
        let Some(bar) = &self.0 else { return };
        let ended = u64::from(progress.done) + u64::from(progress.failed);
        // A bar without a length is a full one.
        bar.set_length(u64::from(progress.total.max(1)));
        bar.set_message(words(ended, progress));
        bar.set_position(ended);
        bar.tick();
    }

    pub(crate) fn one(&self, history: &JobHistory) {
        let Some(bar) = &self.0 else { return };
        let (part, words) = stands(history);
        bar.set_message(words);
        bar.set_position(step(part));
        bar.tick();
    }

    fn bytes(&self, sent: u64) {
        if let Some(bar) = &self.0 {
            bar.set_position(sent);
        }
    }

    /// Has something said that is not to stand in its line.
    pub(crate) fn while_hidden(&self, say: impl FnOnce()) {
        match &self.0 {
            Some(bar) => bar.suspend(say),
            None => say(),
        }
    }

    /// Leaves the line as if nothing had been there.
    pub(crate) fn clear(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// How much of a job is done, 0 to 1, as far as its newest attempt has told, and how it stands.
fn stands(JobHistory { job, attempts, .. }: &JobHistory) -> (f64, String) {
    let told =
        attempts.last().filter(|attempt| attempt.ended_at.is_none()).and_then(|attempt| attempt.progress);
    let part = told.unwrap_or_default();
    let failures = match job.failures {
        0 => String::new(),
        1 => ", 1 attempt failed".to_owned(),
        failures => format!(", {failures} attempts failed"),
    };
    let words = match (job.state, told) {
        (NodeState::Running, Some(part)) => format!("running, {:.0} % done", part * 100.0),
        (NodeState::Running, None) => "running".to_owned(),
        _ => "waiting".to_owned(),
    };
    (part, words + &failures)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and PARTS")]
fn step(part: f64) -> u64 {
    (part.clamp(0.0, 1.0) * PARTS as f64) as u64
}

fn words(ended: u64, Progress { total, failed, .. }: &Progress) -> String {
    let failures = if *failed == 0 { String::new() } else { format!(", {failed} failed") };
    format!("{ended} of {total} jobs{failures}")
}

fn rate(state: &ProgressState, to: &mut dyn Write) {
    let seconds = state.elapsed().as_secs();
    // The first moments say nothing, and would say it with many digits.
    let _infallible = match seconds {
        0 => write!(to, "-/s"),
        _ => write!(to, "{:.1}/s", state.pos() as f64 / state.elapsed().as_secs_f64()),
    };
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use indicatif::TermLike;

    use weevil_api::JobView;

    use super::*;
    use crate::jobs::tests::{attempt, history, job};

    /// The one line of a terminal of 80 columns, and how many lines below it were begun.
    #[derive(Debug, Clone, Default)]
    struct Line(Arc<Mutex<(String, usize)>>);

    impl TermLike for Line {
        fn width(&self) -> u16 {
            80
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
            self.0.lock().unwrap().1 += lines;
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().1 += 1;
            self.write_str(text)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().0.push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            self.0.lock().unwrap().0.clear();
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What a bar shows.
    fn shown(template: &str, length: u64, draw: impl Fn(&Bar)) -> String {
        let line = Line::default();
        let bar = Bar::begin(true, template, length);
        let inner = bar.0.as_ref().unwrap();
        inner.set_draw_target(ProgressDrawTarget::term_like(Box::new(line.clone())));
        draw(&bar);
        inner.force_draw();
        let (text, below) = line.0.lock().unwrap().clone();
        assert_eq!(below, 0, "a bar keeps to its line: {text}");
        bar.clear();
        assert_eq!(line.0.lock().unwrap().0, "", "a bar leaves nothing behind");
        text.trim_end().to_owned()
    }

    #[test]
    fn a_bar_says_what_is_done_and_keeps_to_one_line_of_80_columns() {
        let jobs = |total, done, failed| Progress { total, done, failed, ..Progress::default() };
        for (progress, words) in [
            (jobs(0, 0, 0), "[                ] 0 of 0 jobs, -/s, "),
            (jobs(40, 10, 0), "[====>           ] 10 of 40 jobs, "),
            (jobs(40, 28, 2), "[============>   ] 30 of 40 jobs, 2 failed, "),
            (jobs(1_000_000, 999_998, 1), "] 999999 of 1000000 jobs, 1 failed, "),
        ] {
            let text = shown(JOBS, 0, |bar| bar.jobs(&progress));
            assert!(text.contains(words) && text.contains("/s, "), "{text}");
        }
        let text = shown(BYTES, 64 << 20, |bar| bar.bytes(32 << 20));
        assert!(text.contains("] 32.00 MiB of 64.00 MiB, "), "{text}");
    }

    #[test]
    fn a_bar_of_one_job_says_what_that_has_told_and_how_often_it_failed() {
        let failed = JobView { failures: 1, ..job() };
        let queued = JobView { state: NodeState::Enqueued, failures: 0, ..job() };
        for (job, attempts, words) in [
            (queued, vec![], "[                ] waiting, "),
            (
                failed.clone(),
                vec![attempt(1, Some("error"), None, Some(0.9))],
                "[                ] running, 1 attempt failed, ",
            ),
            (
                failed,
                vec![attempt(2, None, None, Some(0.5))],
                "[========>       ] running, 50 % done, 1 attempt failed, ",
            ),
        ] {
            let text = shown(ONE, PARTS, |bar| bar.one(&history(job.clone(), attempts.clone())));
            assert!(text.contains(words), "{text}");
        }
    }

    #[test]
    fn what_is_over_at_once_has_no_bar() {
        assert!(!Bar::of_upload(false, &mut Form::default()).is_shown());
        assert!(!Bar::of_jobs(true).is_shown());
    }
}
