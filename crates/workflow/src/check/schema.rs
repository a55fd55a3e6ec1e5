//! The table of the language: which elements and attributes there are, and which may stand where (thesis 3.4.1,
//! figure 3.8). Never looks at a document.

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
    optional: &[
        "jobtype",
        "priority",
        "timeout",
        "retries",
        "deterministic",
        "trust",
        "agree",
        "within",
        "proof",
    ],
    at_most_one: &["parameters"],
    ..EMPTY
};

/// Every element, the root first.
pub(crate) const KINDS: &[Kind] = &[
    Kind {
        name: "workflow",
        optional: &["project", "question", "link", "trust"],
        one: &["nodes", "finalnode"],
        at_most_one: &["edges"],
        ..EMPTY
    },
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

impl Kind {
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.name == name)
    }

    pub(crate) fn children(&self) -> impl Iterator<Item = &'static str> {
        self.many.iter().chain(self.one).chain(self.at_most_one).copied()
    }

    pub(super) fn attributes(&self) -> impl Iterator<Item = &'static str> {
        self.required.iter().chain(self.optional).copied()
    }

    pub(super) fn has(&self, attribute: &str) -> bool {
        self.attributes().any(|known| known == attribute)
    }

    /// No element may stand in it.
    pub(super) fn is_empty(&self) -> bool {
        self.children().next().is_none()
    }

    /// Whether such an element may stand in this one.
    pub(super) fn holds(&self, child: &Self) -> bool {
        self.children().any(|name| name == child.name)
    }

    /// Whether a child of this name may stand once at most.
    pub(super) fn once(&self, child: &str) -> bool {
        self.one.contains(&child) || self.at_most_one.contains(&child)
    }

    /// The children of which there is one at most.
    pub(super) fn singles(&self) -> impl Iterator<Item = &'static Self> {
        self.one.iter().chain(self.at_most_one).filter_map(|name| Self::find(name))
    }

    /// The elements that this one may stand in.
    pub(crate) fn parents(&self) -> impl Iterator<Item = &'static str> {
        KINDS.iter().filter(|kind| kind.holds(self)).map(|kind| kind.name)
    }

    /// As an author would begin to write it.
    pub(super) fn example(&self) -> String {
        let attributes: Vec<_> = self.required.iter().map(|name| format!(" {name}=\"..\"")).collect();
        let attributes = attributes.concat();
        let name = self.name;
        if self.is_empty() {
            format!("`<{name}{attributes} />`")
        } else {
            format!("`<{name}{attributes}> .. </{name}>`")
        }
    }
}
