//! What is measured together, how often, and which builds of the project have it. Never knows a row.

use std::path::Path;

use crate::rows::Kind;
use crate::subject::Subject;

/// The values that one row takes in a bench, or in one turn of a comparison. Empty where a server has no such row.
pub(crate) type Figures = Vec<f64>;

/// Takes so many figures of each row, in the order of the rows.
type Take = Box<dyn Fn(&Path, usize) -> Vec<Figures>>;

enum Of {
    /// Any release of the server, driven by this tree's program.
    Servers(Take),
    /// Processes of the subject's own bench program.
    Programs(Take),
    /// This tree's server: with an older one it would not end.
    ThisServer(Take),
    /// This tree's code without a server.
    ThisCode(Take),
}

/// Rows that are measured together, before it is said how.
pub(crate) struct Plan {
    kinds: Vec<Kind>,
    figures: usize,
    in_turn: usize,
}

pub(crate) struct Measure {
    pub kinds: Vec<Kind>,
    /// How many figures a plain bench takes.
    pub figures: usize,
    /// How many one turn of a comparison takes.
    pub in_turn: usize,
    of: Of,
}

/// Rows of which a plain bench takes so many figures, and a turn of a comparison one.
pub(crate) fn measure<const N: usize>(kinds: [Kind; N], figures: usize) -> Plan {
    Measure::of_kinds(kinds.into(), figures)
}

impl Plan {
    /// As many in a turn: the first figures differ from the later ones.
    pub(crate) fn whole_in_turn(mut self) -> Self {
        self.in_turn = self.figures;
        self
    }

    pub(crate) fn of_servers(self, take: impl Fn(&Path, usize) -> Vec<Figures> + 'static) -> Measure {
        self.by(Of::Servers(Box::new(take)))
    }

    pub(crate) fn of_programs(self, take: impl Fn(&Path, usize) -> Vec<Figures> + 'static) -> Measure {
        self.by(Of::Programs(Box::new(take)))
    }

    pub(crate) fn of_this_server(self, take: impl Fn(&Path, usize) -> Vec<Figures> + 'static) -> Measure {
        self.by(Of::ThisServer(Box::new(take)))
    }

    pub(crate) fn of_this_code(self, take: impl Fn(usize) -> Vec<Figures> + 'static) -> Measure {
        self.by(Of::ThisCode(Box::new(move |_, figures| take(figures))))
    }

    fn by(self, of: Of) -> Measure {
        Measure { kinds: self.kinds, figures: self.figures, in_turn: self.in_turn, of }
    }
}

impl Measure {
    pub(crate) fn of_kinds(kinds: Vec<Kind>, figures: usize) -> Plan {
        Plan { kinds, figures, in_turn: 1 }
    }

    /// The figures of each row, in their order; `None` where the subject lacks what takes them.
    pub(crate) fn take(&self, subject: &Subject, figures: usize) -> Option<Vec<Figures>> {
        match &self.of {
            Of::Programs(take) => subject.program.as_deref().map(|program| take(program, figures)),
            Of::Servers(take) | Of::ThisServer(take) | Of::ThisCode(take) => {
                Some(take(&subject.server, figures))
            }
        }
    }

    /// May another build have these rows?
    pub(crate) fn compares_with(&self, old: &Subject) -> bool {
        match self.of {
            Of::Servers(_) => true,
            Of::Programs(_) => old.program.is_some(),
            Of::ThisServer(_) | Of::ThisCode(_) => false,
        }
    }
}
