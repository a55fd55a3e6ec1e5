//! The workflow executor: starts every node's executor, watches them, ends the run, keeps its view up to date.
//!
//! Never computes an end itself (`weevil_dataflow::RunExecutor` does) and never touches jobs: executors have theirs.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix::{Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, WrapFuture};
use tokio::sync::watch;
use weevil_dataflow::{NodeFailure, RunEffect, RunEvent, RunExecutor};
use weevil_failpoint::{Point, pass};
use weevil_model::{Encoded, RunId, RunState};
use weevil_queue::RunJudgement;
use weevil_records::{
    AttemptFailure, Retrace, RunCourse, RunEnd, RunFacts, RunFailure, RunRecord, StoreError,
};
use weevil_workflow::Plan;

use crate::board::{Live, ShownRun};
use crate::common::Common;
use crate::feeder::Request;
use crate::runs::context::{RunContext, SharedContext, policy};
use crate::runs::earlier::Earlier;
use crate::runs::messages::{Cancel, FinalResult, NodeFailed, RunChange, Stop};
use crate::runs::outlet::Consumer;
use crate::runs::overseer::Overseer;
use crate::runs::start;
use crate::runs::tally::{SharedTally, Tally};

/// Views change at most this often.
const VIEW_EVERY: Duration = Duration::from_millis(250);
/// How long to wait before the end of a run is written again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

pub(crate) struct Run {
    record: RunRecord,
    plan: Arc<Plan>,
    common: Common,
    overseer: Overseer,
    machine: RunExecutor,
    tally: SharedTally,
    /// Workers may have computed for it while nobody stood for it.
    taken_up: bool,
    /// The context of every executor; `None` before the start.
    context: Option<SharedContext>,
    nodes: Vec<Consumer>,
    shown: watch::Sender<Arc<ShownRun>>,
}

impl Run {
    /// On the board from here on. `watched` is what has shown it until now.
    pub(crate) fn new(
        record: RunRecord,
        plan: Arc<Plan>,
        earlier: Earlier,
        common: Common,
        overseer: Overseer,
        watched: Option<watch::Sender<Arc<ShownRun>>>,
    ) -> Self {
        let tally = Tally::new(&plan, earlier, |spec| policy(record.trust, spec, common.trust));
        let (now, taken_up) = (Arc::new(shown(&record, &tally)), watched.is_some());
        let shown = watched.unwrap_or_else(|| watch::Sender::new(now.clone()));
        shown.send_replace(now);
        let live = Live { workflow: record.workflow, plan: Some(plan.clone()), shown: shown.subscribe() };
        common.board.show(record.id, live);
        let (machine, nodes) = (RunExecutor::start(), Vec::new());
        let tally = SharedTally::new(tally);
        Self { record, plan, common, overseer, machine, tally, taken_up, context: None, nodes, shown }
    }

    /// Where people see it.
    pub(crate) fn watched(&self) -> watch::Sender<Arc<ShownRun>> {
        self.shown.clone()
    }

    fn context(&self, ctx: &Context<Self>) -> SharedContext {
        Rc::new(RunContext {
            open: Cell::new(true),
            run: self.record.id,
            seed: self.record.seed,
            project: self.record.project,
            reuse: self.record.reuse,
            plan: self.plan.clone(),
            policy: self.record.trust,
            assumed: self.record.assumed.unwrap_or(self.common.assumed),
            begins_anew: self.record.retrace != Retrace::Never,
            results: ctx.address().recipient(),
            failures: ctx.address().recipient(),
            common: self.common.clone(),
            tally: self.tally.clone(),
        })
    }

    /// An end is `close`'s: it is shown when it is durable.
    fn publish(&mut self) {
        if self.tally.take_news() {
            self.show();
        }
    }

    fn show(&self) {
        if !self.machine.state().is_terminal() {
            let shown = shown(&self.record, &self.tally.read());
            self.overseer.show(shown.listed());
            self.shown.send_replace(Arc::new(shown));
        }
    }

    /// Where that cannot be read now, the next who reads the run's record finds it.
    fn read_left_out(&self, ctx: &mut Context<Self>) {
        let (store, run) = (self.common.store.clone(), self.record.id);
        let read = async move { store.left_out(run).await };
        ctx.spawn(read.into_actor(self).map(|read, run, _| match read {
            Ok(left_out) => {
                run.record.left_out = left_out;
                run.show();
            }
            Err(error) => {
                let run = run.record.id;
                tracing::warn!(%run, %error, "engines that are left out cannot be read");
            }
        }));
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
        failure: Option<NodeFailure>,
        ctx: &mut Context<Self>,
    ) {
        self.tally.note(Tally::close);
        if !self.taken_up {
            return self.write(state, result, failure, ctx);
        }
        let (common, run) = (self.common.clone(), self.record.id);
        let all = async move { computed(&common, run).await };
        ctx.spawn(all.into_actor(self).map(move |all, run, ctx| {
            if let Some(all) = all {
                run.tally.recount(all);
            }
            run.write(state, result, failure, ctx);
        }));
    }

    fn write(
        &mut self,
        state: RunState,
        result: Option<Encoded>,
        failure: Option<NodeFailure>,
        ctx: &mut Context<Self>,
    ) {
        let (facts, course) = (self.tally.read().facts(), self.tally.read().course());
        let facts = RunFacts { error: failure.map(run_failure), ..facts };
        let end = RunEnd { state, at: self.common.clock.now(), result, facts };
        self.record.state = state;
        self.record.end = Some(end.clone());
        let last = ShownRun::of(&self.record);
        let (common, run) = (self.common.clone(), self.record.id);
        let written = async move {
            // Else it is about to be stopped.
            if write_end(&common, run, &end, &course).await {
                Some(judgement(&common, last).await)
            } else {
                None
            }
        };
        ctx.spawn(written.into_actor(self).map(|last, run, ctx| {
            if let Some(last) = last {
                run.close(last, ctx);
            }
        }));
    }

    fn close(&mut self, last: ShownRun, ctx: &mut Context<Self>) {
        self.common.feeder.ask(Request::CancelRun(self.record.id));
        self.stop(ctx);
        self.overseer.end(last.listed());
        self.shown.send_replace(Arc::new(last));
    }

    fn stop(&mut self, ctx: &mut Context<Self>) {
        if let Some(context) = &self.context {
            context.open.set(false);
        }
        for node in self.nodes.drain(..) {
            node.cancel();
        }
        ctx.stop();
    }
}

/// What was computed for a run in all; `None` where that cannot be read.
async fn computed(common: &Common, run: RunId) -> Option<Earlier> {
    loop {
        match Earlier::read(&*common.store, run).await {
            Ok(all) => return Some(all),
            Err(error @ StoreError::Corrupt { .. }) => {
                tracing::error!(%run, %error, "what a run has cost cannot be read");
                return None;
            }
            Err(error) => tracing::error!(%run, %error, "the end of a run waits for the database"),
        }
        common.clock.sleep(RETRY_AFTER).await;
    }
}

/// Tries until the end of a run is durable. Answers false where something of it was reopened that its executors do not know of.
async fn write_end(common: &Common, run: RunId, end: &RunEnd, course: &RunCourse) -> bool {
    pass(Point::RunEnding);
    loop {
        match common.store.end_run(run, end, course).await {
            Ok(true) => {
                pass(Point::RunEnded);
                return true;
            }
            Ok(false) => return false,
            Err(error) => {
                common.refused(&error);
                tracing::error!(%run, %error, "the end of a run waits for the database");
            }
        }
        common.clock.sleep(RETRY_AFTER).await;
    }
}

/// With all that its jobs were believed on: what the last of them has changed may still be on its way to its executor.
async fn judgement(common: &Common, last: ShownRun) -> ShownRun {
    if last.judgement == RunJudgement::default() {
        return last;
    }
    let judgement = common.store.judgement(last.head.id).await.unwrap_or(last.judgement);
    ShownRun { judgement, ..last }
}

/// A run that goes on.
fn shown(record: &RunRecord, tally: &Tally) -> ShownRun {
    ShownRun {
        facts: tally.facts(),
        states: Arc::new(tally.node_states()),
        profile: Some(Arc::new(tally.profile())),
        ..ShownRun::of(record)
    }
}

fn run_failure(failure: NodeFailure) -> RunFailure {
    let attempts = failure.attempts.into_iter().map(|attempt| AttemptFailure {
        attempt: attempt.attempt,
        worker: attempt.worker,
        kind: attempt.kind,
        message: attempt.message,
        stack: attempt.stack,
    });
    RunFailure { node: failure.node, attempts: attempts.collect(), ..RunFailure::default() }
}

impl Actor for Run {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Context<Self>) {
        let context = self.context(ctx);
        self.nodes = start::start(&self.plan, &context);
        self.context = Some(context);
        self.publish();
        ctx.run_interval(VIEW_EVERY, |run, _| run.publish());
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

impl Handler<Stop> for Run {
    type Result = ();

    fn handle(&mut self, _: Stop, ctx: &mut Context<Self>) {
        self.stop(ctx);
    }
}

impl Handler<RunChange> for Run {
    type Result = ();

    fn handle(&mut self, change: RunChange, ctx: &mut Context<Self>) {
        match change {
            RunChange::Paused(paused) => {
                self.record.paused = paused;
                self.show();
            }
            RunChange::AttemptFailed(at) => self.tally.note(|tally| tally.failed(at)),
            RunChange::EngineLeftOut => self.read_left_out(ctx),
            // Its jobs have changed with it: it is shown with them.
            RunChange::Judged(judgement) => {
                self.record.judgement = judgement;
                self.tally.note(|_| {});
            }
        }
    }
}

impl Handler<FinalResult> for Run {
    type Result = ();

    fn handle(&mut self, FinalResult(value): FinalResult, ctx: &mut Context<Self>) {
        self.feed(RunEvent::FinalResult(value), ctx);
    }
}
