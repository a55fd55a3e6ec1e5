//! What names an attempt on this wire: the job's id in its text form, and the token.

use weevil_model::JobId;
use weevil_model::limits::MAX_IN_FLIGHT;

use super::element::Element;
use super::error::PlainError;
use super::fields::Fields;
use crate::frame::AttemptKey;

pub(super) fn read(fields: &mut Fields<'_>) -> Result<AttemptKey, PlainError> {
    let job: JobId = fields.required("job_id")?;
    Ok(AttemptKey { job: job.number(), token: fields.required("token")? })
}

pub(super) fn write(element: Element, key: AttemptKey) -> Element {
    let job = JobId::from_number(key.job).map_or_else(String::new, |job| job.to_string());
    element.with("job_id", &job).with("token", &key.token)
}

/// A list of attempts, no longer than a worker can hold.
pub(super) fn list<T>(
    elements: &[Element],
    read: impl Fn(&Element) -> Result<T, PlainError>,
) -> Result<Vec<T>, PlainError> {
    if let Some(first) = elements.get(MAX_IN_FLIGHT as usize) {
        let found = format!("{} attempts are named; a worker holds at most {MAX_IN_FLIGHT}", elements.len());
        return Err(PlainError::new(first.line, &first.name, found, "send fewer at a time"));
    }
    elements.iter().map(read).collect()
}

/// The word for `wanted` among these.
pub(super) fn word<T: Copy>(
    fields: &mut Fields<'_>,
    name: &'static str,
    words: &[(T, &'static str)],
) -> Result<T, PlainError> {
    let found: String = fields.required(name)?;
    let known = words.iter().find(|(_, word)| *word == found).map(|(wanted, _)| *wanted);
    known.ok_or_else(|| {
        let known = words.iter().map(|(_, word)| *word).collect::<Vec<_>>().join("`, `");
        let shown: String = found.chars().take(40).collect();
        fields.refuse(format!("`{name}` is `{shown}`"), format!("`{known}` are known"))
    })
}

pub(super) fn word_of<T: PartialEq>(wanted: &T, words: &[(T, &'static str)]) -> &'static str {
    words.iter().find(|(known, _)| known == wanted).map_or("", |(_, word)| *word)
}
