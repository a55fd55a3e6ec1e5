//! Kernels of a bundle. What is wrong with one, somebody else says: this crate knows no shading language.

use weevil_model::{KernelMistake, KernelStep};

use crate::bundle::Bundle;
use crate::codes;
use crate::findings::{Findings, OtherFile};
use crate::parse::decode;

/// The extension of kernels that jobs run as they are.
const EXTENSION: &str = ".wgsl";

/// Says what is wrong with the text of a kernel.
pub type KernelCheck<'c> = &'c dyn Fn(&str) -> Vec<KernelMistake>;

/// Lets nothing be wrong with any kernel: for workflows that were checked before.
pub(crate) const UNCHECKED: KernelCheck<'static> = &|_| Vec::new();

/// Reports the mistakes of all kernels in the bundle, whichever of them a job will ask for by name.
pub(crate) fn check(bundle: &Bundle, kernels: KernelCheck<'_>, findings: &mut Findings<'_>) {
    for (path, bytes) in bundle.files().filter(|(path, _)| path.ends_with(EXTENSION)) {
        let (text, undecodable) = decode(bytes);
        let file = OtherFile::new(path, text);
        if let Some(message) = undecodable {
            let help = Some("save the file as UTF-8".to_owned());
            findings.report_in(&codes::SOURCE_NOT_UTF8, &file, text.len()..text.len(), message, help);
            continue;
        }
        for KernelMistake { keeps_from, at, message, help } in kernels(text) {
            let code = match keeps_from {
                KernelStep::Compiling => &codes::NOT_WGSL,
                KernelStep::Calling => &codes::KERNEL_NOT_CALLED,
            };
            findings.report_in(code, &file, at, message, help);
        }
    }
}
