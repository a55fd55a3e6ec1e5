//! Links between the pages of this repository: the file is there, and so is the heading.
//! It never asks the network: addresses of other sites are not looked at.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::Finding;

/// All findings; `pages` are the Markdown files by path, `files` the paths of all files.
pub(super) fn check(pages: &BTreeMap<String, String>, files: &BTreeSet<String>) -> Vec<Finding> {
    let anchors: BTreeMap<&str, BTreeSet<String>> =
        pages.iter().map(|(path, text)| (path.as_str(), anchors(text))).collect();
    let links = pages.iter().flat_map(|(path, text)| links(text).map(move |(line, to)| (path, line, to)));
    links.filter_map(|(path, line, to)| broken(path, line, to, &anchors, files)).collect()
}

fn broken(
    page: &str,
    line: usize,
    to: &str,
    anchors: &BTreeMap<&str, BTreeSet<String>>,
    files: &BTreeSet<String>,
) -> Option<Finding> {
    if to.contains("://") || to.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = to.split_once('#').unwrap_or((to, ""));
    let target = if path.is_empty() { page.to_owned() } else { beside(page, path) };
    let folder = format!("{}/", target.trim_end_matches('/'));
    let is_folder = || target.is_empty() || files.iter().any(|file| file.starts_with(&folder));
    if !files.contains(&target) && !is_folder() {
        return Some(Finding::new(page, line, format!("links to {to}, where nothing is"), "name a file"));
    }
    let headings = anchors.get(target.as_str());
    if anchor.is_empty() || headings.is_none_or(|headings| headings.contains(anchor)) {
        return None;
    }
    let what = format!("links to #{anchor}, a heading that {target} does not have");
    Some(Finding::new(page, line, what, "name one of its headings"))
}

/// A path that stands in `page`, from the root of the repository.
fn beside(page: &str, path: &str) -> String {
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// The lines that are prose, counted from 1: no code blocks.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_code = false;
    text.lines().enumerate().filter_map(move |(at, line)| {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        (!in_code && !fence).then_some((at + 1, line))
    })
}

/// Line and target of each link, but those that stand in inline code.
fn links(text: &str) -> impl Iterator<Item = (usize, &str)> {
    prose(text).flat_map(|(number, line)| {
        let ends = line.match_indices("](").filter(|(at, _)| line[..*at].matches('`').count() % 2 == 0);
        ends.filter_map(move |(at, _)| Some((number, line[at + 2..].split_once(')')?.0)))
    })
}

/// What GitHub calls the headings of a page: the second of two equal ones gets a number.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for (_, line) in prose(text).filter(|(_, line)| line.starts_with('#')) {
        let name = slug(line.trim_start_matches('#').trim());
        let count = seen.entry(name.clone()).or_default();
        anchors.insert(if *count == 0 { name } else { format!("{name}-{count}") });
        *count += 1;
    }
    anchors
}

fn slug(heading: &str) -> String {
    // Only the text of a link in a heading counts.
    let mut text = String::new();
    let mut rest = heading;
    while let Some((before, after)) = rest.split_once("](") {
        text += before;
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    text += rest;
    let kept = text.chars().filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|it| if it == ' ' { '-' } else { it }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: &str =
        "# Home\n## The worker's `WebSocket`\n## Twice\n## Twice\n### [Linked](docs/a.md) word\n";

    fn whats(text: &str) -> Vec<String> {
        let pages = [("docs/a.md", text), ("README.md", HOME)];
        let pages: BTreeMap<String, String> =
            pages.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let files = ["docs/a.md", "README.md", "docs/adr/0001.md", "server/src/main.rs"];
        let files = files.iter().map(|file| (*file).to_owned()).collect();
        check(&pages, &files).into_iter().map(|finding| finding.what).collect()
    }

    #[test]
    fn what_is_there_is_no_finding() {
        for text in [
            "[a](../README.md) and [b](adr/0001.md), [c](adr/), [d](../server/src/main.rs)",
            "[a](../README.md#the-workers-websocket) [b](../README.md#twice-1) [c](../README.md#linked-word)",
            "# Here\n[a](#here)",
            "[a](https://example.org/nothing) [b](mailto:nobody@example.org)",
            "```text\n[a](nothing.md)\n```\n`[a](nothing.md)`",
        ] {
            assert_eq!(whats(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn what_is_not_there_is_found_at_its_line() {
        for (text, expected) in [
            ("[a](nothing.md)", "links to nothing.md, where nothing is"),
            ("`code` and [a](../docs/b.md)", "links to ../docs/b.md, where nothing is"),
            ("# Here\n[a](#there)", "links to #there, a heading that docs/a.md does not have"),
            ("[a](../README.md#thrice)", "links to #thrice, a heading that README.md does not have"),
            ("[a](../README.md#twice-2)", "links to #twice-2, a heading that README.md does not have"),
        ] {
            assert_eq!(whats(text), [expected], "{text}");
        }
        let pages = BTreeMap::from([("a.md".to_owned(), "\n\n[a](b.md)".to_owned())]);
        assert_eq!(check(&pages, &BTreeSet::from(["a.md".to_owned()]))[0].line, 3);
    }
}
