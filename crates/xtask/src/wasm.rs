//! Builds the volunteer's coordinator and the GPU module: Rust to WebAssembly, and their JavaScript shells, into
//! `web/src/wasm`. Proves that the workflow language builds the same way, for the editor that lints with it.
//! It never touches a native build.

use clap::Args;

use crate::failure::Done;
use crate::wasm_toolchain::{self, WasmToolchain};
use crate::{setup, sh, tools};

/// The worker's package and the file that cargo makes of it.
pub(crate) const PACKAGE: &str = "weevil-worker-wasm";
const MODULE: &str = "weevil_worker_wasm.wasm";
/// The package whose parser and checker an editor in the browser needs.
const WORKFLOW: &str = "weevil-workflow";

/// Options of `wasm`.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Options {
    /// Build without optimisation: faster to build, larger to load
    #[arg(long)]
    dev: bool,
}

/// The command `wasm`.
pub(crate) fn run(options: Options) -> Done {
    build(setup::for_wasm()?, options.dev)
}

/// Compiles the workflow language to WebAssembly; nothing is kept of it.
pub(crate) fn workflow(toolchain: WasmToolchain) -> Done {
    sh::run(
        toolchain.cargo("build").args(["--package", WORKFLOW, "--lib"]),
        "keep what WebAssembly lacks out of crates/workflow: files, clocks, threads",
    )
}

/// One of the modules that the worker's package becomes.
struct Module {
    /// What their files are called.
    name: &'static str,
    /// What cargo is told besides.
    features: &'static [&'static str],
}

/// One after the other: both leave cargo's file under the same name.
const MODULES: [Module; 2] =
    [Module { name: "weevil_worker", features: &[] }, Module { name: "weevil_gpu", features: &GPU_FEATURES }];

/// How cargo is told to build the GPU module.
pub(crate) const GPU_FEATURES: [&str; 3] = ["--no-default-features", "--features", "gpu"];

/// Builds both modules with `toolchain`.
pub(crate) fn build(toolchain: WasmToolchain, dev: bool) -> Done {
    MODULES.iter().try_for_each(|module| build_module(module, toolchain, dev))
}

fn build_module(module: &Module, toolchain: WasmToolchain, dev: bool) -> Done {
    let (profile, folder) = if dev { ("dev", "debug") } else { ("wasm", "wasm") };
    let mut cargo = toolchain.cargo("build");
    cargo.args(["--package", PACKAGE, "--lib", "--profile", profile]).args(module.features);
    sh::run(&mut cargo, "mend the error above; `cargo xtask setup` installs the toolchain")?;
    let mut shell = tools::command("wasm-bindgen");
    shell.args(["--target", "web", "--out-dir", "web/src/wasm", "--out-name", module.name]);
    if !dev {
        shell.args(["--remove-name-section", "--remove-producers-section"]);
    }
    sh::run(shell.arg(wasm_toolchain::artefact(folder, MODULE)), "cargo xtask setup")
}
