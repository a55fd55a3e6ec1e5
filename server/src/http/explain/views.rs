//! Reasons as sentences: their numbers, and the names of what they speak of, in the words of `weevil_api::explain`.

use weevil_api::explain::{
    self as words, AheadWords, ClassWords, HeldWords, LackWords, OpenPortWords, ReasonView,
};
use weevil_model::{ContentHash, RunId, RunPause, Timestamp};
use weevil_queue::explain::{Ahead, Lack, OpenPort, Others, Reason, WaitingClass};

/// What is named in sentences about a job beside what its reasons hold.
#[derive(Debug, Default)]
pub(super) struct About {
    pub run: Option<RunId>,
    /// Queue and code of a stand-alone job.
    pub code: Option<(String, ContentHash)>,
}

impl About {
    pub(super) fn view(&self, reason: &Reason, now: Timestamp) -> ReasonView {
        match reason {
            Reason::ServerEnding => words::server_ending(),
            Reason::DatabaseNotWriting { since } => words::database_not_writing(for_ms(*since, now)),
            Reason::QueuePaused(pause) => words::queue_paused(pause, now),
            Reason::RunPaused(pause) => self.run_paused(pause, now),
            Reason::CodeStopped { example } => self.code_stopped(&example.to_string()),
            Reason::PauseAfterError { failures, left_ms, .. } => {
                words::pause_after_error(*failures, *left_ms)
            }
            Reason::DelayedUntil { left_ms, .. } => words::delayed_until(*left_ms),
            Reason::NoWorker => words::no_worker(),
            Reason::NoneMeets(lack) => none_meets(lack),
            Reason::OnlySuspended { paused, banned } => words::only_suspended(*paused, *banned),
            Reason::NoneWants { workers } => words::none_wants(*workers),
            Reason::NobodyElse(others) => words::nobody_else(held(others, now)),
            Reason::AllBusy { slots, ahead, rate, seconds } => {
                words::all_busy(*slots, ahead.map(turn), *rate, *seconds)
            }
            Reason::SlotsFree { free, slots, ahead } => words::slots_free(*free, *slots, ahead.map(turn)),
            Reason::Lot => words::answer_waits(false),
            Reason::Module => words::answer_waits(true),
            Reason::Running { copies, since, progress } => {
                words::running(*copies, ms(*since, now), *progress)
            }
            Reason::Overdue { waited_ms } => words::overdue(*waited_ms),
            Reason::Cancelled => words::cancelled(),
            Reason::SameError { workers, fault } => words::same_error(*workers, fault.kind()),
            Reason::Failed { attempt, fault } => words::failed(*attempt, fault.kind(), fault.progress()),
            Reason::Decided { attempt, failures, max_attempts } => {
                words::decided(*attempt, *failures, *max_attempts)
            }
            Reason::PortsOpen { ports, more } => ports_open(ports, *more),
            Reason::NotConnected => words::not_connected(),
            Reason::WorkerBanned { since, note } => words::worker_banned(ms(*since, now), note.as_deref()),
            Reason::WorkerPaused { left_ms, note, .. } => words::worker_paused(*left_ms, note.as_deref()),
            Reason::OwnPause => words::own_pause(),
            Reason::HoldsEnough { holds, wants } => words::holds_enough(*holds, *wants),
            Reason::NothingWaits => words::nothing_waits(),
            Reason::MeetsNone { classes, more } => meets_none(classes, *more),
            Reason::Rests { left_ms, .. } => words::rests(*left_ms),
            Reason::JustJoined { ms } => words::just_joined(*ms),
            Reason::Unknown(what) => words::unknown(what.as_str()),
        }
    }

    fn run_paused(&self, pause: &RunPause, now: Timestamp) -> ReasonView {
        let run = self.run.map(|run| run.to_string()).unwrap_or_default();
        words::run_paused(&run, pause, now)
    }

    fn code_stopped(&self, example: &str) -> ReasonView {
        let (queue, code) =
            self.code.as_ref().map(|(queue, code)| (queue.as_str(), code.to_string())).unzip();
        words::code_stopped(queue.unwrap_or_default(), &code.unwrap_or_default(), example)
    }
}

fn none_meets(lack: &Lack) -> ReasonView {
    let missing = lack.missing.names();
    let lacks = LackWords {
        connected: lack.connected,
        missing: &missing,
        memory_mb: lack.memory_mb,
        left_out: lack.left_out,
        keep_gpu: lack.keep_gpu,
    };
    words::none_meets(&lack.needed.names(), lacks)
}

fn held(others: &Others, now: Timestamp) -> HeldWords {
    let rest_left_ms = others.rests_until.map(|until| ms(now, until));
    HeldWords { answered: others.answered, keyless: others.keyless, resting: others.resting, rest_left_ms }
}

const fn turn(ahead: Ahead) -> AheadWords {
    AheadWords { jobs: ahead.jobs, more: ahead.more }
}

fn ports_open(ports: &[OpenPort], more: u32) -> ReasonView {
    let ports: Vec<OpenPortWords<'_>> =
        ports.iter().map(|open| OpenPortWords { port: &open.port, from: &open.path }).collect();
    words::ports_open(&ports, more)
}

fn meets_none(classes: &[WaitingClass], more: u32) -> ReasonView {
    let names: Vec<Vec<&'static str>> =
        classes.iter().map(|class| class.needs.capabilities.names()).collect();
    let told = classes.iter().zip(&names).map(|(class, names)| ClassWords {
        jobs: class.jobs,
        capabilities: names,
        memory_mb: class.needs.memory_mb,
    });
    words::meets_none(&told.collect::<Vec<_>>(), more)
}

fn for_ms(since: Option<Timestamp>, now: Timestamp) -> Option<u64> {
    since.map(|since| ms(since, now))
}

/// Milliseconds from one moment to another; 0 where they are the other way round.
fn ms(from: Timestamp, to: Timestamp) -> u64 {
    u64::try_from(to.since(from)).unwrap_or(0)
}
