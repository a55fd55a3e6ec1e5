//! Proves the borders between the crates and the habits of every file, and prints what breaks them.
//! It never mends anything: each finding names its cure.

mod arrows;
mod graph;
mod links;
mod locks;
mod source;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

use crate::failure::{Done, Failure};
use crate::{codegen, paths, sh};

/// One broken rule at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// Path from the root of the repository.
    file: String,
    /// Counted from 1.
    line: usize,
    what: String,
    cure: String,
}

impl Finding {
    fn new(file: &str, line: usize, what: impl Into<String>, cure: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, what: what.into(), cure: cure.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}, {}", self.file, self.line, self.what, self.cure)
    }
}

/// Who may know whom, as text for ARCHITECTURE.md.
pub(crate) fn arrows_picture() -> String {
    arrows::picture()
}

/// The command `tidy`.
pub(crate) fn run() -> Done {
    let findings = findings()?;
    for finding in &findings {
        println!("{finding}");
    }
    if findings.is_empty() {
        sh::say("tidy: all borders hold");
        return Ok(());
    }
    Err(Failure::new(format!("tidy: {} findings", findings.len()), "each line above names its own"))
}

fn findings() -> Done<Vec<Finding>> {
    let root = paths::root();
    let mut findings = arrows::check(&graph::read()?, |manifest| {
        fs::read_to_string(root.join(manifest)).unwrap_or_default()
    });
    let mut pages = BTreeMap::new();
    let files = tracked_files()?;
    for file in &files {
        // A file that git knows and the person has just removed is not theirs to mend.
        let Ok(bytes) = fs::read(root.join(file)) else { continue };
        let Ok(text) = String::from_utf8(bytes) else { continue };
        findings.extend(source::check(file, &text));
        findings.extend(locks::check(file, &text));
        if Path::new(file).extension().is_some_and(|extension| extension == "md") {
            pages.insert(file.clone(), text);
        }
    }
    findings.extend(links::check(&pages, &files.into_iter().collect()));
    findings.extend(codegen::stale().into_iter().map(|stale| {
        let what = format!("differs from {}", stale.owner);
        Finding::new(stale.file, stale.line, what, format!("run `{}`", codegen::CURE))
    }));
    Ok(findings)
}

/// What git holds or would hold: nothing that a build leaves behind.
fn tracked_files() -> Done<Vec<String>> {
    let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let files = sh::output(sh::cmd("git").args(list), "run it in a git checkout, with git installed")?;
    Ok(files.split('\0').filter(|file| !file.is_empty()).map(str::to_owned).collect())
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
