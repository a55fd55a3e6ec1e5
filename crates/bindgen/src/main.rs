//! Makes the JavaScript and TypeScript around a module that was compiled for the page, at the version of wasm-bindgen
//! that Cargo.lock names: the crate and what joins it have to agree to the digit. A tool of the build, and no part of
//! the product. It never compiles anything.

use std::path::PathBuf;

use anyhow::Context;
use clap::Parser;
use wasm_bindgen_cli_support::Bindgen;

/// Join a WebAssembly module with its JavaScript
#[derive(Debug, Parser)]
struct Arguments {
    /// The module as the compiler left it
    module: PathBuf,
    /// The folder of the files that are made
    folder: PathBuf,
    /// What these files are called, without extension
    name: String,
    /// Keep the names of functions and the list of tools, for a build that is looked into
    #[arg(long)]
    names: bool,
}

fn main() -> anyhow::Result<()> {
    join(&Arguments::parse())
}

fn join(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { module, folder, name, names } = arguments;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).web(true)?.typescript(true);
    // The page does not say where its module lies.
    bindgen.omit_default_module_path(false).remove_name_section(!names).remove_producers_section(!names);
    bindgen.generate(folder).with_context(|| {
        format!("{} cannot be joined with its JavaScript; build it again: cargo xtask wasm", module.display())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_that_is_missing_is_named_with_the_cure() {
        let folder = std::env::temp_dir();
        let module = folder.join("no_such_module.wasm");
        let arguments = Arguments { module, folder, name: "none".into(), names: false };
        let refusal = join(&arguments).unwrap_err().to_string();
        assert!(refusal.contains("no_such_module.wasm") && refusal.contains("cargo xtask wasm"), "{refusal}");
    }
}
