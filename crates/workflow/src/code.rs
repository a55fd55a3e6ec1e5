//! Code that no workflow names: a stand-alone job's. The same reader as for a workflow's files, told by itself.

use std::ops::Range;

use weevil_model::Diagnostic;

use crate::check::told_of_module;
use crate::codes;
use crate::findings::Findings;
use crate::javascript::{self, ENTRY, Entry, Obstacle, Script, Unreadable};
use crate::wasm;

/// Checks one file of JavaScript, which `name` stands for in the findings. Linear in its length.
///
/// # Errors
/// Every mistake, and that there is no `weevil_main`; code that cannot be checked passes.
pub fn check_code(name: &str, text: &str) -> Result<(), Vec<Diagnostic>> {
    let mut findings = Findings::new(name, text, codes::CHECKER);
    let help = || Some(format!("name the job's function: `function {ENTRY}(..) {{ .. }}`"));
    match javascript::read(text) {
        Ok(Script { entry: Entry::NotFunction { at, found }, .. }) => {
            let message = format!("`{ENTRY}` is {found}; a function is expected");
            findings.report(&codes::NO_WEEVIL_MAIN, at, message, help());
        }
        Ok(Script { entry: Entry::Missing { .. }, .. }) => {
            let message = format!("{name} does not define `{ENTRY}`, which a worker would call");
            findings.report(&codes::NO_WEEVIL_MAIN, START, message, help());
        }
        Err(Unreadable::Mistakes(mistakes)) => {
            for mistake in mistakes {
                let message = format!("not JavaScript: {}", mistake.message);
                findings.report(&codes::NOT_JAVASCRIPT, mistake.at, message, mistake.help);
            }
        }
        Ok(Script { entry: Entry::Function(_) | Entry::Unread, .. })
        | Err(Unreadable::TooLong | Unreadable::Obstacle(Obstacle::TooDeep(_) | Obstacle::Unclear(_))) => {}
    }
    let found = findings.finish();
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// Whether these bytes begin as a WebAssembly module, which no text does.
pub fn is_module(bytes: &[u8]) -> bool {
    bytes.starts_with(wasm::MAGIC)
}

/// Checks one module, which `name` stands for in the findings. Linear in its length.
///
/// # Errors
/// Everything for which a worker could not run it.
pub fn check_module(name: &str, bytes: &[u8]) -> Result<(), Vec<Diagnostic>> {
    let mut findings = Findings::new(name, "", codes::CHECKER);
    for mistake in wasm::read(bytes).err().unwrap_or_default() {
        let (code, message, help) = told_of_module(mistake, name, &findings);
        findings.report(code, START, message, Some(help));
    }
    let found = findings.finish();
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// Checks a module that compares the answers of a job, as an upload does.
///
/// # Errors
/// Everything for which it could not be asked.
pub fn check_comparator(name: &str, bytes: &[u8]) -> Result<(), Vec<Diagnostic>> {
    let mut findings = Findings::new(name, "", codes::CHECKER);
    for mistake in wasm::read_ruling(bytes, wasm::Question::Agree).err().unwrap_or_default() {
        let (_, message, help) = told_of_module(mistake, name, &findings);
        findings.report(&codes::RULING_MODULE, START, message, Some(help));
    }
    let found = findings.finish();
    if found.is_empty() { Ok(()) } else { Err(found) }
}

const START: Range<usize> = 0..0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_told_from_text_and_checked() {
        let module = |fields: &str| wat::parse_str(format!("(module {fields})")).unwrap();
        let sound = module(r#"(func (export "weevil_main"))"#);
        assert!(is_module(&sound) && !is_module(b"function weevil_main() {}"));
        assert_eq!(check_module("a.wasm", &sound), Ok(()));
        let found = check_module("a.wasm", &module(r#"(import "env" "f" (func))"#)).unwrap_err();
        let told: Vec<_> = found.iter().map(|found| (found.code, found.file.as_str(), found.line)).collect();
        assert_eq!(told, [("W0181", "a.wasm", 1), ("W0137", "a.wasm", 1)]);
    }

    #[test]
    fn mistakes_are_told_at_their_place() {
        for (text, code, line) in [
            ("function weevil_main(a) { return a }", None, 0),
            ("weevil_main = async () => 1", None, 0),
            ("\nfunction main() {}", Some("W0137"), 1),
            ("\n\nvar weevil_main = 7", Some("W0137"), 3),
            ("function weevil_main() {\n  retur 1 }", Some("W0170"), 2),
        ] {
            let found = check_code("job.js", text).err().unwrap_or_default();
            let told: Vec<_> =
                found.iter().map(|found| (found.code, found.file.as_str(), found.line)).collect();
            let expected: Vec<_> = code.map(|code| (code, "job.js", line)).into_iter().collect();
            assert_eq!(told, expected, "{text}");
        }
    }
}
