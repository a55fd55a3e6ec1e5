//! The coordinator's rules, each as a story of events.

mod duty;
mod gpu;
mod idle;
mod logs;
mod long;
mod quiet;
mod rests;
mod standby;
mod strain;
#[cfg(not(target_family = "wasm"))]
mod whole;

use weevil_protocol::PROTOCOL_VERSION;
use weevil_protocol::frame::{
    Assignment, AttemptKey, ClientFrame, CodeKind, CodeRef, Hello, Identity, JobErrorKind, KeyKind, Outcome,
    ServerFrame, Verdict, Welcome,
};
use weevil_protocol::identity::signed_text;
use weevil_protocol::page::{EndedAttempts, PageCommand, PageEvent, SlotActivity, Status, WorkState};
use weevil_protocol::slot::{SlotCommand, SlotReport, SlotResult};

use super::*;
use crate::code::GpuParts;

const CODE: u32 = 0;
/// Codes whose jobs are known to be short: these stand behind each other in a job worker.
const SHORT_CODES: u32 = 8;

fn key(n: i64) -> AttemptKey {
    AttemptKey { job: n, token: 100 + n }
}

fn code(workflow: u8) -> CodeRef {
    CodeRef {
        workflow: [workflow; 32],
        code: [9; 32],
        workflow_name: "pi".into(),
        source: "pi.js".into(),
        kind: None,
    }
}

fn assign(workflow: u8, jobs: &[i64]) -> Event {
    assign_of(code(workflow), jobs)
}

fn assign_of(code: CodeRef, jobs: &[i64]) -> Event {
    let job = |n: &i64| Assignment {
        key: key(*n),
        code: 0,
        input: vec![0x80].into(),
        seed: 1,
        timeout_ms: 1_000,
        deterministic: None,
    };
    let jobs = jobs.iter().map(job).collect();
    Event::Frame(ServerFrame::Assign { codes: vec![code], jobs })
}

fn welcome() -> Event {
    Event::Frame(ServerFrame::Welcome(Welcome {
        version: 1,
        worker: "wrk_0000000000001".into(),
        lease_ms: 60_000,
        heartbeat_ms: 20_000,
        max_value_bytes: 16 << 20,
        nonce: Some(vec![7; 32].into()),
    }))
}

fn done(seq: u32) -> SlotResult {
    SlotResult { seq, value: Some(vec![0xf6]), error: None, compute_us: 50_000.0, flops: 10.0, loose: None }
}

impl State {
    fn status(&mut self, state: WorkState, message: Option<String>, now: f64) -> Status {
        self.figures.status(state, message, &self.uplink, &self.slots, &self.work, now)
    }

    fn capacity(&self) -> u32 {
        connection::capacity(&self.wishes, &self.uplink, &self.slots, &self.work)
    }
}

/// A coordinator with its clock and the generations of its slots.
struct Story {
    state: State,
    now: f64,
}

impl Story {
    fn new(slots: u32) -> Self {
        let mut story = Self { state: State::new(), now: 0.0 };
        (0..SHORT_CODES).for_each(|code| story.state.work.prefetch.learn_length(code, 50.0));
        let start = PageCommand::Start { origin: "ws://here".into(), agent: "test".into(), slots };
        let effects = story.event(Event::Command(start));
        assert!(effects.contains(&Effect::Connect { url: "ws://here/ws/v1".into() }));
        story
    }

    /// Connected, every slot ready, the code of workflow 1 loaded.
    fn working(slots: u32) -> Self {
        let mut story = Self::new(slots);
        story.event(Event::Connected);
        story.event(welcome());
        for slot in 0..slots {
            story.report(slot, SlotReport::Ready);
        }
        story.event(assign(1, &[]));
        story.event(Event::Code { code: CODE, bytes: Ok("function weevil_main() {}".into()) });
        story
    }

    fn event(&mut self, event: Event) -> Vec<Effect> {
        self.now += 1.0;
        self.state.handle(event, self.now)
    }

    /// Time passes as it does: with ticks, and with answers to heartbeats.
    fn pass(&mut self, ms: f64) -> Vec<Effect> {
        let (end, mut all) = (self.now + ms, Vec::new());
        while self.now < end {
            self.now = (self.now + 4_000.0).min(end) - 1.0;
            let effects = self.event(Event::Tick);
            if sent(&effects).iter().any(|frame| matches!(frame, ClientFrame::Heartbeat { .. })) {
                self.event(Event::Frame(ServerFrame::Heard));
            }
            all.extend(effects);
        }
        all
    }

    fn report(&mut self, slot: u32, report: SlotReport) -> Vec<Effect> {
        let generation = self.state.slots.slots[&slot].generation;
        self.event(Event::Report { slot, generation, report })
    }

    fn held(&self, slot: u32) -> Vec<u32> {
        self.state.slots.slots[&slot].jobs.iter().copied().collect()
    }
}

fn sent(effects: &[Effect]) -> Vec<&ClientFrame> {
    effects
        .iter()
        .filter_map(|effect| if let Effect::Send(frame) = effect { Some(frame) } else { None })
        .collect()
}

/// Opened and closed job workers, `+` and `-` with their generations.
fn changes(effects: &[Effect]) -> Vec<i64> {
    let change = |effect: &Effect| match effect {
        Effect::ToPage(PageEvent::OpenSlot { generation, .. }) => Some(i64::from(*generation)),
        Effect::ToPage(PageEvent::CloseSlot { generation, .. }) => Some(-i64::from(*generation)),
        _ => None,
    };
    effects.iter().filter_map(change).collect()
}

fn errors(effects: &[Effect]) -> Vec<(i64, JobErrorKind)> {
    let results = sent(effects).into_iter().filter_map(|frame| match frame {
        ClientFrame::Results { results, .. } => Some(results),
        _ => None,
    });
    results
        .flatten()
        .filter_map(|result| match &result.outcome {
            Outcome::Error(error) => Some((result.key.job, error.kind)),
            Outcome::Value(_) => None,
        })
        .collect()
}

fn states(effects: &[Effect]) -> Vec<WorkState> {
    let status = |effect: &Effect| match effect {
        Effect::ToPage(PageEvent::Status(status)) => Some(status.state),
        _ => None,
    };
    effects.iter().filter_map(status).collect()
}

#[test]
fn hello_says_how_much_is_wanted() {
    let mut story = Story::new(2);
    let hello = Hello {
        version: PROTOCOL_VERSION,
        agent: "test".into(),
        slots: 2,
        capacity: 6,
        capabilities: Some(13),
        memory_mb: None,
        adapter: None,
        keeps_gpu: None,
    };
    assert_eq!(sent(&story.event(Event::Connected)), [&ClientFrame::Hello(hello)]);
    assert_eq!(states(&story.event(welcome())), [WorkState::Waiting]);
}

#[test]
fn code_is_fetched_once_and_goes_before_the_jobs() {
    let mut story = Story::new(1);
    story.event(Event::Connected);
    story.event(welcome());
    story.report(0, SlotReport::Ready);
    let effects = story.event(assign(1, &[1]));
    assert!(effects.contains(&Effect::FetchCode { code: CODE, hash: [9; 32] }));
    assert!(story.held(0).is_empty(), "no job without its code");
    let effects = story.event(Event::Code { code: CODE, bytes: Ok("text".into()) });
    let kinds: Vec<_> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::ToSlot { command: SlotCommand::Code { .. }, .. } => Some("code"),
            Effect::ToSlot { command: SlotCommand::Jobs { .. }, .. } => Some("jobs"),
            _ => None,
        })
        .collect();
    assert_eq!(kinds, ["code", "jobs"]);
    let effects = story.event(assign(1, &[2]));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::FetchCode { .. })));
    assert_eq!(story.held(0), [1, 2], "one runs, one bridges the way");
}

#[test]
fn jobs_are_spread_before_they_are_stacked() {
    let mut story = Story::working(2);
    story.event(assign(1, &[1, 2, 3]));
    assert_eq!((story.held(0), story.held(1)), (vec![1, 3], vec![2]));
}

#[test]
fn results_go_out_at_once_and_are_kept_until_answered() {
    let mut story = Story::working(1);
    story.event(assign(1, &[1]));
    let effects = story.report(0, SlotReport::Results { results: vec![done(1)] });
    assert!(matches!(sent(&effects)[..], [ClientFrame::Results { results, .. }] if results[0].key == key(1)));
    story.event(Event::Disconnected);
    story.now += 60_000.0;
    assert!(story.event(Event::Tick).contains(&Effect::Connect { url: "ws://here/ws/v1".into() }));
    story.event(Event::Connected);
    let again = story.event(welcome());
    assert!(matches!(sent(&again)[..], [ClientFrame::Results { results, .. }] if results[0].key == key(1)));
    story.event(Event::Frame(ServerFrame::Verdicts(vec![(key(1), Verdict::Accepted)])));
    assert!(story.state.uplink.unanswered.is_empty());
}

#[test]
fn results_kept_for_long_go_out_in_frames_that_the_server_takes() {
    let mut story = Story::working(1);
    story.event(assign(1, &[1, 2]));
    story.event(Event::Disconnected);
    let large = |seq| SlotResult { value: Some(vec![0; 12 << 20]), ..done(seq) };
    story.report(0, SlotReport::Results { results: vec![large(1), large(2)] });
    story.now += 60_000.0;
    story.event(Event::Tick);
    story.event(Event::Connected);
    let sizes: Vec<usize> = sent(&story.event(welcome()))
        .into_iter()
        .map(|frame| if let ClientFrame::Results { results, .. } = frame { results.len() } else { 0 })
        .collect();
    assert_eq!(sizes, [1, 1]);
}

#[test]
fn a_job_over_its_time_ends_with_its_job_worker_and_the_next_one_begins_again() {
    let mut story = Story::working(1);
    story.event(assign(1, &[1, 2]));
    story.now += 1_300.0;
    let old = story.state.slots.slots[&0].generation;
    let effects = story.event(Event::Tick);
    assert!(effects.contains(&Effect::ToPage(PageEvent::CloseSlot { slot: 0, generation: old })));
    assert_eq!(errors(&effects), [(1, JobErrorKind::Timeout)]);
    assert_eq!(story.state.work.jobs.waiting(), 1);
    story.report(0, SlotReport::Ready);
    assert_eq!(story.held(0), [2]);
    let late =
        Event::Report { slot: 0, generation: old, report: SlotReport::Results { results: vec![done(1)] } };
    assert_eq!(sent(&story.event(late)), Vec::<&ClientFrame>::new(), "words of an old generation");
}

#[test]
fn a_crashed_job_worker_costs_only_the_running_job() {
    let mut story = Story::working(1);
    story.event(assign(1, &[1, 2]));
    let generation = story.state.slots.slots[&0].generation;
    let crash = PageCommand::SlotCrashed { slot: 0, generation, message: "out of memory".into() };
    let effects = story.event(Event::Command(crash));
    assert_eq!(errors(&effects), [(1, JobErrorKind::Crashed)]);
    assert_eq!(story.state.work.jobs.waiting(), 1);
}

#[test]
fn another_workflow_gets_another_job_worker() {
    let mut story = Story::working(1);
    story.event(assign(1, &[1]));
    story.event(assign(2, &[2]));
    story.event(Event::Code { code: 1, bytes: Ok("other".into()) });
    assert_eq!(story.held(0), [1]);
    let old = story.state.slots.slots[&0].generation;
    let effects = story.report(0, SlotReport::Results { results: vec![done(1)] });
    assert!(effects.contains(&Effect::ToPage(PageEvent::CloseSlot { slot: 0, generation: old })));
    story.report(0, SlotReport::Ready);
    assert_eq!(story.held(0), [2]);
}

#[test]
fn a_module_runs_in_the_strict_frame_and_a_script_does_not() {
    let mut story = Story::working(1);
    let module = CodeRef { kind: Some(CodeKind::Wasm), ..code(1) };
    story.event(assign_of(module, &[1]));
    // No text at all: bytes that no script could be.
    let effects = story.event(Event::Code { code: 1, bytes: Ok(vec![0, 0xff]) });
    let opened = |effects: &[Effect]| {
        effects.iter().find_map(|effect| match effect {
            Effect::ToPage(PageEvent::OpenSlot { strict, .. }) => Some(*strict),
            _ => None,
        })
    };
    assert_eq!(opened(&effects), Some(true));
    let effects = story.report(0, SlotReport::Ready);
    let given = effects.iter().find_map(|effect| match effect {
        Effect::ToSlot { command: SlotCommand::Code { code_kind, text, module, .. }, .. } => {
            Some((*code_kind, text.as_str(), module.as_deref()))
        }
        _ => None,
    });
    assert_eq!(given, Some((CodeKind::Wasm, "", Some(&[0, 0xff][..]))));
    assert_eq!(story.held(0), [1]);
    story.now += 1_300.0;
    assert_eq!(opened(&story.event(Event::Tick)), Some(true), "a replaced slot stays in its frame");
    story.report(0, SlotReport::Ready);
    assert_eq!(opened(&story.event(assign(1, &[2]))), Some(false), "the same workflow has scripts as well");
}

#[test]
fn a_script_that_is_no_text_is_a_code_that_cannot_be_had() {
    let mut story = Story::working(1);
    story.event(assign(2, &[1]));
    let effects = story.event(Event::Code { code: 1, bytes: Ok(vec![0xff]) });
    assert!(matches!(sent(&effects)[..], [ClientFrame::Yield { attempts, .. }] if attempts[..] == [key(1)]));
}

#[test]
fn pausing_gives_waiting_jobs_back_and_lets_running_ones_end() {
    let mut story = Story::working(1);
    story.event(assign(1, &[1, 2, 3]));
    let effects = story.event(Event::Command(PageCommand::Pause));
    assert_eq!(sent(&effects), [&ClientFrame::Yield { attempts: vec![key(3)], capacity: 0 }]);
    assert_eq!(states(&effects), [WorkState::Paused]);
    let effects = story.report(0, SlotReport::Results { results: vec![done(1)] });
    assert!(matches!(sent(&effects)[..], [ClientFrame::Results { capacity: 0, .. }]));
    let effects = story.event(Event::Command(PageCommand::Resume));
    assert!(matches!(sent(&effects)[..], [ClientFrame::Heartbeat { capacity, .. }] if *capacity > 0));
}

#[test]
fn finishing_ends_what_runs_hands_it_in_and_stops() {
    let mut story = Story::working(1);
    story.event(assign(1, &[1, 2, 3]));
    let effects = story.event(Event::Command(PageCommand::Finish));
    assert_eq!(sent(&effects), [&ClientFrame::Yield { attempts: vec![key(3)], capacity: 0 }]);
    assert_eq!(states(&effects), [WorkState::Finishing]);
    story.report(0, SlotReport::Results { results: vec![done(1), done(2)] });
    let answers = [1, 2].map(|n| (key(n), Verdict::Accepted)).to_vec();
    let effects = story.event(Event::Frame(ServerFrame::Verdicts(answers)));
    assert_eq!(states(&effects), [WorkState::Stopped]);
    assert!(sent(&effects).contains(&&ClientFrame::Bye) && effects.contains(&Effect::Disconnect));
}

#[test]
fn the_page_hears_when_the_next_try_is() {
    let mut story = Story::working(1);
    story.event(Event::Disconnected);
    story.now += 1_000.0;
    let now = story.now;
    let status = story.state.status(WorkState::Connecting, None, now);
    assert_eq!(status.retry_ms, Some(0.0));
    assert_eq!(Story::working(1).state.status(WorkState::Working, None, 9.0).retry_ms, None);
}

#[test]
fn the_page_hears_which_workflow_it_is() {
    let mut story = Story::working(1);
    let told = |story: &mut Story| story.state.status(WorkState::Working, None, 9.0).workflow_hash;
    assert_eq!(told(&mut story), None);
    story.event(assign(1, &[1]));
    assert_eq!(told(&mut story), Some("01".repeat(32)));
}

#[test]
fn the_page_hears_once_what_has_ended_and_what_each_slot_is_at() {
    let mut story = Story::working(2);
    let told = |story: &mut Story| {
        let status = story.state.status(WorkState::Working, None, story.now);
        let sums = |it: &EndedAttempts| (it.slot, it.workflow.clone(), it.done, it.failed, it.compute_ms);
        let each = status.each_slot.iter().map(|it| (it.activity, it.progress)).collect::<Vec<_>>();
        (status.ended.iter().map(sums).collect::<Vec<_>>(), each)
    };
    let free = (SlotActivity::Free, None);
    assert_eq!(told(&mut story), (vec![], vec![free, free]));
    story.event(assign(1, &[1, 2, 3]));
    story.report(0, SlotReport::Progress { seq: 1, done: 0.25 });
    let working = |progress| (SlotActivity::Working, progress);
    assert_eq!(told(&mut story), (vec![], vec![working(Some(0.25)), working(None)]));
    story.state.figures.told.1 = story.now;
    let failed = SlotResult { value: None, ..done(2) };
    story.report(0, SlotReport::Results { results: vec![done(1)] });
    story.report(1, SlotReport::Results { results: vec![failed] });
    let (ended, each) = told(&mut story);
    assert_eq!(ended, [(0, "pi".into(), 1, 0, 50.0), (1, "pi".into(), 0, 1, 50.0)]);
    assert_eq!(each.iter().filter(|it| **it == working(None)).count(), 1, "{each:?}");
    assert_eq!(told(&mut story).0, [], "told once");
    story.report(0, SlotReport::Rest { ms: 500.0 });
    story.report(1, SlotReport::Rest { ms: 500.0 });
    assert!(told(&mut story).1.contains(&(SlotActivity::Resting, None)));
}

#[test]
fn stopping_gives_everything_back_and_leaves() {
    let mut story = Story::working(1);
    story.event(assign(1, &[1, 2]));
    let effects = story.event(Event::Command(PageCommand::Stop));
    let frames = sent(&effects);
    assert!(matches!(frames[0], ClientFrame::Yield { attempts, .. } if attempts.len() == 2));
    assert_eq!(frames[1], &ClientFrame::Bye);
    assert!(effects.contains(&Effect::Disconnect) && story.state.slots.slots.is_empty());
    story.event(Event::Disconnected);
    story.now += 60_000.0;
    assert!(!story.event(Event::Tick).iter().any(|effect| matches!(effect, Effect::Connect { .. })));
}

#[test]
fn fewer_slots_end_when_their_jobs_have() {
    let mut story = Story::working(2);
    story.event(assign(1, &[1, 2]));
    story.event(Event::Command(PageCommand::SetSlots { slots: 1 }));
    assert_eq!(story.state.slots.slots.len(), 2);
    story.report(1, SlotReport::Results { results: vec![done(2)] });
    assert_eq!(story.state.slots.slots.len(), 1);
}

#[test]
fn revoked_jobs_are_terminated_and_say_nothing() {
    let mut story = Story::working(1);
    story.event(assign(1, &[1, 2, 3]));
    let effects = story.event(Event::Frame(ServerFrame::Revoke(vec![key(1), key(3)])));
    assert_eq!(sent(&effects), Vec::<&ClientFrame>::new());
    story.report(0, SlotReport::Ready);
    assert_eq!(story.held(0), [2]);
}

#[test]
fn heartbeats_name_what_is_held() {
    let mut story = Story::working(1);
    story.event(assign(1, &[1]));
    // The job is over its time by then, too: its error goes first.
    let effects = story.pass(20_000.0);
    assert!(matches!(sent(&effects).last(), Some(ClientFrame::Heartbeat { slots: 1, .. })));
}

#[test]
fn a_heartbeat_carries_what_running_jobs_have_told_last() {
    let mut story = Story::working(1);
    story.event(Event::Frame(ServerFrame::Pace { heartbeat_ms: 100 }));
    story.event(assign(1, &[1, 2]));
    let told = |story: &mut Story, reports: &[(u32, f64)]| {
        for (seq, done) in reports {
            assert_eq!(
                story.report(0, SlotReport::Progress { seq: *seq, done: *done }),
                [],
                "nothing at once"
            );
        }
        story.now += 100.0;
        match sent(&story.event(Event::Tick))[..] {
            [ClientFrame::Heartbeat { progress, .. }] => progress.clone(),
            ref other => panic!("a heartbeat is due: {other:?}"),
        }
    };
    assert_eq!(told(&mut story, &[]), []);
    assert_eq!(told(&mut story, &[(1, 0.25), (1, 0.5)]), [(key(1), 0.5)]);
    assert_eq!(told(&mut story, &[(7, 0.75)]), [(key(1), 0.5)], "nobody's job changes nothing");
    story.report(0, SlotReport::Results { results: vec![done(1)] });
    assert_eq!(told(&mut story, &[(2, 0.25)]), [(key(2), 0.25)], "what has ended is not told of");
    story.event(assign(1, &[3]));
    story.event(Event::Frame(ServerFrame::Revoke(vec![key(3)])));
    assert_eq!(told(&mut story, &[]), [], "it begins again, beside the one that was revoked");
}

#[test]
fn a_page_that_is_too_old_or_not_wanted_is_told_so_and_stays_away() {
    let message = || "no more".to_owned();
    for (frame, state) in [
        (ServerFrame::Refused { message: message(), reload: true }, WorkState::Outdated),
        (ServerFrame::SentAway { message: message() }, WorkState::Refused),
    ] {
        let mut story = Story::new(1);
        story.event(Event::Connected);
        let effects = story.event(Event::Frame(frame));
        assert_eq!(states(&effects), [state]);
        assert!(effects.contains(&Effect::Disconnect));
        story.event(Event::Disconnected);
        story.now += 60_000.0;
        assert!(!story.event(Event::Tick).iter().any(|effect| matches!(effect, Effect::Connect { .. })));
    }
}

#[test]
fn code_that_cannot_be_had_gives_its_jobs_back() {
    let mut story = Story::new(1);
    story.event(Event::Connected);
    story.event(welcome());
    story.event(assign(1, &[1]));
    let effects = story.event(Event::Code { code: CODE, bytes: Err("404".into()) });
    assert!(
        matches!(sent(&effects)[..], [ClientFrame::Yield { attempts, capacity: 0 }] if attempts[..] == [key(1)])
    );
    let again = story.pass(30_000.0);
    assert!(matches!(sent(&again).last(), Some(ClientFrame::Heartbeat { capacity, .. }) if *capacity > 0));
    assert!(story.event(assign(1, &[2])).contains(&Effect::FetchCode { code: CODE, hash: [9; 32] }));
}

#[test]
fn a_server_that_is_about_to_end_gets_what_runs_and_what_waits() {
    let mut story = Story::working(1);
    story.event(assign(1, &[1, 2, 3, 4, 5]));
    assert_eq!(story.held(0), [1, 2], "three wait in the coordinator");
    let effects = story.event(Event::Frame(ServerFrame::Drain { within_ms: 10_000 }));
    let back = ClientFrame::Yield { attempts: vec![key(3), key(4), key(5)], capacity: 0 };
    assert_eq!(sent(&effects), [&back]);
    let effects = story.event(assign(1, &[6]));
    let crossed = ClientFrame::Yield { attempts: vec![key(6)], capacity: 0 };
    assert_eq!(sent(&effects), [&crossed], "what was on its way goes back as well");
    let effects = story.report(0, SlotReport::Results { results: vec![done(1), done(2)] });
    assert!(
        matches!(sent(&effects)[..], [ClientFrame::Results { results, capacity: 0 }] if results.len() == 2),
        "{effects:?}"
    );
    let answers = [1, 2].map(|n| (key(n), Verdict::Accepted)).to_vec();
    story.event(Event::Frame(ServerFrame::Verdicts(answers)));
    story.event(Event::Disconnected);
    story.now += 1_000.0;
    assert!(matches!(story.event(Event::Tick)[0], Effect::Connect { .. }), "and comes back");
    let hello = story.event(Event::Connected);
    assert!(matches!(sent(&hello)[..], [ClientFrame::Hello(Hello { capacity: 1.., .. })]), "{hello:?}");
}

#[test]
fn a_new_pace_holds_from_the_next_heartbeat_on_and_never_puts_that_one_off() {
    for (heartbeat_ms, waits) in [(60_000, [19_000.0, 60_000.0]), (5_000, [5_000.0, 5_000.0])] {
        let mut story = Story::working(1);
        story.now += 1_000.0;
        let effects = story.event(Event::Frame(ServerFrame::Pace { heartbeat_ms }));
        assert!(sent(&effects).is_empty(), "{effects:?}");
        for wait in waits {
            story.now += wait - 100.0;
            let early = story.event(Event::Tick);
            assert!(sent(&early).is_empty(), "{early:?} before {wait} of {heartbeat_ms}");
            story.now += 200.0;
            let due = story.event(Event::Tick);
            assert!(matches!(sent(&due)[..], [ClientFrame::Heartbeat { .. }]), "{due:?} after {wait}");
        }
    }
}

#[test]
fn an_identity_is_signed_for_this_server_while_connected() {
    let identity = Identity {
        kind: KeyKind::Ed25519,
        key: vec![1; 32].into(),
        signature: vec![2; 64].into(),
        token: None,
    };
    let mut story = Story::new(1);
    story.event(Event::Connected);
    let effects = story.event(welcome());
    assert!(effects.contains(&Effect::Sign(signed_text(&[7; 32], "here"))), "{effects:?}");
    let effects = story.event(Event::Signed(identity.clone()));
    assert_eq!(sent(&effects), [&ClientFrame::Identity(identity.clone())]);
    story.event(Event::Disconnected);
    assert_eq!(sent(&story.event(Event::Signed(identity))), Vec::<&ClientFrame>::new());
}
