//! Installs Debian packages for tools that are missing, and says so.
//! It never asks, never removes and never upgrades anything.

use std::path::Path;

use crate::failure::{Done, Failure};
use crate::{paths, sh};

/// A tool that some step calls, and the packages that bring it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Want {
    /// Executables or absolute paths; one of them suffices.
    pub(crate) any_of: &'static [&'static str],
    pub(crate) packages: &'static [&'static str],
    pub(crate) why: &'static str,
}

impl Want {
    fn is_there(&self) -> bool {
        self.any_of.iter().any(|tool| {
            if tool.starts_with('/') { Path::new(tool).exists() } else { paths::find(tool).is_some() }
        })
    }
}

/// Installs what is missing of `wants`, with one refresh of the package lists.
pub(crate) fn ensure(wants: &[Want]) -> Done {
    let missing: Vec<_> = wants.iter().filter(|want| !want.is_there()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    for want in &missing {
        sh::say(format!(
            "{} is missing ({}): installing {}",
            want.any_of[0],
            want.why,
            want.packages.join(" ")
        ));
    }
    let packages: Vec<_> = missing.iter().flat_map(|want| want.packages).copied().collect();
    install(&packages)?;
    match missing.iter().find(|want| !want.is_there()) {
        None => Ok(()),
        Some(want) => Err(Failure::new(
            format!("{} is still missing after installing {}", want.any_of[0], want.packages.join(" ")),
            "install it by hand so that it lies on PATH",
        )),
    }
}

pub(crate) fn install(packages: &[&str]) -> Done {
    let cure = by_hand(packages);
    let prefix = refresh(packages, &cure)?;
    let mut install = vec!["install", "-y", "--no-install-recommends"];
    install.extend(packages);
    apt_get(&prefix, &install, &cure)
}

/// Puts the archive of a package into this folder. Nothing is installed.
pub(crate) fn download(package: &str, folder: &Path) -> Done {
    let cure = format!("cd {} && apt-get download {package}", folder.display());
    let download = || sh::run(sh::cmd("apt-get").args(["download", package]).current_dir(folder), &cure);
    // The lists of packages may be old, or not there.
    download().or_else(|_| refresh(&[package], &by_hand(&[package])).and_then(|_| download()))
}

/// Has the lists of packages read anew. Answers the words in front of apt-get.
fn refresh(packages: &[&str], cure: &str) -> Done<Vec<&'static str>> {
    if paths::find("apt-get").is_none() {
        return Err(Failure::new(
            format!("missing: {}; and there is no apt-get to install it with", packages.join(" ")),
            "install the same tools with this system's package manager",
        ));
    }
    let prefix = privilege(cure)?;
    apt_get(&prefix, &["update"], cure)?;
    Ok(prefix)
}

fn by_hand(packages: &[&str]) -> String {
    format!("sudo apt-get update && sudo apt-get install -y {}", packages.join(" "))
}

/// The words in front of apt-get: nothing for root, `sudo -n` (which never asks) otherwise.
fn privilege(cure: &str) -> Done<Vec<&'static str>> {
    let root = sh::ask(sh::cmd("id").arg("-u")).is_some_and(|id| id.trim() == "0");
    match (root, paths::find("sudo")) {
        (true, _) => Ok(vec![]),
        (false, Some(_)) => Ok(vec!["sudo", "-n"]),
        (false, None) => Err(Failure::new("installing packages needs root, and there is no sudo", cure)),
    }
}

fn apt_get(prefix: &[&str], args: &[&str], cure: &str) -> Done {
    let words: Vec<_> =
        prefix.iter().chain(&["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]).chain(args).collect();
    sh::run(sh::cmd(words[0]).args(&words[1..]), cure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cure_is_the_exact_command() {
        assert_eq!(
            by_hand(&["chromium", "chromium-driver"]),
            "sudo apt-get update && sudo apt-get install -y chromium chromium-driver"
        );
    }

    #[test]
    fn a_tool_is_there_by_name_or_by_path() {
        let want = |any_of| Want { any_of, packages: &[], why: "" };
        assert!(want(&["no-such-tool", "sh"]).is_there());
        assert!(want(&["/bin/sh"]).is_there());
        assert!(!want(&["no-such-tool"]).is_there());
    }
}
