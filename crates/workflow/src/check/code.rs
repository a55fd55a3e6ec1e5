//! The code files that nodes name: each is read once, and its own problems are told once, however many nodes name it.

use weevil_model::ContentHash;

use super::draft::MainFunction;
use super::kernel_job::Kernel;
use super::module::Module;
use super::trust::{self, PlacedReading};
use crate::codes;
use crate::document::Attribute;
use crate::findings::{Findings, OtherFile, quoted};
use crate::javascript::{self, Absent, ENTRY, Entry, Obstacle, Script, Unreadable};

/// A file of code without errors.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) hash: ContentHash,
    pub(super) repeatable: bool,
    /// What need not say the same to every volunteer.
    pub(super) readings: Vec<PlacedReading>,
    /// `None` where only running the code would tell.
    pub(super) main: Option<Main>,
}

/// What a worker calls.
#[derive(Debug)]
pub(super) enum Main {
    Function(MainFunction),
    Module(Module),
    Kernel(Kernel),
}

impl Code {
    /// Code that is not looked into.
    pub(super) fn unread(bytes: &[u8]) -> Self {
        Self { hash: ContentHash::of(bytes), repeatable: false, readings: Vec::new(), main: None }
    }

    /// Reads JavaScript; `None` after an error.
    pub(super) fn read(
        file: &OtherFile<'_>,
        text: &str,
        bytes: &[u8],
        src: &Attribute<'_>,
        findings: &mut Findings<'_>,
    ) -> Option<Self> {
        let read = javascript::read(text);
        let mut readings = Vec::new();
        if let Ok(script) = &read {
            not_there(script, file, findings);
            readings = trust::locate(&script.readings, file);
        }
        match read {
            Ok(Script { entry: Entry::Function(function), repeatable, .. }) => {
                let main = MainFunction { place: file.line_of(function.at.start), function };
                Some(Self { repeatable, readings, main: Some(Main::Function(main)), ..Self::unread(bytes) })
            }
            Ok(Script { entry: Entry::Unread, repeatable, .. }) => {
                Some(Self { repeatable, readings, ..Self::unread(bytes) })
            }
            Ok(Script { entry: Entry::NotFunction { at, found }, .. }) => {
                let place = file.line_of(at.start);
                let message = format!("`{ENTRY}` in {place} is {found}; a function is expected");
                let help = Some(format!("write `function {ENTRY}(..) {{ .. }}`"));
                findings.report(&codes::NO_WEEVIL_MAIN, src.value_at.clone(), message, help);
                None
            }
            Ok(Script { entry: Entry::Missing { functions }, .. }) => {
                no_function(&functions, file, src, findings);
                None
            }
            Err(Unreadable::Mistakes(mistakes)) => {
                for mistake in mistakes {
                    let message = format!("not JavaScript: {}", mistake.message);
                    findings.report_in(&codes::NOT_JAVASCRIPT, file, mistake.at, message, mistake.help);
                }
                None
            }
            Err(Unreadable::TooLong) => Some(unchecked(file, bytes, 0, "the file is too long", findings)),
            Err(Unreadable::Obstacle(Obstacle::TooDeep(at))) => {
                Some(unchecked(file, bytes, at, "the code nests too deeply here", findings))
            }
            Err(Unreadable::Obstacle(Obstacle::Unclear(at))) => {
                Some(unchecked(file, bytes, at, "this can be read in two ways", findings))
            }
        }
    }
}

fn not_there(script: &Script, file: &OtherFile<'_>, findings: &mut Findings<'_>) {
    for Absent { name, at, instead } in &script.absent {
        let message = format!("`{name}` is not there when a job runs");
        findings.report_in(&codes::NAME_NOT_THERE, file, at.clone(), message, Some((*instead).to_owned()));
    }
}

fn unchecked(file: &OtherFile<'_>, bytes: &[u8], at: usize, why: &str, findings: &mut Findings<'_>) -> Code {
    let message = format!("{why}: the file is run as it is, without a check");
    let help =
        "a regular expression after `}` is clear in parentheses; deep code is clear in parts".to_owned();
    findings.report_in(&codes::CODE_NOT_CHECKED, file, file.letter(at), message, Some(help));
    Code::unread(bytes)
}

fn no_function(functions: &[String], file: &OtherFile<'_>, src: &Attribute<'_>, findings: &mut Findings<'_>) {
    let message = format!("{} does not define `{ENTRY}`, which a worker would call", quoted(file.path()));
    let meant = findings.nearest(ENTRY, functions.iter().map(String::as_str));
    let help = match meant {
        Some(name) => format!("rename `{name}` to `{ENTRY}`"),
        None => format!("name the job's function: `function {ENTRY}(..) {{ .. }}`"),
    };
    findings.report(&codes::NO_WEEVIL_MAIN, src.value_at.clone(), message, Some(help));
}
