//! What the coordinator is told.

use weevil_protocol::frame::{Identity, ServerFrame};
use weevil_protocol::page::PageCommand;
use weevil_protocol::slot::SlotReport;

use crate::code::GpuParts;

/// Something happened. Moments are milliseconds of a clock that only grows.
#[derive(Debug)]
pub(crate) enum Event {
    Command(PageCommand),
    Connected,
    Disconnected,
    Frame(ServerFrame),
    /// A code has come, or cannot be had.
    Code {
        code: u32,
        bytes: Result<Vec<u8>, String>,
    },
    /// What GPU code needs besides has come, or cannot be had.
    Kernels {
        code: u32,
        parts: Result<GpuParts, String>,
    },
    Report {
        slot: u32,
        generation: u32,
        report: SlotReport,
    },
    /// A job worker sent what is no report, or too large for one.
    Nonsense {
        slot: u32,
        generation: u32,
    },
    /// The device has signed what it was asked to.
    Signed(Identity),
    Tick,
}
