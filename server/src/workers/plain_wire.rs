//! Between the plain protocol's words and the queue's: the check of what a worker without a connection sends.

use std::collections::HashSet;

use weevil_model::{EncodedError, Timestamp};
use weevil_protocol::frame::{self, CodeKind, JobErrorKind};
use weevil_protocol::plain::{Answer, Finding, Held, Job, Report, ValueError, Values};
use weevil_queue::batch::Verdict;
use weevil_queue::{AttemptKey, Claimed, ClaimedEffort, Renew, Reporter, Submission};

use super::wire;
pub(crate) use super::wire::key;

pub(crate) fn renewals(holding: Vec<Held>) -> Vec<Renew> {
    holding.into_iter().filter_map(|held| wire::renewal(held.key, held.progress)).collect()
}

/// A report as the queue takes it, and why its value was not taken, where it was not: that counts as the attempt's error.
/// `slots` is what the reporter has announced.
pub(crate) fn submission(
    report: Report,
    values: Values,
    reporter: Reporter,
    slots: u32,
    judged: &HashSet<frame::AttemptKey>,
) -> Option<(Submission, Option<String>)> {
    let is_judged = judged.contains(&report.key);
    let (found, refused) = match report.finding {
        Finding::Error(error) => (wire::thrown(&error), None),
        Finding::Value(text) => match values.read(&text) {
            Ok(value) => (weevil_queue::Report::Value(value), None),
            Err(error) => (wire::no_value(refusal_kind(&error), error.to_string()), Some(error.to_string())),
        },
    };
    let submission = Submission {
        key: wire::known(report.key)?,
        reporter,
        report: found,
        claimed: ClaimedEffort { slot: report.slot, compute_us: report.compute_us, flops: report.flops },
        slots,
        digest: None,
        log: wire::log(report.log),
    };
    Some((if is_judged { wire::canonized(submission) } else { submission }, refused))
}

const fn refusal_kind(error: &ValueError) -> JobErrorKind {
    match error {
        ValueError::Encoded(error) => wire::refusal_kind(error),
        ValueError::TooMany { .. } => JobErrorKind::TooLarge,
        ValueError::Json(_) | ValueError::View(_) | ValueError::Base64(_) => JobErrorKind::NotAValue,
    }
}

pub(crate) fn answer((key, verdict): (AttemptKey, Verdict), refused: Option<String>) -> Answer {
    Answer { key: wire::key(key), verdict: wire::verdict(verdict), refused }
}

/// A job as the worker reads it.
pub(crate) fn job(claimed: &Claimed, now: Timestamp, values: Values) -> Result<Job, EncodedError> {
    Ok(Job {
        workflow: claimed.workflow,
        key: wire::key(claimed.key),
        deadline_ms: u32::try_from(claimed.deadline.since(now).max(0)).unwrap_or(u32::MAX),
        job_type: CodeKind::of(claimed.needs.capabilities).job_type(),
        code: claimed.code,
        src: claimed.source.clone(),
        seed: claimed.seed,
        timeout_ms: claimed.timeout_ms,
        arguments: values.write(&claimed.input)?,
    })
}
