//! Runs a plan with a fleet in this process.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::Actor;
use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::{Encoded, ProjectId, Reuse, RunState, Timestamp};
use weevil_queue::{Ended, NewJob, RunJudgement};
use weevil_records::{Retrace, RunRecord, Store, StoreError};
use weevil_workflow::Plan;

use crate::board::Board;
use crate::clock::SystemClock;
use crate::common::Common;
use crate::feeder::{self, Request};
use crate::health::Health;
use crate::job_news::{Cost, JobChange, JobUpdate};
use crate::listeners::{Listeners, News};
use crate::metrics::Metrics;
use crate::root::{Earlier, Root, Start};
use crate::seeds::Ids;

/// A job that waits for the fleet.
pub(super) struct OpenJob {
    pub job: Box<NewJob>,
    listeners: Arc<Listeners>,
}

impl OpenJob {
    /// A worker takes the job and has the value at once.
    pub(super) fn answer(self, value: Encoded) {
        self.tell([JobChange::Claimed, JobChange::Ended(Ended::Value(value), Cost::Nothing)]);
    }

    /// What one batch says of the job.
    pub(super) fn tell<const CHANGES: usize>(&self, changes: [JobChange; CHANGES]) {
        let news = changes.map(|change| News {
            job: None,
            node: self.job.origin.run().map(|run| (run, self.job.path.to_string())),
            update: JobUpdate { change, at: Timestamp::default() },
        });
        self.listeners.tell(news.into());
    }
}

/// Runs a plan whose jobs return what `compute` says, at once. Answers the time from the start of the run to its end.
///
/// # Errors
/// Those of `store`, which is opened in the rehearsal's own runtime.
pub fn schedule(
    plan: Plan,
    store: impl Future<Output = Result<Arc<dyn Store>, StoreError>>,
    compute: impl Fn(&NewJob) -> Encoded,
) -> Result<Duration, StoreError> {
    actix::System::new().block_on(rehearse(plan, store, |waiting| {
        for waiting in waiting.drain(..) {
            let value = compute(&waiting.job);
            waiting.answer(value);
        }
    }))
}

/// Runs a plan; `fleet` answers at least one of the jobs that wait whenever it is called, until the run ends. Answers how
/// long the run took.
pub(crate) async fn rehearse(
    plan: Plan,
    store: impl Future<Output = Result<Arc<dyn Store>, StoreError>>,
    mut fleet: impl FnMut(&mut Vec<OpenJob>),
) -> Result<Duration, StoreError> {
    let clock = Arc::new(SystemClock);
    let store = store.await?;
    let (health, metrics) = (Arc::new(Health::default()), Arc::new(Metrics::default()));
    let (feeder, mut inbox) = feeder::channel(metrics.queue.asks.clone());
    let (ids, board) = (Arc::new(Ids::default()), Arc::new(Board::default()));
    let listeners = Arc::<Listeners>::default();
    let common = Common {
        store,
        clock,
        ids,
        board,
        feeder,
        health,
        metrics,
        listeners: listeners.clone(),
        trust: Policy::None,
        assumed: AssumedShare::default(),
    };
    let start = Start { record: record(&common, &plan), plan: Arc::new(plan), earlier: Earlier::default() };
    let began = Instant::now();
    Root::new(common, Vec::new()).start().do_send(start);
    let mut waiting = Vec::new();
    loop {
        let ask = if waiting.is_empty() { inbox.recv().await } else { inbox.try_recv().ok() };
        match ask {
            Some(Request::Enqueue(job)) => waiting.push(OpenJob { job, listeners: listeners.clone() }),
            Some(Request::CancelRun(_)) => return Ok(began.elapsed()),
            Some(_) => {}
            None => {
                fleet(&mut waiting);
                tokio::task::yield_now().await;
            }
        }
    }
}

fn record(common: &Common, plan: &Plan) -> RunRecord {
    let now = common.clock.now();
    RunRecord {
        id: common.ids.run(now),
        project: ProjectId::DEFAULT,
        created_by: None,
        name: plan.name.clone(),
        workflow: weevil_model::ContentHash::of(plan.name.as_bytes()),
        seed: 0,
        state: RunState::Started,
        created_at: now,
        paused: None,
        reuse: Reuse::Never,
        trust: None,
        assumed: None,
        left_out: Vec::new(),
        doubted: 0,
        retrace: Retrace::Never,
        judgement: RunJudgement::default(),
        end: None,
        unread: None,
    }
}
