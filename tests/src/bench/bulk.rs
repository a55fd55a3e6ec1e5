//! Rows in bulk, made by the database itself: a series to count by, and rows of a table again and again. The columns are
//! asked for, so a migration that adds one changes nothing here.

use weevil_e2e::{DatabaseKind, TestServer};

/// A table of one column `i`, from 1 on, for a `from`.
pub(crate) fn series(kind: DatabaseKind, last: u64) -> String {
    match kind {
        DatabaseKind::Sqlite => format!(
            "(with recursive n (i) as (values (1) union all select i + 1 from n where i < {last}) select i from n)"
        ),
        DatabaseKind::MariaDb => format!("(select seq as i from seq_1_to_{last})"),
    }
}

/// A word with the number that this column holds behind it.
pub(crate) fn numbered(kind: DatabaseKind, word: &str, column: &str) -> String {
    match kind {
        DatabaseKind::Sqlite => format!("'{word}' || {column}"),
        DatabaseKind::MariaDb => format!("concat('{word}', {column})"),
    }
}

/// Statements in one transaction that looks after no reference.
pub(crate) fn at_once(kind: DatabaseKind, statements: &str) -> String {
    let free = match kind {
        DatabaseKind::Sqlite => "pragma foreign_keys = off",
        DatabaseKind::MariaDb => "set foreign_key_checks = 0",
    };
    format!("{free}; begin; {statements} commit;")
}

/// A statement that puts rows of a table in again, from what follows `from`, where they are called `t`; the columns named here
/// hold what stands behind them.
pub(crate) fn again(server: &TestServer, table: &str, told: &[(&str, &str)], from: &str) -> String {
    let columns = server.columns(table);
    let value = |column: &String| {
        let other = told.iter().find(|(name, _)| name == column);
        other.map_or_else(|| format!("t.`{column}`"), |(_, value)| (*value).to_owned())
    };
    let values: Vec<_> = columns.iter().map(value).collect();
    let names: Vec<_> = columns.iter().map(|column| format!("`{column}`")).collect();
    format!("insert into {table} ({}) select {} from {from};", names.join(", "), values.join(", "))
}
