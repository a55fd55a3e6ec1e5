//! The editor's table of the language is the checker's.

use std::fs;
use std::path::Path;

use weevil_workflow::schema_typescript;

#[test]
fn the_editors_table_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/console/editor/schema.gen.ts");
    let found = fs::read_to_string(path).unwrap_or_default();
    assert!(
        found == schema_typescript(),
        "it differs from crates/workflow/src/check/schema.rs: cargo xtask codegen"
    );
}
