//! Who lives in a server's database: accounts, projects, their members, and some with tokens and sessions, written past the
//! server. A release that knows no such table is left without.

use std::time::{SystemTime, UNIX_EPOCH};

use weevil_access::{CookieHalf, Secret, SecretHash, SecretKind, ServerSecret};
use weevil_e2e::hostile::Stranger;
use weevil_e2e::{DatabaseKind, TestServer};
use weevil_model::Right;

use crate::bulk::{numbered, series};

pub(crate) const ACCOUNTS: u64 = 10_000;
/// The first one is there already.
pub(crate) const PROJECTS: u64 = 100;
/// The number before the first one's.
const BEFORE: u64 = 1_000_000;
/// Milliseconds since 1970: some time in 2100.
const LATE: i64 = 4_102_444_800_000;

/// What each account is called, before its number.
pub(crate) const NAME: &str = "resident";

/// So many accounts, each a member of one of so many projects.
pub(crate) fn settle(server: &TestServer, kind: DatabaseKind, accounts: u64, projects: u64) {
    let (name, slug) = (numbered(kind, NAME, "i"), numbered(kind, "project", "i"));
    let (many, few, new) = (series(kind, accounts), series(kind, projects - 1), projects - 1);
    let statements = [
        (
            "accounts",
            format!(
                "insert into accounts (id, name, display, admin, created_at)
             select {BEFORE} + i, {name}, 'Resident', 0, 1 from {many} n;"
            ),
        ),
        (
            "projects",
            format!(
                "insert into projects (id, slug, name, created_at) select {BEFORE} + i, {slug}, 'Project', 1 from {few} n;"
            ),
        ),
        (
            "members",
            format!(
                "insert into members (project, account, role, since)
             select {BEFORE} + 1 + i % {new}, {BEFORE} + i, 'researcher', 1 from {many} n;"
            ),
        ),
        (
            "project_usage",
            format!(
                "insert into project_usage (project, replica, open_jobs, stored_bytes)
             select {BEFORE} + i, 0, 0, 0 from {few} n;"
            ),
        ),
    ];
    for (_, statement) in statements.iter().filter(|(table, _)| !server.columns(table).is_empty()) {
        server.sql(statement);
    }
}

/// So many accounts that may everything, each with a token, by hand with it.
pub(crate) fn with_tokens(server: &TestServer, count: u8) -> Vec<Stranger> {
    let secrets: Vec<_> = (1..=count).map(|n| Secret::of_bytes(SecretKind::Token, [n; 32])).collect();
    let scopes: Vec<_> = Right::ALL.iter().map(|right| right.as_str()).collect();
    let rows = secrets.iter().zip(1_u64..).map(|(secret, n)| {
        let (hash, scopes) = (literal(secret.hash()), scopes.join(" "));
        format!("({n}, {hash}, 'token', {n}, '{scopes}', 1, {LATE})")
    });
    server.sql(&format!(
        "{} insert into tokens (id, hash, name, owner, scopes, made_at, expires_at) values {};",
        admins("asker", 1, count),
        rows.collect::<Vec<_>>().join(", ")
    ));
    let bearer = |secret: &Secret| format!("Bearer {}", secret.reveal());
    secrets.iter().map(|secret| server.stranger().with("Authorization", &bearer(secret))).collect()
}

/// So many accounts that may everything, each with a session, by hand with both halves.
pub(crate) fn with_sessions(server: &TestServer, count: u8) -> Vec<Stranger> {
    const FIRST: u64 = 1001;
    let secret = ServerSecret::from_bytes(bytes(&server.rows("select hex(bytes) from secrets").concat()));
    let cookies: Vec<_> = (1..=count).map(|n| CookieHalf::of_bytes([n; 32])).collect();
    let now = now();
    let rows = cookies.iter().zip(FIRST..).map(|(cookie, n)| {
        let hash = literal(cookie.hash());
        format!("({n}, {hash}, {n}, 'private', {now}, {now}, {now}, {now}, {LATE}, 'bench', '127.0.0.1')")
    });
    server.sql(&format!(
        "{} insert into sessions (id, hash, account, face, opened_at, proved_at, halves_at, used_at, ends_at, browser, place)
         values {};",
        admins("sitter", FIRST, count),
        rows.collect::<Vec<_>>().join(", ")
    ));
    let port = server.address.rsplit_once(':').expect("an address has a port").1;
    let halves = |cookie: &CookieHalf| {
        let sent = format!("weevil-{port}={}", cookie.reveal());
        server.stranger().with("Cookie", &sent).with("x-weevil-session-key", &cookie.key(&secret).reveal())
    };
    cookies.iter().map(halves).collect()
}

fn admins(name: &str, first: u64, count: u8) -> String {
    let rows = (first..).take(usize::from(count)).map(|n| format!("({n}, '{name}{n}', 'Admin', 1, 1)"));
    let rows: Vec<_> = rows.collect();
    format!("insert into accounts (id, name, display, admin, created_at) values {};", rows.join(", "))
}

fn literal(hash: SecretHash) -> String {
    let hex = hash.as_bytes().iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    format!("x'{hex}'")
}

/// From their hex digits.
fn bytes(text: &str) -> [u8; 32] {
    std::array::from_fn(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).expect("hex"))
}

/// Milliseconds since 1970.
fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis()
}
