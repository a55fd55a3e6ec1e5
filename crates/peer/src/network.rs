//! The network that a witness speaks from: an IPv4 /24 or an IPv6 /48. Everybody has the same private addresses at home, so those
//! belong to none.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::place::Place;

/// What a provider gives to one customer at most, as a rule: answers from one network may be one person's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WitnessNetwork {
    V4([u8; 3]),
    V6([u8; 6]),
}

impl WitnessNetwork {
    /// `None` for loopback, private, link-local, shared (RFC 6598) and unique-local (RFC 4193) addresses, and those that no peer
    /// can have.
    pub fn of(address: IpAddr) -> Option<Self> {
        match address.to_canonical() {
            IpAddr::V4(address) => is_public_v4(address).then(|| {
                let [one, two, three, _] = address.octets();
                Self::V4([one, two, three])
            }),
            IpAddr::V6(address) => is_public_v6(address).then(|| {
                let mut network = [0; 6];
                network.copy_from_slice(&address.octets()[..6]);
                Self::V6(network)
            }),
        }
    }

    /// The same from what is known of a peer.
    pub fn of_place(place: Place) -> Option<Self> {
        match place {
            Place::Loopback => None,
            Place::V4(address) => Self::of(address.into()),
            Place::V6(network) => {
                let mut octets = [0; 16];
                octets[..8].copy_from_slice(&network);
                Self::of(Ipv6Addr::from(octets).into())
            }
        }
    }

    /// Its bytes: three or six. Whoever keeps it keeps a pseudonym of them.
    pub const fn as_bytes(&self) -> &[u8] {
        match self {
            Self::V4(network) => network,
            Self::V6(network) => network,
        }
    }
}

const fn is_public_v4(address: Ipv4Addr) -> bool {
    let [one, two, ..] = address.octets();
    let is_shared = one == 100 && two & 0b1100_0000 == 64;
    !(address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_unspecified()
        || address.is_multicast()
        || address.is_broadcast()
        || is_shared)
}

const fn is_public_v6(address: Ipv6Addr) -> bool {
    !(address.is_loopback()
        || address.is_unspecified()
        || address.is_multicast()
        || address.is_unique_local()
        || address.is_unicast_link_local())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(address: &str) -> Option<WitnessNetwork> {
        WitnessNetwork::of(address.parse().unwrap())
    }

    #[test]
    fn addresses_of_one_customer_are_one_network() {
        for (one, other, same) in [
            ("192.0.2.1", "192.0.2.254", true),
            ("192.0.2.1", "192.0.3.1", false),
            ("192.0.2.1", "::ffff:192.0.2.9", true),
            ("2001:db8:1:2::1", "2001:db8:1:ffff::2", true),
            ("2001:db8:1::1", "2001:db8:2::1", false),
            ("100.63.0.1", "100.63.0.2", true),
            ("100.128.0.1", "100.63.0.2", false),
        ] {
            let (first, second) = (of(one).unwrap(), of(other).unwrap());
            assert_eq!(first == second, same, "{one} {other}");
            let place = Place::of(one.parse().unwrap());
            assert_eq!(WitnessNetwork::of_place(place), Some(first), "{one}");
            assert_eq!(first.as_bytes() == second.as_bytes(), same, "{one} {other}");
        }
    }

    #[test]
    fn what_everybody_has_at_home_is_no_network() {
        for address in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.1.1",
            "100.64.0.0",
            "100.127.255.255",
            "0.0.0.0",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "fc00::1",
            "fdff::1",
            "fe80::1",
            "febf::1",
            "ff02::1",
            "::ffff:10.0.0.1",
        ] {
            assert_eq!(of(address), None, "{address}");
        }
    }
}
