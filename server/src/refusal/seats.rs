//! Workers that have no seat, or not theirs, as refusals. What they are told the table says.

use weevil_engine::budget::NoSeat;

use super::table::Refusal;
use crate::workers::NoEntry;

impl From<NoEntry> for Refusal {
    fn from(no_entry: NoEntry) -> Self {
        match no_entry {
            NoEntry::Unknown(worker) => Self::NoSuchWorker(worker),
            NoEntry::WrongSecret(worker) => Self::WrongSecret(worker),
        }
    }
}

impl From<NoSeat> for Refusal {
    fn from(no_seat: NoSeat) -> Self {
        match no_seat {
            NoSeat::TooOften => Self::SlowDown,
            NoSeat::PlaceFull(seats) => Self::PlaceFull(seats),
            NoSeat::FleetFull(seats) => Self::FleetFull(seats),
        }
    }
}
