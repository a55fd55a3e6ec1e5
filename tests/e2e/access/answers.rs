//! What the matrix says and what a server answers, compared. Pure: asks nobody.

use std::collections::BTreeMap;

use weevil_api::routes::{Access, Operation};
use weevil_model::Face;

/// Who asks, in the order of the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Asker {
    Nobody,
    Wrong,
    Local,
    Far,
    Cookie,
    Key,
    Session,
    Outside,
    Admin,
    Plain,
    Expired,
    Disabled,
    OtherFace,
    OwnCookie,
    OwnKey,
    Reads,
    Writes,
    Manages,
    Serves,
    TokenExpired,
    TokenRevoked,
    TokenDisabled,
    Viewer,
    Researcher,
    Manager,
    OtherViewer,
    OtherResearcher,
    OtherManager,
    Elsewhere,
}

impl Asker {
    pub(super) const ALL: [Self; 29] = [
        Self::Nobody,
        Self::Wrong,
        Self::Local,
        Self::Far,
        Self::Cookie,
        Self::Key,
        Self::Session,
        Self::Outside,
        Self::Admin,
        Self::Plain,
        Self::Expired,
        Self::Disabled,
        Self::OtherFace,
        Self::OwnCookie,
        Self::OwnKey,
        Self::Reads,
        Self::Writes,
        Self::Manages,
        Self::Serves,
        Self::TokenExpired,
        Self::TokenRevoked,
        Self::TokenDisabled,
        Self::Viewer,
        Self::Researcher,
        Self::Manager,
        Self::OtherViewer,
        Self::OtherResearcher,
        Self::OtherManager,
        Self::Elsewhere,
    ];

    /// Whose letter is its own: a session that is over, or half of one, is worth what it is worth for `local`.
    const fn column(self) -> usize {
        match self {
            Self::Admin => 8,
            Self::Plain => 9,
            Self::Expired | Self::Disabled | Self::OtherFace | Self::OwnKey => Self::Key as usize,
            Self::OwnCookie => Self::Cookie as usize,
            Self::Reads => 10,
            Self::Writes => 11,
            Self::Manages => 12,
            Self::Serves => 13,
            Self::Viewer => 14,
            Self::Researcher => 15,
            Self::Manager => 16,
            Self::OtherViewer => 17,
            Self::OtherResearcher => 18,
            Self::OtherManager => 19,
            Self::Elsewhere => 20,
            Self::TokenExpired | Self::TokenRevoked | Self::TokenDisabled => Self::Wrong as usize,
            other => other as usize,
        }
    }
}

/// Letters of a line.
const COLUMNS: usize = 21;

/// Status and code of an answer; the code is empty where it is no refusal.
pub(super) type Told = (u16, String);

/// Whether an answer is what a letter stands for.
fn fits(letter: char, (status, code): &Told) -> bool {
    match letter {
        // A worker's own secret is asked for by the operation itself.
        '+' => {
            let hidden = ["noSuchPage", "noSuchProject"].contains(&code.as_str());
            code == "wrongSecret" || ![401, 403, 405].contains(status) && !hidden
        }
        'n' => (*status, code.as_str()) == (401, "notSignedIn"),
        't' => (*status, code.as_str()) == (401, "badToken"),
        'a' => (*status, code.as_str()) == (403, "notAllowed"),
        's' => (*status, code.as_str()) == (403, "scopeMissing"),
        'f' => (*status, code.as_str()) == (403, "signInAgain"),
        'k' => (*status, code.as_str()) == (403, "noSessionKey"),
        'x' => (*status, code.as_str()) == (404, "noSuchPage"),
        'p' => (*status, code.as_str()) == (404, "noSuchProject"),
        other => panic!("no letter of the matrix is {other}"),
    }
}

/// What a page says, by the operation's name.
pub(super) fn lines(page: &str) -> BTreeMap<String, Vec<char>> {
    let lines = page.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut found = BTreeMap::new();
    for line in lines {
        let mut words = line.split_whitespace();
        let name = words.next().expect("a line has a name").to_owned();
        let letters: Vec<char> = words.map(|word| word.parse().expect("one letter")).collect();
        assert_eq!(letters.len(), COLUMNS, "{name} has a letter for each caller");
        assert_eq!(found.insert(name.clone(), letters), None, "{name} has one line");
    }
    found
}

/// What differs, a sentence each; nothing where all is as the page says.
pub(super) fn differences(
    page: &BTreeMap<String, Vec<char>>,
    answer: impl Fn(Operation, Asker) -> Told,
) -> Vec<String> {
    let known = |name: &String| Operation::ALL.iter().any(|operation| operation.row().name == name);
    let mut found: Vec<String> =
        page.keys().filter(|name| !known(name)).map(|name| format!("{name} has a line and no row")).collect();
    for operation in Operation::ALL {
        let name = operation.row().name;
        let Some(letters) = page.get(name) else {
            found.push(format!("{name} has a row and no line"));
            continue;
        };
        for asker in Asker::ALL {
            let (letter, told) = (letters[asker.column()], answer(operation, asker));
            if !fits(letter, &told) {
                found
                    .push(format!("{name} for {asker:?} is {letter} on the page and {told:?} at the server"));
            }
        }
    }
    found
}

fn page() -> BTreeMap<String, Vec<char>> {
    lines(include_str!("matrix.txt"))
}

/// The operations that are not everybody's, each for whom the page says so.
fn named(found: &[String], asker: Asker) -> Vec<&str> {
    let of_asker = format!(" for {asker:?} ");
    found.iter().filter_map(|line| line.split_once(&of_asker)).map(|(name, _)| name).collect()
}

fn guarded() -> Vec<&'static str> {
    let rows = Operation::ALL.into_iter().map(Operation::row);
    rows.filter(|row| row.access != Access::Open).map(|row| row.name).collect()
}

#[test]
fn a_server_that_lets_everybody_in_is_named_for_each_operation_that_needs_a_right() {
    let found = differences(&page(), |_, _| (200, String::new()));
    assert!(guarded().len() > 20);
    for asker in [Asker::Nobody, Asker::Wrong, Asker::Far, Asker::Cookie, Asker::Key] {
        assert_eq!(named(&found, asker), guarded(), "{asker:?}");
    }
    let private: Vec<&str> = Operation::ALL
        .into_iter()
        .map(Operation::row)
        .filter(|row| row.face == Face::Private)
        .map(|row| row.name)
        .collect();
    assert_eq!(named(&found, Asker::Outside), private);
    let refused = |asker: Asker| {
        let refused = page().into_iter().filter(move |(_, letters)| letters[asker.column()] != '+');
        refused.map(|(name, _)| name).collect::<std::collections::BTreeSet<_>>()
    };
    for asker in [Asker::Local, Asker::Session, Asker::Admin, Asker::Plain] {
        let named = named(&found, asker).into_iter().map(str::to_owned).collect();
        assert_eq!(refused(asker), named, "{asker:?}");
    }
}

#[test]
fn a_server_that_lets_nobody_in_is_named_for_every_operation() {
    for told in [(401, "notSignedIn"), (403, "scopeMissing"), (404, "noSuchPage"), (405, "noSuchMethod")] {
        let found = differences(&page(), |_, _| (told.0, told.1.to_owned()));
        let names: Vec<_> = Operation::ALL.into_iter().map(|operation| operation.row().name).collect();
        for asker in [Asker::Local, Asker::Session] {
            assert_eq!(named(&found, asker), names, "{told:?} {asker:?}");
        }
    }
}

/// An answer that is as the page says.
fn answered(operation: Operation, asker: Asker) -> Told {
    let letters = &page()[operation.row().name];
    let (status, code) = match letters[asker.column()] {
        'n' => (401, "notSignedIn"),
        't' => (401, "badToken"),
        'a' => (403, "notAllowed"),
        's' => (403, "scopeMissing"),
        'f' => (403, "signInAgain"),
        'k' => (403, "noSessionKey"),
        'x' => (404, "noSuchPage"),
        'p' => (404, "noSuchProject"),
        _ => (200, ""),
    };
    (status, code.to_owned())
}

#[test]
fn a_row_without_a_line_and_a_line_without_a_row_are_named() {
    let mut page = page();
    let letters = page.remove("ListRuns").expect("a line");
    page.insert("ListNothing".into(), letters);
    let found = differences(&page, answered);
    assert_eq!(found, ["ListNothing has a line and no row", "ListRuns has a row and no line"]);
}
