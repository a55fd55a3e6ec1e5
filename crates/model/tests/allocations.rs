//! What checking and converting takes of memory, counted at the allocator.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use dhat::{Alloc, HeapStats, Profiler};
use weevil_model::json_stream::MAX_PIECE_BYTES;
use weevil_model::{Encoded, JsonPieces};

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

/// Bytes of a value, and of a JSON text: enough that whatever is kept of each element stands out.
const LARGE: usize = 1 << 20;

/// A large array of such elements.
fn many(element: &[u8]) -> Vec<u8> {
    let count = LARGE / element.len();
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
        checking_takes_what_it_keeps(&value, what);
        telling_takes_a_piece(value, what);
    }
    for (element, what) in
        [("[]", "empty arrays"), ("0", "numbers"), (r#"{"":[]}"#, "objects"), ("0.5", "fractions")]
    {
        reading_json_takes_its_result(element, what);
    }
}

fn checking_takes_what_it_keeps(value: &[u8], what: &str) {
    let taken = taken(|| drop(Encoded::checked(value).unwrap()));
    assert_eq!(taken.blocks, 1, "{what}");
    assert!(taken.bytes <= value.len() + ARC_BYTES, "{what}: {} for {}", taken.bytes, value.len());
}

fn telling_takes_a_piece(value: Vec<u8>, what: &str) {
    let whole = Encoded::trusted(value);
    let taken = taken(|| {
        let told: usize = JsonPieces::of(&whole).unwrap().map(|piece| piece.len()).sum();
        assert!(told > whole.as_bytes().len() / 2, "{what}");
    });
    assert!(taken.bytes <= 2 * MAX_PIECE_BYTES, "{what}: {}", taken.bytes);
}

fn reading_json_takes_its_result(element: &str, what: &str) {
    let count = LARGE / (element.len() + 1);
    let text = format!("[{element}{}]", format!(",{element}").repeat(count));
    let mut result = 0;
    let taken = taken(|| result = Encoded::of_json_text(&text).unwrap().as_bytes().len());
    // Room as for the text, or twice the result as it grows, and the result behind its count.
    assert!(taken.bytes <= text.len() + 3 * result, "{what}: {} for {result}", taken.bytes);
}
