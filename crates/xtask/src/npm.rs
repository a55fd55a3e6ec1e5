//! Node's side of the build: Node itself, npm, and the packages of `web/`.
//! It never chooses a package's version; package-lock.json does.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use crate::apt::{self, Want};
use crate::failure::{Done, Failure};
use crate::{paths, sh};

const OLDEST_NODE: u32 = 20;
const NODE: Want = Want {
    any_of: &["node"],
    packages: &["nodejs", "npm"],
    why: "builds the web pages and runs their tests",
};
const NPM: Want = Want { any_of: &["npm"], packages: &["npm"], why: "installs the web packages" };

/// Installs Node, npm and the packages of `web/` where they are missing or older than the lock file.
pub(crate) fn ensure() -> Done {
    apt::ensure(&[NODE, NPM])?;
    check_node()?;
    let web = paths::root().join("web");
    let locked = web.join("package-lock.json").is_file();
    if locked && is_current(&web) {
        return Ok(());
    }
    let install = if locked { "ci" } else { "install" };
    sh::say("web/node_modules is missing or older than its lock file: installing the web packages");
    let cure = format!("cd web && npm {install}");
    sh::run(npm().args([install, "--no-audit", "--no-fund"]), &cure)
}

/// npm in `web/`.
pub(crate) fn npm() -> Command {
    let mut command = sh::cmd("npm");
    command.current_dir(paths::root().join("web"));
    command
}

/// `npm run SCRIPT` in `web/`.
pub(crate) fn script(script: &str) -> Command {
    let mut command = npm();
    command.args(["run", script]);
    command
}

fn check_node() -> Done {
    let cure = format!("install Node {OLDEST_NODE} or newer so that `node` on PATH is that one");
    let version = sh::output(sh::cmd("node").arg("--version"), &cure)?;
    match major(&version) {
        Some(found) if found >= OLDEST_NODE => Ok(()),
        _ => Err(Failure::new(format!("Node {} is too old for the web build", version.trim()), cure)),
    }
}

fn major(version: &str) -> Option<u32> {
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// npm writes its own copy of the lock file last: it is there, and younger, only after a whole installation.
fn is_current(web: &Path) -> bool {
    let installed = modified(&web.join("node_modules/.package-lock.json"));
    installed.is_some() && installed >= modified(&web.join("package-lock.json"))
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_nodes_major_version() {
        assert_eq!(major("v20.20.2\n"), Some(20));
        assert_eq!(major("node"), None);
    }

    #[test]
    fn a_half_installation_is_not_current() {
        let web = tempfile::tempdir().unwrap();
        fs::write(web.path().join("package-lock.json"), "{}").unwrap();
        fs::create_dir(web.path().join("node_modules")).unwrap();
        assert!(!is_current(web.path()));
        fs::write(web.path().join("node_modules/.package-lock.json"), "{}").unwrap();
        assert!(is_current(web.path()));
    }
}
