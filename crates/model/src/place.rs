//! A place, by number: where a peer comes from, without saying where that is.

/// Stands for one place (an IPv4 address or an IPv6 /64) in this life of the server.
///
/// Equal numbers are one place. The number is never stored and means nothing after a restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlaceNumber(u64);

impl PlaceNumber {
    pub const fn from_number(number: u64) -> Self {
        Self(number)
    }

    pub const fn number(self) -> u64 {
        self.0
    }
}
