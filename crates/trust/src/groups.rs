//! Which answers of a job say the same, and how far one of them leads the others.

use weevil_model::ContentHash;
use weevil_model::witness::{Rank, Witness};

/// What one attempt gives for a judged job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub witness: Witness,
    /// As it was when the job was handed out, like the points.
    pub rank: Rank,
    pub points: u32,
    pub said: Said,
    /// The workflow's own proof says that it is right.
    pub is_proved: bool,
    /// It counts for nothing any more: another answer was believed, or its device was wrong elsewhere in its lot.
    pub is_void: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// A value, by the digest of its canonical form.
    Value(ContentHash),
    /// The kind of an error: engines word messages differently.
    Error(String),
}

impl Said {
    pub const fn is_error(&self) -> bool {
        matches!(self, Self::Error(_))
    }
}

/// Answers that agree with each other, by their places among all answers of the job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    pub members: Vec<usize>,
    pub points: u32,
}

/// All answers that count, in groups, in the order of their oldest members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups(Vec<Group>);

/// A group that is ahead of all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lead {
    /// Its place among the groups.
    pub group: usize,
    /// Points, or answers, beyond those of the next one.
    pub by: u32,
}

impl Groups {
    /// Answers of one digest, and errors of one kind, always agree; `agree` says which other values do, by their places.
    /// An answer joins the first group all of whose members it agrees with, since nearness is not transitive.
    pub fn of(answers: &[Answer], mut agree: impl FnMut(usize, usize) -> bool) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        for (place, answer) in answers.iter().enumerate().filter(|(_, answer)| !answer.is_void) {
            let mut says_the_same = |other: &usize| match (&answer.said, &answers[*other].said) {
                (Said::Value(one), Said::Value(two)) => one == two || agree(place, *other),
                (one, two) => one == two,
            };
            match groups.iter_mut().find(|group| group.members.iter().all(&mut says_the_same)) {
                Some(group) => {
                    group.members.push(place);
                    group.points += answer.points;
                }
                None => groups.push(Group { members: vec![place], points: answer.points }),
            }
        }
        Self(groups)
    }

    pub fn all(&self) -> &[Group] {
        &self.0
    }

    /// The group with the most points, and how many more they are. `None` where two have as many.
    pub fn lead_by_points(&self) -> Option<Lead> {
        self.lead(|group| group.points)
    }

    /// The group with the most answers.
    pub fn lead_by_answers(&self) -> Option<Lead> {
        self.lead(|group| u32::try_from(group.members.len()).unwrap_or(u32::MAX))
    }

    fn lead(&self, weight: impl Fn(&Group) -> u32) -> Option<Lead> {
        let mut weights: Vec<(u32, usize)> = self.0.iter().map(&weight).zip(0..).collect();
        weights.sort_unstable_by(|one, other| other.cmp(one));
        let (most, group) = *weights.first()?;
        let next = weights.get(1).map_or(0, |(next, _)| *next);
        (most > next).then(|| Lead { group, by: most - next })
    }

    /// The answer whose value stands for a group: its oldest of the highest rank.
    pub fn speaker(&self, group: usize, answers: &[Answer]) -> Option<usize> {
        let members = self.0.get(group)?.members.iter().copied();
        members.rev().max_by_key(|place| answers[*place].rank)
    }

    /// The answers outside of a group, in their order.
    pub fn others(&self, group: usize) -> Vec<usize> {
        let others = self.0.iter().enumerate().filter(|(place, _)| *place != group);
        let mut all: Vec<usize> = others.flat_map(|(_, group)| group.members.iter().copied()).collect();
        all.sort_unstable();
        all
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;
    use weevil_model::witness::Engine;

    use super::*;

    /// An answer of device `device`: of a digit the value, of a letter an error. A small `n` is a newcomer, `e` established, `t`
    /// trusted, `x` void, `p` a newcomer whose value is proved.
    pub(crate) fn answers(text: &str) -> Vec<Answer> {
        let one = |(device, word): (i64, &str)| {
            let [rank, said] = word.as_bytes() else { panic!("{word}") };
            let (rank, points) = match rank {
                b'n' | b'p' => (Rank::Newcomer, 0),
                b'o' => (Rank::Newcomer, 2),
                b'e' | b'x' => (Rank::Established, 3),
                _ => (Rank::Trusted, 6),
            };
            let (device, network) = (Some(device), Some(device));
            let said = if said.is_ascii_digit() {
                Said::Value(ContentHash::of(&[*said]))
            } else {
                Said::Error(char::from(*said).to_string())
            };
            Answer {
                witness: Witness { device, network, engine: Engine::Other },
                rank,
                points,
                said,
                is_proved: word.starts_with('p'),
                is_void: word.starts_with('x'),
            }
        };
        (1..).zip(text.split_whitespace()).map(one).collect()
    }

    fn exact(text: &str) -> (Vec<Answer>, Groups) {
        let answers = answers(text);
        let groups = Groups::of(&answers, |_, _| false);
        (answers, groups)
    }

    #[test]
    fn answers_that_say_the_same_are_a_group() {
        for (text, members, by_points, by_answers) in [
            ("", &[][..], None, None),
            ("e1", &[&[0][..]], Some((0, 3)), Some((0, 1))),
            ("n1", &[&[0]], None, Some((0, 1))),
            ("e1 e1", &[&[0, 1]], Some((0, 6)), Some((0, 2))),
            ("e1 e2", &[&[0], &[1]], None, None),
            ("n1 e2", &[&[0], &[1]], Some((1, 3)), None),
            ("e1 e2 e2", &[&[0], &[1, 2]], Some((1, 3)), Some((1, 1))),
            ("e1 x2 e1", &[&[0, 2]], Some((0, 6)), Some((0, 2))),
            ("ea e1 eb ea", &[&[0, 3], &[1], &[2]], Some((0, 3)), Some((0, 1))),
            ("t1 e2 e2 e2", &[&[0], &[1, 2, 3]], Some((1, 3)), Some((1, 2))),
        ] {
            let (_, groups) = exact(text);
            let found: Vec<_> = groups.all().iter().map(|group| &group.members[..]).collect();
            assert_eq!(found, members, "{text}");
            let lead = |lead: Option<Lead>| lead.map(|lead| (lead.group, lead.by));
            assert_eq!(lead(groups.lead_by_points()), by_points, "{text}");
            assert_eq!(lead(groups.lead_by_answers()), by_answers, "{text}");
        }
    }

    #[test]
    fn the_oldest_of_the_highest_rank_speaks() {
        for (text, speaker) in [("n1 e1 e1", 1), ("n1 n1", 0), ("e1 t1 e1", 1), ("e1 e1", 0)] {
            let (answers, groups) = exact(text);
            assert_eq!(groups.speaker(0, &answers), Some(speaker), "{text}");
        }
        let (answers, groups) = exact("e1 e2 n1 e3");
        assert_eq!(groups.others(0), [1, 3]);
        assert_eq!(groups.speaker(7, &answers), None);
    }

    #[test]
    fn what_is_near_joins_only_those_it_is_near_to_each() {
        let answers = answers("e1 e2 e3 ea");
        // 1 is near 2 and 2 is near 3, but 1 is not near 3.
        let groups = Groups::of(&answers, |one, other| one.abs_diff(other) == 1);
        let found: Vec<_> = groups.all().iter().map(|group| &group.members[..]).collect();
        assert_eq!(found, [&[0, 1][..], &[2], &[3]]);
    }

    /// Points, members, whether what they say is an error, and the rank of who speaks for them.
    type Weight = (u32, usize, bool, Rank);

    /// What groups come to, whatever the order, and by how much one of them leads.
    fn come_to(text: &str) -> (Vec<Weight>, [Option<u32>; 2]) {
        let (answers, groups) = exact(text);
        let group = |group: &Group| {
            let speaker = groups.all().iter().position(|other| other == group);
            let speaker = speaker.and_then(|place| groups.speaker(place, &answers)).unwrap();
            (group.points, group.members.len(), answers[speaker].said.is_error(), answers[speaker].rank)
        };
        let mut all: Vec<_> = groups.all().iter().map(group).collect();
        all.sort_unstable();
        (all, [groups.lead_by_points(), groups.lead_by_answers()].map(|lead| lead.map(|lead| lead.by)))
    }

    proptest! {
        #[test]
        fn the_order_of_exact_answers_does_not_matter(
            words in prop::collection::vec("[noetx][123ab]", 1..12),
            turn in 0..12_usize,
        ) {
            let mut turned = words.clone();
            turned.rotate_left(turn % words.len());
            turned.reverse();
            prop_assert_eq!(come_to(&words.join(" ")), come_to(&turned.join(" ")));
        }
    }
}
