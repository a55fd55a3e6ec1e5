//! Where code reads a clock, `crypto` or `Temporal`, which need not say the same to every volunteer.
//!
//! In doubt there is nothing to tell: names that `eval`, `this` or a computed member lead to are left alone, and so are uses
//! of `Date` that do not ask for the time.

use std::ops::Range;

use oxc_ast::AstKind;
use oxc_ast::ast::{BinaryOperator, Expression, IdentifierReference, UnaryOperator};
use oxc_semantic::{AstNode, NodeId, Semantic};
use oxc_span::{GetSpan, Span};

use super::entry::GLOBALS;
use super::range;
use super::repeatable::CHANGING;

/// Members of `Date` that look at no clock.
const TIMELESS: &[&str] = &["UTC", "parse", "prototype"];

/// A name that the code reads.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) name: &'static str,
    /// Where it is first read.
    pub(crate) at: Range<usize>,
}

/// In the order of the text, each name once.
pub(super) fn find(semantic: &Semantic<'_>) -> Vec<Reading> {
    let mut found: Vec<_> = semantic.nodes().iter().filter_map(|node| reading(semantic, node)).collect();
    found.sort_by_key(|reading| reading.at.start);
    let mut names = Vec::new();
    found.retain(|reading| {
        let is_first = !names.contains(&reading.name);
        if is_first {
            names.push(reading.name);
        }
        is_first
    });
    found
}

fn reading(semantic: &Semantic<'_>, node: &AstNode<'_>) -> Option<Reading> {
    let name = match node.kind() {
        AstKind::IdentifierReference(name) if is_free(semantic, name) => name.name.as_str(),
        AstKind::StaticMemberExpression(member) if is_global(semantic, &member.object) => {
            member.property.name.as_str()
        }
        AstKind::ComputedMemberExpression(member) if is_global(semantic, &member.object) => {
            member.static_property_name()?.as_str()
        }
        _ => return None,
    };
    let name = CHANGING.iter().find(|changing| **changing == name)?;
    let at = node.kind().span();
    (!is_harmless(semantic, name, node.id(), at)).then(|| Reading { name, at: range(at) })
}

/// A read of a name that the script does not declare.
fn is_free(semantic: &Semantic<'_>, name: &IdentifierReference<'_>) -> bool {
    let reference = name.reference_id.get().map(|id| semantic.scoping().get_reference(id));
    reference.is_some_and(|reference| reference.is_read() && reference.symbol_id().is_none())
}

fn is_global(semantic: &Semantic<'_>, object: &Expression<'_>) -> bool {
    matches!(object, Expression::Identifier(name) if GLOBALS.contains(&name.name.as_str()) && is_free(semantic, name))
}

/// Whether what stands around the name at `node` does not make it say anything.
fn is_harmless(semantic: &Semantic<'_>, name: &str, node: NodeId, at: Span) -> bool {
    let is_date = name == "Date";
    match semantic.nodes().parent_kind(node) {
        AstKind::UnaryExpression(unary) => unary.operator == UnaryOperator::Typeof,
        AstKind::AssignmentExpression(assignment) => assignment.left.span() == at,
        AstKind::BinaryExpression(binary) => is_date && binary.operator == BinaryOperator::Instanceof,
        AstKind::NewExpression(new) => {
            // A spread may be empty.
            is_date
                && new.callee.span() == at
                && new.arguments.first().is_some_and(|first| !first.is_spread())
        }
        AstKind::StaticMemberExpression(member) => {
            is_date && TIMELESS.contains(&member.property.name.as_str())
        }
        _ => false,
    }
}
