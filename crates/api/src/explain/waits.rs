//! Why something waits.

use weevil_model::{Pause, PauseWords, QueuePause, RunPause, Timestamp};

use super::moment::moment;
use super::view::ReasonView;
use super::words::{grouped, list, many, ms, noted, of_seconds, per_second, since, span};

/// What none of the connected workers has.
#[derive(Debug, Clone, Copy, Default)]
pub struct LackWords<'a> {
    pub connected: u32,
    /// Names of capabilities that none has.
    pub missing: &'a [&'static str],
    /// Memory that none offers, 2^20 bytes; 0 where that is not what is missing.
    pub memory_mb: u32,
    /// Those that have it all, but for an engine that the code is not for.
    pub left_out: u32,
    /// Those whose machine has a GPU that they do not lend, where that is missing.
    pub keep_gpu: u32,
}

/// Workers that may not have a judged job.
#[derive(Debug, Clone, Copy, Default)]
pub struct HeldWords {
    pub answered: u32,
    pub keyless: u32,
    pub resting: u32,
    pub rest_left_ms: Option<u64>,
}

/// Jobs that come first.
#[derive(Debug, Clone, Copy)]
pub struct AheadWords {
    pub jobs: u32,
    /// There are more, which nobody counted.
    pub more: bool,
}

pub fn server_ending() -> ReasonView {
    ReasonView::new("serverEnding", "The server is about to end and hands nothing out.")
        .cure("Start it again: what is in the queue stays there.")
}

pub fn database_not_writing(since_ms: Option<u64>) -> ReasonView {
    ReasonView::new("databaseNotWriting", format!("The database has taken no write{}.", since(since_ms)))
        .perhaps("sinceMs", since_ms.map(ms))
        .cure("Look at the disk and at the server's log. A write is tried again every second.")
}

pub fn queue_paused(pause: &QueuePause, now: Timestamp) -> ReasonView {
    let QueuePause { since, words } = pause;
    ReasonView::new("queuePaused", format!("The queue is paused since {}{}", moment(*since, now), by(words)))
        .number("sinceMs", ms(elapsed(*since, now)))
        .cure("`weevil resume` goes on.")
}

/// `run`: its id.
pub fn run_paused(run: &str, pause: &RunPause, now: Timestamp) -> ReasonView {
    let since = moment(pause.since, now);
    let text = match &pause.why {
        Pause::Wanted(words) => format!("The run is paused since {since}{}", by(words)),
        Pause::Incomparable => format!(
            "The server has paused the run at {since}: known devices say three different things of several jobs of one code, so no two will ever agree."
        ),
        Pause::AgreeFailed(words) => format!(
            "The server has paused the run at {since}: a module of the workflow could not say whether answers agree or are right: {words}"
        ),
    };
    let cure = match &pause.why {
        Pause::Wanted(_) => format!("`weevil resume {run}` goes on."),
        Pause::Incomparable => {
            "Give the node an `agree` under which its answers are the same, and start another run.".to_owned()
        }
        Pause::AgreeFailed(_) => {
            format!("Mend the module and start another run, or go on with `weevil resume {run}`.")
        }
    };
    ReasonView::new("runPaused", text).number("sinceMs", ms(elapsed(pause.since, now))).cure(cure)
}

/// Who has paused something, and with which note: the end of a sentence.
fn by(words: &PauseWords) -> String {
    let by = words.by.as_deref().map(|name| format!(" by {name}")).unwrap_or_default();
    by + &noted(words.note.as_deref())
}

/// Milliseconds from a moment until now; 0 where it is to come.
fn elapsed(since: Timestamp, now: Timestamp) -> u64 {
    u64::try_from(now.since(since)).unwrap_or(0)
}

/// `example`: the id of a job of the code that has failed.
pub fn code_stopped(queue: &str, code: &str, example: &str) -> ReasonView {
    ReasonView::new(
        "codeStopped",
        format!("Its code fails wherever it runs, and was stopped in its queue: {example} is a job that has failed."),
    )
    .cure(format!("`weevil explain {example}` shows the error; `weevil resume --queue {queue} --code {code}` lets it go."))
}

pub fn pause_after_error(failures: u32, left_ms: u64) -> ReasonView {
    let failed =
        if failures == 1 { "once".to_owned() } else { format!("{} times", grouped(failures.into())) };
    ReasonView::new(
        "pauseAfterError",
        format!("It has failed {failed} and pauses before the next try, which is in {}.", span(left_ms)),
    )
    .number("failures", failures)
    .number("leftMs", ms(left_ms))
}

pub fn delayed_until(left_ms: u64) -> ReasonView {
    ReasonView::new(
        "delayedUntil",
        format!("It is delayed as it was asked for, for another {}.", span(left_ms)),
    )
    .number("leftMs", ms(left_ms))
}

pub fn no_worker() -> ReasonView {
    ReasonView::new("noWorker", "No worker is connected.")
        .cure("Open the server's address in a browser and click Start.")
}

/// `needed`: names of the capabilities that it needs.
pub fn none_meets(needed: &[&'static str], lack: LackWords<'_>) -> ReasonView {
    let LackWords { connected, missing, memory_mb, left_out, keep_gpu } = lack;
    let cure = if keep_gpu > 0 {
        "Tick `Lend the graphics card as well` on the volunteer's page of a machine that has one."
    } else {
        "Connect a worker that has what is missing, or let the job need less."
    };
    let text = match connected {
        1 => format!("The only connected worker cannot run it: {}.", lacks(needed, lack)),
        _ => format!(
            "None of the {} connected workers can run it: {}.",
            grouped(connected.into()),
            lacks(needed, lack)
        ),
    };
    ReasonView::new("noneMeets", text)
        .number("connected", connected)
        .number("missing", u32::try_from(missing.len()).unwrap_or(u32::MAX))
        .number("memoryMb", memory_mb)
        .number("leftOut", left_out)
        .number("keepGpu", keep_gpu)
        .cure(cure)
}

/// What workers lack, behind a colon.
fn lacks(needed: &[&'static str], lack: LackWords<'_>) -> String {
    let quoted = |names: &[&'static str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
    let LackWords { missing, memory_mb, left_out, keep_gpu, .. } = lack;
    match left_out {
        0 => {}
        1 => return "its code is not for the engine of the one that could".to_owned(),
        _ => {
            return format!("its code is not for the engines of the {} that could", grouped(left_out.into()));
        }
    }
    let mut absent = quoted(missing);
    absent.extend((memory_mb > 0).then(|| format!("{} MiB of memory", grouped(memory_mb.into()))));
    if absent.is_empty() {
        return format!("{} and enough memory are there, but not together", list(&quoted(needed)));
    }
    let gpu = match keep_gpu {
        0 => String::new(),
        1 => "; 1 could lend a GPU and does not".to_owned(),
        _ => format!("; {} could lend a GPU and do not", grouped(keep_gpu.into())),
    };
    let verb = if absent.len() == 1 { "is" } else { "are" };
    format!("{} {verb} missing{gpu}", list(&absent))
}

pub fn only_suspended(paused: u32, banned: u32) -> ReasonView {
    let those = [(paused, "paused"), (banned, "banned")];
    let those = those.iter().filter(|(number, _)| *number > 0);
    let those: Vec<String> =
        those.map(|(number, what)| format!("{} {what}", grouped((*number).into()))).collect();
    ReasonView::new(
        "onlySuspended",
        format!("All workers that meet its needs are held back: {}.", list(&those)),
    )
    .number("paused", paused)
    .number("banned", banned)
    .cure("`weevil worker resume` lets one have jobs again.")
}

pub fn none_wants(workers: u32) -> ReasonView {
    let text = if workers == 1 {
        "The worker that meets its needs pauses by itself.".to_owned()
    } else {
        format!("The {} workers that meet its needs pause by themselves.", grouped(workers.into()))
    };
    ReasonView::new("noneWants", text).number("workers", workers)
}

pub fn nobody_else(held: HeldWords) -> ReasonView {
    let HeldWords { answered, keyless, resting, rest_left_ms } = held;
    let first =
        rest_left_ms.map(|left| format!(", the first for another {}", span(left))).unwrap_or_default();
    let parts = [
        (answered, format!("{} could be who has answered it", grouped(answered.into()))),
        (keyless, format!("{} without a device key", grouped(keyless.into()))),
        (resting, format!("{} at rest since an answer differed{first}", grouped(resting.into()))),
    ];
    let parts: Vec<String> =
        parts.into_iter().filter(|(number, _)| *number > 0).map(|(_, words)| words).collect();
    let why = if parts.is_empty() { String::new() } else { format!(": {}", list(&parts)) };
    ReasonView::new(
        "nobodyElse",
        format!("It waits for an answer from somebody else, whom nobody connected can be{why}."),
    )
    .number("answered", answered)
    .number("keyless", keyless)
    .number("resting", resting)
    .perhaps("restLeftMs", rest_left_ms.map(ms))
    .cure("Connect a worker on another device and in another network.")
}

/// `rate`: jobs a second; `seconds` until its turn.
pub fn all_busy(
    slots: u32,
    ahead: Option<AheadWords>,
    rate: Option<f64>,
    seconds: Option<f64>,
) -> ReasonView {
    let busy = match slots {
        1 => "The only slot is busy".to_owned(),
        _ => format!("All {} slots are busy", grouped(slots.into())),
    };
    let turn = match (ahead, seconds, rate) {
        (None, ..) => String::new(),
        (Some(ahead), Some(seconds), Some(rate)) => {
            let most = if ahead.more { "more than" } else { "about" };
            format!(", {most} {} at {}", of_seconds(seconds), per_second(rate))
        }
        (Some(_), ..) => "; how long that takes is not known".to_owned(),
    };
    ReasonView::new("allBusy", format!("{busy}{}{turn}.", ahead_words(ahead)))
        .number("slots", slots)
        .perhaps("ahead", ahead.map(|ahead| ahead.jobs))
        .perhaps("rate", rate)
        .perhaps("seconds", seconds)
}

pub fn slots_free(free: u32, slots: u32, ahead: Option<AheadWords>) -> ReasonView {
    let (free_words, of) = (grouped(free.into()), many(slots, "slot", "slots"));
    let verb = if free == 1 { "is" } else { "are" };
    let ahead_words = ahead_words(ahead);
    ReasonView::new("slotsFree", format!("Nothing keeps it: {free_words} of {of} {verb} free{ahead_words}."))
        .number("free", free)
        .number("slots", slots)
        .perhaps("ahead", ahead.map(|ahead| ahead.jobs))
}

/// An answer is there: `by_module` says whether a module or the checks of a lot have to speak.
pub fn answer_waits(by_module: bool) -> ReasonView {
    if by_module {
        ReasonView::new("module", "It waits for what a module of its workflow says of an answer.")
    } else {
        ReasonView::new("lot", "Its answer waits for the checks of its lot.")
    }
}

/// `progress`: 0 to 1.
pub fn running(copies: u32, for_ms: u64, progress: Option<f64>) -> ReasonView {
    let copies_words =
        if copies > 1 { format!(" in {} copies", grouped(copies.into())) } else { String::new() };
    let done = progress.map(|done| format!(", {:.0} % done", done * 100.0)).unwrap_or_default();
    ReasonView::new("running", format!("It runs{copies_words} for {}{done}.", span(for_ms)))
        .number("copies", copies)
        .number("forMs", ms(for_ms))
        .perhaps("progress", progress)
}

/// Continues a sentence.
fn ahead_words(ahead: Option<AheadWords>) -> String {
    match ahead {
        None => "; how many jobs are ahead is not known".to_owned(),
        Some(AheadWords { jobs: 0, more: false }) => ", it is the next job".to_owned(),
        Some(AheadWords { jobs, more: false }) => format!(", {} ahead", many(jobs, "job", "jobs")),
        Some(AheadWords { jobs, more: true }) => format!(", more than {} ahead", many(jobs, "job", "jobs")),
    }
}
