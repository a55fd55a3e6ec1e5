//! `weevil_main` as the code declares it: its parameters, and which of them it reads.

use std::ops::Range;

use oxc_ast::AstKind;
use oxc_ast::ast::{ArrowFunctionExpression, BindingPattern, FormalParameters, Function as Node};
use oxc_semantic::{NodeId, ScopeId, Semantic};
use oxc_span::GetSpan;

use super::range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Function {
    /// Where its parameter list stands.
    pub(crate) at: Range<usize>,
    pub(crate) parameters: Vec<Parameter>,
    /// It looks at `arguments`, so at inputs without a name too.
    pub(crate) reads_arguments: bool,
    /// It has a direct `eval` or a `with`, which may read any name.
    pub(crate) reads_unseen: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// `None` for one that is taken apart on the spot.
    pub(crate) name: Option<String>,
    pub(crate) has_default: bool,
    /// `...name`, which takes whatever is left.
    pub(crate) is_rest: bool,
    /// Some code reads it, or a part of it.
    pub(crate) is_read: bool,
}

impl Function {
    pub(super) fn of(node: &Node<'_>, semantic: &Semantic<'_>) -> Self {
        let reads_arguments = reads_arguments(node.node_id.get(), semantic);
        Self::new(&node.params, node.scope_id.get(), node.node_id.get(), reads_arguments, semantic)
    }

    /// An arrow has no `arguments` of its own.
    pub(super) fn of_arrow(node: &ArrowFunctionExpression<'_>, semantic: &Semantic<'_>) -> Self {
        Self::new(&node.params, node.scope_id.get(), node.node_id.get(), false, semantic)
    }

    fn new(
        parameters: &FormalParameters<'_>,
        scope: Option<ScopeId>,
        node: NodeId,
        reads_arguments: bool,
        semantic: &Semantic<'_>,
    ) -> Self {
        let evals = scope.is_some_and(|scope| semantic.scoping().scope_flags(scope).contains_direct_eval());
        let named = parameters.items.iter().map(|item| Parameter {
            has_default: item.initializer.is_some(),
            ..Parameter::of(&item.pattern, semantic)
        });
        let rest = parameters.rest.iter();
        let rest =
            rest.map(|rest| Parameter { is_rest: true, ..Parameter::of(&rest.rest.argument, semantic) });
        Self {
            at: range(parameters.span()),
            parameters: named.chain(rest).collect(),
            reads_arguments,
            reads_unseen: evals || has_with(node, semantic),
        }
    }
}

impl Parameter {
    fn of(pattern: &BindingPattern<'_>, semantic: &Semantic<'_>) -> Self {
        let name = match pattern {
            BindingPattern::BindingIdentifier(name) => Some(name.name.to_string()),
            _ => None,
        };
        let bound = pattern.get_binding_identifiers();
        let is_read = bound.iter().filter_map(|name| name.symbol_id.get()).any(|symbol| {
            semantic.scoping().get_resolved_references(symbol).any(oxc_semantic::Reference::is_read)
        });
        Self { name, has_default: false, is_rest: false, is_read }
    }
}

/// The function whose `arguments` and `this` are meant at `node`; `None` at the top of the script.
pub(super) fn surrounding(node: NodeId, semantic: &Semantic<'_>) -> Option<NodeId> {
    let ancestors = semantic.nodes().ancestors(node);
    ancestors
        .filter(|above| matches!(above.kind(), AstKind::Function(_)))
        .map(oxc_semantic::AstNode::id)
        .next()
}

fn reads_arguments(function: NodeId, semantic: &Semantic<'_>) -> bool {
    let references = semantic.scoping().root_unresolved_references().get("arguments");
    references.into_iter().flatten().any(|reference| {
        let node = semantic.scoping().get_reference(*reference).node_id();
        surrounding(node, semantic) == Some(function)
    })
}

fn has_with(function: NodeId, semantic: &Semantic<'_>) -> bool {
    let nodes = semantic.nodes();
    let statements = nodes.iter().filter(|node| matches!(node.kind(), AstKind::WithStatement(_)));
    statements
        .map(oxc_semantic::AstNode::id)
        .any(|with| nodes.ancestor_ids(with).any(|above| above == function))
}
