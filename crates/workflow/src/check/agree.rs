//! When two answers are the same, and who gives the second one: the attributes `agree`, `within` and `proof`.
//!
//! After an error an attribute says nothing. Never compares an answer.

use weevil_model::trust::Policy;
use weevil_model::{Agree, ContentHash, JobType, Within};

use super::draft::id;
use super::sources::Sources;
use crate::codes;
use crate::document::{Attribute, Element};
use crate::findings::{Findings, quoted};
use crate::wasm::Question;

/// The attributes, in the order in which the language lists them.
const ATTRIBUTES: [&str; 3] = ["agree", "within", "proof"];

/// What an element says of how its answers are compared.
#[derive(Debug)]
pub(super) struct Comparing {
    pub(super) agree: Agree<ContentHash>,
    pub(super) within: Option<Within>,
    pub(super) proof: Option<ContentHash>,
}

pub(super) fn read(
    element: &Element<'_>,
    sources: &mut Sources<'_, '_>,
    findings: &mut Findings<'_>,
) -> Comparing {
    let mut ruling = |named, question, findings: &mut Findings<'_>| sources.ruling(named, question, findings);
    let agree = element.attribute("agree");
    let agree = agree.and_then(|agree| match parse(agree, findings)? {
        Agree::Exact => Some(Agree::Exact),
        Agree::Near(tolerance) => Some(Agree::Near(tolerance)),
        Agree::Module(_) => ruling(agree, Question::Agree, findings).map(Agree::Module),
    });
    let agree = agree.unwrap_or_default();
    let within = element.attribute("within").and_then(|within| read_within(within, agree, findings));
    let proof = element.attribute("proof").and_then(|proof| ruling(proof, Question::Proof, findings));
    Comparing { agree, within, proof }
}

fn parse(attribute: &Attribute<'_>, findings: &mut Findings<'_>) -> Option<Agree> {
    let parsed = attribute.word().parse::<Agree>();
    if let Err(error) = &parsed {
        let message = format!("`agree` is {}, which {}", quoted(attribute.word()), error.why());
        let help = Some(format!("write {}", Agree::FORMS));
        findings.report(&codes::BAD_AGREE, attribute.value_at.clone(), message, help);
    }
    parsed.ok()
}

fn read_within(
    attribute: &Attribute<'_>,
    agree: Agree<ContentHash>,
    findings: &mut Findings<'_>,
) -> Option<Within> {
    let word = attribute.word();
    let Some(within) = Within::parse(word) else {
        let message = format!("`within` is {}; `engine` is expected", quoted(word));
        let help = findings.did_you_mean(word, Within::ALL.map(Within::as_str));
        let help = help.unwrap_or_else(|| "write `within=\"engine\"`, or leave it out".to_owned());
        findings.report(&codes::BAD_WITHIN, attribute.value_at.clone(), message, Some(help));
        return None;
    };
    if matches!(agree, Agree::Near(_)) {
        let message =
            "`within` asks one engine alone, and `agree` has a tolerance for what engines differ in"
                .to_owned();
        let help = "keep one of them: the tolerance lets every engine answer".to_owned();
        findings.report(&codes::WITHIN_NEAR, attribute.value_at.clone(), message, Some(help));
        return None;
    }
    Some(within)
}

/// Tells where comparing comes to nothing. `said`: what the element or its workflow says; `judged_by`: what holds.
pub(super) fn check(
    comparing: &Comparing,
    (said, judged_by): (Option<Policy>, Option<Policy>),
    job_type: Option<JobType>,
    element: &Element<'_>,
    findings: &mut Findings<'_>,
) {
    let is_judged = judged_by.is_some_and(Policy::is_judged);
    let is_exact = comparing.agree.is_exact() && comparing.proof.is_none();
    if is_judged && is_exact && job_type == Some(JobType::WebCl) {
        let node = quoted(id(element));
        let message =
            format!("every kind of GPU rounds in its own way: copies of {node} are compared exactly");
        let help = "write `agree=\"near(1e-6)\"` with a tolerance of your own; whole numbers need none";
        findings.report(
            &codes::GPU_EXACTLY,
            findings.value_of(element, "jobtype"),
            message,
            Some(help.to_owned()),
        );
    }
    for attribute in ATTRIBUTES.into_iter().filter_map(|name| element.attribute(name)).filter(|_| !is_judged)
    {
        let (node, name) = (quoted(id(element)), attribute.name);
        let message = match (said, judged_by) {
            (Some(Policy::None), _) => {
                format!("`trust` of {node} is `none`: no answers are compared, and `{name}` changes nothing")
            }
            (_, Some(_)) => format!("no answers of {node} are compared here, and `{name}` changes nothing"),
            (_, None) => format!(
                "{node} has no `trust`: `{name}` changes nothing unless the run or the server compares answers"
            ),
        };
        let help = format!("write `trust=\"quorum(2)\"` or another policy, or leave `{name}` out");
        findings.report(&codes::NOT_COMPARED, findings.name_of(attribute), message, Some(help));
    }
}
