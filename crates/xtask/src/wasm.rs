//! Builds the volunteer's coordinator and the GPU module: Rust to WebAssembly, and their JavaScript shells, into
//! `web/src/wasm`. Proves that the workflow language builds the same way, for the editor that lints with it.
//! It never touches a native build.

use clap::Args;

use crate::failure::Done;
use crate::wasm_toolchain::{self, WasmToolchain};
use crate::{bindgen, sh};

/// The coordinator's package.
pub(crate) const PACKAGE: &str = "weevil-worker-wasm";
/// The GPU's.
pub(crate) const GPU_PACKAGE: &str = "weevil-gpu-wasm";
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
    build(WasmToolchain::ensure()?, options.dev)
}

/// Compiles the workflow language to WebAssembly; nothing is kept of it.
pub(crate) fn workflow(toolchain: WasmToolchain) -> Done {
    sh::run(
        toolchain.cargo("build").args(["--package", WORKFLOW, "--lib"]),
        "keep what WebAssembly lacks out of crates/workflow: files, clocks, threads",
    )
}

/// A module of the volunteer's page.
struct Module {
    /// The file that cargo leaves.
    built: &'static str,
    /// What its files are called in the page.
    name: &'static str,
}

const MODULES: [Module; 2] = [
    Module { built: "weevil_worker_wasm.wasm", name: "weevil_worker" },
    Module { built: "weevil_gpu_wasm.wasm", name: "weevil_gpu" },
];

/// Builds both modules with `toolchain`, side by side.
pub(crate) fn build(toolchain: WasmToolchain, dev: bool) -> Done {
    let (profile, folder) = if dev { ("dev", "debug") } else { ("wasm", "wasm") };
    let mut cargo = toolchain.cargo("build");
    cargo.args(["--package", PACKAGE, "--package", GPU_PACKAGE, "--lib", "--profile", profile]);
    sh::run(&mut cargo, "mend the error above; `cargo xtask setup` installs the toolchain")?;
    bindgen::ensure()?;
    let join = |it: &Module| bindgen::join(&wasm_toolchain::artefact(folder, it.built), it.name, dev);
    MODULES.iter().try_for_each(join)
}
