//! What makes copies of a database: a table costs one statement, however many changes have led to it. Tables with their keys
//! and rows, nothing else.

use std::path::Path;

use crate::install;

/// Statements that make in a new database what this one has.
pub(crate) fn statements(folder: &Path, database: &str) -> String {
    let tables = install::sql(
        folder,
        &format!("select table_name from information_schema.tables where table_schema = '{database}'"),
    );
    let mut all = vec!["set foreign_key_checks = 0".to_owned()];
    for table in tables.lines() {
        let shown = install::sql(folder, &format!("show create table {database}.`{table}`"));
        let (_, made) = shown.split_once('\t').expect("a name, and how it is made");
        all.push(made.replace("\\n", "\n"));
        let columns = written_columns(folder, database, table);
        all.push(format!("insert into `{table}` ({columns}) select {columns} from {database}.`{table}`"));
    }
    all.join(";\n")
}

/// Those of a table that are not worked out from others.
fn written_columns(folder: &Path, database: &str, table: &str) -> String {
    install::sql(
        folder,
        &format!(
            "select group_concat('`', column_name, '`') from information_schema.columns
             where table_schema = '{database}' and table_name = '{table}' and is_generated = 'NEVER'"
        ),
    )
    .trim()
    .to_owned()
}
