//! The cargo tools of the WebAssembly build and of CI, at the exact version, in `target/tools`.
//! It never installs anything into the person's own cargo folder.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::failure::{Done, Failure};
use crate::{paths, sh};

const TYPOS_VERSION: &str = "1.52.0";
const CARGO_DENY_VERSION: &str = "0.20.2";

/// These run for a second and take minutes to optimise: little optimisation is the fastest whole.
const QUICK_PROFILE: [(&str, &str); 4] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "64"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "0"),
];

/// A tool from crates.io.
#[derive(Debug)]
pub(crate) struct CargoTool {
    package: &'static str,
    binaries: &'static [&'static str],
    version: String,
    why: &'static str,
    /// The default features bring TLS, which nothing here speaks.
    default_features: bool,
}

/// What runs the worker's tests in a browser; its version must be that of the crate in Cargo.lock.
pub(crate) fn test_runner() -> Done<CargoTool> {
    let path = paths::root().join("Cargo.lock");
    let lock = fs::read_to_string(&path).map_err(|error| Failure::file("read", &path, &error))?;
    let version = locked_version(&lock, "wasm-bindgen").ok_or_else(|| {
        Failure::new("Cargo.lock does not name wasm-bindgen", "add wasm-bindgen to worker-wasm/Cargo.toml")
    })?;
    Ok(CargoTool {
        package: "wasm-bindgen-cli",
        binaries: &["wasm-bindgen", "wasm-bindgen-test-runner"],
        version: version.to_owned(),
        why: "runs the worker's tests in a browser",
        default_features: false,
    })
}

/// typos, which finds misspelt words.
pub(crate) fn typos() -> CargoTool {
    CargoTool {
        package: "typos-cli",
        binaries: &["typos"],
        version: TYPOS_VERSION.to_owned(),
        why: "finds misspelt words",
        default_features: true,
    }
}

/// cargo-deny, which reads licences, sources and bans.
pub(crate) fn cargo_deny() -> CargoTool {
    CargoTool {
        package: "cargo-deny",
        binaries: &["cargo-deny"],
        version: CARGO_DENY_VERSION.to_owned(),
        why: "reads the licences of what comes in",
        default_features: false,
    }
}

/// Installs those of `wanted` whose version is neither in `target/tools` nor on PATH.
pub(crate) fn ensure(wanted: &[CargoTool]) -> Done {
    let missing: Vec<_> = wanted.iter().filter(|tool| !tool.is_there()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    for tool in missing {
        tool.fetch()?;
    }
    let build = build_folder();
    fs::remove_dir_all(&build).map_err(|error| Failure::file("remove", &build, &error))
}

impl CargoTool {
    fn fetch(&self) -> Done {
        sh::say(format!("{} {} is missing ({}): installing it", self.package, self.version, self.why));
        sh::say("this takes a minute or two, once");
        // The lock file that came with the tool first; where a crate it names is not to be had, what fits now.
        let cure = format!("cargo install {} --version {}", self.package, self.version);
        if let Err(failure) = sh::run(&mut self.install(&["--locked"]), &cure) {
            sh::say(failure.to_string());
            sh::say("its own lock file cannot be met here: installing with the newest crates that fit");
            sh::run(&mut self.install(&[]), &cure)?;
        }
        if self.is_there() {
            return Ok(());
        }
        Err(Failure::new(format!("{} was installed but does not answer", self.package), cure))
    }

    fn is_there(&self) -> bool {
        self.binaries.iter().all(|binary| {
            let path = paths::find_in(&search_path(), binary);
            let answer = path.and_then(|path| sh::ask(sh::cmd(path).arg("--version")));
            answer.is_some_and(|answer| answer.split_whitespace().any(|word| word == self.version))
        })
    }

    fn install(&self, extra: &[&str]) -> Command {
        let mut command = sh::cargo();
        command.args(["install", self.package, "--version", &self.version, "--force"]).args(extra);
        if !self.default_features {
            command.arg("--no-default-features");
        }
        command.arg("--root").arg(folder());
        command.env("CARGO_TARGET_DIR", build_folder());
        command.envs(QUICK_PROFILE);
        for inherited in ["RUSTC", "RUSTC_BOOTSTRAP", "RUSTFLAGS", "CARGO_BUILD_TARGET"] {
            command.env_remove(inherited);
        }
        command
    }
}

/// A command that finds the tools of `target/tools` first.
pub(crate) fn command(binary: &str) -> Command {
    let mut command = sh::cmd(find(binary));
    command.env("PATH", search_path());
    command
}

/// Where a tool is; its bare name where it is nowhere.
pub(crate) fn find(binary: &str) -> PathBuf {
    paths::find_in(&search_path(), binary).unwrap_or_else(|| PathBuf::from(binary))
}

/// Where the tools' executables are.
pub(crate) fn bin() -> PathBuf {
    folder().join("bin")
}

fn folder() -> PathBuf {
    paths::target().join("tools")
}

/// One for all tools, which share most of their crates, and kept until all are there: an interrupted build goes on.
fn build_folder() -> PathBuf {
    folder().join("build")
}

fn search_path() -> OsString {
    paths::search_path([bin()])
}

/// The version that a Cargo.lock gives `package`.
fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = "\
[[package]]
name = \"wasm-bindgen-macro\"
version = \"0.2.99\"

[[package]]
name = \"wasm-bindgen\"
version = \"0.2.130\"
";

    #[test]
    fn reads_the_locked_version() {
        assert_eq!(locked_version(LOCK, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(locked_version(LOCK, "wgpu"), None);
    }

    #[test]
    fn a_tool_is_built_by_the_plain_compiler() {
        let install = typos().install(&["--locked"]);
        let removed = |name: &str| install.get_envs().any(|(key, value)| key == name && value.is_none());
        assert!(removed("RUSTC") && removed("RUSTC_BOOTSTRAP"));
    }

    #[test]
    fn its_own_folder_comes_first() {
        assert_eq!(std::env::split_paths(&search_path()).next(), Some(bin()));
    }
}
