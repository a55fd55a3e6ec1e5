//! What an answer was asked for, told by its place among those of its job.

/// What an answer of a judged job was asked for. No worker is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnswerRole {
    /// It is the first one of its job.
    First,
    /// It is compared with the first one.
    Check,
    /// Two were not enough.
    Third,
    /// The first one of its job, by a second copy of what was out for long. Counted alone: its place does not tell.
    Spare,
}

impl AnswerRole {
    pub const ALL: [Self; 4] = [Self::First, Self::Check, Self::Third, Self::Spare];

    /// `earlier`: how many answers its job had before.
    pub const fn after(earlier: usize) -> Self {
        match earlier {
            0 => Self::First,
            1 => Self::Check,
            _ => Self::Third,
        }
    }

    /// The stable text form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Check => "check",
            Self::Third => "third",
            Self::Spare => "spare",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_an_answer_says_what_it_was_asked_for() {
        for (earlier, role) in [(0, "first"), (1, "check"), (2, "third"), (15, "third")] {
            assert_eq!(AnswerRole::after(earlier).as_str(), role, "{earlier}");
        }
        assert_eq!(AnswerRole::ALL.map(AnswerRole::as_str), ["first", "check", "third", "spare"]);
    }
}
