//! What a `mod.rs` may hold: its head, what there is, and what is known of it elsewhere.
//! It never looks at other files, nor at those of tests, which read as one.

use super::finding::Finding;
use super::source::is_test;

/// What begins an item that belongs into a file with a name.
const ITEMS: [&str; 11] =
    ["fn", "async", "struct", "enum", "union", "impl", "const", "static", "type", "trait", "macro_rules!"];

/// All findings in the file at `path`.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    if is_test(path) || !path.ends_with("/mod.rs") {
        return Vec::new();
    }
    let items = text.lines().enumerate().filter(|(_, line)| is_item(line));
    let message = "a mod.rs names what there is, and holds nothing";
    items.map(|(at, _)| Finding::new(path, at + 1, message, "move it to a file with a name")).collect()
}

/// Items of the file itself begin a line.
fn is_item(line: &str) -> bool {
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => {
            rest.split_once(')').map_or(rest, |(_, rest)| rest).trim_start()
        }
        Some(rest) => rest.trim_start(),
        None => line,
    };
    let word = line.split([' ', '<', '(']).next().unwrap_or_default();
    ITEMS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mod_rs_with_an_item_is_found() {
        for (path, line, count) in [
            ("crates/a/src/b/mod.rs", "pub(crate) fn told() {}", 1),
            ("crates/a/src/b/mod.rs", "pub struct Told;", 1),
            ("crates/a/src/b/mod.rs", "impl<T> Told<T> {}", 1),
            ("crates/a/src/b/mod.rs", "const MOST: usize = 1;", 1),
            ("crates/a/src/b/mod.rs", "pub async fn told() {}", 1),
            ("crates/a/src/b/mod.rs", "macro_rules! told {", 1),
            ("crates/a/src/b/mod.rs", "pub(super) mod told;", 0),
            ("crates/a/src/b/mod.rs", "pub use told::{Told, tell};", 0),
            ("crates/a/src/b/mod.rs", "    pub fn inner() {}", 0),
            ("crates/a/src/told.rs", "pub fn told() {}", 0),
            ("crates/a/tests/told/mod.rs", "pub fn told() {}", 0),
            ("tests/src/told/mod.rs", "pub fn told() {}", 0),
        ] {
            assert_eq!(check(path, line).len(), count, "{path}: {line}");
        }
    }
}
