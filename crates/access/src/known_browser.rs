//! The cookie of a browser that has signed in to an account before: account, moment, and an HMAC of both.
//!
//! It lets nobody in. It only has failures counted apart from those of strangers (`throttle.rs`).

use weevil_model::{AccountId, Timestamp};

use crate::limits::KNOWN_BROWSER_MS;
use crate::server_secret::{Purpose, ServerSecret};

/// A browser that an account was signed in to from, at some moment: account and moment tell it from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KnownBrowser {
    pub account: AccountId,
    pub since: Timestamp,
}

impl KnownBrowser {
    /// The value of the cookie.
    pub fn seal(self, secret: &ServerSecret) -> String {
        let claim = self.claim();
        format!("{claim}.{}", hex::encode(secret.tag(Purpose::KnownBrowser, claim.as_bytes())))
    }

    /// The browser that a cookie of this server names, until 180 days after its sign-in.
    pub fn open(cookie: &str, secret: &ServerSecret, now: Timestamp) -> Option<Self> {
        let (claim, tag) = cookie.rsplit_once('.')?;
        let mut bytes = [0; 32];
        hex::decode_to_slice(tag, &mut bytes).ok()?;
        if !secret.vouches(Purpose::KnownBrowser, claim.as_bytes(), &bytes) {
            return None;
        }
        let (account, since) = claim.split_once('.')?;
        let known = Self { account: account.parse().ok()?, since: Timestamp(since.parse().ok()?) };
        (now.since(known.since) < KNOWN_BROWSER_MS).then_some(known)
    }

    fn claim(self) -> String {
        format!("{}.{}", self.account, self.since.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400_000;

    #[test]
    fn a_cookie_is_taken_for_half_a_year_and_from_this_server_alone() {
        let secret = ServerSecret::from_bytes([1; 32]);
        let browser = KnownBrowser { account: AccountId::from_number(7).unwrap(), since: Timestamp(DAY) };
        let cookie = browser.seal(&secret);
        let other_account =
            KnownBrowser { account: AccountId::from_number(8).unwrap(), ..browser }.seal(&secret);
        let (_, other_tag) = other_account.rsplit_once('.').unwrap();
        let (claim, tag) = cookie.rsplit_once('.').unwrap();
        for (cookie, now, taken) in [
            (cookie.clone(), DAY, true),
            (cookie.clone(), 181 * DAY - 1, true),
            (cookie.clone(), 181 * DAY, false),
            (format!("{claim}.{other_tag}"), DAY, false),
            (format!("{}.{tag}", claim.replace('7', "8")), DAY, false),
            (format!("{claim}.{}", &tag[2..]), DAY, false),
            (browser.seal(&ServerSecret::from_bytes([2; 32])), DAY, false),
            (String::new(), DAY, false),
            ("..".to_owned(), DAY, false),
        ] {
            let found = KnownBrowser::open(&cookie, &secret, Timestamp(now));
            assert_eq!(found, taken.then_some(browser), "{cookie} at {now}");
        }
    }
}
