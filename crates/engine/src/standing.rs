//! What stands for a run that has not ended: its executor, or, until it is taken up, what people want of it meanwhile.
//!
//! Only the root has these. Never decides when a run is taken up.

use std::sync::Arc;

use actix::{Actor, Addr, Context, Handler, Recipient};
use tokio::sync::watch;
use weevil_records::{ListedRun, RunRecord};

use crate::board::{Board, Live, ShownRun};
use crate::runs::{Cancel, Paused};

pub(crate) enum Standing {
    Awaited(Awaited),
    Executor { cancel: Recipient<Cancel>, pause: Recipient<Paused> },
}

impl Standing {
    pub(crate) fn executor<A>(run: Addr<A>) -> Self
    where
        A: Actor<Context = Context<A>> + Handler<Cancel> + Handler<Paused>,
    {
        Self::Executor { cancel: run.clone().recipient(), pause: run.recipient() }
    }
}

/// A run that is to be taken up.
pub(crate) struct Awaited {
    /// What people see of it; its executor goes on with it.
    pub(crate) shown: watch::Sender<Arc<ShownRun>>,
    /// What a person has said since the server started.
    pub(crate) paused: Option<bool>,
    pub(crate) cancelled: bool,
}

impl Awaited {
    /// On the board from here on.
    pub(crate) fn new(record: &RunRecord, board: &Board) -> Self {
        let shown = watch::Sender::new(Arc::new(ShownRun::of(record)));
        board.show(record.id, Live { workflow: record.workflow, aim: None, shown: shown.subscribe() });
        Self { shown, paused: None, cancelled: false }
    }

    pub(crate) fn listed(&self) -> ListedRun {
        self.shown.borrow().listed()
    }

    pub(crate) fn pause(&mut self, paused: bool) {
        self.paused = Some(paused);
        self.shown.send_modify(|shown| Arc::make_mut(shown).head.paused = paused);
    }
}
