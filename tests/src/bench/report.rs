//! Rows of figures: the median of several runs with its spread, and where and when they were taken.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use serde::Serialize;

#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub machine: String,
    pub commit: String,
    pub date: String,
    pub rows: Vec<Row>,
}

/// What measures one row of a binary of the server.
pub(crate) type Figure = fn(&Path) -> Row;
/// What measures some.
pub(crate) type Bench = fn(&Path) -> Vec<Row>;

/// One figure: `value` is the median of `runs` runs.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub name: Cow<'static, str>,
    pub value: f64,
    pub unit: &'static str,
    pub runs: usize,
    pub min: f64,
    pub max: f64,
}

impl Row {
    /// At least one figure is expected.
    pub(crate) fn median(
        name: impl Into<Cow<'static, str>>,
        unit: &'static str,
        mut figures: Vec<f64>,
    ) -> Self {
        figures.sort_by(f64::total_cmp);
        let at = |index: usize| figures.get(index).copied().unwrap_or(f64::NAN);
        let last = figures.len().saturating_sub(1);
        let value = f64::midpoint(at(last / 2), at(last - last / 2));
        Self { name: name.into(), value, unit, runs: figures.len(), min: at(0), max: at(last) }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n{} | commit {} | {}", self.machine, self.commit, self.date)?;
        writeln!(
            f,
            "{:<40} {:>12} {:<8} {:>4}  {:>12} {:>12}",
            "row", "median", "unit", "runs", "min", "max"
        )?;
        for row in &self.rows {
            let Row { name, value, unit, runs, min, max } = row;
            writeln!(f, "{name:<40} {value:>12.2} {unit:<8} {runs:>4}  {min:>12.2} {max:>12.2}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Row;

    #[test]
    fn the_median_is_the_middle() {
        for (figures, median, min, max) in [
            (vec![3.0, 1.0, 2.0], 2.0, 1.0, 3.0),
            (vec![4.0, 1.0, 2.0, 3.0], 2.5, 1.0, 4.0),
            (vec![7.0], 7.0, 7.0, 7.0),
        ] {
            let row = Row::median("x", "s", figures);
            let found = [row.value, row.min, row.max].map(f64::to_bits);
            assert_eq!(found, [median, min, max].map(f64::to_bits));
        }
    }
}
