//! Pages of lists: how many entries, and whether there are more.
//!
//! Never says where a page ends: each list has marks of its own, which nobody else reads anything into.

use std::str::FromStr;

use serde::Deserialize;
use weevil_model::limits::{DEFAULT_PAGE, MAX_PAGE};

use crate::refusal::Refusal;

/// Which page, of a list that is asked for nothing else.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Page {
    /// The mark of the last entry of the page before.
    pub after: Option<String>,
    #[serde(default)]
    pub limit: Limit,
}

/// Entries of one page at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "u32")]
pub(super) struct Limit(u32);

impl Default for Limit {
    fn default() -> Self {
        Self(DEFAULT_PAGE)
    }
}

impl TryFrom<u32> for Limit {
    type Error = String;

    fn try_from(limit: u32) -> Result<Self, String> {
        if (1..=MAX_PAGE).contains(&limit) {
            return Ok(Self(limit));
        }
        Err(format!("`limit` is {limit}; 1 to {MAX_PAGE} are allowed"))
    }
}

impl Limit {
    /// What to ask the database for: one more tells that this page is not the last.
    pub(super) const fn and_one(self) -> u32 {
        self.0 + 1
    }

    /// How many entries.
    pub(super) const fn most(self) -> usize {
        self.0 as usize
    }

    /// Cuts what was found to the page. Answers the mark of its last entry, where there are more.
    pub(super) fn cut<T>(self, found: &mut Vec<T>, mark: impl FnOnce(&T) -> String) -> Option<String> {
        let most = self.most();
        if found.len() <= most {
            return None;
        }
        found.truncate(most);
        found.last().map(mark)
    }
}

/// Behind which entry a page begins, of a list whose marks are ids.
///
/// # Errors
/// What stands there is no id.
pub(super) fn id_behind<T: FromStr>(after: Option<&str>) -> Result<Option<T>, Refusal> {
    after.map(str::parse).transpose().map_err(|_| no_mark())
}

/// For an `after` that no list has said.
pub(super) fn no_mark() -> Refusal {
    Refusal::BadQuery("`after` is not what a `next` has said".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_the_last_where_no_more_was_found() {
        for (found, left, next) in [(0, 0, None), (2, 2, None), (3, 3, None), (4, 3, Some("2"))] {
            let mut entries: Vec<usize> = (0..found).collect();
            let told = Limit(3).cut(&mut entries, ToString::to_string);
            assert_eq!((entries.len(), told.as_deref()), (left, next), "{found}");
        }
    }

    #[test]
    fn a_page_has_bounds() {
        for (limit, taken) in [(0, false), (1, true), (1000, true), (1001, false), (u32::MAX, false)] {
            assert_eq!(Limit::try_from(limit).is_ok(), taken, "{limit}");
        }
        assert_eq!(Limit::default().and_one(), 101);
    }
}
