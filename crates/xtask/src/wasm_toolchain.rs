//! Finds, or installs, a Rust toolchain that builds for WebAssembly: rustup's target, or Debian's own compiler.
//! It never builds anything itself; it lends commands that do.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::apt::{self, Want};
use crate::failure::{Done, Failure};
use crate::{paths, sh};

const TARGET: &str = "wasm32-unknown-unknown";
const BUILD_STD: [&str; 2] = ["-Z", "build-std=std,panic_abort"];
const DEBIAN_BIN: &str = "/usr/bin";
const DEBIAN_LINKER: &str = "/usr/bin/wasm-ld-22";
const RUSTUP_LIMIT: Duration = Duration::from_mins(3);
/// Set to `rustup` or `debian` to take that toolchain and no other.
const CHOICE: &str = "WEEVIL_WASM_TOOLCHAIN";

const DEBIAN: [Want; 3] = [
    Want {
        any_of: &["/usr/share/doc/rustc-web"],
        packages: &["rustc-web", "cargo-web"],
        why: "a compiler that builds for WebAssembly",
    },
    Want {
        any_of: &["/usr/share/doc/rust-web-src"],
        packages: &["rust-web-src"],
        why: "its standard library, built from source",
    },
    Want { any_of: &[DEBIAN_LINKER], packages: &["lld-22"], why: "the linker for WebAssembly" },
];

const DEBIAN_CLIPPY: Want = Want {
    any_of: &["/usr/share/doc/rust-web-clippy"],
    packages: &["rust-web-clippy"],
    why: "lints for the WebAssembly build",
};

/// Who compiles for WebAssembly on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WasmToolchain {
    /// The compiler in use has the target's standard library.
    Rustup,
    /// Debian's rustc-web, which builds the standard library from its source package.
    Debian,
}

impl WasmToolchain {
    /// The toolchain there is, installed first where there is none.
    pub(crate) fn ensure() -> Done<Self> {
        match env::var(CHOICE).ok().as_deref() {
            None => Self::first_to_be_had(),
            Some("rustup") => Self::rustup().ok_or_else(|| {
                let cure = format!("rustup target add {TARGET}, or unset {CHOICE}");
                Failure::new(format!("{CHOICE}=rustup, but the target {TARGET} is not to be had"), cure)
            }),
            Some("debian") => Self::debian(),
            Some(other) => {
                let cure = format!("set {CHOICE} to `rustup` or `debian`, or unset it");
                Err(Failure::new(format!("{CHOICE}={other} is not a toolchain"), cure))
            }
        }
    }

    fn first_to_be_had() -> Done<Self> {
        Self::rustup().map_or_else(Self::debian, Ok)
    }

    fn rustup() -> Option<Self> {
        if has_standard_library() {
            return Some(Self::Rustup);
        }
        paths::find("rustup")?;
        sh::say(format!("the target {TARGET} is missing (the worker is WebAssembly): asking rustup for it"));
        let added = sh::attempt(sh::cmd("rustup").args(["target", "add", TARGET]), RUSTUP_LIMIT);
        (added && has_standard_library()).then_some(Self::Rustup)
    }

    fn debian() -> Done<Self> {
        apt::ensure(&DEBIAN)?;
        Ok(Self::Debian)
    }

    /// `cargo SUBCOMMAND --target wasm32-unknown-unknown` in a target folder of its own, so that two compilers
    /// never undo each other's work.
    pub(crate) fn cargo(self, subcommand: &str) -> Command {
        let mut command = match self {
            Self::Rustup => sh::cargo(),
            Self::Debian => sh::cmd(Path::new(DEBIAN_BIN).join("cargo")),
        };
        command.arg(subcommand);
        self.aim(&mut command);
        command
    }

    /// The same for `cargo clippy`, with the lints installed first where they are missing.
    pub(crate) fn clippy(self) -> Done<Command> {
        if self == Self::Rustup {
            return Ok(self.cargo("clippy"));
        }
        apt::ensure(&[DEBIAN_CLIPPY])?;
        // Cargo would look into rustup's folder first and run a driver of another version: call the subcommand by path.
        let mut command = sh::cmd(Path::new(DEBIAN_BIN).join("cargo-clippy"));
        command.arg("clippy");
        self.aim(&mut command);
        Ok(command)
    }

    fn aim(self, command: &mut Command) {
        command.args(["--target", TARGET]).env("CARGO_TARGET_DIR", target_folder());
        if self == Self::Debian {
            command.args(BUILD_STD);
            debian_environment(command);
        }
    }
}

/// Cargo's target folder of the WebAssembly builds.
pub(crate) fn target_folder() -> PathBuf {
    paths::target().join("wasm")
}

/// Where cargo leaves the worker's module for a profile's folder name.
pub(crate) fn artefact(profile_folder: &str, file: &str) -> PathBuf {
    target_folder().join(TARGET).join(profile_folder).join(file)
}

fn debian_environment(command: &mut Command) {
    let bin = Path::new(DEBIAN_BIN);
    command
        .env("RUSTC", bin.join("rustc"))
        .env("CARGO", bin.join("cargo"))
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", DEBIAN_LINKER)
        // rustup's cargo leaves its own libraries here, and they are of another version.
        .env_remove("LD_LIBRARY_PATH")
        .env("PATH", paths::search_path([PathBuf::from(DEBIAN_BIN)]));
}

fn has_standard_library() -> bool {
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    library_folder(&mut sh::cmd(compiler)).is_some_and(|folder| holds_core(&folder))
}

fn library_folder(compiler: &mut Command) -> Option<PathBuf> {
    let printed = sh::ask(compiler.args(["--print", "target-libdir", "--target", TARGET]))?;
    Some(PathBuf::from(printed.trim()))
}

/// Only the library itself counts: its folder may be there without it.
fn holds_core(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_library_folder_is_no_library() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!holds_core(folder.path()));
        fs::write(folder.path().join("libcore-0f.rlib"), "").unwrap();
        assert!(holds_core(folder.path()));
    }

    #[test]
    fn debian_builds_the_standard_library_and_rustup_does_not() {
        let words = |toolchain: WasmToolchain| sh::shown(&toolchain.cargo("build"));
        assert!(
            words(WasmToolchain::Debian)
                .starts_with("/usr/bin/cargo build --target wasm32-unknown-unknown -Z")
        );
        assert!(words(WasmToolchain::Rustup).ends_with("build --target wasm32-unknown-unknown"));
    }
}
