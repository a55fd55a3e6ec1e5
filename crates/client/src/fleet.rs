//! Workers one by one: given nothing for a while, again, or never more.

use std::fmt::Display;

use weevil_api::routes::Operation;
use weevil_api::{BanAsked, PauseAsked, WorkerView};

use crate::Server;

impl Server {
    /// Gives a worker, and others of its device, nothing for a while.
    ///
    /// # Errors
    /// In words for people: there is no such worker, or the server refuses note or minutes.
    pub fn pause_worker(&self, worker: &dyn Display, asked: &PauseAsked) -> Result<WorkerView, String> {
        self.post_json(&Operation::PauseWorker.path(&[worker]), asked)
    }

    /// Gives a worker and its device jobs again, also after a ban.
    ///
    /// # Errors
    /// In words for people: there is no such worker.
    pub fn resume_worker(&self, worker: &dyn Display) -> Result<WorkerView, String> {
        self.post_nothing(&Operation::ResumeWorker.path(&[worker]))
    }

    /// Gives the device of a worker nothing any more.
    ///
    /// # Errors
    /// In words for people: there is no such worker, it has proved no device, or the server refuses the note.
    pub fn ban_worker(&self, worker: &dyn Display, asked: &BanAsked) -> Result<WorkerView, String> {
        self.post_json(&Operation::BanWorker.path(&[worker]), asked)
    }
}
