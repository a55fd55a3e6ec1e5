//! A problem in a workflow, told so that its author can cure it. Never decides what is a problem.

use std::fmt;

use minicbor::{Decode, Encode};
use serde::Serialize;
use ts_rs::TS;

/// Whether a problem keeps the workflow from running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, TS, Encode, Decode)]
#[cbor(index_only)]
#[serde(rename_all = "camelCase")]
#[ts(rename_all = "camelCase")]
pub enum Severity {
    /// The workflow cannot run.
    #[n(0)]
    Error,
    /// The workflow runs, though perhaps not as meant.
    #[n(1)]
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

/// One problem. Shown as `file:line:column: error[W0101]: message`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename_all = "camelCase")]
pub struct Diagnostic {
    /// One of the codes of `weevil-workflow`; never changes its meaning.
    pub code: &'static str,
    pub severity: Severity,
    /// The path in the bundle.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in characters (not bytes; a tab is one).
    pub column: u32,
    /// Just behind what the problem is about, counted the same way; the start again where nothing can be underlined.
    pub end_line: u32,
    pub end_column: u32,
    /// What was found and what was expected.
    pub message: String,
    /// The cure, where one is known.
    pub help: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, severity, file, line, column, message, .. } = self;
        write!(f, "{file}:{line}:{column}: {severity}[{code}]: {message}")
    }
}
