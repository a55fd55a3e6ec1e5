//! What a module declares, counted before the engine reads it: the engine's memory and its native stack follow from it, and no
//! fuel bounds either.
//!
//! The engine evaluates a constant expression by a call for each operator, and copies each value that a branch carries by an
//! instruction of its own; both were seen to end a process. A module that is refused here goes to volunteers.

use crate::errors::Why;
use crate::instructions::{Instruction, instruction};
use crate::reader::{Reader, Unreadable};
use crate::sections::{self, Visitor};

/// Functions, and elements of tables that the module fills.
const MAX_FUNCTIONS: usize = 100_000;
/// Types, imports, globals, exports, segments.
const MAX_DECLARED: usize = 10_000;
/// Local variables of one function: they are set to zero at each call, for no more fuel.
const MAX_LOCALS: usize = 1_024;
/// Operators of a constant expression.
const MAX_OPERATORS: usize = 64;
/// Blocks inside of blocks.
const MAX_BLOCK_DEPTH: usize = 1_000;
/// Values carried by all branches and ends of blocks together, where one of them carries several.
const MAX_CARRIED: usize = 2_000_000;

type Checked = Result<(), Why>;

/// Whether the server computes such a module.
pub(crate) fn check(bytes: &[u8]) -> Checked {
    let mut outline = Outline::default();
    sections::visit(bytes, &mut outline)?;
    // One value is carried by a move, which is as long as the branch.
    let widest = outline.widest();
    at_most("values carried by branches", if widest > 1 { outline.branches * widest } else { 0 }, MAX_CARRIED)
}

#[derive(Debug, Default)]
struct Outline {
    /// Parameters and results of each type.
    types: Vec<(usize, usize)>,
    /// Parameters of the widest type that a block has.
    block_parameters: usize,
    elements: usize,
    branches: usize,
}

impl Visitor for Outline {
    fn count(&mut self, what: &'static str, many: usize) -> Checked {
        at_most(what, many, if what == "functions" { MAX_FUNCTIONS } else { MAX_DECLARED })
    }

    fn function_type(&mut self, parameters: usize, results: usize) {
        self.types.push((parameters, results));
    }

    fn constant(&mut self, from: &mut Reader<'_>) -> Checked {
        constant(from)
    }

    fn elements(&mut self, many: usize) -> Checked {
        self.elements += many;
        at_most("elements of tables", self.elements, MAX_FUNCTIONS)
    }

    fn body(&mut self, locals: usize, code: Reader<'_>) -> Checked {
        at_most("local variables in a function", locals, MAX_LOCALS)?;
        self.instructions(code)
    }
}

impl Outline {
    fn instructions(&mut self, mut code: Reader<'_>) -> Checked {
        let mut depth = 1_usize;
        while !code.is_empty() {
            match instruction(&mut code)? {
                Instruction::Begin(index) => {
                    depth += 1;
                    at_most("blocks inside of blocks", depth, MAX_BLOCK_DEPTH)?;
                    let (parameters, _) =
                        index.and_then(|index| self.types.get(index)).copied().unwrap_or_default();
                    self.block_parameters = self.block_parameters.max(parameters);
                    self.branches += 1;
                }
                Instruction::End => {
                    depth = depth.checked_sub(1).ok_or(Unreadable)?;
                    self.branches += 1;
                }
                Instruction::Branch => self.branches += 1,
                Instruction::Other => {}
            }
        }
        Ok(())
    }

    fn widest(&self) -> usize {
        let results = self.types.iter().map(|(_, results)| *results).max();
        results.unwrap_or(0).max(self.block_parameters)
    }
}

/// Up to its `end`.
fn constant(from: &mut Reader<'_>) -> Checked {
    let mut operators = 0;
    loop {
        match instruction(from)? {
            Instruction::End => return Ok(()),
            Instruction::Other => operators += 1,
            Instruction::Begin(_) | Instruction::Branch => return Err(Unreadable.into()),
        }
        at_most("operators in a constant expression", operators, MAX_OPERATORS)?;
    }
}

const fn at_most(what: &'static str, found: usize, max: usize) -> Checked {
    if found > max { Err(Why::TooComplex { what, found, max }) } else { Ok(()) }
}

impl From<Unreadable> for Why {
    fn from(Unreadable: Unreadable) -> Self {
        Self::NotModule("its bytes end too soon, or hold what no such module has".to_owned())
    }
}
