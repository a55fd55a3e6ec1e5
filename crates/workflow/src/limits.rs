//! The bounds of the workflow language, beside those in `weevil_model::limits`. Each is reached by a test.

use std::ops::RangeInclusive;

/// Problems of one severity that are told one by one; the rest is a number.
pub const MAX_DIAGNOSTICS: usize = 200;
/// Elements of one document: every node with a dozen ports and edges.
pub const MAX_ELEMENTS: usize = 1_500_000;
/// Attributes of one element.
pub const MAX_ATTRIBUTES: usize = 64;
/// Characters of an id.
pub const MAX_ID_CHARS: usize = 100;
/// Bytes of all node paths together: a chain of nodes has paths that grow with the square of its length.
pub const MAX_PATH_BYTES: usize = 64 * 1024 * 1024;
/// Bytes of one file name in a bundle.
pub const MAX_FILE_NAME_BYTES: usize = 255;
/// Entries of a zip archive, counting folders and what is passed over.
pub const MAX_ZIP_ENTRIES: usize = 10_000;
/// Bytes of a code file that is read with a parser; a larger one is run unread.
pub const MAX_CODE_BYTES: usize = 4 * 1024 * 1024;
/// How deeply code may nest to be read with a parser, in units of 64 bytes of its stack: about 200 brackets, 500
/// branches of `else if`, 4000 terms of a sum. Half of the 1 MiB that the smallest stack has.
pub const MAX_CODE_DEPTH: u32 = 8192;
/// Names that a suggestion is chosen from.
pub const MAX_CANDIDATES: usize = 1000;
/// Characters of the document's own text that a message repeats.
pub const MAX_QUOTED_CHARS: usize = 60;

/// Characters of `project`: a name.
pub const MAX_PROJECT_CHARS: usize = 100;
/// Characters of `question`: a sentence.
pub const MAX_QUESTION_CHARS: usize = 300;
/// Characters of `link`, which are bytes as well.
pub const MAX_LINK_CHARS: usize = 500;

/// What `priority` may say; 0 without it.
pub const PRIORITY: RangeInclusive<i32> = -50_000..=50_000;
/// What `timeout` may say, in seconds.
pub const TIMEOUT_SECONDS: RangeInclusive<i32> = 1..=86_400;
/// What `retries` may say.
pub const RETRIES: RangeInclusive<i32> = 0..=20;
