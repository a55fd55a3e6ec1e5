//! What checking and converting takes of memory, counted at the allocator.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use dhat::{Alloc, HeapStats, Profiler};
use weevil_model::Encoded;
use weevil_model::limits::MAX_VALUE_BYTES;

#[global_allocator]
static COUNTED: Alloc = Alloc;

/// What an `Arc` of bytes takes beside them: its two counts, and padding.
const ARC_BYTES: usize = 24;

/// How many allocations the work makes, and the most bytes that they hold at a time.
struct Taken {
    blocks: u64,
    bytes: usize,
}

fn taken(work: impl FnOnce()) -> Taken {
    let _counting = Profiler::builder().testing().build();
    let before = HeapStats::get().total_blocks;
    work();
    let after = HeapStats::get();
    Taken { blocks: after.total_blocks - before, bytes: after.max_bytes }
}

/// An array of as many such elements as a value may have.
fn many(element: &[u8]) -> Vec<u8> {
    let count = (MAX_VALUE_BYTES - 5) / element.len();
    [b"\x9a", &u32::try_from(count).unwrap().to_be_bytes()[..], &element.repeat(count)].concat()
}

/// One test, because there is one allocator.
#[test]
fn memory_follows_from_the_length_alone() {
    let mut text = many(b"a");
    text[0] = 0x7a;
    for (value, what) in [
        (many(b"\x00"), "one-byte numbers"),
        (many(b"\x80"), "empty arrays"),
        (many(b"\xa1\x60\x80"), "objects of an empty array"),
        (many(b"\x61a"), "short texts"),
        (text, "one text"),
    ] {
        let taken = taken(|| drop(Encoded::checked(&value).unwrap()));
        assert_eq!(taken.blocks, 1, "{what}");
        assert!(taken.bytes <= value.len() + ARC_BYTES, "{what}: {} for {}", taken.bytes, value.len());
    }
}
