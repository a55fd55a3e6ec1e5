//! Which end-to-end tests differ from the main branch, as git tells it of this clone.
//! It never runs a test and never fetches anything.

use std::fs;

use crate::{paths, sh};

/// Names of the main branch, the likeliest first.
const MAIN: [&str; 5] = ["origin/HEAD", "origin/main", "origin/master", "main", "master"];

/// What the names of those tests begin with, or why nobody can tell.
pub(super) fn tests() -> Result<Vec<String>, String> {
    let git = |args: &[&str]| sh::ask(sh::cmd("git").args(args)).map(|text| text.trim().to_owned());
    let base = MAIN.iter().find_map(|main| git(&["merge-base", "HEAD", main]));
    let base = base.ok_or_else(|| format!("this clone has none of {}", MAIN.join(", ")))?;
    let listed = git(&["diff", "--name-only", "--diff-filter=d", &base, "--", "tests/e2e", "tests/src"]);
    let listed = listed.ok_or_else(|| format!("git does not list what differs from {base}"))?;
    let mut names: Vec<String> = listed.lines().filter(|path| has_tests(path)).filter_map(module).collect();
    names.sort();
    names.dedup();
    Ok(names)
}

/// What others only use is run with them: its own name would find nothing.
fn has_tests(path: &str) -> bool {
    let text = fs::read_to_string(paths::root().join(path)).unwrap_or_default();
    ["#[test]", "on_each_database!"].iter().any(|mark| text.contains(mark))
}

/// The module of a file, as the runner writes it before a test's name.
fn module(path: &str) -> Option<String> {
    let path = path.strip_prefix("tests/e2e/").or_else(|| path.strip_prefix("tests/src/"))?;
    let path = path.strip_suffix(".rs")?;
    let path = path.strip_suffix("/mod").unwrap_or(path);
    (!matches!(path, "main" | "lib" | "bench/main")).then(|| {
        let inside = path.strip_prefix("bench/").unwrap_or(path);
        inside.replace('/', "::") + "::"
    })
}

#[cfg(test)]
mod tests {
    use super::module;

    #[test]
    fn a_file_is_a_module_with_tests() {
        for (path, name) in [
            ("tests/e2e/alone.rs", Some("alone::")),
            ("tests/e2e/strain/cut.rs", Some("strain::cut::")),
            ("tests/e2e/hostile_clients/mod.rs", Some("hostile_clients::")),
            ("tests/src/hostile/cbor.rs", Some("hostile::cbor::")),
            ("tests/src/bench/report.rs", Some("report::")),
            ("tests/e2e/main.rs", None),
            ("tests/src/lib.rs", None),
            ("tests/Cargo.toml", None),
            ("docs/testing.md", None),
        ] {
            assert_eq!(module(path).as_deref(), name, "{path}");
        }
    }
}
