//! Values as answers: the JSON view with what there is to say around it, the bytes themselves, or a table.
//!
//! What was cut says in a header how many bytes there are. Never looks for a value.

use std::fmt::Display;

use actix_web::http::header::{HeaderName, HeaderValue, VARY};
use actix_web::{HttpRequest, HttpResponse, web};
use weevil_model::{CsvPieces, Encoded, NoTable};

use super::forms::{Form, Wanted};
use super::large::{self, Found, MAX_WHOLE_BYTES, Turn};
use super::stream_json::{self, Answer};
use super::{AppState, readers};
use crate::refusal::Refusal;

const CBOR: &str = "application/cbor";
/// RFC 4180, section 3.
const CSV: &str = "text/csv; charset=utf-8; header=present";
/// How many bytes there are of what was cut.
const BYTES: HeaderName = HeaderName::from_static("x-weevil-bytes");

/// What `look` finds, in the form that is wanted.
pub(super) async fn answer<A: Answer>(
    app: &AppState,
    request: &HttpRequest,
    wanted: Wanted,
    look: impl AsyncFn() -> Result<Found<A>, Refusal>,
) -> Result<HttpResponse, Refusal> {
    let (found, turn) = large::find(app, app.peer(request), look).await?;
    let value = |found: Found<A>| found.value.ok_or_else(|| Refusal::NoValue(request.path().to_owned()));
    let mut response = match wanted.form {
        Form::Json => json(found, wanted.max, turn).await?,
        Form::Cbor => cbor(&value(found)?, wanted.max, turn),
        Form::Csv => csv(value(found)?, wanted.max, turn).await?,
    };
    response.headers_mut().append(VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

/// Half a view cannot be read: what is longer is left out.
async fn json<A: Answer>(
    mut found: Found<A>,
    max: Option<usize>,
    turn: Option<Turn>,
) -> Result<HttpResponse, Refusal> {
    let bytes = found.value.as_ref().map_or(0, |value| value.as_bytes().len());
    let is_cut = max.is_some_and(|max| bytes > max);
    if is_cut {
        found.value = None;
    }
    let response = stream_json::respond(found, turn).await?;
    Ok(if is_cut { cut(response, bytes) } else { response })
}

fn cbor(value: &Encoded, max: Option<usize>, turn: Option<Turn>) -> HttpResponse {
    let bytes = value.as_bytes().len();
    let told = max.map_or(bytes, |max| bytes.min(max));
    let mut response = HttpResponse::Ok();
    response.content_type(CBOR);
    let response = if told <= MAX_WHOLE_BYTES {
        response.body(value.as_bytes()[..told].to_vec())
    } else {
        let (value, (reader, body)) = (value.clone(), readers::body());
        let pieces = (0..told).step_by(MAX_WHOLE_BYTES);
        let piece = move |at: usize| value.as_bytes()[at..told.min(at + MAX_WHOLE_BYTES)].to_vec();
        actix_web::rt::spawn(large::send(pieces.map(piece), reader, turn));
        response.no_chunking(told as u64).streaming(body)
    };
    if told < bytes { cut(response, bytes) } else { response }
}

async fn csv(value: Encoded, max: Option<usize>, turn: Option<Turn>) -> Result<HttpResponse, Refusal> {
    let looked = web::block(move || {
        let pieces = CsvPieces::of(&value)?;
        let bytes = max.map(|_| pieces.bytes());
        Ok::<_, NoTable>((pieces, bytes))
    });
    let (pieces, bytes) = looked.await.map_err(internal)?.map_err(no_table)?;
    let (max, (reader, body)) = (max.map(|max| max as u64), readers::body());
    actix_web::rt::spawn(large::send(pieces.within(max.unwrap_or(u64::MAX)), reader, turn));
    let response = HttpResponse::Ok().content_type(CSV).streaming(body);
    let cut_from = bytes.filter(|bytes| max.is_some_and(|max| *bytes > max));
    Ok(if let Some(bytes) = cut_from { cut(response, bytes) } else { response })
}

fn cut(mut response: HttpResponse, bytes: impl Display) -> HttpResponse {
    if let Ok(bytes) = HeaderValue::try_from(bytes.to_string()) {
        response.headers_mut().insert(BYTES, bytes);
    }
    response
}

fn no_table(why: NoTable) -> Refusal {
    match why {
        NoTable::Value(error) => internal(error),
        why => Refusal::NotAcceptable(format!("the value is no table: {why}")),
    }
}

fn internal(error: impl Display) -> Refusal {
    Refusal::Internal(error.to_string())
}
