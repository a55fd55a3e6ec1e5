//! The checker in the console's editor says what this crate says, to the letter: whatever the suite's tables and the corpus hold is given to
//! the module as the pages load it, in node, and to this crate.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use weevil_workflow::{Bundle, load};

use crate::common::recorded;
use crate::{corpus, diagnostics};

/// What is laid before both, each once.
fn bundles() -> Vec<Bundle> {
    let all = recorded(|| {
        diagnostics::each_mistake_is_told_once_at_its_place();
        diagnostics::every_table();
        corpus::documents_are_plans_or_explained();
        corpus::code_is_read_or_refused_or_left_alone();
        corpus::archives_are_bundles_or_refused();
    });
    let by_hash: BTreeMap<_, _> = all.into_iter().map(|bundle| (bundle.hash().to_string(), bundle)).collect();
    by_hash.into_values().collect()
}

/// All bytes in one file, and where each file of each bundle stands in it in another.
fn write(bundles: &[Bundle], folder: &Path) {
    let mut bytes = Vec::new();
    let mut place = |(path, content): (&str, &[u8])| {
        let start = bytes.len();
        bytes.extend_from_slice(content);
        json!([path, start, bytes.len()])
    };
    let index: Vec<Value> = bundles.iter().map(|bundle| bundle.files().map(&mut place).collect()).collect();
    fs::write(folder.join("index.json"), Value::from(index).to_string()).unwrap();
    fs::write(folder.join("bytes"), bytes).unwrap();
}

fn beside(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[test]
fn the_module_in_the_editor_says_the_same() {
    let modules = beside("../../web/src/wasm");
    assert!(modules.join("weevil_check_bg.wasm").exists(), "it is not built: cargo xtask wasm");
    let bundles = bundles();
    assert!(bundles.len() > 1000, "the tables are given whole: {}", bundles.len());
    let folder = tempfile::tempdir().unwrap();
    write(&bundles, folder.path());
    let mut node = Command::new("node");
    node.arg(beside("tests/suite/browser.mjs")).args([&modules, folder.path()]);
    let output = node.output().expect("node is missing: cargo xtask setup");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told.len(), bundles.len());
    for (bundle, told) in bundles.iter().zip(told) {
        let loaded = load(bundle);
        let sound = loaded.is_ok();
        let found = loaded.map_or_else(|found| found, |loaded| loaded.warnings);
        let paths: Vec<_> = bundle.files().map(|(path, _)| path).collect();
        let document = String::from_utf8_lossy(bundle.document());
        assert_eq!(told["diagnostics"], serde_json::to_value(found).unwrap(), "{paths:?}\n{document}");
        assert_eq!((&told["sound"], &told["refused"]), (&json!(sound), &Value::Null), "{document}");
    }
}
