//! Every name of the sound document, misspelt in each of several ways: told once, with the right name.

use super::{SOUND, files};
use crate::common::{listed, problems};

/// Where the names of elements and attributes stand, each with the place of its end tag if it has one.
fn names() -> Vec<(usize, &'static str, Option<usize>)> {
    let tags = SOUND.match_indices('<').map(|(at, _)| at + 1).filter(|at| !SOUND[*at..].starts_with('/'));
    let attributes = SOUND.match_indices("=\"").map(|(at, _)| SOUND[..at].rfind(' ').unwrap() + 1);
    let name = |at: usize| {
        let end = SOUND[at..].find(|letter: char| !letter.is_alphanumeric()).unwrap();
        &SOUND[at..at + end]
    };
    let end_tag = |at: usize| {
        let closes_itself = SOUND[at..].find("/>") < SOUND[at..].find('>');
        let end_tag = format!("</{}>", name(at));
        (!closes_itself).then(|| at + SOUND[at..].find(&end_tag).unwrap() + 2)
    };
    let tags = tags.map(|at| (at, name(at), end_tag(at)));
    tags.chain(attributes.map(|at| (at, name(at), None))).collect()
}

fn misspellings(name: &str) -> Vec<String> {
    let (first, rest) = name.split_at(1);
    let doubled = format!("{name}{}", &name[name.len() - 1..]);
    let swapped = format!("{}{}{}", &rest[..1], first, &rest[1..]);
    let capital = format!("{}{rest}", first.to_uppercase());
    vec![doubled, swapped, capital, name.to_uppercase(), name[..name.len() - 1].to_owned()]
}

#[test]
fn a_misspelt_name_is_told_once_with_the_right_one() {
    for (at, name, end_tag) in names() {
        for misspelt in misspellings(name) {
            let mut document = SOUND.to_owned();
            for at in end_tag.into_iter().chain([at]) {
                document.replace_range(at..at + name.len(), &misspelt);
            }
            let found = problems(&files(&document));
            let help: Vec<_> = found.iter().map(|found| found.help.as_deref().unwrap_or_default()).collect();
            assert_eq!(help, [format!("did you mean `{name}`?")], "{document}\n{}", listed(&found));
        }
    }
}
