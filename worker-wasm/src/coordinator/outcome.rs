//! How attempts go on and end: by a report, by their time, or with their job worker.

use weevil_model::limits::{MAX_ERROR_CHARS, MAX_FRAME_BYTES, MAX_IN_FLIGHT};
use weevil_protocol::frame::{AttemptResult, ClientFrame, JobError, JobErrorKind, Outcome};
use weevil_protocol::slot::{SlotCommand, SlotErrorKind, SlotReport, SlotResult};

use super::{Effect, State};
use crate::job::Job;
use crate::link::Link;
use crate::slot::Slot;

/// Bytes of values in one frame, and one value more: half of what a frame may be.
const MAX_RESULTS_BYTES: usize = MAX_FRAME_BYTES / 2;
const MAX_RESULTS: usize = MAX_IN_FLIGHT as usize;

impl State {
    pub(super) fn reported(
        &mut self,
        at: u32,
        generation: u32,
        report: SlotReport,
        now: f64,
        out: &mut Vec<Effect>,
    ) {
        let Some(slot) = self.slots.get_mut(&at).filter(|slot| slot.generation == generation) else {
            return self.lost_standby(at, generation, out);
        };
        if !slot.hears(now) {
            return self.lost_slot(at, generation, "it says more than can be heard", now, out);
        }
        match report {
            SlotReport::Ready => {
                slot.ready();
                out.push(Effect::to(slot, SlotCommand::Duty { percent: self.prefetch.duty() }));
            }
            SlotReport::Rest { ms } => self.rest(at, ms, now, out),
            SlotReport::Quiet { seq } => slot.quieten(seq, now),
            SlotReport::Left { seq } => self.left(at, seq, now, out),
            SlotReport::GpuLost => self.lost_gpu(now, out),
            SlotReport::Results { mut results } => {
                // A job worker speaks for its own jobs, each once.
                results.retain(|result| slot.ended(result.seq, now));
                let loose = results.iter().rfind(|result| result.loose == Some(true));
                if let Some(last) = loose {
                    slot.settle(last.seq, now);
                }
                self.finish(at, results, now, out);
            }
            SlotReport::Progress { seq, done } if slot.jobs.contains(&seq) => self.jobs.tell(seq, done),
            SlotReport::Log { seq, text } if slot.jobs.contains(&seq) => {
                self.jobs.log(seq, |lines| lines.add(&text));
            }
            SlotReport::LeftOut { seq, lines: behind } if slot.jobs.contains(&seq) => {
                self.jobs.log(seq, |lines| lines.stay_behind(behind));
            }
            SlotReport::Progress { .. } | SlotReport::Log { .. } | SlotReport::LeftOut { .. } => {}
        }
    }

    pub(super) fn finish(&mut self, slot: u32, results: Vec<SlotResult>, now: f64, out: &mut Vec<Effect>) {
        let compute_us: f64 = results.iter().map(|result| counted(result.compute_us)).sum();
        self.prefetch.learn(results.len(), compute_us / 1_000.0);
        let most = self.max_value_bytes;
        let ended = results.into_iter().filter_map(|result| {
            let job = self.jobs.end(result.seq)?;
            self.prefetch.learn_length(job.code, counted(result.compute_us) / 1_000.0);
            Some(attempt_result(job, slot, result, most))
        });
        let ended: Vec<AttemptResult> = ended.collect();
        self.submit(ended, now, out);
    }

    pub(super) fn submit(&mut self, results: Vec<AttemptResult>, now: f64, out: &mut Vec<Effect>) {
        if results.is_empty() {
            return;
        }
        for result in &results {
            self.meter.add(now, result.flops);
            match result.outcome {
                Outcome::Value(_) => self.done += 1,
                Outcome::Error(_) => self.failed += 1,
            }
        }
        self.unanswered.extend(results.iter().cloned());
        self.send_results(results, out);
    }

    /// In frames that the server takes: after a long time without it there may be more than one holds.
    pub(super) fn send_results(&self, results: Vec<AttemptResult>, out: &mut Vec<Effect>) {
        if !matches!(self.link, Link::Up(_)) {
            return;
        }
        let capacity = self.capacity();
        let (mut frame, mut bytes) = (Vec::new(), 0);
        for result in results {
            let size = size_of_result(&result);
            if !frame.is_empty() && (bytes + size > MAX_RESULTS_BYTES || frame.len() >= MAX_RESULTS) {
                let results = std::mem::take(&mut frame);
                out.push(Effect::Send(ClientFrame::Results { results, capacity }));
                bytes = 0;
            }
            bytes += size;
            frame.push(result);
        }
        if !frame.is_empty() {
            out.push(Effect::Send(ClientFrame::Results { results: frame, capacity }));
        }
    }

    /// Terminates job workers whose job is over its time.
    pub(super) fn watch(&mut self, now: f64, out: &mut Vec<Effect>) {
        let timeout =
            |slot: &Slot| slot.jobs.front().and_then(|seq| self.jobs.get(*seq)).map(|job| job.timeout_ms);
        let overdue: Vec<(u32, Option<u32>)> = self
            .slots
            .iter()
            .map(|(at, slot)| (*at, slot, timeout(slot)))
            .filter(|(_, slot, timeout)| slot.overdue(*timeout, now))
            .map(|(at, _, timeout)| (at, timeout))
            .collect();
        for (at, timeout) in overdue {
            let held = self.replace_slot(at, now, out);
            let message =
                format!("the job ran longer than its timeout of {} ms", timeout.unwrap_or_default());
            self.end_first(at, held, JobErrorKind::Timeout, message, now, out);
        }
    }

    pub(super) fn lost_slot(
        &mut self,
        at: u32,
        generation: u32,
        message: &str,
        now: f64,
        out: &mut Vec<Effect>,
    ) {
        self.lost_standby(at, generation, out);
        if self.slots.get(&at).is_some_and(|slot| slot.generation == generation) {
            let held = self.replace_slot(at, now, out);
            let message = clip(&format!("the job worker ended by itself: {message}"));
            self.end_first(at, held, JobErrorKind::Crashed, message, now, out);
        }
    }

    /// The running job of a terminated job worker ends with this error, the others go back to the line.
    pub(super) fn end_first(
        &mut self,
        slot: u32,
        held: Vec<u32>,
        kind: JobErrorKind,
        message: String,
        now: f64,
        out: &mut Vec<Effect>,
    ) {
        let mut held = held.into_iter();
        if let Some(job) = held.next().and_then(|seq| self.jobs.end(seq)) {
            let outcome = Outcome::Error(JobError { kind, message, stack: String::new() });
            let log = job.lines.told(false);
            let result = AttemptResult { key: job.key, outcome, slot, compute_us: 0, flops: 0.0, log };
            self.submit(vec![result], now, out);
        }
        self.jobs.put_back(held);
    }
}

fn size_of_result(result: &AttemptResult) -> usize {
    let outcome = match &result.outcome {
        Outcome::Value(value) => value.len(),
        Outcome::Error(error) => error.message.len() + error.stack.len(),
    };
    outcome + result.log.as_ref().map_or(0, String::len)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float cast saturates; a stranger's time is only shown"
)]
fn attempt_result(job: Job, slot: u32, result: SlotResult, max_bytes: u32) -> AttemptResult {
    let outcome = match (result.value, result.error) {
        (Some(value), None) if value.len() > max_bytes as usize => {
            let message = format!("the result has {} bytes; at most {max_bytes} are allowed", value.len());
            Outcome::Error(JobError { kind: JobErrorKind::TooLarge, message, stack: String::new() })
        }
        (Some(value), None) => Outcome::Value(value.into()),
        (_, Some(error)) => {
            let kind = match error.kind {
                SlotErrorKind::Thrown => JobErrorKind::Thrown,
                SlotErrorKind::TooLarge => JobErrorKind::TooLarge,
                SlotErrorKind::NotAValue => JobErrorKind::NotAValue,
                SlotErrorKind::NoMain => JobErrorKind::NoMain,
                SlotErrorKind::Syntax => JobErrorKind::Syntax,
            };
            Outcome::Error(JobError { kind, message: clip(&error.message), stack: clip(&error.stack) })
        }
        (None, None) => {
            let message = "the job worker sent neither a value nor an error".into();
            Outcome::Error(JobError { kind: JobErrorKind::Crashed, message, stack: String::new() })
        }
    };
    let (compute_us, flops) = (counted(result.compute_us) as u64, counted(result.flops));
    AttemptResult { key: job.key, outcome, slot, compute_us, flops, log: job.lines.told(true) }
}

/// What can be added up of a stranger's number.
const fn counted(claimed: f64) -> f64 {
    if claimed.is_finite() { claimed.max(0.0) } else { 0.0 }
}

fn clip(text: &str) -> String {
    text.chars().take(MAX_ERROR_CHARS).collect()
}
