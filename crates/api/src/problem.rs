//! What is said to a request that is refused, and of a workflow with mistakes.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use weevil_model::Diagnostic;

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

/// The body of every refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ApiError {
    /// Stable name of the error; `docs/errors` has a page for it.
    pub code: String,
    pub message: String,
    #[serde(default)]
    pub diagnostics: Vec<DiagnosticView>,
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
