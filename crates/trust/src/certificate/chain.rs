//! The chain of hashes through all lines: who changes, drops or moves one has another root.
//!
//! Holds one hash, whatever the number of lines.

use weevil_model::ContentHash;

/// h0 = SHA-256(line 0), hi = SHA-256(h(i-1), line i), each line without its end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chain(Option<ContentHash>);

impl Chain {
    pub fn add(&mut self, line: &[u8]) {
        let before = self.0.as_ref().map_or(&[][..], |hash| hash.as_bytes());
        self.0 = Some(ContentHash::of_joined([before, line]));
    }

    /// The hash of the last line; that of nothing where there was none.
    pub fn root(&self) -> ContentHash {
        self.0.unwrap_or_else(|| ContentHash::of(&[]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(lines: &[&str]) -> ContentHash {
        let mut chain = Chain::default();
        for line in lines {
            chain.add(line.as_bytes());
        }
        chain.root()
    }

    #[test]
    fn each_hash_covers_the_one_before() {
        let first = ContentHash::of(b"a");
        let second = ContentHash::of(&[first.as_bytes(), &b"bc"[..]].concat());
        assert_eq!((root(&["a"]), root(&["a", "bc"])), (first, second));
    }

    #[test]
    fn no_other_lines_have_the_same_root() {
        let whole = root(&["a", "b", "c"]);
        for other in [&["a", "c", "b"][..], &["a", "b"], &["b", "c"], &["ab", "c"], &["a", "b", "c", ""], &[]]
        {
            assert_ne!(root(other), whole, "{other:?}");
        }
    }
}
