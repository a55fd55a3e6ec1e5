//! The pages of `docs/errors` about workflows say what is so: each code has one, its example prints exactly what it
//! shows, its cure leaves nothing to tell. Everything is read from the pages; nothing is repeated here.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use weevil_model::Diagnostic;
use weevil_workflow::{Bundle, codes};

use crate::common::{joined, problems};

/// By path.
type Files = BTreeMap<String, Vec<u8>>;

/// What makes a page's files into an example that no page can show. The page says it in the same words.
enum Step {
    /// The line of this number in this file stands so many times.
    Repeat(usize, &'static str, usize),
    /// This file has one byte for each letter.
    Latin1(&'static str),
}

/// Codes whose pages cannot show the whole example, and why not.
const BEYOND_A_PAGE: &[(&str, Step, &str)] = &[
    ("W0100", Step::Repeat(10, "workflow.xml", 1000), "comes after 200 problems"),
    ("W0106", Step::Repeat(3, "workflow.xml", 100_001), "every limit is large"),
    ("W0135", Step::Repeat(2, "list.json", 400_000), "the limit is 16 MiB"),
    ("W0138", Step::Latin1("Halve.js"), "pages are UTF-8"),
];

/// Stands, in an example beyond a page, for printed lines like those around it.
const LEFT_OUT: &str = "\n..\n";

struct Block<'p> {
    language: &'p str,
    /// The file that it shows or changes.
    file: &'p str,
    text: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors")
}

fn read(page: &str) -> String {
    fs::read_to_string(folder().join(format!("{page}.md"))).unwrap_or_else(|error| panic!("{page}: {error}"))
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let inside = page.split("\n```").skip(1).step_by(2);
    let parts = inside.map(|block| block.split_once('\n').unwrap());
    parts
        .map(|(info, text)| {
            let (language, file) = info.split_once(' ').unwrap_or((info, ""));
            Block { language, file, text: format!("{text}\n") }
        })
        .collect()
}

/// The files that the blocks show, beside those that every example may use.
fn files(shown: &[Block<'_>]) -> Files {
    let index = read("diagnostics");
    let common = blocks(&index);
    let whole = common.iter().chain(shown).filter(|block| !matches!(block.language, "text" | "diff"));
    whole.map(|block| (block.file.to_owned(), block.text.clone().into_bytes())).collect()
}

fn text<'f>(files: &'f Files, file: &str) -> &'f str {
    std::str::from_utf8(&files[file]).unwrap()
}

fn take(step: &Step, files: &mut Files) {
    let (file, bytes) = match step {
        Step::Repeat(number, file, times) => {
            let lines = text(files, file).split_inclusive('\n').enumerate();
            let grown = joined(lines, |(at, line)| line.repeat(if at + 1 == *number { *times } else { 1 }));
            (file, grown.into_bytes())
        }
        Step::Latin1(file) => {
            let letters = text(files, file).chars();
            (file, letters.map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect())
        }
    };
    files.insert((*file).to_owned(), bytes);
}

/// What a page must say where `step` is taken.
fn in_words(step: &Step) -> String {
    match step {
        Step::Repeat(line, file, times) => format!("line {line} of `{file}` stands {times} times"),
        Step::Latin1(file) => format!("`{file}` is saved as Latin-1"),
    }
}

/// Changes a file as a diff of one hunk says; what the hunk takes away stands in the file once.
fn patch(files: &mut Files, diff: &Block<'_>) {
    let side = |other: char| {
        let lines = diff.text.split_inclusive('\n').filter(|line| !line.starts_with(other));
        joined(lines, |line| line[1..].to_owned())
    };
    let (before, after) = (side('+'), side('-'));
    let old = text(files, diff.file);
    assert_eq!(old.matches(&before).count(), 1, "{before}\nis changed in\n{old}");
    files.insert(diff.file.to_owned(), old.replacen(&before, &after, 1).into_bytes());
}

fn diagnostics_of(files: &Files) -> Vec<Diagnostic> {
    problems(&Bundle::new(compiled(files)).unwrap())
}

/// Beside each module in its text form lies the module.
fn compiled(files: &Files) -> Files {
    let texts = files.keys().filter_map(|path| path.strip_suffix(".wat"));
    let modules = texts.map(|stem| {
        let module = wat::parse_str(text(files, &format!("{stem}.wat"))).unwrap();
        (format!("{stem}.wasm"), module)
    });
    files.clone().into_iter().chain(modules).collect()
}

/// As `weevil` prints it.
fn printed(found: &[Diagnostic]) -> String {
    joined(found, |found| {
        let help = found.help.as_ref().map(|help| format!("    help: {help}\n")).unwrap_or_default();
        format!("{found}\n{help}")
    })
}

/// The files of a page's example.
fn example(id: &str, page: &str) -> Files {
    let mut files = files(&blocks(page));
    if let Some((_, step, why)) = beyond(id) {
        assert!(page.contains(&in_words(step)), "{id} ({why}) must say: {}", in_words(step));
        take(step, &mut files);
    }
    files
}

fn beyond(id: &str) -> Option<&'static (&'static str, Step, &'static str)> {
    BEYOND_A_PAGE.iter().find(|(code, ..)| *code == id)
}

/// What a page should show, if it shows anything else.
fn not_shown(id: &str, page: &str) -> Option<String> {
    let found = diagnostics_of(&example(id, page));
    assert!(found.iter().any(|found| found.code == id), "{id} is not told");
    let printed = printed(&found);
    let texts = blocks(page).into_iter().filter(|block| block.language == "text");
    let shown = joined(texts, |block| block.text);
    let is_shown = match shown.split_once(LEFT_OUT) {
        Some((first, last)) if beyond(id).is_some() => printed.starts_with(first) && printed.ends_with(last),
        _ => printed == shown,
    };
    (!is_shown).then(|| format!("{id}.md must show\n{printed}\n"))
}

fn check_cure(id: &str, page: &str) {
    assert!(page.contains("\n**Cure.** "), "{id} has no cure");
    let blocks = blocks(page);
    let mut files = files(&blocks);
    blocks.iter().filter(|block| block.language == "diff").for_each(|diff| patch(&mut files, diff));
    assert_eq!(printed(&diagnostics_of(&files)), "", "{id}, cured");
}

#[test]
fn each_code_has_a_page_and_each_page_a_code() {
    let names = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut pages: Vec<_> = names
        .map(|name| name.into_string().unwrap())
        .filter(|name| name.starts_with('W'))
        .map(|name| name.replace(".md", ""))
        .collect();
    pages.sort();
    assert_eq!(pages, codes::ALL.iter().map(|code| code.id).collect::<Vec<_>>());
}

#[test]
fn pages_begin_with_title_and_severity() {
    for code in codes::ALL {
        let head =
            format!("# {}: {}\n\nSeverity: {}.\n\n**What it means.** ", code.id, code.title, code.severity);
        let page = read(code.id);
        assert!(page.starts_with(&head), "{head:?} is expected in\n{page}");
    }
}

#[test]
fn the_index_lists_each_code_in_order_with_its_title_and_severity() {
    let index = read("diagnostics");
    let rows: Vec<_> = index.lines().filter(|line| line.starts_with("| [W")).collect();
    assert_eq!(rows.len(), codes::ALL.len());
    for (row, code) in rows.iter().zip(codes::ALL) {
        let start = format!("| [{0}]({0}.md) | {1} | {2} | ", code.id, code.severity, code.title);
        let cure = row.strip_prefix(&start).unwrap_or_else(|| panic!("{row}\nmust begin with\n{start}"));
        assert!(cure.len() > " |".len(), "{} has no cure", code.id);
    }
}

#[test]
fn each_example_prints_exactly_what_its_page_shows() {
    let wrong = codes::ALL.iter().filter_map(|code| not_shown(code.id, &read(code.id)));
    assert_eq!(joined(wrong, |wrong| wrong), "");
}

#[test]
fn each_cure_cures() {
    for code in codes::ALL {
        check_cure(code.id, &read(code.id));
    }
}
