//! Why a job has failed.

use super::view::ReasonView;
use super::words::{grouped, ms, span};

/// Nobody took it within its longest wait.
pub fn overdue(waited_ms: Option<u64>) -> ReasonView {
    let waited =
        waited_ms.map(|waited| format!(", which was over after {}", span(waited))).unwrap_or_default();
    ReasonView::new("overdue", format!("Nobody took it within its longest wait{waited}."))
        .perhaps("waitedMs", waited_ms.map(ms))
        .cure("Let it wait longer (`maxWaitMs`), or connect more workers that meet its needs.")
}

pub fn cancelled() -> ReasonView {
    ReasonView::new("cancelled", "It was cancelled, or its run was.")
}

/// `kind` of the error, as attempts tell it.
pub fn same_error(workers: u32, kind: &str) -> ReasonView {
    let workers_words = grouped(workers.into());
    ReasonView::new(
        "sameError",
        format!("{workers_words} workers had the same error ({kind}): it is the code, not a machine."),
    )
    .number("workers", workers)
    .cure("Mend the code: the attempt shows the error with its line.")
}

/// What the attempt that decided ended with. `kind` as attempts tell it, `expired` where none was told; `progress` 0 to 1, as it
/// was told last.
pub fn failed(attempt: u32, kind: &str, progress: Option<f64>) -> ReasonView {
    let attempt_words = grouped(attempt.into());
    let (code, text, cure) = match fault(kind, progress) {
        Some((text, cure)) => (kind, text, cure),
        None => ("otherError", format!("it ended with the error `{kind}`"), "The attempt shows the error."),
    };
    ReasonView::new(code, format!("In attempt {attempt_words}, {text}."))
        .number("attempt", attempt)
        .perhaps("progress", progress)
        .cure(cure)
}

/// What each kind of error means, and what can be done about it.
fn fault(kind: &str, progress: Option<f64>) -> Option<(String, &'static str)> {
    let done = match progress {
        Some(done) => format!("{:.0} % was done", done * 100.0),
        None => "how much was done is not known".to_owned(),
    };
    let (text, cure) = match kind {
        "thrown" => ("its code threw an error", "Mend the code: the attempt shows the error with its line."),
        "noMain" => ("its code defines no function `weevil_main`", "Define `function weevil_main(..)`."),
        "syntax" => ("its code does not parse", "Mend the line that the attempt shows."),
        "returnType" => (
            "its value is of another type than its `returntype` says",
            "Let `weevil_main` return that type, or change `returntype`.",
        ),
        "tooLarge" => {
            ("its value is larger than a value may be", "Return less, or split the work in a pool.")
        }
        "notAValue" => (
            "it returned something that cannot travel: a function, a symbol or a circle",
            "Return numbers, text, arrays or objects.",
        ),
        "timeout" => {
            return Some((
                format!("it ran longer than its timeout; {done}"),
                "Allow it more time, or split the work.",
            ));
        }
        "crashed" => ("its job worker ended by itself", "Let it use less memory, or say how much it needs."),
        "expired" => {
            return Some((
                format!("its worker was silent for too long; {done}"),
                "Its tab may have been closed or frozen: a shorter job loses less.",
            ));
        }
        "disputed" => (
            "too few of its answers agree",
            "Make the code deterministic, or give the node an `agree` that its answers keep.",
        ),
        "notStored" => ("the database would not take it", "The attempt shows what the database said."),
        _ => return None,
    };
    Some((text.to_owned(), cure))
}

pub fn decided(attempt: u32, failures: u32, max_attempts: u32) -> ReasonView {
    let [attempt_words, failed, of] = [attempt, failures, max_attempts].map(|number| grouped(number.into()));
    ReasonView::new("decided", format!("Attempt {attempt_words} decided: {failed} of {of} attempts failed."))
        .number("attempt", attempt)
        .number("failures", failures)
        .number("maxAttempts", max_attempts)
}
