//! `docs/SUMMARY.md`: the parts of the book and the pages in them, in their order. The form is mdBook's: headings name
//! parts, items of a list are links.
//!
//! Never reads another page.

use crate::address::named;

/// Where it lies, from the root of the repository.
pub(crate) const FILE: &str = "docs/SUMMARY.md";

/// Pages that belong together.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub title: String,
    pub entries: Vec<Entry>,
}

/// A page of the side bar.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub title: String,
    /// From the root of the repository.
    pub file: String,
}

/// What stands before the first heading of a part, the page's own title but for one, has no name.
pub(crate) fn read(text: &str) -> Vec<Part> {
    let mut parts = vec![Part { title: String::new(), entries: Vec::new() }];
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            parts.push(Part { title: title.to_owned(), entries: Vec::new() });
        } else if let (Some(entry), Some(part)) = (entry(line), parts.last_mut()) {
            part.entries.push(entry);
        }
    }
    parts.retain(|part| !part.entries.is_empty());
    parts
}

fn entry(line: &str) -> Option<Entry> {
    let rest = line.trim_start().trim_start_matches("- ").strip_prefix('[')?;
    let (title, rest) = rest.split_once("](")?;
    let (file, _) = rest.split_once(')')?;
    Some(Entry { title: title.to_owned(), file: named(FILE, file) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_the_pages_below_their_heading() {
        let text = "# Summary\n\n[Start](README.md)\n\n## Ways\n\n- [One](a/one.md)\n- [Two](../TWO.md)\n\n## Empty\n";
        let entry = |title: &str, file: &str| Entry { title: title.into(), file: file.into() };
        let expected = [
            Part { title: String::new(), entries: vec![entry("Start", "docs/README.md")] },
            Part {
                title: "Ways".into(),
                entries: vec![entry("One", "docs/a/one.md"), entry("Two", "TWO.md")],
            },
        ];
        assert_eq!(read(text), expected);
    }
}
