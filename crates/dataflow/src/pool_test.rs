//! Pools: windows, results in order, what does not fit, and processors that have answered.

use super::*;
use weevil_model::limits::MAX_VALUE_BYTES;
use weevil_model::{TypedArrayKind, Value};

const TERMS: PoolTerms = PoolTerms { element_type: DataType::Number, window: 4, most_answered: 9 };

fn pool() -> PoolExecutor {
    PoolExecutor::start("p", TERMS).0
}

fn number(n: f64) -> Encoded {
    Encoded::of(&Value::Number(n)).unwrap()
}

fn array(numbers: &[f64]) -> Encoded {
    Encoded::of(&Value::Array(numbers.iter().map(|n| Value::Number(*n)).collect())).unwrap()
}

fn done(index: usize, n: f64) -> PoolEvent {
    PoolEvent::ProcessorDone { index, value: number(n) }
}

fn indices(effects: &[PoolEffect]) -> Vec<usize> {
    let index = |effect: &_| if let PoolEffect::Process { index, .. } = effect { Some(*index) } else { None };
    effects.iter().filter_map(index).collect()
}

#[test]
fn results_reach_the_reducer_in_input_order() {
    let mut pool = pool();
    let effects = pool.handle(PoolEvent::Input(array(&[1.0, 2.0, 3.0]))).unwrap();
    assert_eq!(effects[..2], [PoolEffect::State(NodeState::ParamFulfilled), PoolEffect::Sized(3)]);
    assert_eq!(effects[4], PoolEffect::Process { index: 2, element: number(3.0) });
    assert_eq!(pool.handle(done(2, 30.0)), Ok(vec![]));
    assert_eq!(pool.handle(done(0, 10.0)), Ok(vec![]));
    let effects = pool.handle(done(1, 20.0)).unwrap();
    let expected = Encoded::array(&[array(&[10.0, 20.0, 30.0])]).unwrap();
    assert_eq!(effects, [PoolEffect::Reduce(expected)]);
    let effects = pool.handle(PoolEvent::ReducerDone(array(&[]))).unwrap();
    assert_eq!(effects, [PoolEffect::State(NodeState::Finished), PoolEffect::Deliver(array(&[]))]);
}

#[test]
fn processors_come_a_window_at_a_time_and_each_once() {
    let mut pool = pool();
    let input: Vec<f64> = (0..11).map(f64::from).collect();
    let mut started = indices(&pool.handle(PoolEvent::Input(array(&input))).unwrap());
    assert_eq!(started, [0, 1, 2, 3]);
    let mut most = started.len();
    for index in 0..10 {
        started.extend(indices(&pool.handle(done(index, 0.0)).unwrap()));
        most = most.max(started.len() - index - 1);
    }
    assert_eq!(started, (0..11).collect::<Vec<_>>());
    assert_eq!(most, TERMS.window);
    assert!(matches!(pool.handle(done(10, 0.0)).unwrap()[..], [PoolEffect::Reduce(_)]));
}

#[test]
fn an_empty_input_goes_straight_to_the_reducer() {
    let effects = pool().handle(PoolEvent::Input(array(&[]))).unwrap();
    assert_eq!(effects[2], PoolEffect::Reduce(Encoded::array(&[array(&[])]).unwrap()));
}

#[test]
fn what_the_pool_does_not_take_fails_it_in_words() {
    let mixed = Value::Array(vec![Value::Number(1.0), Value::String("x".into())]);
    for (input, message) in [
        (Value::Null, "an Array is expected, found null"),
        (mixed, "element 1 of the pool's input is String, but its processor takes Number"),
    ] {
        let mut pool = pool();
        let effects = pool.handle(PoolEvent::Input(Encoded::of(&input).unwrap())).unwrap();
        let [PoolEffect::State(NodeState::Failed), PoolEffect::Fail(failure)] = &effects[..] else {
            panic!("{effects:?}")
        };
        assert_eq!(failure.attempts[0].message, message);
        assert_eq!(pool.handle(PoolEvent::Cancel), Ok(vec![]));
    }
}

#[test]
fn a_part_that_fails_takes_the_pool_with_it() {
    let mut pool = pool();
    pool.handle(PoolEvent::Input(array(&[1.0, 2.0]))).unwrap();
    let failure = NodeFailure::internal("p/0/x", "thrown", "boom".into());
    let effects = pool.handle(PoolEvent::PartFailed(failure.clone())).unwrap();
    assert_eq!(effects, [PoolEffect::State(NodeState::Failed), PoolEffect::Fail(failure)]);
    assert_eq!(pool.handle(done(1, 1.0)), Ok(vec![]), "old news changes nothing");
}

fn bytes(bytes: usize) -> Encoded {
    Encoded::of(&Value::Typed(TypedArrayKind::Uint8, vec![0; bytes])).unwrap()
}

#[test]
fn a_result_that_does_not_fit_is_asked_for_again() {
    let mut pool = pool();
    pool.handle(PoolEvent::Input(array(&[1.0, 2.0, 3.0]))).unwrap();
    let fills = PoolEvent::ProcessorDone { index: 1, value: bytes(MAX_VALUE_BYTES - 20) };
    assert_eq!(pool.handle(fills), Ok(vec![]));
    assert_eq!(pool.handle(done(0, 10.0)), Ok(vec![]));
    let PoolEffect::Again { index, element, message } =
        &pool.handle(PoolEvent::ProcessorDone { index: 2, value: bytes(100) }).unwrap()[0]
    else {
        panic!("it is computed again")
    };
    assert_eq!((*index, element), (1, &number(2.0)));
    assert!(message.contains("element 1 has returned 16777203 bytes"), "{message}");
    let effects = pool.handle(done(1, 20.0)).unwrap();
    let all = [number(10.0), number(20.0), bytes(100)];
    let expected = Encoded::array(&[Encoded::array(&all).unwrap()]).unwrap();
    assert_eq!(effects, [PoolEffect::Reduce(expected)]);
}

#[test]
fn results_that_are_alike_and_too_large_fail_the_pool() {
    let mut pool = pool();
    pool.handle(PoolEvent::Input(array(&[1.0, 2.0]))).unwrap();
    for (index, effects) in [(0, 0), (1, 2)] {
        let value = bytes(MAX_VALUE_BYTES / 2);
        let found = pool.handle(PoolEvent::ProcessorDone { index, value }).unwrap();
        assert_eq!(found.len(), effects, "{found:?}");
        let Some(PoolEffect::Fail(failure)) = found.last() else { continue };
        assert_eq!(failure.attempts[0].kind, "inputTooLarge");
        assert!(failure.attempts[0].message.contains("element 1 has returned"), "{failure:?}");
    }
}

#[test]
fn a_result_counts_once() {
    let mut pool = pool();
    pool.handle(PoolEvent::Input(array(&[1.0, 2.0]))).unwrap();
    pool.handle(done(0, 1.0)).unwrap();
    for event in [done(0, 1.0), done(9, 1.0), PoolEvent::ReducerDone(array(&[]))] {
        assert!(pool.handle(event).is_err());
    }
}

fn input(elements: u32) -> PoolEvent {
    PoolEvent::Input(array(&(0..elements).map(f64::from).collect::<Vec<_>>()))
}

fn answered(index: usize) -> PoolEvent {
    PoolEvent::ProcessorAnswered { index }
}

fn news(index: usize, event: Event) -> PoolEvent {
    PoolEvent::News { index, event }
}

fn accepted(index: usize) -> PoolEvent {
    news(index, Event::Completed(number(index as f64)))
}

/// Everything that starts answers, and nothing is accepted. The pool, and what has started.
fn all_answered(elements: u32, window: usize, most_answered: usize) -> (PoolExecutor, Vec<usize>) {
    let mut pool = PoolExecutor::start("p", PoolTerms { window, most_answered, ..TERMS }).0;
    let mut started = indices(&pool.handle(input(elements)).unwrap());
    let mut answers = 0;
    while answers < started.len() {
        assert!(started.len() - answers <= window, "{window} live at most");
        let effects = pool.handle(answered(started[answers])).unwrap();
        answers += 1;
        started.extend(indices(&effects));
    }
    (pool, started)
}

#[test]
fn what_has_answered_leaves_the_window_and_may_end_in_any_order() {
    for (elements, window, most_answered, before_any_is_accepted) in [
        (1_000, 4, 1_000, 1_000),
        (1_000, 4, 999, 999),
        (1_000, 64, 100, 100),
        (1_000, 4, 4, 4),
        (1_000, 8, 4, 4),
        (3, 4, 1_000, 3),
        (1, 1, 1, 1),
    ] {
        let (mut pool, mut started) = all_answered(elements, window, most_answered);
        let name = format!("{elements} elements, {window}, {most_answered}");
        assert_eq!(started.len(), before_any_is_accepted, "{name}");
        let mut waiting = started.clone();
        for step in 0.. {
            let next = waiting.swap_remove(step * 7_919 % waiting.len());
            let effects = pool.handle(accepted(next)).unwrap();
            let part = PoolEffect::Part { from: NodeState::Answered, to: NodeState::Finished };
            assert_eq!(effects.first(), Some(&part), "{name}");
            for index in indices(&effects) {
                started.push(index);
                waiting.push(index);
                assert!(indices(&pool.handle(answered(index)).unwrap()).is_empty(), "{name}");
            }
            assert!(waiting.len() <= most_answered, "{name}");
            if waiting.is_empty() {
                let all: Vec<f64> = (0..elements).map(f64::from).collect();
                let expected = Encoded::array(&[array(&all)]).unwrap();
                assert_eq!(effects.last(), Some(&PoolEffect::Reduce(expected)), "{name}");
                break;
            }
        }
        assert_eq!(started, (0..elements as usize).collect::<Vec<_>>(), "{name}: each once");
    }
}

#[test]
fn an_answered_processor_goes_from_state_to_state_without_an_executor() {
    use NodeState::{Answered, Cancelled, Enqueued, Failed, Finished, Running};
    let done = || Event::Completed(number(0.0));
    let failure = || NodeFailure::internal("p/0/x", "disputed", "three say three things".into());
    for (name, events, expected) in [
        ("accepted", vec![done()], vec![Answered, Finished]),
        ("a copy is out", vec![Event::Claimed], vec![Answered]),
        ("accepted after a copy", vec![Event::Claimed, Event::Answered, done()], vec![Answered, Finished]),
        ("wrong", vec![Event::Requeued], vec![Answered, Enqueued]),
        (
            "wrong, then accepted at once",
            vec![Event::Requeued, Event::Claimed, done()],
            vec![Answered, Enqueued, Running, Finished],
        ),
        (
            "wrong, then answered again",
            vec![Event::Requeued, Event::Claimed, Event::Answered, Event::Claimed, done()],
            vec![Answered, Enqueued, Running, Answered, Finished],
        ),
        ("wrong twice", vec![Event::Requeued, Event::Requeued], vec![Answered, Enqueued]),
        ("failed", vec![Event::Failed(failure()), done()], vec![Answered, Failed]),
        ("cancelled", vec![Event::Cancel], vec![Answered, Cancelled]),
    ] {
        let mut pool = pool();
        pool.handle(input(2)).unwrap();
        let mut effects = pool.handle(answered(0)).unwrap();
        let fails = events.iter().any(|event| matches!(event, Event::Failed(_)));
        for event in events {
            effects.extend(pool.handle(news(0, event)).unwrap());
        }
        let mut states = vec![Answered];
        for effect in &effects {
            let PoolEffect::Part { from, to } = effect else { continue };
            assert_eq!(states.last(), Some(from), "{name}");
            states.push(*to);
        }
        assert_eq!(states, expected, "{name}");
        let end = [PoolEffect::State(Failed), PoolEffect::Fail(failure())];
        assert_eq!(effects.ends_with(&end), fails, "{name}");
    }
}

#[test]
fn a_wrong_answer_is_counted_into_the_window_again() {
    let mut pool = pool();
    let mut started = indices(&pool.handle(input(12)).unwrap()).len();
    for index in 0..4 {
        started += indices(&pool.handle(answered(index)).unwrap()).len();
    }
    assert_eq!(started, 8, "four have answered, four run");
    for index in 0..4 {
        assert_eq!(indices(&pool.handle(news(index, Event::Requeued)).unwrap()), [0; 0]);
    }
    // Eight run where four should: the next starts when half of the window is free.
    let ends = [done(4, 0.0), accepted(0), done(5, 0.0), answered(6), accepted(1), accepted(2)];
    let started: Vec<_> = ends.map(|end| indices(&pool.handle(end).unwrap())).into();
    assert_eq!(started, [vec![], vec![], vec![], vec![], vec![], vec![8, 9]]);
}

/// An element, and what becomes of it.
fn event_in(words: &str) -> PoolEvent {
    let (index, what) = words.split_once(' ').unwrap();
    let index = index.parse().unwrap();
    match what {
        "answered" => answered(index),
        "returned" => done(index, 0.0),
        "believed" => accepted(index),
        "refuted" => news(index, Event::Requeued),
        "handed out" => news(index, Event::Claimed),
        "answered again" => news(index, Event::Answered),
        "filled it" => news(index, Event::Completed(bytes(MAX_VALUE_BYTES - 20))),
        "did not fit" => news(index, Event::Completed(bytes(100))),
        _ => unreachable!("{words}"),
    }
}

/// In pools with a window of two, where four may wait to be believed.
#[test]
fn a_pool_closes_whenever_no_more_answers_will_come() {
    for (elements, story) in [
        (3, "0 answered, 1 answered, 2 answered: close"),
        (2, "0 answered, 1 returned: close, 0 believed"),
        (2, "1 returned, 0 answered: close, 0 believed"),
        (2, "0 returned, 1 returned"),
        (2, "0 answered, 1 answered: close, 1 handed out, 1 answered again: close, 0 answered again: close"),
        (2, "0 answered, 0 answered again, 1 answered: close, 1 believed, 0 answered again: close"),
        (3, "0 answered, 1 answered, 2 answered: close, 0 believed, 2 believed, 1 believed"),
        (2, "0 answered, 1 answered: close, 0 refuted, 0 handed out, 0 answered again: close, 0 believed"),
        (2, "0 answered, 1 answered: close, 0 refuted, 1 refuted, 0 answered again, 1 answered again: close"),
        (2, "0 answered, 1 answered: close, 0 believed, 1 refuted, 1 answered again: close, 1 believed"),
        (2, "0 answered, 1 answered: close, 0 refuted, 0 believed: close, 1 believed"),
        (6, "0 answered, 1 answered, 2 answered, 3 answered: close"),
        (
            5,
            "0 answered, 1 answered, 2 answered, 3 answered: close, 3 believed, 4 answered: close, 0 believed",
        ),
        (
            6,
            "0 answered, 1 answered, 2 answered, 3 answered: close, 3 believed, 0 believed, 4 answered, 5 answered: close",
        ),
        (3, "0 answered, 1 answered, 2 answered: close, 0 filled it, 1 did not fit, 0 answered: close"),
    ] {
        let mut pool = PoolExecutor::start("p", PoolTerms { window: 2, most_answered: 4, ..TERMS }).0;
        pool.handle(input(elements)).unwrap();
        for step in story.split(", ") {
            let event = step.strip_suffix(": close");
            let effects = pool.handle(event_in(event.unwrap_or(step))).unwrap();
            let closings = effects.iter().filter(|effect| **effect == PoolEffect::Close).count();
            assert_eq!(closings, usize::from(event.is_some()), "{step}: {effects:?} of {story}");
        }
    }
}

#[test]
fn a_pool_ends_while_others_are_answered() {
    let failure = NodeFailure::internal("p/1/x", "thrown", "boom".into());
    for (end, state) in [
        (PoolEvent::Cancel, NodeState::Cancelled),
        (PoolEvent::PartFailed(failure.clone()), NodeState::Failed),
        (news(1, Event::Failed(failure)), NodeState::Failed),
    ] {
        let (mut pool, _) = all_answered(9, 2, 5);
        pool.handle(end).unwrap();
        assert_eq!(pool.state(), state);
        assert!(!pool.has_answered(0), "nobody needs to know any more");
        for late in [accepted(0), news(2, Event::Requeued), answered(3), done(4, 0.0)] {
            assert_eq!(pool.handle(late), Ok(vec![]));
        }
    }
}

#[test]
fn an_answered_result_that_does_not_fit_is_asked_for_again() {
    let mut pool = pool();
    pool.handle(input(2)).unwrap();
    for index in [0, 1] {
        pool.handle(answered(index)).unwrap();
    }
    pool.handle(news(0, Event::Completed(bytes(MAX_VALUE_BYTES - 20)))).unwrap();
    let effects = pool.handle(news(1, Event::Completed(bytes(100)))).unwrap();
    assert!(
        matches!(effects[..], [PoolEffect::Part { .. }, PoolEffect::Again { index: 0, .. }]),
        "{effects:?}"
    );
    assert!(!pool.has_answered(0), "it has an executor again");
    pool.handle(answered(0)).unwrap();
    let effects = pool.handle(accepted(0)).unwrap();
    let expected = Encoded::array(&[Encoded::array(&[number(0.0), bytes(100)]).unwrap()]).unwrap();
    assert_eq!(effects.last(), Some(&PoolEffect::Reduce(expected)));
}

#[test]
fn only_a_processor_with_an_executor_hands_over_and_only_others_have_news() {
    let mut pool = pool();
    pool.handle(input(9)).unwrap();
    pool.handle(answered(0)).unwrap();
    pool.handle(done(1, 1.0)).unwrap();
    for event in [
        answered(0),
        answered(1),
        answered(8),
        answered(9),
        done(0, 1.0),
        accepted(1),
        accepted(2),
        news(0, Event::Input { port: 0, value: number(1.0) }),
    ] {
        assert!(pool.handle(event.clone()).is_err(), "{event:?}");
    }
    assert!(pool.handle(accepted(0)).is_ok());
    assert!(pool.handle(accepted(0)).is_err(), "once");
}
