//! Links that are good once: how long each kind goes on. It never makes one and never asks a store.

use weevil_model::Timestamp;

use crate::SecretKind;
use crate::limits::{
    CONSOLE_LINK_MS, FIRST_ADMIN_LINK_MS, INVITE_HOURS, INVITE_HOURS_UNASKED, RESET_LINK_MS, START_LINK_MS,
};

const HOUR_MS: i64 = 3_600_000;

/// What a link is made for, and what of its time is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// Printed by a server without an admin.
    FirstAdmin,
    /// Makes an account. `None`: a week.
    Invite { hours: Option<u32> },
    /// Sets a new password.
    Reset,
    /// Opens the console; printed when the server starts.
    ConsoleAtStart,
    /// Opens the console; somebody asks for it.
    Console,
}

/// An invitation of such length is not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an invitation is good for {} to {} hours, not for {hours}", INVITE_HOURS.start(), INVITE_HOURS.end(), hours = .0)]
pub struct LinkTimeError(u32);

impl LinkKind {
    /// The kind of its text. A first admin is invited.
    pub const fn secret(self) -> SecretKind {
        match self {
            Self::FirstAdmin | Self::Invite { .. } => SecretKind::Invite,
            Self::Reset => SecretKind::Reset,
            Self::ConsoleAtStart | Self::Console => SecretKind::Console,
        }
    }

    /// When a link that is made now is over.
    pub fn expires_at(self, now: Timestamp) -> Result<Timestamp, LinkTimeError> {
        let ms = match self {
            Self::FirstAdmin => FIRST_ADMIN_LINK_MS,
            Self::Invite { hours } => {
                let hours = hours.unwrap_or(INVITE_HOURS_UNASKED);
                if !INVITE_HOURS.contains(&hours) {
                    return Err(LinkTimeError(hours));
                }
                i64::from(hours) * HOUR_MS
            }
            Self::Reset => RESET_LINK_MS,
            Self::ConsoleAtStart => START_LINK_MS,
            Self::Console => CONSOLE_LINK_MS,
        };
        Ok(now.plus_ms(ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_time_and_its_text() {
        for (kind, hours, secret) in [
            (LinkKind::FirstAdmin, Ok(24.0), SecretKind::Invite),
            (LinkKind::Invite { hours: None }, Ok(168.0), SecretKind::Invite),
            (LinkKind::Invite { hours: Some(1) }, Ok(1.0), SecretKind::Invite),
            (LinkKind::Invite { hours: Some(720) }, Ok(720.0), SecretKind::Invite),
            (LinkKind::Invite { hours: Some(0) }, Err(LinkTimeError(0)), SecretKind::Invite),
            (LinkKind::Invite { hours: Some(721) }, Err(LinkTimeError(721)), SecretKind::Invite),
            (LinkKind::Reset, Ok(24.0), SecretKind::Reset),
            (LinkKind::ConsoleAtStart, Ok(1.0), SecretKind::Console),
            (LinkKind::Console, Ok(1.0 / 12.0), SecretKind::Console),
        ] {
            let found = kind.expires_at(Timestamp(5)).map(|end| (end.0 - 5) as f64 / 3_600_000.0);
            assert_eq!(found, hours, "{kind:?}");
            assert_eq!(kind.secret(), secret, "{kind:?}");
        }
    }
}
