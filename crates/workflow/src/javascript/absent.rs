//! Free names that browsers have and jobs do not find: `web/src/volunteer/job/realm/allowed.ts` lists what is there.
//!
//! In doubt there is nothing to tell: a name that the code asks `typeof` of, or only assigns, is left alone.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use oxc_ast::AstKind;
use oxc_ast::ast::UnaryOperator;
use oxc_semantic::{NodeId, Semantic};
use oxc_span::GetSpan;

use super::range;

/// Lines of names below a line with what is there instead.
const TEXT: &str = include_str!("absent.txt");

/// What is there instead, by name.
static INSTEAD: LazyLock<BTreeMap<&'static str, &'static str>> = LazyLock::new(|| {
    let mut instead = "";
    let mut rows = BTreeMap::new();
    for line in TEXT.lines() {
        match line.strip_prefix("# ") {
            Some(help) => instead = help,
            None => rows.extend(line.split(' ').map(|name| (name, instead))),
        }
    }
    rows
});

/// A name that is not there when the job runs.
#[derive(Debug)]
pub(crate) struct Absent {
    pub(crate) name: &'static str,
    /// Where it is first used.
    pub(crate) at: Range<usize>,
    pub(crate) instead: &'static str,
}

/// In the order of the text, each name once.
pub(super) fn find(semantic: &Semantic<'_>) -> Vec<Absent> {
    let unresolved = semantic.scoping().root_unresolved_references();
    let absent = INSTEAD.iter().filter_map(|(name, instead)| {
        let references = unresolved.get(*name)?;
        let nodes = references.iter().map(|id| semantic.scoping().get_reference(*id));
        let used: Vec<_> =
            nodes.filter(|reference| reference.is_read()).map(oxc_semantic::Reference::node_id).collect();
        if used.iter().any(|node| is_asked(semantic, *node)) {
            return None;
        }
        let at =
            used.iter().map(|node| range(semantic.nodes().kind(*node).span())).min_by_key(|at| at.start)?;
        Some(Absent { name, at, instead })
    });
    let mut absent: Vec<_> = absent.collect();
    absent.sort_by_key(|found| found.at.start);
    absent
}

/// `typeof fetch`: the code knows that it may be missing.
fn is_asked(semantic: &Semantic<'_>, node: NodeId) -> bool {
    matches!(semantic.nodes().parent_kind(node), AstKind::UnaryExpression(unary) if unary.operator == UnaryOperator::Typeof)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWED: &str = include_str!("../../../../web/src/volunteer/job/realm/allowed.ts");

    #[test]
    fn no_name_is_both_there_and_missing() {
        let rows = ALLOWED.lines().filter_map(|line| line.strip_prefix("globalThis: "));
        let allowed: Vec<_> = rows.flat_map(|row| row.split(' ')).collect();
        assert!(allowed.len() > 80, "the list was read: {allowed:?}");
        let both: Vec<_> = allowed.iter().filter(|name| INSTEAD.contains_key(*name)).collect();
        assert!(both.is_empty(), "{both:?}");
        assert!(INSTEAD.values().all(|instead| !instead.is_empty()) && INSTEAD.len() > 200);
    }
}
