//! The pool executor's actor: starts a value and a processor executor for each element, then the reducer.
//!
//! A pool hears itself of the job of an element that has answered: thousands may wait to be believed, and have no actors.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use actix::{Actor, ActorContext, Addr, AsyncContext, Context, Handler};
use weevil_dataflow::{PoolEffect, PoolEvent, PoolExecutor, PoolTerms};
use weevil_failpoint::{Point, pass};
use weevil_model::limits::{MAX_ANSWERED, POOL_WINDOW};
use weevil_model::{DataType, Encoded, NodeKind, NodeState};
use weevil_queue::{Closing, Shortened};
use weevil_workflow::JobSpec;

use crate::feeder::Request;
use crate::job_news::{ElementUpdate, JobUpdate};
use crate::runs::context::{SharedContext, reducer_path};
use crate::runs::messages::{Cancel, Input, Part, PartFailed};
use crate::runs::nodes::job::JobActor;
use crate::runs::nodes::{news, value};
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
    /// The pool, as its parts know it.
    whole: Rc<Whole>,
    /// News that have overtaken the word of an element's executor that it has answered.
    early: HashMap<u32, Vec<JobUpdate>>,
}

impl PoolActor {
    pub(crate) fn launch(
        context: SharedContext,
        (processor, reducer): (Arc<JobSpec>, Arc<JobSpec>),
        path: Arc<str>,
        place: NodeRef,
        outlet: Outlet,
    ) -> Addr<Self> {
        // A plan is checked: the processor has one port.
        let element_type = processor.ports.first().map_or(DataType::Undefined, |port| port.data_type);
        let terms = PoolTerms { element_type, window: POOL_WINDOW, most_answered: MAX_ANSWERED };
        let (machine, first) = PoolExecutor::start(&path, terms);
        let (state, early) = (None, HashMap::new());
        Self::create(|ctx| {
            let whole = Whole::of(ctx.address());
            Self { context, processor, reducer, path, place, outlet, machine, state, first, whole, early }
        })
    }

    fn feed(&mut self, event: PoolEvent) {
        match self.machine.handle(event) {
            Ok(effects) => self.carry_out(effects),
            Err(error) => tracing::error!(path = &*self.path, %error, "a pool was told something impossible"),
        }
    }

    fn carry_out(&mut self, effects: Vec<PoolEffect>) {
        for effect in effects {
            match effect {
                PoolEffect::State(to) => {
                    let from = self.state.replace(to);
                    self.context.tally.note(|tally| tally.transition(self.place, from, to));
                }
                PoolEffect::Sized(elements) => {
                    self.context.tally.note(|tally| tally.pool_sized(self.place.node, elements));
                    self.shorten(elements);
                }
                PoolEffect::Part { from, to } => {
                    let place = self.part(NodeKind::Processor);
                    self.context.tally.note(|tally| tally.transition(place, Some(from), to));
                }
                PoolEffect::Process { index, element } => self.process(index, element, None),
                PoolEffect::Again { index, element, message } => {
                    self.process(index, element, Some(message));
                }
                PoolEffect::Close => self.close(),
                PoolEffect::Reduce(input) => self.reduce(input),
                PoolEffect::Deliver(value) => self.outlet.deliver(&value),
                PoolEffect::Fail(failure) => self.outlet.fail(failure, &self.context.failures),
            }
        }
    }

    /// Paths as in thesis 3.4.2: the element is a value node below the pool, its processor is the value's child.
    fn processor_path(&self, index: u32) -> String {
        format!("{}/{index}/{}", self.path, self.processor.id)
    }

    /// `again` says why its job is computed once more.
    fn process(&self, index: usize, element: Encoded, again: Option<String>) {
        // No pool has more than `MAX_POOL_ELEMENTS`.
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        let path = self.processor_path(index).into();
        let outlet = Outlet::Pool { whole: self.whole.clone(), index: Some(index) };
        let place = self.part(NodeKind::Processor);
        let processor = JobActor::job(self.context.clone(), self.processor.clone(), path, place, outlet);
        let processor = match again {
            Some(message) => processor.again(message),
            None => processor,
        };
        value::element(element, Consumer::of(processor.start())).start();
    }

    /// Before any of its elements is asked for.
    fn shorten(&self, elements: usize) {
        if self.context.begins_anew && self.context.open.get() {
            let (pool, processor) = (self.path.clone(), self.processor.id.clone());
            let elements = u32::try_from(elements).unwrap_or(u32::MAX);
            let shortened = Shortened { run: self.context.run, pool, processor, elements };
            self.context.common.feeder.ask(Request::Shorten(shortened));
        }
    }

    fn close(&self) {
        if self.context.open.get() {
            let closing = Closing { run: self.context.run, node: self.path.clone() };
            self.context.common.feeder.ask(Request::Close(closing));
        }
    }

    fn reduce(&self, input: Encoded) {
        pass(Point::PoolReducing);
        let path = reducer_path(&self.path, &self.reducer.id);
        let outlet = Outlet::Pool { whole: self.whole.clone(), index: None };
        let place = self.part(NodeKind::Reducer);
        JobActor::reducer(self.context.clone(), self.reducer.clone(), path, place, outlet, input).start();
    }

    fn part(&self, kind: NodeKind) -> NodeRef {
        NodeRef { kind, ..self.place }
    }

    /// An executor has told what it heard before, and goes.
    fn take_over(&mut self, index: u32) {
        self.feed(PoolEvent::ProcessorAnswered { index: index as usize });
        for update in self.early.remove(&index).unwrap_or_default() {
            self.hear(index, &update);
        }
    }

    fn hear(&mut self, index: u32, update: &JobUpdate) {
        let event = news::event(update, &self.processor_path(index), self.place, &self.context.tally);
        self.feed(PoolEvent::News { index: index as usize, event });
    }
}

impl Actor for PoolActor {
    type Context = Context<Self>;

    fn started(&mut self, _: &mut Context<Self>) {
        let effects = std::mem::take(&mut self.first);
        self.carry_out(effects);
    }
}

impl Handler<Input> for PoolActor {
    type Result = ();

    fn handle(&mut self, input: Input, _: &mut Context<Self>) {
        self.feed(PoolEvent::Input(input.value));
    }
}

impl Handler<Part> for PoolActor {
    type Result = ();

    fn handle(&mut self, part: Part, _: &mut Context<Self>) {
        match part {
            Part::Answered(index) => self.take_over(index),
            Part::Processed(index, value) => {
                self.feed(PoolEvent::ProcessorDone { index: index as usize, value });
            }
            Part::Reduced(value) => self.feed(PoolEvent::ReducerDone(value)),
        }
    }
}

impl Handler<ElementUpdate> for PoolActor {
    type Result = ();

    /// What the element's executor has heard before may still be on its way through the executor.
    fn handle(&mut self, ElementUpdate { index, update }: ElementUpdate, _: &mut Context<Self>) {
        if self.machine.has_answered(index as usize) {
            self.hear(index, &update);
        } else if !self.machine.state().is_terminal() {
            self.early.entry(index).or_default().push(update);
        }
    }
}

impl Handler<PartFailed> for PoolActor {
    type Result = ();

    fn handle(&mut self, PartFailed(failure): PartFailed, _: &mut Context<Self>) {
        self.feed(PoolEvent::PartFailed(failure));
    }
}

impl Handler<Cancel> for PoolActor {
    type Result = ();

    fn handle(&mut self, _: Cancel, ctx: &mut Context<Self>) {
        self.feed(PoolEvent::Cancel);
        ctx.stop();
    }
}

#[cfg(test)]
#[path = "pool_test.rs"]
mod tests;
