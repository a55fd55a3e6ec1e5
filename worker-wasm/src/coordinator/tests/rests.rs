//! Rests that keep the duty: who keeps them, with which job worker, and what is believed of them.

use super::*;

fn closed(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::ToPage(PageEvent::CloseSlot { .. })))
}

/// One slot at 5 %, which has worked for 900 ms and holds a second job.
fn tired() -> Story {
    let mut story = Story::working(1);
    story.event(Event::Command(PageCommand::SetDuty { percent: 5 }));
    story.event(assign(1, &[1, 2]));
    assert_eq!(story.held(0), [1, 2]);
    story.now += 900.0;
    story.report(0, SlotReport::Results { results: vec![done(1)] });
    story
}

#[test]
fn a_long_rest_is_kept_here_with_an_unused_job_worker() {
    let mut story = tired();
    assert!(closed(&story.report(0, SlotReport::Rest { ms: 15_000.0 })));
    story.report(0, SlotReport::Ready);
    assert_eq!(errors(&story.pass(14_900.0)), []);
    assert_eq!(
        (story.held(0), story.state.work.jobs.waiting()),
        (vec![], 1),
        "the next job waits in the line"
    );
    story.pass(200.0);
    assert_eq!(story.held(0), [2]);
    story.now += 1_300.0;
    assert_eq!(errors(&story.event(Event::Tick)), [(2, JobErrorKind::Timeout)], "its own time began with it");
}

#[test]
fn a_short_rest_stays_with_the_job_worker_and_is_no_time_of_the_next_job() {
    let mut story = tired();
    assert!(!closed(&story.report(0, SlotReport::Rest { ms: 990.0 })));
    story.now += 1_900.0;
    assert_eq!(errors(&story.event(Event::Tick)), []);
    story.now += 400.0;
    assert_eq!(errors(&story.event(Event::Tick)), [(2, JobErrorKind::Timeout)]);
}

#[test]
fn a_rest_is_believed_as_far_as_it_can_be_owed() {
    for (ms, until) in [(f64::INFINITY, 18_000.0), (86_400_000.0, 18_000.0), (f64::NAN, 0.0), (-1.0, 0.0)] {
        let mut story = tired();
        story.report(0, SlotReport::Rest { ms });
        story.report(0, SlotReport::Ready);
        story.pass(until);
        assert_eq!(story.held(0), [2], "{ms}");
    }
}

#[test]
fn a_higher_duty_shortens_it() {
    let mut story = tired();
    story.report(0, SlotReport::Rest { ms: 15_000.0 });
    story.report(0, SlotReport::Ready);
    story.event(Event::Command(PageCommand::SetDuty { percent: 50 }));
    story.pass(900.0);
    assert_eq!(story.held(0), [2]);
}

#[test]
fn a_debt_outlives_the_job_worker_that_owed_it() {
    let mut story = Story::working(1);
    story.event(Event::Command(PageCommand::SetDuty { percent: 5 }));
    story.event(assign(1, &[1]));
    story.now += 45.0;
    story.report(0, SlotReport::Results { results: vec![done(1)] });
    story.report(0, SlotReport::Rest { ms: 800.0 });
    story.pass(400.0);
    story.report(0, SlotReport::Ready);
    story.event(assign(1, &[2]));
    assert!(story.held(0).is_empty(), "an unused one behind the same slot");
    story.pass(400.0);
    assert_eq!(story.held(0), [2]);
}

#[test]
fn modules_keep_their_rests_themselves_and_their_debts_too() {
    let mut story = Story::working(1);
    story.event(Event::Command(PageCommand::SetDuty { percent: 5 }));
    story.event(assign_of(CodeRef { kind: Some(CodeKind::Wasm), code: [8; 32], ..code(1) }, &[1, 2]));
    story.event(Event::Code { code: 1, bytes: Ok(vec![0]) });
    story.report(0, SlotReport::Ready);
    story.now += 900.0;
    story.report(0, SlotReport::Results { results: vec![done(1), done(2)] });
    story.report(0, SlotReport::Rest { ms: 15_000.0 });
    story.event(assign_of(CodeRef { kind: Some(CodeKind::Wasm), code: [8; 32], ..code(1) }, &[3]));
    assert_eq!(story.held(0), [3], "it rests by itself");
    assert!(!closed(&story.report(0, SlotReport::Rest { ms: 15_000.0 })));
    assert_eq!(errors(&story.pass(15_900.0)), [], "that is no time of its job");
}

#[test]
fn what_a_resting_job_worker_holds_is_given_back_by_a_pause() {
    for ms in [990.0, 15_000.0] {
        let mut story = tired();
        story.report(0, SlotReport::Rest { ms });
        let effects = story.event(Event::Command(PageCommand::Pause));
        assert_eq!(sent(&effects), [&ClientFrame::Yield { attempts: vec![key(2)], capacity: 0 }], "{ms}");
    }
}

/// Job 1 ends, and its realm is not quiet.
fn end_loose(story: &mut Story) {
    story.report(0, SlotReport::Results { results: vec![SlotResult { loose: Some(true), ..done(1) }] });
}

type Way = fn(&mut Story);

#[test]
fn what_a_terminated_job_worker_has_worked_is_rested_for() {
    let ways: [(&str, Way, f64); 4] = [
        (
            "silent",
            |story| {
                end_loose(story);
                story.pass(1_100.0);
            },
            38_000.0,
        ),
        (
            "left",
            |story| {
                end_loose(story);
                story.report(0, SlotReport::Left { seq: 1 });
            },
            17_100.0,
        ),
        ("revoked", |story| drop(story.event(Event::Frame(ServerFrame::Revoke(vec![key(1)])))), 17_100.0),
        ("late", |story| drop(story.pass(1_000.0)), 36_100.0),
    ];
    for (name, way, rest_ms) in ways {
        let mut story = Story::working(1);
        story.event(Event::Command(PageCommand::SetDuty { percent: 5 }));
        story.event(assign(1, &[1, 2]));
        story.now += 900.0;
        way(&mut story);
        story.report(0, SlotReport::Ready);
        story.pass(rest_ms - 200.0);
        assert!(story.held(0).is_empty(), "{name}: it rests");
        story.pass(400.0);
        assert_eq!(story.held(0), [2], "{name}");
    }
}
