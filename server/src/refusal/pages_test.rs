//! Every code of the table has its page and its row in `docs/errors`, both with its status, and nothing else has a row.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use weevil_api::routes::Operation;

use super::Refusal;

/// Code and status of each row; several rows may have one code.
fn table() -> BTreeMap<&'static str, u16> {
    Refusal::ROWS.iter().map(|(code, status)| (*code, status.as_u16())).collect()
}

#[test]
fn a_code_has_one_status() {
    let table = table();
    for (code, status) in Refusal::ROWS {
        assert_eq!(table[code], status.as_u16(), "{code}");
    }
}

#[test]
fn a_row_refuses_by_codes_of_the_table() {
    let table = table();
    for operation in Operation::ALL {
        for code in operation.row().refusals {
            assert!(table.contains_key(code), "{operation:?}: {code}");
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/errors")
}

fn read(page: &str) -> String {
    std::fs::read_to_string(folder().join(page)).unwrap_or_else(|error| panic!("docs/errors/{page}: {error}"))
}

#[test]
fn each_code_has_its_row() {
    let index = read("README.md");
    let rows = index.lines().filter_map(|line| line.strip_prefix("| [`")?.split_once("`]("));
    let rows: BTreeMap<&str, u16> = rows
        .map(|(code, rest)| {
            let rest = rest
                .strip_prefix(&format!("{code}.md) | "))
                .unwrap_or_else(|| panic!("{code}: another page"));
            (code, rest[..3].parse().unwrap_or_else(|_| panic!("{code}: no status")))
        })
        .collect();
    assert_eq!(rows, table());
    assert!(rows.len() > 30, "{rows:?}");
}

#[test]
fn each_code_has_its_page() {
    for (code, status) in table() {
        let page = read(&format!("{code}.md"));
        let head = format!("# {code}: ");
        assert!(page.starts_with(&head) && page.contains(&format!("\n\nStatus {status}")), "{code}: {page}");
        for part in ["**What it means.**", "**Why.**", "**Cure.**"] {
            assert!(page.contains(part), "{code} has no {part}");
        }
    }
}
