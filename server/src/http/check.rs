//! From an upload to a workflow that may be kept and run: its files, its plan, and the inputs of the run.
//!
//! Never writes: what is checked here is kept by the routes.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::web;
use weevil_api::DiagnosticView;
use weevil_kernels::child::{Gone, KernelCheck};
use weevil_model::trust::Policy;
use weevil_model::{ContentHash, ProjectId, is_kernel_file};
use weevil_records::{FinalNode, RunInput, Store, StoredWorkflow};
use weevil_workflow::codes::CHECKER;
use weevil_workflow::{Bundle, BundleError, Circumstances, InputError, Plan};

use super::examples;
use super::upload::{Given, Upload};
use crate::refusal::Refusal;

/// Inputs that do not fit and are told one by one: each that no node has costs a look at all nodes.
const MAX_TOLD_INPUTS: usize = 20;

type Files = BTreeMap<String, Vec<u8>>;

/// A workflow without errors.
#[derive(Debug)]
pub(super) struct Checked {
    pub workflow: StoredWorkflow,
    /// With the inputs in place.
    pub plan: Plan,
    pub inputs: Vec<RunInput>,
    pub warnings: Vec<DiagnosticView>,
}

/// Takes what was uploaded, or the stored workflow that was named, where the project has it.
/// `usual`: the policy of jobs that nobody names one for.
pub(super) async fn check(
    store: &dyn Store,
    project: ProjectId,
    mut upload: Upload,
    usual: Policy,
) -> Result<Checked, Refusal> {
    let (name, files) = source(store, project, &mut upload).await?;
    let Upload { inputs, trust, .. } = upload;
    // Off the server's thread: a large document takes a while.
    let gone = Gone::default();
    let _wanted = gone.once_dropped();
    let checked = web::block(move || checked(name, files, &inputs, (trust, usual), gone)).await;
    checked.map_err(|error| Refusal::Internal(error.to_string()))?
}

/// The workflow's name, where it has one, and its files: what was uploaded, or what was named instead.
async fn source(
    store: &dyn Store,
    project: ProjectId,
    upload: &mut Upload,
) -> Result<(Option<String>, Files), Refusal> {
    let (name, files) = (upload.name.take(), std::mem::take(&mut upload.files));
    match (upload.workflow, upload.example.as_deref()) {
        (None, None) => Ok((name, files)),
        (Some(_), Some(_)) => {
            Err(Refusal::BadUpload("a stored `workflow`, and an `example` beside it".into()))
        }
        (Some(_), None) if !files.is_empty() => {
            Err(Refusal::BadUpload("files, and a stored `workflow` beside them".into()))
        }
        (None, Some(_)) if !files.is_empty() => {
            Err(Refusal::BadUpload("files, and an `example` beside them".into()))
        }
        (Some(hash), None) => {
            let missing = || Refusal::NoSuchWorkflow(hash);
            let name = store.workflow_name(project, hash).await?.ok_or_else(missing)?;
            let stored = store.workflow(hash).await?.ok_or_else(missing)?;
            Ok((Some(name), stored.files.into_iter().collect()))
        }
        (None, Some(example)) => {
            let files = examples::find(example)?;
            Ok((name.or_else(|| Some(example.to_owned())), files))
        }
    }
}

fn checked(
    name: Option<String>,
    files: Files,
    given: &BTreeMap<String, Given>,
    (asked, usual): (Option<Policy>, Policy),
    gone: Gone,
) -> Result<Checked, Refusal> {
    let bundle = bundle(files)?;
    let kernels = KernelCheck::new(gone);
    let judge = |text: &str| kernels.check(text);
    let here = Circumstances { kernels: Some(&judge), asked, usual: Some(usual) };
    let loaded = weevil_workflow::load_with(&bundle, here);
    let loaded = loaded.map_err(Refusal::BadWorkflow)?;
    let mut plan = loaded.plan;
    let inputs = place(&mut plan, given)?;
    let name = name.unwrap_or_else(|| plan.name.clone());
    let files = bundle.files().map(|(path, bytes)| (path.to_owned(), bytes.to_vec())).collect();
    let final_node = FinalNode::Id(plan.node(plan.final_node()).id.to_string());
    let code = code(&plan, &bundle);
    let workflow = StoredWorkflow { hash: bundle.hash(), name, files, code, checked_by: CHECKER, final_node };
    let warnings = loaded.warnings.iter().map(DiagnosticView::from).collect();
    Ok(Checked { workflow, plan, inputs, warnings })
}

/// What volunteers are given: what jobs, processors and reducers name, and all kernels, of which code tells by itself which it
/// takes.
fn code(plan: &Plan, bundle: &Bundle) -> BTreeSet<ContentHash> {
    let kernels = bundle.files().filter(|(path, _)| is_kernel_file(path));
    let kernels = kernels.map(|(_, bytes)| ContentHash::of(bytes));
    plan.codes().map(|(hash, _)| hash).chain(kernels).collect()
}

/// A single file may be a zip of all of them.
fn bundle(files: Files) -> Result<Bundle, BundleError> {
    match files.values().next() {
        Some(only) if files.len() == 1 && weevil_workflow::is_zip(only) => Bundle::from_zip(only),
        _ => Bundle::new(files),
    }
}

fn place(plan: &mut Plan, given: &BTreeMap<String, Given>) -> Result<Vec<RunInput>, Refusal> {
    let mut inputs = Vec::new();
    let mut problems = Vec::new();
    for (id, given) in given {
        match place_one(plan, id, given) {
            Ok(input) => inputs.push(input),
            Err(problem) => problems.push(problem),
        }
        if problems.len() == MAX_TOLD_INPUTS {
            break;
        }
    }
    if problems.is_empty() { Ok(inputs) } else { Err(Refusal::BadInput(problems)) }
}

fn place_one(plan: &mut Plan, id: &str, given: &Given) -> Result<RunInput, InputError> {
    let value = match given {
        Given::Literal(text) => plan.read_literal(id, text)?,
        Given::File(bytes) => plan.read_file(id, bytes)?,
    };
    plan.replace_value(id, value.clone())?;
    Ok((id.to_owned(), value))
}
