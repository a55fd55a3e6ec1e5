//! Reading an upload: multipart/form-data to the files of a workflow, bounded while it comes in.

use std::collections::BTreeMap;

use actix_multipart::{Field, Multipart};
use futures_util::TryStreamExt;
use weevil_model::limits::{MAX_BUNDLE_BYTES, MAX_BUNDLE_FILES};

use crate::error::Refusal;

/// Characters kept of a workflow's name.
const MAX_NAME_CHARS: usize = 100;

/// What was uploaded.
#[derive(Debug, Default)]
pub(super) struct Upload {
    /// Part `name`: what people call the workflow.
    pub name: Option<String>,
    /// Parts `file`, by their filename.
    pub files: BTreeMap<String, Vec<u8>>,
}

pub(super) async fn read(mut parts: Multipart) -> Result<Upload, Refusal> {
    let mut upload = Upload::default();
    let mut room = MAX_BUNDLE_BYTES;
    while let Some(mut part) = parts.try_next().await.map_err(unreadable)? {
        let bytes = bytes(&mut part, &mut room).await?;
        match part.name() {
            Some("name") => upload.name = name(&bytes),
            Some("file") => add(&mut upload.files, file_name(&part)?, bytes)?,
            other => {
                let found = other.unwrap_or_default();
                return Err(Refusal::BadUpload(format!("a part `{found}`; known are `file` and `name`")));
            }
        }
    }
    Ok(upload)
}

async fn bytes(part: &mut Field, room: &mut usize) -> Result<Vec<u8>, Refusal> {
    let mut all = Vec::new();
    while let Some(chunk) = part.try_next().await.map_err(unreadable)? {
        *room = room.checked_sub(chunk.len()).ok_or(Refusal::UploadTooLarge)?;
        all.extend_from_slice(&chunk);
    }
    Ok(all)
}

fn unreadable(error: impl std::fmt::Display) -> Refusal {
    Refusal::BadUpload(error.to_string())
}

fn file_name(part: &Field) -> Result<String, Refusal> {
    let name = part.content_disposition().and_then(|disposition| disposition.get_filename());
    name.map(str::to_owned).ok_or_else(|| Refusal::BadUpload("a part `file` without a filename".into()))
}

fn add(files: &mut BTreeMap<String, Vec<u8>>, path: String, bytes: Vec<u8>) -> Result<(), Refusal> {
    if files.len() >= MAX_BUNDLE_FILES {
        return Err(Refusal::UploadTooLarge);
    }
    if files.contains_key(&path) {
        return Err(Refusal::BadUpload(format!("the file `{path}` comes twice")));
    }
    files.insert(path, bytes);
    Ok(())
}

fn name(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let name: String = text.trim().chars().filter(|c| !c.is_control()).take(MAX_NAME_CHARS).collect();
    (!name.is_empty()).then_some(name)
}
