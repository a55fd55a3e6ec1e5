//! A place: an IPv4 address or an IPv6 /64; and networks, by which trusted proxies are named.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use weevil_model::{ContentHash, PlaceNumber};

/// Where a peer comes from. Bounds per place hold for all of its connections together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// This machine itself, with no proxy between: one place, on which bounds per place do not bind.
    Loopback,
    V4(Ipv4Addr),
    /// The first 64 bits of an address: what one subscriber has at least.
    V6([u8; 8]),
}

impl Place {
    /// An address that an IPv6 socket shows for an IPv4 peer is that IPv4 address (RFC 4291, section 2.5.5.2).
    pub fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::V4(address),
            IpAddr::V6(address) => {
                let mut network = [0; 8];
                network.copy_from_slice(&address.octets()[..8]);
                Self::V6(network)
            }
        }
    }

    /// Whether bounds per place hold for it.
    pub const fn is_bounded(self) -> bool {
        !matches!(self, Self::Loopback)
    }

    /// The same number for the same place and key; who does not know the key learns nothing of the address.
    pub fn number(self, key: &[u8; 16]) -> PlaceNumber {
        let (kind, address): (&str, &[u8]) = match &self {
            Self::Loopback => ("loopback", &[]),
            Self::V4(address) => ("v4", &address.octets()),
            Self::V6(network) => ("v6", network),
        };
        PlaceNumber::from_number(ContentHash::of_parts([("key", key.as_slice()), (kind, address)]).seed())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loopback => f.write_str("loopback"),
            Self::V4(address) => address.fmt(f),
            Self::V6(network) => {
                let mut octets = [0; 16];
                octets[..8].copy_from_slice(network);
                write!(f, "{}/64", Ipv6Addr::from(octets))
            }
        }
    }
}

/// Addresses with the same first bits, as `192.0.2.0/24`; one address alone is a network, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

/// Why a text names no network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no address and no network; write 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32")]
pub struct NetworkError(String);

impl Network {
    pub fn holds(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                same(u128::from(own.to_bits()) << 96, u128::from(other.to_bits()) << 96, self.bits)
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => same(own.to_bits(), other.to_bits(), self.bits),
            _ => false,
        }
    }
}

/// Are the first `bits` the same?
const fn same(one: u128, other: u128, bits: u32) -> bool {
    bits == 0 || (one ^ other) >> (128 - bits) == 0
}

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Self, NetworkError> {
        let refused = || NetworkError(text.chars().take(60).collect());
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u32>().map_err(|_| refused())?)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| refused())?;
        let most = if address.is_ipv4() { Ipv4Addr::BITS } else { Ipv6Addr::BITS };
        let bits = bits.unwrap_or(most);
        if bits > most {
            return Err(refused());
        }
        match address.to_canonical() {
            canonical if canonical.is_ipv4() == address.is_ipv4() => Ok(Self { address, bits }),
            mapped => Ok(Self { address: mapped, bits: bits.checked_sub(96).ok_or_else(refused)? }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_subscriber_is_one_place() {
        for (one, other, same) in [
            ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false),
            ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff", true),
            ("2001:db8::1", "2001:db8:0:1::1", false),
            ("127.0.0.1", "127.0.0.2", false),
        ] {
            let (first, second) = (Place::of(one.parse().unwrap()), Place::of(other.parse().unwrap()));
            assert_eq!(first == second, same, "{one} {other}");
            let key = [7; 16];
            assert_eq!(first.number(&key) == second.number(&key), same, "{one} {other}");
            assert_ne!(first.number(&key), first.number(&[8; 16]), "{one}");
        }
    }

    #[test]
    fn a_place_is_written_as_an_address_or_a_network() {
        for (place, text) in [
            (Place::Loopback, "loopback"),
            (Place::of("::ffff:192.0.2.1".parse().unwrap()), "192.0.2.1"),
            (Place::of("2001:db8:1:2:3::4".parse().unwrap()), "2001:db8:1:2::/64"),
        ] {
            assert_eq!(place.to_string(), text);
        }
    }

    #[test]
    fn networks_hold_their_addresses() {
        for (network, address, held) in [
            ("192.0.2.0/24", "192.0.2.255", true),
            ("192.0.2.0/24", "192.0.3.0", false),
            ("192.0.2.77/24", "192.0.2.1", true),
            ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false),
            ("0.0.0.0/0", "203.0.113.9", true),
            ("0.0.0.0/0", "2001:db8::1", false),
            ("2001:db8::/32", "2001:db8:ffff::1", true),
            ("2001:db8::/32", "2001:db9::1", false),
            ("::ffff:192.0.2.0/120", "192.0.2.9", true),
            ("::/0", "2001:db8::1", true),
        ] {
            let found: Network = network.parse().unwrap();
            assert_eq!(found.holds(address.parse().unwrap()), held, "{network} {address}");
        }
        for text in ["", "example.org", "192.0.2.0/33", "2001:db8::/129", "192.0.2.0/-1", "::ffff:1.2.3.4/20"]
        {
            assert!(text.parse::<Network>().is_err(), "{text}");
        }
    }
}
