//! The workflow executor: starts every node's executor, watches them, ends the run, keeps its view up to date.
//!
//! Never computes an end itself (`weevil_dataflow::RunExecutor` does) and never touches jobs: executors have theirs.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix::{
    Actor, ActorContext, ActorFutureExt, Addr, AsyncContext, Context, Handler, Message, Recipient, WrapFuture,
};
use tokio::sync::watch;
use weevil_dataflow::{Failure, RunEffect, RunEvent, RunExecutor};
use weevil_model::{Encoded, NodeState, RunState, Timestamp};
use weevil_protocol::api::{AttemptError, RunError, RunStats, RunSummary, RunView};
use weevil_queue::{RunEnd, RunRecord, SlotTotals, Store};
use weevil_workflow::Plan;

use super::feeder::{Ask, Work};
use super::job::RunContext;
use super::pool::{Part, PartFailed, PoolActor};
use super::root::{Ended, Root, Shown};
pub(super) use super::tally::Place;
use super::tally::Tally;
use super::{Cancel, Common, Input, nodes};
use crate::board::shown_result;

/// Views change at most this often.
const VIEW_EVERY: Duration = Duration::from_millis(250);
/// How long to wait before the end of a run is written again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

pub(super) struct Run {
    record: RunRecord,
    plan: Arc<Plan>,
    common: Common,
    root: Addr<Root>,
    machine: RunExecutor,
    tally: Tally,
    nodes: Vec<Recipient<Cancel>>,
    /// Shared with every executor of the run.
    open: Rc<Cell<bool>>,
    view: watch::Sender<Arc<RunView>>,
    dirty: bool,
}

/// An executor has changed its state.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Transition {
    pub place: Place,
    pub from: Option<NodeState>,
    pub to: NodeState,
}

/// A pool knows how many elements it has.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct PoolSized {
    pub node: usize,
    pub elements: usize,
}

/// An attempt has been completed.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Worked {
    pub work: Work,
    pub at: Timestamp,
}

/// A job took a stored result.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Reused;

/// A node cannot finish any more.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct NodeFailed(pub Failure);

/// The final node has its value.
#[derive(Message)]
#[rtype(result = "()")]
struct FinalResult(Encoded);

/// Where an executor's result goes.
pub(super) enum Outlet {
    Edges { targets: Vec<(Recipient<Input>, usize)>, last: Option<Addr<Run>> },
    Pool { pool: Addr<PoolActor>, index: Option<usize> },
}

impl Outlet {
    pub(super) fn edges(targets: Vec<(Recipient<Input>, usize)>) -> Self {
        Self::Edges { targets, last: None }
    }

    /// Of the processor with this index, or of the reducer.
    pub(super) fn pool(pool: Addr<PoolActor>, index: Option<usize>) -> Self {
        Self::Pool { pool, index }
    }

    pub(super) fn deliver(&self, value: &Encoded) {
        match self {
            Self::Edges { targets, last } => {
                for (target, port) in targets {
                    target.do_send(Input { port: *port, value: value.clone() });
                }
                if let Some(run) = last {
                    run.do_send(FinalResult(value.clone()));
                }
            }
            Self::Pool { pool, index } => pool.do_send(Part { index: *index, value: value.clone() }),
        }
    }

    /// A node's own failure is its run's; that of a part, its pool's.
    pub(super) fn fail(&self, failure: Failure, run: &Addr<Run>) {
        match self {
            Self::Edges { .. } => run.do_send(NodeFailed(failure)),
            Self::Pool { pool, .. } => pool.do_send(PartFailed(failure)),
        }
    }
}

impl Run {
    /// On the board from here on. `slots` is what earlier lives of the run have computed.
    pub(super) fn new(
        record: RunRecord,
        plan: Arc<Plan>,
        slots: Vec<SlotTotals>,
        common: Common,
        root: Addr<Root>,
    ) -> Self {
        let tally = Tally::new(&plan, &format!("/user/rootSupervisor/{}", record.id), slots);
        let view = watch::Sender::new(Arc::new(view(&record, &tally, None, None)));
        common.board.show(record.id, view.subscribe());
        let (machine, nodes) = (RunExecutor::start(), Vec::new());
        let open = Rc::new(Cell::new(true));
        Self { record, plan, common, root, machine, tally, nodes, open, view, dirty: true }
    }

    fn context(&self, ctx: &Context<Self>) -> RunContext {
        RunContext {
            open: self.open.clone(),
            run: self.record.id,
            seed: self.record.seed,
            reuse: self.record.reuse,
            executor: ctx.address(),
            common: self.common.clone(),
        }
    }

    /// The last view, with the result, is `close`'s: an end is shown when it is durable.
    fn publish(&mut self) {
        if std::mem::take(&mut self.dirty) && !self.machine.state().is_terminal() {
            let view = Arc::new(view(&self.record, &self.tally, None, None));
            self.root.do_send(Shown(view.summary.clone()));
            self.view.send_replace(view);
        }
    }

    fn feed(&mut self, event: RunEvent, ctx: &mut Context<Self>) {
        if let Some(RunEffect::End { state, result, failure }) = self.machine.handle(event) {
            self.end(state, result, failure, ctx);
        }
    }

    /// First the end is durable, then everybody hears of it. A crash between: the restarted run ends the same way.
    fn end(
        &mut self,
        state: RunState,
        result: Option<Encoded>,
        failure: Option<Failure>,
        ctx: &mut Context<Self>,
    ) {
        self.tally.close();
        let error = failure.map(run_error);
        let end = RunEnd { state, at: self.common.clock.now(), result, view: String::new() };
        self.record.state = state;
        self.record.end = Some(end.clone());
        let stored = view(&self.record, &self.tally, None, error.clone());
        let shown = view(&self.record, &self.tally, end.result.as_ref(), error);
        let end = RunEnd { view: serde_json::to_string(&stored).unwrap_or_default(), ..end };
        let (store, run) = (self.common.store.clone(), self.record.id);
        let written = async move { write_end(&*store, run, &end).await };
        ctx.spawn(written.into_actor(self).map(move |(), run, ctx| run.close(shown, ctx)));
    }

    fn close(&mut self, last: RunView, ctx: &mut Context<Self>) {
        self.open.set(false);
        for node in self.nodes.drain(..) {
            node.do_send(Cancel);
        }
        self.common.feeder.ask(Ask::CancelRun(self.record.id));
        self.root.do_send(Ended { run: self.record.id, summary: last.summary.clone() });
        self.view.send_replace(Arc::new(last));
        ctx.stop();
    }
}

async fn write_end(store: &dyn Store, run: weevil_model::RunId, end: &RunEnd) {
    while let Err(error) = store.end_run(run, end).await {
        tracing::error!(%run, %error, "the end of a run waits for the database");
        tokio::time::sleep(RETRY_AFTER).await;
    }
}

fn view(record: &RunRecord, tally: &Tally, result: Option<&Encoded>, error: Option<RunError>) -> RunView {
    let stats: RunStats = tally.stats();
    RunView {
        summary: summary(record, tally),
        nodes: tally.nodes.clone(),
        stats,
        result: result.and_then(shown_result),
        error,
    }
}

fn summary(record: &RunRecord, tally: &Tally) -> RunSummary {
    RunSummary {
        id: record.id.to_string(),
        name: record.name.clone(),
        workflow: record.workflow.to_string(),
        state: record.state,
        created_at: record.created_at.0,
        finished_at: record.end.as_ref().map(|end| end.at.0),
        progress: tally.progress,
    }
}

fn run_error(failure: Failure) -> RunError {
    let attempts = failure.attempts.into_iter().map(|attempt| AttemptError {
        attempt: attempt.attempt,
        worker: attempt.worker,
        kind: attempt.kind,
        message: attempt.message,
        stack: attempt.stack,
    });
    RunError { node: failure.node, attempts: attempts.collect() }
}

impl Actor for Run {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Context<Self>) {
        self.nodes = nodes::start(&self.plan, &self.context(ctx));
        self.publish();
        ctx.run_interval(VIEW_EVERY, |run, _| run.publish());
    }
}

impl Handler<Transition> for Run {
    type Result = ();

    fn handle(&mut self, Transition { place, from, to }: Transition, _: &mut Context<Self>) {
        if !self.machine.state().is_terminal() {
            self.tally.transition(place, from, to);
            self.dirty = true;
        }
    }
}

impl Handler<PoolSized> for Run {
    type Result = ();

    fn handle(&mut self, PoolSized { node, elements }: PoolSized, _: &mut Context<Self>) {
        self.tally.pool_sized(node, elements);
        self.dirty = true;
    }
}

impl Handler<Worked> for Run {
    type Result = ();

    fn handle(&mut self, Worked { work, at }: Worked, _: &mut Context<Self>) {
        self.tally.worked(work, at);
        self.dirty = true;
    }
}

impl Handler<Reused> for Run {
    type Result = ();

    fn handle(&mut self, _: Reused, _: &mut Context<Self>) {
        self.tally.reused += 1;
        self.dirty = true;
    }
}

impl Handler<NodeFailed> for Run {
    type Result = ();

    fn handle(&mut self, NodeFailed(failure): NodeFailed, ctx: &mut Context<Self>) {
        self.feed(RunEvent::NodeFailed(failure), ctx);
    }
}

impl Handler<Cancel> for Run {
    type Result = ();

    fn handle(&mut self, _: Cancel, ctx: &mut Context<Self>) {
        self.feed(RunEvent::Cancel, ctx);
    }
}

impl Handler<FinalResult> for Run {
    type Result = ();

    fn handle(&mut self, FinalResult(value): FinalResult, ctx: &mut Context<Self>) {
        self.feed(RunEvent::FinalResult(value), ctx);
    }
}
