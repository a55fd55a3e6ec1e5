//! The reading of one file, and the facts that it answers.

use std::ops::Range;

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::{Semantic, SemanticBuilder};
use oxc_span::{GetSpan, SourceType, Span};

use super::absent::Absent;
use super::function::Function;
use super::mistake::Mistake;
use super::nesting::Obstacle;
use super::readings::{self, Reading};
use super::{absent, entry, nesting, repeatable};
use crate::limits::MAX_CODE_BYTES;

/// The function that a job's source must define.
pub(crate) const ENTRY: &str = "weevil_main";

/// The facts of one file.
#[derive(Debug)]
pub(crate) struct Script {
    pub(crate) entry: Entry,
    /// It reads neither `Math.random` nor a clock nor anything else that differs from run to run.
    pub(crate) repeatable: bool,
    /// What it reads that need not say the same to every volunteer.
    pub(crate) readings: Vec<Reading>,
    /// What it uses and does not find.
    pub(crate) absent: Vec<Absent>,
}

/// What the file makes of `weevil_main`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    Function(Function),
    /// It is set in a way that only running it would tell.
    Unread,
    /// It is set to something that cannot be called.
    NotFunction {
        at: Range<usize>,
        found: &'static str,
    },
    /// It is not set; these functions stand at the top instead.
    Missing {
        functions: Vec<String>,
    },
}

/// Why a file gives no facts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// It is not JavaScript, or not a script.
    Mistakes(Vec<Mistake>),
    /// It may well run, but the parser must not be given it.
    Obstacle(Obstacle),
    TooLong,
}

/// Reads one file. Linear in its length; bounded in stack whatever it holds.
pub(crate) fn read(text: &str) -> Result<Script, Unreadable> {
    if text.len() > MAX_CODE_BYTES {
        return Err(Unreadable::TooLong);
    }
    nesting::check(text).map_err(Unreadable::Obstacle)?;
    let allocator = Allocator::default();
    let options =
        ParseOptions { parse_regular_expression: true, preserve_parens: false, ..ParseOptions::default() };
    let parsed = Parser::new(&allocator, text, SourceType::script()).with_options(options).parse();
    let modules = module_statements(&parsed.program);
    let mut mistakes: Vec<_> = parsed.diagnostics.iter().map(|found| Mistake::of(found, text)).collect();
    if mistakes.is_empty() {
        let built = SemanticBuilder::new()
            .with_check_syntax_error(true)
            .with_build_nodes(true)
            .build(&parsed.program);
        mistakes = built.diagnostics.iter().map(|found| Mistake::of(found, text)).collect();
        mistakes.retain(|mistake| modules.iter().all(|module| module.start as usize != mistake.at.start));
        if mistakes.is_empty() && modules.is_empty() {
            return Ok(facts(&built.semantic));
        }
    }
    mistakes.extend(modules.first().map(|module| Mistake::module(text, *module)));
    Err(Unreadable::Mistakes(mistakes))
}

fn facts(semantic: &Semantic<'_>) -> Script {
    let repeatable = repeatable::is_repeatable(semantic);
    let readings = readings::find(semantic);
    Script { entry: entry::find(semantic), repeatable, readings, absent: absent::find(semantic) }
}

/// Where the statements stand that only a module may have.
fn module_statements(program: &Program<'_>) -> Vec<Span> {
    let modules = program.body.iter().filter(|statement| statement.is_module_declaration());
    modules.map(GetSpan::span).collect()
}

pub(super) fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}
