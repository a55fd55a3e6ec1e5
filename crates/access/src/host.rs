//! How a server is called: the names that it answers to, and the origins of pages that are its own.
//!
//! Looks nothing up: a name is compared, never resolved.

use std::collections::BTreeSet;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// Characters of a name (RFC 1035, section 2.3.4).
const MAX_NAME_CHARS: usize = 253;
const HTTP: &str = "http://";
const HTTPS: &str = "https://";

/// Where a request goes: a name, or an address that no DNS can turn into another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Host {
    /// An IP literal.
    Address(IpAddr),
    /// In lower case.
    Name(String),
}

/// Why a text names no host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no host name and no address; write weevil.example, 192.0.2.7 or [2001:db8::7]")]
pub struct HostError(String);

impl FromStr for Host {
    type Err = HostError;

    fn from_str(text: &str) -> Result<Self, HostError> {
        let bracketed = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let address = match bracketed {
            Some(inner) => inner.parse::<Ipv6Addr>().ok().map(IpAddr::V6),
            None => text.parse::<Ipv4Addr>().ok().map(IpAddr::V4),
        };
        if let Some(address) = address {
            return Ok(Self::Address(address));
        }
        if !is_name(text) {
            return Err(HostError(text.chars().take(MAX_NAME_CHARS).collect()));
        }
        Ok(Self::Name(text.to_ascii_lowercase()))
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
            Self::Address(IpAddr::V4(address)) => address.fmt(f),
            Self::Name(name) => f.write_str(name),
        }
    }
}

impl Host {
    /// Whether it is a name of the machine that asks.
    pub fn is_loopback(&self) -> bool {
        match self {
            Self::Address(address) => address.to_canonical().is_loopback(),
            Self::Name(name) => name == "localhost",
        }
    }
}

/// Labels of letters, digits, `-` and `_`. What ends in a number a browser takes for an address.
fn is_name(text: &str) -> bool {
    let plain = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    let last = text.rsplit('.').next().unwrap_or_default();
    let number =
        last.bytes().all(|byte| byte.is_ascii_digit()) || last.to_ascii_lowercase().starts_with("0x");
    text.len() <= MAX_NAME_CHARS && text.split('.').all(plain) && !number
}

/// A host and perhaps a port, as `Host` and `:authority` name them (RFC 9110, section 7.2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authority {
    /// What is reached.
    pub host: Host,
    /// The scheme's own where it is left out.
    pub port: Option<u16>,
}

impl FromStr for Authority {
    type Err = HostError;

    fn from_str(text: &str) -> Result<Self, HostError> {
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
            _ => (text, None),
        };
        let digits = |port: &&str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
        let refused = || HostError(text.chars().take(MAX_NAME_CHARS).collect());
        let port = port.map(|port| {
            let number = Some(port).filter(digits).and_then(|port| port.parse().ok());
            number.ok_or_else(refused)
        });
        Ok(Self { host: host.parse()?, port: port.transpose()? })
    }
}

/// A scheme, a host and a port: how people reach a face, and what a browser calls an origin (RFC 6454, section 4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaceUrl {
    secure: bool,
    host: Host,
    port: u16,
}

/// Why a text is no address of a face.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaceUrlError {
    /// Neither http nor https.
    #[error("`{0}` does not begin with http:// or https://")]
    Scheme(String),
    /// More than a host and a port.
    #[error(
        "`{0}` has more than a scheme, a host and a port: a server is reached at the top of its name alone"
    )]
    Path(String),
    /// The host, or the port.
    #[error(transparent)]
    Host(#[from] HostError),
}

impl FromStr for FaceUrl {
    type Err = FaceUrlError;

    fn from_str(text: &str) -> Result<Self, FaceUrlError> {
        let (secure, rest) = scheme(text).ok_or_else(|| FaceUrlError::Scheme(text.to_owned()))?;
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        if rest.contains(['/', '?', '#', '@', '\\']) {
            return Err(FaceUrlError::Path(text.to_owned()));
        }
        Ok(Self::of(secure, rest.parse()?))
    }
}

/// Without a `/` at its end, and without the scheme's own port: what a browser sends as `Origin`.
impl fmt::Display for FaceUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.secure { HTTPS } else { HTTP }, self.host)?;
        if self.port == own_port(self.secure) { Ok(()) } else { write!(f, ":{}", self.port) }
    }
}

impl FaceUrl {
    fn of(secure: bool, Authority { host, port }: Authority) -> Self {
        Self { secure, host, port: port.unwrap_or(own_port(secure)) }
    }

    /// Reads what a browser sends as `Origin`, which ends with the host or the port.
    fn origin(text: &str) -> Option<Self> {
        let (secure, authority) = scheme(text)?;
        Some(Self::of(secure, authority.parse().ok()?))
    }

    /// Whether it is https.
    pub const fn is_secure(&self) -> bool {
        self.secure
    }

    /// The name or address in it.
    pub const fn host(&self) -> &Host {
        &self.host
    }
}

fn scheme(text: &str) -> Option<(bool, &str)> {
    let secure = text.strip_prefix(HTTPS).map(|rest| (true, rest));
    secure.or_else(|| text.strip_prefix(HTTP).map(|rest| (false, rest)))
}

const fn own_port(secure: bool) -> u16 {
    if secure { 443 } else { 80 }
}

/// The names that a server answers to beside those of its sockets: of `--url`, `--public-url` and `--host`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// All of these.
    pub fn new(hosts: impl IntoIterator<Item = Host>) -> Self {
        Self(hosts.into_iter().map(|host| host.to_string()).collect())
    }

    /// Whether a socket answers to this host: one on loopback to loopback names, every other one to addresses, both to
    /// the names that were given.
    pub fn answer_to(&self, host: &Host, on_loopback: bool) -> bool {
        let own = if on_loopback { host.is_loopback() } else { matches!(host, Host::Address(_)) };
        own || self.0.contains(&host.to_string())
    }
}

/// By which schemes a page can have come from a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schemes {
    /// Plain HTTP, and nobody between who could speak TLS.
    Http,
    /// TLS at the socket itself.
    Https,
    /// A proxy that was named stands between, and speaks what it likes.
    Both,
}

impl Schemes {
    const fn allow(self, secure: bool) -> bool {
        match self {
            Self::Http => !secure,
            Self::Https => secure,
            Self::Both => true,
        }
    }
}

/// Whether `origin` is that of pages of the server as it was reached: the face's own where its host was named, else the one
/// with the authority that was named.
pub fn is_own_origin(origin: &[u8], reached: &Authority, face: Option<&FaceUrl>, schemes: Schemes) -> bool {
    let Some(origin) = str::from_utf8(origin).ok().and_then(FaceUrl::origin) else { return false };
    match face.filter(|url| url.host == reached.host) {
        Some(url) => origin == *url,
        None => schemes.allow(origin.secure) && origin == FaceUrl::of(origin.secure, reached.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_names_or_addresses() {
        for (text, expected) in [
            ("weevil.example", Some("weevil.example")),
            ("WEEVIL.Example", Some("weevil.example")),
            ("localhost", Some("localhost")),
            ("a_b-c", Some("a_b-c")),
            ("192.0.2.7", Some("192.0.2.7")),
            ("[2001:db8::0:7]", Some("[2001:db8::7]")),
            ("[::ffff:192.0.2.7]", Some("[::ffff:192.0.2.7]")),
            ("2001:db8::7", None),
            ("[192.0.2.7]", None),
            ("[fe80::1%25eth0]", None),
            ("weevil.example.", None),
            (".example", None),
            ("", None),
            ("two words", None),
            ("b\u{fc}ro.example", None),
            ("127.1", None),
            ("0x7f.0.0.0x1", None),
            ("2130706433", None),
            ("user@host", None),
            ("host/", None),
        ] {
            let found = text.parse::<Host>().ok().map(|host| host.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
        assert!("a".repeat(MAX_NAME_CHARS).parse::<Host>().is_ok());
        assert!("a".repeat(MAX_NAME_CHARS + 1).parse::<Host>().is_err());
    }

    #[test]
    fn authorities_may_have_a_port() {
        for (text, port) in [
            ("weevil.example", Some(None)),
            ("weevil.example:8080", Some(Some(8080))),
            ("[::1]", Some(None)),
            ("[::1]:8080", Some(Some(8080))),
            ("weevil.example:", None),
            ("weevil.example:+80", None),
            ("weevil.example:65536", None),
            ("weevil.example:80:80", None),
            ("::1", None),
            ("", None),
            (":8080", None),
        ] {
            assert_eq!(text.parse::<Authority>().ok().map(|found| found.port), port, "{text}");
        }
    }

    #[test]
    fn addresses_of_a_face_end_at_its_host() {
        for (text, expected) in [
            ("https://weevil.example", Some("https://weevil.example")),
            ("https://Weevil.Example:443/", Some("https://weevil.example")),
            ("http://192.0.2.7:8080", Some("http://192.0.2.7:8080")),
            ("http://[::1]:80", Some("http://[::1]")),
            ("https://weevil.example/sub", None),
            ("https://weevil.example//", None),
            ("https://weevil.example?x", None),
            ("https://weevil.example#x", None),
            ("https://me@weevil.example", None),
            ("ftp://weevil.example", None),
            ("weevil.example", None),
            ("https://", None),
        ] {
            let found = text.parse::<FaceUrl>().ok().map(|url| url.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn sockets_answer_to_their_own_names_and_to_those_that_were_given() {
        let names = Names::new(["Weevil.example", "10.0.0.9"].map(|host| host.parse().unwrap()));
        for (host, on_loopback, elsewhere) in [
            ("localhost", true, false),
            ("LOCALHOST", true, false),
            ("127.0.0.1", true, true),
            ("127.1.2.3", true, true),
            ("[::1]", true, true),
            ("[::ffff:127.0.0.1]", true, true),
            ("192.0.2.1", false, true),
            ("[2001:db8::1]", false, true),
            ("10.0.0.9", true, true),
            ("weevil.example", true, true),
            ("weevil.example.evil.example", false, false),
            ("localhost.evil.example", false, false),
            ("evil.example", false, false),
        ] {
            let host: Host = host.parse().unwrap();
            assert_eq!(names.answer_to(&host, true), on_loopback, "{host} on loopback");
            assert_eq!(names.answer_to(&host, false), elsewhere, "{host} elsewhere");
        }
    }

    #[test]
    fn an_origin_is_that_of_the_face_or_of_the_host_that_was_named() {
        use Schemes::{Both, Http, Https};
        let url: FaceUrl = "https://weevil.example".parse().unwrap();
        for (host, schemes, origin, own) in [
            ("localhost:8080", Http, "http://localhost:8080", true),
            ("localhost:8080", Http, "http://LOCALHOST:8080", true),
            ("localhost:8080", Http, "https://localhost:8080", false),
            ("localhost:8080", Http, "http://localhost:9090", false),
            ("localhost:8080", Http, "http://localhost:80800", false),
            ("localhost:8080", Http, "http://localhost", false),
            ("localhost:8080", Http, "http://127.0.0.1:8080", false),
            ("localhost:8080", Http, "http://evil.example", false),
            ("localhost:8080", Http, "http://localhost:8080/", false),
            ("localhost:8080", Http, "http://localhost:8080 http://evil.example", false),
            ("localhost:8080", Http, "null", false),
            ("localhost:8080", Http, "", false),
            ("localhost:8080", Http, "localhost:8080", false),
            ("localhost:8080", Http, "//localhost:8080", false),
            ("localhost:8080", Http, "ftp://localhost:8080", false),
            ("localhost:8080", Http, "http://lo\u{e9}", false),
            ("localhost", Http, "http://localhost:80", true),
            ("192.0.2.7", Https, "https://192.0.2.7", true),
            ("192.0.2.7", Https, "http://192.0.2.7", false),
            ("192.0.2.7:443", Https, "https://192.0.2.7", true),
            ("192.0.2.7", Both, "https://192.0.2.7", true),
            ("192.0.2.7", Both, "http://192.0.2.7", true),
            ("weevil.example", Http, "https://weevil.example", true),
            ("weevil.example:8080", Http, "https://weevil.example", true),
            ("weevil.example", Both, "http://weevil.example", false),
            ("weevil.example", Both, "https://weevil.example:8443", false),
            ("weevil.example", Https, "https://evil.example", false),
            ("weevil.example", Https, "https://weevil.example.evil.example", false),
            ("other.example", Https, "https://weevil.example", false),
        ] {
            let reached: Authority = host.parse().unwrap();
            let found = is_own_origin(origin.as_bytes(), &reached, Some(&url), schemes);
            assert_eq!(found, own, "{host} {schemes:?} {origin}");
        }
        assert!(!is_own_origin(b"\xff", &"localhost".parse().unwrap(), None, Schemes::Both));
    }
}
