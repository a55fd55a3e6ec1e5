//! What is said to a request that is refused, and of a workflow with mistakes.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use weevil_model::Diagnostic;

/// The media type of a [`Problem`] (RFC 9457, section 6.1).
pub const PROBLEM_JSON: &str = "application/problem+json";

/// One finding in a workflow, at its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DiagnosticView {
    pub code: String,
    /// `error` or `warning`.
    pub severity: String,
    pub file: String,
    /// From 1, as `column`, which counts characters.
    pub line: u32,
    pub column: u32,
    /// Just behind what is underlined; the start again where nothing is.
    pub end_line: u32,
    pub end_column: u32,
    pub message: String,
    pub help: Option<String>,
}

/// The body of every refusal: problem details (RFC 9457, section 3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// Where the code's page is: a path on the server that refuses.
    #[serde(rename = "type")]
    pub page: String,
    /// What the code means: the same for every refusal that has it.
    pub title: String,
    /// That of the answer.
    pub status: u16,
    /// What happened this time: the facts, and mostly the cure.
    pub detail: String,
    /// The path that was asked for.
    pub instance: String,
    /// Stable name of the error; `docs/errors` has a page for it.
    pub code: String,
    /// The answer's `x-request-id`: what the server's log says of the request stands under it.
    pub request_id: String,
    /// What is wrong with a workflow or with code; left out where that is not why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<DiagnosticView>>")]
    pub diagnostics: Vec<DiagnosticView>,
    /// What would be taken instead; left out where `detail` says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hint: Option<String>,
}

impl Problem {
    /// The path of a code's page.
    pub fn page_of(code: &str) -> String {
        format!("/docs/errors/{code}.html")
    }
}

impl From<&Diagnostic> for DiagnosticView {
    fn from(found: &Diagnostic) -> Self {
        Self {
            code: found.code.to_owned(),
            severity: found.severity.to_string(),
            file: found.file.clone(),
            line: found.line,
            column: found.column,
            end_line: found.end_line,
            end_column: found.end_column,
            message: found.message.clone(),
            help: found.help.clone(),
        }
    }
}
