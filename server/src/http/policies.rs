//! The policies of trust that a request may name.

use weevil_model::trust::Policy;

/// # Errors
/// It is no policy, or one that this release does not judge by: in words, with what would do.
pub(crate) fn read(text: &str) -> Result<Policy, String> {
    let policy: Policy = text.parse().map_err(|error: weevil_model::trust::PolicyError| error.to_string())?;
    match policy.unserved() {
        Some(why) => Err(format!("`{policy}`: {why}")),
        None => Ok(policy),
    }
}
