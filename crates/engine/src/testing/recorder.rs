//! Who is told something writes it down, in words.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use actix::{Actor, Context, Handler, Message};
use weevil_queue::batch::Verdict;
use weevil_queue::{AttemptKey, Ended};

use crate::contact::{Answer, Answers, Assigned, Revoked, SentAway};
use crate::device_standings::StandingNews;
use crate::job_news::{Cost, ElementUpdate, JobChange, JobUpdate};

/// What is told to everybody who shares it, in order.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub(crate) fn note(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }

    /// What was noted since this was asked last.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

/// A worker's contact, an executor or a pool: writes down what it is told, under its name.
pub(crate) struct Recorder {
    pub name: String,
    pub log: Log,
}

/// Everything that was sent before has been written down.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Flush;

impl Recorder {
    fn note(&self, told: &str) {
        self.log.note(format!("{} {told}", self.name));
    }
}

impl Actor for Recorder {
    type Context = Context<Self>;
}

impl Handler<Flush> for Recorder {
    type Result = ();

    fn handle(&mut self, Flush: Flush, _: &mut Context<Self>) {}
}

impl Handler<JobUpdate> for Recorder {
    type Result = ();

    fn handle(&mut self, JobUpdate { change, .. }: JobUpdate, _: &mut Context<Self>) {
        self.note(&format!("hears {}", words(change)));
    }
}

impl Handler<ElementUpdate> for Recorder {
    type Result = ();

    fn handle(&mut self, ElementUpdate { index, update }: ElementUpdate, _: &mut Context<Self>) {
        self.note(&format!("of {index} hears {}", words(update.change)));
    }
}

fn words(change: JobChange) -> String {
    match change {
        JobChange::Claimed => "claimed".to_owned(),
        JobChange::Answered => "answered".to_owned(),
        JobChange::Requeued => "requeued".to_owned(),
        JobChange::NotStored(words) => format!("not stored: {words}"),
        JobChange::Ended(ended, cost) => word(&ended).to_owned() + &price(cost),
    }
}

fn price(cost: Cost) -> String {
    match cost {
        Cost::Worked(work) => format!(" of {}", work.worker.number()),
        Cost::Reused => " of another job".to_owned(),
        Cost::Nothing => String::new(),
    }
}

impl Handler<Assigned> for Recorder {
    type Result = ();

    fn handle(&mut self, Assigned(jobs, _): Assigned, _: &mut Context<Self>) {
        self.note(&format!("is handed{}", numbers(jobs.iter().map(|job| job.key))));
    }
}

impl Handler<Answers> for Recorder {
    type Result = ();

    fn handle(&mut self, Answers(answers): Answers, _: &mut Context<Self>) {
        let answer = |Answer { key, verdict, ended }: &Answer| {
            let word = match verdict {
                Verdict::Accepted if *ended => "ended",
                Verdict::Accepted => "accepted",
                Verdict::Superseded => "superseded",
                Verdict::Unknown => "unknown",
            };
            format!("{} {word}", key.job.number())
        };
        let answers: Vec<String> = answers.iter().map(answer).collect();
        self.note(&format!("is answered {}", answers.join(", ")));
    }
}

impl Handler<StandingNews> for Recorder {
    type Result = ();

    fn handle(&mut self, StandingNews(standing): StandingNews, _: &mut Context<Self>) {
        self.note(&format!("has given {}", standing.credit.given));
    }
}

impl Handler<Revoked> for Recorder {
    type Result = ();

    fn handle(&mut self, Revoked(keys): Revoked, _: &mut Context<Self>) {
        self.note(&format!("loses{}", numbers(keys)));
    }
}

impl Handler<SentAway> for Recorder {
    type Result = ();

    fn handle(&mut self, why: SentAway, _: &mut Context<Self>) {
        self.note(match why {
            SentAway::Banned => "is banned",
            SentAway::ForNow => "is sent away",
        });
    }
}

fn numbers(keys: impl IntoIterator<Item = AttemptKey>) -> String {
    keys.into_iter().fold(String::new(), |mut text, key| {
        write!(text, " {}", key.job.number()).unwrap();
        text
    })
}

const fn word(ended: &Ended) -> &'static str {
    match ended {
        Ended::Value(_) => "value",
        Ended::Failed(_) => "failed",
        Ended::Overdue => "overdue",
        Ended::Cancelled => "cancelled",
    }
}
