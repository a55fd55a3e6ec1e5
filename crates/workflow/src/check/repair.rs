//! The document as its author probably meant it: what `structure` has suggested, done. The checks that follow see that,
//! so that one mistake is told once. Places stay those of the text. Never reports, never decides what runs.

use super::near_names;
use super::schema::{KINDS, Kind};
use crate::document::{Attribute, Element};

/// A copy with misspelt names put right and misplaced elements where they belong. What has no such meaning stays.
pub(super) fn repaired<'t>(root: &Element<'t>) -> Element<'t> {
    element(root, &KINDS[0], &mut Vec::new())
}

/// The element as one of `kind`; what does not belong into it goes to `strays`.
fn element<'t>(written: &Element<'t>, kind: &Kind, strays: &mut Vec<Element<'t>>) -> Element<'t> {
    let attributes = attributes(written, kind);
    let mut repaired = Element { name: kind.name, attributes, ..empty(written) };
    let mut homeless = Vec::new();
    for child in &written.children {
        match near_names::child(child, kind) {
            Some(known) if kind.holds(known) => {
                let child = element(child, known, &mut homeless);
                attach(&mut repaired, child, kind);
            }
            Some(known) => {
                let child = element(child, known, &mut homeless);
                homeless.push(child);
            }
            None => repaired
                .children
                .push(Element { attributes: child.attributes.iter().map(copy).collect(), ..empty(child) }),
        }
    }
    strays.extend(homeless.into_iter().filter_map(|stray| place(stray, &mut repaired, kind)));
    repaired
}

/// Puts a misplaced element into this one, or into the one child of it that holds such; gives back what fits neither.
fn place<'t>(stray: Element<'t>, into: &mut Element<'t>, kind: &Kind) -> Option<Element<'t>> {
    let Some(known) = Kind::find(stray.name) else { return Some(stray) };
    if kind.holds(known) {
        attach(into, stray, kind);
        return None;
    }
    let Some(holder) = kind.singles().find(|single| single.holds(known)) else { return Some(stray) };
    let mut found = Element { name: holder.name, ..empty(&stray) };
    found.children.push(stray);
    attach(into, found, kind);
    None
}

/// A second one of what may stand once gives its children to the first.
fn attach<'t>(parent: &mut Element<'t>, child: Element<'t>, kind: &Kind) {
    if kind.once(child.name)
        && let Some(first) = parent.children.iter_mut().find(|known| known.name == child.name)
    {
        first.children.extend(child.children);
    } else {
        parent.children.push(child);
    }
}

fn attributes<'t>(written: &Element<'t>, kind: &Kind) -> Vec<Attribute<'t>> {
    let mut taken = Vec::new();
    let mend = |attribute: &Attribute<'t>| {
        let known = kind.has(attribute.name);
        let meant = if known { None } else { near_names::attribute(attribute.name, written, kind, &taken) };
        taken.extend(meant);
        Attribute { name: meant.unwrap_or(attribute.name), ..copy(attribute) }
    };
    written.attributes.iter().map(mend).collect()
}

fn copy<'t>(attribute: &Attribute<'t>) -> Attribute<'t> {
    let Attribute { name, at, value, value_at } = attribute;
    Attribute { name, at: *at, value: value.clone(), value_at: value_at.clone() }
}

/// The element without what is in it.
const fn empty<'t>(written: &Element<'t>) -> Element<'t> {
    Element { name: written.name, at: written.at, attributes: Vec::new(), children: Vec::new(), text: None }
}
