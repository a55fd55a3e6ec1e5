//! From messages of a worker's socket to what its session hears: each is let in, unpacked and checked, one by one.
//!
//! Before the welcome only the head of a message is looked at. What is large is unpacked and checked off the HTTP thread.

use std::collections::HashSet;
use std::time::Duration;

use actix_web::web::{self, Bytes};
use weevil_engine::budget::{Permit, SharedBudget};
use weevil_peer::limits::SMALL_TRANSFER_BYTES;
use weevil_peer::{Flow, Row};
use weevil_protocol::frame::{AttemptKey, AttemptResult, ClientFrame};
use weevil_queue::Submission;

use super::session::Heard;
use super::socket_reader::{Message, SocketReader, Trouble};
use super::standing::Standing;
use super::wire;
use crate::http::read_body::off_thread;

const NO_HELLO: &str = "the message is not a frame with a hello, which must come first";

pub(super) struct Inlet {
    reader: SocketReader,
    standing: Standing,
    budget: SharedBudget,
}

impl Inlet {
    pub(super) const fn new(reader: SocketReader, standing: Standing, budget: SharedBudget) -> Self {
        Self { reader, standing, budget }
    }

    /// What comes next; `None` once the connection has ended, or something else than a frame came.
    pub(super) async fn next(mut self) -> Option<(Heard, Option<Self>)> {
        match self.hear().await {
            Ok(heard) => heard.map(|heard| (heard, Some(self))),
            Err(trouble) => Some((Heard::Trouble(trouble), None)),
        }
    }

    async fn hear(&mut self) -> Result<Option<Heard>, Trouble> {
        Ok(match self.reader.next().await? {
            None => None,
            Some(Message::Close) => Some(Heard::Close),
            Some(Message::Ping(bytes)) => Some(Heard::Ping(bytes)),
            Some(Message::Binary(bytes, permit)) => Some(self.unpack(bytes, permit).await?),
        })
    }

    /// The permit is held until the message is checked.
    async fn unpack(&mut self, bytes: Bytes, permit: Option<Permit>) -> Result<Heard, Trouble> {
        if !self.standing.is_welcome() && !ClientFrame::is_hello(&bytes) {
            return Err(NO_HELLO.into());
        }
        let size = bytes.len() as u64;
        let frame = off_thread(bytes.len(), move || ClientFrame::decode(&bytes))
            .await
            .map_err(|error| error.to_string())?;
        let frame = frame.map_err(|error| error.to_string())?;
        let ClientFrame::Results { results, capacity } = frame else { return Ok(Heard::Frame(frame)) };
        let sent = results.len();
        let judged = self.standing.judged(results.iter().map(|result| result.key));
        self.ask_for(&results, size).await;
        let submissions = self.check(results, size, judged).await?;
        let waiting = self.unanswered(size).await;
        drop(permit);
        Ok(Heard::Results { sent, submissions, capacity, waiting })
    }

    /// Reports for what this connection was not given are read a few at a time.
    async fn ask_for(&self, results: &[AttemptResult], size: u64) {
        let unasked = self.standing.unasked(results.iter().map(|result| result.key));
        if unasked > 0 {
            let peer = self.standing.peer();
            self.standing.set_waiting(true);
            self.budget.spend_later(peer, Flow::Unasked, unasked as u64).await;
            self.budget.spend_later(peer, Flow::UnaskedBytes, size).await;
            self.standing.set_waiting(false);
        }
    }

    async fn check(
        &self,
        results: Vec<AttemptResult>,
        size: u64,
        judged: HashSet<AttemptKey>,
    ) -> Result<Vec<Submission>, Trouble> {
        let (reporter, slots) = (self.standing.reporter().ok_or(NO_HELLO)?, self.standing.slots());
        let submission = move |result: AttemptResult| {
            let is_judged = judged.contains(&result.key);
            let submission = wire::submission(result, reporter, slots);
            if is_judged { submission.map(wire::canonized) } else { submission }
        };
        let submissions = move || results.into_iter().filter_map(submission).collect();
        if size <= SMALL_TRANSFER_BYTES {
            return Ok(submissions());
        }
        let _checking = self.budget.checking(self.standing.peer()).await;
        web::block(submissions).await.map_err(|error| error.to_string())
    }

    /// Leave to have so much wait for the database, as soon as there is room.
    async fn unanswered(&self, size: u64) -> Option<Permit> {
        let peer = self.standing.peer();
        if let Ok(permit) = self.budget.take(peer, Row::Unanswered, size) {
            return Some(permit);
        }
        self.standing.set_waiting(true);
        let permit = self.budget.wait(peer, Row::Unanswered, size, Duration::MAX).await.ok();
        self.standing.set_waiting(false);
        permit
    }
}
