//! Whether a caller has a right.
//!
//! The only place that decides it: a front door asks here and carries out the answer.

use weevil_model::Right;

use crate::Caller;

/// Why a caller may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// Nobody has said who asks.
    #[error("nobody is signed in")]
    NotSignedIn,
}

/// Whether this caller has this right.
///
/// # Errors
/// Why not.
pub fn may(caller: Caller, _right: Right) -> Result<(), Denied> {
    match caller {
        Caller::Nobody => Err(Denied::NotSignedIn),
        Caller::Local => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_has_every_right_and_nobody_has_none() {
        for right in Right::ALL {
            assert_eq!(may(Caller::Local, right), Ok(()), "{right}");
            assert_eq!(may(Caller::Nobody, right), Err(Denied::NotSignedIn), "{right}");
        }
    }
}
