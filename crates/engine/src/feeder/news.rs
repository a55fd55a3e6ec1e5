//! What a committed batch means for executors and sessions. Only messages: everything is durable already.

use std::collections::HashMap;

use weevil_failpoint::{Point, pass};
use weevil_model::{RunId, Timestamp, WorkerId};
use weevil_queue::batch::{Change, JobNews, Returned, Settled};
use weevil_queue::decide::term::last_renewal;
use weevil_queue::{AttemptEnd, AttemptKey, Claimed, Ended, Outcomes};

use crate::contact::Answer;
use crate::feeder::gather::Feeder;
use crate::feeder::replies::NotStored;
use crate::job_news::{Cost, JobChange, JobUpdate, Work};

impl Feeder {
    pub(super) fn tell(&mut self, reporters: Vec<WorkerId>, outcomes: Outcomes, now: Timestamp) {
        let reports = reporters.into_iter().zip(outcomes.completed);
        self.tell_settled(reports, now);
        self.tell_returned(outcomes.returned, now);
        self.tell_revoked(outcomes.revoked.into_iter().chain(outcomes.disowned));
        if outcomes.woken > 0 {
            self.fruitless.forget();
        }
        for news in outcomes.overdue.into_iter().chain(outcomes.cancelled) {
            self.tell_executor(news, Cost::Nothing, now);
        }
        for known in outcomes.enqueued {
            let cost = if known.reused { Cost::Reused } else { Cost::Nothing };
            self.tell_run(known.run, &known.path, Change::Ended(known.ended), cost, now);
        }
        self.tell_claimed(outcomes.claimed, now);
    }

    fn tell_settled(&mut self, reports: impl Iterator<Item = (WorkerId, Settled)>, now: Timestamp) {
        let mut answers: HashMap<WorkerId, Vec<Answer>> = HashMap::new();
        for (reporter, settled) in reports {
            let change = settled.job.as_ref().map(|job| &job.change);
            let ended = matches!(change, Some(Change::Ended(Ended::Value(_))));
            if ended {
                self.crowding.proven(reporter);
            }
            let answer = Answer { key: settled.key, verdict: settled.verdict, ended };
            answers.entry(reporter).or_default().push(answer);
            if settled.worker.is_some() {
                self.workers.finished(settled.key, ended);
            }
            let (Some(job), Some(effort)) = (settled.job, settled.effort) else { continue };
            if matches!(job.change, Change::Requeued) {
                self.fruitless.forget();
            }
            let place = self.workers.place(reporter);
            self.tell_executor(job, Cost::Worked(Work { worker: reporter, place, effort }), now);
        }
        pass(Point::ExecutorsTold);
        for (worker, answers) in answers {
            if let Some(contact) = self.workers.contact(worker) {
                contact.answer(answers);
            }
        }
    }

    fn tell_returned(&mut self, returned: Vec<Returned>, now: Timestamp) {
        for Returned { key, end, job, .. } in returned {
            self.fruitless.forget();
            if end == AttemptEnd::Expired {
                self.workers.expired(key);
            } else {
                self.workers.dropped(key);
            }
            self.tell_executor(job, Cost::Nothing, now);
        }
    }

    fn tell_revoked(&mut self, revoked: impl Iterator<Item = (WorkerId, AttemptKey)>) {
        let mut by_worker: HashMap<WorkerId, Vec<AttemptKey>> = HashMap::new();
        for (worker, key) in revoked {
            let holder = self.workers.dropped(key).unwrap_or(worker);
            by_worker.entry(holder).or_default().push(key);
        }
        for (worker, keys) in by_worker {
            if let Some(contact) = self.workers.contact(worker) {
                contact.revoke(keys);
            }
        }
    }

    fn tell_claimed(&mut self, claimed: Vec<Claimed>, now: Timestamp) {
        let mut assigned: HashMap<WorkerId, Vec<Claimed>> = HashMap::new();
        for job in claimed {
            self.workers.handed(job.worker, job.key, last_renewal(now, job.timeout_ms));
            if let Some(run) = job.run {
                self.tell_run(run, &job.path, Change::Claimed, Cost::Nothing, now);
            }
            assigned.entry(job.worker).or_default().push(job);
        }
        for (worker, jobs) in assigned {
            if let Some(waited) = self.dispatch.handed(worker) {
                self.context.metrics.queue.dispatched(waited);
            }
            let bytes = jobs.iter().map(|job| job.input.as_bytes().len() as u64).sum();
            let parcel = self.crowding.send(worker, bytes);
            if let Some(contact) = self.workers.contact(worker) {
                contact.assign(jobs, parcel);
            }
        }
    }

    fn tell_executor(&mut self, news: JobNews, cost: Cost, at: Timestamp) {
        if matches!(news.change, Change::Ended(_)) {
            self.context.listeners.tell(news.id);
        }
        if let Some(run) = news.run {
            self.tell_run(run, &news.path, news.change, cost, at);
        }
    }

    /// The node hears that its job is none.
    pub(super) fn tell_not_stored(&mut self, run: RunId, path: &str, words: &NotStored) {
        let executor = self.executors.get_mut(&run).and_then(|waiting| waiting.remove(path));
        if let Some(executor) = executor {
            let change = JobChange::NotStored(words.0.clone());
            executor.do_send(JobUpdate { change, at: self.context.clock.now() });
        }
    }

    fn tell_run(&mut self, run: RunId, path: &str, change: Change, cost: Cost, at: Timestamp) {
        let Some(waiting) = self.executors.get_mut(&run) else { return };
        let (change, executor) = match change {
            Change::Claimed => (JobChange::Claimed, waiting.get(path).cloned()),
            Change::Requeued => (JobChange::Requeued, waiting.get(path).cloned()),
            Change::Ended(ended) => (JobChange::Ended(ended, cost), waiting.remove(path)),
        };
        if let Some(executor) = executor {
            executor.do_send(JobUpdate { change, at });
        }
    }
}
