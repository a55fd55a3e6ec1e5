//! What a misspelt element or attribute was meant to be. Never reports, never looks at what attributes say.

use super::schema::Kind;
use crate::document::Element;
use crate::suggest;

/// An attribute and what others call it. A part of its name needs no row: `type` is a part of `paramtype`.
const OTHER_NAMES: &[(&str, &[&str])] = &[
    ("id", &["name", "key", "ref", "node"]),
    ("source", &["from", "src", "start"]),
    ("dest", &["to", "target", "destination", "end"]),
    ("paramdest", &["port", "parameter", "input"]),
    ("src", &["file", "path", "source", "code", "script", "href"]),
    ("value", &["data", "content", "default"]),
    ("returntype", &["returns", "output"]),
    ("jobtype", &["language", "lang"]),
    ("retries", &["retry"]),
    ("project", &["name", "title", "who"]),
    ("question", &["aim", "purpose", "description", "why"]),
    ("link", &["url", "href", "homepage", "site"]),
];

/// Shorter ones are a part of too many names.
const SHORTEST_PART: usize = 3;

/// The kind that a child is or was meant to be. An `<edge>` that has children, where none can stand, is `<edges>`.
pub(super) fn child(child: &Element<'_>, parent: &Kind) -> Option<&'static Kind> {
    let known = Kind::find(child.name);
    let likely = |kind: &&Kind| parent.holds(kind) || child.children.is_empty() || !kind.is_empty();
    let nearest = || suggest::nearest(child.name, parent.children()).and_then(Kind::find);
    known.filter(likely).or_else(nearest).or(known)
}

/// The attribute that an unknown one was meant to be: one that the element lacks and none of `taken`.
pub(super) fn attribute(
    name: &str,
    element: &Element<'_>,
    kind: &Kind,
    taken: &[&str],
) -> Option<&'static str> {
    let lacks = |known: &&str| element.attribute(known).is_none() && !taken.contains(known);
    let lacking = || kind.attributes().filter(lacks);
    let name = name.to_lowercase();
    let required = || kind.required.iter().copied().filter(lacks);
    suggest::nearest(&name, lacking())
        .or_else(|| only(required().filter(|known| denotes(&name, known))))
        .or_else(|| only(lacking().filter(|known| denotes(&name, known))))
}

fn denotes(name: &str, known: &str) -> bool {
    let others = OTHER_NAMES.iter().find(|(attribute, _)| *attribute == known);
    let is_part = name.len() >= SHORTEST_PART && known.contains(name);
    is_part || others.is_some_and(|(_, others)| others.contains(&name))
}

fn only(mut names: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    names.next().filter(|_| names.next().is_none())
}
