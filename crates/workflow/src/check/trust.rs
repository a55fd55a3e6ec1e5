//! How far answers are to be believed: the attribute `trust`. Never decides about an answer.

use weevil_model::trust::{FORMS, Policy};

use crate::codes;
use crate::document::{Attribute, Element};
use crate::findings::{Findings, quoted};

/// What an element says; `None` where it says nothing, or after an error.
pub(super) fn read(element: &Element<'_>, findings: &mut Findings<'_>) -> Option<Policy> {
    let attribute = element.attribute("trust")?;
    match attribute.word().parse::<Policy>() {
        Ok(policy) => is_served(policy, attribute, findings).then_some(policy),
        Err(error) => {
            let message = format!("`trust` is {}, which {}", quoted(attribute.word()), error.why());
            let help = Some(format!("write {FORMS}"));
            findings.report(&codes::BAD_TRUST, attribute.value_at.clone(), message, help);
            None
        }
    }
}

fn is_served(policy: Policy, attribute: &Attribute<'_>, findings: &mut Findings<'_>) -> bool {
    let Some(why) = policy.unserved() else { return true };
    let message = format!("`trust` is {}, but {why}", quoted(attribute.word()));
    let help = Some("write `trust=\"quorum(3)\"`: three answers have to agree".to_owned());
    findings.report(&codes::TRUST_NOT_SERVED, attribute.value_at.clone(), message, help);
    false
}
