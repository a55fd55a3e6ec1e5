//! Changes to a file's bytes: of single bytes, and of whole pieces of markup.

use std::ops::Range;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

/// What changes are made of beside random bytes.
const SNIPPETS: [&[u8]; 12] = [
    b"<",
    b">",
    b"&",
    b"\"",
    b"/>",
    b"<!--",
    b"]]>",
    b"<pool>",
    b"</nodes>",
    b"id=\"a\"",
    b"<!DOCTYPE x [",
    b"\xFF\xFE",
];

#[derive(Debug, Clone)]
pub(crate) enum Mutation {
    Delete(Index, usize),
    Insert(Index, Vec<u8>),
    Replace(Index, u8),
    Truncate(Index),
    SwapTags(Index, Index),
    DuplicateTag(Index),
    DeleteTag(Index),
}

impl Mutation {
    pub(crate) fn any() -> impl Strategy<Value = Self> {
        let at = any::<Index>;
        let snippet = (0..SNIPPETS.len()).prop_map(|at| SNIPPETS[at].to_vec());
        prop_oneof![
            (at(), 1..40_usize).prop_map(|(at, count)| Self::Delete(at, count)),
            (at(), prop_oneof![snippet, vec(any::<u8>(), 1..4)])
                .prop_map(|(at, bytes)| Self::Insert(at, bytes)),
            (at(), any::<u8>()).prop_map(|(at, byte)| Self::Replace(at, byte)),
            at().prop_map(Self::Truncate),
            (at(), at()).prop_map(|(one, other)| Self::SwapTags(one, other)),
            at().prop_map(Self::DuplicateTag),
            at().prop_map(Self::DeleteTag),
        ]
    }

    pub(crate) fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let place = |at: &Index| at.index(bytes.len());
        let tag = |at: &Index| tag_at(bytes, place(at));
        match self {
            Self::Delete(at, count) => {
                let (start, end) = (place(at), (place(at) + count).min(bytes.len()));
                bytes.drain(start..end);
            }
            Self::Insert(at, inserted) => {
                let start = place(at);
                bytes.splice(start..start, inserted.iter().copied());
            }
            Self::Replace(at, byte) => {
                let at = place(at);
                bytes[at] = *byte;
            }
            Self::Truncate(at) => bytes.truncate(at.index(bytes.len())),
            Self::SwapTags(one, other) => {
                let mut tags = [tag(one), tag(other)];
                tags.sort_by_key(|tag| tag.start);
                swap(bytes, &tags);
            }
            Self::DuplicateTag(at) => {
                let tag = tag(at);
                let copy = bytes[tag.clone()].to_vec();
                bytes.splice(tag.end..tag.end, copy);
            }
            Self::DeleteTag(at) => {
                let tag = tag(at);
                bytes.drain(tag);
            }
        }
    }
}

/// The piece of markup that begins at `from` or after it; nothing where none does.
fn tag_at(bytes: &[u8], from: usize) -> Range<usize> {
    let find =
        |from: usize, wanted: u8| bytes[from..].iter().position(|byte| *byte == wanted).map(|at| from + at);
    let Some(start) = find(from, b'<') else { return from..from };
    start..find(start, b'>').map_or(bytes.len(), |end| end + 1)
}

fn swap(bytes: &mut Vec<u8>, [first, second]: &[Range<usize>; 2]) {
    if first.end > second.start {
        return;
    }
    let (one, other) = (bytes[first.clone()].to_vec(), bytes[second.clone()].to_vec());
    bytes.splice(second.clone(), one);
    bytes.splice(first.clone(), other);
}
