//! Programs that wait to be let in from a browser, in memory alone: who waits, and who has approved what.
//!
//! A restart forgets them, and they begin again. Never makes a token, never reads a clock and never draws a byte.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use weevil_access::audit::AuditEntry;
use weevil_access::limits::{MAX_DEVICE_LOGINS, MAX_DEVICE_LOGINS_OF_PLACE};
use weevil_access::store::Token;
use weevil_access::{DeviceLogin, LoginAnswer, LoginSecret, SecretHash, Title, UserCode};
use weevil_model::Timestamp;

/// What somebody has approved: the token that is made once the program asks, and what the audit says of it.
#[derive(Debug, Clone)]
pub(crate) struct Approval {
    pub token: Token,
    pub entry: AuditEntry,
}

/// A program that waits, as whoever is to approve it sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Waiting {
    pub name: Title,
    pub place: String,
    pub since: Timestamp,
}

struct Login {
    code: UserCode,
    name: Title,
    place: String,
    rule: DeviceLogin<Box<Approval>>,
}

#[derive(Default)]
struct Held {
    logins: HashMap<SecretHash, Login>,
    codes: HashMap<UserCode, SecretHash>,
}

/// All that wait.
#[derive(Default)]
pub(crate) struct Logins(Mutex<Held>);

impl Logins {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A program waits from now on. False where too many of its place do, or its code is another one's.
    pub(crate) fn begin(
        &self,
        secret: &LoginSecret,
        code: UserCode,
        name: Title,
        place: String,
        now: Timestamp,
    ) -> bool {
        let held = &mut *self.held();
        held.tidy_up(now);
        let of_place = held.logins.values().filter(|login| login.place == place).count();
        if of_place >= MAX_DEVICE_LOGINS_OF_PLACE || held.codes.contains_key(&code) {
            return false;
        }
        if held.logins.len() >= MAX_DEVICE_LOGINS {
            held.make_room();
        }
        held.codes.insert(code, secret.hash());
        held.logins.insert(secret.hash(), Login { code, name, place, rule: DeviceLogin::begin(now) });
        true
    }

    /// The program with this code, while it can be decided.
    pub(crate) fn look(&self, code: UserCode, now: Timestamp) -> Option<Waiting> {
        let held = self.held();
        let login = held.logins.get(held.codes.get(&code)?).filter(|login| login.rule.is_open(now))?;
        let Login { name, place, rule, .. } = login;
        Some(Waiting { name: name.clone(), place: place.clone(), since: rule.began_at() })
    }

    /// Somebody who is signed in decides. False where it cannot be decided any more.
    pub(crate) fn decide(&self, code: UserCode, approval: Option<Box<Approval>>, now: Timestamp) -> bool {
        let held = &mut *self.held();
        let login = held.codes.get(&code).and_then(|hash| held.logins.get_mut(hash));
        login.is_some_and(|login| login.rule.decide(approval, now))
    }

    /// The program asks. One that nobody knows is over.
    pub(crate) fn ask(&self, secret: &LoginSecret, now: Timestamp) -> LoginAnswer<Box<Approval>> {
        let held = &mut *self.held();
        let Some(login) = held.logins.get_mut(&secret.hash()) else { return LoginAnswer::Over };
        let answer = login.rule.ask(now);
        if login.rule.is_over(now) {
            held.forget(secret.hash());
        }
        answer
    }
}

impl Held {
    fn forget(&mut self, hash: SecretHash) {
        if let Some(login) = self.logins.remove(&hash) {
            self.codes.remove(&login.code);
        }
    }

    fn tidy_up(&mut self, now: Timestamp) {
        self.logins.retain(|_, login| !login.rule.is_over(now));
        let logins = &self.logins;
        self.codes.retain(|_, hash| logins.contains_key(hash));
    }

    /// The oldest of a place that has the most goes, so that strangers push out one another.
    fn make_room(&mut self) {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for login in self.logins.values() {
            *counts.entry(&login.place).or_default() += 1;
        }
        let most = counts.values().copied().max().unwrap_or_default();
        let of_fullest = self.logins.iter().filter(|(_, login)| counts.get(&*login.place) == Some(&most));
        let oldest = of_fullest.min_by_key(|(_, login)| login.rule.began_at()).map(|(hash, _)| *hash);
        if let Some(hash) = oldest {
            self.forget(hash);
        }
    }
}

#[cfg(test)]
mod tests {
    use weevil_access::limits::{DEVICE_LOGIN_ASK_MS, DEVICE_LOGIN_MS};

    use super::*;

    const START: Timestamp = Timestamp(1_000_000);

    fn secret(number: u32) -> LoginSecret {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&number.to_be_bytes());
        LoginSecret::of_bytes(bytes)
    }

    fn code(number: u32) -> UserCode {
        UserCode::of_bytes(u64::from(number).to_be_bytes())
    }

    fn begin(logins: &Logins, number: u32, place: &str, now: Timestamp) -> bool {
        logins.begin(&secret(number), code(number), "a program".parse().unwrap(), place.to_owned(), now)
    }

    #[test]
    fn a_program_is_seen_until_somebody_decides_and_asks_until_it_is_told() {
        let logins = Logins::default();
        assert!(begin(&logins, 1, "192.0.2.1", START));
        assert!(!begin(&logins, 1, "192.0.2.2", START), "a code is one program's");
        let seen = logins.look(code(1), START).unwrap();
        assert_eq!((seen.name.as_str(), seen.place.as_str(), seen.since), ("a program", "192.0.2.1", START));
        assert!(logins.look(code(2), START).is_none());
        let later = START.plus_ms(DEVICE_LOGIN_ASK_MS);
        assert!(matches!(logins.ask(&secret(1), later), LoginAnswer::Waiting));
        assert!(!logins.decide(code(2), None, later));
        assert!(logins.decide(code(1), None, later));
        assert!(logins.look(code(1), later).is_none(), "decided");
        assert!(matches!(logins.ask(&secret(1), later.plus_ms(DEVICE_LOGIN_ASK_MS)), LoginAnswer::Over));
        assert!(begin(&logins, 1, "192.0.2.1", later), "it is forgotten");
        assert!(matches!(logins.ask(&secret(9), later), LoginAnswer::Over), "nobody knows it");
    }

    #[test]
    fn a_place_has_a_bound_and_time_makes_room() {
        let logins = Logins::default();
        for number in 0..10 {
            assert!(begin(&logins, number, "192.0.2.1", START));
        }
        assert!(!begin(&logins, 10, "192.0.2.1", START));
        assert!(begin(&logins, 11, "192.0.2.2", START), "another place is not touched");
        assert!(begin(&logins, 12, "192.0.2.1", START.plus_ms(DEVICE_LOGIN_MS)));
        assert!(logins.look(code(0), START).is_none());
    }

    #[test]
    fn a_flood_pushes_out_its_own() {
        let logins = Logins::default();
        assert!(begin(&logins, 0, "a victim", START));
        let bound = u32::try_from(MAX_DEVICE_LOGINS).unwrap();
        for number in 1..=bound + 20 {
            assert!(begin(&logins, number, &format!("place {}", number / 9), START.plus_ms(number.into())));
        }
        assert!(logins.look(code(0), START).is_some());
        assert!(logins.look(code(9), START).is_none(), "the oldest of the first place with nine");
        assert_eq!(logins.held().logins.len(), MAX_DEVICE_LOGINS);
    }
}
