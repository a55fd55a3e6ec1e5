//! Why a worker gets nothing.

use super::view::ReasonView;
use super::words::{grouped, list, many, ms, noted, span};

/// Jobs of one class that wait.
#[derive(Debug, Clone, Copy)]
pub struct ClassWords<'a> {
    pub jobs: u64,
    /// Names of the capabilities that they need.
    pub capabilities: &'a [&'static str],
    /// 2^20 bytes; 0: any.
    pub memory_mb: u32,
}

pub fn not_connected() -> ReasonView {
    ReasonView::new("notConnected", "It is not connected.")
}

/// `for_ms`: how long it is banned by now.
pub fn worker_banned(for_ms: u64, note: Option<&str>) -> ReasonView {
    ReasonView::new("workerBanned", format!("Its device is banned for {}{}", span(for_ms), noted(note)))
        .number("forMs", ms(for_ms))
        .cure("`weevil worker resume` lets it have jobs again.")
}

pub fn worker_paused(left_ms: u64, note: Option<&str>) -> ReasonView {
    ReasonView::new("workerPaused", format!("It is paused for another {}{}", span(left_ms), noted(note)))
        .number("leftMs", ms(left_ms))
        .cure("`weevil worker resume` lets it have jobs again.")
}

/// It pauses by itself.
pub fn own_pause() -> ReasonView {
    ReasonView::new("ownPause", "It pauses by itself, and wants no jobs now.")
}

pub fn holds_enough(holds: u32, wants: u32) -> ReasonView {
    let jobs = many(holds, "job", "jobs");
    ReasonView::new("holdsEnough", format!("It holds {jobs}, and gets {} at most.", grouped(wants.into())))
        .number("holds", holds)
        .number("wants", wants)
}

pub fn nothing_waits() -> ReasonView {
    ReasonView::new("nothingWaits", "No job waits for a worker.")
}

/// `more` classes are not named.
pub fn meets_none(classes: &[ClassWords<'_>], more: u32) -> ReasonView {
    let mut named: Vec<String> = classes.iter().map(class_words).collect();
    named.extend((more > 0).then(|| many(more, "class more", "classes more")));
    let jobs = classes.iter().map(|class| class.jobs).fold(0, u64::saturating_add);
    ReasonView::new("meetsNone", format!("It meets the needs of no job that waits: {}.", list(&named)))
        .number("jobs", ms(jobs))
        .cure("Lend what they need on its page, where its machine has that.")
}

pub fn rests(left_ms: u64) -> ReasonView {
    let left = span(left_ms);
    ReasonView::new(
        "rests",
        format!("It gets no judged jobs for another {left}, since an answer of its device differed."),
    )
    .number("leftMs", ms(left_ms))
}

pub fn just_joined(for_ms: u64) -> ReasonView {
    ReasonView::new("justJoined", format!("It has just joined, {} ago.", span(for_ms)))
        .number("forMs", ms(for_ms))
}

fn class_words(class: &ClassWords<'_>) -> String {
    let mut needs: Vec<String> = class.capabilities.iter().map(|name| format!("`{name}`")).collect();
    needs.extend((class.memory_mb > 0).then(|| format!("{} MiB", grouped(class.memory_mb.into()))));
    let jobs = many(class.jobs, "job needs", "jobs need");
    format!("{jobs} {}", if needs.is_empty() { "another engine".to_owned() } else { needs.join(" with ") })
}
