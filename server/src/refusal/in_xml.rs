//! A refusal for those who speak XML: the same status and headers, the sentence in a `<refused>`.

use std::fmt;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError};
use weevil_protocol::plain::{PlainError, Refused};

use super::Refusal;
use super::table::NO_CAUSE;
use crate::workers::NoEntry;

#[derive(Debug)]
pub(crate) struct InXml(Refusal);

impl From<Refusal> for InXml {
    fn from(refusal: Refusal) -> Self {
        Self(refusal)
    }
}

impl From<NoEntry> for InXml {
    fn from(no_entry: NoEntry) -> Self {
        Self(no_entry.into())
    }
}

impl From<PlainError> for InXml {
    fn from(error: PlainError) -> Self {
        Self(Refusal::BadMessage(error.to_string()))
    }
}

impl InXml {
    /// What strangers may read of it.
    pub(crate) fn without_cause(&self) -> String {
        Refused { code: self.0.code().to_owned(), message: NO_CAUSE.to_owned() }.to_xml()
    }
}

impl fmt::Display for InXml {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl ResponseError for InXml {
    fn status_code(&self) -> StatusCode {
        self.0.status_code()
    }

    fn error_response(&self) -> HttpResponse {
        let refused = Refused { code: self.0.code().to_owned(), message: self.0.to_string() };
        self.0.head().content_type("application/xml; charset=utf-8").body(refused.to_xml())
    }
}
