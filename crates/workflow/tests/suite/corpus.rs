//! What the fuzzers begin with, replayed: each file is a plan or is refused in words, and soon.

use std::fs;
use std::path::Path;

use weevil_model::limits::MAX_BUNDLE_BYTES;
use weevil_workflow::limits::MAX_DIAGNOSTICS;
use weevil_workflow::{Bundle, BundleError, ZipError, check_module, load};

use crate::common::{JOB, assert_within, bundle, listed, problems, soon};

/// Documents made to do harm, and the code that each is told first.
const HOSTILE_DOCUMENTS: &[(&str, &str)] = &[
    ("billion-laughs.xml", "W0103"),
    ("quadratic-blowup.xml", "W0103"),
    ("external-entity.xml", "W0103"),
    ("doctype-unclosed.xml", "W0101"),
    ("deep.xml", "W0106"),
    ("deep-nodes.xml", "W0106"),
    ("many-attributes.xml", "W0106"),
    ("huge-id.xml", "W0120"),
    ("unclosed.xml", "W0101"),
    ("unclosed-comment.xml", "W0101"),
    ("unclosed-cdata.xml", "W0101"),
    ("utf-16le.xml", "W0102"),
    ("utf-16be.xml", "W0102"),
    ("utf-16-undeclared.xml", "W0101"),
    ("utf-7.xml", "W0102"),
    ("overlong-utf-8.xml", "W0102"),
    ("nul.xml", "W0101"),
    ("lone-surrogate.xml", "W0104"),
    ("cycle.xml", "W0159"),
    ("empty.xml", "W0101"),
];

/// Archives made to do harm, and words of the refusal.
const HOSTILE_ARCHIVES: &[(&str, &str)] = &[
    ("bomb.zip", "unpacks to more than"),
    ("escape.zip", "`../../etc/passwd` is refused: it has a part `.` or `..`"),
    ("absolute.zip", "`/workflow.xml` is refused: it is absolute"),
    ("symlink.zip", "`workflow.xml` in the zip is refused: it is a symbolic link"),
    ("case.zip", "`Add.js` and `add.JS` differ only in case"),
    ("repeated.zip", "`Add.js` in the zip is refused: it is there twice"),
    ("lzma.zip", "make the zip with Deflate"),
    ("encrypted.zip", "make the zip without a password"),
    ("cut.zip", "perhaps it was cut short"),
    ("ends.zip", "the zip cannot be read"),
    ("zip64-lies.zip", "the zip cannot be read"),
];

/// Archives as tools make them: folders, macOS's additions, sizes after the data, a script before it.
const SOUND_ARCHIVES: &[&str] = &["add.zip", "folder.zip", "stored.zip", "streamed.zip", "prefixed.zip"];

fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let entries = fs::read_dir(folder).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap())
    });
    entries.collect()
}

#[test]
pub(crate) fn documents_are_plans_or_explained() {
    let corpus = corpus("parser");
    for (name, bytes) in &corpus {
        let [add, flops, sum] = ["Add.js", "FLOPS.js", "FLOPS_SumReduce.js"].map(|path| (path, JOB));
        let bundle = bundle(&[("workflow.xml", bytes), add, flops, sum]);
        let told = soon(name, || problems(&bundle));
        for problem in &told {
            assert_within(problem, &bundle);
        }
        let expected = HOSTILE_DOCUMENTS.iter().find(|(hostile, _)| hostile == name).map(|(_, code)| *code);
        if expected.is_some() {
            assert_eq!(told.first().map(|problem| problem.code), expected, "{name}");
        }
    }
    let there = |(name, _): &(&str, &str)| corpus.iter().any(|(known, _)| known == name);
    assert!(HOSTILE_DOCUMENTS.iter().all(there), "no file of the table is lost");
}

/// Code made to do harm, and what the file is told; nothing where it is sound.
const CODE: &[(&str, &str)] = &[
    ("Add.js", "W0171"),
    ("arrows.js", "W0173"),
    ("assign.js", "W0173"),
    ("await.js", "W0173"),
    ("blocks.js", "W0173"),
    ("bom.js", ""),
    ("brackets.js", "W0173"),
    ("calls.js", "W0173"),
    ("class.js", "W0173"),
    ("default.js", ""),
    ("draws.js", ""),
    ("else-if.js", "W0173"),
    ("empty.js", "W0137"),
    ("eval.js", ""),
    ("html-comment.js", "W0173"),
    ("labels.js", "W0173"),
    ("members.js", "W0173"),
    ("module.js", "W0170"),
    ("new.js", "W0173"),
    ("not-utf-8.js", "W0138"),
    ("regex.js", "W0173"),
    ("sum.js", "W0173"),
    ("templates.js", "W0173"),
    ("ternary.js", "W0173"),
    ("unary.js", "W0173"),
    ("unclear.js", "W0173"),
    ("unclosed.js", "W0173"),
];

const CODE_DOCUMENT: &[u8] = br#"<workflow><nodes><value id="v" value="1" returntype="Number"/>
<job id="j" src="Code" returntype="Number"><parameters><parameter id="a" paramtype="Number"/></parameters></job></nodes>
<edges><edge id="e" source="v" dest="j"/></edges><finalnode id="j"/></workflow>"#;

#[test]
pub(crate) fn code_is_read_or_refused_or_left_alone() {
    let corpus = corpus("code");
    for (name, expected) in CODE {
        let (_, bytes) =
            corpus.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("{name} is lost"));
        let bundle = bundle(&[("workflow.xml", CODE_DOCUMENT), ("Code.js", bytes)]);
        let told = soon(name, || problems(&bundle));
        let codes: Vec<_> = told.iter().map(|problem| problem.code).collect();
        let expected: Vec<_> = Some(*expected).filter(|code| !code.is_empty()).into_iter().collect();
        assert_eq!(codes, expected, "{name}: {}", listed(&told));
        for problem in &told {
            assert_within(problem, &bundle);
        }
    }
}

/// Modules, some made to do harm, and what each is told first; nothing where it is sound.
const MODULES: &[(&str, &str)] = &[
    ("numbers.wasm", ""),
    ("values.wasm", ""),
    ("deep.wasm", ""),
    ("many-imports.wasm", "W0181"),
    ("many-locals.wasm", "W0180"),
    ("long-section.wasm", "W0180"),
    ("shared-memory.wasm", "W0180"),
    ("component.wasm", "W0180"),
];

#[test]
fn modules_are_sound_or_refused() {
    let corpus = corpus("wasm");
    for (name, expected) in MODULES {
        let (_, bytes) =
            corpus.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("{name} is lost"));
        let told = soon(name, || check_module(name, bytes)).err().unwrap_or_default();
        assert_eq!(told.first().map_or("", |problem| problem.code), *expected, "{name}: {}", listed(&told));
        assert!(told.len() <= MAX_DIAGNOSTICS + 1, "{name}: {}", told.len());
    }
}

#[test]
pub(crate) fn archives_are_bundles_or_refused() {
    let corpus = corpus("zip");
    let read = |name: &str| {
        let (_, bytes) =
            corpus.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("{name} is lost"));
        soon(name, || Bundle::from_zip(bytes))
    };
    for (name, words) in HOSTILE_ARCHIVES {
        let refused = read(name).unwrap_err();
        assert!(refused.to_string().contains(words), "{name}: {refused}");
    }
    for name in SOUND_ARCHIVES {
        let bundle = read(name).unwrap_or_else(|refused| panic!("{name}: {refused}"));
        let paths: Vec<_> = bundle.files().map(|(path, _)| path).collect();
        assert_eq!(paths, ["Add.js", "workflow.xml"], "{name}");
        assert!(load(&bundle).is_ok(), "{name}");
    }
    for (name, _) in &corpus {
        if let Ok(bundle) = read(name) {
            soon(name, || problems(&bundle));
        }
    }
    let max = MAX_BUNDLE_BYTES;
    assert_eq!(read("bomb.zip").unwrap_err(), BundleError::Zip(ZipError::UnpacksTooLarge { max }));
}
