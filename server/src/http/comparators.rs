//! Modules that stand-alone jobs name to compare their answers: each is a file that the project has, and can be asked.
//!
//! What can be asked is decided where uploads are checked. Never keeps anything, since bytes are never removed, and never makes code of
//! a module: no volunteer gets it.

use std::collections::HashSet;

use actix_web::web;
use weevil_model::{Agree, ContentHash, ProjectId};
use weevil_workflow::check_comparator;

use super::AppState;
use super::job_request::JobRequest;
use crate::refusal::Refusal;

/// Mistakes of a module that are told at a time.
const MOST_TOLD: usize = 3;
/// Hexadecimal digits of its hash that people are shown.
const SHOWN: usize = 12;

/// Looks once at each module that the jobs name. `many`: they came in an array, and a mistake names its job by number.
///
/// # Errors
/// A module is not there, or cannot be asked.
pub(super) async fn check(
    app: &AppState,
    project: ProjectId,
    jobs: &[JobRequest],
    many: bool,
) -> Result<(), Refusal> {
    let mut seen = HashSet::new();
    for (number, job) in (1..).zip(jobs) {
        let Agree::Module(module) = job.agree else { continue };
        if !seen.insert(module) {
            continue;
        }
        if let Some(words) = hindrance(app, project, module).await? {
            let job = if many { format!("job {number}: ") } else { String::new() };
            return Err(Refusal::BadJob(format!("{job}`agree`: {words}")));
        }
    }
    Ok(())
}

/// Why it cannot be asked. A file of another project is as if it were not there.
async fn hindrance(
    app: &AppState,
    project: ProjectId,
    module: ContentHash,
) -> Result<Option<String>, Refusal> {
    let store = &*app.common.store;
    let is_there = store.blob_projects(module).await?.contains(&project);
    let blob = if is_there { store.blob(module).await? } else { None };
    let Some(blob) = blob else {
        return Ok(Some(format!(
            "the project has no file {module}; upload a workflow that has the module among its files, or write `exact` or `near(1e-9)`"
        )));
    };
    // Off the server's thread: a large module takes a while.
    let found = web::block(move || mistakes(module, &blob.bytes)).await;
    found.map_err(|error| Refusal::Internal(error.to_string()))
}

/// What an upload would say of it.
fn mistakes(module: ContentHash, bytes: &[u8]) -> Option<String> {
    let mut name = module.to_string();
    name.truncate(SHOWN);
    let found = check_comparator(&name, bytes).err()?;
    let told = found.into_iter().take(MOST_TOLD).map(|error| match error.help {
        Some(help) => format!("{}; {help}", error.message),
        None => error.message,
    });
    Some(told.collect::<Vec<_>>().join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It exports `memory`, `alloc` and `weevil_agree`, of the right types.
    const SOUND: &str = "\0asm\x01\0\0\0\
        \x01\x0e\x02\x60\x01\x7f\x01\x7f\x60\x04\x7f\x7f\x7f\x7f\x01\x7f\
        \x03\x03\x02\0\x01\
        \x05\x03\x01\0\x01\
        \x07\x21\x03\x06memory\x02\0\x05alloc\0\0\x0cweevil_agree\0\x01\
        \x0a\x0b\x02\x04\0\x41\0\x0b\x04\0\x41\x01\x0b";

    #[test]
    fn what_an_upload_refuses_is_refused_with_its_cure() {
        let told = |text: &str| mistakes(ContentHash::of(text.as_bytes()), text.as_bytes());
        assert_eq!(told(SOUND), None);
        for (text, words) in [
            (
                "function weevil_main() { return 1 }".to_owned(),
                "` is not a WebAssembly module: it does not begin as one; name the .wasm file",
            ),
            (
                SOUND.replace("weevil_agree", "weevil_proof"),
                "`: it exports no function `weevil_agree`; export `weevil_agree` as (i32, i32, i32, i32) -> i32",
            ),
            (
                SOUND.replace("alloc", "other"),
                "`: it exports no function `alloc`; export `alloc` as (i32) -> i32",
            ),
            (SOUND.replace("memory", "Memory"), "`: it exports no memory `memory`; export its memory"),
            ("\0asm\x01\0\0\0".to_owned(), "weevil_agree` as (i32, i32, i32, i32) -> i32; `"),
        ] {
            let found = told(&text).unwrap_or_default();
            assert!(found.contains(words), "{words:?} is expected in {found:?}");
        }
    }
}
