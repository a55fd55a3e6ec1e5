//! The bytes of docs/protocol.md are frames, and what the code makes of them: whoever writes a client starts there.

#![expect(clippy::unwrap_used, reason = "a test may fail that way")]

use weevil_protocol::frame::{ClientFrame, ServerFrame};

/// Names that the worker's frames have there.
const OF_WORKERS: [&str; 5] = ["hello", "results", "heartbeat", "yield", "bye"];

/// `64 656d6f`, and `aa..` for what is repeated to a hash's length.
fn bytes(hex: &str) -> Vec<u8> {
    let hex = hex.replace("aa..", &"aa".repeat(32)).replace("bb..", &"bb".repeat(32)).replace(' ', "");
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

/// Name and bytes of each frame, which may take several lines; lines in brackets say the same for people.
fn frames(page: &str) -> Vec<(&str, String)> {
    let block = page.split("### Bytes").nth(1).unwrap().split("```").nth(1).unwrap();
    let mut frames: Vec<(&str, String)> = Vec::new();
    for line in block.lines().skip(1) {
        let (name, rest) = line.split_at(line.len().min(11));
        match (name.trim(), rest.trim()) {
            ("", rest) if rest.contains(|c: char| !c.is_ascii_hexdigit() && c != ' ') => {}
            ("", more) => frames.last_mut().unwrap().1.push_str(more),
            (name, first) => frames.push((name, first.to_owned())),
        }
    }
    frames
}

#[test]
fn the_bytes_of_the_docs_are_what_is_sent() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol.md");
    let page = std::fs::read_to_string(page).unwrap();
    let frames = frames(&page);
    assert_eq!(frames.len(), 19, "{frames:?}");
    for (name, hex) in frames {
        let bytes = bytes(&hex);
        let again = if OF_WORKERS.contains(&name) {
            ClientFrame::decode(&bytes).map(|frame| frame.encode())
        } else {
            ServerFrame::decode(&bytes).map(|frame| frame.encode())
        };
        assert_eq!(again, Ok(bytes), "{name} {hex}");
    }
}
