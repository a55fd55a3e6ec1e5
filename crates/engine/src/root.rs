//! The root supervisor: starts runs, keeps the list of them, forgets those that have ended (thesis 3.6.1).

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use actix::{Actor, Addr, AsyncContext, Context, Handler, Message, Recipient};
use weevil_model::RunId;
use weevil_model::limits::MAX_LISTED_RUNS;
use weevil_records::{JobTimes, ListedRun, RunRecord, SlotTotals};
use weevil_workflow::Plan;

use crate::common::Common;
use crate::runs::{Aside, Cancel, Paused, Run};

/// The list changes at most this often.
const LIST_EVERY: Duration = Duration::from_millis(250);

pub struct Root {
    common: Common,
    /// By id, which is by age.
    runs: BTreeMap<RunId, ListedRun>,
    /// Those that have not ended.
    live: HashMap<RunId, Standing>,
    dirty: bool,
}

/// A run is to begin, or to go on after a restart.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Start {
    pub record: RunRecord,
    pub plan: Arc<Plan>,
    pub earlier: Earlier,
}

/// What earlier lives of a run have computed.
#[derive(Debug, Default)]
pub struct Earlier {
    pub slots: Vec<SlotTotals>,
    pub times: Vec<JobTimes>,
}

/// A run cannot be taken up: it is shown with the reason, and waits for a person or the next start.
#[derive(Message)]
#[rtype(result = "()")]
pub struct SetAside {
    pub record: RunRecord,
    pub why: String,
}

/// What stands for a run that has not ended.
struct Standing {
    cancel: Recipient<Cancel>,
    pause: Recipient<Paused>,
}

impl Standing {
    fn of<A>(run: Addr<A>) -> Self
    where
        A: Actor<Context = Context<A>> + Handler<Cancel> + Handler<Paused>,
    {
        Self { cancel: run.clone().recipient(), pause: run.recipient() }
    }
}

/// A person wants a run to end. One that has ended stays as it is.
#[derive(Message)]
#[rtype(result = "()")]
pub struct CancelRun(pub RunId);

/// A run is paused, or goes on: durable already, this is for its view.
#[derive(Message)]
#[rtype(result = "()")]
pub struct PauseRun {
    pub run: RunId,
    pub paused: bool,
}

/// A run is not kept any longer.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Forget(pub RunId);

/// A run looks different.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Shown(pub ListedRun);

#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct RunEnded(pub ListedRun);

impl Root {
    /// `ended` are the newest runs that need no executor any more.
    pub fn new(common: Common, ended: Vec<ListedRun>) -> Self {
        let runs = ended.into_iter().map(|run| (run.head.id, run)).collect();
        Self { common, runs, live: HashMap::new(), dirty: true }
    }

    fn list(&mut self, run: ListedRun) {
        self.runs.insert(run.head.id, run);
        while self.runs.len() > MAX_LISTED_RUNS as usize {
            self.runs.pop_first();
        }
        self.dirty = true;
    }

    fn publish(&mut self) {
        if std::mem::take(&mut self.dirty) {
            self.common.board.post_runs(self.runs.values().rev().cloned().collect());
        }
    }
}

impl Actor for Root {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Context<Self>) {
        self.publish();
        ctx.run_interval(LIST_EVERY, |root, _| root.publish());
    }
}

impl Handler<Start> for Root {
    type Result = ();

    fn handle(&mut self, Start { record, plan, earlier }: Start, ctx: &mut Context<Self>) {
        let run = record.id;
        let executor = Run::new(record, plan, earlier, self.common.clone(), ctx.address()).start();
        self.live.insert(run, Standing::of(executor));
    }
}

impl Handler<SetAside> for Root {
    type Result = ();

    fn handle(&mut self, SetAside { record, why }: SetAside, ctx: &mut Context<Self>) {
        let run = record.id;
        let aside = Aside::new(record, why, self.common.clone(), ctx.address()).start();
        self.live.insert(run, Standing::of(aside));
    }
}

impl Handler<CancelRun> for Root {
    type Result = ();

    fn handle(&mut self, CancelRun(run): CancelRun, _: &mut Context<Self>) {
        if let Some(standing) = self.live.get(&run) {
            standing.cancel.do_send(Cancel);
        }
    }
}

impl Handler<PauseRun> for Root {
    type Result = ();

    fn handle(&mut self, PauseRun { run, paused }: PauseRun, _: &mut Context<Self>) {
        if let Some(standing) = self.live.get(&run) {
            standing.pause.do_send(Paused(paused));
        }
    }
}

impl Handler<Forget> for Root {
    type Result = ();

    fn handle(&mut self, Forget(run): Forget, _: &mut Context<Self>) {
        self.dirty |= self.runs.remove(&run).is_some();
    }
}

impl Handler<Shown> for Root {
    type Result = ();

    fn handle(&mut self, Shown(run): Shown, _: &mut Context<Self>) {
        self.list(run);
    }
}

impl Handler<RunEnded> for Root {
    type Result = ();

    fn handle(&mut self, RunEnded(run): RunEnded, _: &mut Context<Self>) {
        tracing::info!(run = %run.head.id, state = %run.head.state, "the run has ended");
        self.common.board.remove(run.head.id);
        self.live.remove(&run.head.id);
        self.list(run);
        self.publish();
    }
}
