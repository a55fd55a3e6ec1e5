//! The coordinator under strain: frozen, cut off, beside a job worker that is not ours any more.

use weevil_model::limits::MAX_ERROR_CHARS;
use weevil_protocol::slot::{SlotError, SlotErrorKind};

use super::*;

const LEASE_MS: f64 = 60_000.0;

impl Story {
    /// Nothing at all happens for so long, and then a tick.
    fn freeze(&mut self, ms: f64) -> Vec<Effect> {
        self.now += ms;
        self.event(Event::Tick)
    }

    /// Comes back after a lost connection. Answers what is said after the welcome.
    fn reconnect(&mut self) -> Vec<Effect> {
        self.now += 1_000.0;
        assert!(self.event(Event::Tick).contains(&Effect::Connect { url: "ws://here/ws/v1".into() }));
        self.event(Event::Connected);
        self.event(welcome())
    }
}

fn named(effects: &[Effect]) -> Vec<AttemptKey> {
    let mut named: Vec<AttemptKey> = sent(effects)
        .into_iter()
        .filter_map(
            |frame| if let ClientFrame::Heartbeat { holding, .. } = frame { Some(holding) } else { None },
        )
        .flatten()
        .copied()
        .collect();
    named.sort_by_key(|key| key.job);
    named
}

#[test]
fn a_short_standstill_costs_nobodys_time_and_is_told_at_once() {
    for (ms, beats) in [(6_000.0, false), (30_000.0, true), (LEASE_MS - 100.0, true)] {
        let mut story = Story::working(1);
        story.event(assign(1, &[1, 2, 3]));
        let effects = story.freeze(ms);
        assert_eq!(errors(&effects), [], "{ms}: the job's timeout is a second");
        assert!(!effects.contains(&Effect::Disconnect), "{ms}");
        let held = [1, 2, 3].map(key);
        assert_eq!(named(&effects), if beats { &held[..] } else { &[] }, "{ms}");
        story.now += 1_300.0;
        assert_eq!(errors(&story.event(Event::Tick)), [(1, JobErrorKind::Timeout)], "{ms}");
    }
}

#[test]
fn after_a_whole_lease_only_what_runs_is_kept_and_asked_about() {
    let mut story = Story::working(1);
    story.event(assign(1, &[1, 2, 3, 4]));
    assert_eq!(story.held(0), [1, 2]);
    let effects = story.freeze(3.0 * LEASE_MS);
    assert!(effects.contains(&Effect::Disconnect), "the server has let go: {effects:?}");
    assert_eq!((errors(&effects), states(&effects)), (vec![], vec![WorkState::Connecting]));
    assert_eq!(named(&story.reconnect()), [1, 2].map(key), "what waited here waits there by now");
    let old = story.state.slots.slots[&0].generation;
    let effects = story.event(Event::Frame(ServerFrame::Revoke(vec![key(1)])));
    assert!(effects.contains(&Effect::ToPage(PageEvent::CloseSlot { slot: 0, generation: old })));
    story.report(0, SlotReport::Ready);
    assert_eq!(story.held(0), [2], "the other one is still wanted");
}

#[test]
fn words_of_a_connection_that_was_given_up_are_not_heard() {
    for late in [assign(1, &[7]), Event::Connected, Event::Disconnected, welcome()] {
        let mut story = Story::working(1);
        story.event(assign(1, &[1]));
        story.now += 2.0 * LEASE_MS;
        let shown = format!("{late:?}");
        let effects = story.event(late);
        assert!(effects.contains(&Effect::Disconnect) && sent(&effects).is_empty(), "{shown}: {effects:?}");
        assert_eq!(story.state.work.jobs.keys(), [key(1)], "{shown}");
        assert_eq!(named(&story.reconnect()), [key(1)], "{shown}");
    }
}

#[test]
fn a_server_that_answers_nothing_for_a_lease_is_looked_for_anew() {
    let mut story = Story::working(1);
    let gone = |effects: &[Effect]| effects.contains(&Effect::Disconnect);
    assert!(!gone(&story.pass(10.0 * LEASE_MS)), "heartbeats are answered");
    let mut silent = 0.0;
    while !gone(&story.freeze(1_000.0)) {
        silent += 1_000.0;
    }
    assert!((LEASE_MS - 21_000.0..=LEASE_MS + 1_000.0).contains(&silent), "{silent}");
    // Whoever takes the connection and says nothing is no server either.
    for greeted in [false, true] {
        story.now += 1_000.0;
        assert!(matches!(story.event(Event::Tick)[..], [Effect::Connect { .. }, ..]));
        if greeted {
            story.event(Event::Connected);
        }
        let tries = (1..30).find(|_| gone(&story.freeze(1_000.0)));
        assert_eq!(tries, Some(15), "greeted: {greeted}");
    }
    story.now += 3_000.0;
    assert_eq!(named(&story.reconnect()), []);
}

#[test]
fn a_job_that_comes_back_to_who_runs_it_goes_on() {
    let mut story = Story::working(1);
    story.event(assign(1, &[1, 2, 3]));
    story.event(Event::Disconnected);
    story.reconnect();
    let Event::Frame(ServerFrame::Assign { codes, mut jobs }) = assign(1, &[1, 3]) else { panic!() };
    let again = |n| AttemptKey { job: n, token: 900 + n };
    for job in &mut jobs {
        job.key = again(job.key.job);
    }
    let effects = story.event(Event::Frame(ServerFrame::Assign { codes, jobs }));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::ToSlot { .. })), "{effects:?}");
    let effects = story.report(0, SlotReport::Results { results: vec![done(1)] });
    assert!(
        matches!(sent(&effects)[..], [ClientFrame::Results { results, .. }] if results[0].key == again(1))
    );
}

#[test]
fn what_was_finished_meanwhile_is_handed_in_before_more_is_asked_for() {
    let mut story = Story::working(1);
    story.event(assign(1, &[1]));
    story.event(Event::Disconnected);
    story.report(0, SlotReport::Results { results: vec![done(1)] });
    story.now += 1_000.0;
    story.event(Event::Tick);
    let hello = story.event(Event::Connected);
    assert!(matches!(sent(&hello)[..], [ClientFrame::Hello(Hello { capacity: 0, .. })]), "{hello:?}");
    let effects = story.event(welcome());
    assert!(
        matches!(sent(&effects)[..], [ClientFrame::Results { results, capacity: 1.. }] if results.len() == 1),
        "{effects:?}"
    );
}

#[test]
fn a_code_that_got_lost_on_the_way_is_asked_for_again() {
    let fetched = |effects: &[Effect]| effects.contains(&Effect::FetchCode { code: CODE, hash: [9; 32] });
    let lost = || Event::Code { code: CODE, bytes: Err("the network changed".into()) };
    for lost in [None, Some(lost())] {
        let mut story = Story::new(1);
        story.event(Event::Connected);
        story.event(welcome());
        assert!(fetched(&story.event(assign(1, &[1]))));
        story.event(Event::Disconnected);
        if let Some(lost) = lost {
            story.event(lost);
        }
        story.reconnect();
        assert!(story.state.capacity() > 0, "nothing is held against the code");
        assert!(fetched(&story.event(assign(1, &[1]))));
        story.event(Event::Code { code: CODE, bytes: Ok("text".into()) });
        assert_eq!(
            sent(&story.event(Event::Code { code: CODE, bytes: Err("late".into()) })),
            Vec::<&ClientFrame>::new()
        );
        story.report(0, SlotReport::Ready);
        assert_eq!(story.held(0).len(), 1);
    }
}

#[test]
fn a_job_worker_that_is_never_ready_is_replaced() {
    let mut story = Story::new(1);
    for _ in 0..3 {
        let generation = story.state.slots.slots[&0].generation;
        let effects = story.pass(10_100.0);
        assert!(
            effects.contains(&Effect::ToPage(PageEvent::CloseSlot { slot: 0, generation })),
            "{effects:?}"
        );
        assert_eq!(story.state.slots.slots[&0].generation, generation + 1);
    }
}

#[test]
fn a_job_worker_that_speaks_out_of_turn_is_replaced_and_its_job_has_crashed() {
    let generation = |story: &Story| story.state.slots.slots[&0].generation;
    let flood = |story: &mut Story| {
        let (now, generation) = (story.now, generation(story));
        let more = |_| {
            let report = SlotReport::Progress { seq: 1, done: 0.5 };
            story.state.handle(Event::Report { slot: 0, generation, report }, now)
        };
        (0..5_000).flat_map(more).collect::<Vec<_>>()
    };
    let nonsense = |story: &mut Story| {
        let generation = generation(story);
        story.event(Event::Nonsense { slot: 0, generation })
    };
    for what in ["flood", "nonsense"] {
        let mut story = Story::working(1);
        story.event(assign(1, &[1, 2]));
        let effects = if what == "flood" { flood(&mut story) } else { nonsense(&mut story) };
        assert_eq!(errors(&effects), [(1, JobErrorKind::Crashed)], "{what}");
        assert_eq!(story.state.work.jobs.waiting(), 1, "{what}: the other one begins again");
    }
}

#[test]
fn a_job_worker_answers_for_its_own_jobs_only() {
    let mut story = Story::working(2);
    story.event(assign(1, &[1, 2]));
    assert_eq!((story.held(0), story.held(1)), (vec![1], vec![2]));
    let effects = story.report(0, SlotReport::Results { results: vec![done(2), done(9), done(1), done(1)] });
    let keys: Vec<AttemptKey> = sent(&effects)
        .into_iter()
        .filter_map(
            |frame| if let ClientFrame::Results { results, .. } = frame { Some(results) } else { None },
        )
        .flatten()
        .map(|result| result.key)
        .collect();
    assert_eq!((keys, story.held(1)), (vec![key(1)], vec![2]));
}

#[test]
fn what_a_job_worker_claims_is_bounded_before_it_goes_on() {
    let large = SlotResult { value: Some(vec![0; (16 << 20) + 1]), ..done(1) };
    let text = "é".repeat(MAX_ERROR_CHARS + 1);
    let error = SlotError { kind: SlotErrorKind::Thrown, message: text.clone(), stack: text };
    let wordy = SlotResult { value: None, error: Some(error), ..done(1) };
    for (result, kind, chars) in
        [(large, JobErrorKind::TooLarge, 0), (wordy, JobErrorKind::Thrown, MAX_ERROR_CHARS)]
    {
        let mut story = Story::working(1);
        story.event(assign(1, &[1]));
        let effects = story.report(0, SlotReport::Results { results: vec![result] });
        let [ClientFrame::Results { results, .. }] = sent(&effects)[..] else { panic!("{effects:?}") };
        let Outcome::Error(error) = &results[0].outcome else { panic!("{results:?}") };
        assert_eq!((error.kind, error.stack.chars().count()), (kind, chars));
        assert!(error.message.chars().count() <= MAX_ERROR_CHARS);
    }
}

#[test]
fn numbers_that_are_none_change_no_prefetch_and_no_sum() {
    for odd in [f64::NAN, f64::INFINITY, -1e9] {
        let mut story = Story::working(1);
        story.event(assign(1, &[1, 2]));
        let odd = SlotResult { compute_us: odd, flops: odd, ..done(1) };
        let effects = story.report(0, SlotReport::Results { results: vec![odd] });
        assert!(
            matches!(sent(&effects)[..], [ClientFrame::Results { results, capacity: 1.. }] if results[0].flops.abs() < 1e-9),
            "{effects:?}"
        );
        assert!(story.state.figures.meter.mflops(story.now).abs() < 1e-9);
        assert_eq!(story.held(0), [2]);
    }
}
