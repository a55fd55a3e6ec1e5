//! Two builds in turns, on one machine in one run: what a slow hour takes is taken from both. Never judges what it finds.

use crate::measure::{Figures, Measure};
use crate::report::{Row, Spread};
use crate::rows::Wanted;
use crate::subject::Subject;

/// The two that take turns.
pub(crate) struct Sides {
    pub old: Subject,
    pub new: Subject,
}

/// What came of a comparison.
#[derive(Default)]
pub(crate) struct Compared {
    pub rows: Vec<Row>,
    pub not_comparable: Vec<String>,
}

/// Measures the wanted rows so many rounds.
pub(crate) fn compare(measures: &[Measure], wanted: &Wanted, sides: &Sides, rounds: usize) -> Compared {
    let mut compared = Compared::default();
    for measure in measures {
        let names = || measure.kinds.iter().filter(|kind| wanted.has(kind)).map(|kind| kind.name.clone());
        let Some(first) = names().next() else { continue };
        if !measure.compares_with(&sides.old) {
            compared.not_comparable.extend(names());
            continue;
        }
        let turns = turns(rounds, |side, turn| {
            let (word, subject) = match side {
                Side::Old => ("old", &sides.old),
                Side::New => ("new", &sides.new),
            };
            eprintln!("{first}, {turn}: {word}");
            measure.take(subject, measure.in_turn).unwrap_or_default()
        });
        for (at, kind) in measure.kinds.iter().enumerate().filter(|(_, kind)| wanted.has(kind)) {
            match paired(&turns, at) {
                Some(rounds) => compared.rows.push(Row::paired(kind, &rounds)),
                None => compared.not_comparable.push(kind.name.clone()),
            }
        }
    }
    compared
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Old,
    New,
}

/// Old and new, then new and old, and so on. A first round warms the machine up and is thrown away.
fn turns<T>(rounds: usize, mut take: impl FnMut(Side, String) -> T) -> Vec<(T, T)> {
    let mut turns = Vec::with_capacity(rounds);
    for round in 0..=rounds {
        let told = || if round == 0 { "thrown away".into() } else { format!("round {round} of {rounds}") };
        let pair = if round % 2 == 0 {
            let old = take(Side::Old, told());
            (old, take(Side::New, told()))
        } else {
            let new = take(Side::New, told());
            (take(Side::Old, told()), new)
        };
        if round > 0 {
            turns.push(pair);
        }
    }
    turns
}

/// The medians of one row in each round; `None` where one side lacks it.
fn paired(turns: &[(Vec<Figures>, Vec<Figures>)], at: usize) -> Option<Vec<(f64, f64)>> {
    let value = |figures: &[Figures]| {
        let figures = figures.get(at).filter(|figures| !figures.is_empty())?;
        Some(Spread::of(figures).value)
    };
    turns.iter().map(|(old, new)| Some((value(old)?, value(new)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sides_take_turns_and_the_first_round_does_not_count() {
        let mut order = String::new();
        let found = turns(2, |side, _| {
            order.push(if side == Side::Old { 'o' } else { 'n' });
            order.len()
        });
        assert_eq!(order, "onnoon");
        assert_eq!(found, [(4, 3), (5, 6)]);
    }

    #[test]
    fn rows_that_one_side_lacks_are_not_paired() {
        let turns = [(vec![vec![1.0], vec![]], vec![vec![3.0, 1.0, 2.0], vec![1.0]])];
        assert_eq!(paired(&turns, 0), Some(vec![(1.0, 2.0)]));
        assert_eq!(paired(&turns, 1), None);
        assert_eq!(paired(&turns, 2), None);
    }
}
