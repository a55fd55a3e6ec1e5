//! What a report of a judged job says as an answer: a value in its canonical form, or the kind of an error.

use std::borrow::Cow;

use weevil_model::{Encoded, canonical, digest};
use weevil_queue::{Failure, Report, Submission};
use weevil_trust::Said;

/// Stable name of the error of a value that is too large; the canonical form of numbers of half precision grows.
const TOO_LARGE: &str = "tooLarge";

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
