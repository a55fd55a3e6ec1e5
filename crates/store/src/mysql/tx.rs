//! Statements and rows of MySQL as those of any database.

use futures_util::TryStreamExt;
use sqlx::mysql::MySqlRow;
use sqlx::{MySqlConnection, Row};
use weevil_records::StoreError;

use super::retry::failed;
use crate::columns::{columns, unreadable};
use crate::sql::{Arg, Sql, bound};
use crate::{Fault, Tx};

impl Tx for MySqlConnection {
    type Row = MySqlRow;

    async fn fetch(
        &mut self,
        sql: &Sql,
        rows: Option<String>,
        args: &[Arg<'_>],
    ) -> Result<Vec<MySqlRow>, Fault> {
        let query = bound!(sql.mysql, rows, args, str::as_bytes);
        query.fetch_all(self).await.map_err(failed(sql.doing))
    }

    async fn walk(
        &mut self,
        sql: &Sql,
        args: &[Arg<'_>],
        mut see: impl FnMut(&MySqlRow) -> Result<(), StoreError> + Send,
    ) -> Result<(), Fault> {
        let mut rows = bound!(sql.mysql, None::<String>, args, str::as_bytes).fetch(self);
        while let Some(row) = rows.try_next().await.map_err(failed(sql.doing))? {
            see(&row)?;
        }
        Ok(())
    }

    async fn execute(&mut self, sql: &Sql, rows: Option<String>, args: &[Arg<'_>]) -> Result<u64, Fault> {
        let query = bound!(sql.mysql, rows, args, str::as_bytes);
        Ok(query.execute(self).await.map_err(failed(sql.doing))?.rows_affected())
    }
}

columns!(MySqlRow, number);

/// The driver tells columns that know no negative numbers from the others.
fn number(row: &MySqlRow, column: &'static str) -> Result<Option<i64>, sqlx::Error> {
    let unsigned = || row.try_get(column).map(|number: Option<u64>| number.map(u64::cast_signed));
    row.try_get(column).or_else(|_| unsigned())
}
