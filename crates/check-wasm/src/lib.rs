//! The workflow language for the console's editor, compiled to WebAssembly: the border, and nothing else.
//!
//! Text comes in, JSON goes out. It knows what a server knows of a document, but for kernels, and never asks one. A text or a file
//! beyond the bounds is refused here; what is inside them costs what it costs a server. Says nothing of its own about a workflow: codes,
//! places, words and cures are those of `weevil-workflow`.

mod answer;
mod complete;
mod outline;
mod scan;
mod symbols;
mod units;

use js_sys::Uint8Array;
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use weevil_model::limits::{MAX_BUNDLE_BYTES, MAX_BUNDLE_FILES};

pub use answer::{Checked, check_files};

/// Bytes of a document that is outlined and completed; a longer one is only checked.
pub const MAX_TEXT_BYTES: usize = 4 * 1024 * 1024;

/// The problems of a workflow, as a [`Checked`]. `paths` and `contents` belong together by position.
///
/// # Errors
/// There are more files or bytes than any workflow may have.
#[wasm_bindgen]
pub fn check(paths: Vec<String>, contents: Vec<Uint8Array>) -> Result<String, String> {
    let bytes = contents.iter().map(|content| content.length() as usize).fold(0, usize::saturating_add);
    if paths.len() > MAX_BUNDLE_FILES || bytes > MAX_BUNDLE_BYTES {
        return Err(format!("{} files with {bytes} bytes are more than a workflow may have", paths.len()));
    }
    let contents = contents.into_iter().map(|content| content.to_vec());
    json(&check_files(paths.into_iter().zip(contents).collect()))
}

/// The nodes of a document, where each is named, and the picture of its graph; `null` for one that is too long.
///
/// # Errors
/// What is found is no JSON, which does not happen.
#[wasm_bindgen]
pub fn outline(text: &str) -> Result<String, String> {
    json(&within(text).map(outline::outline))
}

/// What may be written at this UTF-16 unit of the document, where `paths` are the workflow's files; `null` where nothing is known.
///
/// # Errors
/// What is found is no JSON, which does not happen.
#[wasm_bindgen]
pub fn complete(text: &str, at: u32, paths: Vec<String>) -> Result<String, String> {
    let paths: Vec<_> = paths.into_iter().take(MAX_BUNDLE_FILES).collect();
    json(&within(text).and_then(|text| complete::complete(text, at, &paths)))
}

fn within(text: &str) -> Option<&str> {
    (text.len() <= MAX_TEXT_BYTES).then_some(text)
}

fn json(found: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(found).map_err(|error| error.to_string())
}
