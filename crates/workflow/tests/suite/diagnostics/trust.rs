//! Cases of how far answers are believed: the policies, and code whose copies would not agree.

use weevil_workflow::{Circumstances, load_with};

use super::{Case, SOUND, Span, unmark};
use crate::common::{JOB, bundle, listed, problems};

const FORMS: &str = "write `none`, `quorum(3)` (2 to 7 answers that agree) or `credible(0.001)` (at most this share of the \
                     accepted answers is wrong, 0.0001 to 0.1)";

pub(crate) const POLICIES: &[Case] = &[
    (
        "W0200",
        &[("<workflow>", "<workflow trust=\"§majority§\">")],
        "`trust` is `majority`, which is no policy",
    ),
    ("W0200", &[("<job ", "<job trust=\"§majority(3)§\" ")], FORMS),
    ("W0200", &[("<job ", "<job trust=\"§§\" ")], "`trust` is ``, which is no policy"),
    ("W0200", &[("<job ", "<job trust=\"§None§\" ")], "is no policy"),
    ("W0200", &[("<processor ", "<processor trust=\"§quorum(1)§\" ")], "one answer agrees with itself"),
    ("W0200", &[("<reducer ", "<reducer trust=\"§quorum(8)§\" ")], "asks for too many answers"),
    ("W0200", &[("<job ", "<job trust=\"§quorum(two)§\" ")], "does not say in plain digits how many"),
    (
        "W0200",
        &[("<job ", "<job trust=\"§credible(0)§\" ")],
        "no number of answers rules out that all of them lie",
    ),
    ("W0200", &[("<job ", "<job trust=\"§credible(0.5)§\" ")], "a share that is too small or too large"),
    ("W0200", &[("<job ", "<job trust=\"§credible(1e-3)§\" ")], "does not name a share as `0.001` does"),
    ("W0114", &[("<pool ", "<pool §trust§=\"none\" ")], "its attributes are `id`, `returntype`"),
    ("W0114", &[("<job ", "<job §trusts§=\"none\" ")], "did you mean `trust`?"),
];

/// Code; `Code.js`, which the processor names; its attributes; words of the message or the help.
type CodeCase = (&'static str, &'static str, &'static str, &'static str);

const JUDGED: &str = "trust=\"quorum(3)\"";
const FROZEN: &str = "trust=\"quorum(3)\" deterministic=\"true\"";

pub(crate) const COPIES: &[CodeCase] = &[
    (
        "W0202",
        "weevil_main = e => e + Date.now()",
        JUDGED,
        "`Date` in Code.js:1 can say something else to each",
    ),
    (
        "W0202",
        "weevil_main = e => e + Date.now()",
        "trust=\"credible(0.001)\"",
        "`Date` in Code.js:1 can say something else to each",
    ),
    ("W0202", "weevil_main = e => e + Date.now()", JUDGED, "write `deterministic=\"true\"`"),
    ("W0202", "// head\nweevil_main = e => e + new Date", JUDGED, "in Code.js:2"),
    ("W0202", "weevil_main = e => e + performance.now() + Date.now()", JUDGED, "`performance` in Code.js:1"),
    ("W0202", "weevil_main = e => e + crypto.randomUUID()", JUDGED, "copies of `proc` would differ"),
    ("W0202", "weevil_main = e => e + crypto.randomUUID()", JUDGED, "draw from `Math.random`"),
    ("W0202", "weevil_main = e => e + Temporal.Now.instant()", JUDGED, "use `Date`, which every browser has"),
    ("W0203", "weevil_main = e => e + Temporal.Now.instant()", FROZEN, "is not there in every browser"),
    (
        "W0203",
        "weevil_main = e => e + self.crypto.randomUUID() + Date.now()",
        FROZEN,
        "from the seed of `proc`",
    ),
];

/// Nothing to tell: code, and attributes of the processor.
const AGREEING: &[(&str, &str)] = &[
    ("weevil_main = e => e + Math.random()", JUDGED),
    ("weevil_main = e => e + Date.now() + performance.now()", FROZEN),
    ("weevil_main = e => e + Date.now()", ""),
    ("weevil_main = e => e + Date.now()", "trust=\"none\""),
    ("weevil_main = e => e + 1", "trust=\"credible(0.0001)\""),
    ("weevil_main = e => e + 1", "trust=\" credible(0.1)\n\""),
    ("weevil_main = e => e + crypto.randomUUID()", "deterministic=\"true\""),
];

fn document(workflow: &str, processor: &str) -> String {
    let document = SOUND.replacen("id=\"proc\" src=\"Add\"", "id=\"proc\" src=\"§Code§\"", 1);
    let document = document.replacen("<workflow", &format!("<workflow {workflow}"), 1);
    document.replacen("<processor ", &format!("<processor {processor} "), 1)
}

fn diagnostics_of(document: &str, code: &str) -> (Span, Vec<weevil_model::Diagnostic>) {
    let (span, document) = unmark(document);
    let files: &[(&str, &[u8])] =
        &[("workflow.xml", document.as_bytes()), ("Add.js", JOB), ("Code.js", code.as_bytes())];
    (span, problems(&bundle(files)))
}

#[test]
pub(crate) fn what_keeps_copies_from_agreeing_is_told_at_the_node() {
    for (id, code, attributes, words) in COPIES {
        let (span, found) = diagnostics_of(&document("", attributes), code);
        let places: Vec<_> = found.iter().map(|found| (found.code, Span::of(found))).collect();
        assert_eq!(places, [(*id, span)], "{code}\n{}", listed(&found));
        let text = format!("{} {}", found[0].message, found[0].help.as_deref().unwrap_or_default());
        assert!(text.contains(words), "{words:?} is expected in {text:?}");
    }
}

#[test]
fn code_whose_copies_agree_is_accepted_without_a_word() {
    for (code, attributes) in AGREEING {
        let (_, found) = diagnostics_of(&document("", attributes), code);
        assert_eq!(found, [], "{code} {attributes}\n{}", listed(&found));
    }
}

#[test]
fn a_node_is_judged_as_the_workflow_says_unless_it_says_otherwise() {
    let code = "weevil_main = e => e + Date.now()";
    for (workflow, processor, told) in [
        (JUDGED, "", true),
        (JUDGED, "trust=\"none\"", false),
        ("trust=\"none\"", JUDGED, true),
        ("trust=\"none\"", "", false),
    ] {
        let (_, found) = diagnostics_of(&document(workflow, processor), code);
        assert_eq!(!found.is_empty(), told, "{workflow} {processor}\n{}", listed(&found));
    }
}

#[test]
fn what_a_run_is_started_with_stands_above_the_document_and_the_server_below_it() {
    let policy = |text: &str| Some(text.parse().unwrap());
    let (strict, nobody) = (policy("credible(0.001)"), policy("none"));
    for (workflow, asked, usual, told) in [
        ("", strict, None, &["W0202"][..]),
        ("", None, strict, &["W0202"]),
        ("", nobody, strict, &[]),
        (JUDGED, nobody, None, &[]),
        ("trust=\"none\"", strict, nobody, &["W0202"]),
        ("trust=\"none\"", None, strict, &[]),
    ] {
        let document = document(workflow, "").replacen("§", "", 2);
        let code = b"weevil_main = e => e + Date.now()";
        let files: &[(&str, &[u8])] =
            &[("workflow.xml", document.as_bytes()), ("Add.js", JOB), ("Code.js", code)];
        let here = Circumstances { kernels: None, asked, usual };
        let found = load_with(&bundle(files), here).unwrap().warnings;
        let codes: Vec<_> = found.iter().map(|found| found.code).collect();
        assert_eq!(codes, told, "{workflow} {asked:?} {usual:?}");
    }
}

#[test]
fn one_clock_and_each_of_the_others_is_told() {
    let code = "weevil_main = e => [e, Date.now(), performance.now(), crypto.randomUUID(), Temporal.Now, Date.now()]";
    for (attributes, expected) in [(JUDGED, &["W0202", "W0202", "W0202"][..]), (FROZEN, &["W0203", "W0203"])]
    {
        let (_, found) = diagnostics_of(&document("", attributes), code);
        let told: Vec<_> = found.iter().map(|found| found.code).collect();
        assert_eq!(told, expected, "{}", listed(&found));
    }
}
