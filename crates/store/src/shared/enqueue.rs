//! A new job as a row.

use serde::Serialize;
use weevil_model::Timestamp;
use weevil_queue::NewJob;
use weevil_queue::decide::enqueue::order_key;
use weevil_queue::decide::reuse::fingerprint;

use super::json::hex;

/// id, run, path, code, source, input, seed, order key, timeout, attempts, returns, fingerprint
#[derive(Serialize)]
pub(crate) struct Row<'a>(i64, i64, &'a str, String, &'a str, String, i64, i64, u32, u32, &'static str, i64);

impl<'a> Row<'a> {
    pub(crate) fn of(job: &'a NewJob, now: Timestamp) -> Self {
        Self(
            job.id.number(),
            job.run.number(),
            &job.path,
            hex(job.code.as_bytes()),
            &job.source,
            hex(job.input.as_bytes()),
            job.seed.cast_signed(),
            order_key(now, job.priority),
            job.timeout_ms,
            job.max_attempts,
            job.returns.name(),
            fingerprint(job.code, &job.input),
        )
    }
}

/// Run and path of the jobs that may take a stored result.
pub(crate) fn asking(jobs: &[NewJob]) -> Vec<(i64, &str)> {
    let asking = jobs.iter().filter(|job| job.reuse);
    asking.map(|job| (job.run.number(), &*job.path)).collect()
}
