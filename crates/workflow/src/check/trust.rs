//! How far answers are to be believed: the attribute `trust`, and code whose copies would not agree where answers are
//! compared. Never decides about an answer.

use weevil_model::trust::{FORMS, Policy};

use super::draft::id;
use crate::codes;
use crate::document::Element;
use crate::findings::{Findings, OtherFile, quoted};
use crate::javascript::Reading;

/// A reading and where it stands.
#[derive(Debug)]
pub(super) struct PlacedReading {
    name: &'static str,
    /// `Add.js:1`
    place: String,
}

pub(super) fn locate(readings: &[Reading], file: &OtherFile<'_>) -> Vec<PlacedReading> {
    let locate =
        |reading: &Reading| PlacedReading { name: reading.name, place: file.line_of(reading.at.start) };
    readings.iter().map(locate).collect()
}

/// What an element says; `None` where it says nothing, or after an error. Whether a server can keep a promise depends on the liars
/// that it assumes, so any `credible` within the bounds is one.
pub(super) fn read(element: &Element<'_>, findings: &mut Findings<'_>) -> Option<Policy> {
    let attribute = element.attribute("trust")?;
    match attribute.word().parse::<Policy>() {
        Ok(policy) => Some(policy),
        Err(error) => {
            let message = format!("`trust` is {}, which {}", quoted(attribute.word()), error.why());
            let help = Some(format!("write {FORMS}"));
            findings.report(&codes::BAD_TRUST, attribute.value_at.clone(), message, help);
            None
        }
    }
}

/// Tells what keeps copies of a judged node from agreeing, in the code that it names.
pub(super) fn check_copies(
    readings: &[PlacedReading],
    deterministic: bool,
    element: &Element<'_>,
    findings: &mut Findings<'_>,
) {
    let is_clock = |reading: &&PlacedReading| matches!(reading.name, "Date" | "performance");
    let clock = readings.iter().find(is_clock).filter(|_| !deterministic);
    let others = readings.iter().filter(|reading| !is_clock(reading));
    let node = quoted(id(element));
    for PlacedReading { name, place } in clock.into_iter().chain(others) {
        let (code, says) = match (deterministic, *name) {
            (false, _) => {
                let says = format!("can say something else to each volunteer: copies of {node} would differ");
                (&codes::COPIES_DIFFER, says)
            }
            (true, "crypto") => {
                let says =
                    format!("draws from the seed of {node}, which is deterministic, and has no `subtle`");
                (&codes::FROZEN_READING, says)
            }
            (true, _) => {
                let says = format!("is not there in every browser, although {node} is deterministic");
                (&codes::FROZEN_READING, says)
            }
        };
        let (at, message) = (findings.value_of(element, "src"), format!("`{name}` in {place} {says}"));
        findings.report(code, at, message, Some(cure(name).to_owned()));
    }
}

fn cure(name: &str) -> &'static str {
    match name {
        "crypto" => "draw from `Math.random`: all copies of a job draw the same numbers there",
        "Temporal" => "use `Date`, which every browser has, with `deterministic=\"true\"`",
        _ => "write `deterministic=\"true\"`: the job's clock stands still then",
    }
}
