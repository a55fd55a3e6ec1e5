//! The command `tidy`: every file that git holds, past every rule.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::finding::Finding;
use super::{arrows, decisions, english, functions, graph, links, locks, modules, source};
use crate::failure::{Done, Failure};
use crate::{codegen, paths, sh};

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
        findings.extend(functions::check(file, &text));
        findings.extend(locks::check(file, &text));
        findings.extend(english::check(file, &text));
        findings.extend(modules::check(file, &text));
        if Path::new(file).extension().is_some_and(|extension| extension == "md") {
            pages.insert(file.clone(), text);
        }
    }
    findings.extend(decisions::check(&pages));
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
