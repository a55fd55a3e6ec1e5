//! The numbers and words under which states stand in both databases, and nowhere else in the code.
//!
//! Statements name them, as `{ENDED}` in a `formatcp!`: the compiler puts the number there. A bound number would not
//! do: SQLite uses an index of some rows only where the text of the statement has the index's condition (ADR 0033).

use weevil_model::Face;
use weevil_model::trust::{MAX_VOTES, Policy};
use weevil_model::witness::Rank;
use weevil_queue::decide::lane::Lane;
use weevil_queue::{Delivery, Outcome, Proof};
use weevil_records::AnswerFate;

pub(crate) const READY: u8 = code(Delivery::Ready);
pub(crate) const LEASED: u8 = code(Delivery::Leased);
pub(crate) const ENDED: u8 = code(Delivery::Ended);
pub(crate) const DELAYED: u8 = code(Delivery::Delayed);
pub(crate) const HELD: u8 = code(Delivery::Held);
pub(crate) const ANSWERED: u8 = code(Delivery::Answered);

pub(crate) const VALUE: &str = word(Outcome::Value);
pub(crate) const CANCELLED: &str = word(Outcome::Cancelled);

/// The least class of a line of copies.
pub(crate) const COPY_LINES: i64 = Lane::FIRST_COPIES;
/// The largest number of a policy that is a quorum.
pub(crate) const MOST_VOTES: u8 = MAX_VOTES;

/// Beside the number of a policy: the job computes an element of a pool.
pub(crate) const IN_POOL: u32 = 1 << 24;
/// What is the number of the policy.
pub(crate) const SHARE: u32 = IN_POOL - 1;

/// Marks of an answer. Chance has chosen it to be checked.
pub(crate) const CHOSEN: u8 = 1;
/// Its check has not ended.
pub(crate) const CHECKING: u8 = 2;
/// Its value stands beside its job.
pub(crate) const KEPT: u8 = 4;
/// Its device has one pass more for it.
pub(crate) const CONFIRMED: u8 = 8;
/// It came out of a network that holds so much of the fleet that all of its answers are checked.
pub(crate) const CROWDED: u8 = 16;
/// The workflow's own proof says that it is right, or that it is wrong.
pub(crate) const PROVED: u8 = 32;
pub(crate) const DISPROVED: u8 = 64;

/// What became of an answer: see `AnswerFate`.
pub(crate) const AGREED: &str = AnswerFate::Agreed.as_str();
/// What became of a lot: believed; refused, since its device was found wrong; undecided when its run ended.
pub(crate) const LOT_ACCEPTED: &str = "accepted";
pub(crate) const LOT_REFUSED: &str = "refused";
pub(crate) const LOT_ENDED: &str = "ended";

/// The number of a rank: see `rank_code`.
pub(crate) const TRUSTED: u8 = rank_code(Rank::Trusted);

/// What a device said for an input that its job has no more: see `AnswerFate`.
pub(crate) const STALE: &str = AnswerFate::Stale.as_str();

/// Whether something of a run was reopened: never; and its executors have not begun anew since; and they have.
pub(crate) const RETRACE_DUE: u32 = 1;
pub(crate) const RETRACED: u32 = 2;

/// States of an account.
pub(crate) const ACTIVE: u8 = 0;
pub(crate) const DISABLED: u8 = 1;
pub(crate) const REMOVED: u8 = 2;

/// What a link is good for.
pub(crate) const FIRST_ADMIN: &str = "firstAdmin";
pub(crate) const INVITE: &str = "invite";
pub(crate) const RESET: &str = "reset";

pub(crate) const fn code(delivery: Delivery) -> u8 {
    match delivery {
        Delivery::Ready => 0,
        Delivery::Leased => 1,
        Delivery::Ended => 2,
        Delivery::Delayed => 3,
        Delivery::Held => 4,
        Delivery::Answered => 5,
    }
}

/// `None` for what a later release may have written.
pub(crate) fn delivery(number: i64) -> Option<Delivery> {
    Delivery::ALL.into_iter().find(|delivery| i64::from(code(*delivery)) == number)
}

/// How a job is judged, as its row has it.
pub(crate) const fn trust_code(policy: Policy, in_pool: bool) -> u32 {
    match policy {
        Policy::Credible(_) if in_pool => policy.number() | IN_POOL,
        _ => policy.number(),
    }
}

pub(crate) const fn rank_code(rank: Rank) -> u8 {
    match rank {
        Rank::Newcomer => 0,
        Rank::Established => 1,
        Rank::Trusted => 2,
    }
}

/// What a proof says of an answer with these marks.
pub(crate) const fn proof(marks: u32) -> Option<Proof> {
    if marks & PROVED as u32 != 0 {
        Some(Proof::Right)
    } else if marks & DISPROVED as u32 != 0 {
        Some(Proof::Wrong)
    } else {
        None
    }
}

/// `None` for what a later release may have written.
pub(crate) fn rank(number: u32) -> Option<Rank> {
    Rank::ALL.into_iter().find(|rank| u32::from(rank_code(*rank)) == number)
}

pub(crate) const fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Value => "value",
        Outcome::Failed => "failed",
        Outcome::Overdue => "overdue",
        Outcome::Cancelled => "cancelled",
    }
}

pub(crate) fn outcome(text: &str) -> Option<Outcome> {
    Outcome::ALL.into_iter().find(|outcome| word(*outcome) == text)
}

pub(crate) fn face(text: &str) -> Option<Face> {
    [Face::Public, Face::Private].into_iter().find(|face| face.as_str() == text)
}

#[cfg(test)]
mod tests {
    use weevil_model::Role;

    use super::*;

    /// What databases hold that are in use.
    #[test]
    fn numbers_and_words_stay_as_they_are() {
        let states = [
            (Delivery::Ready, 0),
            (Delivery::Leased, 1),
            (Delivery::Ended, 2),
            (Delivery::Delayed, 3),
            (Delivery::Held, 4),
            (Delivery::Answered, 5),
        ];
        for (state, number) in states {
            assert_eq!((code(state), delivery(number)), (u8::try_from(number).unwrap(), Some(state)));
        }
        let ends = [
            (Outcome::Value, "value"),
            (Outcome::Failed, "failed"),
            (Outcome::Overdue, "overdue"),
            (Outcome::Cancelled, "cancelled"),
        ];
        for (end, text) in ends {
            assert_eq!((word(end), outcome(text)), (text, Some(end)));
        }
        let roles =
            [(Role::Viewer, "viewer"), (Role::Researcher, "researcher"), (Role::ProjectAdmin, "admin")];
        for (each, text) in roles {
            assert_eq!((each.as_str(), Role::parse(text)), (text, Some(each)));
        }
        assert_eq!(
            (delivery(6), outcome("done"), face("inside"), Role::parse("owner")),
            (None, None, None, None)
        );
        assert_eq!((ACTIVE, DISABLED, REMOVED), (0, 1, 2));
        assert_eq!((FIRST_ADMIN, INVITE, RESET), ("firstAdmin", "invite", "reset"));
        assert_eq!((face("public"), face("private")), (Some(Face::Public), Some(Face::Private)));
    }
}
