//! Modules that the server asks about two values: what such a module exports, and that it imports nothing.

use wasmparser::ValType;
use wasmparser::types::EntityType;

use super::Mistake;
use super::interface::{ALLOC, Interface, MEMORY, shown, signature};

/// What a module is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Question {
    /// Whether two answers say the same.
    Agree,
    /// Whether a result is right for its input.
    Proof,
}

impl Question {
    /// The function that is called.
    pub(crate) const fn export(self) -> &'static str {
        match self {
            Self::Agree => "weevil_agree",
            Self::Proof => "weevil_proof",
        }
    }
}

impl Interface<'_> {
    /// All that hinders it.
    pub(super) fn check_ruling(&self, question: Question) -> Result<(), Vec<Mistake>> {
        let mut mistakes: Vec<_> = self.imports().map(|import| self.forbidden(&import)).collect();
        for (name, parameters) in [(question.export(), &[ValType::I32; 4][..]), (ALLOC, &[ValType::I32])] {
            mistakes.extend(self.other_function(name, parameters));
        }
        if !matches!(self.export(MEMORY), Some(EntityType::Memory(_))) {
            let message = format!("it exports no memory `{MEMORY}`");
            mistakes.push(Mistake::Export { message, help: format!("export its memory as `{MEMORY}`") });
        }
        if mistakes.is_empty() { Ok(()) } else { Err(mistakes) }
    }

    fn forbidden(&self, import: &(&str, &str, EntityType)) -> Mistake {
        Mistake::Export {
            message: format!("it imports {}", self.named(import)),
            help: "such a module imports nothing: two values go in, a number comes out".to_owned(),
        }
    }

    /// What is wrong with a function that returns an `i32`.
    fn other_function(&self, name: &str, parameters: &[ValType]) -> Option<Mistake> {
        let found = self.export(name).and_then(|entity| self.function(entity));
        if found.is_some_and(|found| found.params() == parameters && found.results() == [ValType::I32]) {
            return None;
        }
        let message = match found {
            Some(found) => format!("`{name}` is {}", shown(found)),
            None => format!("it exports no function `{name}`"),
        };
        let help = format!("export `{name}` as {}", signature(parameters, &[ValType::I32]));
        Some(Mistake::Export { message, help })
    }
}
