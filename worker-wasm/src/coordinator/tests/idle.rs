//! Used job workers that hold nothing: when they are replaced by unused ones, and which are not. And the homes of
//! deterministic jobs.

use super::*;

/// Opened job workers: strict, frozen.
fn opened(effects: &[Effect]) -> Vec<(bool, bool)> {
    let realm = |effect: &Effect| match effect {
        Effect::ToPage(PageEvent::OpenSlot { strict, frozen, .. }) => Some((*strict, *frozen)),
        _ => None,
    };
    effects.iter().filter_map(realm).collect()
}

/// One slot whose job, of this kind of code, has just ended.
fn ended(kind: CodeKind) -> Story {
    let mut story = Story::working(1);
    story.event(assign_of(CodeRef { kind: Some(kind), code: [8; 32], ..code(1) }, &[1]));
    story.event(Event::Code { code: 1, bytes: Ok(b"text".to_vec()) });
    if kind.uses_gpu() {
        let parts = GpuParts { kernels: Vec::new(), runtime: Vec::new() };
        story.event(Event::Kernels { code: 1, parts: Ok(parts) });
    }
    story.report(0, SlotReport::Ready);
    assert_eq!(story.held(0), [1], "{kind:?}");
    story.report(0, SlotReport::Results { results: vec![done(1)] });
    story
}

#[test]
fn a_used_job_worker_of_scripts_waits_a_quarter_of_a_second() {
    for (kind, ms, renewed) in [
        (CodeKind::JavaScript, 240.0, false),
        (CodeKind::JavaScript, 260.0, true),
        (CodeKind::WebCl, 4_900.0, false),
        (CodeKind::WebCl, 5_100.0, true),
        (CodeKind::Wasm, 60_000.0, false),
    ] {
        let mut story = ended(kind);
        assert_eq!(!opened(&story.pass(ms)).is_empty(), renewed, "{kind:?} {ms}");
    }
}

#[test]
fn an_unused_one_waits_for_ever_and_a_renewed_one_is_unused() {
    let mut story = Story::working(1);
    assert_eq!(opened(&story.pass(60_000.0)), []);
    let mut story = ended(CodeKind::JavaScript);
    assert_eq!(opened(&story.pass(1_000.0)), [(false, false)]);
    story.report(0, SlotReport::Ready);
    assert_eq!(opened(&story.pass(60_000.0)), []);
}

#[test]
fn where_no_work_is_wanted_it_is_replaced_at_once() {
    for stop in [Event::Command(PageCommand::Pause), Event::Frame(ServerFrame::Drain { within_ms: 1_000 })] {
        let mut story = ended(CodeKind::JavaScript);
        let effects = story.event(stop);
        assert_eq!(opened(&effects), [(false, false)]);
    }
    let mut story = Story::working(1);
    story.event(assign(1, &[1]));
    assert_eq!(opened(&story.event(Event::Command(PageCommand::Pause))), [], "what runs may end");
    let effects = story.report(0, SlotReport::Results { results: vec![done(1)] });
    assert_eq!(opened(&effects), [(false, false)], "and no longer");
}

#[test]
fn deterministic_scripts_have_job_workers_of_their_own() {
    let mut story = Story::working(1);
    let exact = |n| {
        let job = Assignment {
            key: key(n),
            code: 0,
            input: vec![0x80].into(),
            seed: 1,
            timeout_ms: 1_000,
            deterministic: Some(true),
        };
        Event::Frame(ServerFrame::Assign { codes: vec![code(1)], jobs: vec![job] })
    };
    assert_eq!(opened(&story.event(exact(1))), [(false, true)]);
    story.report(0, SlotReport::Ready);
    assert_eq!(opened(&story.event(exact(2))), [], "they share one");
    story.report(0, SlotReport::Results { results: vec![done(1), done(2)] });
    assert_eq!(
        opened(&story.event(assign(1, &[3]))),
        [(false, false)],
        "with others of the same code they do not"
    );
}
