//! A feeder between a fake database and recorders, driven one batch at a time.

use std::ops::Deref;
use std::pin::pin;

use weevil_queue::{AttemptKey, Batch, Cancel, Outcomes, Release, Reporter, StoppedCode, Submission};

use crate::feeder::Request;
use crate::feeder::gather::Feeder;
use crate::testing::{Bed, Guest, claimed, worker};

pub(super) struct Driven {
    pub bed: Bed,
    pub feeder: Feeder,
}

impl Deref for Driven {
    type Target = Bed;

    fn deref(&self) -> &Bed {
        &self.bed
    }
}

impl Driven {
    /// These workers have come.
    pub(super) fn with(guests: impl IntoIterator<Item = Guest>) -> Self {
        let bed = Bed::default();
        let feeder = Feeder::new(bed.context());
        let mut driven = Self { bed, feeder };
        for guest in guests {
            let join = driven.join(guest);
            driven.ask(join);
        }
        driven
    }

    /// Workers have come that hold these attempts and want no more.
    pub(super) async fn holding(held: impl IntoIterator<Item = (i64, &[i64])>) -> Self {
        let mut driven = Self::with([]);
        for (number, attempts) in held {
            let capacity = u32::try_from(attempts.len()).unwrap();
            let join = driven.join(Guest::new(number).wants(capacity));
            driven.ask(join);
            let claimed = attempts.iter().map(|attempt| claimed(*attempt, number)).collect();
            driven.answered(Outcomes { claimed, ..Outcomes::default() }).await;
            driven.ask(heartbeat(number, [], 0));
        }
        driven.heard().await;
        driven
    }

    /// The feeder takes what is asked.
    pub(super) fn ask(&mut self, request: Request) {
        self.feeder.take(request);
    }

    /// Commits what there is, however often it has to be tried. Answers the tries.
    pub(super) async fn work(&mut self) -> Vec<Batch> {
        let mut working = pin!(self.feeder.work());
        loop {
            tokio::select! {
                biased;
                () = &mut working => break,
                _ = self.bed.clock.somebody_sleeps() => self.bed.clock.advance(1_000),
            }
        }
        self.bed.batches.take()
    }

    /// The parts of the one batch that what there is comes to; an empty list where there is nothing to commit.
    pub(super) async fn parts(&mut self) -> Vec<String> {
        let tried = self.work().await;
        assert!(tried.len() <= 1, "{tried:#?}");
        tried.first().map(parts).unwrap_or_default()
    }

    /// The same where the database answers so.
    pub(super) async fn answered(&mut self, outcomes: Outcomes) -> Vec<String> {
        self.batches.answer(outcomes);
        self.parts().await
    }
}

/// What this worker reports, whosever attempts they are.
pub(super) fn complete(number: i64, submissions: Vec<Submission>, capacity: u32) -> Request {
    let worker = worker(number);
    let reporter = Reporter { worker, device: None };
    let submissions = submissions.into_iter().map(|report| Submission { reporter, ..report }).collect();
    Request::Complete { worker, submissions, capacity, waiting: None }
}

pub(super) fn heartbeat(
    number: i64,
    holding: impl IntoIterator<Item = AttemptKey>,
    capacity: u32,
) -> Request {
    let holding = holding.into_iter().map(Into::into).collect();
    Request::Heartbeat { worker: worker(number), holding, slots: 1, capacity, duty: None }
}

/// What a database is asked, a line each, in the order in which it is carried out.
pub(super) fn parts(batch: &Batch) -> Vec<String> {
    let number = |key: &AttemptKey| key.job.number();
    let mut parts: Vec<String> =
        batch.complete.iter().map(|report| format!("report {}", number(&report.key))).collect();
    parts.extend(batch.opinions.iter().map(|opinion| format!("opinion on {}", opinion.job.number())));
    let release = |Release { key, end }: &Release| format!("{} {}", end.as_str(), number(key));
    parts.extend(batch.release.iter().map(release));
    let mut renewed: Vec<String> =
        batch.renew.iter().map(|renew| format!("renew {}", number(&renew.key))).collect();
    renewed.sort();
    parts.extend(renewed);
    parts.extend(batch.look.then(|| "look".to_owned()));
    parts.extend(batch.cancel.iter().map(|cancel| match cancel {
        Cancel::Run(run) => format!("cancel run {}", run.number()),
        Cancel::Job(job) => format!("cancel job {}", job.number()),
    }));
    parts.extend(batch.reopen.iter().map(|reopen| format!("reopen {}", reopen.path)));
    parts.extend(batch.shorten.iter().map(|shortened| format!("shorten {}", shortened.pool)));
    parts.extend(batch.close.iter().map(|closing| format!("close {}", closing.node)));
    parts.extend(batch.enqueue.iter().map(|job| format!("job {}", job.id.number())));
    let doubt = |(worker, key): &(weevil_model::WorkerId, AttemptKey)| {
        format!("doubt {} of {}", number(key), worker.number())
    };
    parts.extend(batch.doubted.iter().map(doubt));
    let stop = |stopped: &StoppedCode| format!("stop {}: {}", stopped.code.queue, stopped.example.number());
    parts.extend(batch.stop.iter().map(stop));
    parts.extend(batch.claim.server.iter().map(|ask| format!("claim {} for the server", ask.wants)));
    let mut asks: Vec<String> = batch
        .claim
        .asks
        .iter()
        .map(|ask| format!("claim {} for {}", ask.wants, ask.worker.number()))
        .collect();
    asks.sort();
    parts.extend(asks);
    parts.extend(batch.claim.spares.jobs.iter().map(|job| format!("spare of {}", job.number())));
    let mut spares: Vec<String> = batch
        .claim
        .spares
        .asks
        .iter()
        .map(|ask| format!("spare {} for {}", ask.wants, ask.worker.number()))
        .collect();
    spares.sort();
    parts.extend(spares);
    parts.extend(batch.probe.then(|| "probe".to_owned()));
    parts
}
