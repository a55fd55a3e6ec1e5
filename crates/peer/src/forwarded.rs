//! Whose request it is: the address of the peer, or what a trusted proxy says of it.
//!
//! Read from the right, where the nearest proxy writes; what a stranger put to the left of that is never looked at.

use std::net::{IpAddr, SocketAddr};

use crate::place::{Network, Place};

/// Trusted addresses that are read past.
pub const MAX_HOPS: usize = 20;

/// The header in which proxies name who speaks to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientAddress {
    XForwardedFor,
    /// RFC 7239.
    Forwarded,
}

/// Which proxies are believed, and what they write.
#[derive(Debug, Clone)]
pub struct Proxies {
    pub trusted: Vec<Network>,
    pub header: ClientAddress,
}

/// The lines of both headers, in the order in which they came.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lines<'h> {
    pub x_forwarded_for: &'h [&'h [u8]],
    pub forwarded: &'h [&'h [u8]],
}

/// Whose request it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    pub place: Place,
    pub trouble: Option<Trouble>,
}

/// Why a request counts as its peer's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// A trusted proxy has not written what can be read.
    Unreadable,
    /// The peer says for whom it speaks, but nobody has named it as a proxy.
    NotNamed,
}

impl Proxies {
    /// Is this peer a trusted proxy?
    pub fn trust(&self, peer: IpAddr) -> bool {
        self.trusted.iter().any(|network| network.holds(peer))
    }

    /// Whose request this is, by its peer and its headers.
    pub fn see(&self, peer: IpAddr, lines: Lines<'_>) -> Seen {
        let silent = lines.x_forwarded_for.is_empty() && lines.forwarded.is_empty();
        if silent {
            let own = if peer.to_canonical().is_loopback() { Place::Loopback } else { Place::of(peer) };
            return Seen { place: own, trouble: None };
        }
        let counted_as_own = |trouble| Seen { place: Place::of(peer), trouble: Some(trouble) };
        if !self.trust(peer) {
            return counted_as_own(Trouble::NotNamed);
        }
        let client = match self.header {
            ClientAddress::XForwardedFor => self.client(lines.x_forwarded_for, address),
            ClientAddress::Forwarded => self.client(lines.forwarded, forwarded_for),
        };
        client.map_or_else(
            || counted_as_own(Trouble::Unreadable),
            |client| Seen { place: Place::of(client), trouble: None },
        )
    }

    /// The first address from the right that is no trusted proxy's; the leftmost where all are.
    fn client(&self, lines: &[&[u8]], read: impl Fn(&str) -> Option<IpAddr>) -> Option<IpAddr> {
        let mut last = None;
        let elements = lines.iter().rev().flat_map(|line| line.rsplit(|byte| *byte == b','));
        for (hop, element) in elements.enumerate() {
            if hop == MAX_HOPS {
                return None;
            }
            let address = read(str::from_utf8(element).ok()?.trim_ascii())?;
            if !self.trust(address) {
                return Some(address);
            }
            last = Some(address);
        }
        last
    }
}

/// `for` of one element of `Forwarded`: `for="[2001:db8::1]:4711";proto=https`.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let mut named = element.split(';').filter_map(|pair| {
        let (name, value) = pair.trim_ascii().split_once('=')?;
        name.eq_ignore_ascii_case("for").then_some(value)
    });
    let (value, None) = (named.next()?, named.next()) else { return None };
    let quoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    address(quoted.unwrap_or(value))
}

/// An address, with a port or without.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    bare.parse().ok().or_else(with_port)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn proxies(header: ClientAddress) -> Proxies {
        let trusted = ["192.0.2.0/24", "127.0.0.1", "2001:db8:ffff::/48"];
        Proxies { trusted: trusted.map(|network| network.parse().unwrap()).into(), header }
    }

    fn seen(header: ClientAddress, peer: &str, x_forwarded_for: &[&str], forwarded: &[&str]) -> Seen {
        let bytes = |lines: &[&'static str]| lines.iter().map(|line| line.as_bytes()).collect::<Vec<_>>();
        let own = |lines: &[&str]| lines.iter().map(|line| &*line.to_string().leak()).collect::<Vec<_>>();
        let (first, second) = (bytes(&own(x_forwarded_for)), bytes(&own(forwarded)));
        let lines = Lines { x_forwarded_for: &first, forwarded: &second };
        proxies(header).see(peer.parse().unwrap(), lines)
    }

    fn at(address: &str) -> Seen {
        Seen { place: Place::of(address.parse().unwrap()), trouble: None }
    }

    fn own(address: &str, trouble: Trouble) -> Seen {
        Seen { trouble: Some(trouble), ..at(address) }
    }

    #[test]
    fn the_nearest_stranger_speaks() {
        let many = vec!["192.0.2.1"; MAX_HOPS].join(",");
        let more = format!("203.0.113.7,{many}");
        let forged: Vec<String> = (0..60).map(|at| format!("10.0.0.{at}, \"")).collect();
        let mut forged: Vec<&str> = forged.iter().map(String::as_str).collect();
        forged.push("203.0.113.7");
        for (peer, lines, expected) in [
            ("192.0.2.1", &["203.0.113.7"][..], at("203.0.113.7")),
            ("127.0.0.1", &["203.0.113.7"], at("203.0.113.7")),
            ("::ffff:127.0.0.1", &["203.0.113.7:4711"], at("203.0.113.7")),
            ("192.0.2.1", &["8.8.8.8, 203.0.113.7"], at("203.0.113.7")),
            ("192.0.2.1", &["8.8.8.8", "203.0.113.7 , 192.0.2.9"], at("203.0.113.7")),
            ("192.0.2.1", &["203.0.113.7", "192.0.2.9"], at("203.0.113.7")),
            ("192.0.2.1", &["192.0.2.5"], at("192.0.2.5")),
            ("192.0.2.1", &["[2001:db8::1]:4711"], at("2001:db8::1")),
            ("192.0.2.1", &["2001:db8::1"], at("2001:db8::1")),
            ("192.0.2.1", &["[2001:db8::1]"], at("2001:db8::1")),
            ("192.0.2.1", &["evil, 203.0.113.7"], at("203.0.113.7")),
            ("192.0.2.1", &[&many], at("192.0.2.1")),
            ("192.0.2.1", &[&more], own("192.0.2.1", Trouble::Unreadable)),
            ("192.0.2.1", &["203.0.113.7, evil"], own("192.0.2.1", Trouble::Unreadable)),
            ("192.0.2.1", &["203.0.113.7,"], own("192.0.2.1", Trouble::Unreadable)),
            ("192.0.2.1", &[""], own("192.0.2.1", Trouble::Unreadable)),
            ("192.0.2.1", &["203.0.113.7:port"], own("192.0.2.1", Trouble::Unreadable)),
            ("127.0.0.1", &["unknown"], own("127.0.0.1", Trouble::Unreadable)),
            ("2001:db8:ffff::1", &["203.0.113.7"], at("203.0.113.7")),
            ("192.0.2.1", &["\t203.0.113.7 "], at("203.0.113.7")),
            ("192.0.2.1", &["[203.0.113.7]"], at("203.0.113.7")),
            ("192.0.2.1", &["::ffff:203.0.113.7"], at("203.0.113.7")),
            ("192.0.2.1", &["[::ffff:203.0.113.7]:80"], at("203.0.113.7")),
            ("192.0.2.1", &["2001:db8::1:4711"], at("2001:db8::1:4711")),
            ("192.0.2.1", &["203.0.113.7, 2001:db8:ffff::9"], at("203.0.113.7")),
            ("192.0.2.1", &["203.0.113.7, [2001:db8:ffff::9]:80, 192.0.2.9:1"], at("203.0.113.7")),
            ("192.0.2.1", &["2001:db8:ffff::9, 192.0.2.9"], at("2001:db8:ffff::9")),
            ("192.0.2.1", &["127.0.0.1"], at("127.0.0.1")),
            ("192.0.2.1", &[",203.0.113.7"], at("203.0.113.7")),
            ("192.0.2.1", &["unknown, 203.0.113.7"], at("203.0.113.7")),
            ("192.0.2.1", &["203.0.113.7", "unknown"], own("192.0.2.1", Trouble::Unreadable)),
            ("192.0.2.1", &["203.0.113.7, unknown, 192.0.2.9"], own("192.0.2.1", Trouble::Unreadable)),
            ("192.0.2.1", &["203.0.113.7,,"], own("192.0.2.1", Trouble::Unreadable)),
            ("192.0.2.1", &["203.0.113.7:"], own("192.0.2.1", Trouble::Unreadable)),
            ("192.0.2.1", &["203.0.113.7:65536"], own("192.0.2.1", Trouble::Unreadable)),
            ("192.0.2.1", &["203.0.113.007"], own("192.0.2.1", Trouble::Unreadable)),
            ("192.0.2.1", &["3405803783"], own("192.0.2.1", Trouble::Unreadable)),
            ("192.0.2.1", &["203.0.113.7 8.8.8.8"], own("192.0.2.1", Trouble::Unreadable)),
            ("192.0.2.1", &["[2001:db8::1"], own("192.0.2.1", Trouble::Unreadable)),
            ("192.0.2.1", &["2001:db8::1]"], own("192.0.2.1", Trouble::Unreadable)),
            ("192.0.2.1", &["fe80::1%eth0"], own("192.0.2.1", Trouble::Unreadable)),
            ("192.0.2.1", &["\"203.0.113.7\""], own("192.0.2.1", Trouble::Unreadable)),
            ("192.0.2.1", &["localhost"], own("192.0.2.1", Trouble::Unreadable)),
            ("192.0.2.1", &["203.0.113.\u{b2}"], own("192.0.2.1", Trouble::Unreadable)),
            ("203.0.113.9", &["8.8.8.8"], own("203.0.113.9", Trouble::NotNamed)),
            ("::1", &["8.8.8.8"], own("::1", Trouble::NotNamed)),
            ("192.0.2.1", &forged, at("203.0.113.7")),
        ] {
            assert_eq!(seen(ClientAddress::XForwardedFor, peer, lines, &[]), expected, "{peer} {lines:?}");
        }
    }

    #[test]
    fn the_standard_header_is_read_as_well() {
        for (line, expected) in [
            ("for=203.0.113.7", at("203.0.113.7")),
            ("For=\"203.0.113.7:80\";proto=https", at("203.0.113.7")),
            ("by=_x; for=\"[2001:db8::1]:4711\"", at("2001:db8::1")),
            ("for=8.8.8.8, for=203.0.113.7;host=a", at("203.0.113.7")),
            ("for=\"8.8.8.8, for=203.0.113.7", at("203.0.113.7")),
            ("for=203.0.113.7, for=192.0.2.4", at("203.0.113.7")),
            ("for=\"203.0.113.7\"", at("203.0.113.7")),
            ("FOR=203.0.113.7:80", at("203.0.113.7")),
            ("for=\"[2001:db8::1]\"", at("2001:db8::1")),
            ("for=203.0.113.7;by=192.0.2.1;host=evil.example;proto=http", at("203.0.113.7")),
            ("for=unknown, for=203.0.113.7", at("203.0.113.7")),
            ("for=_hidden", own("192.0.2.1", Trouble::Unreadable)),
            ("for=unknown", own("192.0.2.1", Trouble::Unreadable)),
            ("for=", own("192.0.2.1", Trouble::Unreadable)),
            ("for=\"\"", own("192.0.2.1", Trouble::Unreadable)),
            ("for=\"203.0.113.7", own("192.0.2.1", Trouble::Unreadable)),
            ("203.0.113.7", own("192.0.2.1", Trouble::Unreadable)),
            ("for=203.0.113.7;for=8.8.8.8", own("192.0.2.1", Trouble::Unreadable)),
            ("proto=https", own("192.0.2.1", Trouble::Unreadable)),
        ] {
            assert_eq!(seen(ClientAddress::Forwarded, "192.0.2.1", &[], &[line]), expected, "{line}");
        }
        let other = seen(ClientAddress::Forwarded, "192.0.2.1", &["203.0.113.7"], &[]);
        assert_eq!(other, own("192.0.2.1", Trouble::Unreadable), "one header is believed, not two");
    }

    #[test]
    fn loopback_is_free_only_where_nobody_stands_between() {
        for peer in ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"] {
            let found = seen(ClientAddress::XForwardedFor, peer, &[], &[]);
            assert_eq!(found, Seen { place: Place::Loopback, trouble: None }, "{peer}");
            assert!(seen(ClientAddress::XForwardedFor, peer, &[], &["for=x"]).place.is_bounded(), "{peer}");
        }
        assert_eq!(seen(ClientAddress::XForwardedFor, "192.0.2.1", &[], &[]), at("192.0.2.1"));
    }

    proptest! {
        /// Whatever a stranger writes, what the proxy adds to the right of it decides.
        #[test]
        fn forged_lines_change_nothing(forged in proptest::collection::vec("[ -~]{0,80}", 0..60)) {
            let mut lines: Vec<&str> = forged.iter().map(String::as_str).collect();
            lines.push("203.0.113.7");
            prop_assert_eq!(seen(ClientAddress::XForwardedFor, "192.0.2.1", &lines, &[]), at("203.0.113.7"));
            let joined = format!("{}, for=203.0.113.7", forged.join(","));
            prop_assert_eq!(seen(ClientAddress::Forwarded, "192.0.2.1", &[], &[&joined]), at("203.0.113.7"));
        }

        /// No bytes cause a panic, or turn a peer that is not trusted into somebody else.
        #[test]
        fn any_bytes_are_read_or_refused(lines in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..80), 1..60)) {
            let lines: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
            for header in [ClientAddress::XForwardedFor, ClientAddress::Forwarded] {
                let shown = Lines { x_forwarded_for: &lines, forwarded: &lines };
                let found = proxies(header).see("203.0.113.9".parse().unwrap(), shown);
                prop_assert_eq!(found, own("203.0.113.9", Trouble::NotNamed));
                let _read = proxies(header).see("192.0.2.1".parse().unwrap(), shown);
            }
        }
    }
}
