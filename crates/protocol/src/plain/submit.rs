//! Handing in results. "Once a job has been executed by a remote worker, result will be sent back to the server"
//! (thesis 3.8); here several at a time, and errors as well.

use super::element::Element;
use super::error::PlainError;
use super::fields::Fields;
use super::{Pass, key};
use crate::frame::{AttemptKey, JobError, JobErrorKind, Verdict};

#[derive(Debug, Clone, PartialEq)]
pub struct Submit {
    pub pass: Pass,
    pub reports: Vec<Report>,
}

impl Submit {
    pub(super) fn read(root: &Element) -> Result<Self, PlainError> {
        let mut fields = Fields::named(root, "submit")?;
        let pass = Pass::read(&mut fields)?;
        let reports = key::list(fields.children(&["result"])?, Report::read)?;
        fields.finish().map(|()| Self { pass, reports })
    }

    pub(super) fn element(&self) -> Element {
        self.pass.write(Element::new("submit")).holding(self.reports.iter().map(Report::element))
    }
}

/// How one attempt ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    pub key: AttemptKey,
    /// Which slot, from 0.
    pub slot: u32,
    /// Microseconds inside `weevil_main`.
    pub compute_us: u64,
    /// Floating-point operations that the job counted itself.
    pub flops: f64,
    /// What the job's code has logged: lines.
    pub log: Option<String>,
    pub finding: Finding,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// The value's text, in the form that the worker chose; not looked into yet.
    Value(String),
    Error(JobError),
}

impl Report {
    fn read(element: &Element) -> Result<Self, PlainError> {
        let mut fields = Fields::of(element);
        // The thesis finds the executor by it; here the token does.
        let _workflow: Option<String> = fields.optional("workflow_id")?;
        let report = Self {
            key: key::read(&mut fields)?,
            slot: fields.optional("slot")?.unwrap_or(0),
            compute_us: fields.optional("compute_us")?.unwrap_or(0),
            flops: fields.optional("flops")?.unwrap_or(0.0),
            log: log(&fields)?,
            finding: finding(&fields)?,
        };
        fields.finish().map(|()| report)
    }

    fn element(&self) -> Element {
        let finding = match &self.finding {
            Finding::Value(text) => Element::new("value").saying(text),
            Finding::Error(error) => error_element(error),
        };
        key::write(Element::new("result"), self.key)
            .with("slot", &self.slot)
            .with("compute_us", &self.compute_us)
            .with("flops", &self.flops)
            .holding([finding])
            .holding(self.log.as_deref().map(|log| Element::new("log").saying(log)))
    }
}

fn log(fields: &Fields<'_>) -> Result<Option<String>, PlainError> {
    let Some(log) = fields.maybe_child("log")? else { return Ok(None) };
    let text = log.text()?.to_owned();
    log.finish().map(|()| Some(text))
}

fn finding(fields: &Fields<'_>) -> Result<Finding, PlainError> {
    let all = fields.children(&["value", "error", "log"])?;
    let mut found = all.iter().filter(|child| child.name != "log");
    let (Some(child), None) = (found.next(), found.next()) else {
        return Err(
            fields.refuse("it holds no <value> or <error>, or more than one", "keep exactly one of them")
        );
    };
    let mut inner = Fields::of(child);
    if child.name == "value" {
        let text = inner.text()?.to_owned();
        return inner.finish().map(|()| Finding::Value(text));
    }
    let kinds = JobErrorKind::ALL.map(|kind| (kind, kind.as_str()));
    let kind = key::word(&mut inner, "kind", &kinds)?;
    inner.children(&["message", "stack"])?;
    let message = inner.child("message")?.text()?.to_owned();
    let stack = if child.children.len() > 1 { inner.child("stack")?.text()? } else { "" }.to_owned();
    inner.finish().map(|()| Finding::Error(JobError { kind, message, stack }))
}

fn error_element(error: &JobError) -> Element {
    let parts = [("message", &error.message), ("stack", &error.stack)];
    Element::new("error")
        .with("kind", &error.kind.as_str())
        .holding(parts.map(|(name, text)| Element::new(name).saying(text)))
}

/// An answer to each report, in the order of the reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdicts(pub Vec<Answer>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub key: AttemptKey,
    pub verdict: Verdict,
    /// Why the value was not taken, where it was not: the attempt then ended with an error.
    pub refused: Option<String>,
}

const VERDICTS: [(Verdict, &str); 3] =
    [(Verdict::Accepted, "accepted"), (Verdict::Superseded, "superseded"), (Verdict::Unknown, "unknown")];

impl Verdicts {
    pub(super) fn read(root: &Element) -> Result<Self, PlainError> {
        let fields = Fields::named(root, "verdicts")?;
        key::list(fields.children(&["verdict"])?, Answer::read).map(Self)
    }

    pub(super) fn element(&self) -> Element {
        Element::new("verdicts").holding(self.0.iter().map(Answer::element))
    }
}

impl Answer {
    fn read(element: &Element) -> Result<Self, PlainError> {
        let mut fields = Fields::of(element);
        let text = fields.text()?;
        Ok(Self {
            key: key::read(&mut fields)?,
            verdict: key::word(&mut fields, "verdict", &VERDICTS)?,
            refused: (!text.is_empty()).then(|| text.to_owned()),
        })
    }

    fn element(&self) -> Element {
        key::write(Element::new("verdict"), self.key)
            .with("verdict", &key::word_of(&self.verdict, &VERDICTS))
            .saying(self.refused.as_deref().unwrap_or_default())
    }
}
