//! Zip archives: what becomes of those that people make, and of those that are made to do harm.

use weevil_model::limits::{MAX_BUNDLE_BYTES, MAX_BUNDLE_FILES};
use weevil_workflow::limits::MAX_ZIP_ENTRIES;
use weevil_workflow::{Bundle, BundleError, EntryProblem, ZipError, is_zip};

use crate::archives::{DEFLATED, Entry, SYMLINK, archive, deflated, stored};
use crate::common::soon;

const MIB: usize = 1024 * 1024;

fn read(entries: &[Entry]) -> Result<Bundle, BundleError> {
    Bundle::from_zip(&archive(entries))
}

fn xml() -> Entry {
    stored("workflow.xml", b"<workflow/>")
}

fn names(entries: &[Entry]) -> Vec<String> {
    read(entries).unwrap().files().map(|(path, _)| path.to_owned()).collect()
}

fn refusal(entries: &[Entry]) -> BundleError {
    read(entries).unwrap_err()
}

/// The problem of an archive with one bad entry beside a good one.
fn problem(entry: Entry) -> (String, EntryProblem) {
    match refusal(&[xml(), entry]) {
        BundleError::Zip(ZipError::Entry { path, problem }) => (path, problem),
        other => panic!("{other}"),
    }
}

#[test]
fn an_archive_is_known_by_its_first_bytes() {
    for (bytes, expected) in [
        (archive(&[xml()]), true),
        (archive(&[]), true),
        (b"PK\x03".to_vec(), false),
        (b"<workflow/>".to_vec(), false),
        (vec![], false),
    ] {
        assert_eq!(is_zip(&bytes), expected, "{bytes:?}");
    }
}

#[test]
fn files_come_out_as_they_went_in() {
    let long = b"function weevil_main() {}\n".repeat(1000);
    let bundle = read(&[xml(), deflated("in/Add.js", &long), deflated("\u{e4}.json", b"[1]")]).unwrap();
    let files: Vec<_> = bundle.files().collect();
    let expected: [(&str, &[u8]); 3] =
        [("in/Add.js", &long), ("workflow.xml", b"<workflow/>"), ("\u{e4}.json", b"[1]")];
    assert_eq!(files, expected);
    let single = Bundle::single("add.xml", b"<workflow/>".to_vec()).unwrap();
    assert_eq!((single.document_path(), single.document()), ("add.xml", &b"<workflow/>"[..]));
    assert_eq!(Bundle::single("add.txt", vec![]).unwrap_err(), BundleError::NoDocument);
}

#[test]
fn a_folder_that_holds_everything_is_the_root() {
    let file = |name| stored(name, b"x");
    for (entries, expected) in [
        (vec!["pi/workflow.xml", "pi/in/a.js"], vec!["in/a.js", "workflow.xml"]),
        (vec!["pi/", "pi/in/", "pi/workflow.xml"], vec!["workflow.xml"]),
        (vec!["pi/workflow.xml", "__MACOSX/pi/._workflow.xml", ".DS_Store"], vec!["workflow.xml"]),
        (vec!["pi/workflow.xml", "pi/.DS_Store"], vec!["workflow.xml"]),
        (vec!["workflow.xml", "pi/a.js"], vec!["pi/a.js", "workflow.xml"]),
        (vec!["w.xml", "__MACOSX.js"], vec!["__MACOSX.js", "w.xml"]),
    ] {
        let entries: Vec<_> = entries.into_iter().map(file).collect();
        assert_eq!(names(&entries), expected);
    }
    let nested = [file("a/b/workflow.xml")];
    assert_eq!(refusal(&nested), BundleError::NoDocument, "one folder is opened, not two");
    assert_eq!(refusal(&[file("a/w.xml"), file("b/w.xml")]), BundleError::NoDocument);
    assert_eq!(refusal(&[]), BundleError::NoDocument);
}

#[test]
fn paths_that_lead_elsewhere_are_refused() {
    for path in ["../up.js", "a/../../up.js", "/etc/passwd", "a\\b.js", "C:/a.js", "c:a.js", "a\0.js", "a//b"]
    {
        for entries in [vec![xml(), stored(path, b"x")], vec![stored(path, b"x")]] {
            let refused = refusal(&entries);
            assert!(matches!(refused, BundleError::BadPath { .. }), "{path:?} {refused}");
        }
    }
}

#[test]
fn entries_that_are_no_plain_files_are_refused_by_name() {
    let bad = |change: fn(&mut Entry)| {
        let mut entry = deflated("bad.js", &[b'x'; 1000]);
        change(&mut entry);
        problem(entry).1
    };
    assert_eq!(bad(|entry| entry.flags |= 1), EntryProblem::Encrypted);
    assert_eq!(bad(|entry| entry.mode = SYMLINK), EntryProblem::Symlink);
    assert_eq!(bad(|entry| entry.method = 12), EntryProblem::Compression("Bzip2".into()));
    assert_eq!(bad(|entry| entry.method = 14), EntryProblem::Compression("Lzma".into()));
    let (path, name) = problem(Entry { name: b"\xe9.js".to_vec(), ..stored("", b"x") });
    assert_eq!((path.as_str(), name), ("\u{FFFD}.js", EntryProblem::Name));
    let twice = refusal(&[xml(), stored("a.js", b"1"), stored("a.js", b"2")]);
    assert_eq!(twice.to_string(), "`a.js` in the zip is refused: it is there twice; delete one of the two");
    let (one, other) = ("A.js".into(), "a.JS".into());
    let case = refusal(&[xml(), stored("A.js", b"1"), stored("a.JS", b"2")]);
    assert_eq!(case, BundleError::SameName { one, other });
}

#[test]
fn headers_that_lie_are_found_out() {
    let lie = |change: fn(&mut Entry)| {
        let mut entry = deflated("bad.js", &[b'x'; 1000]);
        change(&mut entry);
        problem(entry).1
    };
    let more = EntryProblem::WrongSize { promised: 1001, found: 1000 };
    assert_eq!(lie(|entry| entry.size = 1001), more);
    let huge = EntryProblem::WrongSize { promised: u64::from(u32::MAX) - 1, found: 1000 };
    assert_eq!(lie(|entry| entry.size = u32::MAX - 1), huge);
    for change in [
        (|entry| entry.size = 10) as fn(&mut Entry),
        |entry| entry.crc ^= 1,
        |entry| entry.packed_size -= 1,
        |entry| entry.packed[0] ^= 0xff,
        |entry| entry.method = 0,
    ] {
        let found = lie(change);
        assert!(matches!(found, EntryProblem::Damaged(_) | EntryProblem::WrongSize { .. }), "{found}");
    }
}

/// Ten megabytes of zeros pack into ten kilobytes, a thousand to one.
#[test]
fn bombs_are_refused_when_the_limit_is_reached() {
    let zeros = deflated("0", &vec![0; 10 * MIB]);
    assert!(zeros.packed.len() < 11 * 1024);
    let named = |n: usize| Entry { name: n.to_string().into_bytes(), ..zeros.clone() };
    let bomb: Vec<_> = (0..MAX_BUNDLE_FILES).map(named).collect();
    let sharing = |n| Entry { shares_first: n > 0, ..named(n) };
    let overlapping: Vec<_> = (0..MAX_BUNDLE_FILES).map(sharing).collect();
    let modest = |n| Entry { size: 1, ..named(n) };
    let promising_little: Vec<_> = (0..MAX_BUNDLE_FILES).map(modest).collect();
    let one_large = [deflated("0", &vec![0; MAX_BUNDLE_BYTES + 1])];
    let too_large = BundleError::from(ZipError::UnpacksTooLarge { max: MAX_BUNDLE_BYTES });
    for (what, entries) in
        [("bomb", &bomb[..]), ("overlapping", &overlapping), ("one large file", &one_large)]
    {
        assert_eq!(soon(what, || refusal(entries)), too_large, "{what}");
    }
    let refused = refusal(&promising_little);
    assert!(matches!(refused, BundleError::Zip(ZipError::Entry { .. })), "{refused}");
    let nested = stored("inner.zip", &archive(&bomb[..10]));
    assert_eq!(names(&[xml(), nested]), ["inner.zip", "workflow.xml"], "what is inside stays packed");
}

#[test]
fn numbers_are_bounded() {
    let empty = |n: usize| stored(&format!("{n}.js"), b"");
    let (found, max) = (65_000, MAX_ZIP_ENTRIES);
    let many: Vec<_> = (0..found).map(empty).collect();
    assert_eq!(refusal(&many), ZipError::TooManyEntries { found, max }.into());
    let (found, max) = (MAX_BUNDLE_FILES + 1, MAX_BUNDLE_FILES);
    assert_eq!(refusal(&many[..found]), BundleError::TooManyFiles { found, max });
    let (found, max) = (MAX_BUNDLE_BYTES + 1, MAX_BUNDLE_BYTES);
    assert_eq!(Bundle::from_zip(&vec![b'P'; found]).unwrap_err(), BundleError::TooLarge { found, max });
    let folders: Vec<_> = (0..2 * MAX_BUNDLE_FILES).map(|n| stored(&format!("{n}/"), b"")).collect();
    assert_eq!(names(&[&folders[..], &[xml()]].concat()), ["workflow.xml"], "folders are no files");
}

#[test]
fn what_is_cut_short_or_no_archive_is_refused_in_words() {
    let whole = archive(&[xml(), deflated("Add.js", &b"function weevil_main() {}".repeat(100))]);
    let cuts = (0..16).map(|part| whole[..whole.len() * part / 16].to_vec());
    let noise = |seed: u32| (0..4096_u32).map(|n| n.wrapping_mul(seed).to_le_bytes()[2]).collect();
    let garbage = [vec![], b"PK\x03\x04".to_vec(), b"PK\x05\x06".repeat(9000), noise(2_654_435_761)];
    let headers = b"PK\x01\x02".repeat(100_000);
    for bytes in cuts.chain(garbage).chain([headers]) {
        let refused = soon("what is no archive", || Bundle::from_zip(&bytes)).unwrap_err();
        assert!(matches!(refused, BundleError::Zip(ZipError::Unreadable(_))), "{refused}");
        assert!(refused.to_string().contains("make it again"), "{refused}");
    }
}

#[test]
fn no_changed_byte_brings_the_reader_down() {
    let whole = archive(&[xml(), deflated("Add.js", b"function weevil_main() {}"), stored("b", b"x")]);
    for at in 0..whole.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut changed = whole.clone();
            changed[at] ^= change;
            if let Err(refused) = Bundle::from_zip(&changed) {
                assert!(!refused.to_string().is_empty(), "byte {at}");
            }
        }
    }
    assert_eq!(whole[8], DEFLATED.to_le_bytes()[1]);
}
