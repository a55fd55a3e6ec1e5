//! Stands for a run that could not be taken up: shows why, and ends it when a person wants that.
//!
//! Starts no executor and tries nothing again: the next start of the server does.

use std::sync::Arc;

use actix::{Actor, ActorContext, ActorFutureExt, Addr, AsyncContext, Context, Handler, WrapFuture};
use tokio::sync::watch;
use weevil_model::RunState;
use weevil_records::{RunEnd, RunFacts, RunFailure, RunRecord};

use crate::board::{Live, ShownRun};
use crate::common::Common;
use crate::feeder::Request;
use crate::root::{Root, RunEnded, Shown};
use crate::runs::messages::{Cancel, Paused};
use crate::runs::run::write_end;

pub(crate) struct Aside {
    record: RunRecord,
    why: String,
    common: Common,
    root: Addr<Root>,
    shown: watch::Sender<Arc<ShownRun>>,
}

impl Aside {
    /// On the board from here on.
    pub(crate) fn new(record: RunRecord, why: String, common: Common, root: Addr<Root>) -> Self {
        let shown = watch::Sender::new(Arc::new(shown(&record, &why)));
        let live = Live { workflow: record.workflow, aim: None, shown: shown.subscribe() };
        common.board.show(record.id, live);
        Self { record, why, common, root, shown }
    }

    fn show(&self) {
        let shown = shown(&self.record, &self.why);
        self.root.do_send(Shown(shown.listed()));
        self.shown.send_replace(Arc::new(shown));
    }

    /// As any run's end: first durable, then shown.
    fn close(&mut self, ctx: &mut Context<Self>) {
        self.common.feeder.ask(Request::CancelRun(self.record.id));
        let last = shown(&self.record, &self.why);
        self.root.do_send(RunEnded(last.listed()));
        self.shown.send_replace(Arc::new(last));
        ctx.stop();
    }
}

fn shown(record: &RunRecord, why: &str) -> ShownRun {
    ShownRun { set_aside: Some(why.to_owned()), ..ShownRun::of(record) }
}

impl Actor for Aside {
    type Context = Context<Self>;

    fn started(&mut self, _: &mut Context<Self>) {
        self.show();
    }
}

impl Handler<Cancel> for Aside {
    type Result = ();

    fn handle(&mut self, _: Cancel, ctx: &mut Context<Self>) {
        if self.record.end.is_some() {
            return;
        }
        let end = RunEnd {
            state: RunState::Cancelled,
            at: self.common.clock.now(),
            result: None,
            facts: RunFacts::failed(RunFailure::of_run(self.why.clone())),
        };
        (self.record.state, self.record.end) = (end.state, Some(end.clone()));
        let (common, run) = (self.common.clone(), self.record.id);
        let written = async move { write_end(&common, run, &end).await };
        ctx.spawn(written.into_actor(self).map(|(), aside, ctx| aside.close(ctx)));
    }
}

impl Handler<Paused> for Aside {
    type Result = ();

    fn handle(&mut self, Paused(paused): Paused, _: &mut Context<Self>) {
        if self.record.end.is_none() {
            self.record.paused = paused;
            self.show();
        }
    }
}
