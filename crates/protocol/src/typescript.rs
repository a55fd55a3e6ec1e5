//! The TypeScript twin of the messages inside the browser, and of what a page must know of the wire, as the text of declarations.
//!
//! `cargo xtask codegen` writes it to `web/src/api/types.gen.ts`; nobody edits that file.

use ts_rs::{Config, TS};

use crate::{PROTOCOL_VERSION, WORKER_SOCKET_PATH, frame, page, slot, standing};

macro_rules! declarations {
    ($($type:ty),+ $(,)?) => {{
        let config = Config::default();
        [$(format!("\nexport {}\n", <$type>::decl(&config))),+].concat()
    }};
}

/// Every exported type, in the order of its source.
pub fn typescript() -> String {
    let types = declarations![
        page::PageCommand,
        page::PageEvent,
        page::Status,
        page::SlotStatus,
        page::SlotActivity,
        page::EndedAttempts,
        page::WorkState,
        standing::Standing,
        standing::StandingRank,
        frame::CodeKind,
        slot::SlotCommand,
        slot::SlotJob,
        slot::SlotKernel,
        slot::SlotReport,
        slot::SlotResult,
        slot::SlotError,
        slot::SlotErrorKind,
    ];
    format!(
        "\nexport const PROTOCOL_VERSION = {PROTOCOL_VERSION};\nexport const WORKER_SOCKET_PATH = \"{WORKER_SOCKET_PATH}\";\n{types}"
    )
}

#[cfg(test)]
mod tests {
    use super::typescript;

    #[test]
    fn tags_follow_serde() {
        let text = typescript();
        for part in ["\"kind\": \"openSlot\"", "input: Uint8Array", "value?: Uint8Array"] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }
}
