//! Which server an address names: scheme, host and port, and whether a secret may go there.
//!
//! Never resolves a name.

use std::fmt;
use std::net::IpAddr;

use ureq::http::Uri;

/// One server, as RFC 6454 (section 4) tells origins apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    https: bool,
    /// In small letters; an IPv6 address stands in brackets.
    host: String,
    port: u16,
}

impl Origin {
    /// Reads scheme, host and, where it is not the scheme's own, port; a `/` at the end does not matter.
    ///
    /// # Errors
    /// In words for people: what else stands there, which would be left out or is a mistake.
    pub fn parse(url: &str) -> Result<Self, String> {
        let expected =
            || format!("`{url}` is no server: write scheme, host and port, as in https://weevil.example");
        let uri: Uri = url.parse().map_err(|_| expected())?;
        let (scheme, authority) = uri.scheme_str().zip(uri.authority()).ok_or_else(expected)?;
        let https = match scheme {
            "https" => true,
            "http" => false,
            _ => return Err(expected()),
        };
        let more = uri.path() != "/" || url.contains(['?', '#']) || authority.as_str().contains('@');
        if more || authority.host().is_empty() {
            return Err(expected());
        }
        let port = uri.port_u16().unwrap_or(if https { 443 } else { 80 });
        Ok(Self { https, host: authority.host().to_ascii_lowercase(), port })
    }

    /// Without brackets.
    pub fn host(&self) -> &str {
        self.host.trim_start_matches('[').trim_end_matches(']')
    }

    pub const fn port(&self) -> u16 {
        self.port
    }

    pub const fn is_https(&self) -> bool {
        self.https
    }

    /// Whether it is this machine's own; what else a name leads to nobody knows.
    pub fn is_loopback(&self) -> bool {
        self.host() == "localhost" || self.host().parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
    }

    /// Whether nobody on the way reads what is sent there.
    pub fn keeps_secrets(&self) -> bool {
        self.https || self.is_loopback()
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { https, host, port } = self;
        match (https, port) {
            (true, 443) => write!(f, "https://{host}"),
            (true, _) => write!(f, "https://{host}:{port}"),
            (false, 80) => write!(f, "http://{host}"),
            (false, _) => write!(f, "http://{host}:{port}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_scheme_host_and_port() {
        for (url, expected) in [
            ("https://weevil.example", Some("https://weevil.example")),
            ("https://weevil.example/", Some("https://weevil.example")),
            ("https://Weevil.Example:443", Some("https://weevil.example")),
            ("HTTPS://weevil.example:8443", Some("https://weevil.example:8443")),
            ("http://weevil.example:80/", Some("http://weevil.example")),
            ("http://[::1]:9000", Some("http://[::1]:9000")),
            ("http://127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            ("https://weevil.example/console", None),
            ("https://weevil.example?x", None),
            ("https://weevil.example/#x", None),
            ("https://somebody@weevil.example", None),
            ("ftp://weevil.example", None),
            ("weevil.example", None),
            ("weevil.example:8080", None),
            ("/api", None),
            ("https://", None),
            ("", None),
        ] {
            assert_eq!(Origin::parse(url).ok().map(|it| it.to_string()).as_deref(), expected, "{url}");
        }
    }

    #[test]
    fn a_secret_goes_to_this_machine_or_over_tls() {
        for (url, keeps) in [
            ("https://weevil.example", true),
            ("https://192.0.2.1", true),
            ("http://127.0.0.1:8080", true),
            ("http://127.9.9.9", true),
            ("http://localhost:1", true),
            ("http://LOCALHOST:1", true),
            ("http://[::1]:8080", true),
            ("http://weevil.example", false),
            ("http://192.0.2.1:8080", false),
            ("http://localhost.evil.example", false),
            ("http://127.0.0.1.evil.example", false),
            ("http://0.0.0.0:8080", false),
            ("http://[::ffff:127.0.0.1]:8080", false),
        ] {
            assert_eq!(Origin::parse(url).unwrap().keeps_secrets(), keeps, "{url}");
        }
    }
}
