//! Code that no workflow names: a stand-alone job's. The same reader as for a workflow's files, told by itself.

use std::ops::Range;

use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::findings::Findings;
use crate::javascript::{self, ENTRY, Entry, Obstacle, Script, Unreadable};

/// Checks one file of JavaScript, which `name` stands for in the findings. Linear in its length.
///
/// # Errors
/// Every mistake, and that there is no `weevil_main`; code that cannot be checked passes.
pub fn check_code(name: &str, text: &str) -> Result<(), Vec<Diagnostic>> {
    let mut findings = Findings::new(name, text);
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

const START: Range<usize> = 0..0;

#[cfg(test)]
mod tests {
    use super::*;

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
