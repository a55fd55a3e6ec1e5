//! Whoever wants to hear of jobs, of whatever kind: one registry, told by the feeder alone, after the commit.
//!
//! *Listen first, then ask or look*: what becomes durable from then on is heard, so nothing is missed. It keeps nothing
//! that a crash may not take: after a restart executors listen again. It never says what a job has ended with to those
//! who only wait; the store does.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix::{Actor, Addr, Context, Handler, Recipient};
use tokio::sync::oneshot;
use weevil_model::{JobId, RunId};

use crate::device_standings::DeviceStandings;
use crate::job_news::{ElementUpdate, JobChange, JobUpdate};
use crate::root::{ChangeRun, Doubt, Retrace, RunChange};

/// What news are of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// The job of a node, by its path below the run. Its newest listener takes the place of the one before.
    Node {
        run: RunId,
        path: Arc<str>,
    },
    Job(JobId),
}

/// Who hears of them.
#[derive(Debug)]
pub enum Listener {
    /// Hears of every change, the end among them.
    Executor(Recipient<JobUpdate>),
    /// The executor of a pool's element. The first answer is the last that it hears: its pool takes its place at once, so that
    /// nothing is missed, and the executor can go.
    Processor { executor: Recipient<JobUpdate>, pool: Pool, index: u32 },
    /// A pool, for an element that has answered.
    Element { pool: Pool, index: u32 },
    /// Hears of the end.
    Waiter(oneshot::Sender<()>),
}

/// Who hears of the elements of a pool, which share it: thousands may wait to be believed.
pub type Pool = Arc<Recipient<ElementUpdate>>;

/// What has become of a job.
#[derive(Debug)]
pub(crate) struct News {
    pub job: Option<JobId>,
    /// Its run and its path below it; `None` for a stand-alone job.
    pub node: Option<(RunId, String)>,
    pub update: JobUpdate,
}

#[derive(Debug, Default)]
pub struct Listeners {
    registry: Mutex<Registry>,
    devices: DeviceStandings,
}

#[derive(Debug, Default)]
struct Registry {
    /// Who hears of runs as a whole.
    runs: Option<RunListener>,
    nodes: HashMap<RunId, HashMap<Arc<str>, Listener>>,
    jobs: HashMap<JobId, Vec<Listener>>,
}

/// Who hears of runs as a whole, by what it is told.
#[derive(Debug)]
pub(crate) struct RunListener {
    changes: Recipient<ChangeRun>,
    retraces: Recipient<Retrace>,
    doubts: Recipient<Doubt>,
}

impl RunListener {
    pub(crate) fn of<A>(root: &Addr<A>) -> Self
    where
        A: Actor<Context = Context<A>> + Handler<ChangeRun> + Handler<Retrace> + Handler<Doubt>,
    {
        let (changes, retraces) = (root.clone().recipient(), root.clone().recipient());
        Self { changes, retraces, doubts: root.clone().recipient() }
    }
}

impl Listeners {
    /// The devices that hear how they stand.
    pub const fn devices(&self) -> &DeviceStandings {
        &self.devices
    }

    pub fn listen(&self, subject: Subject, listener: Listener) {
        let mut registry = self.registry();
        match subject {
            Subject::Node { run, path } => {
                registry.nodes.entry(run).or_default().insert(path, listener);
            }
            Subject::Job(job) => registry.jobs.entry(job).or_default().push(listener),
        }
    }

    /// The end of a job, once.
    pub fn end_of(&self, job: JobId) -> oneshot::Receiver<()> {
        let (reply, end) = oneshot::channel();
        self.listen(Subject::Job(job), Listener::Waiter(reply));
        end
    }

    /// Whoever has the executors of runs hears what becomes of them by their jobs.
    pub(crate) fn listen_to_runs(&self, root: RunListener) {
        self.registry().runs = Some(root);
    }

    /// What has become of a run beside its jobs.
    pub(crate) fn change(&self, run: RunId, change: RunChange) {
        if let Some(root) = &self.registry().runs {
            root.changes.do_send(ChangeRun { run, change });
        }
    }

    /// Something of a run was reopened that its executors have been told.
    pub(crate) fn retrace(&self, run: RunId) {
        if let Some(root) = &self.registry().runs {
            root.retraces.do_send(Retrace(run));
        }
    }

    /// So many jobs of a run that has ended are doubted.
    pub(crate) fn doubt(&self, run: RunId, jobs: u64) {
        if let Some(root) = &self.registry().runs {
            root.doubts.do_send(Doubt(run, jobs));
        }
    }

    /// Nobody hears of the nodes of a run any more.
    pub(crate) fn forget_run(&self, run: RunId) {
        self.registry().nodes.remove(&run);
    }

    /// Tells what a batch has made durable, in its order: executors, then those who wait. An end is the last that its
    /// listeners hear.
    pub(crate) fn tell(&self, batch: Vec<News>) {
        let mut waiters = Vec::new();
        let mut registry = self.registry();
        for News { job, node, update } in batch {
            let ends = update.change.is_end();
            for listener in job.into_iter().flat_map(|job| registry.of_job(job, ends)) {
                hear(listener, update.clone(), &mut waiters);
            }
            if let Some(listener) = node.and_then(|(run, path)| registry.of_node(run, &path, &update.change))
            {
                hear(listener, update, &mut waiters);
            }
        }
        drop(registry);
        for waiter in waiters {
            // Who has gone does not want to hear it any more.
            let _gone = waiter.send(());
        }
    }

    /// Drops those who have gone.
    pub(crate) fn sweep(&self) {
        self.registry().jobs.retain(|_, listeners| {
            listeners.retain(Listener::is_there);
            !listeners.is_empty()
        });
    }

    fn registry(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Registry {
    /// Who hears of a change: at the end everybody, and for the last time.
    fn of_job(&mut self, job: JobId, ends: bool) -> Vec<Listener> {
        if ends {
            return self.jobs.remove(&job).unwrap_or_default();
        }
        self.jobs.get(&job).into_iter().flatten().filter_map(Listener::of_every_change).collect()
    }

    fn of_node(&mut self, run: RunId, path: &str, change: &JobChange) -> Option<Listener> {
        let listeners = self.nodes.get_mut(&run)?;
        if change.is_end() {
            return listeners.remove(path);
        }
        let listener = listeners.get_mut(path)?;
        let hears = listener.of_every_change();
        if matches!(change, JobChange::Answered) {
            listener.hand_over();
        }
        hears
    }
}

impl Listener {
    fn of_every_change(&self) -> Option<Self> {
        match self {
            Self::Executor(executor) | Self::Processor { executor, .. } => {
                Some(Self::Executor(executor.clone()))
            }
            Self::Element { pool, index } => Some(Self::Element { pool: pool.clone(), index: *index }),
            Self::Waiter(_) => None,
        }
    }

    /// A pool hears of its element from now on.
    fn hand_over(&mut self) {
        if let Self::Processor { pool, index, .. } = self {
            *self = Self::Element { pool: pool.clone(), index: *index };
        }
    }

    fn is_there(&self) -> bool {
        match self {
            Self::Executor(executor) | Self::Processor { executor, .. } => executor.connected(),
            Self::Element { pool, .. } => pool.connected(),
            Self::Waiter(reply) => !reply.is_closed(),
        }
    }
}

fn hear(listener: Listener, update: JobUpdate, waiters: &mut Vec<oneshot::Sender<()>>) {
    match listener {
        Listener::Executor(executor) | Listener::Processor { executor, .. } => executor.do_send(update),
        Listener::Element { pool, index } => pool.do_send(ElementUpdate { index, update }),
        Listener::Waiter(reply) => waiters.push(reply),
    }
}

impl JobChange {
    const fn is_end(&self) -> bool {
        matches!(self, Self::Ended(..) | Self::NotStored(_))
    }
}

#[cfg(test)]
#[path = "listeners_test.rs"]
mod tests;
