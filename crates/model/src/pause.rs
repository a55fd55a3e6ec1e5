//! Who has paused a run.

/// What keeps the jobs of a run from being handed out, until a person lets it go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pause {
    /// A person wants it so.
    Wanted,
    /// The server: known devices say three different things of several jobs of one code, so that no two of them will ever agree.
    Incomparable,
}

impl Pause {
    /// The stable text form of the server's reason; `None` where it has none of its own.
    pub const fn reason(self) -> Option<&'static str> {
        match self {
            Self::Wanted => None,
            Self::Incomparable => Some("incomparable"),
        }
    }

    /// A reason that a later release may have had stops a run like any other.
    pub fn for_reason(reason: Option<&str>) -> Self {
        if reason == Self::Incomparable.reason() { Self::Incomparable } else { Self::Wanted }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_read_back() {
        for (reason, pause) in [
            (None, Pause::Wanted),
            (Some("incomparable"), Pause::Incomparable),
            (Some("of a later release"), Pause::Wanted),
        ] {
            assert_eq!(Pause::for_reason(reason), pause, "{reason:?}");
        }
        assert_eq!(Pause::Incomparable.reason(), Some("incomparable"));
    }
}
