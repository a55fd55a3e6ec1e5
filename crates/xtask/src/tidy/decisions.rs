//! Decisions: each page of docs/adr/ has a status, and the index names it with title and status.
//! It never judges what was decided.

use std::collections::BTreeMap;

use super::finding::Finding;

const FOLDER: &str = "docs/adr/";
const INDEX: &str = "docs/adr/README.md";

/// All findings; `pages` are the Markdown files by path.
pub(super) fn check(pages: &BTreeMap<String, String>) -> Vec<Finding> {
    let index = pages.get(INDEX).map_or("", String::as_str);
    let decisions = pages.iter().filter(|(path, _)| path.starts_with(FOLDER) && *path != INDEX);
    decisions.filter_map(|(path, text)| finding(path, text, index)).collect()
}

fn finding(path: &str, text: &str, index: &str) -> Option<Finding> {
    let Some(status) = text.lines().find_map(|line| line.strip_prefix("Status: ")) else {
        let cure = "write `Status: accepted` below the title";
        return Some(Finding::new(path, 1, "a decision without a status", cure));
    };
    let head = text.lines().next().unwrap_or_default();
    let (number, title) = head.strip_prefix("# ").unwrap_or(head).split_once(": ")?;
    let file = path.strip_prefix(FOLDER).unwrap_or(path);
    let row = format!("| [{number}]({file}) | {title} | {status} |");
    let missing = !index.lines().any(|line| line == row);
    missing.then(|| Finding::new(INDEX, 1, format!("does not name {path}"), format!("add the row `{row}`")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_has_a_status_and_a_row() {
        const ROW: &str = "| [0001](0001-a.md) | A | accepted |";
        for (page, index, expected) in [
            ("# 0001: A\n\nStatus: accepted\n", ROW, 0),
            ("# 0001: A\n", ROW, 1),
            ("# 0001: A\n\nStatus: accepted\n", "", 1),
            ("# 0001: B\n\nStatus: accepted\n", ROW, 1),
            ("# 0001: A\n\nStatus: superseded by 0002\n", ROW, 1),
        ] {
            let pages = [("docs/adr/0001-a.md", page), (INDEX, index)];
            let pages = pages.map(|(path, text)| (path.to_owned(), text.to_owned()));
            assert_eq!(check(&BTreeMap::from(pages)).len(), expected, "{page} {index}");
        }
    }
}
