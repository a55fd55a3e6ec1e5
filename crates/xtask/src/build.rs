//! Builds everything a person runs: worker, pages and the one binary that carries them.
//! It never tests and never starts anything.

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
}

/// The command `build`.
pub(crate) fn run(options: Options) -> Done {
    all(setup::for_build()?, options.release)
}

/// Worker, pages and server; the server last, because it takes the pages in.
pub(crate) fn all(toolchain: WasmToolchain, release: bool) -> Done {
    web::build(toolchain)?;
    server(release)
}

/// The server alone.
pub(crate) fn server(release: bool) -> Done {
    let mut cargo = sh::cargo();
    cargo.args(["build", "--package", "weevil-server"]).args(release.then_some("--release"));
    sh::run(&mut cargo, "mend the error above")
}
