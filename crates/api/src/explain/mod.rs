//! Why something waits, has failed or gets nothing, in sentences: each stands here once, and console and command line print
//! what the server says.
//!
//! Takes numbers and words, never a job or a worker: what holds, `weevil-queue` finds out. What strangers and people wrote
//! stands in a text as they wrote it: it is for a text node, or for a terminal behind what makes it inert.

mod ended;
mod moment;
mod nodes;
mod view;
mod waits;
mod words;
mod worker;

pub use ended::{cancelled, decided, failed, overdue, same_error};
pub use nodes::{OpenPortWords, ports_open, unknown};
pub use view::{Explanation, ReasonView};
pub use waits::{
    AheadWords, HeldWords, LackWords, all_busy, answer_waits, code_stopped, database_not_writing,
    delayed_until, no_worker, nobody_else, none_meets, none_wants, only_suspended, pause_after_error,
    queue_paused, run_paused, running, server_ending, slots_free,
};
pub use worker::{
    ClassWords, holds_enough, just_joined, meets_none, not_connected, nothing_waits, own_pause, rests,
    worker_banned, worker_paused,
};

#[cfg(test)]
mod sentences_test;
