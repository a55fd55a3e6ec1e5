//! Writes the TypeScript types of the wire from the Rust ones, or proves that they are the same.
//! It never decides what the types are: `weevil-protocol` does.

use std::fs;

use clap::Args;

use crate::failure::{Done, Failure};
use crate::{paths, sh};

/// The generated file, from the root.
pub(crate) const FILE: &str = "web/src/api/types.gen.ts";
/// What brings the file up to date.
pub(crate) const CURE: &str = "cargo xtask codegen";

/// Options of `codegen`.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Options {
    /// Write nothing; fail where the file is out of date
    #[arg(long)]
    check: bool,
}

/// The command `codegen`.
pub(crate) fn run(options: Options) -> Done {
    match (options.check, difference()) {
        (true, Some(line)) => {
            Err(Failure::new(format!("{FILE}:{line}: differs from the types of weevil-protocol"), CURE))
        }
        (true, None) => Ok(()),
        (false, _) => write(),
    }
}

/// The first line where the file differs from the types, counted from 1.
pub(crate) fn difference() -> Option<usize> {
    let found = fs::read_to_string(paths::root().join(FILE)).unwrap_or_default();
    first_difference(&found, &weevil_protocol::typescript())
}

fn write() -> Done {
    let path = paths::root().join(FILE);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| Failure::file("create", folder, &error))?;
    }
    fs::write(&path, weevil_protocol::typescript()).map_err(|error| Failure::file("write", &path, &error))?;
    sh::say(format!("{FILE} is up to date"));
    Ok(())
}

fn first_difference(found: &str, expected: &str) -> Option<usize> {
    if found == expected {
        return None;
    }
    let same = found.lines().zip(expected.lines()).take_while(|(a, b)| a == b).count();
    Some(same + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_first_line_that_differs() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some(2));
        assert_eq!(first_difference("", "a\n"), Some(1));
        assert_eq!(first_difference("a\n", "a\nb\n"), Some(2));
    }
}
