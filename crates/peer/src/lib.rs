//! Who is at the other end, by place, and what each place may hold of the server: one ledger over one table.
//!
//! Pure: no clock, no chance, no IO. Addresses are only ever compared, never written down.

mod forwarded;
mod ledger;
mod network;
mod place;
mod table;
mod transfer;

pub use forwarded::{ClientAddress, Lines, Proxies, Seen, Trouble};
pub use ledger::{Charge, Full, Ledger};
pub use network::WitnessNetwork;
pub use place::{Network, NetworkError, Place};
pub use table::{Bound, Flow, Row, Settings, Table};
pub use transfer::Transfer;

/// Every bound of the ledger that no setting changes.
pub mod limits {
    pub use crate::forwarded::MAX_HOPS;
    pub use crate::ledger::MAX_PLACES;
    pub use crate::table::{
        LOBBY_MESSAGE_BYTES, LOBBY_MS, MAX_HEARTBEAT_BODY_BYTES, MAX_SMALL_BODY_BYTES, UNTAKEN_MS,
        WAIT_FOR_ROOM_MS,
    };
    pub use crate::transfer::SMALL_TRANSFER_BYTES;
}
