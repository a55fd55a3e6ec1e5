//! What the checker says of a workflow's files, as `weevil check` does, but for kernels: those are looked at by the server alone.

use std::collections::BTreeMap;

use serde::Serialize;
use weevil_model::{Diagnostic, is_kernel_file};
use weevil_workflow::{Bundle, load};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Checked {
    /// Why these files are no workflow at all; `None` where they were looked at.
    pub refused: Option<String>,
    pub diagnostics: Vec<Diagnostic>,
    /// The workflow can be planned, and so run.
    pub sound: bool,
    /// Files that only the server looks at.
    pub unread: Vec<String>,
}

/// Checks files by their paths.
pub fn check_files(files: BTreeMap<String, Vec<u8>>) -> Checked {
    let unread = files.keys().filter(|path| is_kernel_file(path)).cloned().collect();
    match Bundle::new(files) {
        Err(refused) => {
            Checked { refused: Some(refused.to_string()), diagnostics: Vec::new(), sound: false, unread }
        }
        Ok(bundle) => {
            let loaded = load(&bundle);
            let sound = loaded.is_ok();
            let diagnostics = loaded.map_or_else(|found| found, |loaded| loaded.warnings);
            Checked { refused: None, diagnostics, sound, unread }
        }
    }
}
