//! The body of an upload, in each of its forms, bounded while it comes in.
//!
//! Never holds more than a workflow may have, whatever was promised, and never looks into a file.

use actix_multipart::{Field, Multipart, MultipartError};
use actix_web::error::PayloadError;
use actix_web::web::{self, Bytes};
use actix_web::{HttpMessage, HttpRequest};
use futures_util::{Stream, TryStreamExt};
use weevil_engine::budget::Permit;
use weevil_model::limits::MAX_BUNDLE_BYTES;

use super::AppState;
use super::read_body::{Body, Held, append, refusal};
use super::upload::{Given, Upload};
use crate::refusal::Refusal;

/// Bytes of a body: a workflow's files, and the heads of its parts.
const MAX_BODY_BYTES: usize = MAX_BUNDLE_BYTES + 1024 * 1024;
/// What the file of a body that is no form is called; a zip brings names of its own.
const ONLY_FILE: &str = "workflow.xml";
/// Types that an upload may have.
const UPLOADS: &str = "multipart/form-data, application/zip, or application/xml for one document";

/// A body to check; what counts its bytes; and leave to check it. Each is given back when it is dropped.
pub(super) type Taken<T> = (T, Held, Option<Permit>);

/// How every upload begins: nothing is read that could not be kept.
pub(super) async fn take<T>(
    app: &AppState,
    request: &HttpRequest,
    body: impl Future<Output = Result<(T, Held), Refusal>>,
) -> Result<Taken<T>, Refusal> {
    app.admit()?;
    let (body, held) = body.await?;
    Ok((body, held, app.budget.checking(app.peer(request)).await))
}

/// Takes the parameters of the address, and multipart/form-data or the bytes of one zip or one document.
pub(super) async fn read(
    app: &AppState,
    request: &HttpRequest,
    body: web::Payload,
) -> Result<(Upload, Held), Refusal> {
    let mut upload = Upload::default();
    for (name, value) in parameters(request)? {
        upload.take(&name, &value)?;
    }
    let body = Body::new(app, request, body, MAX_BODY_BYTES);
    let held = body.held();
    match request.content_type().to_ascii_lowercase().as_str() {
        "multipart/form-data" => {
            take_parts(Multipart::new(request.headers(), body.pieces()), &mut upload).await?;
        }
        "application/zip" | "application/x-zip-compressed" | "application/octet-stream" => {
            let (zip, _) = body.whole(Vec::new()).await?;
            if !weevil_workflow::is_zip(&zip) {
                return Err(Refusal::BadUpload("the body is not a zip".into()));
            }
            upload.add_file(ONLY_FILE.into(), zip.into())?;
        }
        "application/xml" | "text/xml" => {
            let (document, _) = body.whole(Vec::new()).await?;
            upload.add_file(ONLY_FILE.into(), document.into())?;
        }
        // A stored workflow needs no body.
        "" if upload.workflow.is_some() || upload.example.is_some() => {}
        other => return Err(Refusal::BadMediaType { found: other.to_owned(), taken: UPLOADS }),
    }
    Ok((upload, held))
}

/// The bytes of a body of JSON.
pub(super) async fn json(
    app: &AppState,
    request: &HttpRequest,
    body: web::Payload,
) -> Result<(Bytes, Held), Refusal> {
    let content_type = request.content_type().to_ascii_lowercase();
    if content_type != "application/json" {
        return Err(Refusal::BadMediaType { found: content_type, taken: "application/json" });
    }
    let body = Body::new(app, request, body, MAX_BODY_BYTES).whole(Vec::new()).await;
    body.map_err(|error| refusal(error, Refusal::TooManyJobs, Refusal::BadUpload))
}

fn parameters(request: &HttpRequest) -> Result<Vec<(String, String)>, Refusal> {
    let found = web::Query::from_query(request.query_string());
    found.map(web::Query::into_inner).map_err(|error| Refusal::BadUpload(error.to_string()))
}

async fn take_parts(mut parts: Multipart, upload: &mut Upload) -> Result<(), Refusal> {
    while let Some(mut part) = parts.try_next().await? {
        let bytes = gather(&mut part).await?;
        match part.name().unwrap_or_default() {
            "file" => upload.add_file(file_name(&part)?, bytes)?,
            "setFile" => upload.set(file_name(&part)?, Given::File(bytes))?,
            name => upload.take(name, text(name, &bytes)?)?,
        }
    }
    Ok(())
}

async fn gather<E>(mut chunks: impl Stream<Item = Result<Bytes, E>> + Unpin) -> Result<Vec<u8>, Refusal>
where
    Refusal: From<E>,
{
    let mut all = Vec::new();
    while let Some(chunk) = chunks.try_next().await? {
        append(&mut all, &chunk, MAX_BODY_BYTES);
    }
    all.shrink_to_fit();
    Ok(all)
}

fn file_name(part: &Field) -> Result<String, Refusal> {
    let name = part.content_disposition().and_then(|disposition| disposition.get_filename());
    let part = || format!("a part `{}` without a filename", part.name().unwrap_or_default());
    name.map(str::to_owned).ok_or_else(|| Refusal::BadUpload(part()))
}

fn text<'b>(name: &str, bytes: &'b [u8]) -> Result<&'b str, Refusal> {
    str::from_utf8(bytes).map_err(|_| Refusal::BadUpload(format!("the part `{name}` is not UTF-8")))
}

impl From<PayloadError> for Refusal {
    fn from(error: PayloadError) -> Self {
        refusal(error, Self::UploadTooLarge, Self::BadUpload)
    }
}

impl From<MultipartError> for Refusal {
    fn from(error: MultipartError) -> Self {
        match error {
            MultipartError::Payload(error) => error.into(),
            other => Self::BadUpload(other.to_string()),
        }
    }
}
