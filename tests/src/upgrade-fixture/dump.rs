//! A MariaDB database as statements that make it again, in text: what is no text stands in hex.
//!
//! `mariadb-dump` is no part of what tests need, and would write the release of the client into the file.

use weevil_e2e::MariaDb;

pub(crate) fn dump(mariadb: &MariaDb, database: &str) -> String {
    let ask = |question: &str| -> Vec<String> {
        mariadb.sql(&format!("use {database}; {question}")).lines().map(unescaped).collect()
    };
    let tables = ask(&format!(
        "select table_name from information_schema.tables where table_schema = '{database}' order by 1"
    ));
    let tables = tables.iter().map(|table| dump_table(&ask, database, table));
    format!("set foreign_key_checks = 0;\n\n{}", tables.collect::<String>())
}

fn dump_table(ask: &impl Fn(&str) -> Vec<String>, database: &str, table: &str) -> String {
    let made = ask(&format!("show create table {table}")).concat();
    let made = made.split_once('\t').expect("a name and a statement").1.to_owned();
    let of_table =
        format!("table_schema = '{database}' and table_name = '{table}' and is_generated = 'NEVER'");
    let columns = ask(&format!(
        "select concat('`', column_name, '`') from information_schema.columns where {of_table} order by ordinal_position"
    ));
    let kinds = ask(&format!(
        "select data_type from information_schema.columns where {of_table} order by ordinal_position"
    ));
    let texts: Vec<String> = columns.iter().zip(&kinds).map(|(column, kind)| literal(column, kind)).collect();
    let rows = ask(&format!("select concat_ws(', ', {}) from {table} order by 1", texts.join(", ")));
    if rows.is_empty() {
        return format!("{made};\n\n");
    }
    let rows: Vec<String> = rows.iter().map(|row| format!("({row})")).collect();
    format!("{made};\ninsert into {table} ({}) values\n{};\n\n", columns.join(", "), rows.join(",\n"))
}

/// An expression whose value is the text of the column's value in a statement.
fn literal(column: &str, kind: &str) -> String {
    if kind.ends_with("blob") || kind.ends_with("binary") {
        return format!(
            r"if({column} is null or {column} regexp '^[\n -~]*$', quote({column}), concat('0x', hex({column})))"
        );
    }
    let is_text = ["char", "text", "timestamp"].iter().any(|end| kind.ends_with(end));
    if is_text { format!("quote({column})") } else { format!("ifnull({column}, 'NULL')") }
}

/// A line of the client's batch mode as it was meant.
fn unescaped(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        text.push(match (character, character == '\\') {
            (_, true) => match characters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('0') => '\0',
                Some(other) => other,
                None => '\\',
            },
            (plain, false) => plain,
        });
    }
    text
}
