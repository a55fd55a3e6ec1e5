//! The way to the server, and what is owed on it. Holds no job that runs.

use weevil_protocol::frame::AttemptResult;
use weevil_protocol::page::WorkState;
use weevil_protocol::standing::Standing;

use crate::link::{Backoff, Link};

#[derive(Debug)]
pub(super) struct Uplink {
    pub link: Link,
    pub backoff: Backoff,
    /// Why the server or the connection said no, until it says yes.
    pub trouble: Option<(WorkState, String)>,
    /// The server is about to end; the next one says welcome.
    pub draining: bool,
    /// What the server takes of one value.
    pub max_value_bytes: u32,
    /// Reports that the server has not answered: sent again after a reconnect.
    pub unanswered: Vec<AttemptResult>,
    /// When anything happened last.
    pub seen_at: Option<f64>,
    /// How this device stands, as the server said last.
    pub standing: Option<Standing>,
}

impl Uplink {
    pub(super) fn new() -> Self {
        Self {
            link: Link::Off,
            backoff: Backoff::default(),
            trouble: None,
            draining: false,
            max_value_bytes: 0,
            unanswered: Vec::new(),
            seen_at: None,
            standing: None,
        }
    }

    /// Would a frame reach a server that has said welcome?
    pub(super) const fn is_up(&self) -> bool {
        matches!(self.link, Link::Up(_))
    }
}
