//! What an operation demands of whoever asks: a right, and a share of a rate.
//!
//! Never decides whether somebody has it: `weevil-access` does.

use weevil_model::Right;

/// Who may ask for an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everybody: nothing is looked up about a person.
    Open,
    /// Everybody who has proved who they are, about what is their own. A program with a token has not: no scope names it.
    Own,
    /// As `Own`, a program with a token included.
    OwnOrToken,
    /// Whoever has this right.
    Right(Right),
}

impl Access {
    /// The word in docs/protocol.md.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Own => "self",
            Self::OwnOrToken => "self or token",
            Self::Right(right) => right.as_str(),
        }
    }
}

/// What a request counts towards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rate {
    /// Nothing here: workers and pages have budgets of their own (`weevil-peer`).
    None,
    /// Requests that read.
    Read,
    /// Requests that change something.
    Write,
    /// Requests that put work in.
    Submit,
    /// Event streams, by how many are open.
    Stream,
}

impl Rate {
    /// The word in docs/protocol.md.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Read => "read",
            Self::Write => "write",
            Self::Submit => "submit",
            Self::Stream => "stream",
        }
    }
}

macro_rules! access {
    (Open) => {
        $crate::routes::Access::Open
    };
    (Own) => {
        $crate::routes::Access::Own
    };
    (OwnOrToken) => {
        $crate::routes::Access::OwnOrToken
    };
    ($right:ident) => {
        $crate::routes::Access::Right(weevil_model::Right::$right)
    };
}

pub(super) use access;
