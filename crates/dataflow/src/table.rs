//! The executors' transitions as tables, found by trying: every state of every executor is told every event.
//!
//! docs/states.md shows them (`cargo xtask codegen`), so the page cannot say what the code does not do.

use std::fmt::Write;

use weevil_model::limits::MAX_VALUE_BYTES;
use weevil_model::{DataType, Encoded, TypedArrayKind, Value};

use crate::{
    Effect, Event, JobExecutor, NodeFailure, PoolEffect, PoolEvent, PoolExecutor, PoolTerms, ReducerExecutor,
    RunEffect, RunEvent, RunExecutor, Unexpected, ValueExecutor,
};

/// What an executor did: the names of its effects, or nothing because the event was impossible.
type Answer = Result<Vec<String>, Unexpected>;

/// One kind of executor: how to make one, what to tell it, how to name its states.
struct Machine<M, E> {
    title: &'static str,
    start: fn() -> (M, Vec<String>),
    /// Events that lead to each state worth a row, after the start.
    rows: Vec<(&'static str, Vec<E>)>,
    events: Vec<(&'static str, E)>,
    state: fn(&M) -> String,
    handle: fn(&mut M, E) -> Answer,
}

/// Markdown tables of all executors: a row for each state, a column for each event, in each cell the next state and the
/// effects; a dash where the event is impossible.
pub fn tables() -> String {
    [job().table(), reducer().table(), value(), pool().table(), run().table()].join("\n")
}

impl<M, E: Clone> Machine<M, E> {
    fn table(&self) -> String {
        let (first, effects) = (self.start)();
        let mut table = format!("{}: starts as {}.\n\n", self.title, cell(&(self.state)(&first), &effects));
        let names = self.events.iter().map(|event| event.0);
        let head: Vec<_> = std::iter::once("state").chain(names).collect();
        // Writing to a String cannot fail; so below.
        let _ = writeln!(table, "| {} |\n|{}", head.join(" | "), "---|".repeat(head.len()));
        for (note, path) in &self.rows {
            let _ = writeln!(table, "| {} |", self.row(note, path).join(" | "));
        }
        table
    }

    fn row(&self, note: &str, path: &[E]) -> Vec<String> {
        let state = (self.state)(&self.reach(path));
        let note = if note.is_empty() { String::new() } else { format!(" ({note})") };
        let answers = self.events.iter().map(|(_, event)| {
            let mut machine = self.reach(path);
            let answer = (self.handle)(&mut machine, event.clone());
            answer.map_or_else(|_| "-".to_owned(), |effects| cell(&(self.state)(&machine), &effects))
        });
        std::iter::once(state + &note).chain(answers).collect()
    }

    fn reach(&self, path: &[E]) -> M {
        let (mut machine, _) = (self.start)();
        for event in path {
            // A path is made of events that fit.
            let _effects = (self.handle)(&mut machine, event.clone());
        }
        machine
    }
}

/// The state, and after it the effects that are more than telling it.
fn cell(state: &str, effects: &[String]) -> String {
    let told: Vec<&str> = effects.iter().map(String::as_str).filter(|effect| *effect != state).collect();
    if told.is_empty() { state.to_owned() } else { format!("{state}: {}", told.join(", ")) }
}

fn small() -> Encoded {
    Encoded::trusted(vec![0xf6])
}

/// Two of these are more than one value may be.
fn large() -> Encoded {
    let bytes = vec![0; MAX_VALUE_BYTES / 2];
    Encoded::of(&Value::Typed(TypedArrayKind::Uint8, bytes)).unwrap_or_else(|_| small())
}

fn numbers(count: u8) -> Encoded {
    let numbers = (0..count).map(|n| Value::Number(f64::from(n))).collect();
    Encoded::of(&Value::Array(numbers)).unwrap_or_else(|_| small())
}

fn failure() -> NodeFailure {
    NodeFailure::internal("node", "thrown", "boom".to_owned())
}

fn effects(effects: Vec<Effect>) -> Vec<String> {
    let name = |effect| match effect {
        Effect::State(state) => state.to_string(),
        Effect::Enqueue(_) => "enqueue".to_owned(),
        Effect::Deliver(_) => "deliver".to_owned(),
        Effect::Oversized { port, .. } => format!("port {port} is too large"),
        Effect::Fail(_) => "fail".to_owned(),
    };
    effects.into_iter().map(name).collect()
}

fn work_events() -> Vec<(&'static str, Event)> {
    vec![
        ("claimed", Event::Claimed),
        ("answered", Event::Answered),
        ("requeued", Event::Requeued),
        ("completed", Event::Completed(small())),
        ("failed", Event::Failed(failure())),
        ("cancel", Event::Cancel),
    ]
}

/// The rows from ENQUEUED on, after `before`.
fn work_rows(before: &[Event]) -> Vec<(&'static str, Vec<Event>)> {
    let events = work_events().into_iter().map(|(_, event)| event);
    let ends = events.filter(|event| !matches!(event, Event::Requeued)).map(|event| vec![event]);
    let rows = std::iter::once(Vec::new()).chain(ends);
    rows.map(|row| ("", before.iter().cloned().chain(row).collect())).collect()
}

fn job() -> Machine<JobExecutor, Event> {
    let input = |port, value| Event::Input { port, value };
    let mut rows = vec![
        ("both ports open", vec![]),
        ("port 1 open", vec![input(0, small())]),
        ("port 1 open, much data in port 0", vec![input(0, large())]),
        ("much data in both ports", vec![input(0, large()), input(1, large())]),
    ];
    rows.extend(work_rows(&[input(0, small()), input(1, small())]));
    let inputs = [("input of port 0", input(0, small())), ("input of port 1", input(1, large()))];
    Machine {
        title: "Job and processor, here with two ports",
        start: || {
            let (executor, first) = JobExecutor::start("node".into(), 2);
            (executor, effects(first))
        },
        rows,
        events: inputs.into_iter().chain(work_events()).collect(),
        state: |executor| executor.state().to_string(),
        handle: |executor, event| executor.handle(event).map(effects),
    }
}

fn reducer() -> Machine<ReducerExecutor, Event> {
    Machine {
        title: "Reducer",
        start: || {
            let (executor, first) = ReducerExecutor::start(numbers(1));
            (executor, effects(first))
        },
        rows: work_rows(&[]),
        events: work_events(),
        state: |executor| executor.state().to_string(),
        handle: |executor, event| executor.handle(event).map(effects),
    }
}

fn value() -> String {
    format!("Value: {}.\n", effects(ValueExecutor::start(small())).join(", "))
}

fn pool() -> Machine<PoolExecutor, PoolEvent> {
    let done = |index| PoolEvent::ProcessorDone { index, value: small() };
    let input = |count| PoolEvent::Input(numbers(count));
    let answered = |index| PoolEvent::ProcessorAnswered { index };
    let news = |event| PoolEvent::News { index: 0, event };
    let all_done = vec![input(2), done(0), done(1)];
    Machine {
        title: "Pool, here with a window of one processor",
        start: || {
            let terms = PoolTerms { element_type: DataType::Number, window: 1, most_answered: 2 };
            let (executor, first) = PoolExecutor::start("node", terms);
            (executor, pool_effects(first))
        },
        rows: vec![
            ("", vec![]),
            ("element 0 runs, 1 waits", vec![input(2)]),
            ("element 1 runs", vec![input(2), done(0)]),
            ("element 0 has answered, 1 runs", vec![input(2), answered(0)]),
            ("both have answered", vec![input(2), answered(0), answered(1)]),
            ("reducer runs", all_done.clone()),
            ("", [all_done, vec![PoolEvent::ReducerDone(small())]].concat()),
            ("", vec![PoolEvent::PartFailed(failure())]),
            ("", vec![PoolEvent::Cancel]),
        ],
        events: vec![
            ("input of 2 numbers", input(2)),
            ("input of none", input(0)),
            ("input that is no Array", PoolEvent::Input(small())),
            ("processor 0 done", done(0)),
            ("processor 1 done", done(1)),
            ("processor 0 answered", answered(0)),
            ("processor 1 answered", answered(1)),
            ("answer 0 accepted", news(Event::Completed(small()))),
            ("answer 0 refuted", news(Event::Requeued)),
            ("reducer done", PoolEvent::ReducerDone(small())),
            ("part failed", PoolEvent::PartFailed(failure())),
            ("cancel", PoolEvent::Cancel),
        ],
        state: |executor| executor.state().to_string(),
        handle: |executor, event| executor.handle(event).map(pool_effects),
    }
}

fn pool_effects(effects: Vec<PoolEffect>) -> Vec<String> {
    let name = |effect| match effect {
        PoolEffect::State(state) => state.to_string(),
        PoolEffect::Sized(count) => format!("size {count}"),
        PoolEffect::Process { index, .. } => format!("process {index}"),
        PoolEffect::Part { to, .. } => format!("processor {to}"),
        PoolEffect::Again { index, .. } => format!("process {index} again"),
        PoolEffect::Close => "close".to_owned(),
        PoolEffect::Reduce(_) => "reduce".to_owned(),
        PoolEffect::Deliver(_) => "deliver".to_owned(),
        PoolEffect::Fail(_) => "fail".to_owned(),
    };
    effects.into_iter().map(name).collect()
}

fn run() -> Machine<RunExecutor, RunEvent> {
    let events = vec![
        ("final result", RunEvent::FinalResult(small())),
        ("node failed", RunEvent::NodeFailed(failure())),
        ("cancel", RunEvent::Cancel),
    ];
    let ends = events.iter().map(|(_, event)| ("", vec![event.clone()]));
    Machine {
        title: "Run",
        start: || (RunExecutor::start(), Vec::new()),
        rows: std::iter::once(("", vec![])).chain(ends).collect(),
        events,
        state: |executor| executor.state().to_string(),
        handle: |executor, event| {
            let ended = executor.handle(event);
            Ok(ended.map(|RunEffect::End { .. }| "end".to_owned()).into_iter().collect())
        },
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_of_states_shows_these_transitions() {
        let page = include_str!("../../../docs/states.md");
        let tables = super::tables();
        assert!(page.contains(&tables), "run `cargo xtask codegen`, then read what changed:\n{tables}");
    }
}
