//! Builds everything a person runs: worker, pages and the one binary that carries them.
//! It never tests and never starts anything.

use std::process::Command;

use clap::Args;

use crate::failure::Done;
use crate::wasm_toolchain::WasmToolchain;
use crate::{setup, sh, web};

/// Options of `build`.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Options {
    /// Optimise: the binary is target/release/weevil
    #[arg(long)]
    release: bool,
    /// Have cargo report how long each crate of the server took, in target/cargo-timings
    #[arg(long)]
    timings: bool,
}

/// What the compiler is asked for; Cargo.toml says why there are three.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Profile {
    Dev,
    Demo,
    Release,
}

impl Profile {
    /// Its name for cargo.
    fn name(self) -> &'static str {
        match self {
            Self::Dev => "dev",
            Self::Demo => "demo",
            Self::Release => "release",
        }
    }
}

/// The command `build`.
pub(crate) fn run(options: Options) -> Done {
    let profile = if options.release { Profile::Release } else { Profile::Dev };
    all(setup::for_build()?, profile, options.timings)
}

/// Worker, pages and server; the server last, because it takes the pages in.
pub(crate) fn all(toolchain: WasmToolchain, profile: Profile, timings: bool) -> Done {
    web::build(toolchain)?;
    server(profile, timings)
}

/// The server alone; `timings` has cargo report how long each crate took.
pub(crate) fn server(profile: Profile, timings: bool) -> Done {
    sh::run(&mut cargo(profile, timings), "mend the error above")
}

fn cargo(profile: Profile, timings: bool) -> Command {
    let mut cargo = sh::cargo();
    cargo.args(["build", "--package", "weevil-server", "--profile", profile.name()]);
    cargo.args(timings.then_some("--timings"));
    cargo
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_passed_on() {
        for (profile, timings, words) in [
            (Profile::Dev, false, "build --package weevil-server --profile dev"),
            (Profile::Demo, false, "build --package weevil-server --profile demo"),
            (Profile::Release, false, "build --package weevil-server --profile release"),
            (Profile::Release, true, "build --package weevil-server --profile release --timings"),
        ] {
            let shown = sh::shown(&cargo(profile, timings));
            assert!(shown.ends_with(words), "{shown}");
        }
    }
}
