//! Which runs of a list have changed since they were told. Pure.

use std::collections::BTreeMap;
use std::sync::Arc;

use weevil_model::RunId;
use weevil_model::limits::MAX_LISTED_RUNS;
use weevil_records::ListedRun;

/// Runs of one frame.
const MAX_RUNS: usize = 50;

/// What was told of each run that is listed.
#[derive(Debug, Default)]
pub(super) struct Listed {
    told: BTreeMap<RunId, Arc<ListedRun>>,
    /// The run that was told last: the next ones have their turn first.
    last: Option<RunId>,
}

impl Listed {
    /// As if all of these had been told.
    pub(super) fn of(runs: &[Arc<ListedRun>]) -> Self {
        Self { told: runs.iter().map(|run| (run.head.id, run.clone())).collect(), last: None }
    }

    /// The newest first.
    pub(super) fn newest(&self) -> impl Iterator<Item = &Arc<ListedRun>> {
        self.told.values().rev().take(MAX_RUNS)
    }

    /// Those that have gone from the list, and not since newer ones have pushed them out. They are forgotten.
    pub(super) fn gone(&mut self, now: &[Arc<ListedRun>]) -> Vec<RunId> {
        let there: Vec<RunId> = now.iter().map(|run| run.head.id).collect();
        let last = now.last().filter(|_| now.len() >= MAX_LISTED_RUNS as usize).map(|run| run.head.id);
        let left = self.told.keys().copied().filter(|id| !there.contains(id)).collect::<Vec<_>>();
        self.told.retain(|id, _| there.contains(id));
        left.into_iter().filter(|id| last.is_none_or(|last| *id > last)).take(MAX_RUNS).collect()
    }

    /// Those that were not told as they are, as far as they fit; one fits always. The others are told the next time, before any that was
    /// told now.
    pub(super) fn changed(
        &mut self,
        now: &[Arc<ListedRun>],
        mut fits: impl FnMut(&ListedRun) -> bool,
    ) -> Vec<Arc<ListedRun>> {
        let is_news = |run: &&Arc<ListedRun>| {
            self.told.get(&run.head.id).is_none_or(|told| !Arc::ptr_eq(told, run) && told != *run)
        };
        let (behind, before): (Vec<_>, Vec<_>) =
            now.iter().filter(is_news).partition(|run| self.last.is_none_or(|last| run.head.id < last));
        let mut changed = Vec::new();
        for run in behind.into_iter().chain(before).take(MAX_RUNS) {
            if !fits(run) && !changed.is_empty() {
                break;
            }
            changed.push(run.clone());
        }
        self.told.extend(changed.iter().map(|run| (run.head.id, run.clone())));
        self.last = changed.last().map(|run| run.head.id);
        changed
    }
}

#[cfg(test)]
mod tests {
    use weevil_model::{ContentHash, ProjectId, RunState, Timestamp};
    use weevil_records::{Progress, RunHead};

    use super::*;

    fn id(number: i64) -> RunId {
        RunId::from_number(number).unwrap()
    }

    /// A run with so many jobs done.
    fn run(number: i64, done: u32) -> Arc<ListedRun> {
        let head = RunHead {
            id: id(number),
            project: ProjectId::from_number(1).unwrap(),
            name: String::new(),
            workflow: ContentHash::of(b""),
            state: RunState::Started,
            created_at: Timestamp(number),
            finished_at: None,
            paused: None,
            trust: None,
            doubted: 0,
        };
        Arc::new(ListedRun { head, progress: Progress { done, ..Progress::default() } })
    }

    fn runs(of: &[(i64, u32)]) -> Vec<Arc<ListedRun>> {
        of.iter().map(|(number, done)| run(*number, *done)).collect()
    }

    #[test]
    fn runs_that_have_changed_have_their_turns() {
        let mut listed = Listed::of(&runs(&[(3, 0), (2, 0), (1, 0)]));
        for (now, room, expected) in [
            (vec![(3, 0), (2, 0), (1, 0)], 9, vec![]),
            (vec![(4, 0), (3, 0), (2, 1), (1, 0)], 9, vec![4, 2]),
            (vec![(4, 1), (3, 1), (2, 2), (1, 1)], 1, vec![1]),
            // Those that change all the time do not keep back the others.
            (vec![(4, 2), (3, 1), (2, 2), (1, 1)], 1, vec![4]),
            (vec![(4, 3), (3, 1), (2, 2), (1, 1)], 2, vec![3, 2]),
            (vec![(4, 3), (3, 1), (2, 2), (1, 1)], 0, vec![4]),
            (vec![(4, 3), (3, 1), (2, 2), (1, 1)], 9, vec![]),
        ] {
            let mut left = room;
            let fits = |_: &ListedRun| {
                let fits = left > 0;
                left -= i32::from(fits);
                fits
            };
            let changed = listed.changed(&runs(&now), fits);
            let expected: Vec<RunId> = expected.into_iter().map(id).collect();
            assert_eq!(changed.iter().map(|run| run.head.id).collect::<Vec<_>>(), expected, "{now:?}");
        }
    }

    #[test]
    fn a_run_is_gone_when_it_is_not_listed_and_there_is_room() {
        let full = |newest: i64| (0..200).map(|at| (newest - at, 0)).collect::<Vec<_>>();
        for (before, now, gone) in [
            (vec![(2, 0), (1, 0)], vec![(2, 0)], vec![1]),
            (vec![(2, 0), (1, 0)], vec![], vec![1, 2]),
            (full(200), full(201), vec![]),
            (full(201), full(200), vec![201]),
        ] {
            let mut listed = Listed::of(&runs(&before));
            let gone: Vec<RunId> = gone.into_iter().map(id).collect();
            assert_eq!(listed.gone(&runs(&now)), gone, "{now:?}");
            assert_eq!(listed.gone(&runs(&now)), [], "it is told once");
        }
    }

    #[test]
    fn a_frame_has_so_many_runs() {
        let now = runs(&(0..120).map(|at| (200 - at, 0)).collect::<Vec<_>>());
        let mut listed = Listed::default();
        let counts = [(); 4].map(|()| listed.changed(&now, |_| true).len());
        assert_eq!((counts, listed.newest().count()), ([50, 50, 20, 0], 50));
    }
}
