//! The whole state after each kind of event, compared with a file: what an event changes beside what it should shows here.
//!
//! Owners are taken apart without `..`: a field that nobody prints does not compile.

use std::fmt::Write as _;

use super::*;
use crate::coordinator::figures::Figures;
use crate::coordinator::slots::Slots;
use crate::coordinator::uplink::Uplink;
use crate::coordinator::wishes::Wishes;
use crate::coordinator::work::Work;

/// One line for each field of an owner.
macro_rules! fields {
    ($text:ident, $owner:ident { $($field:ident),+ } = $value:expr) => {
        let $owner { $($field),+ } = $value;
        $(writeln!($text, "{}.{}: {:?}", stringify!($owner), stringify!($field), $field).unwrap();)+
    };
}

fn whole(state: &State) -> String {
    let State { wishes, uplink, slots, work, figures } = state;
    let mut text = String::new();
    fields!(text, Wishes { wish, origin, agent, gpu, adapter, gpu_lost_at } = wishes);
    fields!(
        text,
        Uplink { link, backoff, trouble, draining, max_value_bytes, unanswered, seen_at, standing } = uplink
    );
    fields!(text, Slots { slots, standby, realm, rests, generation } = slots);
    fields!(text, Work { jobs, codes, prefetch, hold_until } = work);
    fields!(text, Figures { meter, done, failed, untold, current, started_at, first_job_ms, told } = figures);
    in_order(&shortened(text))
}

/// Hashes of one byte, thirty-two times, as `[byte; 32]`.
fn shortened(text: String) -> String {
    (0..=u8::MAX)
        .fold(text, |text, byte| text.replace(&format!("{:?}", [byte; 32]), &format!("[{byte}; 32]")))
}

/// Hash tables by their keys, which are numbers: they print in any order.
fn in_order(text: &str) -> String {
    let mut open: Vec<(bool, Vec<String>)> = vec![(false, vec![String::new()])];
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let is_table = open.last().is_some_and(|(is_table, _)| *is_table);
        match char {
            '{' => {
                let starts_table = chars.peek().is_some_and(char::is_ascii_digit);
                open.push((starts_table, vec![String::new()]));
            }
            '}' => {
                let (is_table, mut entries) = open.pop().unwrap();
                if is_table {
                    entries.sort_by_key(|entry| leading_number(entry));
                }
                let inner = entries.join(", ");
                write!(open.last_mut().unwrap().1.last_mut().unwrap(), "{{{inner}}}").unwrap();
            }
            ',' if is_table && chars.next_if_eq(&' ').is_some() => {
                let at_key = chars.peek().is_some_and(char::is_ascii_digit);
                assert!(at_key, "a table's keys are numbers");
                open.last_mut().unwrap().1.push(String::new());
            }
            other => open.last_mut().unwrap().1.last_mut().unwrap().push(other),
        }
    }
    open.remove(0).1.remove(0)
}

fn leading_number(entry: &str) -> i64 {
    entry.split(|char: char| !char.is_ascii_digit()).next().and_then(|digits| digits.parse().ok()).unwrap()
}

/// Moments of one story, one after the other.
struct Album {
    story: Story,
    text: String,
}

impl Album {
    fn new(story: Story) -> Self {
        Self { story, text: String::new() }
    }

    fn event(&mut self, what: &str, event: Event) {
        self.story.event(event);
        writeln!(self.text, "== {what}\n{}", whole(&self.story.state)).unwrap();
    }

    fn report(&mut self, what: &str, slot: u32, report: SlotReport) {
        let generation = self.story.state.slots.slots[&slot].generation;
        self.event(what, Event::Report { slot, generation, report });
    }
}

#[test]
fn from_the_first_click_to_the_last() {
    let mut album = Album::new(Story { state: State::new(), now: 0.0 });
    let start = PageCommand::Start { origin: "ws://here".into(), agent: "test".into(), slots: 1 };
    album.event("start", Event::Command(start));
    album.event("connected", Event::Connected);
    album.event("welcome", welcome());
    album.report("ready", 0, SlotReport::Ready);
    album.event("two jobs", assign(1, &[1, 2]));
    album.event("their code", Event::Code { code: CODE, bytes: Ok("text".into()) });
    album.report("progress", 0, SlotReport::Progress { seq: 1, done: 0.5 });
    album.report("a line", 0, SlotReport::Log { seq: 1, text: "half".into() });
    album.report("a result", 0, SlotReport::Results { results: vec![done(1)] });
    let verdict = vec![(key(1), Verdict::Accepted)];
    album.event("its verdict", Event::Frame(ServerFrame::Verdicts(verdict)));
    album.event("half of the time", Event::Command(PageCommand::SetDuty { percent: 50 }));
    album.event("pause", Event::Command(PageCommand::Pause));
    album.event("resume", Event::Command(PageCommand::Resume));
    album.event("stop", Event::Command(PageCommand::Stop));
    insta::assert_snapshot!(album.text);
}

#[test]
fn what_goes_wrong() {
    let mut album = Album::new(Story::working(2));
    album.event("three jobs", assign(1, &[1, 2, 3]));
    let crash = PageCommand::SlotCrashed { slot: 0, generation: 1, message: "out of memory".into() };
    album.event("a crash", Event::Command(crash));
    album.event("revoked", Event::Frame(ServerFrame::Revoke(vec![key(2)])));
    album.event("another code", assign(2, &[4]));
    album.event("which cannot be had", Event::Code { code: 1, bytes: Err("404".into()) });
    album.event("the GPU is lent", Event::Command(PageCommand::SetGpu { percent: 50, adapter: None }));
    album.report("and lost", 1, SlotReport::GpuLost);
    album.event("disconnected", Event::Disconnected);
    album.story.now += 10_000.0;
    album.event("a standstill", Event::Tick);
    album.event("drained", Event::Frame(ServerFrame::Drain { within_ms: 1_000 }));
    let refused = ServerFrame::Refused { message: "reload the page".into(), reload: true };
    album.event("connected again", Event::Connected);
    album.event("refused", Event::Frame(refused));
    insta::assert_snapshot!(album.text);
}

#[test]
fn modules_on_standby() {
    let mut album = Album::new(Story::working(1));
    let module = CodeRef { kind: Some(CodeKind::Wasm), code: [8; 32], ..code(1) };
    album.event("a job of a module", assign_of(module, &[1]));
    album.event("its module", Event::Code { code: 1, bytes: Ok(vec![0]) });
    album.report("ready", 0, SlotReport::Ready);
    album.report("a result", 0, SlotReport::Results { results: vec![done(1)] });
    album.event("a job of a script", assign(1, &[2]));
    insta::assert_snapshot!(album.text);
}
