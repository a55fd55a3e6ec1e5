//! Builds the tool that joins a module with its JavaScript (`crates/bindgen`), and runs it.
//! It never compiles a module.

use std::path::Path;
use std::process::Command;

use crate::failure::Done;
use crate::{paths, sh};

const PACKAGE: &str = "weevil-bindgen";
/// Where the page looks for what is made.
const OUTPUT: &str = "web/src/wasm";

/// Builds the tool where it is not there yet, without optimisation: it runs for a second, and so would be compiled for longer.
pub(crate) fn ensure() -> Done {
    let mut cargo = sh::cargo();
    cargo.args(["build", "--package", PACKAGE]);
    sh::run(&mut cargo, "mend the error above")
}

/// Makes the files called `name` from the module that cargo left; `names` keeps those of functions.
pub(crate) fn join(module: &Path, name: &str, names: bool) -> Done {
    sh::run(&mut command(module, name, names), "cargo xtask wasm builds the module anew")
}

fn command(module: &Path, name: &str, names: bool) -> Command {
    let mut command = sh::cmd(paths::target().join("debug").join(PACKAGE));
    command.arg(module).args([OUTPUT, name]).args(names.then_some("--names"));
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_where_asked_for() {
        for (names, end) in [(false, " web/src/wasm weevil_gpu"), (true, " web/src/wasm weevil_gpu --names")]
        {
            let shown = sh::shown(&command(Path::new("module.wasm"), "weevil_gpu", names));
            assert!(shown.ends_with(&format!("module.wasm{end}")), "{shown}");
        }
    }
}
