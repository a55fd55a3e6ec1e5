//! What holds for all jobs and workers alike: the server, its database, its queue, and who is connected.

use std::collections::HashSet;
use std::time::Duration;

use weevil_engine::fleet::FleetWorker;
use weevil_model::{Needs, QueuePause, Timestamp};
use weevil_queue::explain::{Database, Known, Scene, WorkerTold};
use weevil_records::StoreError;

use crate::http::AppState;
use crate::series::{Sample, Span};

/// Seconds over which it is said how many jobs end in one.
const RATE_SECONDS: usize = 30;

/// One moment, for all that is explained in one answer.
pub(super) struct Gathered {
    pub scene: Scene,
}

impl Gathered {
    /// What the database does not tell is not known: the answer says so, and tells the rest.
    pub(super) async fn of(app: &AppState) -> Self {
        let (now, health) = (app.common.clock.now(), &app.common.health);
        let fleet = app.common.board.fleet().borrow().clone();
        let scene = Scene {
            now,
            ending: !health.serving(),
            database: database(health.not_writing_for(), now),
            queue_paused: paused(app.common.store.queue_pause().await),
            workers: Some(fleet.workers.iter().map(told).collect()),
            rate: rate(&app.past.series.samples(Span::TenMinutes)),
        };
        Self { scene }
    }

    /// What workers have that a job with these needs could be given to, each once.
    pub(super) fn takers(&self, needs: Needs) -> Vec<Needs> {
        let workers = self.scene.workers.iter().flatten();
        let willing = workers.filter(|worker| takes_jobs(worker) && worker.has.meet(needs));
        willing.map(|worker| worker.has).collect::<HashSet<_>>().into_iter().collect()
    }
}

/// Neither a person nor the worker itself keeps it from having jobs.
pub(super) fn takes_jobs(worker: &WorkerTold) -> bool {
    !worker.paused && !worker.banned && worker.capacity != Some(0)
}

/// Whether its machine has a GPU that it does not lend is a claim of its own.
pub(super) fn told(worker: &FleetWorker) -> WorkerTold {
    let suspension = worker.suspension.as_ref();
    WorkerTold {
        has: worker.has,
        slots: worker.slots,
        in_flight: worker.in_flight,
        capacity: Some(worker.capacity),
        paused: suspension.is_some_and(|suspension| !suspension.is_ban()),
        banned: suspension.is_some_and(weevil_records::Suspension::is_ban),
        keeps_gpu: worker.keeps_gpu,
    }
}

fn database(silent: Option<Duration>, now: Timestamp) -> Database {
    let Some(silent) = silent else { return Database::Writes };
    let ms = i64::try_from(silent.as_millis()).unwrap_or(i64::MAX);
    Database::DoesNot(Some(now.plus_ms(ms.saturating_neg())))
}

fn paused(pause: Result<Option<QueuePause>, StoreError>) -> Known<QueuePause> {
    match pause {
        Ok(None) => Known::No,
        Ok(Some(pause)) => Known::Yes(pause),
        Err(_) => Known::Unknown,
    }
}

/// Jobs that end in a second, of the newest samples; `None` before there are any.
fn rate(samples: &[Sample]) -> Option<f64> {
    let newest = &samples[samples.len().saturating_sub(RATE_SECONDS)..];
    let jobs: u64 = newest.iter().map(|sample| sample.done.jobs).sum();
    (!newest.is_empty()).then(|| jobs as f64 / newest.len() as f64)
}

#[cfg(test)]
mod tests {
    use weevil_engine::throughput::Done;

    use super::*;

    #[test]
    fn the_rate_is_that_of_the_newest_samples() {
        let sample = |jobs| Sample { done: Done { jobs, ..Done::default() }, ..Sample::default() };
        let mut long = vec![sample(99); 50];
        long.extend(vec![sample(3); RATE_SECONDS]);
        for (samples, expected) in [
            (vec![], None),
            (vec![sample(0)], Some(0.0)),
            (vec![sample(1), sample(4)], Some(2.5)),
            (long, Some(3.0)),
        ] {
            assert_eq!(rate(&samples), expected, "{}", samples.len());
        }
    }

    #[test]
    fn a_silent_database_does_not_write_since_then() {
        let silent = Some(Duration::from_secs(12));
        assert_eq!(database(silent, Timestamp(20_000)), Database::DoesNot(Some(Timestamp(8_000))));
        assert_eq!(database(None, Timestamp(20_000)), Database::Writes);
    }
}
