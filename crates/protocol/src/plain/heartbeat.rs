//! Staying alive. "When the server stops receiving heartbeat messages from a worker after a specified amount of time,
//! the job that it currently process will be rescheduled" (thesis 3.8).

use super::element::Element;
use super::error::PlainError;
use super::fields::Fields;
use super::{Pass, key};
use crate::frame::AttemptKey;

#[derive(Debug, Clone, PartialEq)]
pub struct Heartbeat {
    pub pass: Pass,
    /// The attempts whose leases are to be renewed.
    pub holding: Vec<Held>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Held {
    pub key: AttemptKey,
    /// How much of the job is done, 0 to 1; `None` where its code has not told.
    pub progress: Option<f64>,
}

impl Heartbeat {
    pub(super) fn read(root: &Element) -> Result<Self, PlainError> {
        let mut fields = Fields::named(root, "heartbeat")?;
        let pass = Pass::read(&mut fields)?;
        let holding = key::list(fields.children(&["attempt"])?, Held::read)?;
        fields.finish().map(|()| Self { pass, holding })
    }

    pub(super) fn element(&self) -> Element {
        self.pass.write(Element::new("heartbeat")).holding(self.holding.iter().map(Held::element))
    }
}

impl Held {
    fn read(element: &Element) -> Result<Self, PlainError> {
        let mut fields = Fields::of(element);
        let held = Self { key: key::read(&mut fields)?, progress: fields.optional("progress")? };
        fields.finish_empty().map(|()| held)
    }

    fn element(&self) -> Element {
        key::write(Element::new("attempt"), self.key).with_some("progress", self.progress)
    }
}

/// What became of each attempt that was named, and of those that were revoked since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renewals {
    /// How long until the next one; may change while the server runs.
    pub heartbeat_ms: u32,
    pub attempts: Vec<(AttemptKey, Renewal)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renewal {
    /// The lease goes on from now.
    Renewed,
    /// Nobody wants the job any more: stop it, send nothing.
    Revoked,
    /// The lease has ended, or it never was this worker's. A value is still welcome while nobody else has the job.
    Expired,
}

const RENEWALS: [(Renewal, &str); 3] =
    [(Renewal::Renewed, "renewed"), (Renewal::Revoked, "revoked"), (Renewal::Expired, "expired")];

impl Renewals {
    pub(super) fn read(root: &Element) -> Result<Self, PlainError> {
        let mut fields = Fields::named(root, "renewals")?;
        let attempts = fields.children(&["attempt"])?.iter().map(renewal).collect::<Result<_, _>>()?;
        Ok(Self { heartbeat_ms: fields.required("heartbeat_ms")?, attempts })
    }

    pub(super) fn element(&self) -> Element {
        let attempts = self.attempts.iter().map(|(key, renewal)| {
            key::write(Element::new("attempt"), *key).with("lease", &key::word_of(renewal, &RENEWALS))
        });
        Element::new("renewals").with("heartbeat_ms", &self.heartbeat_ms).holding(attempts)
    }
}

fn renewal(element: &Element) -> Result<(AttemptKey, Renewal), PlainError> {
    let mut fields = Fields::of(element);
    Ok((key::read(&mut fields)?, key::word(&mut fields, "lease", &RENEWALS)?))
}
