//! A file line by line: one of them is in memory at a time, and no longer than a certificate may have it.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use weevil_trust::certificate::{Broken, Flaw, MAX_LINE_BYTES};

/// Bytes of a line and its end at most.
const MOST: u64 = MAX_LINE_BYTES as u64 + 1;

/// Hands each line over, without its end. The outer error: the file cannot be read.
pub(super) fn each(
    path: &Path,
    mut line: impl FnMut(&[u8]) -> Result<(), Broken>,
) -> Result<Result<(), Broken>, String> {
    let fail = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let mut file = BufReader::new(File::open(path).map_err(fail)?);
    let (mut bytes, mut number) = (Vec::new(), 0_u64);
    loop {
        bytes.clear();
        number += 1;
        if file.by_ref().take(MOST).read_until(b'\n', &mut bytes).map_err(fail)? == 0 {
            return Ok(Ok(()));
        }
        let Some(text) = bytes.strip_suffix(b"\n") else {
            return Ok(Err(endless(bytes.len()).at(number)));
        };
        if let Err(broken) = line(text) {
            return Ok(Err(broken));
        }
    }
}

fn endless(bytes: usize) -> Flaw {
    let expected = format!("an end after {MAX_LINE_BYTES} bytes at most");
    let is_long = bytes > MAX_LINE_BYTES;
    let found = if is_long { "more bytes".to_owned() } else { format!("the end of the file after {bytes}") };
    Flaw::new("the line", expected, found)
}
