//! The routes' end of a plain session: what a worker without a connection has it do.

use std::time::Duration;

use actix::{Actor, Addr, AsyncContext};
use tokio::sync::oneshot;
use weevil_engine::contact::Contact;
use weevil_model::{Needs, PlaceNumber, WorkerId};
use weevil_peer::Row;
use weevil_protocol::plain::{Pass, Renewal, Secret, Values};
use weevil_queue::AttemptKey;
use weevil_queue::batch::Verdict;
use weevil_queue::{ClaimedEffort, Renew, Report, Reporter, Submission};

use super::bed::{Bed, key, patient};
use crate::workers::PlainWorkers;
use crate::workers::plain_leases::Handed;
use crate::workers::plain_session::{
    Arrival, PlainSession, SessionDequeue, SessionHeartbeat, SessionSubmit, TooMuch,
};
use crate::workers::plain_workers::Member;
use crate::workers::standing::SharedGiven;

/// Longer than any test: what waits so long waits for something else.
pub(super) const LONG: Duration = Duration::from_hours(24);

/// Where an answer comes.
pub(super) type Answer<T> = oneshot::Receiver<Result<T, TooMuch>>;

pub(super) struct Guest {
    pub session: Addr<PlainSession>,
    pub contact: Contact,
    pub workers: PlainWorkers,
    pub pass: Pass,
}

impl Guest {
    /// A worker of two slots has joined; the feeder knows.
    pub(super) async fn join(bed: &mut Bed) -> Self {
        let worker = WorkerId::from_number(1).unwrap();
        let (peer, given, workers) = (bed.peer(), SharedGiven::default(), PlainWorkers::default());
        let pass = Pass { worker, secret: Secret("secret".into()) };
        let place = PlaceNumber::from_number(1);
        let (agent, slots, has) = ("plain".to_owned(), 2, Needs::JAVASCRIPT);
        let arrival =
            Arrival { worker, place, peer, given: given.clone(), agent, slots, has, trusted: false };
        let (seat, context) = (bed.budget.take(peer, Row::Seats, 1).unwrap(), bed.context());
        let session = PlainSession::create(|ctx| {
            let member = Member { session: ctx.address(), values: Values::Json, slots, given };
            PlainSession::new(context, arrival, seat, workers.enter(&pass, member))
        });
        Self { session, contact: bed.joined().await, workers, pass }
    }

    pub(super) fn dequeue(&self, max: u32, wait: Duration) -> Answer<Vec<Handed>> {
        let (reply, answer) = oneshot::channel();
        self.session.do_send(SessionDequeue { max, wait, reply });
        answer
    }

    /// Reports values of these attempts.
    pub(super) fn submit(&self, bed: &Bed, numbers: &[i64]) -> Answer<Vec<(AttemptKey, Verdict)>> {
        let (reply, answer) = oneshot::channel();
        let waiting = bed.budget.take(bed.peer(), Row::Unanswered, 1).unwrap();
        let submissions = numbers.iter().map(|number| self.report(*number)).collect();
        self.session.do_send(SessionSubmit { submissions, waiting, reply });
        answer
    }

    fn report(&self, number: i64) -> Submission {
        let value = weevil_model::Encoded::of(&weevil_model::Value::Null).unwrap();
        Submission {
            key: key(number),
            reporter: Reporter { worker: self.pass.worker, device: None },
            report: Report::Value(value),
            claimed: ClaimedEffort { slot: 0, compute_us: 1, flops: 0.0 },
            slots: 2,
            digest: None,
            log: None,
        }
    }

    pub(super) fn heartbeat(&self, numbers: &[i64]) -> Answer<Vec<(AttemptKey, Renewal)>> {
        let (reply, answer) = oneshot::channel();
        let holding = numbers.iter().map(|number| Renew::from(key(*number))).collect();
        self.session.do_send(SessionHeartbeat { holding, reply });
        answer
    }
}

/// The jobs that a dequeue brought.
pub(super) async fn jobs(answer: Answer<Vec<Handed>>) -> Vec<i64> {
    let handed = patient(answer).await.unwrap().unwrap();
    handed.iter().map(|handed| handed.job.key.job.number()).collect()
}
