//! What jobs log, from the job worker to the result's frame.

use weevil_protocol::slot::{SlotError, SlotErrorKind};

use super::*;

/// The logs of the results that go out.
fn logs(effects: &[Effect]) -> Vec<(i64, Option<&str>)> {
    let results = sent(effects).into_iter().filter_map(|frame| match frame {
        ClientFrame::Results { results, .. } => Some(results),
        _ => None,
    });
    results.flatten().map(|result| (result.key.job, result.log.as_deref())).collect()
}

#[test]
fn what_a_job_has_logged_goes_with_its_result_however_it_ends() {
    let line = |seq, text: &str| SlotReport::Log { seq, text: text.into() };
    let fails = |seq| SlotResult {
        value: None,
        error: Some(SlotError { kind: SlotErrorKind::Thrown, message: "no".into(), stack: String::new() }),
        ..done(seq)
    };
    let mut story = Story::working(2);
    story.event(assign(1, &[1, 2, 3, 4]));
    assert_eq!((story.held(0), story.held(1)), (vec![1, 3], vec![2, 4]));
    for (slot, report) in [
        (0, line(1, "one")),
        (1, line(2, "two")),
        (0, line(2, "the job of another slot")),
        (0, line(99, "nobody's job")),
        (0, line(3, "three")),
        (0, SlotReport::LeftOut { seq: 1, lines: 9 }),
        (1, SlotReport::LeftOut { seq: 1, lines: 99 }),
        (0, line(1, "once more")),
    ] {
        assert_eq!(story.report(slot, report), [], "nothing is sent at once");
    }
    let effects = story.report(0, SlotReport::Results { results: vec![done(1)] });
    assert_eq!(logs(&effects), [(1, Some("one\nonce more\n[lines left out: 9]"))]);
    assert_eq!(story.report(0, line(1, "after the end")), []);
    let effects = story.report(0, SlotReport::Results { results: vec![fails(3)] });
    assert_eq!(logs(&effects), [(3, Some("three"))]);
    let generation = story.state.slots.slots[&1].generation;
    let crash = PageCommand::SlotCrashed { slot: 1, generation, message: "out of memory".into() };
    assert_eq!(logs(&story.event(Event::Command(crash))), [(2, Some("two"))]);
}

#[test]
fn a_job_that_is_over_its_time_has_logged_and_its_neighbour_begins_anew() {
    let mut story = Story::working(1);
    story.event(assign(1, &[1, 2]));
    for seq in [1, 2] {
        story.report(0, SlotReport::Log { seq, text: "begun".into() });
    }
    story.report(0, SlotReport::LeftOut { seq: 1, lines: 64 });
    story.now += 1_300.0;
    assert_eq!(logs(&story.event(Event::Tick)), [(1, Some("begun\n[lines left out: at least 64]"))]);
    story.report(0, SlotReport::Ready);
    let effects = story.report(0, SlotReport::Results { results: vec![done(2)] });
    assert_eq!(logs(&effects), [(2, None)]);
}
