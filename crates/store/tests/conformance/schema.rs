//! Which tables and columns a database has, and what of them only one kind of database knows.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::mysql::MySqlConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions};

use crate::databases::{Kind, TestDatabase};

/// Tables that no snapshot shows, and why.
const TABLES_LEFT_OUT: [(&str, &str); 4] = [
    ("_sqlx_migrations", "checksums and times of migrations, which are no state of the queue"),
    ("large_values", "SQLite's own: they are shown in the rows that they belong to"),
    ("project_usage", "what all others come to, which the audit compares after each step"),
    ("writers", "MySQL's own: random names of servers, each with its last transaction"),
];

/// Columns that no snapshot shows, and why: all of them MySQL's own.
const COLUMNS_LEFT_OUT: [(&str, &str, &str); 9] = [
    ("attempts", "logged_at", "generated: MySQL has no index of some rows"),
    ("blobs", "size", "generated: to measure a blob, MySQL would read it"),
    ("jobs", "alone_at", "generated: MySQL has no index of some rows"),
    ("jobs", "identity", "generated: the hash of the path, since no index takes a long text"),
    ("jobs", "queue_key", "generated: the same for stand-alone jobs"),
    ("jobs", "troubled_run", "generated: MySQL has no index of some rows"),
    ("records", "standing", "generated: MySQL has no index of an expression"),
    ("runs", "name_key", "generated: the name, since no index takes a long text"),
    ("workflow_names", "identity", "the hash of the name, since no index takes a long text"),
];

const SQLITE: &str = "
select t.name || '.' || c.name from sqlite_master t join pragma_table_info(t.name) c where t.type = 'table'";

const MYSQL: &str = "
select concat(table_name, '.', column_name) from information_schema.columns where table_schema = database()";

/// The columns of each table, without what is left out.
pub(crate) async fn schema(database: &TestDatabase, kind: Kind) -> BTreeMap<String, BTreeSet<String>> {
    let mut schema: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for place in columns(database, kind).await {
        let (table, column) = place.split_once('.').unwrap();
        let left_out = TABLES_LEFT_OUT.iter().any(|(name, _)| *name == table)
            || COLUMNS_LEFT_OUT.iter().any(|(name, of, _)| (*name, *of) == (table, column));
        if !left_out {
            schema.entry(table.to_owned()).or_default().insert(column.to_owned());
        }
    }
    schema
}

async fn columns(database: &TestDatabase, kind: Kind) -> Vec<String> {
    database.texts(if kind == Kind::Sqlite { SQLITE } else { MYSQL }).await
}

impl TestDatabase {
    /// The first column of each row that a query answers: a text.
    pub(crate) async fn texts(&self, query: &str) -> Vec<String> {
        let text = AssertSqlSafe(query.to_owned());
        if let Some(path) = self.address.strip_prefix("sqlite:") {
            let mut raw = SqliteConnectOptions::new().filename(path).connect().await.unwrap();
            return sqlx::query_scalar(text).fetch_all(&mut raw).await.unwrap();
        }
        let mut raw = self.address.parse::<MySqlConnectOptions>().unwrap().connect().await.unwrap();
        sqlx::query_scalar(text).fetch_all(&mut raw).await.unwrap()
    }
}

#[tokio::test]
async fn both_databases_have_the_same_columns_but_for_those_that_are_named() {
    let mut schemas = Vec::new();
    for kind in [Kind::Sqlite, Kind::MariaDb] {
        let database = TestDatabase::new(kind);
        drop(database.open().await);
        let all: BTreeSet<String> = columns(&database, kind).await.into_iter().collect();
        schemas.push((all, schema(&database, kind).await));
    }
    let [(sqlite, shown), (mysql, also_shown)] = schemas.try_into().unwrap();
    assert_eq!(shown, also_shown);
    let table = |name: &str| name.split_once('.').unwrap().0.to_owned();
    let left_out: BTreeSet<String> = sqlite
        .symmetric_difference(&mysql)
        .chain(sqlite.iter().filter(|name| ["_sqlx_migrations", "project_usage"].contains(&&*table(name))))
        .map(
            |name| {
                if TABLES_LEFT_OUT.iter().any(|(t, _)| *t == table(name)) {
                    table(name)
                } else {
                    name.clone()
                }
            },
        )
        .collect();
    let tables = TABLES_LEFT_OUT.iter().map(|(name, _)| (*name).to_owned());
    let columns = COLUMNS_LEFT_OUT.iter().map(|(table, column, _)| format!("{table}.{column}"));
    assert_eq!(left_out, tables.chain(columns).collect(), "none is left out without need");
}
