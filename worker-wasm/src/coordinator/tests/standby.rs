//! Modules and scripts of one workflow on one slot: whose job worker waits, when it is taken back, and when it ends.

use super::*;

/// The index of the code with modules: added after that of `Story::working`.
const MODULE: u32 = 1;

fn module(workflow: u8) -> CodeRef {
    CodeRef { kind: Some(CodeKind::Wasm), code: [8; 32], ..code(workflow) }
}

/// Whom commands go to that bring code.
fn taught(effects: &[Effect]) -> Vec<u32> {
    let code = |effect: &Effect| match effect {
        Effect::ToSlot { generation, command: SlotCommand::Code { .. } } => Some(*generation),
        _ => None,
    };
    effects.iter().filter_map(code).collect()
}

/// A slot that works for scripts, generation 3, beside a job worker of modules of the same workflow, generation 2.
fn with_standby() -> Story {
    let mut story = Story::working(1);
    story.event(assign_of(module(1), &[1]));
    let effects = story.event(Event::Code { code: MODULE, bytes: Ok(vec![0]) });
    assert_eq!(changes(&effects), [-1, 2], "the one for scripts has done nothing");
    story.report(0, SlotReport::Ready);
    story.report(0, SlotReport::Results { results: vec![done(1)] });
    assert_eq!(changes(&story.event(assign(1, &[2]))), [3], "the one of modules stays");
    story.report(0, SlotReport::Ready);
    assert_eq!(story.held(0), [2]);
    story
}

/// The script in front ends; the slot is free.
fn free(story: &mut Story) {
    story.report(0, SlotReport::Results { results: vec![done(2)] });
}

#[test]
fn it_is_taken_back_as_it_was_and_one_of_scripts_never_waits() {
    let mut story = with_standby();
    story.event(Event::Command(PageCommand::SetDuty { percent: 25 }));
    free(&mut story);
    let effects = story.event(assign_of(module(1), &[3]));
    assert_eq!((changes(&effects), taught(&effects)), (vec![-3], vec![]), "it has its code");
    let duty = Effect::ToSlot { generation: 2, command: SlotCommand::Duty { percent: 25 } };
    assert!(effects.contains(&duty), "{effects:?}");
    assert_eq!(story.held(0), [3], "at once: it is ready");
    let effects = story.report(0, SlotReport::Results { results: vec![done(3)] });
    assert!(matches!(sent(&effects)[..], [ClientFrame::Results { .. }]), "it is heard again");
}

#[test]
fn it_never_waits_for_another_workflow() {
    let mut story = with_standby();
    story.event(assign_of(module(2), &[3]));
    story.event(Event::Code { code: 2, bytes: Ok(vec![0]) });
    let effects = story.report(0, SlotReport::Results { results: vec![done(2)] });
    assert_eq!(changes(&effects), [-2, -3, 4]);
    let mut story = with_standby();
    story.event(assign(2, &[3]));
    story.event(Event::Code { code: 2, bytes: Ok("text".into()) });
    let effects = story.report(0, SlotReport::Results { results: vec![done(2)] });
    assert_eq!(changes(&effects), [-2, -3, 4], "nor for its scripts");
}

#[test]
fn a_crash_beside_it_leaves_it_alone() {
    let mut story = with_standby();
    let crash = PageCommand::SlotCrashed { slot: 0, generation: 3, message: "out of memory".into() };
    assert_eq!(changes(&story.event(Event::Command(crash))), [-3, 4]);
    story.report(0, SlotReport::Ready);
    assert_eq!(changes(&story.event(assign_of(module(1), &[3]))), [-4]);
    assert_eq!(story.held(0), [3]);
}

#[test]
fn it_ends_by_itself_by_a_word_and_with_its_slot() {
    let crash = PageCommand::SlotCrashed { slot: 0, generation: 2, message: "gone".into() };
    let word = Event::Report { slot: 0, generation: 2, report: SlotReport::Progress { seq: 2, done: 0.5 } };
    let ends = [
        (Event::Command(crash), vec![-2]),
        (word, vec![-2]),
        (Event::Nonsense { slot: 0, generation: 2 }, vec![-2]),
        (Event::Command(PageCommand::Stop), vec![-3, -2]),
    ];
    for (end, closed) in ends {
        let mut story = with_standby();
        let effects = story.event(end);
        assert_eq!(changes(&effects), closed);
        assert_eq!(
            sent(&effects).iter().filter(|frame| matches!(frame, ClientFrame::Results { .. })).count(),
            0
        );
    }
}

#[test]
fn it_goes_with_a_slot_that_retires() {
    let mut story = Story::working(2);
    story.event(assign_of(module(1), &[1]));
    story.event(Event::Code { code: MODULE, bytes: Ok(vec![0]) });
    story.report(1, SlotReport::Ready);
    story.report(1, SlotReport::Results { results: vec![done(1)] });
    story.event(assign(1, &[2]));
    let [waiting, opening] =
        [&story.state.slots.standby, &story.state.slots.slots].map(|all| all[&1].generation);
    assert!(story.state.awaits(opening) && !story.state.awaits(waiting), "its port is there");
    let effects = story.event(Event::Command(PageCommand::SetSlots { slots: 1 }));
    assert_eq!(changes(&effects), [opening, waiting].map(|generation| -i64::from(generation)));
}
