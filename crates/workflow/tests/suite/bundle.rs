//! Bundles: which file is the document, what `src` means, what is refused.

use std::collections::BTreeMap;

use crate::common::bundle;
use weevil_model::limits::{MAX_BUNDLE_BYTES, MAX_BUNDLE_FILES};
use weevil_workflow::limits::MAX_FILE_NAME_BYTES;
use weevil_workflow::{Bundle, BundleError, SourceKind};

fn named(names: &[&str]) -> Result<Bundle, BundleError> {
    Bundle::new(names.iter().map(|name| ((*name).to_owned(), vec![b'x'])).collect())
}

#[test]
fn the_document_is_workflow_xml_or_the_only_xml_at_the_top() {
    for (names, document) in [
        (&["workflow.xml", "other.xml"][..], "workflow.xml"),
        (&["add.xml", "data/workflow.xml", "Add.js"], "add.xml"),
        (&["ADD.XML"], "ADD.XML"),
    ] {
        assert_eq!(named(names).unwrap().document_path(), document);
    }
    assert_eq!(named(&["Add.js", "in/workflow.xml"]).unwrap_err(), BundleError::NoDocument);
    assert_eq!(named(&[]).unwrap_err(), BundleError::NoDocument);
    let several = BundleError::SeveralDocuments(vec!["a.xml".into(), "b.xml".into()]);
    assert_eq!(named(&["b.xml", "a.xml"]).unwrap_err(), several);
}

#[test]
fn paths_that_lead_elsewhere_are_refused() {
    let long = "x".repeat(MAX_FILE_NAME_BYTES + 1);
    for path in [
        "",
        "/etc/passwd",
        "../up.js",
        "a/../b.js",
        "a/./b.js",
        "a//b.js",
        "a/",
        "..",
        "a\\b.js",
        "C:/a.js",
        "z:a.js",
        "a\0.js",
        &long,
    ] {
        let refused = named(&["workflow.xml", path]).unwrap_err();
        assert!(matches!(refused, BundleError::BadPath { .. }), "{path:?} {refused}");
    }
    assert!(named(&["workflow.xml", "a/b/..c.js", "ä ö.js"]).is_ok());
}

#[test]
fn number_and_size_are_bounded() {
    let many: BTreeMap<_, _> = (0..=MAX_BUNDLE_FILES).map(|n| (format!("{n}.xml"), vec![])).collect();
    let found = MAX_BUNDLE_FILES + 1;
    assert_eq!(Bundle::new(many).unwrap_err(), BundleError::TooManyFiles { found, max: MAX_BUNDLE_FILES });
    let large = BTreeMap::from([("a.xml".to_owned(), vec![0]), ("b".to_owned(), vec![0; MAX_BUNDLE_BYTES])]);
    let found = MAX_BUNDLE_BYTES + 1;
    assert_eq!(Bundle::new(large).unwrap_err(), BundleError::TooLarge { found, max: MAX_BUNDLE_BYTES });
}

#[test]
fn a_src_is_the_exact_path_first() {
    let bundle =
        named(&["w.xml", "Add", "Add.js", "Sub.js", "k.wgsl", "k.json", "in/x.wasm", "Sub.wgsl"]).unwrap();
    for (src, kind, path) in [
        ("Add", SourceKind::JavaScript, Some("Add")),
        ("Add.js", SourceKind::JavaScript, Some("Add.js")),
        ("Sub", SourceKind::JavaScript, Some("Sub.js")),
        ("sub", SourceKind::JavaScript, None),
        ("Sub", SourceKind::Value, None),
        ("k", SourceKind::Value, Some("k.json")),
        ("k", SourceKind::WebCl, Some("k.wgsl")),
        ("k.wgsl", SourceKind::WebCl, Some("k.wgsl")),
        ("Sub", SourceKind::WebCl, Some("Sub.js")),
        ("in/x", SourceKind::Wasm, Some("in/x.wasm")),
        ("../w", SourceKind::Value, None),
    ] {
        assert_eq!(bundle.resolve(src, kind).map(|found| found.0), path, "{src}");
    }
}

#[test]
fn the_hash_follows_from_names_and_bytes_alone() {
    let one = bundle(&[("w.xml", b"a"), ("b", b"c")]);
    assert_eq!(one.hash(), bundle(&[("b", b"c"), ("w.xml", b"a")]).hash());
    assert_ne!(one.hash(), bundle(&[("b", b"d"), ("w.xml", b"a")]).hash());
    assert_eq!((one.document(), one.files().count()), (&b"a"[..], 2));
}
