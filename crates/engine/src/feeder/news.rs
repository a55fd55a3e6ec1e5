//! What a committed batch means, and the only place that tells it: executors, then those who wait, then workers.
//!
//! Only messages: everything is durable already.

use std::collections::HashMap;
use std::mem::take;

use weevil_failpoint::{Point, pass};
use weevil_model::{RunId, Timestamp, WorkerId};
use weevil_queue::batch::{Change, Enqueued, JobNews, PausedRun, Returned, Ruled, Settled};
use weevil_queue::decide::term::last_renewal;
use weevil_queue::{AttemptEnd, AttemptKey, Claimed, Ended, Outcomes, Report, StoppedCode, Submission};

use super::copies_out::CopyOut;
use super::gather::Feeder;
use super::replies::NotStored;
use crate::contact::Answer;
use crate::job_news::{Cost, JobChange, JobUpdate, Work};
use crate::listeners::News;
use crate::root::RunChange;

/// What one batch says to everybody, gathered before anybody is told.
struct Telling {
    at: Timestamp,
    news: Vec<News>,
    answers: HashMap<WorkerId, Vec<Answer>>,
    revoked: HashMap<WorkerId, Vec<AttemptKey>>,
    assigned: HashMap<WorkerId, Vec<Claimed>>,
}

impl Telling {
    fn at(now: Timestamp) -> Self {
        let (answers, revoked, assigned) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { at: now, news: Vec::new(), answers, revoked, assigned }
    }

    /// Nothing is news of a job of which other copies are out.
    fn job(&mut self, JobNews { id, run, path, change }: JobNews, cost: Cost) {
        let Some(change) = change_of(change, cost) else { return };
        let update = JobUpdate { change, at: self.at };
        self.news.push(News { job: Some(id), node: run.map(|run| (run, path)), update });
    }

    /// A job that has ended before it was put in.
    fn known(&mut self, Enqueued { run, path, ended, reused }: Enqueued) {
        let cost = if reused { Cost::Reused } else { Cost::Nothing };
        self.node((run, path), JobChange::Ended(ended, cost));
    }

    /// How the job of a node stands that was there before it was put in.
    fn node(&mut self, node: (RunId, String), change: JobChange) {
        let update = JobUpdate { change, at: self.at };
        self.news.push(News { job: None, node: Some(node), update });
    }

    fn claimed(&mut self, job: Claimed) {
        let update = JobUpdate { change: JobChange::Claimed, at: self.at };
        let node = job.run.map(|run| (run, job.path.clone()));
        self.news.push(News { job: Some(job.key.job), node, update });
        self.assigned.entry(job.worker).or_default().push(job);
    }
}

fn change_of(change: Change, cost: Cost) -> Option<JobChange> {
    Some(match change {
        Change::Claimed => JobChange::Claimed,
        Change::Requeued => JobChange::Requeued,
        Change::CopyReturned => return None,
        Change::Answered => JobChange::Answered,
        Change::Ended(ended) => JobChange::Ended(ended, cost),
    })
}

impl Feeder {
    /// `reports` are what `outcomes` answers in its `completed`.
    pub(super) fn tell(&mut self, reports: &[Submission], mut outcomes: Outcomes, now: Timestamp) {
        let mut telling = Telling::at(now);
        self.stop_codes(reports, &outcomes);
        self.tell_of_runs(&mut outcomes);
        self.wake_server(&outcomes);
        self.workers.learn(&outcomes.records);
        self.context.listeners.devices().learned(&outcomes.records);
        self.context.listeners.devices().counted(&outcomes.counted);
        for (report, settled) in reports.iter().zip(outcomes.completed) {
            self.settled(report, settled, &mut telling);
        }
        for returned in outcomes.returned {
            self.returned(returned, &mut telling);
        }
        for (worker, key) in outcomes.revoked.into_iter().chain(outcomes.disowned) {
            let copy = self.workers.dropped(key);
            if copy.as_ref().is_some_and(|copy| copy.is_spare) {
                self.context.metrics.queue.spare_ended(false);
            }
            let holder = copy.map_or(worker, |copy| copy.holder);
            telling.revoked.entry(holder).or_default().push(key);
        }
        if outcomes.woken > 0 {
            self.fruitless.forget();
        }
        for news in outcomes.overdue.into_iter().chain(outcomes.cancelled) {
            telling.job(news, Cost::Nothing);
        }
        self.ruled(outcomes.ruled, &mut telling);
        for known in outcomes.enqueued {
            telling.known(known);
        }
        for node in outcomes.answered {
            telling.node(node, JobChange::Answered);
        }
        for job in outcomes.claimed {
            if job.judged {
                self.workers.settle(job.worker);
            }
            self.handed(&job, now);
            telling.claimed(job);
        }
        self.context.listeners.tell(take(&mut telling.news));
        pass(Point::ExecutorsTold);
        self.tell_workers(telling);
    }

    /// What has become of runs beside their jobs.
    fn tell_of_runs(&self, outcomes: &mut Outcomes) {
        let listeners = &self.context.listeners;
        for PausedRun { run, pause } in take(&mut outcomes.paused) {
            listeners.change(run, RunChange::Paused(Some(pause)));
        }
        for run in take(&mut outcomes.left_out) {
            listeners.change(run, RunChange::EngineLeftOut);
        }
        for run in take(&mut outcomes.retrace) {
            listeners.retrace(run);
        }
        for (run, jobs) in take(&mut outcomes.doubted_runs) {
            listeners.doubt(run, jobs);
        }
        for (run, judgement) in take(&mut outcomes.judged) {
            listeners.change(run, RunChange::Judged(judgement));
        }
    }

    /// The next batch stops what fails wherever it runs.
    fn stop_codes(&mut self, reports: &[Submission], outcomes: &Outcomes) {
        let company = self.workers.company();
        let witness = |worker| company.parties.of(worker).map(|party| party.witness);
        let stop = self.stops.hear(reports, outcomes, witness);
        for StoppedCode { code, example } in &stop {
            tracing::warn!(code = %code.code, %example, "a code is stopped in its queue: it fails wherever it runs");
        }
        self.gathered.batch.stop.extend(stop);
    }

    fn settled(&mut self, report: &Submission, settled: Settled, telling: &mut Telling) {
        let (reporter, change) = (report.reporter.worker, settled.job.as_ref().map(|job| &job.change));
        let ended = matches!(change, Some(Change::Ended(Ended::Value(_))));
        // A value that is compared with others is as much work as one that ends its job.
        let is_answer = matches!((change, &report.report), (Some(Change::Answered), Report::Value(_)));
        let delivered = ended || is_answer;
        if delivered {
            self.crowding.proven(reporter);
        }
        let answer = Answer { key: settled.key, verdict: settled.verdict, ended };
        telling.answers.entry(reporter).or_default().push(answer);
        if settled.holder.is_some() {
            let failed = matches!(report.report, Report::Error(_));
            self.finished(settled.key, delivered, failed, telling.at);
        }
        let (Some(job), Some(effort)) = (settled.job, settled.effort) else { return };
        if matches!(job.change, Change::Requeued | Change::CopyReturned | Change::Answered) {
            self.fruitless.forget();
        }
        if job.change == Change::Answered {
            self.server.look();
        }
        self.attempt_failed(&job, telling.at);
        if let Some(line) = self.workers.line_mut(reporter) {
            line.worked(&effort, telling.at);
        }
        let place = self.workers.place(reporter);
        telling.job(job, Cost::Worked(Work { worker: reporter, place, effort }));
    }

    /// Its job is tried again: no executor hears of that, and the run counts it.
    fn attempt_failed(&self, job: &JobNews, at: Timestamp) {
        if let (Some(run), Change::Requeued | Change::CopyReturned) = (job.run, &job.change) {
            self.context.listeners.change(run, RunChange::AttemptFailed(at));
        }
    }

    fn handed(&mut self, job: &Claimed, now: Timestamp) {
        let Claimed { key, timeout_ms, .. } = *job;
        self.stops.handed(job);
        let is_spare = self.spares.has_asked_for(key.job) && self.workers.out().has_of(key.job);
        self.workers.handed(key, CopyOut::of(job, is_spare, now), last_renewal(now, timeout_ms));
    }

    fn finished(&mut self, key: AttemptKey, delivered: bool, failed: bool, now: Timestamp) {
        let Some(copy) = self.workers.finished(key, delivered, failed) else { return };
        self.spares.reported(&copy, now);
        if copy.is_spare && delivered {
            self.context.metrics.queue.spare_ended(true);
        }
    }

    fn returned(&mut self, Returned { key, end, job, .. }: Returned, telling: &mut Telling) {
        self.fruitless.forget();
        if end == AttemptEnd::Expired {
            self.workers.expired(key);
            self.attempt_failed(&job, telling.at);
        } else {
            self.workers.dropped(key);
        }
        telling.job(job, Cost::Nothing);
    }

    /// A value that is believed now is work now: the news of its report told of none.
    fn ruled(&mut self, ruled: Vec<Ruled>, telling: &mut Telling) {
        if ruled.iter().any(|ruled| ruled.job.change == Change::Requeued) {
            self.fruitless.forget();
        }
        for Ruled { job, work } in ruled {
            let worked =
                |(worker, effort)| Cost::Worked(Work { worker, place: self.workers.place(worker), effort });
            telling.job(job, work.map_or(Cost::Nothing, worked));
        }
    }

    fn tell_workers(&mut self, telling: Telling) {
        for (worker, answers) in telling.answers {
            if let Some(contact) = self.workers.contact(worker) {
                contact.answer(answers);
            }
        }
        for (worker, keys) in telling.revoked {
            if let Some(contact) = self.workers.contact(worker) {
                contact.revoke(keys);
            }
        }
        for (worker, jobs) in telling.assigned {
            self.assign(worker, jobs);
        }
    }

    fn assign(&mut self, worker: WorkerId, jobs: Vec<Claimed>) {
        if let Some(waited) = self.dispatch.handed(worker) {
            self.context.metrics.queue.dispatched(waited);
        }
        let bytes = jobs.iter().map(|job| job.input.as_bytes().len() as u64).sum();
        let parcel = self.crowding.send(worker, bytes);
        if let Some(contact) = self.workers.contact(worker) {
            contact.assign(jobs, parcel);
        }
    }

    /// Tells the node that its job was not stored.
    pub(super) fn tell_not_stored(&mut self, run: RunId, path: &str, words: &NotStored) {
        let update =
            JobUpdate { change: JobChange::NotStored(words.0.clone()), at: self.context.clock.now() };
        let node = Some((run, path.to_owned()));
        self.context.listeners.tell(vec![News { job: None, node, update }]);
    }
}
