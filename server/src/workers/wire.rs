//! Between the wire's words and the queue's: the check of everything a worker sends, and the packing of assignments.

use std::collections::HashMap;

use weevil_model::limits::{MAX_ASSIGN_BYTES, MAX_ERROR_CHARS, MAX_LOG_CHARS};
use weevil_model::witness::Rank;
use weevil_model::{Capabilities, Encoded, EncodedError, JobId, canonical, digest};
use weevil_protocol::frame::{
    self, Assignment, AttemptResult, CodeKind, CodeRef, JobError, JobErrorKind, Outcome, ServerFrame,
};
use weevil_protocol::standing::{Standing, StandingRank};
use weevil_queue::batch::Verdict;
use weevil_queue::{AttemptKey, Claimed, ClaimedEffort, Failure, Renew, Report, Reporter, Submission};
use weevil_records::DeviceStanding;

pub(crate) fn key(key: AttemptKey) -> frame::AttemptKey {
    frame::AttemptKey { job: key.job.number(), token: key.token }
}

/// Keys that cannot be ours are dropped: they name nothing.
pub(super) fn known(key: frame::AttemptKey) -> Option<AttemptKey> {
    Some(AttemptKey { job: JobId::from_number(key.job)?, token: key.token })
}

pub(super) fn keys(keys: Vec<frame::AttemptKey>) -> Vec<AttemptKey> {
    keys.into_iter().filter_map(known).collect()
}

/// Renews what a worker holds, with what it has told of some of it.
pub(super) fn renewals(holding: Vec<frame::AttemptKey>, told: Vec<(frame::AttemptKey, f64)>) -> Vec<Renew> {
    let told: HashMap<_, _> = told.into_iter().collect();
    holding.into_iter().filter_map(|key| renewal(key, told.get(&key).copied())).collect()
}

pub(super) fn renewal(key: frame::AttemptKey, progress: Option<f64>) -> Option<Renew> {
    Some(Renew { key: known(key)?, progress: progress.and_then(self::progress) })
}

/// What can be shown of a share: any number is put between 0 and 1.
fn progress(claimed: f64) -> Option<f64> {
    (!claimed.is_nan()).then(|| claimed.clamp(0.0, 1.0))
}

pub(super) const fn verdict(verdict: Verdict) -> frame::Verdict {
    match verdict {
        Verdict::Accepted => frame::Verdict::Accepted,
        Verdict::Superseded => frame::Verdict::Superseded,
        Verdict::Unknown => frame::Verdict::Unknown,
    }
}

pub(super) fn standing_frame(standing: &DeviceStanding) -> ServerFrame {
    let count = |many: u64| u32::try_from(many).unwrap_or(u32::MAX);
    ServerFrame::Standing(Standing {
        rank: match standing.rank {
            Rank::Newcomer => StandingRank::Newcomer,
            Rank::Established => StandingRank::Established,
            Rank::Trusted => StandingRank::Trusted,
        },
        given: count(standing.credit.given),
        confirmed: count(standing.credit.confirmed),
        waiting: standing.waiting,
        refused: count(standing.credit.differed),
        rests_until: standing.rests_until.map(|until| until.0),
    })
}

/// `slots` is what the reporter has announced.
pub(crate) fn submission(result: AttemptResult, reporter: Reporter, slots: u32) -> Option<Submission> {
    let report = match result.outcome {
        Outcome::Value(bytes) => Encoded::checked(&bytes).map_or_else(|error| refused(&error), Report::Value),
        Outcome::Error(error) => thrown(&error),
    };
    Some(Submission {
        key: known(result.key)?,
        reporter,
        report,
        claimed: ClaimedEffort { slot: result.slot, compute_us: result.compute_us, flops: result.flops },
        slots,
        digest: None,
        log: log(result.log),
    })
}

/// A value that is compared with others, in its canonical form; where that is too large, the attempt's error.
pub(super) fn canonized(submission: Submission) -> Submission {
    let Report::Value(value) = &submission.report else { return submission };
    match canonical(value) {
        Ok(form) => {
            let digest = Some(digest(&form));
            Submission { report: Report::Value(form), digest, ..submission }
        }
        Err(error) => Submission { report: refused(&error), ..submission },
    }
}

/// What is kept of a log; `None` for an empty one.
pub(super) fn log(told: Option<String>) -> Option<String> {
    let mut log = told.filter(|log| !log.is_empty())?;
    if let Some((end, _)) = log.char_indices().nth(MAX_LOG_CHARS) {
        log.truncate(end);
    }
    Some(log)
}

pub(super) fn thrown(error: &JobError) -> Report {
    Report::Error(Failure {
        kind: error.kind.as_str().to_owned(),
        message: clip(&error.message),
        stack: clip(&error.stack),
    })
}

/// Bytes that are not a value, or too large a one, count as the attempt's error, whatever the worker thought of them.
fn refused(error: &EncodedError) -> Report {
    no_value(refusal_kind(error), error.to_string())
}

pub(super) const fn refusal_kind(error: &EncodedError) -> JobErrorKind {
    match error {
        EncodedError::TooLarge { .. } => JobErrorKind::TooLarge,
        EncodedError::Malformed(_) | EncodedError::NotArray(_) => JobErrorKind::NotAValue,
    }
}

pub(super) fn no_value(kind: JobErrorKind, message: String) -> Report {
    Report::Error(Failure { kind: kind.as_str().to_owned(), message, stack: String::new() })
}

fn clip(text: &str) -> String {
    text.chars().take(MAX_ERROR_CHARS).collect()
}

/// Packs jobs into frames of bounded size; each frame names its codes once.
pub(super) fn assign_frames(jobs: Vec<Claimed>) -> Vec<ServerFrame> {
    let mut frames = Vec::new();
    let mut packer = Packer::default();
    for job in jobs {
        if packer.bytes > 0 && packer.bytes + job.input.as_bytes().len() > MAX_ASSIGN_BYTES {
            frames.push(std::mem::take(&mut packer).frame());
        }
        packer.add(job);
    }
    frames.push(packer.frame());
    frames
}

#[derive(Default)]
struct Packer {
    codes: Vec<CodeRef>,
    known: HashMap<CodeRef, u32>,
    jobs: Vec<Assignment>,
    bytes: usize,
}

impl Packer {
    fn add(&mut self, job: Claimed) {
        self.bytes += job.input.as_bytes().len();
        let named = CodeRef {
            workflow: *job.workflow.as_bytes(),
            code: *job.code.as_bytes(),
            workflow_name: job.workflow_name,
            source: job.source,
            kind: Some(CodeKind::of(job.needs.capabilities)).filter(|kind| *kind != CodeKind::default()),
        };
        let next = u32::try_from(self.codes.len()).unwrap_or(u32::MAX);
        let code = *self.known.entry(named.clone()).or_insert(next);
        if code == next {
            self.codes.push(named);
        }
        let deterministic = job.needs.capabilities.include(Capabilities::DETERMINISTIC);
        self.jobs.push(Assignment {
            key: key(job.key),
            code,
            input: job.input.as_bytes().to_vec().into(),
            seed: job.seed,
            timeout_ms: job.timeout_ms,
            deterministic: deterministic.then_some(true),
        });
    }

    fn frame(self) -> ServerFrame {
        ServerFrame::Assign { codes: self.codes, jobs: self.jobs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::limits::MAX_VALUE_BYTES;
    use weevil_model::{Capabilities, ContentHash, Needs, RunId, Timestamp, Value, WorkerId};

    fn claimed(code: &[u8], input: &Value) -> Claimed {
        Claimed {
            key: AttemptKey { job: JobId::from_number(1).unwrap(), token: 2 },
            worker: WorkerId::from_number(1).unwrap(),
            project: weevil_model::ProjectId::DEFAULT,
            run: RunId::from_number(1),
            path: "a".into(),
            workflow: ContentHash::of(b"w"),
            workflow_name: "w".into(),
            code: ContentHash::of(code),
            source: "a.js".into(),
            input: Encoded::of(input).unwrap(),
            seed: 1,
            needs: Needs::JAVASCRIPT,
            timeout_ms: 1,
            deadline: Timestamp(1),
            judged: false,
        }
    }

    #[test]
    fn codes_are_named_once_and_frames_stay_bounded() {
        let big = Value::String("x".repeat(MAX_ASSIGN_BYTES / 2));
        let small = Value::Null;
        let jobs = [(b"1", &small), (b"2", &small), (b"1", &big), (b"1", &big), (b"1", &big)]
            .map(|(code, input)| claimed(code, input));
        let shapes: Vec<(usize, usize)> = assign_frames(jobs.into())
            .into_iter()
            .map(|frame| match frame {
                ServerFrame::Assign { codes, jobs } => (codes.len(), jobs.len()),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(shapes, [(2, 3), (1, 1), (1, 1)]);
    }

    #[test]
    fn a_code_says_what_it_is() {
        let needing = |bits| {
            let needs = Needs { capabilities: Capabilities(bits), memory_mb: 0 };
            Claimed { needs, ..claimed(b"1", &Value::Null) }
        };
        let frames = assign_frames([1, 4, 4, 3, 2, 6].map(needing).into());
        let [ServerFrame::Assign { codes, jobs }] = &frames[..] else { panic!("{frames:?}") };
        let kinds: Vec<_> = codes.iter().map(|code| code.kind).collect();
        assert_eq!(kinds, [None, Some(CodeKind::Wasm), Some(CodeKind::WebCl), Some(CodeKind::Wgsl)]);
        assert_eq!(jobs.iter().map(|job| job.code).collect::<Vec<_>>(), [0, 1, 1, 2, 3, 1]);
    }

    #[test]
    fn a_renewal_carries_what_was_told_of_its_own_attempt() {
        let key = |job| frame::AttemptKey { job, token: 2 };
        for (claimed, kept) in [
            (0.4, Some(0.4)),
            (-1.0, Some(0.0)),
            (7.0, Some(1.0)),
            (f64::INFINITY, Some(1.0)),
            (f64::NAN, None),
        ] {
            let told = vec![(key(1), claimed), (key(9), 0.5), (key(-1), 0.5)];
            let renewed = renewals(vec![key(1), key(2), key(-1)], told);
            let found: Vec<_> =
                renewed.iter().map(|renew| (renew.key.job.number(), renew.progress)).collect();
            assert_eq!(found, [(1, kept), (2, None)], "{claimed}");
        }
    }

    #[test]
    fn a_log_is_cut_between_two_characters_and_never_refused() {
        let bugs = |count| "\u{1F41B}".repeat(count);
        for (told, kept) in [
            (None, None),
            (Some(String::new()), None),
            (Some("one\n\ntwo".into()), Some("one\n\ntwo".into())),
            (Some(bugs(MAX_LOG_CHARS)), Some(bugs(MAX_LOG_CHARS))),
            (Some(bugs(MAX_LOG_CHARS + 1)), Some(bugs(MAX_LOG_CHARS))),
        ] {
            assert_eq!(log(told), kept);
        }
    }

    #[test]
    fn a_judged_value_comes_in_its_canonical_form_with_its_digest() {
        let report = |bytes: &[u8]| Report::Value(Encoded::checked(bytes).unwrap());
        let of = |report| {
            let (key, reporter) = (
                known(key_of(1)).unwrap(),
                Reporter { worker: WorkerId::from_number(1).unwrap(), device: None },
            );
            let claimed = ClaimedEffort { slot: 0, compute_us: 0, flops: 0.0 };
            canonized(Submission { key, reporter, report, digest: None, claimed, slots: 1, log: None })
        };
        let one = of(report(&[0xf9, 0x3c, 0x00]));
        assert_eq!(
            (one.report, one.digest),
            (report(&[0x01]), Some(digest(&Encoded::checked(&[0x01]).unwrap())))
        );
        let error = no_value(JobErrorKind::NotAValue, "x".into());
        let kept = of(error.clone());
        assert_eq!((kept.report, kept.digest), (error, None));
    }

    fn key_of(job: i64) -> frame::AttemptKey {
        frame::AttemptKey { job, token: 2 }
    }

    #[test]
    fn what_is_no_value_becomes_an_error_in_words() {
        let result = |bytes: Vec<u8>| AttemptResult {
            key: frame::AttemptKey { job: 1, token: 2 },
            outcome: Outcome::Value(bytes.into()),
            slot: 0,
            compute_us: u64::MAX,
            flops: f64::NAN,
            log: None,
        };
        let reporter = Reporter { worker: WorkerId::from_number(1).unwrap(), device: None };
        for (bytes, kind) in [(vec![0xff], "notAValue"), (vec![0; MAX_VALUE_BYTES + 1], "tooLarge")] {
            let submission = submission(result(bytes), reporter, 1).unwrap();
            assert!(matches!(submission.report, Report::Error(failure) if failure.kind == kind), "{kind}");
        }
        let foreign = AttemptResult { key: frame::AttemptKey { job: -1, token: 2 }, ..result(vec![0xf6]) };
        assert_eq!(submission(foreign, reporter, 1), None);
    }
}
