//! Rows of figures: medians with their spread, of one build or of two, and where and when they were taken.

use std::fmt;

use serde::Serialize;

use crate::rows::{Better, Kind};

/// Ratios that differ by more say little.
const NOISY: f64 = 0.15;

#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub machine: String,
    pub commit: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    pub date: String,
    pub rows: Vec<Row>,
    /// What the baseline has not, or this tree's program cannot ask it for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_comparable: Vec<String>,
}

/// Several figures in one: `value` is the median of `runs`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Spread {
    pub value: f64,
    pub runs: usize,
    pub min: f64,
    pub max: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub name: String,
    pub unit: &'static str,
    pub better: Better,
    #[serde(flatten)]
    pub new: Spread,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub beside: Option<Beside>,
}

/// A row of both builds.
#[derive(Debug, Serialize)]
pub(crate) struct Beside {
    pub old: Spread,
    /// The new figure over the old one, round by round.
    pub ratio: Spread,
    pub noisy: bool,
}

impl Spread {
    /// At least one figure is expected.
    pub(crate) fn of(figures: &[f64]) -> Self {
        let mut sorted = figures.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |index: usize| sorted.get(index).copied().unwrap_or(f64::NAN);
        let last = sorted.len().saturating_sub(1);
        let value = f64::midpoint(at(last / 2), at(last - last / 2));
        Self { value, runs: sorted.len(), min: at(0), max: at(last) }
    }
}

impl Row {
    pub(crate) fn new(kind: &Kind, figures: &[f64]) -> Self {
        Self {
            name: kind.name.clone(),
            unit: kind.unit,
            better: kind.better,
            new: Spread::of(figures),
            beside: None,
        }
    }

    /// With the figures of each round, the old one's first.
    pub(crate) fn paired(kind: &Kind, rounds: &[(f64, f64)]) -> Self {
        let (old, new): (Vec<f64>, Vec<f64>) = rounds.iter().copied().unzip();
        let ratio = Spread::of(&rounds.iter().map(|(old, new)| new / old).collect::<Vec<_>>());
        let noisy = ratio.max - ratio.min > NOISY;
        Self { beside: Some(Beside { old: Spread::of(&old), ratio, noisy }), ..Self::new(kind, &new) }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let over = self.baseline.as_ref().map_or_else(String::new, |baseline| format!(" over {baseline}"));
        writeln!(f, "\n{} | commit {}{over} | {}", self.machine, self.commit, self.date)?;
        let (row, unit) = ("row", "unit");
        writeln!(f, "{row:<40} {:>12} {unit:<8} {:>4}  {:>12} {:>12}", "median", "runs", "min", "max")?;
        for row in &self.rows {
            line(f, &row.name, row.unit, &row.new)?;
            if let Some(Beside { old, ratio, noisy }) = &row.beside {
                line(f, "  before", row.unit, old)?;
                line(f, if *noisy { "  new over old, noisy" } else { "  new over old" }, "ratio", ratio)?;
            }
        }
        for name in &self.not_comparable {
            writeln!(f, "{name:<40} not comparable")?;
        }
        Ok(())
    }
}

fn line(f: &mut fmt::Formatter<'_>, name: &str, unit: &str, spread: &Spread) -> fmt::Result {
    let Spread { value, runs, min, max } = spread;
    writeln!(f, "{name:<40} {value:>12.2} {unit:<8} {runs:>4}  {min:>12.2} {max:>12.2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        for (figures, value, min, max) in [
            (&[3.0, 1.0, 2.0][..], 2.0, 1.0, 3.0),
            (&[4.0, 1.0, 2.0, 3.0], 2.5, 1.0, 4.0),
            (&[7.0], 7.0, 7.0, 7.0),
        ] {
            assert_eq!(Spread::of(figures), Spread { value, runs: figures.len(), min, max });
        }
    }

    #[test]
    fn a_ratio_is_the_median_of_its_rounds_and_noisy_when_they_differ() {
        let kind = Kind { name: "a".into(), unit: "jobs/s", better: Better::More };
        for (rounds, value, min, max, noisy) in [
            (&[(8.0, 6.0), (20.0, 20.0), (10.0, 30.0)][..], 1.0, 0.75, 3.0, true),
            (&[(8.0, 8.0), (16.0, 17.0), (32.0, 34.0)], 1.0625, 1.0, 1.0625, false),
        ] {
            let beside = Row::paired(&kind, rounds).beside.unwrap();
            assert_eq!(beside.ratio, Spread { value, runs: rounds.len(), min, max });
            assert_eq!(beside.noisy, noisy);
        }
    }
}
