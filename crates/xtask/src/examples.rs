//! Builds the WebAssembly modules of `examples/`, each beside its workflow.
//! It never runs them: the end-to-end tests do.

use std::fs;
use std::path::PathBuf;

use crate::apt::{self, Want};
use crate::failure::{Done, Failure};
use crate::wasm_toolchain::{self, WasmToolchain};
use crate::{paths, sh};

/// The newest first; the first that is there compiles.
const CLANG: [&str; 2] = ["clang-22", "clang"];

const C_FOR_WASM: [Want; 2] = [
    Want { any_of: &CLANG, packages: &["clang-22"], why: "compiles examples/wasm-c and examples/factors" },
    Want {
        any_of: &["wasm-ld-22", "wasm-ld"],
        packages: &["lld-22"],
        why: "links examples/wasm-c and examples/factors",
    },
];

/// The command `examples`.
pub(crate) fn run() -> Done {
    ensure()?;
    build(WasmToolchain::ensure()?)
}

/// What the build needs beyond the toolchain.
pub(crate) fn ensure() -> Done {
    apt::ensure(&C_FOR_WASM)
}

/// Builds all of them.
pub(crate) fn build(toolchain: WasmToolchain) -> Done {
    from_c("wasm-c", &["-msimd128", "-o", "Zeta.wasm", "zeta.c"])?;
    from_c("factors", &["-o", "Check.wasm", "check.c"])?;
    from_rust(toolchain)
}

fn folder(example: &str) -> PathBuf {
    paths::root().join("examples").join(example)
}

fn from_c(example: &str, more: &[&str]) -> Done {
    let clang = CLANG.into_iter().find(|clang| paths::find(clang).is_some()).unwrap_or(CLANG[0]);
    let mut command = sh::cmd(clang);
    command.args(["--target=wasm32", "-O2", "-nostdlib", "-Wl,--no-entry", "-Wall", "-Werror"]);
    command.args(more).current_dir(folder(example));
    sh::run(&mut command, "mend the error above; `cargo xtask setup` installs clang and lld")
}

fn from_rust(toolchain: WasmToolchain) -> Done {
    let folder = folder("wasm-rust");
    let mut cargo = toolchain.cargo("build");
    cargo.args(["--profile", "wasm", "--manifest-path"]).arg(folder.join("Cargo.toml"));
    sh::run(&mut cargo, "mend the error above; `cargo xtask setup` installs the toolchain")?;
    let module = folder.join("workflow/Describe.wasm");
    fs::copy(wasm_toolchain::artefact("wasm", "wasm_rust.wasm"), &module)
        .map(drop)
        .map_err(|error| Failure::file("write", &module, &error))
}
