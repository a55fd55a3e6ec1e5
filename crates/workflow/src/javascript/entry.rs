//! How a script sets `weevil_main`: by a declaration, a variable, an assignment, or a property of the global object.

use std::ops::Range;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentExpression, AssignmentTarget, BindingIdentifier, BindingPattern, Expression,
    IdentifierReference, VariableDeclarator,
};
use oxc_semantic::{AstNode, NodeId, Semantic, SymbolId};
use oxc_span::GetSpan;

use super::{ENTRY, Entry, Function, range};
use crate::limits::MAX_CANDIDATES;

/// The names under which a script reaches its global object.
pub(super) const GLOBALS: &[&str] = &["globalThis", "self"];

pub(super) fn find(semantic: &Semantic<'_>) -> Entry {
    let finder = Finder { semantic };
    let mut found = Found::default();
    for node in semantic.nodes().iter() {
        finder.look(node, &mut found);
    }
    finder.judge(found)
}

/// Every place that sets the function, in the order of the text.
#[derive(Default)]
struct Found {
    entries: Vec<Entry>,
    /// A `var weevil_main;` that gives no value.
    empty: Option<Range<usize>>,
    /// An `eval` at the top may set anything.
    evals: bool,
}

struct Finder<'s, 'a> {
    semantic: &'s Semantic<'a>,
}

impl<'a> Finder<'_, 'a> {
    fn look(&self, node: &AstNode<'a>, found: &mut Found) {
        match node.kind() {
            AstKind::Function(function) if function.is_declaration() && self.names(function.id.as_ref()) => {
                found.entries.push(Entry::Function(Function::of(function, self.semantic)));
            }
            AstKind::Class(class) if class.is_declaration() && self.names(class.id.as_ref()) => {
                let at = class.id.as_ref().map_or_else(|| range(class.span), |id| range(id.span));
                found.entries.push(Entry::NotFunction { at, found: "a class" });
            }
            AstKind::VariableDeclarator(declarator) => self.variable(declarator, found),
            AstKind::AssignmentExpression(assignment) => {
                found.entries.extend(self.assignment(node.id(), assignment));
            }
            AstKind::CallExpression(call) if call.callee.is_specific_id("eval") => {
                found.evals |= !self.in_function(node.id());
            }
            _ => {}
        }
    }

    /// Whether a declared name is the script's own `weevil_main`, not one of a function inside.
    fn names(&self, id: Option<&BindingIdentifier<'_>>) -> bool {
        let scoping = self.semantic.scoping();
        let id = id.filter(|id| id.name == ENTRY);
        let symbol = id.and_then(|id| id.symbol_id.get());
        symbol.is_some_and(|symbol| scoping.symbol_scope_id(symbol) == scoping.root_scope_id())
    }

    fn in_function(&self, node: NodeId) -> bool {
        self.semantic.nodes().ancestor_kinds(node).any(AstKind::is_function_like)
    }

    fn variable(&self, declarator: &VariableDeclarator<'a>, found: &mut Found) {
        let BindingPattern::BindingIdentifier(id) = &declarator.id else { return };
        if !self.names(Some(id)) {
            return;
        }
        match &declarator.init {
            Some(value) => found.entries.push(self.value(value)),
            None => found.empty = Some(range(id.span)),
        }
    }

    /// What an assignment sets it to, if it sets it at all.
    fn assignment(&self, node: NodeId, assignment: &AssignmentExpression<'a>) -> Option<Entry> {
        let sets = match &assignment.left {
            AssignmentTarget::AssignmentTargetIdentifier(id) => self.is_global(id),
            AssignmentTarget::StaticMemberExpression(member) => {
                member.property.name == ENTRY && is_global_object(&member.object)
            }
            AssignmentTarget::ComputedMemberExpression(member) => {
                let name = member.static_property_name();
                name.is_some_and(|name| name == ENTRY) && is_global_object(&member.object)
            }
            _ => false,
        };
        let certain = assignment.operator.is_assign() && !self.in_function(node);
        sets.then(|| if certain { self.value(&assignment.right) } else { Entry::Unread })
    }

    fn is_global(&self, id: &IdentifierReference<'_>) -> bool {
        let scoping = self.semantic.scoping();
        let symbol = id.reference_id.get().and_then(|id| scoping.get_reference(id).symbol_id());
        id.name == ENTRY
            && symbol.is_none_or(|symbol| scoping.symbol_scope_id(symbol) == scoping.root_scope_id())
    }

    fn value(&self, value: &Expression<'a>) -> Entry {
        let found = match value {
            Expression::FunctionExpression(function) => {
                return Entry::Function(Function::of(function, self.semantic));
            }
            Expression::ArrowFunctionExpression(arrow) => {
                return Entry::Function(Function::of_arrow(arrow, self.semantic));
            }
            Expression::AssignmentExpression(chain) if chain.operator.is_assign() => {
                return self.value(&chain.right);
            }
            Expression::BooleanLiteral(_) => "a Boolean",
            Expression::NullLiteral(_) => "null",
            Expression::NumericLiteral(_) => "a Number",
            Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => "a String",
            Expression::ArrayExpression(_) => "an Array",
            Expression::ObjectExpression(_) => "an Object",
            Expression::RegExpLiteral(_) => "a regular expression",
            Expression::ClassExpression(_) => "a class",
            _ => return Entry::Unread,
        };
        Entry::NotFunction { at: range(value.span()), found }
    }

    fn judge(&self, found: Found) -> Entry {
        let Found { mut entries, empty, evals } = found;
        let all_functions = entries.iter().all(|entry| matches!(entry, Entry::Function(_)));
        match (entries.pop(), empty) {
            // The last of several declarations counts; of anything else only running it would tell.
            (Some(last), _) if entries.is_empty() || all_functions => last,
            (Some(_), _) => Entry::Unread,
            (None, _) if evals => Entry::Unread,
            (None, Some(at)) => Entry::NotFunction { at, found: "declared, but given no value" },
            (None, None) if self.is_bound() => Entry::Unread,
            (None, None) => Entry::Missing { functions: self.functions() },
        }
    }

    /// A pattern that takes a value apart binds it, for instance.
    fn is_bound(&self) -> bool {
        self.top_names().any(|(name, _)| name == ENTRY)
    }

    fn functions(&self) -> Vec<String> {
        let scoping = self.semantic.scoping();
        let functions = self.top_names().filter(|(_, symbol)| scoping.symbol_flags(*symbol).is_function());
        functions.take(MAX_CANDIDATES).map(|(name, _)| name.to_owned()).collect()
    }

    fn top_names(&self) -> impl Iterator<Item = (&str, SymbolId)> {
        let scoping = self.semantic.scoping();
        let names = scoping.get_bindings(scoping.root_scope_id()).iter();
        names.map(|(name, symbol)| (name.as_str(), *symbol))
    }
}

fn is_global_object(object: &Expression<'_>) -> bool {
    match object {
        Expression::ThisExpression(_) => true,
        Expression::Identifier(name) => GLOBALS.contains(&name.name.as_str()),
        _ => false,
    }
}
