//! What an older checker has accepted stays accepted, and the numbers that say so are never written anew.

use weevil_model::{Diagnostic, Severity};
use weevil_workflow::{codes, load, load_accepted};

use crate::common::listed;
use crate::diagnostics::{documents, files};

/// Errors and the checker that first reported each, in the order in which they came. Lines are added at the end, with a
/// larger number than those of the checker before, and never changed.
const KEPT: &str = include_str!("../data/errors.txt");

fn kept() -> Vec<(&'static str, u32)> {
    let line = |line: &'static str| {
        let (id, checker) = line.split_once(' ').unwrap();
        (id, checker.parse().unwrap())
    };
    KEPT.lines().map(line).collect()
}

#[test]
fn an_error_that_is_added_belongs_to_a_new_checker() {
    let kept = kept();
    assert!(kept.is_sorted_by_key(|(_, checker)| *checker), "errors of a newer checker come behind");
    let newest = kept.last().unwrap().1;
    for code in codes::ALL {
        let known = kept.iter().find(|(id, _)| *id == code.id).map(|(_, checker)| *checker);
        assert_eq!(code.since.is_some(), code.severity == Severity::Error, "{}", code.id);
        if let Some(since) = code.since.filter(|_| known.is_none()) {
            let cure = "raise CHECKER, give the error that number, and add it to tests/data/errors.txt";
            panic!("{} is new, but not newer than checker {newest} (it says {since}): {cure}", code.id);
        }
        assert_eq!(code.since, known, "{}: its number stays", code.id);
    }
    assert!(kept.iter().all(|(id, _)| codes::ALL.iter().any(|code| code.id == *id)), "errors stay known");
    assert_eq!(newest, codes::CHECKER, "the newest checker is the one of the newest error");
}

fn has_errors(problems: &[Diagnostic]) -> bool {
    problems.iter().any(|found| found.severity == Severity::Error)
}

#[test]
fn an_error_is_a_warning_to_whoever_was_accepted_before_it() {
    let mut runs_on = 0;
    for (code, document) in documents() {
        let bundle = files(&document);
        let (strict, since_then, lenient) =
            (load(&bundle), load_accepted(&bundle, codes::CHECKER), load_accepted(&bundle, 0));
        let told = |loaded: &Result<weevil_workflow::Loaded, Vec<Diagnostic>>| match loaded {
            Ok(loaded) => listed(&loaded.warnings),
            Err(problems) => listed(problems),
        };
        assert_eq!(told(&since_then), told(&strict), "{document}");
        assert_eq!(since_then.is_ok(), strict.is_ok(), "{document}");
        match lenient {
            Ok(loaded) => {
                assert!(!has_errors(&loaded.warnings), "{document}");
                assert!(loaded.warnings.iter().any(|found| found.code == code), "{code}: {document}");
                runs_on += usize::from(strict.is_err());
            }
            Err(problems) => assert_eq!(listed(&problems), told(&strict), "{document}"),
        }
    }
    assert!(runs_on > 0, "some mistakes leave a plan");
}
