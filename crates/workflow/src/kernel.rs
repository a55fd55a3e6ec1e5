//! Kernels of a bundle: each is read once, and what is wrong with it is told once. What that is, and what a kernel says
//! of itself, somebody else answers: this crate knows no shading language.

use std::collections::HashMap;

use weevil_model::{KernelMistake, KernelOutline, KernelStep, is_kernel_file};

use crate::bundle::Bundle;
use crate::codes;
use crate::findings::{Findings, OtherFile};
use crate::parse::decode;

/// Says what the text of a kernel declares, or what is wrong with it.
pub type KernelCheck<'c> = &'c dyn Fn(&str) -> Result<KernelOutline, Vec<KernelMistake>>;

/// The kernels of a bundle, as far as they were asked for.
pub(crate) struct Kernels<'d, 'c> {
    bundle: &'d Bundle,
    /// `None` for a workflow that was checked before.
    check: Option<KernelCheck<'c>>,
    /// By path; `None` for a kernel that was not looked into, or has mistakes.
    known: HashMap<&'d str, Option<KernelOutline>>,
}

impl<'d, 'c> Kernels<'d, 'c> {
    pub(crate) fn new(bundle: &'d Bundle, check: Option<KernelCheck<'c>>) -> Self {
        Self { bundle, check, known: HashMap::new() }
    }

    /// Reports the mistakes of all kernels in the bundle, whichever of them a job will ask for by name.
    pub(crate) fn check_all(&mut self, findings: &mut Findings<'_>) {
        for (path, bytes) in self.bundle.files().filter(|(path, _)| is_kernel_file(path)) {
            self.outline(path, bytes, findings);
        }
    }

    /// What a kernel of the bundle says of itself.
    pub(crate) fn outline(
        &mut self,
        path: &'d str,
        bytes: &[u8],
        findings: &mut Findings<'_>,
    ) -> Option<&KernelOutline> {
        let check = self.check?;
        self.known.entry(path).or_insert_with(|| read(check, path, bytes, findings)).as_ref()
    }
}

fn read(
    check: KernelCheck<'_>,
    path: &str,
    bytes: &[u8],
    findings: &mut Findings<'_>,
) -> Option<KernelOutline> {
    let (text, undecodable) = decode(bytes);
    let file = OtherFile::new(path, text);
    if let Some(message) = undecodable {
        let help = Some("save the file as UTF-8".to_owned());
        findings.report_in(&codes::SOURCE_NOT_UTF8, &file, text.len()..text.len(), message, help);
        return None;
    }
    let mistakes = match check(text) {
        Ok(outline) => return Some(outline),
        Err(mistakes) => mistakes,
    };
    for KernelMistake { keeps_from, at, message, help } in mistakes {
        let code = match keeps_from {
            KernelStep::Checking => &codes::KERNEL_TOO_COSTLY,
            KernelStep::Compiling => &codes::NOT_WGSL,
            KernelStep::Calling => &codes::KERNEL_NOT_CALLED,
        };
        findings.report_in(code, &file, at, message, help);
    }
    None
}
