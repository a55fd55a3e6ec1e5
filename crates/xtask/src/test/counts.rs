//! Reads passed, failed and skipped out of a test runner's closing lines.
//! It never runs anything and never judges the counts.

/// Tests of a stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) passed: u64,
    pub(super) failed: u64,
    pub(super) skipped: u64,
}

impl Counts {
    /// Adds what `line` says, where it is a closing line of cargo's, wasm-bindgen's or Vitest's runner.
    pub(super) fn read(&mut self, line: &str) {
        let plain = without_colours(line);
        let plain = plain.trim_start();
        let rest = plain.strip_prefix("test result: ").or_else(|| plain.strip_prefix("Tests  "));
        let Some(rest) = rest else { return };
        self.passed += number_before(rest, "passed");
        self.failed += number_before(rest, "failed");
        self.skipped +=
            ["ignored", "skipped", "todo"].iter().map(|word| number_before(rest, word)).sum::<u64>();
    }
}

/// The number in front of `word` in a list such as `1 failed | 11 passed (12)`.
fn number_before(list: &str, word: &str) -> u64 {
    let words: Vec<_> = list.split([' ', ';', '|', ',', '.']).filter(|part| !part.is_empty()).collect();
    let place = words.iter().position(|part| *part == word);
    place.and_then(|at| words.get(at.checked_sub(1)?)?.parse().ok()).unwrap_or(0)
}

fn without_colours(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = after.split_once(|c: char| c.is_ascii_alphabetic()).map_or("", |(_, tail)| tail);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_runners_closing_line() {
        let table = [
            (
                "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.01s",
                (12, 0, 0),
            ),
            ("test result: FAILED. 1 passed; 2 failed; 3 ignored; 0 measured; 0 filtered out", (1, 2, 3)),
            ("test result: ok. 4 passed; 0 failed; 0 ignored; 0 filtered out; finished in 0.05s", (4, 0, 0)),
            ("      Tests  12 passed (12)", (12, 0, 0)),
            ("      Tests  1 failed | 10 passed | 2 skipped | 1 todo (14)", (10, 1, 3)),
            (
                "\u{1b}[2m      Tests \u{1b}[22m \u{1b}[1m\u{1b}[32m7 passed\u{1b}[39m\u{1b}[22m\u{1b}[90m (7)\u{1b}[39m",
                (7, 0, 0),
            ),
            (" Test Files  3 passed (3)", (0, 0, 0)),
            ("test counts::tests::passed ... ok", (0, 0, 0)),
        ];
        for (line, (passed, failed, skipped)) in table {
            let mut counts = Counts::default();
            counts.read(line);
            assert_eq!(counts, Counts { passed, failed, skipped }, "{line}");
        }
    }

    #[test]
    fn closing_lines_add_up() {
        let mut counts = Counts::default();
        counts.read("test result: ok. 2 passed; 0 failed");
        counts.read("test result: ok. 3 passed; 1 failed");
        assert_eq!(counts, Counts { passed: 5, failed: 1, skipped: 0 });
    }
}
