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
}

impl Asker {
    pub(super) const ALL: [Self; 8] = [
        Self::Nobody,
        Self::Wrong,
        Self::Local,
        Self::Far,
        Self::Cookie,
        Self::Key,
        Self::Session,
        Self::Outside,
    ];
}

/// Status and code of an answer; the code is empty where it is no refusal.
pub(super) type Told = (u16, String);

/// Whether an answer is what a letter stands for.
fn fits(letter: char, (status, code): &Told) -> bool {
    match letter {
        // A worker's own secret is asked for by the operation itself.
        '+' => {
            code == "wrongSecret" || ![401, 403].contains(status) && code != "noSuchPage" && *status != 405
        }
        'n' => (*status, code.as_str()) == (401, "notSignedIn"),
        't' => (*status, code.as_str()) == (401, "badToken"),
        'k' => (*status, code.as_str()) == (403, "noSessionKey"),
        'x' => (*status, code.as_str()) == (404, "noSuchPage"),
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
        assert_eq!(letters.len(), Asker::ALL.len(), "{name} has a letter for each caller");
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
        for (asker, letter) in Asker::ALL.into_iter().zip(letters) {
            let told = answer(operation, asker);
            if !fits(*letter, &told) {
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
    for asker in [Asker::Local, Asker::Session] {
        assert_eq!(named(&found, asker), [""; 0], "{asker:?}");
    }
}

#[test]
fn a_server_that_lets_nobody_in_is_named_for_every_operation() {
    for told in [(401, "notSignedIn"), (403, "notAllowed"), (404, "noSuchPage"), (405, "noSuchMethod")] {
        let found = differences(&page(), |_, _| (told.0, told.1.to_owned()));
        let names: Vec<_> = Operation::ALL.into_iter().map(|operation| operation.row().name).collect();
        for asker in [Asker::Local, Asker::Session] {
            assert_eq!(named(&found, asker), names, "{told:?} {asker:?}");
        }
    }
}

#[test]
fn a_row_without_a_line_and_a_line_without_a_row_are_named() {
    let mut page = page();
    let letters = page.remove("ListRuns").expect("a line");
    page.insert("ListNothing".into(), letters);
    let found = differences(&page, |operation, asker| {
        let open = operation.row().access == Access::Open || [Asker::Local, Asker::Session].contains(&asker);
        let told = match asker {
            Asker::Outside if operation.row().face == Face::Private => (404, "noSuchPage"),
            Asker::Outside => (200, ""),
            _ if open => (200, ""),
            Asker::Nobody | Asker::Key => (401, "notSignedIn"),
            Asker::Cookie => (403, "noSessionKey"),
            _ => (401, "badToken"),
        };
        (told.0, told.1.to_owned())
    });
    assert_eq!(found, ["ListNothing has a line and no row", "ListRuns has a row and no line"]);
}
