//! The table of budgets: what one place may hold of the server, and all places together. Every number stands here.

/// What is given back. Amounts are numbers, or bytes where the row says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Row {
    /// Open connections of peers that are no trusted proxy.
    Connections,
    /// Sockets without a welcome.
    Lobby,
    /// Welcome workers of both protocols.
    Seats,
    /// Announced bytes of messages and bodies that are large and have not been handed on.
    Unfinished,
    /// Bytes of reports that wait for the database.
    Unanswered,
    /// Bytes of large inputs on their way to workers.
    Unsent,
    /// Jobs held by workers without an accepted value.
    Newcomers,
    /// Event streams.
    Streams,
    /// Requests that wait for a result.
    Waits,
    /// Large results that are being told.
    LargeReads,
    /// Uploads, bodies of jobs and large values that are being checked.
    Checks,
}

/// What comes back with time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Flow {
    /// Welcomes and joins.
    Arrivals,
    /// Reports for attempts that their connection was not given.
    Unasked,
    /// And their bytes.
    UnaskedBytes,
    /// Attempts that end given back or lost, without a report.
    Returns,
}

const MIB: u64 = 1024 * 1024;
/// No bound of this kind.
const FREE: u64 = u64::MAX;

const CONNECTIONS: Bound = Bound { place: 4096, all: 16_384 };
const LOBBY: Bound = Bound { place: 64, all: 1024 };
const STREAMS: Bound = Bound { place: 32, all: 256 };
const WAITS: Bound = Bound { place: 64, all: 1024 };
const LARGE_READS: Bound = Bound { place: 2, all: 4 };
/// One place that does not read leaves room for another's job.
const UNSENT: Bound = Bound { place: 48 * MIB, all: 64 * MIB };
const NEWCOMERS: Bound = Bound { place: 512, all: FREE };
/// What one place may have in unfinished transfers, and as much again in reports that wait for the database.
const PLACE_TRANSFER_BYTES: u64 = 48 * MIB;

/// Files and sockets that are neither seats nor the lobby.
const RESERVED_DESCRIPTORS: u64 = 256;

const ARRIVALS: Rate = Rate { burst: 1024, a_minute: 512 };
const UNASKED: Rate = Rate { burst: 4096, a_minute: 4096 };
const UNASKED_BYTES: Rate = Rate { burst: 64 * MIB, a_minute: 64 * MIB };
const RETURNS: Rate = Rate { burst: 4096, a_minute: 7 * 60 };
/// What a place may owe of a flow that cannot be refused: what its newcomers hold when the last of it is spent.
pub(crate) const MAX_DEBT: u64 = NEWCOMERS.place;

/// How long a socket may stay without a welcome.
pub const LOBBY_MS: u64 = 10_000;
/// Bytes of the one message that it may send before.
pub const LOBBY_MESSAGE_BYTES: usize = 4 * 1024;
/// How long a transfer, or a reader of something large, waits for room.
pub const WAIT_FOR_ROOM_MS: u64 = 30_000;
/// How long a connection may take nothing of what it is sent.
pub const UNTAKEN_MS: u32 = 120_000;
/// Bytes of the body of a join, a dequeue or a leave.
pub const MAX_SMALL_BODY_BYTES: usize = 4 * 1024;
/// Bytes of the body of a heartbeat.
pub const MAX_HEARTBEAT_BODY_BYTES: usize = 512 * 1024;

/// What one place may hold of a row, and all places together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    pub place: u64,
    pub all: u64,
}

impl Bound {
    /// The same where all together may hold less.
    const fn within(self, most: u64) -> Self {
        Self { place: self.place, all: if self.all < most { self.all } else { most } }
    }
}

/// What one place may do at once, and how much of that comes back in a minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rate {
    pub(crate) burst: u64,
    pub(crate) a_minute: u64,
}

/// What an operator, or the machine, decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Welcome workers.
    pub seats: u64,
    /// `--workers-per-address`
    pub workers_per_address: u64,
    /// `--transfer-mib`
    pub transfer_mib: u64,
    pub cores: u64,
    /// Files and sockets that the process may have open.
    pub descriptors: u64,
}

/// The bounds that hold in one life of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    settings: Settings,
    lobby: u64,
}

impl Table {
    /// Where descriptors are few there are fewer seats, and a smaller lobby.
    pub fn new(settings: Settings) -> Self {
        let spare = settings.descriptors.saturating_sub(RESERVED_DESCRIPTORS);
        let lobby = LOBBY.all.min(spare / 4).max(1);
        let seats = settings.seats.min(spare.saturating_sub(lobby)).max(1);
        Self { settings: Settings { seats, ..settings }, lobby }
    }

    pub const fn bound(&self, row: Row) -> Bound {
        let Settings { seats, workers_per_address, transfer_mib, cores, descriptors } = self.settings;
        let connections = descriptors.saturating_sub(RESERVED_DESCRIPTORS / 2);
        match row {
            Row::Connections => CONNECTIONS.within(connections),
            Row::Lobby => LOBBY.within(self.lobby),
            Row::Seats => Bound { place: workers_per_address, all: seats },
            Row::Unfinished => Bound { place: PLACE_TRANSFER_BYTES, all: transfer_mib.saturating_mul(MIB) },
            Row::Unanswered => {
                Bound { place: PLACE_TRANSFER_BYTES, all: transfer_mib.saturating_mul(MIB) / 2 }
            }
            Row::Unsent => UNSENT,
            Row::Newcomers => NEWCOMERS,
            Row::Streams => STREAMS,
            Row::Waits => WAITS,
            Row::LargeReads => LARGE_READS,
            Row::Checks => Bound { place: FREE, all: cores },
        }
    }

    pub(crate) const fn rate(flow: Flow) -> Rate {
        match flow {
            Flow::Arrivals => ARRIVALS,
            Flow::Unasked => UNASKED,
            Flow::UnaskedBytes => UNASKED_BYTES,
            Flow::Returns => RETURNS,
        }
    }
}

impl Row {
    pub const ALL: [Self; 11] = [
        Self::Connections,
        Self::Lobby,
        Self::Seats,
        Self::Unfinished,
        Self::Unanswered,
        Self::Unsent,
        Self::Newcomers,
        Self::Streams,
        Self::Waits,
        Self::LargeReads,
        Self::Checks,
    ];

    /// How metrics call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Connections => "connections",
            Self::Lobby => "lobby",
            Self::Seats => "seats",
            Self::Unfinished => "unfinished",
            Self::Unanswered => "unanswered",
            Self::Unsent => "unsent",
            Self::Newcomers => "newcomers",
            Self::Streams => "streams",
            Self::Waits => "waits",
            Self::LargeReads => "large_reads",
            Self::Checks => "checks",
        }
    }
}

impl Flow {
    pub const ALL: [Self; 4] = [Self::Arrivals, Self::Unasked, Self::UnaskedBytes, Self::Returns];

    /// How metrics call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Arrivals => "arrivals",
            Self::Unasked => "unasked",
            Self::UnaskedBytes => "unasked_bytes",
            Self::Returns => "returns",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::limits::MAX_FRAME_BYTES;

    #[test]
    fn the_largest_message_fits_at_the_least_settings() {
        let least =
            Settings { seats: 1, workers_per_address: 1, transfer_mib: 64, cores: 1, descriptors: 1024 };
        let table = Table::new(least);
        for row in [Row::Unfinished, Row::Unanswered] {
            let Bound { place, all } = table.bound(row);
            assert!(place.min(all) >= MAX_FRAME_BYTES as u64, "{row:?}: {place}, {all}");
        }
        assert!(Table::rate(Flow::UnaskedBytes).burst >= MAX_FRAME_BYTES as u64);
    }

    #[test]
    fn few_descriptors_are_few_seats() {
        for (descriptors, seats, lobby, connections) in [
            (u64::MAX, 10_000, 1024, 16_384),
            (11_280, 10_000, 1024, 11_152),
            (11_279, 9999, 1024, 11_151),
            (1024, 576, 192, 896),
            (0, 1, 1, 0),
        ] {
            let (seats_wanted, workers_per_address) = (10_000, 512);
            let table = Table::new(Settings {
                seats: seats_wanted,
                workers_per_address,
                transfer_mib: 128,
                cores: 2,
                descriptors,
            });
            let found = [Row::Seats, Row::Lobby, Row::Connections].map(|row| table.bound(row).all);
            assert_eq!(found, [seats, lobby, connections], "{descriptors}");
        }
    }

    #[test]
    fn every_row_and_flow_is_listed_once() {
        assert!(Row::ALL.iter().enumerate().all(|(at, row)| *row as usize == at));
        assert!(Flow::ALL.iter().enumerate().all(|(at, flow)| *flow as usize == at));
    }
}
