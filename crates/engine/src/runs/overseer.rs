//! Who hears of a run from above, by what it is told.

use actix::{Actor, Addr, Context, Handler, Recipient};
use weevil_records::ListedRun;

use crate::runs::messages::{RunEnded, Shown};

/// The root, for a run.
pub(crate) struct Overseer {
    shown: Recipient<Shown>,
    ended: Recipient<RunEnded>,
}

impl Overseer {
    pub(crate) fn of<A>(root: Addr<A>) -> Self
    where
        A: Actor<Context = Context<A>> + Handler<Shown> + Handler<RunEnded>,
    {
        Self { shown: root.clone().recipient(), ended: root.recipient() }
    }

    pub(crate) fn show(&self, run: ListedRun) {
        self.shown.do_send(Shown(run));
    }

    pub(crate) fn end(&self, run: ListedRun) {
        self.ended.do_send(RunEnded(run));
    }
}
