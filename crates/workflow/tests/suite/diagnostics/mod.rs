//! Each code of the table: the mistake, the place to the character, the words, and nothing else told beside it.
//!
//! A case edits a sound document; what must be underlined stands between two `§`. Each case runs in several
//! layouts: with CRLF, CR, tabs, a byte order mark, and wide characters to the left of everything.

mod agree;
pub(crate) mod aim;
mod code;
mod elsewhere;
mod graph;
mod kernel_jobs;
mod kernels;
mod nodes;
pub(crate) mod trust;
mod typos;
mod wasm;
mod xml;

use std::collections::BTreeSet;

use crate::common::{JOB, bundle, listed, problems};
use weevil_model::{Diagnostic, Severity};
use weevil_workflow::{Bundle, codes};

pub(crate) const SOUND: &str = r#"<workflow>
  <nodes>
    <value id="v" value="1" returntype="Number"/>
    <job id="j" src="Add" returntype="Number">
      <parameters><parameter id="a" paramtype="Number"/><parameter id="b" paramtype="Number"/></parameters>
    </job>
    <value id="list" value="[1]" returntype="Array"/>
    <pool id="p" returntype="Number">
      <parameters><parameter id="x" paramtype="Array"/></parameters>
      <processor id="proc" src="Add" returntype="Number">
        <parameters><parameter id="e" paramtype="Number"/></parameters>
      </processor>
      <reducer id="red" src="Add" returntype="Number">
        <parameters><parameter id="r" paramtype="Array"/></parameters>
      </reducer>
    </pool>
  </nodes>
  <edges>
    <edge id="e1" source="v" dest="j" paramdest="a"/>
    <edge id="e2" source="p" dest="j" paramdest="b"/>
    <edge id="e3" source="list" dest="p"/>
  </edges>
  <finalnode id="j"/>
</workflow>
"#;

/// Code; what is replaced by what; words of the message or the help.
type Case = (&'static str, &'static [(&'static str, &'static str)], &'static str);

const TABLES: [&[Case]; 8] = [
    xml::XML,
    xml::STRUCTURE,
    aim::AIM,
    nodes::NODES,
    nodes::POOLS,
    graph::GRAPH,
    trust::POLICIES,
    agree::WORDS,
];

pub(crate) fn files(document: &str) -> Bundle {
    bundle(&[("workflow.xml", document.as_bytes()), ("Add.js", JOB), ("list.json", b"[1]")])
}

fn marked((_, edits, _): &Case) -> String {
    edits.iter().fold(SOUND.to_owned(), |document, (find, replace)| {
        assert!(document.contains(find), "{find}");
        document.replacen(find, replace, 1)
    })
}

/// Line and column of the marks and the text without them.
fn unmark(marked: &str) -> (Span, String) {
    let parts: Vec<_> = marked.split('§').collect();
    let [before, inside, after] = parts.as_slice() else { panic!("two marks are expected in {marked}") };
    (
        Span { start: place(before), end: place(&format!("{before}{inside}")) },
        format!("{before}{inside}{after}"),
    )
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    start: (u32, u32),
    end: (u32, u32),
}

impl Span {
    fn of(found: &Diagnostic) -> Self {
        Self { start: (found.line, found.column), end: (found.end_line, found.end_column) }
    }
}

/// Line and column after this text, counted the slow way.
fn place(before: &str) -> (u32, u32) {
    let lines = before.replace("\r\n", "\n").replace('\r', "\n");
    let line = lines.matches('\n').count() + 1;
    let last = lines.rsplit('\n').next().unwrap();
    let column = last.chars().filter(|letter| *letter != '\u{FEFF}').count() + 1;
    (u32::try_from(line).unwrap(), u32::try_from(column).unwrap())
}

fn layouts(document: &str) -> Vec<String> {
    vec![
        document.to_owned(),
        document.replace('\n', "\r\n"),
        document.replace('\n', "\r"),
        document.replace("  ", "\t"),
        document.replace("\n ", "\n<!-- é😀\t -->"),
        format!("\u{FEFF}{document}"),
    ]
}

fn check(case: &Case) {
    let (code, _, words) = case;
    for layout in layouts(&marked(case)) {
        let (span, document) = unmark(&layout);
        let found = problems(&files(&document));
        let places: Vec<_> = found.iter().map(|found| (found.code, Span::of(found))).collect();
        assert_eq!(places, [(*code, span)], "{document}\n{}", listed(&found));
        assert_eq!(found[0].file, "workflow.xml");
        let text = format!("{} {}", found[0].message, found[0].help.as_deref().unwrap_or_default());
        assert!(text.contains(words), "{words:?} is expected in {text:?}");
    }
}

/// The document of each case, without its mark, and the code that it must be told.
pub(crate) fn documents() -> impl Iterator<Item = (&'static str, String)> {
    TABLES.into_iter().flatten().map(|case| (case.0, unmark(&marked(case)).1))
}

/// Checks what the tables beside this one hold.
pub(crate) fn every_table() {
    code::each_mistake_is_told_once_at_its_place();
    code::fitting_code_is_accepted_without_a_word();
    code::code_that_cannot_be_checked_is_run_as_it_is();
    elsewhere::files_of_the_bundle_have_their_own_places();
    wasm::each_mistake_is_told_once_at_its_place();
    kernel_jobs::each_mistake_is_told_once_at_its_place();
    kernels::a_kernel_is_refused_at_the_place_of_its_mistake();
    trust::what_keeps_copies_from_agreeing_is_told_at_the_node();
    agree::a_module_that_cannot_be_asked_is_told_where_it_is_named();
}

#[test]
fn the_sound_document_is_sound() {
    assert_eq!(problems(&files(SOUND)), []);
}

#[test]
pub(crate) fn each_mistake_is_told_once_at_its_place() {
    TABLES.into_iter().flatten().for_each(check);
}

#[test]
fn every_code_has_a_case_and_the_table_is_in_order() {
    let told = TABLES.into_iter().flatten().map(|case| case.0);
    let told = told.chain(code::CODE.iter().map(|case| case.0)).chain(elsewhere::CODES.iter().copied());
    let told =
        told.chain(wasm::WASM.iter().map(|case| case.0)).chain(kernels::KERNELS.iter().map(|case| case.0));
    let told = told.chain(kernel_jobs::JOBS.iter().map(|case| case.0));
    let told = told.chain(trust::COPIES.iter().map(|case| case.0)).chain(agree::CODES);
    let told: BTreeSet<_> = told.collect();
    let known: Vec<_> = codes::ALL.iter().map(|code| code.id).collect();
    assert_eq!(told.into_iter().collect::<Vec<_>>(), known, "ids ascend and each is tested");
    assert!(codes::ALL.iter().all(|code| code.id.len() == 5 && code.id.starts_with('W')));
    let warnings = codes::ALL.iter().filter(|code| code.severity == Severity::Warning).map(|code| code.id);
    let known = ["W0100", "W0107", "W0162", "W0172", "W0173", "W0174", "W0202", "W0203", "W0208", "W0209"];
    assert_eq!(warnings.collect::<Vec<_>>(), known);
}

#[test]
fn a_document_with_many_mistakes_tells_them_all_in_order() {
    let document = [
        ("value=\"1\"", "value=\"one\""),
        ("id=\"a\" paramtype=\"Number\"", "id=\"a\" paramtype=\"number\""),
        ("<pool id", "<pool colour=\"red\" id"),
        ("source=\"list\"", "source=\"lst\""),
        ("<finalnode id=\"j\"", "<finalnode id=\"jj\""),
    ]
    .iter()
    .fold(SOUND.to_owned(), |document, (find, replace)| document.replacen(find, replace, 1));
    let found = problems(&files(&document));
    let lines: Vec<_> = found.iter().map(|found| (found.code, found.line)).collect();
    assert_eq!(lines, [("W0132", 3), ("W0122", 5), ("W0114", 8), ("W0150", 21), ("W0160", 23)]);
}

#[test]
fn the_text_form_names_file_place_severity_and_code() {
    let found = problems(&files(&SOUND.replacen("dest=\"p\"", "dest=\"pp\"", 1)));
    assert_eq!(listed(&found), "workflow.xml:21:39: error[W0151]: no node has the id `pp`");
    let json = serde_json::to_value(&found[0]).unwrap();
    assert_eq!(json["severity"], "error");
    assert_eq!(json["help"], "did you mean `p`?");
}
