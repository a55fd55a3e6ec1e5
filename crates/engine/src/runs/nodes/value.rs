//! The value executor's actor: carries out the whole life of a value node, then stops.

use actix::{Actor, Context};
use weevil_dataflow::{Effect, ValueExecutor};
use weevil_model::Encoded;

use crate::runs::outlet::{Consumer, Outlet};
use crate::runs::tally::{NodeRef, SharedTally};

pub(crate) struct ValueActor {
    pub value: Encoded,
    pub outlet: Outlet,
    /// Where to report states; `None` for the elements of a pool, which nobody watches one by one.
    pub place: Option<(SharedTally, NodeRef)>,
}

impl Actor for ValueActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Context<Self>) {
        let mut from = None;
        for effect in ValueExecutor::start(self.value.clone()) {
            match effect {
                Effect::State(to) => {
                    if let Some((tally, place)) = &self.place {
                        tally.note(|tally| tally.transition(*place, from, to));
                    }
                    from = Some(to);
                }
                Effect::Deliver(value) => self.outlet.deliver(&value),
                Effect::Enqueue(_) | Effect::Oversized { .. } | Effect::Fail(_) => {}
            }
        }
        actix::ActorContext::stop(ctx);
    }
}

/// For a pool's element: the processor that takes it.
pub(crate) fn element(value: Encoded, processor: Consumer) -> ValueActor {
    let targets = vec![(processor, 0)];
    ValueActor { value, outlet: Outlet::Edges { targets, last: None }, place: None }
}
