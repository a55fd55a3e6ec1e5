//! Builds everything a person runs: worker, pages and the one binary that carries them.
//! It never tests and never starts anything.

use std::process::Command;

use clap::Args;

use crate::failure::Done;
use crate::wasm_toolchain::WasmToolchain;
use crate::{setup, sh, web};

/// Options of `build`.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Options {
    /// Optimise: the binary is target/release/weevil
    #[arg(long)]
    pub release: bool,
    /// Have cargo report how long each crate of the server took, in target/cargo-timings
    #[arg(long)]
    pub timings: bool,
}

/// The command `build`.
pub(crate) fn run(options: Options) -> Done {
    all(setup::for_build()?, options)
}

/// Worker, pages and server; the server last, because it takes the pages in.
pub(crate) fn all(toolchain: WasmToolchain, options: Options) -> Done {
    web::build(toolchain)?;
    server(options)
}

/// The server alone.
pub(crate) fn server(options: Options) -> Done {
    sh::run(&mut cargo(options), "mend the error above")
}

fn cargo(options: Options) -> Command {
    let mut cargo = sh::cargo();
    cargo.args(["build", "--package", "weevil-server"]);
    cargo.args(options.release.then_some("--release")).args(options.timings.then_some("--timings"));
    cargo
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_passed_on() {
        for (release, timings, words) in [
            (false, false, "build --package weevil-server"),
            (true, false, "build --package weevil-server --release"),
            (false, true, "build --package weevil-server --timings"),
            (true, true, "build --package weevil-server --release --timings"),
        ] {
            let shown = sh::shown(&cargo(Options { release, timings }));
            assert!(shown.ends_with(words), "{shown}");
        }
    }
}
