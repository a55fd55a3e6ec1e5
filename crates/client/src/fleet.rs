//! Workers: found, and one by one given nothing for a while, again, or never more.

use std::fmt::Display;

use weevil_api::routes::{Operation, search};
use weevil_api::{BanAsked, PauseAsked, WorkerPage, WorkerView};

use crate::Server;

/// Which workers, and how many of them in one page.
#[derive(Debug, Clone, Copy)]
pub struct WorkerFilter<'a> {
    /// What they have in what they say, or begin with.
    pub text: Option<&'a str>,
    /// Those that have left, not those that are connected.
    pub gone: bool,
    /// As the server calls it; for those that are connected.
    pub sort: Option<&'a str>,
    /// 1 to `MAX_PAGE`.
    pub limit: u32,
}

impl Server {
    /// A page of those workers.
    ///
    /// # Errors
    /// In words for people.
    pub fn find_workers(&self, asked: &WorkerFilter<'_>, after: Option<&str>) -> Result<WorkerPage, String> {
        let WorkerFilter { text, gone, sort, limit } = asked;
        let query = search(&[
            ("q", text.as_ref().map(|text| text as _)),
            ("state", gone.then_some(&"gone" as _)),
            ("sort", sort.as_ref().map(|sort| sort as _)),
            ("after", after.as_ref().map(|after| after as _)),
            ("limit", Some(limit)),
        ]);
        self.get(&(Operation::ListWorkers.path(&[]) + &query))
    }

    /// One worker, also once it has left.
    ///
    /// # Errors
    /// In words for people: there is no such worker.
    pub fn worker(&self, worker: &dyn Display) -> Result<WorkerView, String> {
        self.get(&Operation::ShowWorker.path(&[worker]))
    }

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
