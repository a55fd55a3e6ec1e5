//! The whole state in its five owners, and the one way in: every event passes here, and each rule is handed what it may
//! change.

use super::commands::obey;
use super::connection::{code_failed, hear};
use super::effect::Effect;
use super::event::Event;
use super::figures::Figures;
use super::idle::renew_unused;
use super::outcome::{lost_slot, reported, submit};
use super::slots::{Slots, Speaker};
use super::standstill::notice;
use super::status::tell;
use super::step::Step;
use super::stop::stop_when_finished;
use super::supply::fill;
use super::tick::tick;
use super::uplink::Uplink;
use super::wishes::Wishes;
use super::work::Work;

#[derive(Debug)]
pub(crate) struct State {
    pub(super) wishes: Wishes,
    pub(super) uplink: Uplink,
    pub(super) slots: Slots,
    pub(super) work: Work,
    pub(super) figures: Figures,
}

impl State {
    pub(crate) fn new() -> Self {
        Self {
            wishes: Wishes::new(),
            uplink: Uplink::new(),
            slots: Slots::new(),
            work: Work::new(),
            figures: Figures::new(),
        }
    }

    /// Is a port of this generation still wanted?
    pub(crate) fn awaits(&self, generation: u32) -> bool {
        self.slots.awaits(generation)
    }

    /// The one way in. `now` in milliseconds.
    pub(crate) fn handle(&mut self, event: Event, now: f64) -> Vec<Effect> {
        let Self { wishes, uplink, slots, work, figures } = self;
        let mut turn = Step::at(now);
        let step = &mut turn;
        notice(uplink, slots, work, step);
        match event {
            Event::Command(command) => obey(command, wishes, uplink, slots, work, figures, step),
            Event::Connected if uplink.link.is_tried() => uplink.greet(wishes, slots, work, step),
            Event::Disconnected => uplink.disconnected(work, now),
            Event::Frame(frame) if uplink.link.is_open() => hear(frame, wishes, uplink, slots, work, step),
            // The connection was given up while they were on their way.
            Event::Connected | Event::Frame(_) => {}
            Event::Code { code, bytes } => {
                if let Err(why) = bytes.and_then(|bytes| work.codes.loaded(code, bytes)) {
                    code_failed(code, why, wishes, uplink, slots, work, step);
                }
            }
            Event::Kernels { code, parts: Ok(parts) } => work.codes.equipped(code, parts),
            Event::Kernels { code, parts: Err(why) } => {
                code_failed(code, why, wishes, uplink, slots, work, step);
            }
            Event::Report { slot, generation, report } => {
                let speaker = Speaker { slot, generation };
                let ended = reported(speaker, report, wishes, uplink, slots, work, step);
                submit(ended, wishes, uplink, slots, work, figures, step);
            }
            Event::Nonsense { slot, generation } => {
                let speaker = Speaker { slot, generation };
                let ended = lost_slot(speaker, "it sent what is no report", slots, work, step);
                submit(ended, wishes, uplink, slots, work, figures, step);
            }
            Event::Signed(identity) => uplink.identify(identity, step),
            Event::Tick => tick(wishes, uplink, slots, work, figures, step),
        }
        fill(wishes, uplink, slots, work, figures, step);
        stop_when_finished(wishes, uplink, slots, work, step);
        renew_unused(wishes, uplink, slots, work, step);
        tell(wishes, uplink, slots, work, figures, step);
        turn.out
    }
}
