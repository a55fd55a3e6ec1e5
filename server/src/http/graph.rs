//! The picture of a stored workflow, as a whole or in parts: for everybody who may read the workflow, and for ever the same.
//!
//! Reads the query and the workflow; `layouts.rs` makes and keeps layouts.

use actix_web::http::header::{CACHE_CONTROL, ContentType};
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use weevil_model::ContentHash;
use weevil_workflow::layout::MAX_HOPS;

use super::AppState;
use super::blobs::IMMUTABLE_FOR_ONE;
use super::graph_views::View;
use super::layouts::Drawn;
use super::page::Limit;
use super::parameters::query;
use super::walls::Wall;
use crate::refusal::Refusal;

/// How far a neighbourhood reaches that says nothing of it.
const HOPS_UNASKED: u32 = 1;

/// What stands behind the `?`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    layers: Option<String>,
    group: Option<String>,
    near: Option<String>,
    hops: Option<u32>,
    after: Option<String>,
    limit: Option<Limit>,
}

/// What is asked for; nodes by their ids.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Picture { after: Option<String> },
    Layers,
    Stack { node: String, after: Option<String>, limit: Limit },
    Near { node: String, hops: u32 },
}

pub(super) async fn get(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    hash: web::Path<String>,
) -> Result<HttpResponse, Refusal> {
    let hash: ContentHash = hash.parse()?;
    let part = part(query(&request)?)?;
    let (store, missing) = (&app.common.store, || Refusal::NoSuchWorkflow(hash));
    wall.judge_any(&store.workflow_projects(hash).await?, missing)?;
    let read = async || {
        // It is read with all of its bytes, for anybody who asks: a few at a time.
        let _reading = app.budget.checking(app.peer(&request)).await;
        store.workflow(hash).await?.ok_or_else(missing)
    };
    let drawn = app.past.layouts.of(hash, read).await?;
    let body = web::block(move || body(&drawn, part)).await;
    let body = body.map_err(|error| Refusal::Internal(error.to_string()))??;
    let head = (CACHE_CONTROL, IMMUTABLE_FOR_ONE);
    Ok(HttpResponse::Ok().insert_header(head).insert_header(ContentType::json()).body(body))
}

/// Off the server's threads as well: the neighbourhood of a node is a layout of its own, and a large answer takes a while to write.
fn body(drawn: &Drawn, part: Part) -> Result<Vec<u8>, Refusal> {
    let view = view(drawn, part).map_err(Refusal::BadQuery)?;
    serde_json::to_vec(&view).map_err(|error| Refusal::Internal(error.to_string()))
}

/// # Errors
/// A node is named that is not there, or not in such a place: what is, in words.
fn view(drawn: &Drawn, part: Part) -> Result<View, String> {
    let (layout, names) = (&drawn.layout, &drawn.names);
    let find = |id: Option<String>| id.map(|id| names.find(&id)).transpose();
    let gone = || "the workflow has no such node".to_owned();
    match part {
        Part::Layers => Ok(drawn.layers()),
        Part::Picture { after } => Ok(drawn.view(layout.picture(find(after)?).ok_or_else(gone)?)),
        Part::Near { node, hops } => Ok(drawn.view(layout.near(names.find(&node)?, hops).ok_or_else(gone)?)),
        Part::Stack { node, after, limit } => {
            let stack = layout.stack(names.find(&node)?, find(after)?, limit.most());
            let none = || format!("`{node}` is in no stack, or not in the one that `after` is in");
            Ok(drawn.stack(stack.ok_or_else(none)?))
        }
    }
}

/// # Errors
/// Parameters that do not go together, or a value that one does not take.
fn part(asked: Asked) -> Result<Part, Refusal> {
    let refuse = |words: &str| Err(Refusal::BadQuery(words.to_owned()));
    let Asked { layers, group, near, hops, after, limit } = asked;
    if hops.is_some() && near.is_none() {
        return refuse("`hops` goes with `near`");
    }
    if limit.is_some() && group.is_none() {
        return refuse("`limit` goes with `group`");
    }
    match (layers, group, near) {
        (None, None, None) => Ok(Part::Picture { after }),
        (None, Some(node), None) => Ok(Part::Stack { node, after, limit: limit.unwrap_or_default() }),
        (Some(_), None, None) | (None, None, Some(_)) if after.is_some() => {
            refuse("`after` goes with `group`, or with the whole picture")
        }
        (Some(value), None, None) if value.is_empty() => Ok(Part::Layers),
        (Some(_), None, None) => refuse("`layers` takes no value"),
        (None, None, Some(node)) => match hops.unwrap_or(HOPS_UNASKED) {
            hops if hops <= MAX_HOPS => Ok(Part::Near { node, hops }),
            hops => Err(Refusal::BadQuery(format!("`hops` is {hops}; 0 to {MAX_HOPS} are allowed"))),
        },
        _ => refuse("`layers`, `group` and `near` are asked for one at a time"),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn asked(text: &str) -> Result<Part, String> {
        let request = TestRequest::with_uri(&format!("/?{text}")).to_http_request();
        query(&request).and_then(part).map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn one_part_is_asked_for_at_a_time() {
        let text = |text: &str| Some(text.to_owned());
        let near = |hops| Part::Near { node: "a".to_owned(), hops };
        let stack = |after, limit: u32| Part::Stack {
            node: "a".to_owned(),
            after,
            limit: Limit::try_from(limit).unwrap(),
        };
        for (query, expected) in [
            ("", Part::Picture { after: None }),
            ("after=b", Part::Picture { after: text("b") }),
            ("layers", Part::Layers),
            ("layers=", Part::Layers),
            ("group=a", stack(None, 100)),
            ("group=a&after=b&limit=7", stack(text("b"), 7)),
            ("near=a", near(1)),
            ("near=a&hops=0", near(0)),
            ("near=a&hops=16", near(16)),
        ] {
            assert_eq!(asked(query), Ok(expected), "{query}");
        }
    }

    #[test]
    fn what_does_not_go_together_is_refused_in_words() {
        for (query, words) in [
            ("layers=7", "`layers` takes no value"),
            ("layers&near=a", "one at a time"),
            ("group=a&near=a", "one at a time"),
            ("hops=1", "`hops` goes with `near`"),
            ("layers&hops=1", "`hops` goes with `near`"),
            ("near=a&hops=17", "`hops` is 17; 0 to 16 are allowed"),
            ("near=a&after=b", "`after` goes with `group`, or"),
            ("layers&after=b", "`after` goes with `group`, or"),
            ("limit=2", "`limit` goes with `group`"),
            ("group=a&limit=0", "1 to 1000 are allowed"),
            ("near=a&hops=x", "invalid"),
            ("near=a&near=b", "duplicate"),
        ] {
            let told = asked(query).unwrap_err();
            assert!(told.contains(words), "{query}: {told}");
        }
    }
}
