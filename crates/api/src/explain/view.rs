//! The body: reasons as a page and a command line get them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Why something stands as it does, most telling first; empty for what has ended well.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    pub reasons: Vec<ReasonView>,
}

/// One reason.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ReasonView {
    /// The stable name of the reason, such as `noWorker`.
    pub code: String,
    /// Its numbers by name, those that are known; moments and spans in milliseconds.
    #[ts(type = "Record<string, number>")]
    pub numbers: BTreeMap<String, f64>,
    /// A sentence or two.
    pub text: String,
    /// What can be done about it; left out where nothing has to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cure: Option<String>,
    /// The path of the nearest node that it holds for; left out for jobs, workers and classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub node: Option<String>,
}

impl ReasonView {
    pub(super) fn new(code: &str, text: impl Into<String>) -> Self {
        Self { code: code.to_owned(), text: text.into(), ..Self::default() }
    }

    #[must_use]
    pub(super) fn cure(self, cure: impl Into<String>) -> Self {
        Self { cure: Some(cure.into()), ..self }
    }

    /// A number that is known.
    #[must_use]
    pub(super) fn number(mut self, name: &str, number: impl Into<f64>) -> Self {
        self.numbers.insert(name.to_owned(), number.into());
        self
    }

    /// A number that may not be known.
    #[must_use]
    pub(super) fn perhaps(self, name: &str, number: Option<impl Into<f64>>) -> Self {
        match number {
            Some(number) => self.number(name, number),
            None => self,
        }
    }

    /// The same, for a node and as many as `nodes` in all.
    #[must_use]
    pub fn at(self, node: String, nodes: u32) -> Self {
        Self { node: Some(node), ..self.number("nodes", nodes) }
    }
}
