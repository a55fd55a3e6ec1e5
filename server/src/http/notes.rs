//! Notes of people in charge for each other, and the name that stands beside one.

use super::AppState;
use super::asker::Asker;
use crate::refusal::Refusal;

/// Characters of a note.
const MAX_NOTE_CHARS: usize = 200;

/// # Errors
/// It is too long.
pub(super) fn checked(note: String) -> Result<String, Refusal> {
    let chars = note.chars().count();
    if chars > MAX_NOTE_CHARS {
        return Err(Refusal::BadBody(format!("`note` has {chars} characters; {MAX_NOTE_CHARS} are allowed")));
    }
    Ok(note)
}

/// The name of the account in which they ask; `None` for who works at the server itself.
///
/// # Errors
/// The database does not tell.
pub(super) async fn name(app: &AppState, asker: &Asker) -> Result<Option<String>, Refusal> {
    let Some(person) = asker.caller.person() else { return Ok(None) };
    let account = app.access.people.store.account(person.account).await?;
    Ok(account.map(|account| account.name).filter(|name| !name.is_empty()))
}
