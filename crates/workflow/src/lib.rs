//! The workflow language of thesis 3.4: XML to document, to checked workflow, to plan.
//!
//! Three stages, three types: a scheduler cannot be handed an unchecked graph. Broken input is data: all problems come
//! back as diagnostics with line and column. Never does IO, never panics on input. Compiles natively and to WebAssembly.
//! How a plan, or a document that may be broken, is drawn stands apart ([`layout`]).

mod aim;
pub mod bundle;
mod check;
mod circumstances;
mod code;
pub mod codes;
mod document;
mod findings;
mod inputs;
mod javascript;
mod kernel;
pub mod layout;
pub mod limits;
mod parse;
mod places;
pub mod plan;
mod reference;
mod spec;
mod suggest;
mod typescript;
mod wasm;
mod xsd;
mod zip;

pub use aim::Aim;
pub use bundle::{Bundle, BundleError, SourceKind};
pub use circumstances::Circumstances;
pub use code::{check_code, check_comparator, check_module, is_module};
pub use inputs::InputError;
pub use kernel::KernelCheck;
pub use petgraph::graph::NodeIndex;
pub use plan::{EdgeData, Outgoing, Plan, PlanNode};
pub use reference::reference;
pub use spec::{JobSpec, NodeBody, Port};
pub use suggest::nearest;
pub use typescript::schema_typescript;
pub use xsd::xsd;
pub use zip::{EntryProblem, ZipError, is_zip};

use weevil_model::{Diagnostic, Severity};

use findings::Findings;

/// A workflow that can run.
#[derive(Debug, Clone)]
pub struct Loaded {
    pub plan: Plan,
    /// What is odd but harmless.
    pub warnings: Vec<Diagnostic>,
}

/// As [`load_with`], for a workflow whose kernels were checked before.
///
/// # Errors
/// The errors of [`load_with`].
pub fn load(bundle: &Bundle) -> Result<Loaded, Vec<Diagnostic>> {
    load_checked(bundle, codes::CHECKER, Circumstances::default())
}

/// As [`load`], for a workflow that the checker with this number has accepted: errors that a newer one was the first to
/// report are warnings. Where one of them leaves nothing that can run, all are errors again.
///
/// # Errors
/// The errors of [`load_with`].
pub fn load_accepted(bundle: &Bundle, checker: u32) -> Result<Loaded, Vec<Diagnostic>> {
    let refuses = |problems: &[Diagnostic]| problems.iter().any(|found| found.severity == Severity::Error);
    match load_checked(bundle, checker, Circumstances::default()) {
        Err(problems) if !refuses(&problems) => load(bundle),
        loaded => loaded,
    }
}

/// Reads, checks and plans the document of `bundle`; where it has GPU jobs, `here.kernels` judges its kernels, and what a run of it is judged by decides what is
/// odd about it. Linear in the
/// bundle's size.
///
/// # Errors
/// Every problem found, in the order of the document, warnings among them; at most
/// [`limits::MAX_DIAGNOSTICS`] of each severity.
pub fn load_with(bundle: &Bundle, here: Circumstances<'_>) -> Result<Loaded, Vec<Diagnostic>> {
    load_checked(bundle, codes::CHECKER, here)
}

fn load_checked(bundle: &Bundle, checker: u32, here: Circumstances<'_>) -> Result<Loaded, Vec<Diagnostic>> {
    let (text, undecodable) = parse::decode(bundle.document());
    let mut findings = Findings::new(bundle.document_path(), text, checker);
    if let Some(problem) = undecodable {
        findings.report(
            &codes::NOT_UTF8,
            text.len()..text.len(),
            problem,
            Some("save the document as UTF-8".into()),
        );
        return Err(findings.finish());
    }
    let workflow = parse::parse(text, &mut findings)
        .and_then(|document| check::check(&document, bundle, here, &mut findings));
    match workflow {
        Some(workflow) => {
            Ok(Loaded { plan: Plan::new(workflow, bundle.document_path()), warnings: findings.finish() })
        }
        None => Err(findings.finish()),
    }
}
