//! What may be written into an attribute that names something: a node, a port, a file. Only what fits there.
//!
//! Elements, attributes and fixed words need no look at the document: an editor has them as a table (`web/src/console/editor/schema.gen.ts`).

use std::ops::Range;

use serde::Serialize;
use weevil_model::NodeKind;

use crate::outline::Place;
use crate::scan::{Attribute, Tag};
use crate::symbols::Symbols;
use crate::units::Units;

/// What a name of a module ends with.
const MODULE: &str = ".wasm";
/// Names that are offered at one place.
const MAX_OPTIONS: usize = 1000;

#[derive(Debug, Serialize)]
pub(crate) struct Completion {
    /// What is replaced.
    at: Place,
    options: Vec<Choice>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Choice {
    label: String,
    /// A type, or a kind of node.
    detail: String,
}

/// What fits at this unit of the text; `None` where a name is not expected. `files`: the paths of the workflow's files.
pub(crate) fn complete(text: &str, at: u32, files: &[String]) -> Option<Completion> {
    let units = Units::new(text);
    let byte = units.byte(at);
    let symbols = Symbols::new(text);
    // Tags stand in the order of their places.
    let (tag, attribute) = symbols.tags.iter().rev().skip_while(|tag| tag.at >= byte).find_map(|tag| {
        let holds = |found: &&Attribute<'_>| {
            let Range { start, end } = found.value_at;
            start <= byte && byte <= end && text[..start].ends_with(['"', '\''])
        };
        Some((tag, tag.attributes.iter().find(holds)?))
    })?;
    let mut options = options(&symbols, tag, attribute.name, files)?;
    options.truncate(MAX_OPTIONS);
    let Range { start, end } = attribute.value_at.clone();
    Some(Completion { at: Place { from: units.at(start), to: units.at(end) }, options })
}

fn options(symbols: &Symbols<'_>, tag: &Tag<'_>, attribute: &str, files: &[String]) -> Option<Vec<Choice>> {
    match (tag.name, attribute) {
        ("edge", "source") | ("finalnode", "id") => Some(nodes(symbols, |_| true)),
        ("edge", "dest") => Some(nodes(symbols, |kind| kind != NodeKind::Value)),
        ("edge", "paramdest") => Some(ports(symbols, tag)),
        (_, "src") => Some(sources(tag, files)),
        (_, "proof") => Some(stems(files, &[MODULE])),
        (_, "agree") => {
            Some(files.iter().filter(|path| path.ends_with(MODULE)).map(|path| file(path)).collect())
        }
        _ => None,
    }
}

fn nodes(symbols: &Symbols<'_>, fits: impl Fn(NodeKind) -> bool) -> Vec<Choice> {
    let fitting = symbols.nodes.iter().filter(|node| fits(node.kind));
    let tags = fitting.map(|node| symbols.tag(node)).filter(|tag| !tag.word("id").is_empty());
    tags.map(|tag| Choice {
        label: tag.word("id").to_owned(),
        detail: detail(tag.name, tag.word("returntype")),
    })
    .collect()
}

fn detail(kind: &str, returns: &str) -> String {
    if returns.is_empty() { kind.to_owned() } else { format!("{kind}, {returns}") }
}

/// Ports of the node that the edge leads to: those that no other edge feeds, and of the type that comes where both are known.
fn ports(symbols: &Symbols<'_>, edge: &Tag<'_>) -> Vec<Choice> {
    let Some(dest) = symbols.find(edge.word("dest")) else { return Vec::new() };
    let comes =
        symbols.find(edge.word("source")).map(|from| symbols.tag(&symbols.nodes[from]).word("returntype"));
    let others = symbols.edges.iter().map(|other| &symbols.tags[*other]);
    let fed: Vec<_> = others
        .filter(|other| other.at != edge.at && symbols.find(other.word("dest")) == Some(dest))
        .map(|other| other.word("paramdest"))
        .collect();
    let fits = |tag: &&Tag<'_>| {
        let takes = tag.word("paramtype");
        let same = comes.is_none_or(|comes| comes.is_empty() || takes.is_empty() || comes == takes);
        same && !fed.contains(&tag.word("id"))
    };
    let ports = symbols.nodes[dest].ports.iter().map(|port| &symbols.tags[*port]);
    ports
        .filter(fits)
        .map(|tag| Choice { label: tag.word("id").to_owned(), detail: tag.word("paramtype").to_owned() })
        .collect()
}

fn sources(tag: &Tag<'_>, files: &[String]) -> Vec<Choice> {
    match (tag.name, tag.word("jobtype")) {
        ("value", _) => stems(files, &[".json"]),
        (_, "wasm") => stems(files, &[MODULE]),
        (_, "webcl") => stems(files, &[".js", ".wgsl"]),
        _ => stems(files, &[".js"]),
    }
}

/// Files with one of these endings, without it where no other file could be meant.
fn stems(files: &[String], endings: &[&str]) -> Vec<Choice> {
    let stem = |path: &str| endings.iter().find_map(|ending| path.strip_suffix(ending).map(str::to_owned));
    let known: Vec<_> = files.iter().filter_map(|path| Some((path, stem(path)?))).collect();
    let clear =
        |name: &String| known.iter().filter(|(_, other)| other == name).count() == 1 && !files.contains(name);
    known
        .iter()
        .map(
            |(path, stem)| {
                if clear(stem) { Choice { label: stem.clone(), detail: (*path).clone() } } else { file(path) }
            },
        )
        .collect()
}

fn file(path: &str) -> Choice {
    Choice { label: path.to_owned(), detail: "file".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODES: &str = "<value id=\"v\" returntype=\"Number\"/><value id=\"w\" returntype=\"Array\"/><job id=\"j\" returntype=\"String\"><parameters><parameter id=\"a\" paramtype=\"Number\"/><parameter id=\"b\" paramtype=\"Number\"/><parameter id=\"c\" paramtype=\"Array\"/></parameters></job><edge source=\"v\" dest=\"j\" paramdest=\"b\"/>";
    const FILES: [&str; 6] = ["Add.js", "Mul.js", "Mul.wgsl", "in.json", "m.wasm", "workflow.xml"];

    /// The labels at the mark `|`, and what they replace.
    fn told(marked: &str) -> Option<(String, Vec<String>)> {
        let text = format!("<!-- é😀 -->{NODES}{marked}");
        let at = text.find('|').map_or(0, |byte| text[..byte].encode_utf16().count());
        let text = text.replacen('|', "", 1);
        let found = complete(&text, u32::try_from(at).unwrap_or_default(), &FILES.map(str::to_owned))?;
        let wide: Vec<u16> = text.encode_utf16().collect();
        let replaced = String::from_utf16_lossy(&wide[found.at.from as usize..found.at.to as usize]);
        Some((replaced, found.options.into_iter().map(|option| option.label).collect()))
    }

    #[test]
    fn only_what_fits_is_offered() {
        for (marked, replaced, labels) in [
            ("<edge source=\"|\"/>", "", "v w j"),
            ("<edge source=\"|", "", "v w j"),
            ("<edge source=\"v|\n<edge dest=\"j\"/>", "v", "v w j"),
            ("<edge dest=\"x|y\"/>", "xy", "j"),
            ("<finalnode id=\"|\"/>", "", "v w j"),
            ("<edge source=\"v\" dest=\"j\" paramdest=\"|\"/>", "", "a"),
            ("<edge source=\"w\" dest=\"j\" paramdest=\"|\"/>", "", "c"),
            ("<edge dest=\"j\" paramdest=\"|\"/>", "", "a c"),
            ("<edge dest=\"q\" paramdest=\"|\"/>", "", ""),
            ("<job src=\"|\"/>", "", "Add Mul"),
            ("<job jobtype=\"webcl\" src=\"|\"/>", "", "Add Mul.js Mul.wgsl"),
            ("<job jobtype=\"wasm\" src=\"|\"/>", "", "m"),
            ("<value src=\"|\"/>", "", "in"),
            ("<job proof=\"|\"/>", "", "m"),
            ("<job agree=\"|\"/>", "", "m.wasm"),
        ] {
            let labels: Vec<_> = labels.split_whitespace().map(str::to_owned).collect();
            assert_eq!(told(marked), Some((replaced.to_owned(), labels)), "{marked}");
        }
        for marked in ["|", "<edge |", "<edge source|", "<job returntype=\"|\"/>", "<edge source=\"v\"|/>"] {
            assert_eq!(told(marked), None, "{marked}");
        }
    }

    #[test]
    fn a_crowd_of_names_is_cut() {
        let values: Vec<_> = (0..MAX_OPTIONS + 5).map(|at| format!("<value id=\"v{at}\"/>")).collect();
        let text = values.concat() + "<edge source=\"";
        let at = u32::try_from(text.len()).unwrap_or_default();
        assert_eq!(complete(&text, at, &[]).map(|found| found.options.len()), Some(MAX_OPTIONS));
    }
}
