//! How the feeder reaches a worker, whichever protocol it speaks.
//!
//! Only the way and the words on it; what a worker is told, the feeder decides, and how, its session.

use actix::{Actor, Addr, Context, Handler, Message, Recipient};
use weevil_queue::batch::Verdict;
use weevil_queue::{AttemptKey, Claimed};

/// Jobs for a worker.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Assigned(pub Vec<Claimed>);

/// Answers to its reports, in the order of the reports.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Answers(pub Vec<(AttemptKey, Verdict)>);

/// Attempts that nobody wants any more.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Revoked(pub Vec<AttemptKey>);

/// The actor that stands for a worker.
pub(crate) struct Contact {
    assigned: Recipient<Assigned>,
    answers: Recipient<Answers>,
    revoked: Recipient<Revoked>,
}

impl Contact {
    pub(crate) fn of<A>(session: Addr<A>) -> Self
    where
        A: Actor<Context = Context<A>> + Handler<Assigned> + Handler<Answers> + Handler<Revoked>,
    {
        let (assigned, answers) = (session.clone().recipient(), session.clone().recipient());
        Self { assigned, answers, revoked: session.recipient() }
    }

    pub(crate) fn assign(&self, jobs: Vec<Claimed>) {
        self.assigned.do_send(Assigned(jobs));
    }

    pub(crate) fn answer(&self, answers: Vec<(AttemptKey, Verdict)>) {
        self.answers.do_send(Answers(answers));
    }

    pub(crate) fn revoke(&self, attempts: Vec<AttemptKey>) {
        self.revoked.do_send(Revoked(attempts));
    }
}
