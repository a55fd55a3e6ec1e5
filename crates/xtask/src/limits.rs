//! The bounds of the `limits.rs` files as tables for docs/limits.md: name, value, unit and what each bounds.
//! It reads their text alone, so that a newcomer's first command compiles none of those crates.

use std::fmt::Write;
use std::fs;

use crate::paths;

pub(crate) const BEGIN: &str = "<!-- limits: generated -->\n";
pub(crate) const END: &str = "<!-- end of limits -->";

/// The files, in the order of the page.
const FILES: [&str; 4] = [
    "crates/model/src/limits.rs",
    "crates/workflow/src/limits.rs",
    "crates/protocol/src/plain/limits.rs",
    "crates/access/src/limits.rs",
];

/// One constant of a file.
#[derive(Debug, PartialEq, Eq)]
struct Limit {
    name: String,
    value: String,
    /// Empty for a plain number.
    unit: String,
    /// The first sentence of its documentation.
    bounds: String,
}

/// A table for each file.
pub(crate) fn tables() -> String {
    let mut page = "\n".to_owned();
    for file in FILES {
        let text = fs::read_to_string(paths::root().join(file)).unwrap_or_default();
        // Writing to a String cannot fail; so below.
        let _ = write!(page, "`{file}`:\n\n| name | value | unit | what it bounds |\n|---|---|---|---|\n");
        for Limit { name, value, unit, bounds } in limits(&text) {
            let _ = writeln!(page, "| `{name}` | {value} | {unit} | {bounds} |");
        }
        page.push('\n');
    }
    page
}

/// The numbers and ranges among the constants of a file; a constant ends at its semicolon.
fn limits(text: &str) -> Vec<Limit> {
    let mut doc = String::new();
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(words) = line.strip_prefix("///") {
            doc += words;
            continue;
        }
        found.extend(limit(line, &doc));
        doc.clear();
    }
    found
}

fn limit(line: &str, doc: &str) -> Option<Limit> {
    let (head, value) = line.strip_suffix(';')?.split_once(" = ")?;
    let (_, constant) = head.split_once("const ")?;
    let (name, kind) = constant.split_once(": ")?;
    if kind.starts_with('&') {
        return None;
    }
    let (value, unit) = match value.strip_suffix(" * 1024 * 1024") {
        Some(count) => (count.to_owned(), "MiB".to_owned()),
        None => (shown(value), unit(doc)),
    };
    Some(Limit { name: name.to_owned(), value, unit, bounds: sentence(doc) })
}

/// Numbers and ranges as the other pages write them, anything else as code.
fn shown(value: &str) -> String {
    if let Some((from, to)) = value.split_once("..=") {
        return format!("{} to {}", shown(from), shown(to));
    }
    let (sign, digits) = value.strip_prefix('-').map_or(("", value), |digits| ("-", digits));
    if !digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_') {
        return format!("`{value}`");
    }
    // From five digits on the source has an underscore where a page has a comma.
    format!("{sign}{}", digits.replace('_', ","))
}

/// What is counted: the documentation begins with it, as in "Bytes of ..", or ends so, as in ".., in seconds.".
fn unit(doc: &str) -> String {
    let first = doc.split_whitespace().next().unwrap_or_default().to_lowercase();
    if doc.contains(", in seconds") {
        "seconds".to_owned()
    } else if first.ends_with('s') {
        first
    } else {
        String::new()
    }
}

/// The first sentence, fit for a cell.
fn sentence(doc: &str) -> String {
    let doc = doc.trim();
    let end = doc.find(". ").unwrap_or(doc.len());
    doc[..end].trim_end_matches('.').replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_becomes_a_row() {
        let text = "//! Head.\n\n/// Bytes of one value: an input,\n/// a result. More words.\npub const MAX_VALUE_BYTES: usize = 16 * 1024 * 1024;\n";
        let expected = Limit {
            name: "MAX_VALUE_BYTES".to_owned(),
            value: "16".to_owned(),
            unit: "MiB".to_owned(),
            bounds: "Bytes of one value: an input, a result".to_owned(),
        };
        assert_eq!(limits(text), [expected]);
    }

    #[test]
    fn values_read_as_on_other_pages() {
        for (value, expected) in [
            ("1000", "1000"),
            ("10_000", "10,000"),
            ("1_500_000", "1,500,000"),
            ("-50_000..=50_000", "-50,000 to 50,000"),
            ("1..=86_400", "1 to 86,400"),
            ("5 * MAX + 1", "`5 * MAX + 1`"),
        ] {
            assert_eq!(shown(value), expected, "{value}");
        }
    }

    #[test]
    fn the_documentation_names_the_unit() {
        for (doc, expected) in [
            (" Slots of one worker.", "slots"),
            (" What `timeout` may say, in seconds.", "seconds"),
            (" Nesting of one value.", ""),
        ] {
            assert_eq!(unit(doc), expected, "{doc}");
        }
    }

    #[test]
    fn text_is_no_limit_and_words_of_one_constant_do_not_reach_the_next() {
        let text = "/// A path.\npub const PATH: &str = \"/a\";\npub(super) const MAX_DEPTH: usize = 8;\n";
        let found = limits(text);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].name.as_str(), found[0].bounds.as_str()), ("MAX_DEPTH", ""));
    }
}
