//! A connection inside a transaction, or one that reads: rows out, changes in. All that the parts know of a database.

use std::future::Future;

use serde::Serialize;
use weevil_records::StoreError;

use crate::pieces::pieces;
use crate::{Arg, Columns, Fault, Sql};

/// Two implementations, one for each driver. `fetch`, `walk` and `execute` are theirs, the rest follows.
pub(crate) trait Tx: Send {
    type Row: Columns + Send + Sync;

    /// Answers all that a query finds. `rows`, a JSON array, is its first parameter, in front of `args`.
    fn fetch(
        &mut self,
        sql: &Sql,
        rows: Option<String>,
        args: &[Arg<'_>],
    ) -> impl Future<Output = Result<Vec<Self::Row>, Fault>> + Send;

    /// Answers how many rows of the database it met. MySQL's driver asks for rows that match, not for those that
    /// differ afterwards: SQLite counts so.
    fn execute(
        &mut self,
        sql: &Sql,
        rows: Option<String>,
        args: &[Arg<'_>],
    ) -> impl Future<Output = Result<u64, Fault>> + Send;

    /// What a query without rows of its own finds.
    fn found(
        &mut self,
        sql: &Sql,
        args: &[Arg<'_>],
    ) -> impl Future<Output = Result<Vec<Self::Row>, Fault>> + Send {
        self.fetch(sql, None, args)
    }

    /// The first row that it finds.
    fn one(
        &mut self,
        sql: &Sql,
        args: &[Arg<'_>],
    ) -> impl Future<Output = Result<Option<Self::Row>, Fault>> + Send {
        async { Ok(self.fetch(sql, None, args).await?.into_iter().next()) }
    }

    /// Looks at each row of what a query without rows of its own finds; no row is kept.
    fn walk(
        &mut self,
        sql: &Sql,
        args: &[Arg<'_>],
        see: impl FnMut(&Self::Row) -> Result<(), StoreError> + Send,
    ) -> impl Future<Output = Result<(), Fault>> + Send;

    /// Carries out a statement without rows of its own.
    fn run(&mut self, sql: &Sql, args: &[Arg<'_>]) -> impl Future<Output = Result<u64, Fault>> + Send {
        self.execute(sql, None, args)
    }

    /// What a query over rows finds; nothing is asked where there are none. In pieces, like [`Tx::change`].
    fn rows<R: Serialize + Sync>(
        &mut self,
        sql: &Sql,
        rows: &[R],
    ) -> impl Future<Output = Result<Vec<Self::Row>, Fault>> + Send {
        async {
            let mut all = Vec::new();
            for piece in pieces(rows)? {
                let found = self.fetch(sql, Some(piece), &[]).await?;
                if all.is_empty() { all = found } else { all.extend(found) }
            }
            Ok(all)
        }
    }

    /// Carries out a statement over rows; nothing happens where there are none. Pieces follow each other inside one
    /// transaction: all or nothing, but no statement may count on seeing all rows at once.
    fn change<R: Serialize + Sync>(
        &mut self,
        sql: &Sql,
        rows: &[R],
        args: &[Arg<'_>],
    ) -> impl Future<Output = Result<u64, Fault>> + Send {
        async {
            let mut met = 0;
            for piece in pieces(rows)? {
                met += self.execute(sql, Some(piece), args).await?;
            }
            Ok(met)
        }
    }
}
