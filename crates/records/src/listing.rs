//! What a list is asked for: which of its entries, and behind which one the page begins.

use weevil_model::{ContentHash, ProjectId, RunId, RunState, Timestamp};

/// Which of a list's entries come first. Their ids tell how old they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    #[default]
    Newest,
    Oldest,
}

/// Which runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunList {
    /// `None`: those of all projects.
    pub project: Option<ProjectId>,
    pub order: Order,
    pub state: Option<RunState>,
    pub workflow: Option<ContentHash>,
    /// Made after this moment; their ids say when.
    pub created_after: Option<Timestamp>,
    /// Made before this moment.
    pub created_before: Option<Timestamp>,
    /// This run, or made after it: where the oldest come first, the one behind the last of the page before.
    pub from: Option<RunId>,
    /// Made before this run: where the newest come first, the last one of the page before.
    pub before: Option<RunId>,
}

impl RunList {
    /// The numbers of the ids that it may have: the first, and the one behind the last.
    pub fn bounds(&self) -> (i64, i64) {
        let first = |at: Timestamp| RunId::first_at(at).number();
        let after = self.created_after.map_or(0, |after| first(after.plus_ms(1)));
        let from = self.from.map_or(after, |run| after.max(run.number()));
        let until = self.created_before.map_or(i64::MAX, first);
        (from, self.before.map_or(until, |run| until.min(run.number())))
    }
}

/// Runs whose names begin alike, by name, the newest of each name first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameSearch {
    pub begins: String,
    /// Where the page before has ended: a name, and a run of it.
    pub after: Option<(String, RunId)>,
}

/// One content under a name in a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedVersion {
    pub project: ProjectId,
    pub name: String,
    pub hash: ContentHash,
    /// When it was first uploaded under the name.
    pub created_at: Timestamp,
    pub files: u32,
    /// Bytes of all files together.
    pub bytes: u64,
    /// Its newest run in the project.
    pub last_run: Option<LastRun>,
    /// Its runs there, at most [`MAX_COUNTED_RUNS`].
    pub runs: u32,
}

/// Runs of a version that are counted: a list has as many versions as a page, and each may have been run without end.
pub const MAX_COUNTED_RUNS: u32 = 100;

/// How the newest run of something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastRun {
    pub id: RunId,
    pub state: RunState,
    pub created_at: Timestamp,
}

/// Where a page of versions has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionMark {
    pub created_at: Timestamp,
    pub project: ProjectId,
    pub name: String,
    pub hash: ContentHash,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_and_the_last_run_bound_the_ids() {
        let first = |ms: i64| ms << 21;
        let run = |number| RunId::from_number(number);
        let at = |ms| Some(Timestamp(ms));
        for (created_after, created_before, from, before, bounds) in [
            (None, None, None, None, (0, i64::MAX)),
            (at(4), None, None, None, (first(5), i64::MAX)),
            (None, at(4), None, None, (0, first(4))),
            (at(i64::MAX), at(-1), None, None, (first((1 << 42) - 1), 0)),
            (None, at(9), None, run(first(3) + 7), (0, first(3) + 7)),
            (None, at(2), None, run(first(3) + 7), (0, first(2))),
            (None, None, run(5), run(8), (5, 8)),
            (at(4), None, run(5), None, (first(5), i64::MAX)),
            (at(4), None, run(first(5) + 1), None, (first(5) + 1, i64::MAX)),
        ] {
            let list = RunList { created_after, created_before, from, before, ..RunList::default() };
            assert_eq!(list.bounds(), bounds, "{list:?}");
        }
    }
}
