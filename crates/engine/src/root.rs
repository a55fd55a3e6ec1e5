//! The root supervisor: starts runs, keeps the list of them, forgets those that have ended (thesis 3.6.1).

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use actix::{Actor, Addr, AsyncContext, Context, Handler, Message, ResponseFuture};
use futures_util::future::OptionFuture;
use tokio::sync::mpsc;
use weevil_model::RunId;
use weevil_records::{ListedRun, RunRecord};
use weevil_workflow::Plan;

use crate::board::ShownRun;
use crate::common::Common;
use crate::feeder::Request;
use crate::listeners::RunListener;
use crate::run_lists::RunLists;
pub use crate::runs::{Earlier, RunChange};
use crate::runs::{Overseer, Run, RunEnded, Shown};
use crate::standing::{Awaited, Executor, Standing};
use crate::take_up;

/// The list changes at most this often.
const LIST_EVERY: Duration = Duration::from_millis(250);
/// The executors of a run begin anew at most this often, milliseconds.
const RETRACE_EVERY_MS: i64 = 5000;

pub struct Root {
    common: Common,
    runs: RunLists,
    /// Those that have not ended.
    live: HashMap<RunId, Standing>,
    /// Where to say which of those that are to be taken up goes first.
    hurry: Option<mpsc::UnboundedSender<RunId>>,
}

/// A run is to begin, or to go on after a restart.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Start {
    pub record: RunRecord,
    pub plan: Arc<Plan>,
    pub earlier: Earlier,
}

/// A run that was to be taken up has ended instead. Durable already.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct NotTakenUp(pub RunRecord);

/// A person wants a run to end. One that has ended stays as it is.
#[derive(Message)]
#[rtype(result = "()")]
pub struct CancelRun(pub RunId);

/// A run looks different by what is durable already. Who awaits the answer sees it so.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub struct ChangeRun {
    pub run: RunId,
    pub change: RunChange,
}

/// Something of a run was reopened that its executors have been told. Durable already.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct Retrace(pub RunId);

/// So many jobs of a run that has ended are doubted from now on. Durable already.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct Doubt(pub RunId, pub u64);

/// A run is not kept any longer.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Forget(pub RunId);

impl Root {
    /// `ended` are the newest runs of each project that need no executor any more.
    pub fn new(common: Common, ended: Vec<ListedRun>) -> Self {
        let mut runs = RunLists::default();
        for run in ended {
            runs.put(run);
        }
        Self { common, runs, live: HashMap::new(), hurry: None }
    }

    /// With runs on the board that are to be taken up. Those that somebody wants to end are named to `hurry`, once each.
    pub(crate) fn awaiting(mut self, open: &[RunRecord], hurry: mpsc::UnboundedSender<RunId>) -> Self {
        self.hurry = Some(hurry);
        for record in open {
            let awaited = Awaited::new(record, &self.common.board);
            self.runs.put(awaited.listed());
            self.live.insert(record.id, Standing::Awaited(awaited));
        }
        self.publish();
        self
    }

    /// A run that was to be taken up, which it is not any more.
    fn awaited(&mut self, run: RunId) -> Option<Awaited> {
        match self.live.remove(&run)? {
            Standing::Awaited(awaited) => Some(awaited),
            Standing::Executor(_) => None,
        }
    }

    /// Its executors tell nobody anything any more before others take their places. A run that is to be taken up begins anew anyway,
    /// but it may have been looked at before.
    fn retrace(&mut self, run: RunId, root: Addr<Self>) {
        match self.live.get_mut(&run) {
            Some(Standing::Awaited(awaited)) => awaited.is_to_retrace = true,
            Some(Standing::Executor(executor)) => {
                let (awaited, stop) = (executor.await_again(), executor.stop.clone());
                let rest_ms =
                    executor.retraced_at.map_or(0, |at| RETRACE_EVERY_MS - self.common.clock.now().since(at));
                self.live.insert(run, Standing::Awaited(awaited));
                actix::spawn(take_up::once_stopped(self.common.clone(), root, run, (stop, rest_ms)));
            }
            None => {}
        }
    }

    fn ended(&mut self, run: ListedRun) {
        tracing::info!(run = %run.head.id, state = %run.head.state, "the run has ended");
        self.common.board.remove(run.head.id);
        self.live.remove(&run.head.id);
        self.runs.put(run);
        self.publish();
    }

    fn publish(&mut self) {
        for (of, runs) in self.runs.take_changed() {
            self.common.board.post_runs(of, runs);
        }
    }
}

impl Actor for Root {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Context<Self>) {
        self.common.listeners.listen_to_runs(RunListener::of(&ctx.address()));
        self.publish();
        ctx.run_interval(LIST_EVERY, |root, _| root.publish());
    }
}

impl Handler<Start> for Root {
    type Result = ();

    fn handle(&mut self, Start { mut record, plan, earlier }: Start, ctx: &mut Context<Self>) {
        let (run, awaited) = (record.id, self.awaited(record.id));
        // It may have been said while the run was planned.
        for change in awaited.iter().flat_map(|awaited| &awaited.changes) {
            if let RunChange::Paused(paused) = change {
                record.paused.clone_from(paused);
            }
        }
        let watched = awaited.as_ref().map(|awaited| awaited.shown.clone());
        let (common, overseer) = (self.common.clone(), Overseer::of(ctx.address()));
        let executor = Run::new(record, plan, earlier, common, overseer, watched);
        let shown = executor.watched();
        let mut executor = Executor::of(executor.start(), shown);
        let Some(awaited) = awaited else {
            self.live.insert(run, Standing::Executor(executor));
            return;
        };
        for change in awaited.changes {
            executor.change.do_send(change);
        }
        if awaited.cancelled {
            executor.cancel();
        }
        executor.retraced_at = awaited.is_again.then(|| self.common.clock.now());
        self.live.insert(run, Standing::Executor(executor));
        if awaited.is_to_retrace {
            self.retrace(run, ctx.address());
        }
    }
}

impl Handler<NotTakenUp> for Root {
    type Result = ();

    /// As any run's end, but it has no executors that could be told.
    fn handle(&mut self, NotTakenUp(record): NotTakenUp, _: &mut Context<Self>) {
        self.common.feeder.ask(Request::CancelRun(record.id));
        let awaited = self.awaited(record.id);
        let last = ShownRun::of(&record);
        self.ended(last.listed());
        if let Some(awaited) = awaited {
            awaited.shown.send_replace(Arc::new(last));
        }
    }
}

impl Handler<CancelRun> for Root {
    type Result = ();

    fn handle(&mut self, CancelRun(run): CancelRun, _: &mut Context<Self>) {
        match self.live.get_mut(&run) {
            Some(Standing::Executor(executor)) => executor.cancel(),
            Some(Standing::Awaited(awaited)) if !awaited.cancelled => {
                awaited.cancelled = true;
                // Where nobody takes runs up any more the server ends.
                let _ending = self.hurry.as_ref().map(|hurry| hurry.send(run));
            }
            Some(Standing::Awaited(_)) | None => {}
        }
    }
}

impl Handler<ChangeRun> for Root {
    type Result = ResponseFuture<()>;

    fn handle(&mut self, ChangeRun { run, change }: ChangeRun, _: &mut Context<Self>) -> Self::Result {
        let mut told = None;
        match self.live.get_mut(&run) {
            Some(Standing::Executor(executor)) => told = Some(executor.change.send(change)),
            Some(Standing::Awaited(awaited)) => {
                awaited.change(change);
                self.runs.put(awaited.listed());
            }
            None => {}
        }
        Box::pin(async move {
            // An executor that ends meanwhile has shown its end.
            let _ended = OptionFuture::from(told).await;
        })
    }
}

impl Handler<Retrace> for Root {
    type Result = ();

    fn handle(&mut self, Retrace(run): Retrace, ctx: &mut Context<Self>) {
        self.retrace(run, ctx.address());
    }
}

impl Handler<Doubt> for Root {
    type Result = ();

    fn handle(&mut self, Doubt(run, jobs): Doubt, _: &mut Context<Self>) {
        self.common.metrics.doubted.inc_by(jobs);
        self.runs.doubt(run, jobs);
    }
}

impl Handler<Forget> for Root {
    type Result = ();

    fn handle(&mut self, Forget(run): Forget, _: &mut Context<Self>) {
        self.runs.forget(run);
    }
}

impl Handler<Shown> for Root {
    type Result = ();

    fn handle(&mut self, Shown(run): Shown, _: &mut Context<Self>) {
        self.runs.put(run);
    }
}

impl Handler<RunEnded> for Root {
    type Result = ();

    fn handle(&mut self, RunEnded(run): RunEnded, _: &mut Context<Self>) {
        self.ended(run);
    }
}
