//! How the server fares over time: the columns of a chart, from memory.

use actix_web::{HttpRequest, web};
use serde::Deserialize;
use weevil_api::SeriesView;

use super::AppState;
use super::parameters::query;
use crate::refusal::Refusal;
use crate::series::{Sample, Span};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    #[serde(default = "ten_minutes")]
    span: String,
}

fn ten_minutes() -> String {
    Span::TenMinutes.as_str().to_owned()
}

impl Asked {
    fn span(&self) -> Result<Span, Refusal> {
        let found = Span::ALL.into_iter().find(|span| span.as_str() == self.span);
        found.ok_or_else(|| {
            let known = Span::ALL.map(Span::as_str).join(", ");
            Refusal::BadQuery(format!("`span` is one of {known}"))
        })
    }
}

pub(super) async fn get(
    app: web::Data<AppState>,
    request: HttpRequest,
) -> Result<web::Json<SeriesView>, Refusal> {
    let asked: Asked = query(&request)?;
    let span = asked.span()?;
    let mut view = SeriesView {
        span: asked.span,
        every_ms: span.seconds() as u64 * 1000,
        since: app.past.series.since.0,
        ..SeriesView::default()
    };
    for sample in app.past.series.samples(span) {
        add(&mut view, &sample, span.seconds() as f64);
    }
    Ok(web::Json(view))
}

fn add(view: &mut SeriesView, sample: &Sample, seconds: f64) {
    view.at.push(sample.at.0);
    view.jobs.push(sample.done.jobs);
    view.attempts.push(sample.done.attempts);
    view.errors.push(sample.done.errors);
    view.mflops.push(sample.done.flops / 1e6 / seconds);
    view.workers.push(sample.workers);
    view.slots.push(sample.slots);
    view.busy.push(sample.busy);
    view.waiting.push(sample.waiting);
    view.leased.push(sample.leased);
}
