//! How long a session goes on: unused, at most, freshly proved, and when its halves are made anew.
//!
//! It never stores one and never makes the halves; moments come in as arguments.

use weevil_model::{Face, Timestamp};

use crate::limits::{FRESH_MS, MAX_SESSIONS, NOTE_USE_MS, RENEW_HALVES_MS, REPLACED_HALVES_MS};

/// What decides over a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Session {
    /// Where it was opened. On the other face it is worth nothing.
    pub face: Face,
    pub opened_at: Timestamp,
    /// When somebody last proved in it who they are.
    pub proved_at: Timestamp,
    /// When its halves were made.
    pub halves_at: Timestamp,
    /// When it was last used, to the minute.
    pub used_at: Timestamp,
}

/// How long sessions of this server go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionLengths {
    /// Without use.
    pub idle_ms: i64,
    /// However much they are used.
    pub absolute_ms: i64,
}

/// Which halves of a session came with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halves {
    Current,
    /// Those before the current ones.
    Replaced,
}

/// What a request in a session that goes on brings with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renewal {
    NotYet,
    /// The answer hands out new halves.
    Due,
}

/// Why a session has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SessionEnd {
    #[error("the session was opened on the other face")]
    OtherFace,
    #[error("the session was not used for too long")]
    Idle,
    #[error("the session has reached its longest time")]
    Absolute,
    #[error("the session has had newer halves for more than a minute")]
    Replaced,
}

impl Session {
    /// A session that a sign-in opens now.
    pub const fn opened(face: Face, now: Timestamp) -> Self {
        Self { face, opened_at: now, proved_at: now, halves_at: now, used_at: now }
    }

    /// Whether a request of now, on a face and with some halves, is in the session.
    pub fn admits(
        &self,
        face: Face,
        halves: Halves,
        lengths: SessionLengths,
        now: Timestamp,
    ) -> Result<Renewal, SessionEnd> {
        if face != self.face {
            return Err(SessionEnd::OtherFace);
        }
        if now.since(self.opened_at) >= lengths.absolute_ms {
            return Err(SessionEnd::Absolute);
        }
        if now.since(self.used_at) >= lengths.idle_ms {
            return Err(SessionEnd::Idle);
        }
        let age = now.since(self.halves_at);
        match halves {
            Halves::Current if age >= RENEW_HALVES_MS => Ok(Renewal::Due),
            Halves::Replaced if age >= REPLACED_HALVES_MS => Err(SessionEnd::Replaced),
            Halves::Current | Halves::Replaced => Ok(Renewal::NotYet),
        }
    }

    /// When it ends if nobody uses it again: what is open in it ends then, too.
    pub fn ends_at(&self, lengths: SessionLengths) -> Timestamp {
        self.opened_at.plus_ms(lengths.absolute_ms).min(self.used_at.plus_ms(lengths.idle_ms))
    }

    /// Whether somebody proved who they are recently enough for what matters most.
    pub const fn is_fresh(&self, now: Timestamp) -> bool {
        now.since(self.proved_at) < FRESH_MS
    }

    /// Whether a use of now is worth a write.
    pub const fn notes_use(&self, now: Timestamp) -> bool {
        now.since(self.used_at) >= NOTE_USE_MS
    }
}

/// The sessions of an account that end when it opens another: the oldest beyond what it may have.
pub fn sessions_that_make_room<Id: Copy>(open: &[(Id, Timestamp)]) -> Vec<Id> {
    let mut oldest_first = open.to_vec();
    oldest_first.sort_by_key(|(_, opened_at)| *opened_at);
    let beyond = (open.len() + 1).saturating_sub(MAX_SESSIONS);
    oldest_first.into_iter().take(beyond).map(|(id, _)| id).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HOUR: i64 = 3_600_000;
    const DAY: i64 = 24 * HOUR;
    const LENGTHS: SessionLengths = SessionLengths { idle_ms: 12 * HOUR, absolute_ms: 14 * DAY };

    fn session(opened_at: i64, halves_at: i64, used_at: i64) -> Session {
        let [opened_at, halves_at, used_at] = [opened_at, halves_at, used_at].map(Timestamp);
        Session { face: Face::Private, opened_at, proved_at: opened_at, halves_at, used_at }
    }

    #[test]
    fn a_session_goes_on_until_one_of_its_ends() {
        use Halves::{Current, Replaced};
        for (session, halves, now, expected) in [
            (session(0, 0, 0), Current, 0, Ok(Renewal::NotYet)),
            (session(0, 0, 0), Current, 12 * HOUR - 1, Ok(Renewal::NotYet)),
            (session(0, 0, 0), Current, 12 * HOUR, Err(SessionEnd::Idle)),
            (session(0, 0, DAY), Current, DAY - 1, Ok(Renewal::NotYet)),
            (session(0, 0, DAY), Current, DAY, Ok(Renewal::Due)),
            (session(0, 0, DAY), Current, DAY + HOUR, Ok(Renewal::Due)),
            (session(0, DAY, DAY), Current, DAY + HOUR, Ok(Renewal::NotYet)),
            (session(0, DAY, DAY), Replaced, DAY + 59_999, Ok(Renewal::NotYet)),
            (session(0, DAY, DAY), Replaced, DAY + 60_000, Err(SessionEnd::Replaced)),
            (session(0, 13 * DAY, 14 * DAY - 1), Current, 14 * DAY - 1, Ok(Renewal::NotYet)),
            (session(0, 13 * DAY, 14 * DAY - 1), Current, 14 * DAY, Err(SessionEnd::Absolute)),
            // A clock that was set back ends nothing.
            (session(DAY, DAY, DAY), Current, 0, Ok(Renewal::NotYet)),
        ] {
            assert_eq!(
                session.admits(Face::Private, halves, LENGTHS, Timestamp(now)),
                expected,
                "{session:?} at {now}"
            );
        }
    }

    #[test]
    fn a_session_of_one_face_is_worth_nothing_on_the_other() {
        for (own, asked, taken) in [
            (Face::Private, Face::Private, true),
            (Face::Public, Face::Public, true),
            (Face::Public, Face::Private, false),
            (Face::Private, Face::Public, false),
        ] {
            let session = Session::opened(own, Timestamp(0));
            let found = session.admits(asked, Halves::Current, LENGTHS, Timestamp(1));
            assert_eq!(found.is_ok(), taken, "{own:?} on {asked:?}");
        }
    }

    #[test]
    fn fresh_is_a_quarter_of_an_hour() {
        let session = Session { proved_at: Timestamp(DAY), ..session(0, 0, 0) };
        for (now, fresh) in [(DAY, true), (DAY + HOUR / 4 - 1, true), (DAY + HOUR / 4, false)] {
            assert_eq!(session.is_fresh(Timestamp(now)), fresh, "{now}");
        }
    }

    #[test]
    fn a_use_is_noted_once_a_minute() {
        for (now, noted) in [(0, false), (59_999, false), (60_000, true)] {
            assert_eq!(session(0, 0, 0).notes_use(Timestamp(now)), noted, "{now}");
        }
    }

    #[test]
    fn the_oldest_session_makes_room() {
        let open = |count: i64| (0..count).rev().map(|at| (at, Timestamp(at))).collect::<Vec<_>>();
        for (count, expected) in [(0, vec![]), (49, vec![]), (50, vec![0]), (52, vec![0, 1, 2])] {
            assert_eq!(sessions_that_make_room(&open(count)), expected, "{count}");
        }
    }

    proptest! {
        #[test]
        fn it_ends_exactly_when_it_says(
            opened_at in 0..DAY, used in 0..20 * DAY, halves in 0..20 * DAY, now in 0..40 * DAY,
            idle_ms in 1..2 * DAY, absolute_ms in 1..20 * DAY,
        ) {
            let lengths = SessionLengths { idle_ms, absolute_ms };
            let session = session(opened_at, opened_at + halves, opened_at + used);
            let found = session.admits(Face::Private, Halves::Current, lengths, Timestamp(now));
            prop_assert_eq!(found.is_ok(), Timestamp(now) < session.ends_at(lengths));
        }
    }
}
