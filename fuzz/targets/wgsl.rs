//! Any text of up to 4 KiB as a kernel: an outline, or mistakes with places inside the text. Never a crash.
//!
//! The compiler works out constants while it reads, and a few of them can ask for any amount of memory and time. So this
//! target is run as the server checks kernels: in a child that may be ended (`-fork=1`, see README.md).

#![no_main]

use libfuzzer_sys::fuzz_target;
use weevil_kernels::check_wgsl;

const MAX_BYTES: usize = 4096;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(&bytes[..bytes.len().min(MAX_BYTES)]) else { return };
    for mistake in check_wgsl(text).err().into_iter().flatten() {
        assert!(text.get(mistake.at).is_some(), "a mistake has its place in the text");
    }
});
