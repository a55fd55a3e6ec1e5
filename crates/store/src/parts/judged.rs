//! What a report says of a judged job, and what its answers make of it: here alone the rules of the queue and those of trust meet.
//!
//! Reads nothing and writes nothing: see `answers.rs`.

use std::borrow::Cow;

use weevil_model::trust::Votes;
use weevil_model::{Encoded, canonical, digest};
use weevil_queue::{Failure, Report, Submission};
use weevil_trust::limits::MAX_ANSWERS;
use weevil_trust::{Case, Decision, Groups, OpenFleet, Said, Standard, rule};

use super::answers::JudgedJob;

/// Stable name of the error of a job with many answers and no decision.
const DISPUTED: &str = "disputed";
/// Stable name of the error of a value that is too large; the canonical form of numbers of half precision grows.
const TOO_LARGE: &str = "tooLarge";
/// Hexadecimal digits of a digest that people are shown.
const SHOWN: usize = 12;

/// A report of a judged job, and what it says as an answer.
pub(crate) struct Spoken<'a> {
    pub(crate) report: Cow<'a, Report>,
    /// `None` for an error of the machine, which says nothing about the job.
    pub(crate) said: Option<Said>,
}

impl<'a> Spoken<'a> {
    /// The value is brought into its canonical form where that was not done before it came here.
    pub(crate) fn of(submission: &Submission, typed: Cow<'a, Report>) -> Self {
        match &*typed {
            Report::Value(value) => match submission.digest {
                Some(digest) => Self { report: typed, said: Some(Said::Value(digest)) },
                None => Self::of_value(value),
            },
            Report::Error(failure) => {
                let said = failure.speaks_of_the_code().then(|| Said::Error(failure.kind.clone()));
                Self { report: typed, said }
            }
        }
    }

    fn of_value(value: &Encoded) -> Self {
        match canonical(value) {
            Ok(form) => {
                let said = Some(Said::Value(digest(&form)));
                Self { report: Cow::Owned(Report::Value(form)), said }
            }
            Err(error) => {
                let said = Some(Said::Error(TOO_LARGE.to_owned()));
                let failure =
                    Failure { kind: TOO_LARGE.to_owned(), message: error.to_string(), stack: String::new() };
                Self { report: Cow::Owned(Report::Error(failure)), said }
            }
        }
    }
}

/// What the answers of a job come to, the newest among them.
pub(crate) fn decide(votes: Votes, job: &JudgedJob) -> Decision {
    let answers = job.answers();
    let groups = Groups::of(&answers, |_, _| false);
    let standard = Standard::Quorum(votes);
    rule(&Case { standard, answers: &answers, groups: &groups, fleet: OpenFleet(false), devices: 1 })
}

/// May the next answer end the job without a value?
pub(crate) fn may_fail(job: &JudgedJob) -> bool {
    job.answers().len() + 1 >= MAX_ANSWERS
}

/// The error of a job whose answers have come to nothing, with what they said.
pub(crate) fn disputed(job: &JudgedJob) -> Failure {
    let answers = job.answers();
    let groups = Groups::of(&answers, |_, _| false);
    let group = |group: &weevil_trust::Group| {
        let many = group.members.len();
        match &answers[group.members[0]].said {
            Said::Value(digest) => format!("value {} from {many}", &digest.to_string()[..SHOWN]),
            Said::Error(kind) => format!("error {kind} from {many}"),
        }
    };
    let groups: Vec<String> = groups.all().iter().map(group).collect();
    let message = format!(
        "Not enough of {many} answers agree that came from independent witnesses: {}",
        groups.join(", "),
        many = answers.len()
    );
    Failure { kind: DISPUTED.to_owned(), message, stack: String::new() }
}
