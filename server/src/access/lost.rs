//! The moment at which somebody may no longer read all of what they are reading: streams end then.
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
    /// What it takes, all of it.
    pub needs: Vec<(Right, Reach)>,
}

/// Where a right is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    Project(ProjectId),
    AllProjects,
    AnyProject,
}

impl Reach {
    /// What a list is of.
    pub(crate) fn of_list(project: Option<ProjectId>) -> Self {
        project.map_or(Self::AllProjects, Self::Project)
    }

    fn holds(self, caller: &Caller, right: Right) -> bool {
        match self {
            Self::Project(project) => may(caller, right, Some(project)).is_ok(),
            Self::AllProjects => may_everywhere(caller, right).is_ok(),
            Self::AnyProject => may(caller, right, None).is_ok(),
        }
    }
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
            Ok(Some(caller)) => reading.needs.iter().all(|(right, reach)| reach.holds(&caller, *right)),
            Ok(None) => false,
            // A database that does not answer takes nobody's right away.
            Err(_) => true,
        }
    }
}
