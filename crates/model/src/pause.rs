//! Who has paused a run, or the queue, since when and with which note.

use std::sync::Arc;

use crate::Timestamp;

/// What a person says who pauses something.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct PauseWords {
    /// The name of their account at that moment; `None` for who works at the server itself, and where an earlier release did not keep it.
    pub by: Option<Arc<str>>,
    pub note: Option<Arc<str>>,
}

/// A pause of everything.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct QueuePause {
    pub since: Timestamp,
    pub words: PauseWords,
}

/// A pause of one run.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RunPause {
    pub since: Timestamp,
    pub why: Pause,
}

/// What keeps the jobs of a run from being handed out, until a person lets it go on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Pause {
    /// A person wants it so.
    Wanted(PauseWords),
    /// The server: known devices say three different things of several jobs of one code, so that no two of them will ever agree.
    Incomparable,
    /// The server: a module of the workflow could not say whether two answers agree, or whether one is right. With what it was about.
    AgreeFailed(Arc<str>),
}

impl Pause {
    /// The stable text form of the server's reason; `None` where it has none of its own.
    pub const fn reason(&self) -> Option<&'static str> {
        match self {
            Self::Wanted(_) => None,
            Self::Incomparable => Some("incomparable"),
            Self::AgreeFailed(_) => Some("agreeFailed"),
        }
    }

    /// What is to be said beside the server's reason.
    pub fn words(&self) -> Option<&str> {
        match self {
            Self::Wanted(_) | Self::Incomparable => None,
            Self::AgreeFailed(words) => Some(words),
        }
    }

    /// What the person says who wants it so.
    pub const fn person(&self) -> Option<&PauseWords> {
        match self {
            Self::Wanted(words) => Some(words),
            Self::Incomparable | Self::AgreeFailed(_) => None,
        }
    }

    /// A reason that a later release may have had stops a run like any other.
    pub fn for_reason(reason: Option<&str>, words: Option<String>, person: PauseWords) -> Self {
        match reason {
            Some("incomparable") => Self::Incomparable,
            Some("agreeFailed") => Self::AgreeFailed(words.unwrap_or_default().into()),
            _ => Self::Wanted(person),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_read_back() {
        let ada = PauseWords { by: Some("ada".into()), note: Some("new rack".into()) };
        for pause in [
            Pause::Wanted(PauseWords::default()),
            Pause::Wanted(ada.clone()),
            Pause::Incomparable,
            Pause::AgreeFailed("Same.wasm traps".into()),
        ] {
            let person = pause.person().cloned().unwrap_or_default();
            let read = Pause::for_reason(pause.reason(), pause.words().map(str::to_owned), person);
            assert_eq!(read, pause);
        }
        let later = Pause::for_reason(Some("of a later release"), None, ada.clone());
        assert_eq!(later, Pause::Wanted(ada));
    }
}
