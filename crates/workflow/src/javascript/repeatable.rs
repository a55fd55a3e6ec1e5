//! Whether code can give another value for the same inputs: it draws, or looks at a clock.
//!
//! In doubt it can. Never looks into what `eval` is given, nor where a bare `this` goes.

use oxc_ast::AstKind;
use oxc_semantic::{NodeId, Semantic};
use oxc_span::GetSpan;

use super::entry::GLOBALS;

/// Globals that differ from run to run whatever is read of them.
pub(super) const CHANGING: &[&str] = &["Date", "Temporal", "crypto", "performance"];

pub(super) fn is_repeatable(semantic: &Semantic<'_>) -> bool {
    let is_read = |name: &str| semantic.scoping().root_unresolved_references().contains_key(name);
    let steady = |member: &str| member != "Math" && !CHANGING.contains(&member);
    !CHANGING.iter().any(|name| is_read(name))
        && only_members(semantic, "Math", |member| member != "random")
        && GLOBALS.iter().all(|global| only_members(semantic, global, steady))
        && !reads_of_this(semantic, |member| !steady(member))
}

/// Whether a global is only used to reach members that `allowed` allows.
fn only_members(semantic: &Semantic<'_>, global: &str, allowed: impl Fn(&str) -> bool) -> bool {
    let references = semantic.scoping().root_unresolved_references().get(global);
    references.into_iter().flatten().all(|reference| {
        let node = semantic.scoping().get_reference(*reference).node_id();
        member_of(semantic, node).is_some_and(&allowed)
    })
}

/// Outside of methods `this` is the global object.
fn reads_of_this(semantic: &Semantic<'_>, changing: impl Fn(&str) -> bool) -> bool {
    let this = semantic.nodes().iter().filter(|node| matches!(node.kind(), AstKind::ThisExpression(_)));
    this.filter_map(|node| member_of(semantic, node.id())).any(changing)
}

/// The name of the member that is reached through the object at `node`.
fn member_of<'a>(semantic: &Semantic<'a>, node: NodeId) -> Option<&'a str> {
    let object = semantic.nodes().kind(node).span();
    match semantic.nodes().parent_kind(node) {
        AstKind::StaticMemberExpression(member) => Some(member.property.name.as_str()),
        AstKind::ComputedMemberExpression(member) if member.object.span() == object => {
            member.static_property_name().map(|name| name.as_str())
        }
        _ => None,
    }
}
