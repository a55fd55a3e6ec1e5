//! Words that comments and pages do without: references that no reader of this repository can follow.
//! It never looks at code, and knows no grammar.

use super::finding::Finding;

/// The texts are split so that this file does not break its own rule.
const NOWHERE: [&str; 2] = [concat!("DESIGN", " section"), concat!("DESIGN", ".md")];

/// All findings in the file at `path`.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    let page = match path.rsplit_once('.') {
        Some((_, "md")) => true,
        Some((_, "rs" | "ts")) => false,
        _ => return Vec::new(),
    };
    let comment =
        |line: &&str| page || line.starts_with("//") || line.starts_with('*') || line.starts_with("/*");
    let lines = text.lines().map(str::trim_start).enumerate().filter(|(_, line)| comment(line));
    let broken = lines.filter(|(_, line)| NOWHERE.iter().any(|words| line.contains(words)));
    let cure = "say the figure, or name an ADR";
    broken.map(|(at, _)| Finding::new(path, at + 1, "a reference that no reader has", cure)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_to_nowhere_are_found_in_comments_and_pages() {
        for (path, line, count) in [
            ("a.rs", concat!("/// Measured (DESIGN", " section 7)."), 1),
            ("a.ts", concat!(" * See DESIGN", ".md."), 1),
            ("a.md", concat!("as in DESIGN", " section 7"), 1),
            ("a.rs", concat!("let a = \"DESIGN", " section 7\";"), 0),
            ("a.rs", "/// Measured (ADR 0002).", 0),
        ] {
            assert_eq!(check(path, line).len(), count, "{path}: {line}");
        }
    }
}
