//! Opens an address in the person's own browser.

use std::process::{Command, Stdio};

/// What does it.
const OPENER: &str = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };

/// # Errors
/// In words for people: nothing opens it here.
pub(crate) fn browse(address: &str, instead: &str) -> Result<(), String> {
    let opened = Command::new(OPENER).arg(address).stdout(Stdio::null()).stderr(Stdio::null()).status();
    match opened {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("`{OPENER}` opens nothing here; {instead}")),
    }
}
