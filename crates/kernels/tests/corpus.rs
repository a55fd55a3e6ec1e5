//! What the fuzzer of kernels begins with, replayed: each file is a kernel, or has mistakes with places inside its text.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::Path;
use std::thread;

use weevil_kernels::check_wgsl;

/// The kernels; the other files have mistakes.
const SOUND: &[&str] = &[
    "add.wgsl",
    "atomics.wgsl",
    "block-comments.wgsl",
    "constant-overflow.wgsl",
    "diagnostic.wgsl",
    "enable.wgsl",
    "endless-loop.wgsl",
    "functions.wgsl",
    "long-sum.wgsl",
    "loop.wgsl",
    "matrices.wgsl",
    "nested-blocks.wgsl",
    "nested-parentheses.wgsl",
    "override.wgsl",
    "saxpy.wgsl",
    "structs.wgsl",
    "switch.wgsl",
    "unicode-names.wgsl",
    "uniform.wgsl",
    "workgroup-memory.wgsl",
];

/// What the main thread of a process has: without optimisation the compiler's recursion takes more than a thread's usual
/// two, for a hundred blocks in one another.
const STACK_BYTES: usize = 8 * 1024 * 1024;

#[test]
fn texts_are_kernels_or_have_mistakes() {
    let replaying = thread::Builder::new().stack_size(STACK_BYTES).spawn(replay);
    assert_eq!(replaying.unwrap().join().unwrap(), SOUND);
}

fn replay() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/wgsl");
    let mut sound = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        let mistakes = check_wgsl(&text).err().unwrap_or_default();
        for mistake in &mistakes {
            assert!(
                text.get(mistake.at.clone()).is_some() && !mistake.message.is_empty(),
                "{name}: {mistake:?}"
            );
        }
        if mistakes.is_empty() {
            sound.push(name);
        }
    }
    sound.sort_unstable();
    sound
}
