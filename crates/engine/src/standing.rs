//! What stands for a run that has not ended: its executor, or, until it is taken up, what people want of it meanwhile.
//!
//! Only the root has these. Never decides when a run is taken up.

use std::mem::discriminant;
use std::sync::Arc;

use actix::{Actor, Addr, Context, Handler, Recipient};
use tokio::sync::watch;
use weevil_model::Timestamp;
use weevil_records::{ListedRun, RunRecord};

use crate::board::{Board, Live, ShownRun};
use crate::runs::{Cancel, RunChange, Stop};

/// What people see of a run.
pub(crate) type Shown = watch::Sender<Arc<ShownRun>>;

pub(crate) enum Standing {
    Awaited(Awaited),
    Executor(Executor),
}

/// A run that goes on.
pub(crate) struct Executor {
    cancel: Recipient<Cancel>,
    pub(crate) change: Recipient<RunChange>,
    pub(crate) stop: Recipient<Stop>,
    shown: Shown,
    cancelled: bool,
    /// When its executors began anew.
    pub(crate) retraced_at: Option<Timestamp>,
}

impl Executor {
    pub(crate) fn of<A>(run: Addr<A>, shown: Shown) -> Self
    where
        A: Actor<Context = Context<A>> + Handler<Cancel> + Handler<RunChange> + Handler<Stop>,
    {
        let (cancel, change, stop) = (run.clone().recipient(), run.clone().recipient(), run.recipient());
        Self { cancel, change, stop, shown, cancelled: false, retraced_at: None }
    }

    pub(crate) fn cancel(&mut self) {
        self.cancelled = true;
        self.cancel.do_send(Cancel);
    }

    /// It is to be taken up, with the same eyes on it.
    pub(crate) fn await_again(&self) -> Awaited {
        let (shown, cancelled) = (self.shown.clone(), self.cancelled);
        Awaited { shown, changes: Vec::new(), cancelled, is_to_retrace: false, is_again: true }
    }
}

/// A run that is to be taken up.
pub(crate) struct Awaited {
    /// What people see of it; its executor goes on with it.
    pub(crate) shown: Shown,
    /// The newest of each kind since the server started: its record may have been read before.
    pub(crate) changes: Vec<RunChange>,
    pub(crate) cancelled: bool,
    /// Something of it has been reopened since; it may have been looked at before.
    pub(crate) is_to_retrace: bool,
    /// It has had executors in this life of the server.
    pub(crate) is_again: bool,
}

impl Awaited {
    /// On the board from here on.
    pub(crate) fn new(record: &RunRecord, board: &Board) -> Self {
        let shown = watch::Sender::new(Arc::new(ShownRun::of(record)));
        board.show(record.id, Live { workflow: record.workflow, plan: None, shown: shown.subscribe() });
        Self { shown, changes: Vec::new(), cancelled: false, is_to_retrace: false, is_again: false }
    }

    pub(crate) fn listed(&self) -> ListedRun {
        self.shown.borrow().listed()
    }

    pub(crate) fn change(&mut self, change: RunChange) {
        self.changes.retain(|earlier| discriminant(earlier) != discriminant(&change));
        if let RunChange::Paused(paused) = &change {
            self.shown.send_modify(|shown| Arc::make_mut(shown).head.paused.clone_from(paused));
        }
        self.changes.push(change);
    }
}
