//! What a simulated worker does with its jobs, and how often it does what it should not.

use std::ops::Range;
use std::time::Duration;

/// The chances are per job, from 0 to 1.
#[derive(Debug, Clone, Copy)]
pub struct Habits {
    /// Jobs it wants to hold.
    pub capacity: u32,
    /// How long a job takes: drawn from here. Jobs of no time are answered together, at once.
    pub work: WorkTime,
    /// Drops the connection without a word, and comes back.
    pub vanish: f64,
    /// Falls silent for longer than its lease, then hands in what nobody waits for any more.
    pub stall: f64,
    /// Reports an error.
    pub fail: f64,
    /// Gives the job back.
    pub give_back: f64,
    /// Hands the same result in twice.
    pub repeat: f64,
    /// Sends bytes that are no frame; the server ends the connection, and it comes back.
    pub garbage: f64,
}

/// A range that can be copied.
#[derive(Debug, Clone, Copy, Default)]
pub struct WorkTime {
    pub shortest: Duration,
    pub longest: Duration,
}

impl WorkTime {
    pub(super) const fn range(self) -> Range<Duration> {
        self.shortest..self.longest
    }

    pub(super) const fn is_nothing(self) -> bool {
        self.longest.is_zero()
    }
}

impl Habits {
    /// Answers every job at once and does nothing wrong.
    pub const fn at_once(capacity: u32) -> Self {
        let work = WorkTime { shortest: Duration::ZERO, longest: Duration::ZERO };
        Self { capacity, work, vanish: 0.0, stall: 0.0, fail: 0.0, give_back: 0.0, repeat: 0.0, garbage: 0.0 }
    }

    /// Takes between these times for each job.
    #[must_use]
    pub const fn working(self, shortest: Duration, longest: Duration) -> Self {
        Self { work: WorkTime { shortest, longest }, ..self }
    }
}
