//! Bounds of who comes in and what they may hold. It never enforces one: the file that a bound belongs to does.

use std::ops::RangeInclusive;

/// Milliseconds in which a session counts as freshly proved: 15 minutes.
pub const FRESH_MS: i64 = 900_000;
/// Milliseconds after which a session gets new halves: 24 hours.
pub const RENEW_HALVES_MS: i64 = 86_400_000;
/// Milliseconds that the halves before go on, for requests that are under way.
pub const REPLACED_HALVES_MS: i64 = 60_000;
/// Milliseconds between two notes of a session's or a token's last use.
pub const NOTE_USE_MS: i64 = 60_000;
/// Sessions of one account; the oldest makes room.
pub const MAX_SESSIONS: usize = 50;
/// Milliseconds that a browser counts as known to an account: 180 days.
pub const KNOWN_BROWSER_MS: i64 = 15_552_000_000;
/// Bytes of a `Cookie` header that are read; of a longer one nothing.
pub const MAX_COOKIE_BYTES: usize = 4096;
/// Characters of an account's name.
pub const ACCOUNT_NAME_CHARS: RangeInclusive<usize> = 3..=64;
/// Characters of a project's short name.
pub const PROJECT_SLUG_CHARS: RangeInclusive<usize> = 2..=40;
/// Characters of a name that is only shown: of an account, a project, a token.
pub const TITLE_CHARS: RangeInclusive<usize> = 1..=100;
/// Failures in an hour of a browser that has signed in to the account before.
pub const KNOWN_BROWSER_FAILURES: usize = 10;
/// Failures in an hour of one place at one account.
pub const PLACE_AT_ACCOUNT_FAILURES: usize = 5;
/// Failures in an hour of one place at an account that is under attack.
pub const PLACE_AT_ATTACKED_FAILURES: usize = 2;
/// Failures in ten minutes of one place at whatever accounts, names and links.
pub const PLACE_FAILURES: usize = 30;
/// Failures in a day from which on an account counts as under attack.
pub const ATTACK_FAILURES: u32 = 1000;
/// Entries of the throttle; the least recently used makes room.
pub const MAX_THROTTLE_ENTRIES: usize = 100_000;
/// Characters of a new password, after NFC.
pub const PASSWORD_CHARS: RangeInclusive<usize> = 12..=256;
/// Characters of a password that are estimated.
pub const ESTIMATED_CHARS: usize = 100;
/// Bytes of a line in a list of breached passwords: a SHA-1 in hex, a colon, a count.
pub const MAX_BREACHED_LINE_BYTES: usize = 128;
/// Milliseconds of a link for the first admin: 24 hours.
pub const FIRST_ADMIN_LINK_MS: i64 = 86_400_000;
/// Hours that an invitation may be good for.
pub const INVITE_HOURS: RangeInclusive<u32> = 1..=720;
/// Hours of an invitation that says nothing of it: a week.
pub const INVITE_HOURS_UNASKED: u32 = 168;
/// Milliseconds of a link that sets a new password: 24 hours.
pub const RESET_LINK_MS: i64 = 86_400_000;
/// Milliseconds of the link to the console that a server prints when it starts: an hour.
pub const START_LINK_MS: i64 = 3_600_000;
/// Milliseconds of a link to the console that somebody asks for: five minutes.
pub const CONSOLE_LINK_MS: i64 = 300_000;
/// Days that a token may be good for.
pub const TOKEN_DAYS: RangeInclusive<u32> = 1..=366;
/// Days of a token that says nothing of it.
pub const TOKEN_DAYS_UNASKED: u32 = 90;
/// Milliseconds in which a program's login is approved: ten minutes.
pub const DEVICE_LOGIN_MS: i64 = 600_000;
/// Milliseconds between two questions of a program that waits for its login.
pub const DEVICE_LOGIN_ASK_MS: i64 = 2000;
/// Programs that wait at a time to be let in; beyond it the oldest of the place with the most goes.
pub const MAX_DEVICE_LOGINS: usize = 1000;
/// Programs of one place that wait at a time.
pub const MAX_DEVICE_LOGINS_OF_PLACE: usize = 10;
/// Requests in a minute that read, of one subject.
pub const READS_A_MINUTE: u32 = 1200;
/// Requests in a minute that change something, of one subject.
pub const WRITES_A_MINUTE: u32 = 300;
/// Requests in a minute that put in work, of one subject.
pub const SUBMITS_A_MINUTE: u32 = 600;
/// Streams of events that one subject holds open.
pub const MAX_STREAMS: usize = 32;
/// Buckets of one rate; the least recently used makes room.
pub const MAX_BUCKETS: usize = 100_000;
/// Tokens of one account that are neither revoked nor expired.
pub const MAX_LIVE_TOKENS: u32 = 100;
/// Invitations that nobody has used and that have not expired.
pub const MAX_OPEN_INVITES: u32 = 1000;
/// Projects of a server.
pub const MAX_PROJECTS: u32 = 1000;
/// The largest quota: beyond it not every reader of JSON tells one number from the next (RFC 8259, section 6).
pub const MAX_QUOTA: u64 = 9_007_199_254_740_991;
/// Members of a project.
pub const MAX_MEMBERS: u32 = 1000;
/// Characters kept of the subject of an audit row.
pub const MAX_AUDIT_SUBJECT_CHARS: usize = 200;
/// Characters kept of the details of an audit row.
pub const MAX_AUDIT_DETAILS_CHARS: usize = 4000;
/// Milliseconds of a session of this machine's owner at most: two weeks.
pub const LOCAL_SESSION_MS: i64 = 1_209_600_000;
/// Milliseconds that such a session may be idle: twelve hours.
pub const LOCAL_SESSION_IDLE_MS: i64 = 43_200_000;
/// Open sessions of this machine's owner; the oldest goes.
pub const MAX_LOCAL_SESSIONS: usize = 50;
/// Links of this machine's owner that nobody has opened; the oldest goes.
pub const MAX_LOCAL_LINKS: usize = 20;
