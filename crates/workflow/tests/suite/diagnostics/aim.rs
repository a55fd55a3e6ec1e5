//! Cases of what a workflow tells volunteers, and the bounds of its texts.

use weevil_workflow::limits::{MAX_LINK_CHARS, MAX_PROJECT_CHARS, MAX_QUESTION_CHARS};

use super::{Case, SOUND, files};
use crate::common::{listed, problems};

pub(crate) const AIM: &[Case] = &[
    ("W0127", &[("<workflow>", "<workflow project=\"§§\">")], "`project` is empty"),
    ("W0127", &[("<workflow>", "<workflow question=\"§ &#10; §\">")], "in 1 to 300 characters of one line"),
    ("W0127", &[("<workflow>", "<workflow project=\"§Weevils\u{9b}§\">")], "has '\\u{9b}' in it"),
    ("W0128", &[("<workflow>", "<workflow link=\"§§\">")], "does not begin with `https://` or `http://`"),
    (
        "W0128",
        &[("<workflow>", "<workflow link=\"§javascript:alert(1)//https://a.org§\">")],
        "does not begin",
    ),
    ("W0128", &[("<workflow>", "<workflow link=\"§data:text/html,hello§\">")], "`https://example.org/about`"),
    ("W0128", &[("<workflow>", "<workflow link=\"§//example.org/§\">")], "does not begin"),
    ("W0128", &[("<workflow>", "<workflow link=\"§https:example.org§\">")], "does not begin"),
    ("W0128", &[("<workflow>", "<workflow link=\"§https://§\">")], "names no host"),
    ("W0128", &[("<workflow>", "<workflow link=\"§https:///about§\">")], "names no host"),
    ("W0128", &[("<workflow>", "<workflow link=\"§http://:80/§\">")], "names no host"),
    ("W0128", &[("<workflow>", "<workflow link=\"§https://bank.org@evil.org/§\">")], "user name or password"),
    ("W0128", &[("<workflow>", "<workflow link=\"§https://me:secret@evil.org§\">")], "user name or password"),
    ("W0128", &[("<workflow>", "<workflow link=\"§https://bank.org\\@evil.org/§\">")], "has '\\\\' in it"),
    ("W0128", &[("<workflow>", "<workflow link=\"§https://bänk.org/§\">")], "has 'ä' in it"),
    ("W0128", &[("<workflow>", "<workflow link=\"§https://a.org/a b§\">")], "has ' ' in it"),
    (
        "W0128",
        &[("<workflow>", "<workflow link=\"§https://a.org:port/§\">")],
        "`a.org:port`, which is no name",
    ),
    ("W0128", &[("<workflow>", "<workflow link=\"§https://a%2eorg/§\">")], "`a%2eorg`, which is no name"),
    ("W0114", &[("<workflow>", "<workflow §projct§=\"Weevils\">")], "did you mean `project`?"),
    ("W0114", &[("<workflow>", "<workflow §url§=\"https://a.org\">")], "did you mean `link`?"),
    (
        "W0114",
        &[("<workflow>", "<workflow §colour§=\"red\">")],
        "its attributes are `project`, `question`, `link`, `trust`",
    ),
];

/// The sound document with this attribute.
fn with(name: &str, value: &str) -> String {
    SOUND.replacen("<workflow>", &format!("<workflow {name}=\"{value}\">"), 1)
}

/// Each limit, reached and passed by one.
pub(crate) fn bounds() -> impl Iterator<Item = (&'static str, [String; 2])> {
    let address =
        |characters: usize| format!("https://a.org/{}", "x".repeat(characters - "https://a.org/".len()));
    // Characters are counted, not bytes; blanks around them do not count.
    let text = |characters: usize| format!(" \n{}", "é".repeat(characters));
    let both = |name, most: usize, value: &dyn Fn(usize) -> String| {
        [with(name, &value(most)), with(name, &value(most + 1))]
    };
    [
        ("W0127", both("project", MAX_PROJECT_CHARS, &text)),
        ("W0127", both("question", MAX_QUESTION_CHARS, &text)),
        ("W0128", both("link", MAX_LINK_CHARS, &address)),
    ]
    .into_iter()
}

#[test]
fn the_texts_are_bounded() {
    for (code, [longest, longer]) in bounds() {
        assert_eq!(problems(&files(&longest)), [], "{longest}");
        let found = problems(&files(&longer));
        assert_eq!(found.iter().map(|found| found.code).collect::<Vec<_>>(), [code], "{}", listed(&found));
    }
}
