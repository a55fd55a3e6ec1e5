//! The tables of what jobs find, made of the list that the job runtime goes by.

use std::fmt::Write;

const LIST: &str = include_str!("../../../web/src/volunteer/job/realm/allowed.ts");
pub(crate) const BEGIN: &str = "<!-- names of jobs: generated -->\n";
pub(crate) const END: &str = "<!-- end of names of jobs -->";
const GLOBAL: &str = "globalThis";

/// A path and the names that stay there, in the list's order; the global object has two rows: the language's and the rest.
fn rows() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let is_path = |path: &str| path.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '.');
    let rows = LIST.lines().filter_map(|line| line.split_once(": ")).filter(move |(path, _)| is_path(path));
    rows.map(|(path, names)| (path, names.split(' ').collect()))
}

/// The names of the global object.
pub(crate) fn globals() -> String {
    let mut table = "\n| from | names |\n|---|---|\n".to_owned();
    let globals = rows().filter(|(path, _)| *path == GLOBAL);
    for (from, (_, names)) in ["the language", "the browser, and us"].into_iter().zip(globals) {
        // Writing to a String cannot fail.
        let _ = writeln!(table, "| {from} | {} |", code(&names));
    }
    table + "\n"
}

/// The names of everything else.
pub(crate) fn members() -> String {
    let mut table = globals() + "| of | names |\n|---|---|\n";
    for (path, names) in rows().filter(|(path, _)| *path != GLOBAL) {
        let _ = writeln!(table, "| `{path}` | {} |", code(&names));
    }
    table + "\n"
}

/// In two backticks: one name is a backtick itself.
fn code(names: &[&str]) -> String {
    let names = names.iter().map(|name| name.replace("\\`", "`"));
    let joined = names.collect::<Vec<_>>().join(" ");
    if joined.contains('`') { format!("`` {joined} ``") } else { format!("`{joined}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_list_is_a_row_of_the_table() {
        let members = members();
        for row in
            ["| `Math` | `E LN10", "| `Temporal.Now` |", "| the browser, and us | `self weevil", "`` $& "]
        {
            assert!(members.contains(row), "{row}: {members}");
        }
        assert!(!globals().contains("| `Math` |"));
    }
}
