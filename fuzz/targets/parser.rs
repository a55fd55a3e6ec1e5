//! Any bytes as a workflow's document: a plan, or at least one error. Never a crash, never without an end.

#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use weevil_model::Severity;
use weevil_workflow::{Bundle, load};

const CODE: &[u8] = b"function weevil_main(a, b) { return a + b; }";

fuzz_target!(|document: &[u8]| {
    let files = [("workflow.xml", document), ("Add.js", CODE), ("list.json", b"[1, 2]")];
    let files: BTreeMap<_, _> = files.map(|(path, bytes)| (path.to_owned(), bytes.to_vec())).into();
    let Ok(bundle) = Bundle::new(files) else { return };
    if let Err(problems) = load(&bundle) {
        assert!(problems.iter().any(|problem| problem.severity == Severity::Error));
    }
});
