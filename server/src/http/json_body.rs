//! Bodies of JSON that are small: read whole, within their bound and time, into the type that the row names.
//!
//! Jobs and uploads have ways of their own (`body.rs`, `upload.rs`).

use actix_web::web::Bytes;
use actix_web::{HttpRequest, web};
use serde::de::DeserializeOwned;

use super::AppState;
use super::read_body::{Body, refusal};
use crate::refusal::Refusal;

/// Bytes of such a body.
const MAX_JSON_BODY_BYTES: usize = 65_536;

/// Reads it.
///
/// # Errors
/// It is too large, comes too slowly, or is not what the row names.
pub(crate) async fn read<T: DeserializeOwned>(
    app: &AppState,
    request: &HttpRequest,
    payload: web::Payload,
) -> Result<T, Refusal> {
    parse(&whole(app, request, payload).await?)
}

/// The same of a body that may be left out.
///
/// # Errors
/// The errors of [`read`].
pub(super) async fn read_or_default<T: DeserializeOwned + Default>(
    app: &AppState,
    request: &HttpRequest,
    payload: web::Payload,
) -> Result<T, Refusal> {
    let body = whole(app, request, payload).await?;
    if body.is_empty() { Ok(T::default()) } else { parse(&body) }
}

async fn whole(app: &AppState, request: &HttpRequest, payload: web::Payload) -> Result<Bytes, Refusal> {
    let body = Body::new(app, request, payload, MAX_JSON_BODY_BYTES).whole(Vec::new()).await;
    let too_large = Refusal::MessageTooLarge(MAX_JSON_BODY_BYTES);
    let (body, _held) = body.map_err(|error| refusal(error, too_large, Refusal::BadBody))?;
    Ok(body)
}

/// What serde says of a secret's place repeats nothing of it but the name of an unknown field.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| Refusal::BadBody(error.to_string()))
}
