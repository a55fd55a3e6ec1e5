//! The newest runs: of all projects together, and of each one. Only the root has these.
//!
//! Holds what people may be shown of a run and never decides anything by it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use weevil_model::limits::MAX_LISTED_RUNS;
use weevil_model::{ProjectId, RunId};
use weevil_records::ListedRun;

/// A run that several lists have.
pub(crate) type SharedRun = Arc<ListedRun>;

/// By id, which is by age.
type List = BTreeMap<RunId, SharedRun>;

#[derive(Default)]
pub(crate) struct RunLists {
    /// `None`: those of all projects.
    lists: BTreeMap<Option<ProjectId>, List>,
    changed: BTreeSet<Option<ProjectId>>,
}

impl RunLists {
    /// In the place of what was known of the run before.
    pub(crate) fn put(&mut self, run: ListedRun) {
        let (project, run) = (run.head.project, Arc::new(run));
        for of in [None, Some(project)] {
            let list = self.lists.entry(of).or_default();
            list.insert(run.head.id, run.clone());
            while list.len() > MAX_LISTED_RUNS as usize {
                list.pop_first();
            }
            self.changed.insert(of);
        }
    }

    /// So many jobs more of a run are doubted.
    pub(crate) fn doubt(&mut self, run: RunId, jobs: u64) {
        let known = self.lists.values().find_map(|list| list.get(&run));
        if let Some(mut known) = known.map(|known| ListedRun::clone(known)) {
            known.head.doubted += jobs;
            self.put(known);
        }
    }

    pub(crate) fn forget(&mut self, run: RunId) {
        for (of, list) in &mut self.lists {
            if list.remove(&run).is_some() {
                self.changed.insert(*of);
            }
        }
    }

    /// The lists that have changed since the last time, each with the newest run first.
    pub(crate) fn take_changed(&mut self) -> Vec<(Option<ProjectId>, Vec<SharedRun>)> {
        let changed = std::mem::take(&mut self.changed).into_iter();
        let runs = |of| self.lists.get(&of).into_iter().flat_map(|list| list.values().rev().cloned());
        changed.map(|of| (of, runs(of).collect())).collect()
    }
}

#[cfg(test)]
mod tests {
    use weevil_model::{ContentHash, RunState, Timestamp};
    use weevil_records::{Progress, RunHead};

    use super::*;

    fn run(number: i64, project: i64) -> ListedRun {
        let head = RunHead {
            id: RunId::from_number(number).unwrap(),
            project: ProjectId::from_number(project).unwrap(),
            name: String::new(),
            workflow: ContentHash::of(b""),
            state: RunState::Started,
            created_at: Timestamp(number),
            finished_at: None,
            paused: None,
            trust: None,
            doubted: 0,
        };
        ListedRun { head, progress: Progress::default() }
    }

    /// The project of each changed list (0 for all) and the numbers of its runs.
    fn changed(lists: &mut RunLists) -> Vec<(i64, Vec<i64>)> {
        let numbers = |runs: Vec<SharedRun>| runs.iter().map(|run| run.head.id.number()).collect();
        let changed = lists.take_changed().into_iter();
        changed.map(|(of, runs)| (of.map_or(0, ProjectId::number), numbers(runs))).collect()
    }

    #[test]
    fn a_list_changes_with_the_runs_of_its_project_alone() {
        let mut lists = RunLists::default();
        for (number, project) in [(5, 1), (7, 2), (6, 2)] {
            lists.put(run(number, project));
        }
        assert_eq!(changed(&mut lists), [(0, vec![7, 6, 5]), (1, vec![5]), (2, vec![7, 6])]);
        assert_eq!(changed(&mut lists), []);
        lists.put(run(6, 2));
        assert_eq!(changed(&mut lists), [(0, vec![7, 6, 5]), (2, vec![7, 6])]);
        lists.forget(run(5, 1).head.id);
        lists.forget(run(9, 1).head.id);
        assert_eq!(changed(&mut lists), [(0, vec![7, 6]), (1, vec![])]);
    }

    #[test]
    fn doubts_add_up_in_each_list_that_has_the_run() {
        let mut lists = RunLists::default();
        lists.put(run(5, 1));
        for (number, jobs) in [(5, 2), (9, 7), (5, 1)] {
            lists.doubt(run(number, 1).head.id, jobs);
        }
        let doubted = lists
            .take_changed()
            .into_iter()
            .map(|(_, runs)| runs.iter().map(|run| run.head.doubted).collect::<Vec<_>>());
        assert_eq!(doubted.collect::<Vec<_>>(), [[3], [3]]);
    }

    #[test]
    fn a_crowded_project_takes_no_run_out_of_another_s_list() {
        let mut lists = RunLists::default();
        lists.put(run(1, 2));
        let most = i64::from(MAX_LISTED_RUNS);
        (2..most + 9).for_each(|number| lists.put(run(number, 1)));
        let lengths: Vec<_> = changed(&mut lists).into_iter().map(|(of, runs)| (of, runs.len())).collect();
        assert_eq!(lengths, [(0, 200), (1, 200), (2, 1)]);
    }
}
