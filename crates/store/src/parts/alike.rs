//! Which values of a job's answers are alike, where that is more than to be equal; of which of them a module has yet to say something;
//! and which of them is to stand beside the job.
//!
//! Neither reads nor writes, nor compares any: see `values.rs`.

use std::collections::{BTreeMap, BTreeSet};

use weevil_model::ContentHash;

/// What answers of one job say, by the digests of their values. Nothing where digests alone are compared.
#[derive(Debug, Default)]
pub(crate) struct Values {
    known: BTreeMap<ContentHash, Known>,
    /// Not what is reported just now, but what was said before.
    brought: Option<ContentHash>,
}

#[derive(Debug)]
struct Known {
    bytes: u64,
    /// Those that came before it.
    alike: BTreeSet<ContentHash>,
    /// A module has yet to say something of it.
    is_asked_about: bool,
}

impl Values {
    pub(crate) fn enter(
        &mut self,
        digest: ContentHash,
        bytes: u64,
        alike: BTreeSet<ContentHash>,
        is_asked_about: bool,
    ) {
        self.known.entry(digest).or_insert(Known { bytes, alike, is_asked_about });
    }

    pub(crate) fn is_asked_about(&self, digest: ContentHash) -> bool {
        self.known.get(&digest).is_some_and(|known| known.is_asked_about)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    pub(crate) fn hold(&self, digest: ContentHash) -> bool {
        self.known.contains_key(&digest)
    }

    pub(crate) fn digests(&self) -> impl Iterator<Item = ContentHash> {
        self.known.keys().copied()
    }

    /// All of them together.
    pub(crate) fn bytes(&self) -> u64 {
        self.known.values().map(|known| known.bytes).sum()
    }

    pub(crate) fn are_alike(&self, one: ContentHash, other: ContentHash) -> bool {
        let says = |one, other| self.known.get(&one).is_some_and(|known| known.alike.contains(&other));
        says(one, other) || says(other, one)
    }

    /// This one is to stand beside the job; `None` where it is reported just now.
    pub(crate) const fn bring(&mut self, digest: Option<ContentHash>) {
        self.brought = digest;
    }

    /// What is to stand beside the job, once, and its bytes.
    pub(crate) fn take_brought(&mut self) -> Option<(ContentHash, u64)> {
        let digest = self.brought.take()?;
        Some((digest, self.known.get(&digest)?.bytes))
    }
}
