//! Cases that need other files or large ones: bytes that are no text, files with their own places, every limit.

use weevil_model::Diagnostic;
use weevil_model::limits::{MAX_NODES, MAX_VALUE_BYTES, MAX_XML_DEPTH};
use weevil_workflow::limits::{MAX_ATTRIBUTES, MAX_DIAGNOSTICS, MAX_ELEMENTS, MAX_ID_CHARS};
use weevil_workflow::load;

use super::{SOUND, files};
use crate::common::{JOB, bundle, joined, listed, problems};

/// The codes that the tests below bring about.
pub(crate) const CODES: &[&str] = &["W0100", "W0102", "W0106", "W0133", "W0135", "W0138"];

fn places(found: &[Diagnostic]) -> Vec<(&str, &str, u32, u32)> {
    found.iter().map(|found| (found.code, found.file.as_str(), found.line, found.column)).collect()
}

fn with_value(src: &str, returntype: &str) -> String {
    let value = format!(r#"<value id="v" src="{src}" returntype="{returntype}"/>"#);
    format!("<workflow><nodes>{value}</nodes><finalnode id=\"v\"/></workflow>")
}

#[test]
fn bytes_that_are_not_utf8_are_told_where_they_begin() {
    let latin = [SOUND.as_bytes(), b"<!-- \xC3\xA9\xE9 -->"].concat();
    let found = problems(&bundle(&[("workflow.xml", &latin)]));
    assert_eq!(places(&found), [("W0102", "workflow.xml", 25, 7)]);
    let utf16 = [b"\xFF\xFE".as_slice(), b"<\0w\0"].concat();
    assert_eq!(places(&problems(&bundle(&[("w.xml", &utf16)]))), [("W0102", "w.xml", 1, 1)]);
}

#[test]
pub(crate) fn files_of_the_bundle_have_their_own_places() {
    let document = with_value("f", "Array");
    for (file, code, line, column) in [
        (&b"[1,\n 2,]"[..], "W0133", 2, 4),
        (b"[1,\r\n\t\"\xC3\xA9\", x]", "W0133", 2, 7),
        (b"", "W0133", 1, 1),
        (b"[1, 2\n", "W0133", 2, 1),
        (b"\xEF\xBB\xBF[1] 2", "W0133", 1, 5),
        (b"[\n\"\xFF\"]", "W0138", 2, 2),
    ] {
        let found = problems(&bundle(&[("w.xml", document.as_bytes()), ("f.json", file)]));
        assert_eq!(places(&found), [(code, "f.json", line, column)], "{file:?}\n{}", listed(&found));
    }
    let found = problems(&bundle(&[("workflow.xml", SOUND.as_bytes()), ("Add.js", b"// \xE9")]));
    assert_eq!(places(&found), [("W0138", "Add.js", 1, 4)]);
}

#[test]
fn a_value_beyond_the_limit_is_refused() {
    let text = format!("\"{}\"", "x".repeat(MAX_VALUE_BYTES));
    let document = with_value("f", "String");
    let found = problems(&bundle(&[("w.xml", document.as_bytes()), ("f.json", text.as_bytes())]));
    assert_eq!(places(&found), [("W0135", "w.xml", 1, 37)]);
}

#[test]
fn depth_and_numbers_are_bounded() {
    let deep = format!("{}{}", "<a>".repeat(MAX_XML_DEPTH + 1), "</a>".repeat(MAX_XML_DEPTH + 1));
    let attributes = joined(0..=MAX_ATTRIBUTES, |n| format!(" a{n}=\"\""));
    let wide = format!("<workflow{attributes}/>");
    let elements = format!("<workflow>{}</workflow>", "<a/>".repeat(MAX_ELEMENTS));
    let value = r#"<value id="" value="" returntype="String"/>"#;
    let nodes =
        format!("<workflow><nodes>{}</nodes><finalnode id=\"\"/></workflow>", value.repeat(MAX_NODES + 1));
    for (what, document, offset) in [
        ("depth", deep, 3 * MAX_XML_DEPTH + 1),
        ("attributes", wide.clone(), wide.find(&format!("a{MAX_ATTRIBUTES}=")).unwrap()),
        ("elements", elements, "<workflow><".len() + 4 * (MAX_ELEMENTS - 1)),
        ("nodes", nodes, "<workflow><nodes><".len() + value.len() * MAX_NODES),
    ] {
        let found = problems(&bundle(&[("w.xml", document.as_bytes())]));
        let column = u32::try_from(offset).unwrap() + 1;
        assert_eq!(places(&found), [("W0106", "w.xml", 1, column)], "{what}\n{}", listed(&found));
    }
    let id = "x".repeat(MAX_ID_CHARS + 1);
    let found = problems(&files(&SOUND.replacen("id=\"proc\"", &format!("id=\"{id}\""), 1)));
    assert_eq!(places(&found), [("W0120", "workflow.xml", 10, 22)]);
}

#[test]
fn what_follows_from_a_missing_or_misplaced_part_is_not_told_as_well() {
    let value = |id: &str| format!(r#"<value id="{id}" value="1" returntype="Number"/>"#);
    let (v, end) = (value("v"), r#"<finalnode id="v"/>"#);
    let edges = r#"<edges><edge source="v" dest="w"/></edges>"#;
    for (inside, expected) in [
        (format!("{v}{end}"), ("W0111", "w.xml", 1, 12)),
        (format!("{edges}{end}"), ("W0113", "w.xml", 1, 2)),
        (format!("<nodes>{v}{end}</nodes>"), ("W0111", "w.xml", 1, 64)),
        (format!("<nodes>{}</nodes><nodes>{v}</nodes>{end}", value("u")), ("W0112", "w.xml", 1, 72)),
    ] {
        let document = format!("<workflow>{inside}</workflow>");
        let found = problems(&bundle(&[("w.xml", document.as_bytes())]));
        assert_eq!(places(&found), [expected], "{document}\n{}", listed(&found));
    }
}

#[test]
fn what_was_meant_is_checked_as_if_it_stood_there_and_underlined_as_it_stands() {
    let document = r#"<workflow><nodes><constant id="c"/><vale name="v" type="Number"/></nodes>
        <edges><edge source="v" dest="c"/><edge source="c" dest="w"/></edges><finalNode id="c"/></workflow>"#;
    let found = problems(&bundle(&[("w.xml", document.as_bytes())]));
    let underlined: Vec<_> = found
        .iter()
        .map(|found| {
            let line = document.lines().nth(found.line as usize - 1).unwrap();
            (found.code, &line[found.column as usize - 1..found.end_column as usize - 1])
        })
        .collect();
    let expected = [
        ("W0110", "constant"),
        ("W0110", "vale"),
        ("W0131", "vale"),
        ("W0114", "name"),
        ("W0114", "type"),
        ("W0151", "w"),
        ("W0110", "finalNode"),
    ];
    assert_eq!(underlined, expected, "{}", listed(&found));
}

fn chain(nodes: usize) -> String {
    let ports = r#"<parameters><parameter id="a" paramtype="Number"/></parameters>"#;
    let jobs = joined(0..nodes, |n| format!(r#"<job id="n{n}" src="Add" returntype="Number">{ports}</job>"#));
    let edges = joined(1..nodes, |n| format!(r#"<edge source="n{}" dest="n{n}"/>"#, n - 1));
    let start = r#"<value id="start" value="1" returntype="Number"/>"#;
    let first = r#"<edge source="start" dest="n0"/>"#;
    let last = nodes - 1;
    format!(
        "<workflow><nodes>{start}{jobs}</nodes><edges>{first}{edges}</edges><finalnode id=\"n{last}\"/></workflow>"
    )
}

#[test]
fn a_chain_may_be_long_but_its_paths_may_not_fill_the_memory() {
    let add = |document: &str| bundle(&[("w.xml", document.as_bytes()), ("Add.js", JOB)]);
    let plan = load(&add(&chain(3000))).map(|loaded| loaded.plan).unwrap();
    assert_eq!(plan.node(plan.final_node()).path.matches('/').count(), 3000);
    let found = problems(&add(&chain(30_000)));
    assert_eq!((found.len(), found[0].code), (1, "W0106"));
    // A knot of this length would end a recursive search on most stacks.
    let knot = chain(30_000).replacen("source=\"start\"", "source=\"n29999\"", 1);
    let found = problems(&add(&knot));
    assert_eq!((found.len(), found[0].code), (1, "W0159"));
    assert!(found[0].message.ends_with("-> n19 -> .. (29980 more) -> n0"), "{}", found[0].message);
}

#[test]
fn the_number_of_problems_told_is_bounded() {
    let edges = joined(0..5000, |n| format!("<edge source=\"no{n}\" dest=\"nowhere\"/>\n"));
    let found = problems(&files(&SOUND.replacen("<edges>", &format!("<edges>{edges}"), 1)));
    assert_eq!(found.len(), MAX_DIAGNOSTICS + 1);
    let last = found.last().unwrap();
    assert_eq!((last.code, last.message.as_str()), ("W0100", "9800 more problems are not listed"));
}
