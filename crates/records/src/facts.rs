//! What a run has come to: numbers, states and errors, as they are stored. Never a view of them, and never a sum.
//!
//! Stored as CBOR with numbered fields, as the frames of the wire are: readers skip numbers that they do not know, so that
//! fields can be added. A number is never used twice.

use minicbor::{Decode, Encode};
use weevil_model::{Diagnostic, NodeKind, NodeState, Severity};

/// Jobs of a run or below a pool; `total` grows when a pool learns how many elements it has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Encode, Decode)]
pub struct Progress {
    #[n(0)]
    pub total: u32,
    #[n(1)]
    pub queued: u32,
    #[n(2)]
    pub running: u32,
    #[n(3)]
    pub done: u32,
    #[n(4)]
    pub failed: u32,
    /// An answer is there and waits to be believed. Left out where there are none, as before there could be any.
    #[cbor(n(5), skip_if = "is_zero")]
    pub answered: u32,
    /// How many of those that are done took a stored result.
    #[cbor(n(6), skip_if = "is_zero")]
    pub reused: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "minicbor says how it is asked")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The numbers of a run's statistics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Encode, Decode)]
pub struct RunStats {
    /// Jobs that were computed and ended with a value.
    #[n(0)]
    pub jobs: u32,
    /// Jobs that took the stored result of an equal one instead.
    #[n(1)]
    pub reused: u32,
    /// Workers that ended a job of this run.
    #[n(2)]
    pub workers: u32,
    /// Places that the values came from; `None` where one is not known any more.
    #[n(3)]
    pub places: Option<u32>,
    /// Slots that ended a job of this run.
    #[n(4)]
    pub slots: u32,
    /// Milliseconds from the first hand-out to the last accepted result.
    #[n(5)]
    pub wall_ms: i64,
    /// Milliseconds inside `weevil_main`, over all slots.
    #[n(6)]
    pub compute_ms: f64,
    /// Milliseconds inside `weevil_main` that half of the jobs took at most, within 9 %.
    #[n(7)]
    pub median_ms: f64,
    /// Time inside `weevil_main` over slot time, 0 to 1.
    #[n(8)]
    pub utilisation: f64,
    /// Counted floating-point operations over `wall_ms`, in millions a second.
    #[n(9)]
    pub mflops: f64,
}

/// What a run adds up to: all that a list reads of its end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Encode, Decode)]
pub struct RunTotals {
    #[n(0)]
    pub progress: Progress,
    #[n(1)]
    pub stats: RunStats,
}

impl RunTotals {
    /// As a column holds them: earlier releases told of reused jobs in the statistics alone.
    ///
    /// # Errors
    /// As those of [`of_column`].
    pub fn of_column(bytes: &[u8]) -> Result<Self, String> {
        let Self { progress, stats } = of_column(bytes)?;
        Ok(Self { progress: Progress { reused: stats.reused, ..progress }, stats })
    }
}

/// What is kept of a run, and shown of one that goes on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunFacts {
    pub summary: RunTotals,
    pub error: Option<RunFailure>,
    /// The first `MAX_SHOWN_NODES` in document order.
    pub nodes: Vec<NodeFacts>,
    /// How many there are, kept or not.
    pub node_count: u32,
}

impl RunFacts {
    /// For a run that this failure has ended before it had nodes.
    pub fn failed(error: RunFailure) -> Self {
        Self { error: Some(error), ..Self::default() }
    }

    /// What stands for facts that cannot be read.
    pub fn unreadable(why: &str) -> Self {
        Self::failed(RunFailure::of_run(format!("what was kept of this run's end cannot be read: {why}")))
    }
}

/// How a node stands.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
pub struct NodeFacts {
    #[n(0)]
    pub id: String,
    #[n(1)]
    pub kind: NodeKind,
    /// Below the run (thesis 3.4.2).
    #[n(2)]
    pub path: String,
    #[n(3)]
    pub state: NodeState,
    /// Ids of the nodes whose results come in.
    #[n(4)]
    pub sources: Vec<String>,
    /// Jobs below a pool; `None` for other kinds.
    #[n(5)]
    pub jobs: Option<Progress>,
    /// The numbers of the policies that its jobs are judged by, a pool's processor before its reducer; empty where nobody judges them.
    #[cbor(n(6), skip_if = "Vec::is_empty")]
    pub trust: Vec<u32>,
}

/// Why a run failed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Encode, Decode)]
pub struct RunFailure {
    /// Path of the node below its run; empty where no node failed, but the run.
    #[n(0)]
    pub node: String,
    /// What no attempt tells; empty where one does.
    #[n(1)]
    pub message: String,
    /// The errors and time-outs of the job's attempts, in order; the last one ended the run.
    #[n(2)]
    pub attempts: Vec<AttemptFailure>,
    /// What was found in its workflow.
    #[n(3)]
    pub diagnostics: Vec<DiagnosticFacts>,
}

impl RunFailure {
    /// A failure that no node and no attempt has brought.
    pub fn of_run(message: String) -> Self {
        Self { message, ..Self::default() }
    }
}

/// One attempt's error.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
pub struct AttemptFailure {
    /// 0 where no worker was involved.
    #[n(0)]
    pub attempt: u32,
    #[n(1)]
    pub worker: String,
    #[n(2)]
    pub kind: String,
    #[n(3)]
    pub message: String,
    #[n(4)]
    pub stack: String,
}

/// A problem in a workflow, as [`Diagnostic`]: its code may be one that only another release knows.
#[derive(Debug, Clone, PartialEq, Eq, Encode, Decode)]
pub struct DiagnosticFacts {
    #[n(0)]
    pub code: String,
    #[n(1)]
    pub severity: Severity,
    #[n(2)]
    pub file: String,
    #[n(3)]
    pub line: u32,
    #[n(4)]
    pub column: u32,
    #[n(5)]
    pub end_line: u32,
    #[n(6)]
    pub end_column: u32,
    #[n(7)]
    pub message: String,
    #[n(8)]
    pub help: Option<String>,
}

impl From<Diagnostic> for DiagnosticFacts {
    fn from(found: Diagnostic) -> Self {
        let Diagnostic { code, severity, file, line, column, end_line, end_column, message, help } = found;
        Self { code: code.to_owned(), severity, file, line, column, end_line, end_column, message, help }
    }
}

/// Facts as a column holds them.
pub fn to_column<T: Encode<()>>(facts: &T) -> Vec<u8> {
    // A `Vec` takes every byte.
    minicbor::to_vec(facts).unwrap_or_default()
}

/// Facts that a column holds.
///
/// # Errors
/// What is wrong with the bytes, in words: they are not of these facts, or hold a word that only another release knows.
pub fn of_column<'b, T: Decode<'b, ()>>(bytes: &'b [u8]) -> Result<T, String> {
    minicbor::decode(bytes).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(total: u32) -> Progress {
        Progress { total, queued: 1, running: 2, done: 3, failed: 4, answered: 5, reused: 2 }
    }

    fn read_back<T: Encode<()> + for<'b> Decode<'b, ()>>(facts: &T) -> T {
        of_column(&to_column(facts)).unwrap()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let stats = RunStats {
            jobs: 5,
            reused: 6,
            workers: 7,
            places: Some(8),
            slots: 9,
            wall_ms: i64::MAX,
            compute_ms: 0.1,
            median_ms: f64::MIN_POSITIVE,
            utilisation: 1.0 / 3.0,
            mflops: f64::MAX,
        };
        for totals in [
            RunTotals::default(),
            RunTotals { progress: progress(u32::MAX), stats },
            RunTotals { progress: progress(0), stats: RunStats { places: None, ..stats } },
        ] {
            assert_eq!(read_back(&totals), totals);
        }
        let node = |kind: &NodeKind, state: &NodeState| NodeFacts {
            id: "p".into(),
            kind: *kind,
            path: "v/p".into(),
            state: *state,
            sources: vec!["v".into(), String::new()],
            jobs: (*kind == NodeKind::Pool).then(|| progress(10)),
            trust: if *kind == NodeKind::Pool { vec![2, 1_000] } else { Vec::new() },
        };
        let nodes: Vec<NodeFacts> = NodeKind::ALL
            .iter()
            .flat_map(|kind| NodeState::ALL.iter().map(move |state| node(kind, state)))
            .collect();
        assert_eq!(read_back(&nodes), nodes);
    }

    #[test]
    fn totals_of_earlier_releases_tell_of_what_was_reused() {
        let totals =
            RunTotals { stats: RunStats { reused: 2, ..RunStats::default() }, ..RunTotals::default() };
        assert_eq!(RunTotals::of_column(&to_column(&totals)).unwrap().progress.reused, 2);
    }

    #[test]
    fn a_failure_is_read_back_with_its_diagnostics() {
        let found = |severity, help: Option<&str>| Diagnostic {
            code: "W0101",
            severity,
            file: "workflow.xml".into(),
            line: 1,
            column: 2,
            end_line: 3,
            end_column: 4,
            message: "ß".into(),
            help: help.map(str::to_owned),
        };
        let diagnostics = [found(Severity::Error, None), found(Severity::Warning, Some("write it"))];
        let attempt = AttemptFailure {
            attempt: 0,
            worker: "w".into(),
            kind: "thrown".into(),
            message: "no".into(),
            stack: "at F.js:1".into(),
        };
        let failure = RunFailure {
            node: "p/x".into(),
            message: "it stops".into(),
            attempts: vec![attempt],
            diagnostics: diagnostics.map(DiagnosticFacts::from).into(),
        };
        for failure in [failure, RunFailure::of_run("why".into()), RunFailure::default()] {
            assert_eq!(read_back(&failure), failure);
        }
    }

    #[test]
    fn progress_without_what_came_later_is_written_as_before() {
        let before = Progress { total: 1, queued: 2, running: 3, done: 4, failed: 5, ..Progress::default() };
        for (progress, bytes) in [
            (before, &b"\x85\x01\x02\x03\x04\x05"[..]),
            (Progress { answered: 6, ..before }, b"\x86\x01\x02\x03\x04\x05\x06"),
            (Progress { answered: 6, reused: 3, ..before }, b"\x87\x01\x02\x03\x04\x05\x06\x03"),
            (Progress { reused: 3, ..before }, b"\x87\x01\x02\x03\x04\x05\x00\x03"),
        ] {
            assert_eq!(to_column(&progress), bytes);
            assert_eq!(of_column(bytes), Ok(progress));
        }
    }

    #[test]
    fn fields_of_a_later_release_are_skipped_and_its_words_are_refused() {
        let later = b"\x89\x01\x02\x03\x04\x05\x06\x07\x18\x2a\x61x";
        assert_eq!(
            of_column(later),
            Ok(Progress { total: 1, queued: 2, running: 3, done: 4, failed: 5, answered: 6, reused: 7 }),
            "the eighth and ninth are another's"
        );
        let asleep = b"\x86\x61p\x64pool\x61p\x66ASLEEP\x80\xf6";
        for bytes in [&b""[..], b"{}", b"\x85\x01", asleep] {
            assert!(of_column::<NodeFacts>(bytes).is_err(), "{bytes:?}");
        }
    }
}
