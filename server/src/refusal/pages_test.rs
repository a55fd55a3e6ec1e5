//! Every code of the table has its page and its row in `docs/errors`, both with its status, and nothing else has a row.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use actix_web::http::StatusCode;

/// Code and status of each line of `Refusal::row`.
fn table() -> BTreeMap<&'static str, u16> {
    let rows =
        include_str!("table.rs").lines().filter_map(|line| line.split_once(" => (\"")?.1.split_once('"'));
    rows.map(|(code, rest)| {
        let name = rest.trim_start_matches(", StatusCode::").trim_end_matches("),");
        (code, status(name).unwrap_or_else(|| panic!("{code}: `{name}` is no status")))
    })
    .collect()
}

/// From `NOT_FOUND`, as its constant is called, to 404.
fn status(name: &str) -> Option<u16> {
    let called =
        |status: StatusCode| status.canonical_reason().map(|reason| reason.to_uppercase().replace(' ', "_"));
    let mut all = (400..600).filter_map(|number| StatusCode::from_u16(number).ok());
    all.find(|status| called(*status).as_deref() == Some(name)).map(|status| status.as_u16())
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
