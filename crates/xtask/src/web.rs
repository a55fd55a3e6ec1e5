//! Builds the web pages, with the worker inside, into `web/dist`.
//! It never builds the server, which only carries them.

use crate::failure::Done;
use crate::wasm_toolchain::WasmToolchain;
use crate::{npm, setup, sh, wasm};

/// The command `web`.
pub(crate) fn run() -> Done {
    build(setup::for_build()?)
}

/// Builds the worker in its small profile, then the pages.
pub(crate) fn build(toolchain: WasmToolchain) -> Done {
    wasm::build(toolchain, false)?;
    pages()
}

/// Builds the pages around the worker that is there.
pub(crate) fn pages() -> Done {
    sh::run(&mut npm::script("build"), "mend the error above; `cargo xtask setup` installs the web packages")
}
