//! The parameters of an address: only those that its row names are taken, and each is read into its type.
//!
//! Knows no route: a row says what may be there. Uploads take theirs as parts of a form (`upload.rs`).

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{HttpRequest, ResponseError, web};
use serde::de::DeserializeOwned;
use weevil_api::routes::{Body, Row};

use crate::refusal::Refusal;

/// Below this every request is held to its row. Watchers and workers may bring what they like.
const HELD: &str = "/api/";

/// Characters of a text that is looked for.
const MAX_TEXT_CHARS: usize = 100;

/// Reads them all.
///
/// # Errors
/// One is missing, unknown, there twice, or has another form.
pub(super) fn query<T: DeserializeOwned>(request: &HttpRequest) -> Result<T, Refusal> {
    let query = web::Query::<T>::from_query(request.query_string());
    query.map(web::Query::into_inner).map_err(|error| Refusal::BadQuery(error.to_string()))
}

/// A text that is looked for, in small letters; `None` where it is blank.
///
/// # Errors
/// It is too long.
pub(super) fn sought(text: Option<&str>) -> Result<Option<String>, Refusal> {
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    let length = text.map_or(0, |text| text.chars().count());
    if length > MAX_TEXT_CHARS {
        return Err(Refusal::BadQuery(format!("`q` has {length} characters; {MAX_TEXT_CHARS} are allowed")));
    }
    Ok(text.map(str::to_lowercase))
}

/// Hands a request on to the row's handler, if the row names all of its parameters.
pub(super) async fn hold(
    row: &Row,
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, actix_web::Error> {
    match check(row, request.query_string()) {
        Ok(()) => next.call(request).await,
        Err(refusal) => Ok(request.into_response(refusal.error_response())),
    }
}

/// Refuses a parameter that the row does not name.
fn check(row: &Row, query: &str) -> Result<(), Refusal> {
    if query.is_empty() || !row.path.starts_with(HELD) || matches!(row.body, Body::Form) {
        return Ok(());
    }
    let found = web::Query::<Vec<(String, String)>>::from_query(query);
    let found = found.map_err(|error| Refusal::BadQuery(error.to_string()))?.into_inner();
    let known: Vec<&str> = row.query.iter().map(|parameter| parameter.name).collect();
    let unknown = found.iter().map(|(name, _)| name).find(|name| !known.contains(&name.as_str()));
    unknown.map_or(Ok(()), |unknown| Err(Refusal::BadQuery(told(unknown, &known))))
}

fn told(unknown: &str, known: &[&str]) -> String {
    if known.is_empty() {
        return format!("there is no `{unknown}` here, nor any other parameter");
    }
    format!("there is no `{unknown}` here; there are {}", known.join(", "))
}

#[cfg(test)]
mod tests {
    use weevil_api::routes::Operation;

    use super::{check, sought};

    #[test]
    fn a_text_is_looked_for_in_small_letters() {
        let (longest, longer) = ("ü".repeat(100), "ü".repeat(101));
        for (text, found) in [
            (None, Some(None)),
            (Some("  "), Some(None)),
            (Some(" Way "), Some(Some("way"))),
            (Some(longest.as_str()), Some(Some(longest.as_str()))),
            (Some(longer.as_str()), None),
        ] {
            assert_eq!(sought(text).ok(), found.map(|text| text.map(str::to_owned)), "{text:?}");
        }
    }

    #[test]
    fn only_the_parameters_of_a_row_are_taken() {
        for (operation, query, words) in [
            (Operation::ShowQueue, "", ""),
            (Operation::ShowQueue, "x=1", "no `x` here, nor any other"),
            (Operation::ListJobs, "queue=a&limit=2&after=b", ""),
            (
                Operation::ListJobs,
                "queue=a&colour=red",
                "no `colour` here; there are project, queue, q, state, failed, sort, after, limit",
            ),
            (Operation::CancelRun, "now", "no `now` here"),
            (Operation::CreateRun, "name=a&set=b%3D1", ""),
            (Operation::Health, "probe=1", ""),
            (Operation::WorkerSocket, "x=1", ""),
        ] {
            let found = check(operation.row(), query).err().map(|refusal| refusal.to_string());
            let told = found.unwrap_or_default();
            assert!(told.contains(words) && told.is_empty() == words.is_empty(), "{query}: {told}");
        }
    }
}
