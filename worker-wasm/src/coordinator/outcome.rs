//! How attempts go on and end: by a report, by their time, or with their job worker.

use weevil_model::limits::{MAX_ERROR_CHARS, MAX_FRAME_BYTES, MAX_IN_FLIGHT};
use weevil_protocol::frame::{AttemptResult, ClientFrame, JobError, JobErrorKind, Outcome};
use weevil_protocol::slot::{SlotCommand, SlotErrorKind, SlotReport, SlotResult};

use super::connection::capacity;
use super::effect::Effect;
use super::figures::{Ended, Figures};
use super::gpu::lost_gpu;
use super::quiet::left;
use super::rests::rest;
use super::slots::{Slots, Speaker};
use super::step::Step;
use super::uplink::Uplink;
use super::wishes::Wishes;
use super::work::Work;
use crate::job::Job;
use crate::slot::Slot;

/// Bytes of values in one frame, and one value more: half of what a frame may be.
const MAX_RESULTS_BYTES: usize = MAX_FRAME_BYTES / 2;
const MAX_RESULTS: usize = MAX_IN_FLIGHT as usize;

/// Answers the attempts that the report ends.
pub(super) fn reported(
    speaker: Speaker,
    report: SlotReport,
    wishes: &mut Wishes,
    uplink: &mut Uplink,
    slots: &mut Slots,
    work: &mut Work,
    step: &mut Step,
) -> Vec<Ended> {
    let Speaker { slot: at, generation } = speaker;
    let Some(slot) = slots.slots.get_mut(&at).filter(|slot| slot.generation == generation) else {
        slots.lost_standby(speaker, step);
        return Vec::new();
    };
    if !slot.hears(step.now) {
        return lost_slot(speaker, "it says more than can be heard", slots, work, step);
    }
    match report {
        SlotReport::Ready => {
            slot.ready();
            step.out.push(Effect::to(slot, SlotCommand::Duty { percent: work.prefetch.duty() }));
        }
        SlotReport::Rest { ms } => rest(at, ms, slots, work, step),
        SlotReport::Quiet { seq } => slot.quieten(seq, step.now),
        SlotReport::Left { seq } => left(at, seq, slots, work, step),
        SlotReport::GpuLost => lost_gpu(wishes, uplink, slots, work, step),
        SlotReport::Results { results } => {
            let ended = slot.own(results, step.now);
            return work.finish(at, ended, uplink.max_value_bytes);
        }
        SlotReport::Progress { seq, done } if slot.jobs.contains(&seq) => work.jobs.tell(seq, done),
        SlotReport::Log { seq, text } if slot.jobs.contains(&seq) => {
            work.jobs.log(seq, |lines| lines.add(&text));
        }
        SlotReport::LeftOut { seq, lines: behind } if slot.jobs.contains(&seq) => {
            work.jobs.log(seq, |lines| lines.stay_behind(behind));
        }
        SlotReport::Progress { .. } | SlotReport::Log { .. } | SlotReport::LeftOut { .. } => {}
    }
    Vec::new()
}

impl Slot {
    /// A job worker speaks for its own jobs, each once.
    fn own(&mut self, mut results: Vec<SlotResult>, now: f64) -> Vec<SlotResult> {
        results.retain(|result| self.ended(result.seq, now));
        if let Some(last) = results.iter().rfind(|result| result.loose == Some(true)) {
            self.settle(last.seq, now);
        }
        results
    }
}

impl Work {
    fn finish(&mut self, slot: u32, results: Vec<SlotResult>, max_bytes: u32) -> Vec<Ended> {
        let compute_us: f64 = results.iter().map(|result| counted(result.compute_us)).sum();
        self.prefetch.learn(results.len(), compute_us / 1_000.0);
        let ended = results.into_iter().filter_map(|result| {
            let job = self.jobs.end(result.seq)?;
            self.prefetch.learn_length(job.code, counted(result.compute_us) / 1_000.0);
            Some(Ended { code: job.code, result: attempt_result(job, slot, result, max_bytes) })
        });
        ended.collect()
    }

    /// The running job of a terminated job worker ends with this error, the others go back to the line.
    fn end_first(&mut self, slot: u32, held: Vec<u32>, kind: JobErrorKind, message: String) -> Vec<Ended> {
        let mut held = held.into_iter();
        let first = held.next().and_then(|seq| self.jobs.end(seq));
        self.jobs.put_back(held);
        let ended = first.map(|job| {
            let outcome = Outcome::Error(JobError { kind, message, stack: String::new() });
            let log = job.lines.told(false);
            let result = AttemptResult { key: job.key, outcome, slot, compute_us: 0, flops: 0.0, log };
            Ended { code: job.code, result }
        });
        ended.into_iter().collect()
    }
}

/// Counts what has ended, and hands it in.
pub(super) fn submit(
    ended: Vec<Ended>,
    wishes: &Wishes,
    uplink: &mut Uplink,
    slots: &Slots,
    work: &Work,
    figures: &mut Figures,
    step: &mut Step,
) {
    if ended.is_empty() {
        return;
    }
    for one in &ended {
        figures.count(one, step.now);
    }
    let results: Vec<AttemptResult> = ended.into_iter().map(|one| one.result).collect();
    uplink.unanswered.extend(results.iter().cloned());
    uplink.send_results(results, capacity(wishes, uplink, slots, work), step);
}

impl Uplink {
    /// In frames that the server takes: after a long time without it there may be more than one holds.
    pub(super) fn send_results(&self, results: Vec<AttemptResult>, capacity: u32, step: &mut Step) {
        if !self.is_up() {
            return;
        }
        let (mut frame, mut bytes) = (Vec::new(), 0);
        for result in results {
            let size = size_of_result(&result);
            if !frame.is_empty() && (bytes + size > MAX_RESULTS_BYTES || frame.len() >= MAX_RESULTS) {
                let results = std::mem::take(&mut frame);
                step.out.push(Effect::Send(ClientFrame::Results { results, capacity }));
                bytes = 0;
            }
            bytes += size;
            frame.push(result);
        }
        if !frame.is_empty() {
            step.out.push(Effect::Send(ClientFrame::Results { results: frame, capacity }));
        }
    }
}

/// Terminates job workers whose job is over its time.
pub(super) fn watch(
    wishes: &Wishes,
    uplink: &mut Uplink,
    slots: &mut Slots,
    work: &mut Work,
    figures: &mut Figures,
    step: &mut Step,
) {
    let timeout =
        |slot: &Slot| slot.jobs.front().and_then(|seq| work.jobs.get(*seq)).map(|job| job.timeout_ms);
    let overdue: Vec<(u32, Option<u32>)> = slots
        .slots
        .iter()
        .map(|(at, slot)| (*at, slot, timeout(slot)))
        .filter(|(_, slot, timeout)| slot.overdue(*timeout, step.now))
        .map(|(at, _, timeout)| (at, timeout))
        .collect();
    for (at, timeout) in overdue {
        let held = slots.replace(at, &work.prefetch, step);
        let message = format!("the job ran longer than its timeout of {} ms", timeout.unwrap_or_default());
        let ended = work.end_first(at, held, JobErrorKind::Timeout, message);
        submit(ended, wishes, uplink, slots, work, figures, step);
    }
}

/// Answers the attempt that ends with it.
pub(super) fn lost_slot(
    speaker: Speaker,
    message: &str,
    slots: &mut Slots,
    work: &mut Work,
    step: &mut Step,
) -> Vec<Ended> {
    slots.lost_standby(speaker, step);
    let Speaker { slot: at, generation } = speaker;
    if slots.slots.get(&at).is_none_or(|slot| slot.generation != generation) {
        return Vec::new();
    }
    let held = slots.replace(at, &work.prefetch, step);
    let message = clip(&format!("the job worker ended by itself: {message}"));
    work.end_first(at, held, JobErrorKind::Crashed, message)
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
