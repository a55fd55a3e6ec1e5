//! A refusal of a plain worker's request of whose body the rest is still to come: told at once, while that is forgotten.

use std::cell::Cell;
use std::convert::Infallible;
use std::fmt;
use std::future::ready;

use actix_web::body::{BoxBody, MessageBody, SizedStream};
use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError};
use futures_util::{StreamExt, stream};

use super::read_body::Body;
use crate::refusal::InXml;

pub(crate) struct Unheard {
    why: InXml,
    rest: Cell<Option<Box<Body>>>,
}

impl Unheard {
    pub(crate) fn new(why: InXml, rest: Body) -> Self {
        Self { why, rest: Cell::new(Some(rest.into())) }
    }

    pub(super) const fn why(&self) -> &InXml {
        &self.why
    }
}

impl<T: Into<InXml>> From<T> for Unheard {
    fn from(why: T) -> Self {
        Self { why: why.into(), rest: Cell::default() }
    }
}

impl fmt::Debug for Unheard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.why.fmt(f)
    }
}

impl fmt::Display for Unheard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.why.fmt(f)
    }
}

impl ResponseError for Unheard {
    fn status_code(&self) -> StatusCode {
        self.why.status_code()
    }

    fn error_response(&self) -> HttpResponse {
        let answer = self.why.error_response();
        match self.rest.take() {
            Some(rest) => before(answer, *rest),
            None => answer,
        }
    }
}

/// The answer with all its words, which ends when the rest has come.
fn before(answer: HttpResponse, rest: Body) -> HttpResponse {
    answer.map_body(|_, words| {
        let Ok(words) = words.try_into_bytes() else { return BoxBody::new(()) };
        let size = words.len() as u64;
        let forgotten = stream::once(rest.discard()).filter_map(|()| ready(None));
        let words = stream::once(ready(Ok::<_, Infallible>(words)));
        BoxBody::new(SizedStream::new(size, Box::pin(words.chain(forgotten))))
    })
}
