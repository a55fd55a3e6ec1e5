//! Bounds of who comes in and what they may hold. It never enforces one: the file that a bound belongs to does.

use std::ops::RangeInclusive;

/// Bytes of a `Cookie` header that are read; of a longer one nothing.
pub const MAX_COOKIE_BYTES: usize = 4096;
/// Characters of an account's name.
pub const ACCOUNT_NAME_CHARS: RangeInclusive<usize> = 3..=64;
/// Characters of a project's short name.
pub const PROJECT_SLUG_CHARS: RangeInclusive<usize> = 2..=40;
/// Characters of a name that is only shown: of an account, a project, a token.
pub const TITLE_CHARS: RangeInclusive<usize> = 1..=100;
/// Characters of a new password, after NFC.
pub const PASSWORD_CHARS: RangeInclusive<usize> = 12..=256;
/// Characters of a password that are estimated.
pub const ESTIMATED_CHARS: usize = 100;
/// Bytes of a line in a list of breached passwords: a SHA-1 in hex, a colon, a count.
pub const MAX_BREACHED_LINE_BYTES: usize = 128;
