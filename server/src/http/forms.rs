//! The forms in which a value is answered: which of them a request asks for (RFC 9110, section 12.5.1), and how much of it.
//!
//! Never makes an answer: `values.rs` does.

use std::cmp::Reverse;

use actix_web::HttpRequest;
use actix_web::http::header::ACCEPT;
use serde::Deserialize;
use weevil_model::Timestamp;
use weevil_model::limits::MAX_VALUE_BYTES;

use super::etag::Tag;
use super::parameters;
use crate::refusal::Refusal;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The JSON view, with what there is to say around it.
    Json,
    /// The bytes themselves.
    Cbor,
    /// A table.
    Csv,
}

impl Form {
    const ALL: [Self; 3] = [Self::Json, Self::Cbor, Self::Csv];

    /// Type and subtype.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Json => ("application", "json"),
            // RFC 8949, section 9.1
            Self::Cbor => ("application", "cbor"),
            // RFC 7111, section 5.1
            Self::Csv => ("text", "csv"),
        }
    }
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    pub form: Form,
    /// Bytes at most.
    pub max: Option<usize>,
    /// It is what a request gets that asks for nothing.
    is_usual: bool,
}

#[derive(Deserialize)]
struct Most {
    max: Option<u64>,
}

impl Wanted {
    /// # Errors
    /// There is no such form, or `max` is no number.
    pub(super) fn of(request: &HttpRequest, usual: Form) -> Result<Self, Refusal> {
        let Most { max } = parameters::query(request)?;
        let lines: Vec<_> = request.headers().get_all(ACCEPT).filter_map(|line| line.to_str().ok()).collect();
        let why = || Refusal::NotAcceptable("`accept` names no form of this answer".to_owned());
        let form = choose(&lines.join(","), usual).ok_or_else(why)?;
        let max = max.map(|max| usize::try_from(max).unwrap_or(MAX_VALUE_BYTES).min(MAX_VALUE_BYTES));
        Ok(Self { form, max, is_usual: form == usual && max.is_none() })
    }

    /// That of what has ended, in this form.
    pub(super) fn tag(&self, id: &str, end: Timestamp) -> Option<Tag> {
        if self.is_usual {
            return Tag::of_end(&id, end);
        }
        let most = self.max.map(|max| format!(".{max}")).unwrap_or_default();
        Tag::of_end(&format!("{id}.{}{most}", self.form.names().1), end)
    }
}

/// The form with the highest weight; of several the one that is named most precisely, then the usual one.
fn choose(accept: &str, usual: Form) -> Option<Form> {
    if accept.trim().is_empty() {
        return Some(usual);
    }
    let ranges: Vec<_> = accept.split(',').filter_map(Range::read).collect();
    let weighed = |form: Form| {
        let range = ranges.iter().filter(|range| range.holds(form)).max_by_key(|range| range.precision())?;
        (range.weight > 0).then(|| (range.weight, range.precision(), form == usual))
    };
    let all = Form::ALL.into_iter().filter_map(|form| Some((weighed(form)?, form)));
    all.min_by_key(|(weight, _)| Reverse(*weight)).map(|(_, form)| form)
}

/// One of what `accept` names.
struct Range<'h> {
    kind: &'h str,
    subtype: &'h str,
    /// Thousandths.
    weight: u32,
}

impl<'h> Range<'h> {
    fn read(range: &'h str) -> Option<Self> {
        let mut parts = range.split(';').map(str::trim);
        let (kind, subtype) = parts.next()?.split_once('/')?;
        let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        let weight = weight.map_or(Some(1.0), |weight| weight.parse::<f64>().ok())?;
        if !(0.0..=1.0).contains(&weight) {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1,000")]
        Some(Self { kind, subtype, weight: (weight * 1000.0).round() as u32 })
    }

    fn holds(&self, form: Form) -> bool {
        let is = |named: &str, own: &str| named == "*" || named.eq_ignore_ascii_case(own);
        let (kind, subtype) = form.names();
        is(self.kind, kind) && is(self.subtype, subtype)
    }

    fn precision(&self) -> u8 {
        u8::from(self.kind != "*") + u8::from(self.subtype != "*")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_is_the_one_that_is_wanted_most() {
        for (accept, json, cbor) in [
            ("", Some(Form::Json), Some(Form::Cbor)),
            ("*/*", Some(Form::Json), Some(Form::Cbor)),
            ("application/*", Some(Form::Json), Some(Form::Cbor)),
            ("text/*", Some(Form::Csv), Some(Form::Csv)),
            ("application/json", Some(Form::Json), Some(Form::Json)),
            ("Application/CBOR", Some(Form::Cbor), Some(Form::Cbor)),
            ("text/csv; header=present", Some(Form::Csv), Some(Form::Csv)),
            ("application/cbor, */*", Some(Form::Cbor), Some(Form::Cbor)),
            ("application/cbor;q=0.5, */*", Some(Form::Json), Some(Form::Json)),
            ("application/cbor;q=0.5, */*;q=0.4", Some(Form::Cbor), Some(Form::Cbor)),
            ("text/csv;q=0.9,application/json;q=1.0", Some(Form::Json), Some(Form::Json)),
            ("application/json, application/cbor", Some(Form::Json), Some(Form::Cbor)),
            ("application/json;q=0, */*", Some(Form::Cbor), Some(Form::Cbor)),
            ("text/html,application/xhtml+xml,*/*;q=0.8", Some(Form::Json), Some(Form::Cbor)),
            ("text/html", None, None),
            ("*/*;q=0", None, None),
            ("application/json;q=2", None, None),
            ("application/json;q=x", None, None),
            ("json", None, None),
            (",;,/", None, None),
        ] {
            assert_eq!((choose(accept, Form::Json), choose(accept, Form::Cbor)), (json, cbor), "{accept}");
        }
    }

    #[test]
    fn each_form_of_what_has_ended_has_a_tag_of_its_own() {
        use actix_web::test::TestRequest;
        let tag = |accept: &str, query: &str| {
            let request = TestRequest::with_uri(query).insert_header((ACCEPT, accept)).to_http_request();
            Wanted::of(&request, Form::Json).unwrap().tag("run_1", Timestamp(7)).unwrap()
        };
        for (accept, query, expected) in [
            ("*/*", "/", "run_1"),
            ("application/json", "/", "run_1"),
            ("application/json", "/?max=5", "run_1.json.5"),
            ("application/cbor", "/", "run_1.cbor"),
            ("text/csv", "/?max=99999999", "run_1.csv.16777216"),
        ] {
            assert_eq!(Some(tag(accept, query)), Tag::of_end(&expected, Timestamp(7)), "{accept} {query}");
        }
    }
}
