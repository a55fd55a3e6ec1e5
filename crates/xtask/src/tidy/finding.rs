//! What is told of a broken rule.

use std::fmt;

/// One broken rule at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// Path from the root of the repository.
    file: String,
    /// Counted from 1.
    pub(super) line: usize,
    pub(super) what: String,
    cure: String,
}

impl Finding {
    pub(super) fn new(file: &str, line: usize, what: impl Into<String>, cure: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, what: what.into(), cure: cure.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}, {}", self.file, self.line, self.what, self.cure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_one_line_with_place_and_cure() {
        let finding = Finding::new("server/src/main.rs", 3, "uses sqlx", "move it to crates/store");
        assert_eq!(finding.to_string(), "server/src/main.rs:3: uses sqlx, move it to crates/store");
    }
}
