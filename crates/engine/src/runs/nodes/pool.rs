//! The pool executor's actor: starts a value and a processor executor for each element, then the reducer.

use std::sync::Arc;

use actix::{Actor, ActorContext, AsyncContext, Context, Handler};
use weevil_dataflow::{PoolEffect, PoolEvent, PoolExecutor, PoolTerms};
use weevil_failpoint::{Point, pass};
use weevil_model::limits::POOL_WINDOW;
use weevil_model::{DataType, Encoded, NodeKind, NodeState};
use weevil_workflow::JobSpec;

use crate::runs::context::SharedContext;
use crate::runs::messages::{Cancel, Input, Part, PartFailed};
use crate::runs::nodes::job::JobActor;
use crate::runs::nodes::value;
use crate::runs::outlet::{Consumer, Outlet, Whole};
use crate::runs::tally::NodeRef;

pub(crate) struct PoolActor {
    context: SharedContext,
    processor: Arc<JobSpec>,
    reducer: Arc<JobSpec>,
    path: Arc<str>,
    place: NodeRef,
    outlet: Outlet,
    machine: PoolExecutor,
    state: Option<NodeState>,
    first: Vec<PoolEffect>,
}

impl PoolActor {
    pub(crate) fn new(
        context: SharedContext,
        (processor, reducer): (Arc<JobSpec>, Arc<JobSpec>),
        path: Arc<str>,
        place: NodeRef,
        outlet: Outlet,
    ) -> Self {
        // A plan is checked: the processor has one port.
        let element_type = processor.ports.first().map_or(DataType::Undefined, |port| port.data_type);
        let (machine, first) = PoolExecutor::start(&path, PoolTerms { element_type, window: POOL_WINDOW });
        Self { context, processor, reducer, path, place, outlet, machine, state: None, first }
    }

    fn feed(&mut self, event: PoolEvent, ctx: &mut Context<Self>) {
        match self.machine.handle(event) {
            Ok(effects) => self.carry_out(effects, ctx),
            Err(error) => tracing::error!(path = &*self.path, %error, "a pool was told something impossible"),
        }
    }

    fn carry_out(&mut self, effects: Vec<PoolEffect>, ctx: &mut Context<Self>) {
        for effect in effects {
            match effect {
                PoolEffect::State(to) => {
                    let from = self.state.replace(to);
                    self.context.tally.note(|tally| tally.transition(self.place, from, to));
                }
                PoolEffect::Sized(elements) => {
                    self.context.tally.note(|tally| tally.pool_sized(self.place.node, elements));
                }
                PoolEffect::Process { index, element } => self.process(index, element, None, ctx),
                PoolEffect::Again { index, element, message } => {
                    self.process(index, element, Some(message), ctx);
                }
                PoolEffect::Reduce(input) => self.reduce(input, ctx),
                PoolEffect::Deliver(value) => self.outlet.deliver(&value),
                PoolEffect::Fail(failure) => self.outlet.fail(failure, &self.context.failures),
            }
        }
    }

    /// Paths as in thesis 3.4.2: the element is a value node below the pool, its processor is the value's child. `again`
    /// says why its job is computed once more.
    fn process(&self, index: usize, element: Encoded, again: Option<String>, ctx: &Context<Self>) {
        let path = format!("{}/{index}/{}", self.path, self.processor.id).into();
        let outlet = Outlet::Pool { whole: Whole::of(ctx.address()), index: Some(index) };
        let place = NodeRef { kind: NodeKind::Processor, ..self.place };
        let processor = JobActor::job(self.context.clone(), self.processor.clone(), path, place, outlet);
        let processor = match again {
            Some(message) => processor.again(message),
            None => processor,
        };
        value::element(element, Consumer::of(processor.start())).start();
    }

    fn reduce(&self, input: Encoded, ctx: &Context<Self>) {
        pass(Point::PoolReducing);
        let path = format!("{}/{}", self.path, self.reducer.id).into();
        let outlet = Outlet::Pool { whole: Whole::of(ctx.address()), index: None };
        let place = NodeRef { kind: NodeKind::Reducer, ..self.place };
        JobActor::reducer(self.context.clone(), self.reducer.clone(), path, place, outlet, input).start();
    }
}

impl Actor for PoolActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Context<Self>) {
        let effects = std::mem::take(&mut self.first);
        self.carry_out(effects, ctx);
    }
}

impl Handler<Input> for PoolActor {
    type Result = ();

    fn handle(&mut self, input: Input, ctx: &mut Context<Self>) {
        self.feed(PoolEvent::Input(input.value), ctx);
    }
}

impl Handler<Part> for PoolActor {
    type Result = ();

    fn handle(&mut self, Part { index, value }: Part, ctx: &mut Context<Self>) {
        let event = match index {
            Some(index) => PoolEvent::ProcessorDone { index, value },
            None => PoolEvent::ReducerDone(value),
        };
        self.feed(event, ctx);
    }
}

impl Handler<PartFailed> for PoolActor {
    type Result = ();

    fn handle(&mut self, PartFailed(failure): PartFailed, ctx: &mut Context<Self>) {
        self.feed(PoolEvent::PartFailed(failure), ctx);
    }
}

impl Handler<Cancel> for PoolActor {
    type Result = ();

    fn handle(&mut self, _: Cancel, ctx: &mut Context<Self>) {
        self.feed(PoolEvent::Cancel, ctx);
        ctx.stop();
    }
}
