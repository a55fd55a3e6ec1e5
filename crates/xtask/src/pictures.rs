//! Takes the pictures of README.md from a real server with the pictures program of the end-to-end harness.
//! It never looks at them: people do, before they commit them.

use crate::build::{self, Profile};
use crate::failure::Done;
use crate::{browser, paths, setup, sh};

/// The command `pictures`.
pub(crate) fn run() -> Done {
    browser::ensure()?;
    build::all(setup::for_build()?, Profile::Dev, false)?;
    let mut pictures = sh::cargo();
    pictures.args(["run", "--package", "weevil-e2e", "--bin", "pictures", "--"]);
    pictures.arg(paths::weevil("debug")).arg(paths::root().join("docs/pictures"));
    sh::run(&mut pictures, "the message above names the cause; the program is tests/src/pictures")
}
