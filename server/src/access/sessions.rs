//! Links and sessions of the caller `local`, in memory alone: hashed, bounded, each with its end.
//!
//! A session has two halves: a cookie that no script reads, and a key that no other port of the host is sent. Neither is worth
//! anything without the other (ADR 0045). Never reads a clock and never draws a byte.

use std::sync::{Mutex, MutexGuard, PoisonError};

use weevil_access::limits::{LOCAL_SESSION_IDLE_MS, LOCAL_SESSION_MS, MAX_LOCAL_LINKS, MAX_LOCAL_SESSIONS};
use weevil_access::{CookieHalf, KeyHalf, Secret, SecretHash, ServerSecret};
use weevil_model::Timestamp;

/// What a cookie and a key are worth together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// The cookie is that of no open session.
    Nothing,
    /// The cookie is that of a session whose key this is not.
    NoKey,
    Session,
}

struct Session {
    cookie: SecretHash,
    opened_at: Timestamp,
    used_at: Timestamp,
}

impl Session {
    fn is_open(&self, now: Timestamp) -> bool {
        now.since(self.opened_at) < LOCAL_SESSION_MS && now.since(self.used_at) < LOCAL_SESSION_IDLE_MS
    }
}

#[derive(Default)]
struct Held {
    /// With the moment at which each ends; the oldest first, like the sessions.
    links: Vec<(SecretHash, Timestamp)>,
    sessions: Vec<Session>,
}

pub(crate) struct Sessions {
    secret: ServerSecret,
    held: Mutex<Held>,
}

impl Sessions {
    /// `secret` makes the keys.
    pub(super) fn new(secret: ServerSecret) -> Self {
        Self { secret, held: Mutex::default() }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// This link opens one session until then.
    pub(super) fn keep_link(&self, link: &Secret, until: Timestamp) {
        let links = &mut self.held().links;
        if links.len() == MAX_LOCAL_LINKS {
            links.remove(0);
        }
        links.push((link.hash(), until));
    }

    /// A session for a link, which is worth nothing afterwards; `None` for one that is unknown, used or expired.
    pub(crate) fn open(
        &self,
        link: &Secret,
        random: [u8; 32],
        now: Timestamp,
    ) -> Option<(CookieHalf, KeyHalf)> {
        let mut held = self.held();
        let at = held.links.iter().position(|(known, _)| *known == link.hash())?;
        let (_, until) = held.links.remove(at);
        if now >= until {
            return None;
        }
        let cookie = CookieHalf::of_bytes(random);
        held.sessions.retain(|session| session.is_open(now));
        if held.sessions.len() == MAX_LOCAL_SESSIONS {
            held.sessions.remove(0);
        }
        held.sessions.push(Session { cookie: cookie.hash(), opened_at: now, used_at: now });
        let key = cookie.key(&self.secret);
        Some((cookie, key))
    }

    /// Looks for the session of a cookie; one that is found counts as used.
    pub(super) fn find(&self, cookie: &CookieHalf, key: Option<&KeyHalf>, now: Timestamp) -> Found {
        let mut held = self.held();
        let hash = cookie.hash();
        let session = held.sessions.iter_mut().find(|session| session.cookie == hash && session.is_open(now));
        let Some(session) = session else { return Found::Nothing };
        if !key.is_some_and(|key| cookie.fits(key, &self.secret)) {
            return Found::NoKey;
        }
        session.used_at = now;
        Found::Session
    }

    /// Ends the session of a cookie, if there is one.
    pub(crate) fn end(&self, cookie: SecretHash) {
        self.held().sessions.retain(|session| session.cookie != cookie);
    }

    /// Whether the session of a cookie is open; that is no use of it.
    pub(crate) fn is_open(&self, cookie: SecretHash, now: Timestamp) -> bool {
        self.held().sessions.iter().any(|session| session.cookie == cookie && session.is_open(now))
    }
}

#[cfg(test)]
mod tests {
    use weevil_access::SecretKind;

    use super::*;

    const START: Timestamp = Timestamp(1_000_000);

    fn link(number: u8) -> Secret {
        Secret::of_bytes(SecretKind::Console, [number; 32])
    }

    fn empty() -> Sessions {
        Sessions::new(ServerSecret::from_bytes([1; 32]))
    }

    fn opened(number: u8) -> (Sessions, CookieHalf, KeyHalf) {
        let sessions = empty();
        sessions.keep_link(&link(number), START.plus_ms(1));
        let (cookie, key) = sessions.open(&link(number), [number; 32], START).unwrap();
        (sessions, cookie, key)
    }

    #[test]
    fn a_link_opens_one_session_before_its_end() {
        for (link_at, opens) in [(-1, true), (0, false), (1, false)] {
            let sessions = empty();
            sessions.keep_link(&link(7), START);
            assert_eq!(
                sessions.open(&link(7), [0; 32], START.plus_ms(link_at)).is_some(),
                opens,
                "{link_at}"
            );
            assert!(sessions.open(&link(7), [0; 32], START.plus_ms(-9)).is_none(), "once: {link_at}");
            assert!(sessions.open(&link(8), [0; 32], START.plus_ms(-9)).is_none(), "another one");
        }
    }

    #[test]
    fn neither_half_is_worth_anything_alone() {
        let (sessions, cookie, key) = opened(7);
        let (_, other_cookie, other_key) = opened(8);
        for (what, cookie, key, found) in [
            ("both", &cookie, Some(&key), Found::Session),
            ("a cookie alone", &cookie, None, Found::NoKey),
            ("another's key", &cookie, Some(&other_key), Found::NoKey),
            ("another's cookie", &other_cookie, Some(&key), Found::Nothing),
            ("another's session", &other_cookie, Some(&other_key), Found::Nothing),
        ] {
            assert_eq!(sessions.find(cookie, key, START), found, "{what}");
        }
    }

    #[test]
    fn a_session_ends_when_it_is_idle_and_when_it_is_old() {
        let hour = 3_600_000;
        let (sessions, cookie, key) = opened(7);
        let at = |hours: i64| sessions.find(&cookie, Some(&key), START.plus_ms(hours * hour));
        for hours in (0..14 * 24).step_by(11) {
            assert_eq!(at(hours), Found::Session, "{hours}");
        }
        assert_eq!(at(14 * 24), Found::Nothing, "old");
        let (sessions, cookie, key) = opened(7);
        assert_eq!(sessions.find(&cookie, None, START.plus_ms(11 * hour)), Found::NoKey);
        let late = sessions.find(&cookie, Some(&key), START.plus_ms(12 * hour));
        assert_eq!(late, Found::Nothing, "idle: a cookie alone does not keep a session open");
    }

    #[test]
    fn a_session_that_was_ended_is_not_found() {
        let (sessions, cookie, key) = opened(7);
        assert!(sessions.is_open(cookie.hash(), START));
        sessions.end(cookie.hash());
        assert!(!sessions.is_open(cookie.hash(), START));
        assert_eq!(sessions.find(&cookie, Some(&key), START), Found::Nothing);
    }

    #[test]
    fn the_oldest_links_and_sessions_go() {
        let sessions = empty();
        let count = u8::try_from(MAX_LOCAL_SESSIONS + 1).unwrap();
        let halves: Vec<_> = (0..count)
            .map(|number| {
                sessions.keep_link(&link(number), START.plus_ms(1));
                sessions.open(&link(number), [number; 32], START).unwrap()
            })
            .collect();
        let open =
            halves.iter().map(|(cookie, key)| sessions.find(cookie, Some(key), START) == Found::Session);
        assert_eq!(open.collect::<Vec<_>>(), [vec![false], vec![true; MAX_LOCAL_SESSIONS]].concat());
        for number in 0..=u8::try_from(MAX_LOCAL_LINKS).unwrap() {
            sessions.keep_link(&link(number), START.plus_ms(1));
        }
        assert!(sessions.open(&link(0), [0; 32], START).is_none());
        assert!(sessions.open(&link(1), [0; 32], START).is_some());
    }
}
