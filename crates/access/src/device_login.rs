//! Signing a program in from a browser (after RFC 8628): it shows a short code, somebody signed in approves that code, and
//! the program, which asks now and then, gets what was approved, once.
//!
//! It never draws a code and makes no token.

use std::fmt;
use std::str::FromStr;

use weevil_model::Timestamp;

use crate::SecretHash;
use crate::limits::{DEVICE_LOGIN_ASK_MS, DEVICE_LOGIN_MS};

/// Letters of which no word is made and none is taken for another (RFC 8628, section 6.1).
const LETTERS: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";
const CODE_CHARS: usize = 8;

/// What a person copies from one screen to another: eight consonants, written `BCDF-GHJK`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct UserCode([u8; CODE_CHARS]);

/// A text is no such code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a code is eight consonants, as in BCDF-GHJK")]
pub struct UserCodeError;

impl UserCode {
    /// The code of 8 random bytes. A letter is likelier than another by one part in 2^29 at most.
    pub fn of_bytes(random: [u8; 8]) -> Self {
        let mut rest = u64::from_be_bytes(random);
        Self(std::array::from_fn(|_| {
            let digit = usize::try_from(rest % 20).unwrap_or_default();
            rest /= 20;
            LETTERS[digit]
        }))
    }
}

impl fmt::Display for UserCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = self.0.map(char::from);
        let (first, last) = letters.split_at(CODE_CHARS / 2);
        write!(f, "{}-{}", first.iter().collect::<String>(), last.iter().collect::<String>())
    }
}

impl FromStr for UserCode {
    type Err = UserCodeError;

    /// However it is typed: small letters, blanks and hyphens are as good.
    fn from_str(text: &str) -> Result<Self, UserCodeError> {
        let typed =
            text.bytes().filter(|byte| !matches!(byte, b' ' | b'-')).map(|byte| byte.to_ascii_uppercase());
        let letters = typed.take(CODE_CHARS + 1).collect::<Vec<_>>();
        if !letters.iter().all(|letter| LETTERS.contains(letter)) {
            return Err(UserCodeError);
        }
        letters.try_into().map(Self).map_err(|_| UserCodeError)
    }
}

/// What a program asks with whether it is let in: 32 random bytes, in hex. `Debug` never prints one.
#[derive(Clone)]
pub struct LoginSecret([u8; 32]);

impl LoginSecret {
    pub const fn of_bytes(random: [u8; 32]) -> Self {
        Self(random)
    }

    /// `None` for a text that is no such secret.
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).ok().map(|()| Self(bytes))
    }

    /// Its text, for the one answer that tells it.
    pub fn reveal(&self) -> String {
        hex::encode(self.0)
    }

    /// What is kept and looked for in place of the text.
    pub fn hash(&self) -> SecretHash {
        SecretHash::of(&self.0)
    }
}

impl fmt::Debug for LoginSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LoginSecret(..)")
    }
}

/// A login under way; `A` is what an approval says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceLogin<A> {
    began_at: Timestamp,
    asked_at: Timestamp,
    state: State<A>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum State<A> {
    Waiting,
    Approved(A),
    Denied,
    /// The program has had its answer.
    Over,
}

/// What the program that asks is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoginAnswer<A> {
    /// Nobody has decided; it asks again later.
    Waiting,
    /// It has asked too soon.
    TooSoon,
    /// Somebody has approved. It is told once.
    Approved(A),
    /// Somebody said no, or the time is over, or the answer was given before.
    Over,
}

impl<A> DeviceLogin<A> {
    pub const fn begin(now: Timestamp) -> Self {
        Self { began_at: now, asked_at: now, state: State::Waiting }
    }

    /// When the program asked to be let in.
    pub const fn began_at(&self) -> Timestamp {
        self.began_at
    }

    /// Whether nothing more comes of it: its time is over, or the program has had its answer.
    pub const fn is_over(&self, now: Timestamp) -> bool {
        now.since(self.began_at) >= DEVICE_LOGIN_MS || matches!(self.state, State::Over)
    }

    /// Whether it can still be decided: nobody has, and ten minutes are not over.
    pub const fn is_open(&self, now: Timestamp) -> bool {
        matches!(self.state, State::Waiting) && now.since(self.began_at) < DEVICE_LOGIN_MS
    }

    /// Somebody signed in decides. False where it cannot be decided any more.
    pub fn decide(&mut self, approval: Option<A>, now: Timestamp) -> bool {
        let open = self.is_open(now);
        if open {
            self.state = approval.map_or(State::Denied, State::Approved);
        }
        open
    }

    /// The program asks.
    pub fn ask(&mut self, now: Timestamp) -> LoginAnswer<A> {
        if now.since(self.began_at) >= DEVICE_LOGIN_MS {
            return LoginAnswer::Over;
        }
        if now.since(self.asked_at) < DEVICE_LOGIN_ASK_MS {
            return LoginAnswer::TooSoon;
        }
        self.asked_at = now;
        match std::mem::replace(&mut self.state, State::Over) {
            State::Waiting => {
                self.state = State::Waiting;
                LoginAnswer::Waiting
            }
            State::Approved(approval) => LoginAnswer::Approved(approval),
            State::Denied | State::Over => LoginAnswer::Over,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What happens in a login, and when.
    #[derive(Debug, Clone, Copy)]
    enum Event {
        Ask,
        Approve,
        Deny,
    }

    fn told(events: &[(i64, Event)]) -> Vec<&'static str> {
        let mut login = DeviceLogin::begin(Timestamp(0));
        let mut tell = |(now, event): &(i64, Event)| match event {
            Event::Ask => match login.ask(Timestamp(*now)) {
                LoginAnswer::Waiting => "waiting",
                LoginAnswer::TooSoon => "too soon",
                LoginAnswer::Approved(()) => "approved",
                LoginAnswer::Over => "over",
            },
            Event::Approve if login.decide(Some(()), Timestamp(*now)) => "taken",
            Event::Deny if login.decide(None, Timestamp(*now)) => "taken",
            Event::Approve | Event::Deny => "refused",
        };
        events.iter().map(&mut tell).collect()
    }

    #[test]
    fn a_login_is_decided_once_within_its_time_and_told_once() {
        use Event::{Approve, Ask, Deny};
        for (events, expected) in [
            (
                [(1999, Ask), (2000, Ask), (3999, Ask), (4000, Ask)],
                ["too soon", "waiting", "too soon", "waiting"],
            ),
            (
                [(2000, Ask), (2500, Approve), (4000, Ask), (6000, Ask)],
                ["waiting", "taken", "approved", "over"],
            ),
            (
                [(1000, Approve), (1500, Ask), (2000, Ask), (4000, Ask)],
                ["taken", "too soon", "approved", "over"],
            ),
            ([(1000, Deny), (1001, Approve), (2000, Ask), (4000, Ask)], ["taken", "refused", "over", "over"]),
            (
                [(1000, Approve), (1001, Deny), (2000, Ask), (2001, Approve)],
                ["taken", "refused", "approved", "refused"],
            ),
            (
                [(2000, Ask), (599_999, Approve), (600_000, Ask), (600_001, Approve)],
                ["waiting", "taken", "over", "refused"],
            ),
            (
                [(598_000, Ask), (600_000, Approve), (600_001, Ask), (0, Ask)],
                ["waiting", "refused", "over", "too soon"],
            ),
        ] {
            assert_eq!(told(&events), expected, "{events:?}");
        }
    }

    #[test]
    fn a_secret_is_itself_again_and_never_printed() {
        let secret = LoginSecret::of_bytes([7; 32]);
        let again = LoginSecret::parse(&secret.reveal()).expect("its own text");
        assert_eq!(again.hash(), secret.hash());
        assert_eq!(format!("{secret:?}"), "LoginSecret(..)");
        for text in ["", "07", &"0g".repeat(32), &"07".repeat(33)] {
            assert!(LoginSecret::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_code_is_read_however_it_is_typed() {
        let code = UserCode::of_bytes([0, 0, 0, 0, 0, 0, 0, 21]);
        assert_eq!(code.to_string(), "CCBB-BBBB");
        for (text, taken) in [
            ("CCBB-BBBB", true),
            ("ccbb bbbb", true),
            ("ccbbbbbb", true),
            (" C-C-B-B-B-B-B-B ", true),
            ("", false),
            ("CCBB-BBB", false),
            ("CCBB-BBBBB", false),
            ("ACBB-BBBB", false),
            ("CCBB-BBBé", false),
        ] {
            assert_eq!(text.parse().ok(), taken.then_some(code), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_code_is_itself_again(random: [u8; 8]) {
            let code = UserCode::of_bytes(random);
            prop_assert_eq!(code.to_string().parse(), Ok(code));
        }

        #[test]
        fn an_approval_is_told_once_at_most(times in prop::collection::vec((0..3000_i64, 0..3_u8), 0..400)) {
            let mut now = 0;
            let events = times.into_iter().map(|(gap, kind)| {
                now += gap;
                (now, [Event::Ask, Event::Approve, Event::Deny][usize::from(kind)])
            });
            let told = told(&events.collect::<Vec<_>>());
            prop_assert!(told.iter().filter(|word| **word == "approved").count() <= 1);
            prop_assert!(told.iter().filter(|word| **word == "taken").count() <= 1);
        }
    }
}
