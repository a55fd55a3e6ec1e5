//! The headings of a page, each with the name that links to it: the one that GitHub and `cargo xtask tidy` give it.
//!
//! Never changes a page.

use std::collections::BTreeMap;

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};

/// A heading, in the order of the page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    pub level: HeadingLevel,
    pub anchor: String,
    pub text: String,
}

/// All headings; the second of two equal ones gets a number.
pub(crate) fn headings<'t>(events: impl Iterator<Item = Event<'t>>) -> Vec<Heading> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut headings = Vec::new();
    let mut open: Option<(HeadingLevel, String)> = None;
    for event in events {
        match (event, &mut open) {
            (Event::Start(Tag::Heading { level, .. }), _) => open = Some((level, String::new())),
            (Event::Text(text) | Event::Code(text), Some((_, words))) => *words += &text,
            (Event::End(TagEnd::Heading(_)), Some(_)) => {
                let Some((level, text)) = open.take() else { continue };
                let count = seen.entry(slug(&text)).and_modify(|count| *count += 1).or_default();
                let anchor = if *count == 0 { slug(&text) } else { format!("{}-{count}", slug(&text)) };
                headings.push(Heading { level, anchor, text });
            }
            _ => {}
        }
    }
    headings
}

/// The first heading of a text.
pub(crate) fn title(text: &str) -> Option<String> {
    headings(Parser::new(text)).into_iter().next().map(|heading| heading.text)
}

fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|it| if it == ' ' { '-' } else { it }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_named_as_links_name_them() {
        let text = "# `weevil.kernel` now\n## Twice\n## Twice\n### [Linked](a.md) word\n";
        let found: Vec<_> = headings(Parser::new(text)).into_iter().map(|heading| heading.anchor).collect();
        assert_eq!(found, ["weevilkernel-now", "twice", "twice-1", "linked-word"]);
        assert_eq!(title(text).as_deref(), Some("weevil.kernel now"));
    }
}
