//! Loose realms: what begins when, and what becomes of those that do not come to an end.

use super::*;

fn loose(seq: u32) -> SlotReport {
    SlotReport::Results { results: vec![SlotResult { loose: Some(true), ..done(seq) }] }
}

/// One slot with two jobs, the first of which has ended in a loose realm.
fn settling() -> Story {
    let mut story = Story::working(1);
    story.event(assign(1, &[1, 2]));
    let effects = story.report(0, loose(1));
    assert!(matches!(sent(&effects)[..], [ClientFrame::Results { .. }]), "the result goes out at once");
    story
}

#[test]
fn a_job_worker_that_says_it_is_quiet_goes_on_with_the_next_job() {
    let mut story = settling();
    assert!(changes(&story.pass(900.0)).is_empty());
    story.report(0, SlotReport::Quiet { seq: 1 });
    assert!(changes(&story.pass(1_000.0)).is_empty(), "the time of the next job began with that");
    assert_eq!(story.held(0), [2]);
    story.now += 400.0;
    assert_eq!(errors(&story.event(Event::Tick)), [(2, JobErrorKind::Timeout)]);
}

#[test]
fn one_that_does_not_come_to_an_end_is_replaced_and_nobody_is_charged() {
    for (report, ms) in [(None, 1_100.0), (Some(SlotReport::Left { seq: 1 }), 0.0)] {
        let mut story = settling();
        let mut effects = report.clone().map_or_else(Vec::new, |report| story.report(0, report));
        story.now += ms;
        effects.extend(story.event(Event::Tick));
        assert_eq!(changes(&effects), [-1, 2], "{report:?}");
        assert_eq!(errors(&effects), [], "{report:?}");
        story.report(0, SlotReport::Ready);
        assert_eq!(story.held(0), [2], "{report:?}");
    }
}

#[test]
fn words_that_belong_to_no_ended_job_change_nothing() {
    for report in [SlotReport::Left { seq: 2 }, SlotReport::Quiet { seq: 2 }] {
        let mut story = settling();
        assert!(changes(&story.report(0, report.clone())).is_empty(), "{report:?}");
        story.now += 1_100.0;
        assert_eq!(changes(&story.event(Event::Tick)), [-1, 2], "{report:?}");
    }
    let mut story = Story::working(1);
    story.event(assign(1, &[1]));
    let effects = story.report(0, SlotReport::Left { seq: 1 });
    assert!(changes(&effects).is_empty(), "a job that runs cannot begin again");
    assert_eq!(story.held(0), [1]);
}

#[test]
fn a_pause_takes_back_what_waits_behind_it() {
    let mut story = settling();
    let effects = story.event(Event::Command(PageCommand::Pause));
    assert_eq!(sent(&effects), [&ClientFrame::Yield { attempts: vec![key(2)], capacity: 0 }]);
    assert_eq!(changes(&effects), [-1, 2]);
}
