//! Statements and rows of SQLite as those of any database. An error never passes by itself here: nobody else writes.

use futures_util::TryStreamExt;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};
use weevil_records::StoreError;

use crate::columns::{columns, unreadable};
use crate::sql::{Arg, Sql, bound};
use crate::{Fault, Tx};

/// Result codes that the same statement meets again, whenever it is tried: ERROR, TOOBIG, CONSTRAINT, MISMATCH, RANGE
/// (<https://sqlite.org/rescode.html>).
const REFUSALS: [i32; 5] = [1, 18, 19, 20, 25];

/// Wraps an error of the driver with what was being done.
pub(super) fn failed(doing: &'static str) -> impl Fn(sqlx::Error) -> Fault {
    move |error| {
        let cause = error.to_string();
        let told = if lasts(&error) {
            StoreError::Refused { doing, cause }
        } else {
            StoreError::Failed { doing, cause }
        };
        Fault::Lasting(told)
    }
}

/// An extended code has the code in its last eight bits.
fn lasts(error: &sqlx::Error) -> bool {
    let sqlx::Error::Database(refusal) = error else { return false };
    let code = refusal.code().and_then(|code| code.parse::<i32>().ok());
    code.is_some_and(|code| REFUSALS.contains(&(code & 0xff)))
}

impl Tx for SqliteConnection {
    type Row = SqliteRow;

    async fn fetch(
        &mut self,
        sql: &Sql,
        rows: Option<String>,
        args: &[Arg<'_>],
    ) -> Result<Vec<SqliteRow>, Fault> {
        let query = bound!(sql.sqlite, rows, args, std::convert::identity);
        query.fetch_all(self).await.map_err(failed(sql.doing))
    }

    async fn walk(
        &mut self,
        sql: &Sql,
        args: &[Arg<'_>],
        mut see: impl FnMut(&SqliteRow) -> Result<(), StoreError> + Send,
    ) -> Result<(), Fault> {
        let mut rows = bound!(sql.sqlite, None::<String>, args, std::convert::identity).fetch(self);
        while let Some(row) = rows.try_next().await.map_err(failed(sql.doing))? {
            see(&row)?;
        }
        Ok(())
    }

    async fn execute(&mut self, sql: &Sql, rows: Option<String>, args: &[Arg<'_>]) -> Result<u64, Fault> {
        let query = bound!(sql.sqlite, rows, args, std::convert::identity);
        Ok(query.execute(self).await.map_err(failed(sql.doing))?.rows_affected())
    }
}

columns!(SqliteRow, Row::try_get);
