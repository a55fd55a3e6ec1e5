//! The executor of a job, processor or reducer node: drives its state machine and carries the effects out.
//!
//! Never decides a transition; `weevil_dataflow` does.

use std::sync::Arc;

use actix::{Actor, AsyncContext, Context, Handler};
use weevil_dataflow::{Effect, Event, JobExecutor, NodeFailure, ReducerExecutor, Unexpected};
use weevil_model::limits::DEFAULT_RETRY_MS;
use weevil_model::{Arguments, Capabilities, Encoded, JobType, Needs, NodeKind, NodeState};
use weevil_queue::batch::Reopen;
use weevil_queue::{NewJob, Origin};
use weevil_workflow::JobSpec;

use crate::feeder::Request;
use crate::job_news::JobUpdate;
use crate::listeners::Subject;
use crate::runs::context::SharedContext;
use crate::runs::messages::{Cancel, Input};
use crate::runs::nodes::news;
use crate::runs::outlet::Outlet;
use crate::runs::tally::{NodeRef, Tally};
use crate::seeds;

pub(crate) struct JobActor {
    context: SharedContext,
    spec: Arc<JobSpec>,
    path: Arc<str>,
    place: NodeRef,
    outlet: Outlet,
    machine: Machine,
    state: Option<NodeState>,
    /// What starting the machine asked for.
    first: Vec<Effect>,
    /// Why the job, which has a value, is computed again.
    again: Option<String>,
}

enum Machine {
    Job(JobExecutor),
    Reducer(ReducerExecutor),
}

impl Machine {
    fn handle(&mut self, event: Event) -> Result<Vec<Effect>, Unexpected> {
        match self {
            Self::Job(executor) => executor.handle(event),
            Self::Reducer(executor) => executor.handle(event),
        }
    }
}

impl JobActor {
    /// A job or processor node, waiting for its ports.
    pub(crate) fn job(
        context: SharedContext,
        spec: Arc<JobSpec>,
        path: Arc<str>,
        place: NodeRef,
        outlet: Outlet,
    ) -> Self {
        let (executor, first) = JobExecutor::start(path.clone(), spec.ports.len());
        Self {
            context,
            spec,
            path,
            place,
            outlet,
            machine: Machine::Job(executor),
            state: None,
            first,
            again: None,
        }
    }

    /// It has been FINISHED, but its value does not fit.
    pub(crate) fn again(self, message: String) -> Self {
        Self { state: Some(NodeState::Finished), again: Some(message), ..self }
    }

    /// A reducer node, whose input is there already.
    pub(crate) fn reducer(
        context: SharedContext,
        spec: Arc<JobSpec>,
        path: Arc<str>,
        place: NodeRef,
        outlet: Outlet,
        input: Encoded,
    ) -> Self {
        let (executor, first) = ReducerExecutor::start(input);
        Self {
            context,
            spec,
            path,
            place,
            outlet,
            machine: Machine::Reducer(executor),
            state: None,
            first,
            again: None,
        }
    }

    fn feed(&mut self, event: Event, ctx: &mut Context<Self>) {
        match self.machine.handle(event) {
            Ok(effects) => self.carry_out(effects, ctx),
            Err(error) => {
                tracing::error!(path = &*self.path, %error, "an executor was told something impossible");
            }
        }
    }

    fn carry_out(&mut self, effects: Vec<Effect>, ctx: &mut Context<Self>) {
        let from = self.state;
        for effect in effects {
            match effect {
                Effect::State(state) => self.state = Some(state),
                Effect::Enqueue(input) => self.enqueue(input, ctx),
                Effect::Deliver(value) => {
                    self.report(from);
                    self.outlet.deliver(&value);
                    return;
                }
                Effect::Oversized { port, failure } => self.ask_for_another(port, failure, ctx),
                Effect::Fail(failure) => {
                    self.report(from);
                    self.outlet.fail(failure, &self.context.failures);
                    return;
                }
            }
        }
        self.report(from);
    }

    /// Has the job computed once more whose value came to this port, if that is one which nobody judges. Whoever else has had the value
    /// begins anew as well, and this executor with them.
    fn ask_for_another(&mut self, port: usize, failure: NodeFailure, ctx: &mut Context<Self>) {
        let Some(path) = self.context.feeding(self.place.node, port) else {
            return self.feed(Event::Failed(failure), ctx);
        };
        let message = failure
            .attempts
            .first()
            .map(|attempt| format!("as an argument of {}: {}", self.path, attempt.message));
        let (run, message) = (self.context.run, message.unwrap_or_default());
        let subject = Subject::Node { run, path: path.clone() };
        self.context.common.listeners.listen(subject, self.outlet.listener(ctx.address().recipient()));
        self.context.common.feeder.ask(Request::Anew(Reopen { run, path, message, anew: true }));
    }

    /// Once for all the states of one step: the run shows where a node stands, not how it got there.
    fn report(&self, from: Option<NodeState>) {
        if let Some(to) = self.state.filter(|to| Some(*to) != from) {
            self.context.tally.note(|tally| tally.transition(self.place, from, to));
            if to == NodeState::Answered {
                self.outlet.answer();
            }
        }
    }

    fn needs(&self) -> Needs {
        let Needs { capabilities, memory_mb } = needs(&self.spec);
        let asked = if self.spec.deterministic { Capabilities::DETERMINISTIC } else { Capabilities(0) };
        Needs { capabilities: capabilities.and(asked), memory_mb }
    }

    fn enqueue(&self, input: Arguments, ctx: &Context<Self>) {
        if !self.context.open.get() {
            return;
        }
        let (common, trust) = (&self.context.common, self.context.trust(&self.spec));
        if trust.is_judged() {
            self.context.tally.note(Tally::judged);
        }
        let job = NewJob {
            id: common.ids.job(common.clock.now()),
            project: self.context.project,
            origin: Origin::Run(self.context.run),
            path: self.path.clone(),
            code: self.spec.code,
            source: self.spec.source.clone(),
            input,
            returns: Some(self.spec.return_type),
            reuse: self.again.is_none() && self.context.reuse.allows(self.spec.repeatable),
            seed: seeds::job_seed(self.context.seed, &self.path),
            priority: self.spec.priority,
            needs: self.needs(),
            delay_ms: 0,
            max_wait_ms: None,
            retry_ms: DEFAULT_RETRY_MS,
            timeout_ms: self.spec.timeout_seconds.saturating_mul(1000),
            max_attempts: self.spec.attempts,
            copies: 1,
            trust,
            assumed: self.context.assumed,
            agree: self.spec.agree,
            proof: self.spec.proof,
            within: self.spec.within,
            kernels: None,
            in_pool: self.place.kind == NodeKind::Processor,
        };
        let subject = Subject::Node { run: self.context.run, path: self.path.clone() };
        common.listeners.listen(subject, self.outlet.listener(ctx.address().recipient()));
        let job = Box::new(job);
        common.feeder.ask(match &self.again {
            Some(message) => Request::Reopen { job, message: message.clone() },
            None => Request::Enqueue(job),
        });
    }
}

/// What a worker must be able to run.
fn needs(spec: &JobSpec) -> Needs {
    let capabilities = match spec.job_type {
        JobType::JavaScript => Capabilities::JAVASCRIPT,
        JobType::WebCl if spec.is_kernel() => Capabilities::WEBCL,
        JobType::WebCl => Capabilities::JAVASCRIPT.and(Capabilities::WEBCL),
        JobType::Wasm => Capabilities::WASM,
    };
    Needs { capabilities, memory_mb: 0 }
}

impl Actor for JobActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Context<Self>) {
        let effects = std::mem::take(&mut self.first);
        self.carry_out(effects, ctx);
    }
}

impl Handler<Input> for JobActor {
    type Result = ();

    fn handle(&mut self, Input { port, value }: Input, ctx: &mut Context<Self>) {
        self.feed(Event::Input { port, value }, ctx);
    }
}

impl Handler<JobUpdate> for JobActor {
    type Result = ();

    fn handle(&mut self, update: JobUpdate, ctx: &mut Context<Self>) {
        let event = news::event(&update, &self.path, self.place, &self.context.tally);
        self.feed(event, ctx);
    }
}

impl Handler<Cancel> for JobActor {
    type Result = ();

    fn handle(&mut self, _: Cancel, ctx: &mut Context<Self>) {
        self.feed(Event::Cancel, ctx);
    }
}
