//! Which elements and attributes there are, and which may stand where (thesis 3.4.1, figure 3.8).
//!
//! Owns the table of the language. Never looks at what attributes say.

use std::collections::HashSet;
use std::ops::Range;

use crate::codes;
use crate::document::Element;
use crate::findings::{Findings, quoted};

/// An element of the language.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) required: &'static [&'static str],
    pub(crate) optional: &'static [&'static str],
    /// May stand any number of times.
    pub(crate) many: &'static [&'static str],
    /// Must stand once.
    pub(crate) one: &'static [&'static str],
    /// May stand once.
    pub(crate) at_most_one: &'static [&'static str],
}

const EMPTY: Kind = Kind { name: "", required: &[], optional: &[], many: &[], one: &[], at_most_one: &[] };
const JOB: Kind = Kind {
    required: &["id", "src", "returntype"],
    optional: &["jobtype", "priority", "timeout", "retries"],
    at_most_one: &["parameters"],
    ..EMPTY
};

/// Every element, the root first.
pub(crate) const KINDS: &[Kind] = &[
    Kind { name: "workflow", one: &["nodes", "finalnode"], at_most_one: &["edges"], ..EMPTY },
    Kind { name: "nodes", many: &["value", "job", "pool"], ..EMPTY },
    Kind { name: "edges", many: &["edge"], ..EMPTY },
    Kind { name: "finalnode", required: &["id"], ..EMPTY },
    Kind { name: "value", required: &["id", "returntype"], optional: &["value", "src"], ..EMPTY },
    Kind { name: "job", ..JOB },
    Kind {
        name: "pool",
        required: &["id", "returntype"],
        one: &["processor", "reducer"],
        at_most_one: &["parameters"],
        ..EMPTY
    },
    Kind { name: "processor", ..JOB },
    Kind { name: "reducer", ..JOB },
    Kind { name: "parameters", many: &["parameter"], ..EMPTY },
    Kind { name: "parameter", required: &["id", "paramtype"], ..EMPTY },
    Kind { name: "edge", required: &["source", "dest"], optional: &["id", "paramdest"], ..EMPTY },
];

const ROOT: &str = "workflow";

impl Kind {
    fn find(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    pub(crate) fn children(&self) -> impl Iterator<Item = &'static str> {
        self.many.iter().chain(self.one).chain(self.at_most_one).copied()
    }

    fn attributes(&self) -> impl Iterator<Item = &'static str> {
        self.required.iter().chain(self.optional).copied()
    }

    /// The elements that this one may stand in.
    fn parents(&self) -> Vec<String> {
        let holds = |kind: &&Kind| kind.children().any(|child| child == self.name);
        KINDS.iter().filter(holds).map(|kind| format!("`<{}>`", kind.name)).collect()
    }
}

/// Reports what does not fit the table; nothing is left to check where the root is not a workflow.
pub(super) fn check(root: &Element<'_>, findings: &mut Findings<'_>) -> Option<()> {
    let mut schema = Schema { findings, misplaced: HashSet::new(), incomplete: Vec::new() };
    if root.name == ROOT {
        schema.element(root, &KINDS[0]);
        schema.missing_elements();
        return Some(());
    }
    let message = format!("the root element is {}; `<workflow>` is expected", quoted(root.name));
    let code =
        if Kind::find(root.name).is_some() { &codes::MISPLACED_ELEMENT } else { &codes::UNKNOWN_ELEMENT };
    findings.report(
        code,
        root.tag(),
        message,
        Some("put everything into `<workflow> .. </workflow>`".to_owned()),
    );
    None
}

struct Schema<'f, 't> {
    findings: &'f mut Findings<'t>,
    /// Names of elements that stand in the wrong place: they are not missing as well.
    misplaced: HashSet<&'static str>,
    /// Place, parent, missing child.
    incomplete: Vec<(Range<usize>, &'static str, &'static str)>,
}

impl Schema<'_, '_> {
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
            let single = !kind.many.contains(&child_kind.name);
            if single && seen.contains(&child_kind.name) {
                let message =
                    format!("`<{}>` stands twice in `<{}>`; once is expected", child.name, kind.name);
                self.findings.report(&codes::REPEATED_ELEMENT, child.tag(), message, None);
            } else if single {
                seen.push(child_kind.name);
            }
            self.element(child, child_kind);
        }
        let missing = kind.one.iter().filter(|name| !seen.contains(name));
        self.incomplete.extend(missing.map(|name| (element.tag(), kind.name, *name)));
    }

    /// The kind of a child that may stand here.
    fn child(&mut self, child: &Element<'_>, parent: &'static Kind) -> Option<&'static Kind> {
        let Some(kind) = Kind::find(child.name) else {
            let message = format!("unknown element {} in `<{}>`", quoted(child.name), parent.name);
            let help = self
                .findings
                .did_you_mean(child.name, parent.children())
                .or_else(|| self.findings.did_you_mean(child.name, KINDS.iter().map(|kind| kind.name)));
            self.findings.report(&codes::UNKNOWN_ELEMENT, child.tag(), message, help);
            return None;
        };
        if parent.children().any(|name| name == kind.name) {
            return Some(kind);
        }
        self.misplaced.insert(kind.name);
        let message = format!("`<{}>` cannot stand in `<{}>`", kind.name, parent.name);
        let parents = kind.parents();
        let help = (!parents.is_empty()).then(|| format!("it belongs into {}", parents.join(", ")));
        self.findings.report(&codes::MISPLACED_ELEMENT, child.tag(), message, help);
        None
    }

    fn attributes(&mut self, element: &Element<'_>, kind: &'static Kind) {
        let mut mistyped: Vec<&str> = Vec::new();
        for attribute in &element.attributes {
            if kind.attributes().any(|known| known == attribute.name) {
                continue;
            }
            let absent = |known: &&str| element.attribute(known).is_none();
            let meant = self.findings.nearest(attribute.name, kind.attributes().filter(absent));
            mistyped.extend(meant);
            let message = format!("unknown attribute {} on `<{}>`", quoted(attribute.name), kind.name);
            let help = meant.map(|name| format!("did you mean `{name}`?"));
            self.findings.report(&codes::UNKNOWN_ATTRIBUTE, attribute.name_at(), message, help);
        }
        for name in kind.required {
            if element.attribute(name).is_none() && !mistyped.contains(name) {
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
                self.findings.report(&codes::MISSING_ELEMENT, at, message, None);
            }
        }
    }
}
