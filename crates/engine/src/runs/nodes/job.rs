//! The executor of a job, processor or reducer node: drives its state machine and carries the effects out.
//!
//! Never decides a transition; `weevil_dataflow` does.

use std::sync::Arc;

use actix::{Actor, AsyncContext, Context, Handler};
use weevil_dataflow::{AttemptFailure, Effect, Event, JobExecutor, NodeFailure, ReducerExecutor, Unexpected};
use weevil_model::limits::DEFAULT_RETRY_MS;
use weevil_model::{Arguments, Capabilities, Encoded, JobType, Needs, NodeState, Timestamp};
use weevil_queue::{Attempt, AttemptEnd, Ended, NewJob, Origin};
use weevil_workflow::JobSpec;

use crate::feeder::{NOT_STORED, Request};
use crate::job_news::{Cost, JobChange, JobUpdate};
use crate::listeners::{Listener, Subject};
use crate::runs::context::SharedContext;
use crate::runs::messages::{Cancel, Input};
use crate::runs::outlet::Outlet;
use crate::runs::tally::NodeRef;
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
                Effect::Fail(failure) => {
                    self.report(from);
                    self.outlet.fail(failure, &self.context.failures);
                    return;
                }
            }
        }
        self.report(from);
    }

    /// Once for all the states of one step: the run shows where a node stands, not how it got there.
    fn report(&self, from: Option<NodeState>) {
        if let Some(to) = self.state.filter(|to| Some(*to) != from) {
            self.context.tally.note(|tally| tally.transition(self.place, from, to));
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
        let common = &self.context.common;
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
        };
        let subject = Subject::Node { run: self.context.run, path: self.path.clone() };
        common.listeners.listen(subject, Listener::Executor(ctx.address().recipient()));
        let job = Box::new(job);
        common.feeder.ask(match &self.again {
            Some(message) => Request::Reopen { job, message: message.clone() },
            None => Request::Enqueue(job),
        });
    }

    /// People want the errors; attempts that merely went away are told only where there is nothing else.
    fn failure(&self, attempts: &[Attempt]) -> NodeFailure {
        let tells = |attempt: &&Attempt| attempt.failure.is_some() || attempt.end == AttemptEnd::Expired;
        let mut told: Vec<AttemptFailure> = attempts.iter().filter(tells).map(attempt_failure).collect();
        if told.is_empty() {
            told = attempts.iter().map(attempt_failure).collect();
        }
        NodeFailure { node: self.path.to_string(), attempts: told }
    }

    fn count(&self, cost: Cost, at: Timestamp) {
        match cost {
            Cost::Worked(work) => self.context.tally.note(|tally| tally.worked(work, at)),
            Cost::Reused => self.context.tally.note(|tally| tally.reused += 1),
            Cost::Nothing => {}
        }
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

fn attempt_failure(attempt: &Attempt) -> AttemptFailure {
    let end = attempt.end.as_str();
    let failure = attempt.failure.clone().unwrap_or_else(|| weevil_queue::Failure {
        kind: end.to_owned(),
        message: format!("the attempt ended without a result: {end}"),
        stack: String::new(),
    });
    AttemptFailure {
        attempt: attempt.number,
        worker: attempt.worker.to_string(),
        kind: failure.kind,
        message: failure.message,
        stack: failure.stack,
    }
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
        let event = match &update.change {
            JobChange::Claimed => Event::Claimed,
            JobChange::Requeued => Event::Requeued,
            JobChange::NotStored(words) => {
                Event::Failed(NodeFailure::internal(&self.path, NOT_STORED, words.clone()))
            }
            JobChange::Ended(Ended::Value(value), cost) => {
                self.count(*cost, update.at);
                Event::Completed(value.clone())
            }
            JobChange::Ended(Ended::Failed(attempts), _) => Event::Failed(self.failure(attempts)),
            JobChange::Ended(Ended::Overdue, _) => Event::Failed(self.failure(&[])),
            JobChange::Ended(Ended::Cancelled, _) => Event::Cancel,
        };
        self.feed(event, ctx);
    }
}

impl Handler<Cancel> for JobActor {
    type Result = ();

    fn handle(&mut self, _: Cancel, ctx: &mut Context<Self>) {
        self.feed(Event::Cancel, ctx);
    }
}
