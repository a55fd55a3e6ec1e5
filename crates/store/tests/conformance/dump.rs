//! All rows of a database as text that is the same on every database: ids, tokens and hashes are numbered as they appear,
//! moments told from the bed's clock.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use weevil_model::Encoded;

use crate::bed::Bed;
use crate::databases::Kind;
use crate::schema::schema;

/// Tables and columns that come first, so that ids are numbered as people think of them.
const FIRST_TABLES: [&str; 3] = ["runs", "jobs", "attempts"];
const FIRST_COLUMNS: [&str; 8] = ["id", "job", "number", "run", "queue", "path", "name", "node"];

/// Columns of a line, beyond which a row has a line for each.
const LINE: usize = 100;
/// Characters of a value; a longer one is told by its size.
const VALUE: usize = 60;

/// Bytes of each column by its name, null left out.
type Row = BTreeMap<String, Vec<u8>>;

/// What a snapshot of this moment holds.
pub(crate) async fn dump(bed: &Bed) -> String {
    let kind = if bed.database.address.starts_with("sqlite:") { Kind::Sqlite } else { Kind::MariaDb };
    let schema = schema(&bed.database, kind).await;
    let mut text = String::new();
    let mut names = Names { now: bed.now.0, ..Names::default() };
    let mut empty = Vec::new();
    for table in first(schema.keys(), &FIRST_TABLES) {
        let columns = first(schema[table].iter(), &FIRST_COLUMNS);
        let rows = rows(bed, kind, table, &columns).await;
        if rows.is_empty() {
            empty.push(table);
            continue;
        }
        writeln!(text, "{table}").unwrap();
        for row in rows {
            let cells = columns.iter().filter_map(|column| {
                Some(format!("{column}: {}", names.cell(table, column, row.get(*column)?)))
            });
            let cells: Vec<String> = cells.collect();
            let line = cells.join(", ");
            let line = if line.len() <= LINE { line } else { cells.join("\n  ") };
            writeln!(text, "- {line}").unwrap();
        }
    }
    empty.sort_unstable();
    writeln!(text, "empty: {}", empty.join(", ")).unwrap();
    text
}

fn first<'a>(all: impl Iterator<Item = &'a String>, first: &[&str]) -> Vec<&'a str> {
    let mut all: Vec<&str> = all.map(String::as_str).collect();
    all.sort_by_key(|name| first.iter().position(|each| each == name).unwrap_or(usize::MAX));
    all
}

/// Sorted by the columns, each by its length first: as numbers are.
async fn rows(bed: &Bed, kind: Kind, table: &str, columns: &[&str]) -> Vec<Row> {
    let bytes = if kind == Kind::Sqlite { "blob" } else { "binary" };
    let cells: Vec<String> = columns
        .iter()
        .map(|column| {
            let whole = whole(kind, table, column);
            format!("'{column}', case when {whole} is not null then hex(cast({whole} as {bytes})) end")
        })
        .collect();
    let query = format!("select json_object({}) from `{table}`", cells.join(", "));
    let mut rows: Vec<Row> = bed.database.texts(&query).await.iter().map(|row| read(row)).collect();
    rows.sort_by_key(|row| {
        let cells = columns.iter().map(|column| row.get(*column).map(|cell| (cell.len(), cell.clone())));
        cells.collect::<Vec<_>>()
    });
    rows
}

/// SQLite keeps large values beside their rows.
fn whole(kind: Kind, table: &str, column: &str) -> String {
    let role = match (kind, table, column) {
        (Kind::Sqlite, "jobs", "input") => 0,
        (Kind::Sqlite, "jobs", "result") => 1,
        _ => return format!("`{column}`"),
    };
    format!("coalesce((select bytes from large_values where job = jobs.id and role = {role}), {column})")
}

fn read(row: &str) -> Row {
    let cells: BTreeMap<String, Option<String>> = serde_json::from_str(row).unwrap();
    cells.into_iter().filter_map(|(column, cell)| Some((column, hex::decode(cell?).unwrap()))).collect()
}

/// What was named before, by what it is and its bytes.
#[derive(Default)]
struct Names {
    now: i64,
    known: HashMap<(&'static str, Vec<u8>), usize>,
    counted: HashMap<&'static str, usize>,
}

impl Names {
    fn cell(&mut self, table: &str, column: &str, bytes: &[u8]) -> String {
        match (table, column) {
            ("jobs", "id" | "reused") | (_, "job") => self.name("job", bytes),
            ("runs", "id") | (_, "run") => self.name("run", bytes),
            (_, "token") => self.name("token", bytes),
            (_, "hash" | "code" | "blob" | "workflow" | "fingerprint" | "digest" | "salt") => {
                self.name("hash", bytes)
            }
            ("answers", "network") => self.name("network", bytes),
            (_, "input" | "result" | "value") => value(bytes),
            (_, "flops" | "progress" | "wrong") => text(bytes).parse::<f64>().unwrap().to_string(),
            (_, column) if is_moment(column) => self.moment(text(bytes).parse().unwrap()),
            _ => plain(bytes),
        }
    }

    fn name(&mut self, what: &'static str, bytes: &[u8]) -> String {
        let number = *self.known.entry((what, bytes.to_vec())).or_insert_with(|| {
            let counted = self.counted.entry(what).or_default();
            *counted += 1;
            *counted
        });
        format!("{what} {number}")
    }

    fn moment(&self, at: i64) -> String {
        match at - self.now {
            0 => "now".into(),
            ms => format!("now {} {}", if ms < 0 { '-' } else { '+' }, ms.abs()),
        }
    }
}

fn is_moment(column: &str) -> bool {
    column.ends_with("_at") || column.ends_with("_seen") || column == "since"
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn plain(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.parse::<i64>().is_ok() => text.to_owned(),
        Ok(text) => format!("{text:?}"),
        Err(_) => format!("x{}", hex::encode(bytes)),
    }
}

fn value(bytes: &[u8]) -> String {
    let value = format!("{:?}", Encoded::checked(bytes).unwrap().value().unwrap());
    if value.len() <= VALUE { value } else { format!("{}.. of {} bytes", &value[..VALUE / 2], bytes.len()) }
}
