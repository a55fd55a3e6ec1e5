//! Which stored results a run takes instead of having them computed. Never finds them.

/// Which jobs of a run may take a stored result instead of being computed: one of the same code and the same input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reuse {
    #[default]
    Never,
    /// Those whose code gives the same value for the same input every time.
    Repeatable,
    /// Those that draw random numbers or read a clock as well.
    Always,
}

impl Reuse {
    pub const ALL: [Self; 3] = [Self::Never, Self::Repeatable, Self::Always];

    /// The stable text form, in the store and in uploads.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Repeatable => "repeatable",
            Self::Always => "always",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reuse| reuse.as_str() == text)
    }

    /// May a job with code of this kind take a stored result?
    pub const fn allows(self, repeatable: bool) -> bool {
        match self {
            Self::Never => false,
            Self::Repeatable => repeatable,
            Self::Always => true,
        }
    }
}
