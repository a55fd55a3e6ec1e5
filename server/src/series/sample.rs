//! One sample: what was done since the one before, and how things stand at its moment.

use weevil_engine::fleet::Fleet;
use weevil_engine::throughput::Done;
use weevil_model::Timestamp;
use weevil_queue::Depth;

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Sample {
    /// When it was taken.
    pub at: Timestamp,
    /// What was done since the sample before.
    pub done: Done,
    /// Connected workers.
    pub workers: f64,
    /// Slots that they have together.
    pub slots: f64,
    /// Attempts that they hold, as far as they have slots for them.
    pub busy: f64,
    /// Jobs that wait for a worker, are delayed or held.
    pub waiting: f64,
    /// Attempts that are out.
    pub leased: f64,
}

impl Sample {
    /// `before` and `done` are sums since the start.
    pub(super) fn taken(at: Timestamp, before: Done, done: Done, fleet: &Fleet, depth: Depth) -> Self {
        let busy = fleet
            .workers
            .iter()
            .map(|worker| worker.in_flight.min(worker.slots))
            .fold(0, u32::saturating_add);
        Self {
            at,
            done: since(before, done),
            workers: fleet.workers.len() as f64,
            slots: f64::from(fleet.slots),
            busy: f64::from(busy),
            waiting: (depth.ready + depth.delayed + depth.held) as f64,
            leased: depth.leased as f64,
        }
    }

    /// Several in a row as one: what was done is added up, how things stood is averaged.
    pub(super) fn of(samples: &[Self]) -> Option<Self> {
        let last = samples.last()?;
        let mean = |stands: fn(&Self) -> f64| samples.iter().map(stands).sum::<f64>() / samples.len() as f64;
        Some(Self {
            at: last.at,
            done: samples.iter().map(|sample| sample.done).fold(Done::default(), sum),
            workers: mean(|sample| sample.workers),
            slots: mean(|sample| sample.slots),
            busy: mean(|sample| sample.busy),
            waiting: mean(|sample| sample.waiting),
            leased: mean(|sample| sample.leased),
        })
    }
}

fn since(before: Done, now: Done) -> Done {
    Done {
        jobs: now.jobs.saturating_sub(before.jobs),
        attempts: now.attempts.saturating_sub(before.attempts),
        errors: now.errors.saturating_sub(before.errors),
        flops: (now.flops - before.flops).max(0.0),
        busy_us: now.busy_us.saturating_sub(before.busy_us),
    }
}

fn sum(one: Done, other: Done) -> Done {
    Done {
        jobs: one.jobs.saturating_add(other.jobs),
        attempts: one.attempts.saturating_add(other.attempts),
        errors: one.errors.saturating_add(other.errors),
        flops: one.flops + other.flops,
        busy_us: one.busy_us.saturating_add(other.busy_us),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(jobs: u64) -> Done {
        Done { jobs, attempts: jobs + 1, errors: 1, flops: jobs as f64 * 10.0, busy_us: jobs * 100 }
    }

    #[test]
    fn a_sample_has_what_was_done_since_the_one_before() {
        let depth = Depth { ready: 3, leased: 7, delayed: 2, held: 1, ..Depth::default() };
        let sample = Sample::taken(Timestamp(9), done(2), done(5), &Fleet::default(), depth);
        let expected = Done { jobs: 3, attempts: 3, errors: 0, flops: 30.0, busy_us: 300 };
        assert_eq!((sample.done, sample.waiting, sample.leased, sample.busy), (expected, 6.0, 7.0, 0.0));
    }

    #[test]
    fn work_is_added_up_and_what_stands_is_averaged() {
        let samples = [1, 2, 3].map(|n| Sample {
            at: Timestamp(n),
            done: done(n.unsigned_abs()),
            workers: n as f64,
            ..Sample::default()
        });
        let all = Sample::of(&samples).unwrap();
        assert_eq!((all.at, all.done.jobs, all.done.errors, all.workers), (Timestamp(3), 6, 3, 2.0));
        assert_eq!(Sample::of(&[]), None);
    }
}
