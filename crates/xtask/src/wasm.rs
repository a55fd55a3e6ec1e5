//! Builds the volunteer's coordinator, the GPU module and the editor's checker: Rust to WebAssembly, and their JavaScript shells, into
//! `web/src/wasm`.
//! It never touches a native build.

use clap::Args;

use crate::failure::Done;
use crate::wasm_toolchain::{self, WasmToolchain};
use crate::{bindgen, sh};

/// The coordinator's package.
pub(crate) const PACKAGE: &str = "weevil-worker-wasm";
/// The GPU's.
pub(crate) const GPU_PACKAGE: &str = "weevil-gpu-wasm";
/// The checker's.
pub(crate) const CHECK_PACKAGE: &str = "weevil-check-wasm";

/// Options of `wasm`.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Options {
    /// Build without optimisation: faster to build, larger to load
    #[arg(long)]
    dev: bool,
}

const CURE: &str = "mend the error above, and keep what WebAssembly lacks out of what the pages share: files, clocks, threads; `cargo xtask setup` installs the toolchain";

/// The command `wasm`.
pub(crate) fn run(options: Options) -> Done {
    build(WasmToolchain::ensure()?, options.dev)
}

/// A module of the pages.
struct Module {
    /// The file that cargo leaves.
    built: &'static str,
    /// What its files are called in the page.
    name: &'static str,
}

const MODULES: [Module; 3] = [
    Module { built: "weevil_worker_wasm.wasm", name: "weevil_worker" },
    Module { built: "weevil_gpu_wasm.wasm", name: "weevil_gpu" },
    Module { built: "weevil_check_wasm.wasm", name: "weevil_check" },
];

/// Builds the modules with `toolchain`, side by side.
pub(crate) fn build(toolchain: WasmToolchain, dev: bool) -> Done {
    let (profile, folder) = if dev { ("dev", "debug") } else { ("wasm", "wasm") };
    let mut cargo = toolchain.cargo("build");
    cargo.args(["--package", PACKAGE, "--package", GPU_PACKAGE, "--package", CHECK_PACKAGE]);
    cargo.args(["--lib", "--profile", profile]);
    sh::run(&mut cargo, CURE)?;
    bindgen::ensure()?;
    let join = |it: &Module| bindgen::join(&wasm_toolchain::artefact(folder, it.built), it.name, dev);
    MODULES.iter().try_for_each(join)
}
