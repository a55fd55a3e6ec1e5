//! How the feeder reaches a worker, whichever protocol it speaks.
//!
//! Only the way and the words on it; what a worker is told, the feeder decides, and how, its session.

use actix::{Actor, Addr, Context, Handler, Message, Recipient};
use weevil_queue::batch::Verdict;
use weevil_queue::{AttemptKey, Claimed};

use crate::parcel::Parcel;

/// Jobs for a worker, and what counts their inputs until they are taken.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Assigned(pub Vec<Claimed>, pub Parcel);

/// What is answered to one report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    pub key: AttemptKey,
    pub verdict: Verdict,
    /// Its value has just ended the job: neither an error, nor what was sent again.
    pub ended: bool,
}

/// Answers to its reports, in the order of the reports.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Answers(pub Vec<Answer>);

/// Attempts that nobody wants any more.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Revoked(pub Vec<AttemptKey>);

/// The worker leaves, since people in charge want that.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub enum SentAway {
    /// Its device is banned.
    Banned,
    /// It may come again.
    ForNow,
}

/// The actor that stands for a worker.
pub struct Contact {
    assigned: Recipient<Assigned>,
    answers: Recipient<Answers>,
    revoked: Recipient<Revoked>,
    sent_away: Option<Recipient<SentAway>>,
    may_prove: bool,
}

impl Contact {
    pub fn of<A>(session: Addr<A>) -> Self
    where
        A: Actor<Context = Context<A>> + Handler<Assigned> + Handler<Answers> + Handler<Revoked>,
    {
        let (assigned, answers) = (session.clone().recipient(), session.clone().recipient());
        Self { assigned, answers, revoked: session.recipient(), sent_away: None, may_prove: false }
    }

    /// The same of a worker that can be told to leave.
    #[must_use]
    pub fn that_can_leave(self, sent_away: Recipient<SentAway>) -> Self {
        Self { sent_away: Some(sent_away), ..self }
    }

    /// The same of a worker that may prove which device it is.
    #[must_use]
    pub fn that_may_prove(self) -> Self {
        Self { may_prove: true, ..self }
    }

    pub(crate) const fn may_prove(&self) -> bool {
        self.may_prove
    }

    pub fn send_away(&self, why: SentAway) {
        if let Some(sent_away) = &self.sent_away {
            sent_away.do_send(why);
        }
    }

    pub fn assign(&self, jobs: Vec<Claimed>, parcel: Parcel) {
        self.assigned.do_send(Assigned(jobs, parcel));
    }

    pub fn answer(&self, answers: Vec<Answer>) {
        self.answers.do_send(Answers(answers));
    }

    pub fn revoke(&self, attempts: Vec<AttemptKey>) {
        self.revoked.do_send(Revoked(attempts));
    }
}
