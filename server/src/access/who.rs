//! Who asks: from what a request brings as a proof to a caller.
//!
//! Never looks at what is asked for.

use std::fmt;

use actix_web::http::header::{AUTHORIZATION, COOKIE, HeaderMap};
use weevil_access::{
    Caller, CookieHalf, CookieKind, KeyHalf, Secret, SecretError, SecretHash, SecretKind, Way, cookie_name,
    cookie_value,
};
use weevil_model::{Face, Timestamp};

use super::sessions::Found;
use super::{Access, Local, Renewed};
use crate::refusal::Refusal;

/// The header that brings the second half of a session.
const SESSION_KEY: &str = "x-weevil-session-key";

/// Why a token is refused. Repeats nothing of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BadToken {
    Malformed(SecretError),
    /// A local token that did not come straight from this machine, whatever it is.
    Elsewhere,
    Unknown,
    Expired,
    Revoked,
    /// It is good for something else.
    TrustsNobody,
}

impl From<weevil_access::BadToken> for BadToken {
    fn from(bad: weevil_access::BadToken) -> Self {
        match bad {
            weevil_access::BadToken::Malformed(why) => Self::Malformed(why),
            weevil_access::BadToken::Unknown => Self::Unknown,
            weevil_access::BadToken::Expired => Self::Expired,
            weevil_access::BadToken::Revoked => Self::Revoked,
        }
    }
}

impl fmt::Display for BadToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(why) => why.fmt(f),
            Self::Elsewhere => f.write_str(
                "a local token is taken from its own machine alone, under a loopback name and past no proxy",
            ),
            Self::Unknown => {
                f.write_str("nobody here knows it; a local token ends with the server's process")
            }
            Self::Expired => f.write_str("it has expired; its owner makes another one"),
            Self::TrustsNobody => f.write_str(
                "a worker is made trusted by a token of an administrator with the scope `devices:trust`",
            ),
            Self::Revoked => f.write_str("it was revoked; its owner makes another one"),
        }
    }
}

/// What a request brings to say who asks.
#[derive(Debug, Clone)]
pub(crate) enum Proof<'r> {
    Nothing,
    /// Where one is sent a cookie is not looked at.
    Token(&'r [u8]),
    Session {
        cookie: CookieHalf,
        key: Option<KeyHalf>,
    },
}

/// From where and when it is brought.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asking {
    /// Whether the request came straight from this machine.
    pub here: bool,
    pub face: Face,
    pub now: Timestamp,
}

/// What it proves.
#[derive(Debug)]
pub(crate) struct Proved {
    pub caller: Caller,
    /// The hash of the cookie that the session has now.
    pub cookie: Option<SecretHash>,
    /// New halves of the session, which the answer has to tell.
    pub renewed: Option<Renewed>,
}

impl Proved {
    pub(crate) const NOTHING: Self = Self::caller(Caller::Nobody);

    pub(crate) const fn caller(caller: Caller) -> Self {
        Self { caller, cookie: None, renewed: None }
    }
}

/// The value of a cookie of this server.
pub(crate) fn own_cookie(headers: &HeaderMap, kind: CookieKind, way: Way) -> Option<&str> {
    let name = cookie_name(kind, way);
    let mut lines = headers.get_all(COOKIE).filter_map(|line| line.to_str().ok());
    lines.find_map(|line| cookie_value(line, &name))
}

impl<'r> Proof<'r> {
    /// What these headers bring to a server that is reached in this way.
    pub(crate) fn of(headers: &'r HeaderMap, way: Way) -> Self {
        if let Some(token) = headers.get(AUTHORIZATION).and_then(|value| bearer(value.as_bytes())) {
            return Self::Token(token);
        }
        let cookie = own_cookie(headers, CookieKind::Session, way).and_then(CookieHalf::parse);
        let Some(cookie) = cookie else { return Self::Nothing };
        let key = headers.get(SESSION_KEY).and_then(|key| key.to_str().ok()).and_then(KeyHalf::parse);
        Self::Session { cookie, key }
    }

    /// Who it proves to ask.
    ///
    /// # Errors
    /// A proof that does not hold is refused, and nobody is taken for somebody else.
    pub(crate) async fn prove(&self, access: &Access, asking: Asking) -> Result<Proved, Refusal> {
        let Asking { here, face, now } = asking;
        let local = access.local.as_ref();
        match self {
            Self::Nothing => Ok(Proved::NOTHING),
            Self::Token(token) => {
                let token = read(token).map_err(Refusal::BadToken)?;
                let caller = match token.kind() {
                    SecretKind::Token => access.people.by_token(&token, now).await?,
                    _ => by_local_token(&token, local, here).map_err(Refusal::BadToken)?,
                };
                Ok(Proved::caller(caller))
            }
            Self::Session { cookie, key } => match local.filter(|_| here) {
                Some(local) => match local.sessions.find(cookie, key.as_ref(), now) {
                    Found::Session => {
                        Ok(Proved { cookie: Some(cookie.hash()), ..Proved::caller(Caller::Local) })
                    }
                    Found::NoKey => Err(Refusal::NoSessionKey),
                    Found::Nothing => access.people.by_session(cookie, key.as_ref(), face, now).await,
                },
                None => access.people.by_session(cookie, key.as_ref(), face, now).await,
            },
        }
    }
}

/// The token of RFC 6750, section 2.1.
fn bearer(value: &[u8]) -> Option<&[u8]> {
    let (scheme, token) = value.split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"bearer ").then(|| token.trim_ascii())
}

/// A mistyped one is refused by its own last characters, and the store is asked about none.
fn read(token: &[u8]) -> Result<Secret, BadToken> {
    let token = str::from_utf8(token).map_err(|_| BadToken::Malformed(SecretError::Character))?;
    Secret::parse(token).map_err(BadToken::Malformed)
}

fn by_local_token(token: &Secret, local: Option<&Local>, here: bool) -> Result<Caller, BadToken> {
    if token.kind() != SecretKind::LocalToken {
        return Err(BadToken::Unknown);
    }
    if !here {
        return Err(BadToken::Elsewhere);
    }
    if local.is_some_and(|local| local.knows(token)) { Ok(Caller::Local) } else { Err(BadToken::Unknown) }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn headers(lines: &[(&str, &str)]) -> HeaderMap {
        let request = TestRequest::default();
        let request = lines.iter().fold(request, |request, line| request.append_header(*line));
        request.to_http_request().headers().clone()
    }

    /// The kind of a proof, and whether a session has its key.
    fn kind(proof: &Proof<'_>) -> (&'static str, bool) {
        match proof {
            Proof::Nothing => ("nothing", false),
            Proof::Token(_) => ("token", false),
            Proof::Session { key, .. } => ("session", key.is_some()),
        }
    }

    #[test]
    fn a_token_comes_before_a_cookie_and_a_cookie_has_this_port() {
        let half = "0f".repeat(32);
        let own = format!("a=b; weevil-80={half}");
        for (lines, expected) in [
            ([].as_slice(), ("nothing", false)),
            (&[("authorization", "Bearer abc")], ("token", false)),
            (&[("authorization", "bEARER  abc ")], ("token", false)),
            (&[("authorization", "Bearer")], ("nothing", false)),
            (&[("authorization", "Basic abc")], ("nothing", false)),
            (&[("authorization", "Bearer abc"), ("cookie", &own)], ("token", false)),
            (
                &[("cookie", &format!("weevil-8080={half}; weevil={half}; other-80={half}"))],
                ("nothing", false),
            ),
            (&[("cookie", "weevil-80=short")], ("nothing", false)),
            (&[("cookie", &format!("{own}; weevil-80={half}"))], ("nothing", false)),
            (&[("cookie", &own)], ("session", false)),
            (&[("cookie", &own), (SESSION_KEY, "short")], ("session", false)),
            (&[("cookie", &own), (SESSION_KEY, &half)], ("session", true)),
            (&[(SESSION_KEY, &half)], ("nothing", false)),
        ] {
            let headers = headers(lines);
            assert_eq!(kind(&Proof::of(&headers, Way::Loopback { port: 80 })), expected, "{lines:?}");
        }
    }

    #[test]
    fn without_a_local_server_no_proof_is_one() {
        let sound = Secret::of_bytes(SecretKind::LocalToken, [1; 32]);
        let of_account = Secret::of_bytes(SecretKind::Token, [1; 32]);
        for (token, here, why) in [
            (sound.reveal(), true, BadToken::Unknown),
            (sound.reveal(), false, BadToken::Elsewhere),
            (of_account.reveal(), true, BadToken::Unknown),
            ("wvl_x", true, BadToken::Malformed(SecretError::Length(5))),
            ("", true, BadToken::Malformed(SecretError::Prefix)),
        ] {
            let found = read(token.as_bytes()).and_then(|token| by_local_token(&token, None, here));
            assert_eq!(found, Err(why), "{token} {here}");
        }
    }
}
