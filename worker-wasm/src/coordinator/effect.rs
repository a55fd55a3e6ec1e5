//! What the coordinator asks for.

use weevil_protocol::frame::ClientFrame;
use weevil_protocol::page::PageEvent;
use weevil_protocol::slot::SlotCommand;

use crate::slot::Slot;

/// Something to do.
#[derive(Debug, PartialEq)]
pub(crate) enum Effect {
    Connect {
        url: String,
    },
    Disconnect,
    Send(ClientFrame),
    /// Have the device key sign this.
    Sign(Vec<u8>),
    FetchCode {
        code: u32,
        hash: [u8; 32],
    },
    /// The GPU runtime, and the kernels of a workflow where its JavaScript may ask for them.
    FetchKernels {
        code: u32,
        workflow: Option<[u8; 32]>,
    },
    /// To the job worker of this generation.
    ToSlot {
        generation: u32,
        command: SlotCommand,
    },
    ToPage(PageEvent),
}

impl Effect {
    pub(super) const fn to(slot: &Slot, command: SlotCommand) -> Self {
        Self::ToSlot { generation: slot.generation, command }
    }

    pub(super) const fn close(at: u32, slot: &Slot) -> Self {
        Self::ToPage(PageEvent::CloseSlot { slot: at, generation: slot.generation })
    }
}
