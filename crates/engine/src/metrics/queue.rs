//! What goes through the feeder: batches, jobs, attempts, and how fast the next job comes.

use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Metric, Registry, Unit};
use weevil_queue::batch::{Change, Settled, Verdict};
use weevil_queue::{AttemptEnd, Batch, Ended, Outcomes, Report, Submission};

use crate::metrics::registry::Label;
use crate::metrics::trust::TrustMetrics;

pub struct QueueMetrics {
    /// Grows with each ask, shrinks with each that the feeder takes.
    pub asks: Gauge,
    pub batch_failures: Counter,
    batch_seconds: Histogram,
    batch_parts: Histogram,
    dispatch_seconds: Histogram,
    enqueued: Counter,
    reused: Counter,
    handed_out: Counter,
    failed: Counter,
    results: Family<Label, Counter>,
    attempts: Family<Label, Counter>,
    set_aside: Family<Label, Counter>,
    trust: TrustMetrics,
    pub(crate) spares: Family<Label, Counter>,
}

impl QueueMetrics {
    pub(super) fn register(registry: &mut Registry) -> Self {
        Self {
            asks: kept(registry, "feeder_asks", "Asks that wait for the feeder", Gauge::default()),
            batch_failures: counter(registry, "batch_failures", "Batches that the database refused"),
            batch_seconds: seconds(registry, "batch_duration", "From a batch's first try to its commit"),
            batch_parts: parts(registry),
            dispatch_seconds: seconds(
                registry,
                "dispatch",
                "From a worker's report to its next job handed out; a worker for which no job is ready is forgotten within \
                 a second",
            ),
            enqueued: counter(registry, "jobs_enqueued", "Jobs that were asked for"),
            reused: counter(registry, "jobs_reused", "Jobs that took the stored result of an equal one"),
            handed_out: counter(registry, "jobs_handed_out", "Attempts handed to workers"),
            failed: counter(registry, "jobs_failed", "Jobs that ended without a result"),
            results: kept(registry, "results", "Reports of workers, by verdict", Family::default()),
            attempts: kept(
                registry,
                "attempts_ended",
                "Attempts that have ended, by how; expired, yielded and lost ones went back to the queue",
                Family::default(),
            ),
            set_aside: kept(
                registry,
                "asks_set_aside",
                "Asks that the database will not take while it takes others, by what they were",
                Family::default(),
            ),
            trust: TrustMetrics::register(registry),
            spares: kept(
                registry,
                "spares",
                "Second copies of jobs that were out for long, once one of the two was taken, by whether it was theirs",
                Family::default(),
            ),
        }
    }

    /// The database will not take this.
    pub fn set_aside(&self, part: &'static str) {
        self.set_aside.get_or_create(&[("part", part)]).inc();
    }

    /// The server has computed a job itself.
    pub(crate) fn judged(&self, took: Duration) {
        self.trust.judged(took);
    }

    /// A job with a spare has been answered: by it, or by the copy before it.
    pub(crate) fn spare_ended(&self, won: bool) {
        self.spares.get_or_create(&[("won", if won { "true" } else { "false" })]).inc();
    }

    /// A batch is in the database, `took` after it was first tried.
    pub(crate) fn committed(&self, batch: &Batch, outcomes: &Outcomes, took: Duration) {
        self.batch_seconds.observe(took.as_secs_f64());
        self.batch_parts.observe(size(batch, outcomes) as f64);
        self.enqueued.inc_by(batch.enqueue.len() as u64);
        self.handed_out.inc_by(outcomes.claimed.len() as u64);
        self.reused.inc_by(outcomes.enqueued.iter().filter(|known| known.reused).count() as u64);
        for (submission, settled) in batch.complete.iter().zip(&outcomes.completed) {
            self.settled(submission, settled);
        }
        for returned in &outcomes.returned {
            self.attempt(returned.end);
            self.change(&returned.job.change);
        }
        for ruled in &outcomes.ruled {
            self.change(&ruled.job.change);
        }
        self.failed.inc_by(outcomes.overdue.len() as u64);
        self.trust.count(&outcomes.counts);
        for _ in &outcomes.revoked {
            self.attempt(AttemptEnd::Cancelled);
        }
    }

    fn settled(&self, submission: &Submission, settled: &Settled) {
        let verdict = match settled.verdict {
            Verdict::Accepted => "accepted",
            Verdict::Superseded => "superseded",
            Verdict::Unknown => "unknown",
        };
        self.results.get_or_create(&[("verdict", verdict)]).inc();
        let Some(job) = &settled.job else { return };
        let value = match job.change {
            Change::Ended(Ended::Value(_)) => true,
            // It is compared with others, whatever it says.
            Change::Answered => matches!(submission.report, Report::Value(_)),
            _ => false,
        };
        self.attempt(if value { AttemptEnd::Completed } else { AttemptEnd::Error });
        self.change(&job.change);
    }

    fn attempt(&self, end: AttemptEnd) {
        self.attempts.get_or_create(&[("end", end.as_str())]).inc();
    }

    fn change(&self, change: &Change) {
        if matches!(change, Change::Ended(Ended::Failed(_))) {
            self.failed.inc();
        }
    }

    /// A worker waited this long from its report to its next job.
    pub(crate) fn dispatched(&self, waited: Duration) {
        self.dispatch_seconds.observe(waited.as_secs_f64());
    }
}

/// What one transaction had to do.
fn size(batch: &Batch, outcomes: &Outcomes) -> usize {
    batch.complete.len()
        + batch.renew.len()
        + batch.doubted.len()
        + batch.cancel.len()
        + batch.enqueue.len()
        + outcomes.returned.len()
        + outcomes.claimed.len()
}

fn kept<M: Metric + Clone>(registry: &mut Registry, name: &str, help: &str, metric: M) -> M {
    registry.register(name, help, metric.clone());
    metric
}

fn counter(registry: &mut Registry, name: &str, help: &str) -> Counter {
    kept(registry, name, help, Counter::default())
}

/// A quarter of a millisecond to 16 seconds.
fn seconds(registry: &mut Registry, name: &str, help: &str) -> Histogram {
    let histogram = Histogram::new(exponential_buckets(0.000_25, 2.0, 17));
    registry.register_with_unit(name, help, Unit::Seconds, histogram.clone());
    histogram
}

fn parts(registry: &mut Registry) -> Histogram {
    let help = "Reports, renewals, returns, cancelled runs, new jobs and jobs handed out in one batch";
    kept(registry, "batch_parts", help, Histogram::new(exponential_buckets(1.0, 4.0, 8)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ended, failed, news, report, ruled, settled};

    #[test]
    fn an_attempt_that_said_a_value_has_completed_whether_it_is_believed_yet_or_not() {
        let failed_job = || Change::Ended(Ended::Failed(Vec::new()));
        for (said, change, end) in [
            (report(1), ended(), "completed"),
            (report(1), Change::Answered, "completed"),
            (failed(1), Change::Answered, "error"),
            (failed(1), Change::Requeued, "error"),
            (report(1), failed_job(), "error"),
        ] {
            let told = format!("{said:?} {change:?}");
            let metrics = QueueMetrics::register(&mut Registry::default());
            let batch = Batch { complete: vec![said], ..Batch::default() };
            let outcomes = Outcomes { completed: vec![settled(1, 1, change)], ..Outcomes::default() };
            metrics.committed(&batch, &outcomes, Duration::ZERO);
            assert_eq!(metrics.attempts.get_or_create(&[("end", end)]).get(), 1, "{told}");
        }
    }

    #[test]
    fn each_job_that_ends_without_a_value_counts_as_failed_once() {
        let failed = || Change::Ended(Ended::Failed(Vec::new()));
        let none = Outcomes::default;
        for (outcomes, expected) in [
            (Outcomes { completed: vec![settled(1, 1, failed()), settled(2, 1, ended())], ..none() }, 1),
            (Outcomes { completed: vec![settled(1, 1, Change::Answered)], ..none() }, 0),
            (Outcomes { overdue: vec![news(1, Change::Ended(Ended::Overdue))], ..none() }, 1),
            (
                Outcomes {
                    completed: vec![settled(1, 1, Change::Answered)],
                    ruled: vec![
                        ruled(1, failed(), None),
                        ruled(2, ended(), Some(2)),
                        ruled(3, Change::Requeued, None),
                    ],
                    ..none()
                },
                1,
            ),
        ] {
            let metrics = QueueMetrics::register(&mut Registry::default());
            let complete = outcomes.completed.iter().map(|_| report(1)).collect();
            metrics.committed(&Batch { complete, ..Batch::default() }, &outcomes, Duration::ZERO);
            assert_eq!(metrics.failed.get(), expected, "{outcomes:?}");
        }
    }
}
