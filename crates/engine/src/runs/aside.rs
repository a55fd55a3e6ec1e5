//! Stands for a run that could not be taken up: shows why, and ends it when a person wants that.
//!
//! Starts no executor and tries nothing again: the next start of the server does.

use std::sync::Arc;

use actix::{Actor, ActorContext, ActorFutureExt, Addr, AsyncContext, Context, Handler, WrapFuture};
use tokio::sync::watch;
use weevil_api::RunView;
use weevil_model::RunState;
use weevil_records::{RunEnd, RunRecord};

use crate::board::{Live, bare_view};
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
    view: watch::Sender<Arc<RunView>>,
}

impl Aside {
    /// On the board from here on.
    pub(crate) fn new(record: RunRecord, why: String, common: Common, root: Addr<Root>) -> Self {
        let view = watch::Sender::new(Arc::new(view(&record, &why)));
        let live = Live { workflow: record.workflow, aim: None, view: view.subscribe() };
        common.board.show(record.id, live);
        Self { record, why, common, root, view }
    }

    fn show(&self) {
        let view = view(&self.record, &self.why);
        self.root.do_send(Shown(view.summary.clone()));
        self.view.send_replace(Arc::new(view));
    }

    /// As any run's end: first durable, then shown.
    fn close(&mut self, ctx: &mut Context<Self>) {
        self.common.feeder.ask(Request::CancelRun(self.record.id));
        let last = view(&self.record, &self.why);
        self.root.do_send(RunEnded { run: self.record.id, summary: last.summary.clone() });
        self.view.send_replace(Arc::new(last));
        ctx.stop();
    }
}

fn view(record: &RunRecord, why: &str) -> RunView {
    RunView { set_aside: Some(why.to_owned()), ..bare_view(record) }
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
            view: String::new(),
        };
        (self.record.state, self.record.end) = (end.state, Some(end.clone()));
        let stored = serde_json::to_string(&view(&self.record, &self.why)).unwrap_or_default();
        let (common, run) = (self.common.clone(), self.record.id);
        let written = async move { write_end(&common, run, &RunEnd { view: stored, ..end }).await };
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
