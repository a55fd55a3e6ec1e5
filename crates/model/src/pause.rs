//! Who has paused a run.

use std::sync::Arc;

/// What keeps the jobs of a run from being handed out, until a person lets it go on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Pause {
    /// A person wants it so.
    Wanted,
    /// The server: known devices say three different things of several jobs of one code, so that no two of them will ever agree.
    Incomparable,
    /// The server: a module of the workflow could not say whether two answers agree, or whether one is right. With what it was about.
    AgreeFailed(Arc<str>),
}

impl Pause {
    /// The stable text form of the server's reason; `None` where it has none of its own.
    pub const fn reason(&self) -> Option<&'static str> {
        match self {
            Self::Wanted => None,
            Self::Incomparable => Some("incomparable"),
            Self::AgreeFailed(_) => Some("agreeFailed"),
        }
    }

    /// What is to be said beside the reason.
    pub fn words(&self) -> Option<&str> {
        match self {
            Self::Wanted | Self::Incomparable => None,
            Self::AgreeFailed(words) => Some(words),
        }
    }

    /// A reason that a later release may have had stops a run like any other.
    pub fn for_reason(reason: Option<&str>, words: Option<String>) -> Self {
        match reason {
            Some("incomparable") => Self::Incomparable,
            Some("agreeFailed") => Self::AgreeFailed(words.unwrap_or_default().into()),
            _ => Self::Wanted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_read_back() {
        for pause in [Pause::Wanted, Pause::Incomparable, Pause::AgreeFailed("Same.wasm traps".into())] {
            assert_eq!(Pause::for_reason(pause.reason(), pause.words().map(str::to_owned)), pause);
        }
        assert_eq!(Pause::for_reason(Some("of a later release"), None), Pause::Wanted);
    }
}
