//! Joining, leaving and being refused. "It first supplies details such as browser type, WebCL capabilities, and
//! location so that the server can recognize its capacities" (thesis 3.8).

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use weevil_model::{Capabilities, WorkerId};

use super::Values;
use super::element::Element;
use super::error::PlainError;
use super::fields::Fields;
use super::parse;

/// Said at joining; another one is refused.
pub const PLAIN_VERSION: u32 = 1;
/// Below it the requests: `join`, `dequeue`, `submit`, `heartbeat`, `leave`.
pub const PLAIN_PATH: &str = "/worker/v1";

/// A worker comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Join {
    pub protocol: u32,
    /// What the worker is, for people to read.
    pub browser_type: String,
    pub capabilities: Capabilities,
    /// Where it is, for people to read; whatever it likes to say.
    pub location: Option<String>,
    pub slots: u32,
    /// That one of its jobs may use, 2^20 bytes; 0 where it does not say.
    pub memory_mb: u32,
    /// How its values are to travel.
    pub values: Values,
    /// It makes the worker trusted, where somebody has made it who may mark devices.
    pub token: Option<Secret>,
}

impl Join {
    pub(super) fn read(root: &Element) -> Result<Self, PlainError> {
        let mut fields = Fields::named(root, "join")?;
        let join = Self {
            protocol: fields.required("protocol")?,
            browser_type: fields.required("browser_type")?,
            capabilities: Capabilities(fields.required("capabilities")?),
            location: fields.optional("location")?,
            slots: fields.optional("slots")?.unwrap_or(1),
            memory_mb: fields.optional("memory_mb")?.unwrap_or_default(),
            values: fields.optional("values")?.unwrap_or_default(),
            token: fields.optional("token")?,
        };
        fields.finish_empty().map(|()| join)
    }

    pub(super) fn element(&self) -> Element {
        let memory = Some(&self.memory_mb).filter(|mb| **mb > 0);
        Element::new("join")
            .with("protocol", &self.protocol)
            .with("browser_type", &self.browser_type)
            .with("capabilities", &self.capabilities.0)
            .with_some("location", self.location.as_ref())
            .with("slots", &self.slots)
            .with_some("memory_mb", memory)
            .with("values", &self.values)
            .with_some("token", self.token.as_ref().map(|token| &token.0))
    }
}

/// It is welcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joined {
    /// What it shows with every request.
    pub pass: Pass,
    pub protocol: u32,
    /// A lease that no heartbeat renews ends after this many milliseconds.
    pub lease_ms: u32,
    pub heartbeat_ms: u32,
    /// How long to wait after a dequeue that brought nothing.
    pub dequeue_ms: u32,
    pub max_value_bytes: u64,
}

impl Joined {
    pub(super) fn read(root: &Element) -> Result<Self, PlainError> {
        let mut fields = Fields::named(root, "joined")?;
        Ok(Self {
            pass: Pass::read(&mut fields)?,
            protocol: fields.required("protocol")?,
            lease_ms: fields.required("lease_ms")?,
            heartbeat_ms: fields.required("heartbeat_ms")?,
            dequeue_ms: fields.required("dequeue_ms")?,
            max_value_bytes: fields.required("max_value_bytes")?,
        })
    }

    pub(super) fn element(&self) -> Element {
        let joined = self.pass.write(Element::new("joined")).with("protocol", &self.protocol);
        joined
            .with("lease_ms", &self.lease_ms)
            .with("heartbeat_ms", &self.heartbeat_ms)
            .with("dequeue_ms", &self.dequeue_ms)
            .with("max_value_bytes", &self.max_value_bytes)
    }
}

/// Who speaks, and the proof of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    pub worker: WorkerId,
    pub secret: Secret,
}

impl Pass {
    /// Who sends a body, by the attributes of its root, before the rest of it is read.
    pub fn peek(head: &[u8]) -> Result<Self, PlainError> {
        let root = parse::peek(head)?;
        Self::read(&mut Fields::of(&root))
    }

    pub(super) fn read(fields: &mut Fields<'_>) -> Result<Self, PlainError> {
        Ok(Self { worker: fields.required("worker")?, secret: fields.required("secret")? })
    }

    pub(super) fn write(&self, element: Element) -> Element {
        element.with("worker", &self.worker).with("secret", &self.secret.0)
    }
}

/// Words that only the server and one worker know; never in a log.
#[derive(Clone)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl PartialEq for Secret {
    /// Takes as long for a near miss as for any other: how much was guessed right must not be measurable.
    fn eq(&self, other: &Self) -> bool {
        let (one, other) = (self.0.as_bytes(), other.0.as_bytes());
        one.len() == other.len() && one.iter().zip(other).fold(0, |seen, (a, b)| seen | (a ^ b)) == 0
    }
}

impl Eq for Secret {}

impl FromStr for Secret {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

/// A worker goes, and gives back what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leave(pub Pass);

impl Leave {
    pub(super) fn read(root: &Element) -> Result<Self, PlainError> {
        let mut fields = Fields::named(root, "leave")?;
        let leave = Self(Pass::read(&mut fields)?);
        fields.finish_empty().map(|()| leave)
    }

    pub(super) fn element(&self) -> Element {
        self.0.write(Element::new("leave"))
    }
}

/// It has gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left;

impl Left {
    pub(super) fn read(root: &Element) -> Result<Self, PlainError> {
        Fields::named(root, "left").map(|_| Self)
    }

    #[expect(clippy::unused_self, reason = "every message has the same two functions")]
    pub(super) fn element(self) -> Element {
        Element::new("left")
    }
}

/// The request was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Stable name; `docs/errors` has a page for it.
    pub code: String,
    pub message: String,
}

impl Refused {
    pub(super) fn read(root: &Element) -> Result<Self, PlainError> {
        let mut fields = Fields::named(root, "refused")?;
        Ok(Self { code: fields.required("code")?, message: fields.text()?.to_owned() })
    }

    pub(super) fn element(&self) -> Element {
        Element::new("refused").with("code", &self.code).saying(&self.message)
    }
}
