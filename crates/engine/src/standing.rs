//! What stands for a run that has not ended: its executor, or, until it is taken up, what people want of it meanwhile.
//!
//! Only the root has these. Never decides when a run is taken up.

use std::mem::discriminant;
use std::sync::Arc;

use actix::{Actor, Addr, Context, Handler, Recipient};
use tokio::sync::watch;
use weevil_records::{ListedRun, RunRecord};

use crate::board::{Board, Live, ShownRun};
use crate::runs::{Cancel, RunChange};

pub(crate) enum Standing {
    Awaited(Awaited),
    Executor { cancel: Recipient<Cancel>, change: Recipient<RunChange> },
}

impl Standing {
    pub(crate) fn executor<A>(run: Addr<A>) -> Self
    where
        A: Actor<Context = Context<A>> + Handler<Cancel> + Handler<RunChange>,
    {
        Self::Executor { cancel: run.clone().recipient(), change: run.recipient() }
    }
}

/// A run that is to be taken up.
pub(crate) struct Awaited {
    /// What people see of it; its executor goes on with it.
    pub(crate) shown: watch::Sender<Arc<ShownRun>>,
    /// The newest of each kind since the server started: its record may have been read before.
    pub(crate) changes: Vec<RunChange>,
    pub(crate) cancelled: bool,
}

impl Awaited {
    /// On the board from here on.
    pub(crate) fn new(record: &RunRecord, board: &Board) -> Self {
        let shown = watch::Sender::new(Arc::new(ShownRun::of(record)));
        board.show(record.id, Live { workflow: record.workflow, aim: None, shown: shown.subscribe() });
        Self { shown, changes: Vec::new(), cancelled: false }
    }

    pub(crate) fn listed(&self) -> ListedRun {
        self.shown.borrow().listed()
    }

    pub(crate) fn change(&mut self, change: RunChange) {
        self.changes.retain(|earlier| discriminant(earlier) != discriminant(&change));
        self.changes.push(change);
        if let RunChange::Paused(paused) = change {
            self.shown.send_modify(|shown| Arc::make_mut(shown).head.paused = paused);
        }
    }
}
