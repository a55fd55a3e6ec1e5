//! Statements and rows of MySQL as those of any database.

use sqlx::mysql::MySqlRow;
use sqlx::{MySqlConnection, Row};
use weevil_records::StoreError;

use super::retry::failed;
use crate::columns::Columns;
use crate::fault::Fault;
use crate::json::corrupt;
use crate::sql::{Arg, Sql, bound};
use crate::tx::Tx;

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

    async fn execute(&mut self, sql: &Sql, rows: Option<String>, args: &[Arg<'_>]) -> Result<u64, Fault> {
        let query = bound!(sql.mysql, rows, args, str::as_bytes);
        Ok(query.execute(self).await.map_err(failed(sql.doing))?.rows_affected())
    }
}

impl Columns for MySqlRow {
    fn maybe_number(&self, column: &'static str) -> Result<Option<i64>, StoreError> {
        let signed: Result<Option<i64>, sqlx::Error> = self.try_get(column);
        signed.or_else(|_| unsigned(self, column)).map_err(|error| unreadable(&error))
    }

    fn maybe_text(&self, column: &'static str) -> Result<Option<String>, StoreError> {
        self.try_get(column).map_err(|error| unreadable(&error))
    }

    fn maybe_bytes(&self, column: &'static str) -> Result<Option<Vec<u8>>, StoreError> {
        self.try_get(column).map_err(|error| unreadable(&error))
    }

    fn maybe_real(&self, column: &'static str) -> Result<Option<f64>, StoreError> {
        self.try_get(column).map_err(|error| unreadable(&error))
    }
}

/// The driver tells columns that know no negative numbers from the others.
fn unsigned(row: &MySqlRow, column: &'static str) -> Result<Option<i64>, sqlx::Error> {
    row.try_get(column).map(|number: Option<u64>| number.map(u64::cast_signed))
}

/// Reading a row again gives the same.
fn unreadable(error: &sqlx::Error) -> StoreError {
    corrupt(&format!("a column ({error})"))
}
