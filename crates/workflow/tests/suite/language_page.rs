//! docs/language.md has what the checker's tables say.

use std::fs;
use std::path::Path;

const BEGIN: &str = "<!-- language: generated -->\n";
const END: &str = "<!-- end of language -->";

/// `INSTA_UPDATE=always` writes it, as it does snapshots.
#[test]
fn the_page_of_the_language_is_what_the_tables_say() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/language.md");
    let page = fs::read_to_string(&file).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let expected = format!("{before}{BEGIN}\n{}\n{END}{after}", weevil_workflow::reference());
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(&file, &expected).unwrap();
    }
    assert_eq!(page, expected, "INSTA_UPDATE=always cargo test -p weevil-workflow language_page");
}
