//! The server among those who compute: when it asks, and which codes are nothing for it; and who asks modules of workflows.
//!
//! It asks only where there may be something to check, so that nothing is looked for on a server that judges nothing. Keeps nothing
//! that a crash may not take.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::Notify;
use weevil_model::{ContentHash, Timestamp};
use weevil_queue::decide::server::SERVER;
use weevil_queue::{Claimed, Outcomes, ServerAppetite};

use super::gather::Feeder;
use crate::feeder::ServerRequest;

/// Codes of which it is kept that the server could say nothing, the newest.
const MAX_UNSAID: usize = 256;
/// How long, milliseconds. What it says depends on the arguments too.
const UNSAID_MS: i64 = 600_000;
/// Jobs that it takes in one claim.
const MAX_TAKEN: u32 = 64;

#[derive(Default)]
pub(super) struct ServerDesk {
    /// Something has been answered since it asked in vain.
    may_find: bool,
    unsaid: VecDeque<(ContentHash, Timestamp)>,
    /// Whoever asks modules of workflows.
    modules: Option<Arc<Notify>>,
}

impl ServerDesk {
    /// There may be something to check.
    pub(super) const fn look(&mut self) {
        self.may_find = true;
    }

    /// Whoever comes asks what was left before.
    pub(super) fn ask_modules(&mut self, bell: Arc<Notify>) {
        bell.notify_one();
        self.modules = Some(bell);
    }

    /// There is something to ask modules.
    pub(super) fn ring(&self) {
        if let Some(bell) = &self.modules {
            bell.notify_one();
        }
    }

    /// Nothing could be said of a job of this code.
    pub(super) fn could_not_say(&mut self, code: ContentHash, now: Timestamp) {
        if self.unsaid.len() >= MAX_UNSAID {
            self.unsaid.pop_front();
        }
        self.unsaid.push_back((code, now.plus_ms(UNSAID_MS)));
    }

    /// Would it ask, if it wants so many?
    pub(super) const fn would_ask(&self, wants: u32) -> bool {
        self.may_find && wants > 0
    }

    pub(super) fn ask(&mut self, wants: u32, now: Timestamp) -> Option<ServerAppetite> {
        if !self.would_ask(wants) {
            return None;
        }
        self.unsaid.retain(|(_, until)| *until > now);
        let unsaid = self.unsaid.iter().map(|(code, _)| *code).collect();
        Some(ServerAppetite { wants: wants.min(MAX_TAKEN), unsaid })
    }

    /// What it has got of what it asked for.
    pub(super) fn learn(&mut self, asked: Option<&ServerAppetite>, claimed: &[Claimed]) {
        let Some(asked) = asked else { return };
        let got = claimed.iter().filter(|job| job.worker == SERVER).count();
        self.may_find = got >= asked.wants as usize;
    }
}

impl Feeder {
    /// What the server's own computing asks for.
    pub(super) fn take_of_server(&mut self, ask: ServerRequest) {
        let now = self.context.clock.now();
        match ask {
            ServerRequest::Employ(contact) => {
                self.workers.employ(contact, now);
                self.server.look();
            }
            ServerRequest::Unsaid(code) => self.server.could_not_say(code, now),
            ServerRequest::AskModules(bell) => self.server.ask_modules(bell),
            ServerRequest::Opine { opinions, reply } => {
                self.replies.opined(&opinions, reply);
                self.gathered.batch.opinions.extend(opinions);
            }
        }
    }

    /// There may be something to check, or to ask modules.
    pub(super) fn wake_server(&mut self, outcomes: &Outcomes) {
        if outcomes.woken > 0 || !outcomes.answered.is_empty() {
            self.server.look();
        }
        if outcomes.questions > 0 {
            self.server.ring();
        }
    }

    pub(super) fn server_asks(&mut self) -> Option<ServerAppetite> {
        let wants = if self.context.health.serving() { self.workers.server_wants() } else { 0 };
        self.server.ask(wants, self.context.clock.now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::claimed;

    #[test]
    fn it_asks_while_there_may_be_something() {
        let now = Timestamp(0);
        let mut desk = ServerDesk::default();
        assert_eq!(desk.ask(5, now), None, "nothing was answered yet");
        desk.look();
        assert_eq!(desk.ask(0, now), None, "it wants nothing");
        for (got, goes_on) in [(5, true), (2, false)] {
            let asked = desk.ask(5, now);
            assert_eq!(asked, Some(ServerAppetite { wants: 5, unsaid: vec![] }));
            let other = claimed(9, 1);
            let jobs: Vec<Claimed> =
                (0..got).map(|job| Claimed { worker: SERVER, ..claimed(job, 1) }).collect();
            desk.learn(asked.as_ref(), &[jobs, vec![other]].concat());
            assert_eq!(desk.would_ask(5), goes_on, "{got}");
        }
        desk.learn(None, &[]);
        desk.look();
        assert_eq!(desk.ask(99, now).map(|asked| asked.wants), Some(MAX_TAKEN));
    }

    #[test]
    fn a_code_is_left_for_a_while() {
        let code = |number: usize| ContentHash::of(&number.to_le_bytes());
        let mut desk = ServerDesk::default();
        desk.look();
        for number in 0..=MAX_UNSAID {
            desk.could_not_say(code(number), Timestamp(0));
        }
        let mut unsaid = |now| desk.ask(1, Timestamp(now)).unwrap().unsaid;
        let kept = unsaid(UNSAID_MS - 1);
        assert_eq!((kept.len(), kept[0]), (MAX_UNSAID, code(1)), "the newest");
        assert_eq!(unsaid(UNSAID_MS), []);
    }
}
