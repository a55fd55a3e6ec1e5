//! Any bytes as a frame of a worker: a frame that is itself again when it is written, or refused in words.

#![no_main]

use libfuzzer_sys::fuzz_target;
use weevil_protocol::frame::ClientFrame;

fuzz_target!(|bytes: &[u8]| {
    let Ok(frame) = ClientFrame::decode(bytes) else { return };
    let written = frame.encode();
    let again = ClientFrame::decode(&written).expect("what was written is read");
    // Bytes and not frames: NaN is itself here.
    assert_eq!(again.encode(), written);
});
