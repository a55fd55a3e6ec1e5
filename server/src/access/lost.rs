//! The moment at which somebody may no longer read what they are reading: streams end then.
//!
//! A change on this server is heard at once; what ends by itself is found within a minute.

use std::time::Duration;

use weevil_access::{Caller, SecretHash, may, may_everywhere};
use weevil_engine::clock::SharedClock;
use weevil_model::{Face, ProjectId, Right};

use super::Access;

/// Between two looks at what ends by itself.
const LOOK_EVERY: Duration = Duration::from_mins(1);

/// What somebody reads, and as whom.
pub(crate) struct Reading {
    pub caller: Caller,
    /// The cookie of the session, where it is one of this machine's owner.
    pub cookie: Option<SecretHash>,
    pub face: Face,
    pub right: Right,
    /// `None`: all projects.
    pub project: Option<ProjectId>,
}

impl Access {
    /// Until the caller may not any more.
    pub(crate) async fn lost(&self, reading: Reading, clock: SharedClock) {
        let mut changes = self.people.changes();
        while self.may_still(&reading, &clock).await {
            // Whether a change or the time has come, it is looked at.
            let _either = tokio::time::timeout(LOOK_EVERY, changes.changed()).await;
        }
    }

    async fn may_still(&self, reading: &Reading, clock: &SharedClock) -> bool {
        let now = clock.now();
        let caller = match (&reading.caller, reading.cookie) {
            (Caller::Local, Some(cookie)) => {
                return self.local.as_ref().is_some_and(|local| local.sessions.is_open(cookie, now));
            }
            (Caller::Session(session), _) => self.people.again(session, reading.face, now).await,
            (other, _) => Ok(Some(other.clone())),
        };
        match caller {
            Ok(Some(caller)) => match reading.project {
                Some(project) => may(&caller, reading.right, Some(project)).is_ok(),
                None => may_everywhere(&caller, reading.right).is_ok(),
            },
            Ok(None) => false,
            // A database that does not answer takes nobody's right away.
            Err(_) => true,
        }
    }
}
