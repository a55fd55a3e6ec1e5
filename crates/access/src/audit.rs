//! The audit: what is written down of who did what, and how its rows hold each other as a chain.
//!
//! Never writes a row and never reads a clock: moments come in with entries, and the last row from the store.

mod verify;

use std::fmt;
use std::str::FromStr;

pub use verify::{Tampering, Verified, Verifier};
use weevil_model::{AccountId, AuditId, ContentHash, ProjectId, Timestamp, TokenId};

use crate::limits::{MAX_AUDIT_DETAILS_CHARS, MAX_AUDIT_SUBJECT_CHARS};

/// Who did something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Actor {
    Account(AccountId),
    /// A program with this token. Its row names the owner.
    Token(TokenId),
    /// Somebody who can read what only the server's own user can.
    Local,
    /// The server by itself, or a command over its database.
    System,
    /// Somebody who has not signed in.
    Nobody,
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Account(account) => account.fmt(f),
            Self::Token(token) => token.fmt(f),
            Self::Local => f.write_str("local"),
            Self::System => f.write_str("system"),
            Self::Nobody => f.write_str("nobody"),
        }
    }
}

/// A text that names no actor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no actor: the id of an account or of a token, `local`, `system` or `nobody` is expected")]
pub struct ActorError(pub String);

impl FromStr for Actor {
    type Err = ActorError;

    fn from_str(text: &str) -> Result<Self, ActorError> {
        match text {
            "local" => Ok(Self::Local),
            "system" => Ok(Self::System),
            "nobody" => Ok(Self::Nobody),
            _ => (text.parse().map(Self::Account).ok())
                .or_else(|| text.parse().map(Self::Token).ok())
                .ok_or_else(|| ActorError(text.chars().take(40).collect())),
        }
    }
}

macro_rules! words {
    ($(#[$doc:meta])+ $enum:ident { $($(#[$about:meta])* $name:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $enum { $($(#[$about])* $name),+ }

        impl $enum {
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The word in the API and in the database. It never changes: hashes hold it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word),+ }
            }

            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|each| each.as_str() == text)
            }
        }
    };
}

words! {
    /// What was done.
    Action {
        AccountCreated = "account.created",
        AccountDisabled = "account.disabled",
        AccountEnabled = "account.enabled",
        AccountRemoved = "account.removed",
        AccountRole = "account.role",
        AuditExported = "audit.exported",
        CodeResumed = "code.resumed",
        DeviceDistrusted = "device.distrusted",
        DeviceForgiven = "device.forgiven",
        DeviceTrusted = "device.trusted",
        JobsSubmitted = "jobs.submitted",
        LinkCreated = "link.created",
        LinkUsed = "link.used",
        MemberRemoved = "member.removed",
        MemberSet = "member.set",
        PasswordSet = "password.set",
        ProjectArchived = "project.archived",
        ProjectChanged = "project.changed",
        ProjectCreated = "project.created",
        ProjectQuotas = "project.quotas",
        ProjectRestored = "project.restored",
        QueuePaused = "queue.paused",
        QueueResumed = "queue.resumed",
        RunCancelled = "run.cancelled",
        RunCreated = "run.created",
        RunPaused = "run.paused",
        RunResumed = "run.resumed",
        SessionEnded = "session.ended",
        SessionOpened = "session.opened",
        SessionProved = "session.proved",
        SessionsEnded = "sessions.ended",
        SignInFailed = "signIn.failed",
        TokenCreated = "token.created",
        TokenRevoked = "token.revoked",
        WorkerBanned = "worker.banned",
        WorkerPaused = "worker.paused",
        WorkerResumed = "worker.resumed",
        WorkerSentAway = "worker.sentAway",
        WorkerTrusted = "worker.trusted",
        WorkflowCreated = "workflow.created",
        WorkflowRemoved = "workflow.removed",
    }
}

words! {
    /// What came of it.
    AuditOutcome {
        Done = "done",
        /// Somebody may not, or a rule forbids it.
        Refused = "refused",
        Failed = "failed",
    }
}

/// What is to be written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    pub at: Timestamp,
    pub actor: Actor,
    pub action: Action,
    /// Id of what it was done to.
    pub subject: Option<String>,
    pub project: Option<ProjectId>,
    /// Where the actor was: an IPv4 address or an IPv6 /64.
    pub place: Option<String>,
    pub outcome: AuditOutcome,
    /// JSON. It holds no secret.
    pub details: Option<String>,
}

/// A row as it is stored. Words are texts here, so that what somebody has changed can still be read and told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRow {
    /// Its place in the chain.
    pub id: AuditId,
    /// Never before that of the row before: a clock that was set back does not turn the audit's time back.
    pub at: Timestamp,
    pub actor: String,
    pub action: String,
    pub subject: Option<String>,
    pub project: Option<ProjectId>,
    pub place: Option<String>,
    pub outcome: String,
    pub details: Option<String>,
    /// The hash of the row before.
    pub previous: ContentHash,
    /// SHA-256 of all of the above.
    pub hash: ContentHash,
}

/// A row of the chain, as far as the next one needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainPoint {
    /// 0 where the chain begins.
    pub number: i64,
    pub at: Timestamp,
    pub hash: ContentHash,
}

impl ChainPoint {
    /// Before the first row.
    pub const START: Self = Self { number: 0, at: Timestamp(0), hash: ContentHash::from_bytes([0; 32]) };
}

/// What holds a chain at both ends, stored apart from its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainEnds {
    /// The last row that was trimmed: the one before the oldest that is kept.
    pub trimmed: ChainPoint,
    pub last: ChainPoint,
}

impl AuditRow {
    /// The row that tells of `entry` behind `last`. `None` after 2^63 rows.
    pub fn following(last: &ChainPoint, entry: &AuditEntry) -> Option<Self> {
        let id = AuditId::from_number(last.number.checked_add(1)?)?;
        let mut row = Self {
            id,
            at: entry.at.max(last.at),
            actor: entry.actor.to_string(),
            action: entry.action.as_str().to_owned(),
            subject: cut(entry.subject.as_deref(), MAX_AUDIT_SUBJECT_CHARS),
            project: entry.project,
            place: entry.place.clone(),
            outcome: entry.outcome.as_str().to_owned(),
            details: cut(entry.details.as_deref(), MAX_AUDIT_DETAILS_CHARS),
            previous: last.hash,
            hash: last.hash,
        };
        row.hash = row.true_hash();
        Some(row)
    }

    /// The hash that belongs to what the row says now: of its parts in this order, each with name and length before it,
    /// numbers with their eight bytes, highest first. A part that is null is left out.
    pub fn true_hash(&self) -> ContentHash {
        let (id, at) = (self.id.number().to_be_bytes(), self.at.0.to_be_bytes());
        let project = self.project.map(|project| project.number().to_be_bytes());
        let parts = [
            ("previous", Some(self.previous.as_bytes().as_slice())),
            ("id", Some(&id)),
            ("at", Some(&at)),
            ("actor", Some(self.actor.as_bytes())),
            ("action", Some(self.action.as_bytes())),
            ("subject", self.subject.as_deref().map(str::as_bytes)),
            ("project", project.as_ref().map(<[u8; 8]>::as_slice)),
            ("place", self.place.as_deref().map(str::as_bytes)),
            ("outcome", Some(self.outcome.as_bytes())),
            ("details", self.details.as_deref().map(str::as_bytes)),
        ];
        ContentHash::of_parts(parts.into_iter().filter_map(|(name, bytes)| Some((name, bytes?))))
    }

    /// What the next row stands behind.
    pub const fn point(&self) -> ChainPoint {
        ChainPoint { number: self.id.number(), at: self.at, hash: self.hash }
    }
}

fn cut(text: Option<&str>, most: usize) -> Option<String> {
    text.map(|text| text.chars().take(most).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actors_round_trip_and_others_are_refused() {
        let (account, token) = (AccountId::from_number(7).unwrap(), TokenId::from_number(7).unwrap());
        for actor in
            [Actor::Account(account), Actor::Token(token), Actor::Local, Actor::System, Actor::Nobody]
        {
            assert_eq!(actor.to_string().parse(), Ok(actor));
        }
        for text in ["", "acc_", "run_0000000000007", "Local", "root"] {
            assert!(text.parse::<Actor>().is_err(), "{text}");
        }
    }

    #[test]
    fn words_are_their_own() {
        let words: std::collections::BTreeSet<_> = Action::ALL.iter().map(|each| each.as_str()).collect();
        assert_eq!(words.len(), Action::ALL.len());
        assert!(Action::ALL.iter().all(|each| Action::parse(each.as_str()) == Some(*each)));
        assert_eq!(
            (Action::parse("run.Created"), AuditOutcome::parse("done")),
            (None, Some(AuditOutcome::Done))
        );
    }

    #[test]
    fn a_row_follows_another_never_turns_time_back_and_is_bounded() {
        let entry = AuditEntry {
            at: Timestamp(5),
            actor: Actor::Local,
            action: Action::RunCreated,
            subject: Some("s".repeat(MAX_AUDIT_SUBJECT_CHARS + 1)),
            project: None,
            place: None,
            outcome: AuditOutcome::Done,
            details: Some("d".repeat(MAX_AUDIT_DETAILS_CHARS + 1)),
        };
        let first = AuditRow::following(&ChainPoint::START, &entry).unwrap();
        let second = AuditRow::following(&first.point(), &AuditEntry { at: Timestamp(4), ..entry }).unwrap();
        assert_eq!((first.id.number(), second.id.number(), second.at), (1, 2, Timestamp(5)));
        assert_eq!((first.previous, second.previous), (ChainPoint::START.hash, first.hash));
        assert_eq!(second.subject.unwrap().len(), MAX_AUDIT_SUBJECT_CHARS);
        assert_eq!(second.details.unwrap().len(), MAX_AUDIT_DETAILS_CHARS);
        let end = ChainPoint { number: i64::MAX, ..first.point() };
        assert_eq!(AuditRow::following(&end, &entry_of_nothing()), None);
    }

    fn entry_of_nothing() -> AuditEntry {
        AuditEntry {
            at: Timestamp(5),
            actor: Actor::System,
            action: Action::LinkUsed,
            subject: None,
            project: None,
            place: None,
            outcome: AuditOutcome::Done,
            details: None,
        }
    }
}
