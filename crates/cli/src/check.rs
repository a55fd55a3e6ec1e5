//! `weevil check`: every mistake of a workflow on disk, without a server; or the language itself, for editors. Never
//! runs anything.

use std::io::stdout;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::Serialize;
use weevil_api::DiagnosticView;
use weevil_kernels::child::KernelCheck;
use weevil_model::{Diagnostic, Severity};
use weevil_workflow::{Bundle, Circumstances};

use crate::Exit;
use crate::files::OnDisk;
use crate::inert::{Inert, say, say_json};
use crate::report::{Colour, Style, report, summary};

#[derive(Debug, Args)]
pub struct Check {
    /// A workflow's folder, its XML document (its folder comes along), or a zip of the folder.
    #[arg(required_unless_present = "print_schema")]
    path: Option<PathBuf>,
    /// Print the XML schema (XSD 1.0) of the language instead, for editors.
    #[arg(long, conflicts_with_all = ["path", "format", "deny", "colour"])]
    print_schema: bool,
    /// Lines for people, or one JSON object for tools.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Exit 1 for these, too.
    #[arg(long, value_enum)]
    deny: Option<Deny>,
    #[arg(long = "color", value_enum, default_value_t = Colour::Auto)]
    colour: Colour,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Deny {
    Warnings,
}

/// What `--format json` prints.
#[derive(Debug, Serialize)]
struct Checked {
    errors: usize,
    warnings: usize,
    diagnostics: Vec<DiagnosticView>,
}

impl Checked {
    /// With the paths that the text form shows.
    fn shown(mut self, read: &OnDisk) -> Self {
        for found in &mut self.diagnostics {
            found.file = read.shown(&found.file);
        }
        self
    }
}

impl Check {
    pub(crate) fn execute(self) -> Exit {
        let Some(path) = &self.path else {
            say(&Inert::lines(&weevil_workflow::xsd()));
            return Exit::Done;
        };
        self.check(path).unwrap_or_else(Exit::CouldNot)
    }

    fn check(&self, path: &Path) -> Result<Exit, String> {
        let read = OnDisk::read(path)?;
        let found = problems(&read)?;
        let errors = found.iter().filter(|found| found.severity == Severity::Error).count();
        let warnings = found.len() - errors;
        let diagnostics: Vec<_> = found.iter().map(DiagnosticView::from).collect();
        match self.format {
            Format::Text => {
                let lines = report(&diagnostics, &read, Style::of(&stdout(), self.colour));
                say(&Inert::fill("{}{}\n", &[&lines, &Inert::line(&summary(errors, warnings))]));
            }
            Format::Json => say_json(&Checked { errors, warnings, diagnostics }.shown(&read)),
        }
        let denied = self.deny == Some(Deny::Warnings) && warnings > 0;
        Ok(if errors > 0 || denied { Exit::ProblemsFound } else { Exit::Done })
    }
}

fn problems(read: &OnDisk) -> Result<Vec<Diagnostic>, String> {
    let bundle = Bundle::new(read.files.clone()).map_err(|error| format!("not a workflow: {error}"))?;
    let kernels = KernelCheck::default();
    Ok(weevil_workflow::load_with(&bundle, Circumstances::of_kernels(&|text| kernels.check(text)))
        .map_or_else(|found| found, |loaded| loaded.warnings))
}
