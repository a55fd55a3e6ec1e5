//! Answers with a value in their JSON: a large one is told in pieces.
//!
//! Never holds the JSON of a large value.

use std::fmt::Display;

use actix_web::HttpResponse;
use actix_web::http::header::ContentType;
use actix_web::web;
use serde::Serialize;
use serde_json::Value as Json;
use weevil_engine::budget::Peer;
use weevil_model::{Encoded, JsonPieces};

use super::large::{self, Found, Turn};
use super::{AppState, readers};
use crate::refusal::Refusal;

/// What has a place for a value, its only field of this name.
pub(super) trait Answer: Serialize {
    /// As it is called in JSON.
    const NAME: &'static str;

    fn with_value(self, value: Option<Json>) -> Self;
}

/// What `look` finds, in JSON.
pub(super) async fn answer<A: Answer>(
    app: &AppState,
    reader: Peer,
    look: impl AsyncFn() -> Result<Found<A>, Refusal>,
) -> Result<HttpResponse, Refusal> {
    let (found, turn) = large::find(app, reader, look).await?;
    respond(found, turn).await
}

/// With a turn in pieces.
pub(super) async fn respond<A: Answer>(found: Found<A>, turn: Option<Turn>) -> Result<HttpResponse, Refusal> {
    let Found { answer, value } = found;
    match (value, turn) {
        (Some(value), Some(turn)) => in_pieces(answer, value, turn).await,
        (value, _) => {
            let value = value.as_ref().map(Encoded::value).transpose().map_err(internal)?;
            Ok(HttpResponse::Ok().json(answer.with_value(value.map(|value| value.to_json()))))
        }
    }
}

async fn in_pieces<A: Answer>(answer: A, value: Encoded, turn: Turn) -> Result<HttpResponse, Refusal> {
    let around = serde_json::to_string(&answer.with_value(Some(Json::Null))).map_err(internal)?;
    let name = format!("\"{}\":", A::NAME);
    let hole = format!("{name}null");
    let (before, after) =
        around.split_once(&hole).ok_or_else(|| internal("an answer without a place for its value"))?;
    let (before, after) = (format!("{before}{name}").into_bytes(), after.as_bytes().to_vec());
    // Looking over it once, before the first byte goes out, takes a while.
    let pieces = web::block(move || JsonPieces::of(&value)).await.map_err(internal)?.map_err(internal)?;
    let (reader, body) = readers::body();
    let pieces = std::iter::once(before).chain(pieces).chain(std::iter::once(after));
    actix_web::rt::spawn(large::send(pieces, reader, Some(turn)));
    Ok(HttpResponse::Ok().content_type(ContentType::json()).streaming(body))
}

fn internal(error: impl Display) -> Refusal {
    Refusal::Internal(error.to_string())
}
