//! Two binaries of the server in turns, on one machine in one run: what an hour takes from both is in neither figure.
//! Never judges what is told.

use std::path::Path;

use crate::report::{Bench, Row};

/// The rows of `bench` with the new binary, each beside its ratio over the old one: the median of so many pairs, in each
/// of which the other one comes first.
pub(crate) fn compare(bench: Bench, new: &Path, old: &Path, count: usize) -> Vec<Row> {
    let mut pairs = Vec::new();
    for pair in 0..count {
        eprintln!("pair {} of {count}", pair + 1);
        if pair % 2 == 0 {
            let before = bench(old);
            pairs.push((before, bench(new)));
        } else {
            let after = bench(new);
            pairs.push((bench(old), after));
        }
    }
    rows(&pairs)
}

/// Of what was measured of the old and the new one. What only one of them has, has no ratio.
fn rows(pairs: &[(Vec<Row>, Vec<Row>)]) -> Vec<Row> {
    let of = |rows: &[Row], name: &str| rows.iter().find(|row| row.name == name).map(|row| row.value);
    let firsts = pairs.first().map(|(_, new)| new.as_slice()).unwrap_or_default();
    let both = firsts.iter().flat_map(|first| {
        let name = &first.name;
        let figures = pairs.iter().filter_map(|(_, new)| of(new, name)).collect();
        let ratios: Vec<f64> =
            pairs.iter().filter_map(|(old, new)| Some(of(new, name)? / of(old, name)?)).collect();
        let ratio = (!ratios.is_empty()).then(|| Row::median(format!("{name}/old"), "ratio", ratios));
        [Some(Row::median(name.clone(), first.unit, figures)), ratio]
    });
    both.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_the_median_of_its_pairs() {
        let row = |name: &'static str, value| Row::median(name, "jobs/s", vec![value]);
        let pairs: Vec<_> = [(10.0, 9.0), (20.0, 20.0), (10.0, 30.0)]
            .map(|(old, new)| (vec![row("a", old)], vec![row("a", new), row("only_new", 1.0)]))
            .into();
        let told: Vec<_> =
            rows(&pairs).into_iter().map(|row| (row.name, row.value, row.min, row.max)).collect();
        let expected = [("a", 20.0, 9.0, 30.0), ("a/old", 1.0, 0.9, 3.0), ("only_new", 1.0, 1.0, 1.0)];
        assert_eq!(told.len(), expected.len());
        for (found, expected) in told.iter().zip(expected) {
            assert_eq!(found.0, expected.0);
            let same = [(found.1, expected.1), (found.2, expected.2), (found.3, expected.3)];
            assert!(same.iter().all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
        }
    }
}
