//! What waits in the queue, by what it needs and by the name of its queue.

use weevil_api::routes::Operation;
use weevil_api::{WaitingClasses, WaitingQueues};

use crate::Server;

impl Server {
    /// What is ready, by what a worker must have for it.
    ///
    /// # Errors
    /// In words for people.
    pub fn waiting_classes(&self) -> Result<WaitingClasses, String> {
        self.get(&Operation::QueueClasses.path(&[]))
    }

    /// What waits in named queues.
    ///
    /// # Errors
    /// In words for people.
    pub fn waiting_queues(&self) -> Result<WaitingQueues, String> {
        self.get(&Operation::QueueNames.path(&[]))
    }
}
