//! The value executor's actor: carries out the whole life of a value node, then stops.

use actix::{Actor, Addr, Context};
use weevil_dataflow::{Effect, ValueExecutor};
use weevil_model::Encoded;

use super::Input;
use super::run::{Outlet, Place, Run, Transition};

pub(super) struct ValueActor {
    pub value: Encoded,
    pub outlet: Outlet,
    /// Where to report states; none for the elements of a pool, which nobody watches one by one.
    pub place: Option<(Addr<Run>, Place)>,
}

impl Actor for ValueActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Context<Self>) {
        let mut from = None;
        for effect in ValueExecutor::start(self.value.clone()) {
            match effect {
                Effect::State(to) => {
                    if let Some((run, place)) = &self.place {
                        run.do_send(Transition { place: *place, from, to });
                    }
                    from = Some(to);
                }
                Effect::Deliver(value) => self.outlet.deliver(&value),
                Effect::Enqueue(_) | Effect::Fail(_) => {}
            }
        }
        actix::ActorContext::stop(ctx);
    }
}

/// For a pool's element: the processor that takes it.
pub(super) fn element(value: Encoded, processor: actix::Recipient<Input>) -> ValueActor {
    ValueActor { value, outlet: Outlet::edges(vec![(processor, 0)]), place: None }
}
