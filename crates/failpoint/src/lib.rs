//! Named moments at which a process can be made to die or to stop, so that each place where a crash could hurt, its own
//! or its database's, is an ordinary test.
//!
//! `WEEVIL_FAIL_POINT=batchCommitted:2` has the process killed with SIGKILL when it passes that point for the second
//! time; `batchCommitted:2:stop` has it stopped with SIGSTOP, until somebody sends SIGCONT. Only builds with debug
//! assertions look; a release passes every point without a branch. Never decides what a crash means.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{Signal, getpid, kill_process};

/// The environment variable that arms a point.
pub const VARIABLE: &str = "WEEVIL_FAIL_POINT";
/// Longer than the kernel takes to stop all threads of a process.
const STOPPING: Duration = Duration::from_millis(100);

macro_rules! points {
    ($($(#[$doc:meta])+ $name:ident = $text:literal),+ $(,)?) => {
        /// A moment worth dying or stopping at.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Point { $($(#[$doc])+ $name),+ }

        impl Point {
            pub const ALL: &[Self] = &[$(Self::$name),+];

            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text),+ }
            }
        }
    };
}

points! {
    /// A run is stored; neither its executors nor the researcher know.
    RunStored = "runStored",
    /// A token is stored; nobody knows its secret.
    TokenStored = "tokenStored",
    /// Asks are gathered; the database knows nothing of them.
    BatchGathered = "batchGathered",
    /// In the transaction: results are written, nothing is committed.
    ResultsWritten = "resultsWritten",
    /// In the transaction: answers of judged jobs are written, nothing is committed.
    AnswerWritten = "answerWritten",
    /// In the transaction: lots are closed, and what is to be checked is chosen; nothing is committed.
    LotClosed = "lotClosed",
    /// In the transaction: what devices have said that were wrong counts for nothing; nothing is committed.
    DeviceRefuted = "deviceRefuted",
    /// The server has computed a job itself, or asked a module about an answer; the queue knows nothing of it.
    Judged = "judged",
    /// In the transaction: jobs are in, nothing is committed.
    JobsWritten = "jobsWritten",
    /// In the transaction: leases are written, nothing is committed.
    LeasesWritten = "leasesWritten",
    /// In a transaction: all is written, and the next thing that the database hears is the commit.
    Committing = "committing",
    /// A piece of a batch that the database refuses as a whole is committed; nobody has heard of it.
    PieceCommitted = "pieceCommitted",
    /// A batch is committed; nobody has heard of it.
    BatchCommitted = "batchCommitted",
    /// The executors know what came of a batch, the workers do not.
    ExecutorsTold = "executorsTold",
    /// All results of a pool are there; its reducer is not enqueued.
    PoolReducing = "poolReducing",
    /// The final node has its value; the end of the run is not stored.
    RunEnding = "runEnding",
    /// The end of the run is stored; nobody has heard of it.
    RunEnded = "runEnded",
    /// A restarted server has ended all leases; no run goes on yet.
    Restarting = "restarting",
    /// A restarted server has taken one run up, perhaps not the others.
    RunResumed = "runResumed",
    /// The executors of a run have been stopped, since something of it was reopened; it has not been taken up.
    RunRetraced = "runRetraced",
    /// In a transaction: a link is used up, nothing is committed.
    LinkUsed = "linkUsed",
    /// An account is stored and its link used up; nobody has heard of it.
    AccountStored = "accountStored",
    /// A run that could not be taken up is stored as failed; nobody has heard of it.
    TakeUpFailed = "takeUpFailed",
}

/// What becomes of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Dies,
    Stops,
}

struct Armed {
    point: Point,
    left: AtomicU32,
    fate: Fate,
}

static ARMED: OnceLock<Option<Armed>> = OnceLock::new();

/// Dies or stops here if the environment says so.
pub fn pass(point: Point) {
    if !cfg!(debug_assertions) {
        return;
    }
    let armed = ARMED.get_or_init(|| std::env::var(VARIABLE).ok().and_then(|text| parse(&text)));
    if let Some(armed) = armed.as_ref().filter(|armed| armed.point == point)
        && armed.left.fetch_sub(1, Ordering::Relaxed) == 1
    {
        match armed.fate {
            Fate::Dies => die(),
            Fate::Stops => stop(),
        }
    }
}

/// `name:count`, with `:stop` or without; it happens when the process passes for the `count`th time.
fn parse(text: &str) -> Option<Armed> {
    let (name, rest) = text.split_once(':')?;
    let (count, fate) = rest.strip_suffix(":stop").map_or((rest, Fate::Dies), |count| (count, Fate::Stops));
    let point = Point::ALL.iter().copied().find(|point| point.as_str() == name)?;
    Some(Armed { point, left: AtomicU32::new(count.parse().ok()?), fate })
}

fn die() {
    // A process may always signal itself; were it refused, ending at once is what comes nearest.
    if kill_process(getpid(), Signal::KILL).is_err() {
        std::process::abort();
    }
}

fn stop() {
    if kill_process(getpid(), Signal::STOP).is_err() {
        std::process::abort();
    }
    // Another thread may be the one to take the signal: this one goes no further meanwhile.
    sleep(STOPPING);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_points_are_armed() {
        for (text, expected) in [
            ("batchCommitted:2", Some((Point::BatchCommitted, 2, Fate::Dies))),
            ("runEnded:1", Some((Point::RunEnded, 1, Fate::Dies))),
            ("runEnded:1:stop", Some((Point::RunEnded, 1, Fate::Stops))),
            ("runEnded:1:halt", None),
            ("runEnded:stop", None),
            ("batchCommitted", None),
            ("nowhere:1", None),
            ("runEnded:often", None),
        ] {
            let found = parse(text).map(|armed| (armed.point, armed.left.into_inner(), armed.fate));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn an_unarmed_process_passes() {
        for point in Point::ALL {
            pass(*point);
        }
    }
}
