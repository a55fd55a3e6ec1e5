//! A statement: both texts, what is being done by it, and what it is given. Never knows a driver.

use weevil_model::Timestamp;

/// One statement in the words of both databases, with the same parameters in the same order: first its rows as
/// JSON, where it has any. Each text is a constant, so a connection prepares it once (ADR 0013). `both!` makes two of
/// one text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sql {
    /// What the database was doing where it failed, after "while".
    pub(crate) doing: &'static str,
    pub(crate) sqlite: &'static str,
    pub(crate) mysql: &'static str,
}

impl Sql {
    /// A text that both understand, or that only one of them is ever given. Parameters are bare `?` there, each
    /// bound in its turn; numbered ones, which SQLite may repeat, need a text of their own.
    pub(crate) const fn of(doing: &'static str, text: &'static str) -> Self {
        Self { doing, sqlite: text, mysql: text }
    }
}

/// A parameter.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Arg<'a> {
    /// Ids, counts, moments in milliseconds since 1970, and seeds as the signed number with the same 64 bits.
    Number(Option<i64>),
    Real(f64),
    Text(Option<&'a str>),
    /// A text that MySQL keeps, and compares, as bytes: as SQLite compares every text.
    Key(&'a str),
    /// As they are, at half the length that they have as hexadecimal in a row.
    Bytes(Option<&'a [u8]>),
}

impl From<i64> for Arg<'_> {
    fn from(number: i64) -> Self {
        Self::Number(Some(number))
    }
}

impl From<u32> for Arg<'_> {
    fn from(number: u32) -> Self {
        Self::Number(Some(number.into()))
    }
}

impl From<Timestamp> for Arg<'_> {
    fn from(moment: Timestamp) -> Self {
        Self::Number(Some(moment.0))
    }
}

impl<'a> From<&'a str> for Arg<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Some(text))
    }
}

impl<'a> From<&'a [u8]> for Arg<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(Some(bytes))
    }
}

/// A query of sqlx with its rows and its parameters. A macro, since nothing is generic over sqlx's own traits.
macro_rules! bound {
    ($text:expr, $rows:expr, $args:expr, $key:expr) => {{
        let mut query = sqlx::query($text);
        if let Some(rows) = $rows {
            query = query.bind(rows);
        }
        for arg in $args {
            query = match *arg {
                Arg::Number(number) => query.bind(number),
                Arg::Real(real) => query.bind(real),
                Arg::Text(text) => query.bind(text),
                Arg::Key(text) => query.bind($key(text)),
                Arg::Bytes(bytes) => query.bind(bytes),
            };
        }
        query
    }};
}
pub(crate) use bound;
