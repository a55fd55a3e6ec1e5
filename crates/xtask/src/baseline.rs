//! The build that a bench is compared with: a binary that is there, or a commit that is built once and kept.
//! It never measures anything.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Done, Failure};
use crate::{paths, sh};

const CURE: &str = "mend the error above, or give the path of a release binary";

/// What the bench program is told.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Baseline {
    pub server: PathBuf,
    /// Its own bench program, if it is there.
    pub program: Option<PathBuf>,
    /// For the report.
    pub name: String,
}

/// A file, or else a commit.
pub(crate) fn find(named: &str) -> Done<Baseline> {
    let file = Path::new(named);
    if file.is_file() {
        let server = file.canonicalize().map_err(|error| Failure::file("find", file, &error))?;
        return Ok(of_folder(&server, named.to_owned()));
    }
    let commit = format!("{named}^{{commit}}");
    let asked = sh::ask(sh::cmd("git").args(["rev-parse", "--verify", "--quiet", "--short=12", &commit]));
    let hash = asked.map(|hash| hash.trim().to_owned()).ok_or_else(|| {
        Failure::new(
            format!("`{named}` is neither a file nor a commit"),
            "give the path of a release binary of the server, or a commit that `git log` shows",
        )
    })?;
    let kept = baselines().join(&hash);
    let server = kept.join("weevil");
    if !server.is_file() {
        build(&hash, &kept)?;
    }
    Ok(of_folder(&server, hash))
}

/// The bench program of a build lies beside its server.
fn of_folder(server: &Path, name: String) -> Baseline {
    let program = server.with_file_name("bench");
    Baseline { server: server.to_owned(), program: program.is_file().then_some(program), name }
}

fn baselines() -> PathBuf {
    paths::target().join("baseline")
}

/// Builds a commit in a worktree of its own, keeps its two binaries, and lets go of the worktree.
fn build(hash: &str, kept: &Path) -> Done {
    let tree = kept.join("tree");
    sh::say(format!("the baseline {hash} is not there yet: building it, once"));
    // What a build that was ended has left behind.
    remove(&tree);
    sh::run(sh::cmd("git").args(["worktree", "add", "--force", "--detach"]).arg(&tree).arg(hash), CURE)?;
    let built = build_in(&tree).and_then(|folder| keep(&folder, kept));
    remove(&tree);
    built
}

/// With the commit's own builder. Answers where its binaries are.
fn build_in(tree: &Path) -> Done<PathBuf> {
    let target = baselines().join("target");
    let cargo = |args: &[&str]| -> Command {
        let mut cargo = sh::cargo();
        cargo.current_dir(tree).env("CARGO_TARGET_DIR", &target).env_remove("CARGO_MANIFEST_DIR").args(args);
        cargo
    };
    sh::run(&mut cargo(&["xtask", "build", "--release"]), CURE)?;
    sh::run(&mut cargo(&["build", "--release", "--package", "weevil-e2e", "--bin", "bench"]), CURE)?;
    Ok(target.join("release"))
}

/// The server last: a folder that has it is whole.
fn keep(folder: &Path, kept: &Path) -> Done {
    for name in ["bench", "weevil"] {
        let (from, part, to) = (folder.join(name), kept.join(format!("{name}.part")), kept.join(name));
        fs::copy(&from, &part).map_err(|error| Failure::file("copy", &from, &error))?;
        fs::rename(&part, &to).map_err(|error| Failure::file("keep", &to, &error))?;
    }
    Ok(())
}

fn remove(tree: &Path) {
    // Nothing to remove is the usual case.
    let _gone = sh::ask(sh::cmd("git").args(["worktree", "remove", "--force"]).arg(tree));
    let _swept = fs::remove_dir_all(tree);
    let _pruned = sh::ask(sh::cmd("git").args(["worktree", "prune"]));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_taken_as_it_is_with_the_program_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let server = folder.path().canonicalize().unwrap().join("weevil");
        fs::write(&server, "").unwrap();
        let named = server.display().to_string();
        assert_eq!(find(&named).unwrap().program, None);
        let program = server.with_file_name("bench");
        fs::write(&program, "").unwrap();
        assert_eq!(find(&named).unwrap(), Baseline { server, program: Some(program), name: named });
    }

    #[test]
    fn what_is_neither_a_file_nor_a_commit_is_refused_with_the_cure() {
        let refusal = find("no-such-commit").unwrap_err().to_string();
        assert!(refusal.contains("`no-such-commit` is neither a file nor a commit"), "{refusal}");
        assert!(refusal.contains("`git log`"), "{refusal}");
    }
}
