//! What can be listened to, and how an address names it.

use weevil_model::{ProjectId, RunId};

use crate::refusal::Refusal;

/// Topics of one stream.
pub(crate) const MAX_TOPICS: usize = 16;
/// As a refusal lists them.
const KNOWN: &str = "overview, overview:PROJECT, run:ID, workers, queue";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Topic {
    /// That of a project; `None`: of all.
    Overview(Option<ProjectId>),
    Run(RunId),
    Workers,
    Queue,
}

/// A topic before anybody has looked whether it is there.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Named<'a> {
    /// That of the project with this name; `None`: of the one that is meant where none is named.
    Overview(Option<&'a str>),
    Run(&'a str),
    Workers,
    Queue,
}

/// The topics of a list with commas, each with its name as it was given. What is there twice counts once.
///
/// # Errors
/// One is not known, or there are too many of them.
pub(crate) fn named(list: &str) -> Result<Vec<(&str, Named<'_>)>, Refusal> {
    let mut topics: Vec<(&str, Named<'_>)> = Vec::new();
    for name in list.split(',') {
        let topic = one(name)
            .ok_or_else(|| Refusal::BadQuery(format!("there is no topic `{name}`; there are {KNOWN}")))?;
        if topics.iter().any(|(known, _)| *known == name) {
            continue;
        }
        if topics.len() == MAX_TOPICS {
            return Err(Refusal::TooManyTopics);
        }
        topics.push((name, topic));
    }
    Ok(topics)
}

fn one(name: &str) -> Option<Named<'_>> {
    match name.split_once(':') {
        None if name == "overview" => Some(Named::Overview(None)),
        None if name == "workers" => Some(Named::Workers),
        None if name == "queue" => Some(Named::Queue),
        Some(("overview", project)) if is_name(project) => Some(Named::Overview(Some(project))),
        Some(("run", run)) if is_name(run) => Some(Named::Run(run)),
        _ => None,
    }
}

/// It stands in the line of an event: nothing in it may end that.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_read_and_what_is_not_one_is_refused_by_name() {
        for (list, expected) in [
            ("overview", Ok(vec![Named::Overview(None)])),
            (
                "overview:ants,run:run_1,workers,queue",
                Ok(vec![Named::Overview(Some("ants")), Named::Run("run_1"), Named::Workers, Named::Queue]),
            ),
            ("overview,overview", Ok(vec![Named::Overview(None)])),
            ("overview:*", Ok(vec![Named::Overview(Some("*"))])),
            ("", Err("no topic ``")),
            ("overview,", Err("no topic ``")),
            ("run", Err("no topic `run`")),
            ("run:", Err("no topic `run:`")),
            ("run:a\nevent: b", Err("no topic `run:a")),
            (
                "experiment:1",
                Err("no topic `experiment:1`; there are overview, overview:PROJECT, run:ID, workers, queue"),
            ),
        ] {
            let found =
                named(list).map(|topics| topics.into_iter().map(|(_, topic)| topic).collect::<Vec<_>>());
            match (found, expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{list}"),
                (Err(refusal), Err(words)) => {
                    assert!(refusal.to_string().contains(words), "{list}: {refusal}");
                }
                (found, expected) => panic!("{list}: {found:?} {expected:?}"),
            }
        }
    }

    #[test]
    fn one_topic_more_than_a_stream_has_is_refused() {
        let list = |count: usize| (0..count).map(|at| format!("run:{at}")).collect::<Vec<_>>().join(",");
        assert_eq!(named(&list(MAX_TOPICS)).unwrap().len(), MAX_TOPICS);
        assert!(matches!(named(&list(MAX_TOPICS + 1)), Err(Refusal::TooManyTopics)));
    }
}
