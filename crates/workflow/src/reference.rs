//! The language's elements and attributes as Markdown, for docs/language.md.
//!
//! Made from the checker's own tables, so that it cannot say anything else. Never says what edges do with ports and types.

use weevil_model::{DataType, JobType};

use crate::check::{KINDS, Kind};
use crate::xsd::{NUMBERS, attribute_help, element_help};

/// A section for each element, the root first, and the names of types.
pub fn reference() -> String {
    let elements: String = KINDS.iter().map(element).collect();
    let types = quoted(DataType::all().map(DataType::name));
    let job_types = quoted(JobType::ALL.iter().map(|job_type| job_type.as_str()));
    format!("{elements}## Types\n\n{types}.\n\nFor `jobtype`: {job_types}.\n")
}

fn element(kind: &Kind) -> String {
    let name = kind.name;
    let parents = quoted(kind.parents());
    let place = if parents.is_empty() { "The root.".to_owned() } else { format!("Stands in {parents}.") };
    let (help, children, attributes) = (element_help(name), children(kind), attributes(kind));
    format!("## `{name}`\n\n{help} {place}{children}\n\n{attributes}")
}

fn children(kind: &Kind) -> String {
    let part = |names: &[&'static str], how: &str| {
        (!names.is_empty()).then(|| format!("{} {how}", quoted(names.iter().copied())))
    };
    let parts = [
        part(kind.one, "once"),
        part(kind.at_most_one, "at most once"),
        part(kind.many, "any number of times"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { String::new() } else { format!(" Holds {}.", parts.join(", ")) }
}

fn attributes(kind: &Kind) -> String {
    let row = |(name, required): (&&'static str, &str)| {
        format!("| `{name}` | {required} | {}{} |\n", attribute_help(kind.name, name), range(name))
    };
    let required = kind.required.iter().map(|name| (name, "yes"));
    let rows: String = required.chain(kind.optional.iter().map(|name| (name, ""))).map(row).collect();
    if rows.is_empty() {
        rows
    } else {
        format!("| attribute | required | what it says |\n|---|---|---|\n{rows}\n")
    }
}

fn range(name: &str) -> String {
    let range = NUMBERS.iter().find(|(known, _)| *known == name);
    range.map_or_else(String::new, |(_, range)| format!(" From {} to {}.", range.start(), range.end()))
}

fn quoted<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_element_and_attribute_has_its_line() {
        let text = reference();
        for line in [
            "## `workflow`\n\nNodes, the edges between them, and the node whose value is the result. The root. Holds `nodes`, `finalnode` once, `edges` at most once.\n",
            "| `timeout` |  | Seconds that one attempt may take; 300, unless said otherwise. From 1 to 86400. |\n",
            "| `source` | yes | The id of the value, job or pool whose result is taken. |\n",
            "Stands in `pool`. Holds `parameters` at most once.",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }
}
