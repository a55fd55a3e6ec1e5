//! Why a body is no message of the plain protocol, in words that its author can use.

use std::fmt;

/// One mistake at its place, with the cure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct PlainError {
    /// From 1; 0 where the body as a whole is meant.
    pub line: u32,
    /// The element's name; empty where none was begun.
    pub element: String,
    pub found: String,
    pub cure: String,
}

impl PlainError {
    pub(super) fn new(line: u32, element: &str, found: impl Into<String>, cure: impl Into<String>) -> Self {
        let element = element.chars().take(40).collect();
        Self { line, element, found: found.into(), cure: cure.into() }
    }
}

impl fmt::Display for PlainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, element, found, cure } = self;
        match (line, element.as_str()) {
            (0, _) => write!(f, "{found}; {cure}"),
            (line, "") => write!(f, "line {line}: {found}; {cure}"),
            (line, element) => write!(f, "line {line}, <{element}>: {found}; {cure}"),
        }
    }
}
