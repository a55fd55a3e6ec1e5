//! A document against the table of the language: names of elements and attributes, and where they stand.
//!
//! Never looks at what attributes say.

use std::collections::HashSet;
use std::ops::Range;

use super::near_names;
use super::schema::{KINDS, Kind};
use crate::codes;
use crate::document::Element;
use crate::findings::{Findings, quoted};

const ROOT: &str = "workflow";

/// Reports what does not fit the table; nothing is left to check where the root is not a workflow.
pub(super) fn check(root: &Element<'_>, findings: &mut Findings<'_>) -> Option<()> {
    if root.name != ROOT {
        wrong_root(root, findings)?;
    }
    let mut structure = Structure { findings, misplaced: HashSet::new(), incomplete: Vec::new() };
    structure.element(root, &KINDS[0]);
    structure.missing_elements();
    Some(())
}

/// Goes on only where the name is misspelt.
fn wrong_root(root: &Element<'_>, findings: &mut Findings<'_>) -> Option<()> {
    let known = Kind::find(root.name).is_some();
    let code = if known { &codes::MISPLACED_ELEMENT } else { &codes::UNKNOWN_ELEMENT };
    let message = format!("the root element is {}; `<{ROOT}>` is expected", quoted(root.name));
    let meant = findings.did_you_mean(root.name, [ROOT]);
    let misspelt = meant.as_ref().map(|_| ());
    let help = meant.unwrap_or_else(|| format!("put everything into `<{ROOT}> .. </{ROOT}>`"));
    findings.report(code, root.tag(), message, Some(help));
    misspelt
}

struct Structure<'f, 't> {
    findings: &'f mut Findings<'t>,
    /// Names of elements that stand in the wrong place, and of those around their right one: they are not missing as
    /// well.
    misplaced: HashSet<&'static str>,
    /// Place, parent, missing child.
    incomplete: Vec<(Range<usize>, &'static str, &'static str)>,
}

impl Structure<'_, '_> {
    fn element(&mut self, element: &Element<'_>, kind: &'static Kind) {
        self.attributes(element, kind);
        if let Some(at) = element.text.clone() {
            let message = format!("text found in `<{}>`, where only elements can stand", kind.name);
            self.findings.report(
                &codes::STRAY_TEXT,
                at,
                message,
                Some("delete it or make it a comment".to_owned()),
            );
        }
        let mut seen: Vec<&str> = Vec::new();
        for child in &element.children {
            let Some(child_kind) = self.child(child, kind) else { continue };
            let single = kind.once(child_kind.name);
            if single && seen.contains(&child_kind.name) {
                let message =
                    format!("`<{}>` stands twice in `<{}>`; once is expected", child.name, kind.name);
                let help = Some("put all into one of them, or delete one".to_owned());
                self.findings.report(&codes::REPEATED_ELEMENT, child.tag(), message, help);
            } else if single {
                seen.push(child_kind.name);
            }
            self.element(child, child_kind);
        }
        let missing = kind.one.iter().filter(|name| !seen.contains(name));
        self.incomplete.extend(missing.map(|name| (element.tag(), kind.name, *name)));
    }

    /// What a child is or was meant to be, if that can stand anywhere.
    fn child(&mut self, child: &Element<'_>, parent: &'static Kind) -> Option<&'static Kind> {
        let known = Kind::find(child.name);
        if known.is_some_and(|kind| parent.holds(kind)) {
            return known;
        }
        let meant = if self.findings.is_full() { known } else { near_names::child(child, parent) };
        let misspelt = meant.filter(|kind| kind.name != child.name);
        let (code, message, help) = if let Some(kind) = known {
            self.misplaced.extend(kind.parents().chain([kind.name]));
            let message = format!("`<{}>` cannot stand in `<{}>`", kind.name, parent.name);
            (&codes::MISPLACED_ELEMENT, message, place(kind))
        } else {
            let message = format!("unknown element {} in `<{}>`", quoted(child.name), parent.name);
            (&codes::UNKNOWN_ELEMENT, message, self.known_elsewhere(child, parent))
        };
        let help = misspelt.map_or(help, |kind| format!("did you mean `{}`?", kind.name));
        self.findings.report(code, child.tag(), message, Some(help));
        meant.filter(|kind| kind.name != ROOT)
    }

    fn known_elsewhere(&self, child: &Element<'_>, parent: &Kind) -> String {
        let known = self.findings.did_you_mean(child.name, KINDS.iter().map(|kind| kind.name));
        known.unwrap_or_else(|| content(parent))
    }

    fn attributes(&mut self, element: &Element<'_>, kind: &'static Kind) {
        let mut meant: Vec<&str> = Vec::new();
        for attribute in element.attributes.iter().filter(|attribute| !kind.has(attribute.name)) {
            let known = if self.findings.is_full() {
                None
            } else {
                near_names::attribute(attribute.name, element, kind, &meant)
            };
            meant.extend(known);
            let message = format!("unknown attribute {} on `<{}>`", quoted(attribute.name), kind.name);
            let help = known.map_or_else(|| attributes(kind), |name| format!("did you mean `{name}`?"));
            self.findings.report(&codes::UNKNOWN_ATTRIBUTE, attribute.name_at(), message, Some(help));
        }
        for name in kind.required {
            if element.attribute(name).is_none() && !meant.contains(name) {
                let message = format!("`<{}>` has no attribute `{name}`, which is required", kind.name);
                let help = Some(format!("add `{name}=\"..\"`"));
                self.findings.report(&codes::MISSING_ATTRIBUTE, element.tag(), message, help);
            }
        }
    }

    fn missing_elements(&mut self) {
        for (at, parent, name) in std::mem::take(&mut self.incomplete) {
            if !self.misplaced.contains(name) {
                let message = format!("`<{parent}>` has no `<{name}>`, which is required");
                let help = Kind::find(name).map(|kind| format!("add {}", kind.example()));
                self.findings.report(&codes::MISSING_ELEMENT, at, message, help);
            }
        }
    }
}

fn place(kind: &Kind) -> String {
    let parents: Vec<_> = kind.parents().map(|name| format!("`<{name}>`")).collect();
    match parents.as_slice() {
        [] => format!("a document has one `<{}>`", kind.name),
        _ => format!("it belongs into {}", parents.join(", ")),
    }
}

fn content(kind: &Kind) -> String {
    let children: Vec<_> = kind.children().map(|name| format!("`<{name}>`")).collect();
    match children.as_slice() {
        [] => format!("`<{}>` holds no elements", kind.name),
        _ => format!("`<{}>` holds {}", kind.name, children.join(", ")),
    }
}

fn attributes(kind: &Kind) -> String {
    let names: Vec<_> = kind.attributes().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => format!("`<{}>` has no attributes", kind.name),
        _ => format!("its attributes are {}", names.join(", ")),
    }
}
