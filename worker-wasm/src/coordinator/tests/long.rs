//! Jobs that are long, or whose length nobody knows: one at a time in a job worker, and back before others wait for them.

use super::*;
use crate::capacity::Prefetch;

/// As `Story::working`, with a code whose jobs nobody has seen.
fn unknown(slots: u32) -> Story {
    let mut story = Story::working(slots);
    story.state.work.prefetch = Prefetch::default();
    story
}

fn took(seq: u32, ms: f64) -> SlotReport {
    SlotReport::Results { results: vec![SlotResult { compute_us: ms * 1_000.0, ..done(seq) }] }
}

#[test]
fn one_job_is_held_until_the_length_of_its_code_is_known() {
    for (ms, held) in [(50.0, vec![2, 3]), (10_000.0, vec![2, 3]), (10_001.0, vec![2])] {
        let mut story = unknown(1);
        story.event(assign(1, &[1, 2, 3]));
        assert_eq!(story.held(0), [1], "nobody knows how long it takes");
        story.report(0, took(1, ms));
        assert_eq!(story.held(0), held, "{ms}");
    }
}

#[test]
fn nothing_waits_behind_a_job_of_unknown_length() {
    let mut story = Story::working(1);
    story.state.work.prefetch = Prefetch::default();
    story.state.work.prefetch.learn_length(CODE + 1, 50.0);
    let short = CodeRef { code: [8; 32], ..code(1) };
    story.event(assign(1, &[1]));
    story.event(assign_of(short, &[2]));
    story.event(Event::Code { code: CODE + 1, bytes: Ok("function weevil_main() {}".into()) });
    assert_eq!(story.held(0), [1]);
}

#[test]
fn what_has_waited_five_minutes_without_beginning_goes_back() {
    let mut story = unknown(1);
    let Event::Frame(ServerFrame::Assign { codes, jobs }) = assign(1, &[1, 2, 3]) else { return };
    let jobs = jobs.into_iter().map(|job| Assignment { timeout_ms: 3_600_000, ..job }).collect();
    story.event(Event::Frame(ServerFrame::Assign { codes, jobs }));
    let given = |effects: &[Effect]| {
        let keys = sent(effects).into_iter().filter_map(|frame| match frame {
            ClientFrame::Yield { attempts, .. } => Some(attempts.clone()),
            _ => None,
        });
        keys.flatten().collect::<Vec<_>>()
    };
    assert_eq!(given(&story.pass(299_000.0)), []);
    assert_eq!(given(&story.pass(5_000.0)), [key(2), key(3)]);
    assert_eq!(story.held(0), [1], "what runs goes on");
}
