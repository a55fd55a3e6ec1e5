//! Cases of the code that nodes name: told in the code's own file, or at the node that it does not fit.

use weevil_workflow::limits::MAX_CODE_BYTES;

use super::{SOUND, Span, unmark};
use crate::common::{JOB, bundle, listed, problems};

/// Code; `Code.js`, which the job `j` with the ports `a` and `b` names; the job's start tag and ports where they are
/// others; words of the message or the help. The marks stand where the problem is told.
type Case = (&'static str, &'static str, &'static [(&'static str, &'static str)], &'static str);

const PORTS: &str = "<parameter id=\"a\" paramtype=\"Number\"/><parameter id=\"b\" paramtype=\"Number\"/>";
const AT_SRC: &[(&str, &str)] = &[("src=\"Code\"", "src=\"§Code§\"")];
const AT_A: &[(&str, &str)] = &[("id=\"a\" paramtype", "id=\"§a§\" paramtype")];
const AT_B: &[(&str, &str)] = &[("id=\"b\" paramtype", "id=\"§b§\" paramtype")];

pub(crate) const CODE: &[Case] = &[
    ("W0137", "function my_weevil() {}", AT_SRC, "`Code.js` does not define `weevil_main`"),
    ("W0137", "function weevil_man() {}", AT_SRC, "rename `weevil_man` to `weevil_main`"),
    (
        "W0137",
        "\nvar weevil_main = 5",
        AT_SRC,
        "`weevil_main` in Code.js:2 is a Number; a function is expected",
    ),
    ("W0170", "function weevil_main(a, b) {\n  return a +§;§\n}", &[], "not JavaScript: unexpected token"),
    ("W0170", "function weevil_main(a, b) {\r\n\treturn a + §'é }§", &[], "unterminated string"),
    ("W0170", "let é;\r\nlet §é§;", &[], "`é` has already been declared"),
    ("W0170", "§export§ function weevil_main(a, b) { return a + b }", &[], "job code is a classic script"),
    ("W0170", "function weevil_main(a, b) {\n  §retrun§ a + b;\n}", &[], "did you mean `return`?"),
    ("W0170", "§fucntion§ weevil_main(a, b) { return a + b }", &[], "did you mean `function`?"),
    ("W0170", "function weevil_main(a, b) { §Return§ a + b }", &[], "unexpected `Return`"),
    (
        "W0170",
        "function weevil_main(a, b) { if (a) { return a } §esle§ { return b } }",
        &[],
        "did you mean `else`?",
    ),
    ("W0170", "function weevil_main(a, b) { return a.nwe§§ b }", &[], "expected a semicolon"),
    ("W0170", "function weevil_main(a, b) { return a + doc§§", &[], "expected `}`"),
    ("W0170", "function weevil_main(a, b) { return a§§ b }", &[], "insert a semicolon here"),
    (
        "W0171",
        "// head\nfunction weevil_main(a, c) { return a + c }",
        AT_B,
        "`weevil_main(a, c)` in Code.js:2, but the ports of `j` are a, b",
    ),
    (
        "W0171",
        "function weevil_main(a, c) { return a + c }",
        AT_B,
        "rename the parameter `c` to `b`, or the port `b` to `c`",
    ),
    ("W0171", "function weevil_main(b, a) { return a + b }", AT_A, "give both the same order"),
    ("W0171", "function weevil_main(a) { return a }", AT_B, "or delete the port `b`"),
    ("W0171", "weevil_main = a => a + arguments[1]", AT_B, "add a parameter `b` to the function"),
    ("W0171", "function weevil_main(a, b, c) { return a + b + c }", AT_SRC, "add a port `c`"),
    (
        "W0171",
        "function weevil_main(a, b, { c }) { return a + b + c }",
        AT_SRC,
        "`weevil_main(a, b, { .. })`",
    ),
    ("W0172", "function weevil_main(a, b) { return a }", AT_B, "the port `b` of `j` is never read"),
    ("W0172", "function weevil_main(a, b) { return (b) => a + b }", AT_B, "in Code.js:1"),
    ("W0172", "function weevil_main(a, ...more) { return a }", AT_B, "never read"),
    ("W0173", "function weevil_main(a, b) {}\n§/§x/.test(1)", &[], "this can be read in two ways"),
    (
        "W0174",
        "function weevil_main(a, b) { return a + b + §fetch§('/x').length }",
        &[],
        "let the data come as an input",
    ),
    (
        "W0174",
        "var page = typeof document; function weevil_main(a, b) { fetch = 1; return §window§.x + a + b + page }",
        &[],
        "`window` is not there when a job runs",
    ),
];

/// What fits the ports `a` and `b`.
const FITTING: &[&str] = &[
    "function weevil_main(a, b) { return a + b }",
    "function weevil_main({ x }, [y]) { return x + y }",
    "function weevil_main(a, { y = a }) { return y }",
    "function weevil_main(a, ...more) { return more[0] + a }",
    "function weevil_main(...[first, second]) { return first + second }",
    "function weevil_main(a, b = 5, c = 6) { return a + b + c }",
    "function weevil_main() { return arguments[0] + arguments[1] }",
    "function weevil_main(a) { return a + arguments[1] }",
    "function weevil_main(a, b) { a = eval(a); return a }",
    "var weevil_main = make(); function make() { return Math.max }",
    "async function weevil_main(a, b) { return (await a) + b }",
];

fn document(edits: &[(&str, &str)]) -> String {
    let document = SOUND.replacen("id=\"j\" src=\"Add\"", "id=\"j\" src=\"Code\"", 1);
    edits.iter().fold(document, |document, (find, replace)| {
        assert!(document.contains(find), "{find}");
        document.replacen(find, replace, 1)
    })
}

fn diagnostics_of(document: &str, code: &str) -> Vec<weevil_model::Diagnostic> {
    let files: &[(&str, &[u8])] =
        &[("workflow.xml", document.as_bytes()), ("Add.js", JOB), ("Code.js", code.as_bytes())];
    problems(&bundle(files))
}

#[test]
pub(crate) fn each_mistake_is_told_once_at_its_place() {
    for (id, code, edits, words) in CODE {
        let (file, (span, text)) = if code.contains('§') {
            ("Code.js", unmark(code))
        } else {
            ("workflow.xml", unmark(&document(edits)))
        };
        let found = if file == "Code.js" {
            diagnostics_of(&document(&[]), &text)
        } else {
            diagnostics_of(&text, code)
        };
        let places: Vec<_> = found.iter().map(|d| (d.code, d.file.as_str(), Span::of(d))).collect();
        assert_eq!(places, [(*id, file, span)], "{code}\n{}", listed(&found));
        let text = format!("{} {}", found[0].message, found[0].help.as_deref().unwrap_or_default());
        assert!(text.contains(words), "{words:?} is expected in {text:?}");
    }
}

#[test]
pub(crate) fn fitting_code_is_accepted_without_a_word() {
    for code in FITTING {
        let found = diagnostics_of(&document(&[]), code);
        assert_eq!(found, [], "{code}\n{}", listed(&found));
    }
}

#[test]
fn each_node_is_compared_with_its_own_ports_and_each_file_is_told_once() {
    let job = |id: &str, port: &str| {
        let port = format!("<parameter id=\"{port}\" paramtype=\"Number\"/>");
        let edge = format!("<edge source=\"v\" dest=\"{id}\"/>");
        let job = format!(
            "<job id=\"{id}\" src=\"Code\" returntype=\"Number\"><parameters>{port}</parameters></job>"
        );
        (job, edge)
    };
    let (one, two) = (job("one", "x"), job("two", "y"));
    let document = format!(
        "<workflow><nodes><value id=\"v\" value=\"1\" returntype=\"Number\"/>{}{}</nodes><edges>{}{}</edges><finalnode id=\"one\"/></workflow>",
        one.0, two.0, one.1, two.1
    );
    let codes =
        |code: &str| diagnostics_of(&document, code).iter().map(|found| found.code).collect::<Vec<_>>();
    assert_eq!(codes("function weevil_main(x) { return x }"), ["W0171"]);
    assert_eq!(codes("function weevil_main(z) { return z }"), ["W0171", "W0171"]);
    assert_eq!(codes("function weevil_main(..."), ["W0170"]);
    assert_eq!(codes("function main() {}"), ["W0137"]);
}

#[test]
fn what_is_wrong_with_a_node_already_is_not_told_as_a_parameter_too() {
    let code = "function weevil_main(a, b) { return a + b }";
    for (edits, expected) in [
        (("<parameter id=\"b\"", "<paramter id=\"b\""), "W0110"),
        (("<parameter id=\"b\"", "<parameter id=\"a\""), "W0121"),
        (("id=\"b\" paramtype", "paramtype"), "W0115"),
    ] {
        assert!(PORTS.contains(edits.0));
        let found = diagnostics_of(&document(&[edits]), code);
        assert!(found.iter().any(|d| d.code == expected), "{}", listed(&found));
        assert!(found.iter().all(|d| d.code != "W0171"), "{}", listed(&found));
    }
}

#[test]
pub(crate) fn code_that_cannot_be_checked_is_run_as_it_is() {
    let deep =
        format!("function weevil_main(a, b) {{ return {}1{} }}", "(".repeat(10_000), ")".repeat(10_000));
    let long = format!("function weevil_main(a, b) {{ return a + b }}{}", " ".repeat(MAX_CODE_BYTES));
    for (code, words) in [(deep, "nests too deeply"), (long, "too long")] {
        let found = diagnostics_of(&document(&[]), &code);
        assert_eq!((found.len(), found[0].code), (1, "W0173"), "{}", listed(&found));
        assert!(found[0].message.contains(words), "{}", found[0].message);
    }
}
