//! Cookies (RFC 6265): their names, the line that sets or removes one, and which one a request means.
//!
//! It never makes a value.

use crate::limits::MAX_COOKIE_BYTES;

/// What a cookie is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CookieKind {
    /// Half of a session of the private face.
    Session,
    /// Half of a volunteer's session, which is one of the public face.
    VolunteerSession,
    /// The proof that somebody has signed in from this browser before.
    KnownBrowser,
}

/// How a browser reaches the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Over https, in the binary or in a proxy before it.
    Https,
    /// Over plain http on loopback, where servers on several ports share one jar of cookies.
    Loopback { port: u16 },
}

/// The name of a cookie. The prefix `__Host-` (RFC 6265bis, section 4.1.3.2) has browsers take it from this very host
/// alone, and only over https.
pub fn cookie_name(kind: CookieKind, way: Way) -> String {
    let suffix = match kind {
        CookieKind::Session => "",
        CookieKind::VolunteerSession => "-v",
        CookieKind::KnownBrowser => "-known",
    };
    match way {
        Way::Https => format!("__Host-weevil{suffix}"),
        Way::Loopback { port } => format!("weevil-{port}{suffix}"),
    }
}

/// The value of `Set-Cookie` that has a browser keep a value for some seconds; 0 removes it.
pub fn set_cookie(kind: CookieKind, way: Way, value: &str, seconds: u64) -> String {
    let secure = if way == Way::Https { "; Secure" } else { "" };
    let name = cookie_name(kind, way);
    format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}")
}

/// The value under a name in a `Cookie` header. A header with two of that name means neither: one of them was planted.
pub fn cookie_value<'h>(header: &'h str, name: &str) -> Option<&'h str> {
    if header.len() > MAX_COOKIE_BYTES {
        return None;
    }
    let pairs = header.split(';').filter_map(|pair| pair.trim().split_once('='));
    let mut values = pairs.filter(|(found, _)| *found == name).map(|(_, value)| value);
    values.next().filter(|_| values.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Way = Way::Loopback { port: 8080 };

    #[test]
    fn each_cookie_has_a_name_and_a_line_of_its_own() {
        for (kind, way, line) in [
            (
                CookieKind::Session,
                Way::Https,
                "__Host-weevil=v; Path=/; Max-Age=9; HttpOnly; SameSite=Strict; Secure",
            ),
            (CookieKind::Session, PLAIN, "weevil-8080=v; Path=/; Max-Age=9; HttpOnly; SameSite=Strict"),
            (
                CookieKind::VolunteerSession,
                Way::Https,
                "__Host-weevil-v=v; Path=/; Max-Age=9; HttpOnly; SameSite=Strict; Secure",
            ),
            (
                CookieKind::KnownBrowser,
                PLAIN,
                "weevil-8080-known=v; Path=/; Max-Age=9; HttpOnly; SameSite=Strict",
            ),
        ] {
            assert_eq!(set_cookie(kind, way, "v", 9), line, "{kind:?} {way:?}");
        }
    }

    #[test]
    fn a_request_means_the_one_cookie_of_that_name() {
        let (longest, too_long) =
            (format!("{}; n=1", "x".repeat(4091)), format!("{}; n=1", "x".repeat(4092)));
        for (header, expected) in [
            ("n=1", Some("1")),
            ("a=0; n=1;b=2", Some("1")),
            ("n=1=2", Some("1=2")),
            ("n=", Some("")),
            ("", None),
            ("n", None),
            ("N=1", None),
            ("nn=1; n1=1", None),
            ("n=1; n=2", None),
            ("n=1; n=1", None),
            (longest.as_str(), Some("1")),
            (too_long.as_str(), None),
        ] {
            assert_eq!(cookie_value(header, "n"), expected, "{header}");
        }
    }
}
