//! What came of a job, there and here, and whether it is the same.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use weevil_api::JobResult;

/// What is shown of a value.
const SHOWN: usize = 400;

/// A value in the JSON view, or an error. Where its code stood is not compared: a stack has addresses of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Outcome {
    Value(Json),
    Error { kind: String, message: String },
}

#[derive(Debug, Serialize)]
pub(super) struct Compared<'o> {
    pub(super) same: bool,
    there: &'o Outcome,
    here: &'o Outcome,
}

impl Outcome {
    /// # Errors
    /// In words for people: it has neither.
    pub(super) fn of(result: JobResult) -> Result<Self, String> {
        if let Some(value) = result.result {
            return Ok(Self::Value(value));
        }
        let last = result.errors.into_iter().next_back();
        let last = last.ok_or_else(|| format!("the job is {} here, without a value", result.state))?;
        Ok(Self::Error { kind: last.kind, message: last.message })
    }

    fn words(&self) -> String {
        match self {
            Self::Value(value) => begin(&value.to_string()),
            Self::Error { kind, message } => format!("{kind}: {message}"),
        }
    }

    const fn name(&self) -> &'static str {
        match self {
            Self::Value(_) => "value",
            Self::Error { .. } => "error",
        }
    }
}

impl<'o> Compared<'o> {
    pub(super) fn of(there: &'o Outcome, here: &'o Outcome) -> Self {
        Self { same: there == here, there, here }
    }

    /// Lines for people.
    pub(super) fn words(&self) -> Vec<String> {
        if self.same {
            return vec![format!("same {}: {}", self.here.name(), self.here.words())];
        }
        vec![
            "it differs".to_owned(),
            format!("there: {}", self.there.words()),
            format!(" here: {}", self.here.words()),
        ]
    }
}

fn begin(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}.. ({} bytes)", &text[..at], text.len()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn error(kind: &str, message: &str) -> Outcome {
        Outcome::Error { kind: kind.into(), message: message.into() }
    }

    #[test]
    fn a_long_value_is_begun() {
        assert_eq!(begin(&"ä".repeat(SHOWN)), "ä".repeat(SHOWN));
        assert_eq!(begin(&"ä".repeat(SHOWN + 1)), format!("{}.. (802 bytes)", "ä".repeat(SHOWN)));
    }

    #[test]
    fn it_is_said_what_is_the_same_and_what_differs() {
        for (there, here, words) in [
            (Outcome::Value(json!(1.5)), Outcome::Value(json!(1.5)), "same value: 1.5"),
            (error("thrown", "no"), error("thrown", "no"), "same error: thrown: no"),
            (
                Outcome::Value(json!({"$number": "-0"})),
                Outcome::Value(json!(0)),
                "it differs\nthere: {\"$number\":\"-0\"}\n here: 0",
            ),
            (
                error("thrown", "no"),
                error("timeout", "no"),
                "it differs\nthere: thrown: no\n here: timeout: no",
            ),
            (error("thrown", "a"), Outcome::Value(json!(2)), "it differs\nthere: thrown: a\n here: 2"),
        ] {
            let told = Compared::of(&there, &here);
            assert_eq!((told.words().join("\n").as_str(), told.same), (words, words.starts_with("same")));
        }
    }
}
