//! Which codes fail wherever they run: what has come of the jobs that stand alone, code by code (`decide::stopped`).
//!
//! Lost with the process, as each count is that has not come to its end: what is stopped stands in the database (ADR 0066).

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use weevil_model::witness::Witness;
use weevil_model::{ContentHash, JobId, ProjectId, WorkerId};
use weevil_queue::batch::{Change, JobNews};
use weevil_queue::decide::stopped::Tally;
use weevil_queue::{Claimed, Outcomes, QueueCode, StoppedCode, Submission};

/// Codes that are counted at a time, of all queues: the one that nobody has had for longest makes room.
const MAX_CODES: usize = 1024;
/// Jobs that are watched at a time, of codes that have not given a value.
pub(super) const MAX_WATCHED: usize = 16_384;
/// Workers that are remembered of one job: they may have left before it ends.
const MAX_REPORTERS: usize = 8;

/// Project, code, and the hash of the queue's name: told from a job without keeping anything of it.
type Key = (ProjectId, ContentHash, ContentHash);

#[derive(Debug, Default)]
pub(super) struct StopDesk {
    codes: HashMap<Key, Counted>,
    /// Jobs that were handed out while nothing was decided of their code.
    watched: HashMap<JobId, Watched>,
    /// Hand-outs so far: how long ago a code was used.
    handed: u64,
}

#[derive(Debug)]
struct Counted {
    queue: Arc<str>,
    tally: Tally,
    used: u64,
}

#[derive(Debug)]
struct Watched {
    key: Key,
    /// Who has reported of it.
    reporters: Vec<(WorkerId, Witness)>,
}

impl StopDesk {
    /// A job that stands alone was handed out. Costs one look at a table once its code has given a value.
    pub(super) fn handed(&mut self, job: &Claimed) {
        if job.run.is_some() {
            return;
        }
        let key = key(job.project, &job.workflow_name, job.code);
        self.handed += 1;
        let used = self.handed;
        self.make_room(&key);
        let counted = match self.codes.entry(key) {
            Entry::Occupied(counted) => counted.into_mut(),
            Entry::Vacant(place) => {
                let queue = job.workflow_name.as_str().into();
                place.insert(Counted { queue, tally: Tally::default(), used })
            }
        };
        counted.used = used;
        if counted.tally.is_decided() {
            return;
        }
        if self.watched.len() < MAX_WATCHED || self.watched.contains_key(&job.job()) {
            self.watched.entry(job.job()).or_insert(Watched { key, reporters: Vec::new() });
        } else {
            // A value that nobody looks for would be missed, and a code stopped that works.
            counted.tally = Tally::Decided;
            self.watched.retain(|_, watched| watched.key != key);
        }
    }

    fn make_room(&mut self, key: &Key) {
        if self.codes.len() < MAX_CODES || self.codes.contains_key(key) {
            return;
        }
        let oldest = self.codes.iter().min_by_key(|(_, counted)| counted.used).map(|(key, _)| *key);
        if let Some(oldest) = oldest {
            self.forget(oldest);
        }
    }

    fn forget(&mut self, key: Key) {
        self.codes.remove(&key);
        self.watched.retain(|_, watched| watched.key != key);
    }

    /// A person lets the code go on: it counts anew.
    pub(super) fn resumed(&mut self, code: &QueueCode) {
        self.forget(key(code.project, &code.queue, code.code));
    }

    /// What a batch has come to; `reports` are what `outcomes` answers in its `completed`, and `witness` says who speaks from a
    /// worker. Answers the codes that are to be stopped.
    pub(super) fn hear(
        &mut self,
        reports: &[Submission],
        outcomes: &Outcomes,
        witness: impl Fn(WorkerId) -> Option<Witness>,
    ) -> Vec<StoppedCode> {
        let mut stop = Vec::new();
        if self.watched.is_empty() {
            return stop;
        }
        for (report, settled) in reports.iter().zip(&outcomes.completed) {
            if let Some(news) = &settled.job {
                self.reported(news.id, report.reporter.worker, &witness);
                stop.extend(self.news(news));
            }
        }
        let returned = outcomes.returned.iter().map(|returned| &returned.job);
        let ruled = outcomes.ruled.iter().map(|ruled| &ruled.job);
        let ended = outcomes.overdue.iter().chain(&outcomes.cancelled);
        for news in returned.chain(ruled).chain(ended) {
            stop.extend(self.news(news));
        }
        stop
    }

    fn reported(&mut self, job: JobId, by: WorkerId, witness: impl Fn(WorkerId) -> Option<Witness>) {
        let Some(watched) = self.watched.get_mut(&job) else { return };
        if let Some(witness) = witness(by).filter(|_| watched.reporters.len() < MAX_REPORTERS) {
            watched.reporters.push((by, witness));
        }
    }

    fn news(&mut self, news: &JobNews) -> Option<StoppedCode> {
        let Change::Ended(ended) = &news.change else { return None };
        let Watched { key, reporters } = self.watched.remove(&news.id)?;
        let counted = self.codes.get_mut(&key)?;
        let witness = |by| reporters.iter().find(|(worker, _)| *worker == by).map(|(_, witness)| *witness);
        let stops = counted.tally.count(ended, witness);
        let (project, code, _) = key;
        let code = QueueCode { project, queue: counted.queue.clone(), code };
        if counted.tally.is_decided() {
            self.watched.retain(|_, watched| watched.key != key);
        }
        stops.then_some(StoppedCode { code, example: news.id })
    }
}

fn key(project: ProjectId, queue: &str, code: ContentHash) -> Key {
    (project, code, ContentHash::of(queue.as_bytes()))
}
