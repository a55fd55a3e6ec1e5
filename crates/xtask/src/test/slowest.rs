//! How long each test took, and which seeds it drew, read from the lines of cargo's test runner.
//! It never runs anything.

use std::collections::BTreeMap;
use std::fmt::Write as _;

const SHOWN: usize = 10;

/// The longest time of each test in all rounds.
#[derive(Debug, Default)]
pub(super) struct Slowest {
    seconds: BTreeMap<String, f64>,
    seeds: Vec<String>,
}

impl Slowest {
    /// Takes what `line` says, where it tells a test's time (`test a::b ... ok <1.234s>`) or a seed (`seed 44`).
    pub(super) fn read(&mut self, line: &str) {
        if line.starts_with("seed ") {
            self.seeds.push(line.to_owned());
        }
        let Some((name, rest)) = line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... ")) else {
            return;
        };
        let time = rest.rsplit_once('<').and_then(|(_, time)| time.strip_suffix("s>")?.parse().ok());
        if let Some(time) = time {
            let longest = self.seconds.entry(name.to_owned()).or_insert(0.0);
            *longest = longest.max(time);
        }
    }

    /// The slowest ones, longest first, and the seeds.
    pub(super) fn table(&self) -> String {
        let mut all: Vec<_> = self.seconds.iter().collect();
        all.sort_by(|a, b| b.1.total_cmp(a.1));
        let mut table = String::from("slowest tests, seconds\n");
        for (name, seconds) in all.iter().take(SHOWN) {
            // Writing to a String cannot fail.
            let _ = writeln!(table, "{seconds:>9.1}  {name}");
        }
        table + &self.seeds.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_seeds_are_read_and_the_longest_come_first() {
        let mut slowest = Slowest::default();
        for line in [
            "test a::short ... ok <0.012s>",
            "test a::long ... FAILED <12.500s>",
            "test a::short ... ok <2.000s>",
            "test a::untimed ... ok",
            "seed 44",
            "test result: ok. 2 passed; 0 failed; finished in 3.00s",
        ] {
            slowest.read(line);
        }
        assert_eq!(
            slowest.table(),
            "slowest tests, seconds\n     12.5  a::long\n      2.0  a::short\nseed 44"
        );
    }

    #[test]
    fn ten_are_shown() {
        let mut slowest = Slowest::default();
        (0..30).for_each(|n| slowest.read(&format!("test t{n} ... ok <{n}.0s>")));
        let table = slowest.table();
        assert_eq!(table.lines().count(), 1 + SHOWN);
        assert!(table.contains("t29") && !table.contains("t19"), "{table}");
    }
}
