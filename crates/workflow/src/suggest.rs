//! "Did you mean": the nearest known name by edit distance. Never suggests a name that shares little with what was found.

use crate::limits::{MAX_CANDIDATES, MAX_ID_CHARS};

/// The known name nearest to `found`; `None` where all differ in more than a third.
pub fn nearest<'k>(found: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let found = letters(found);
    if found.is_empty() || found.len() > MAX_ID_CHARS {
        return None;
    }
    let worst = (found.len() / 3).max(1);
    known
        .into_iter()
        .take(MAX_CANDIDATES)
        .filter_map(|name| distance(&found, &letters(name), worst).map(|distance| (distance, name)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Case counts for nothing: `number` is `Number` mistyped.
fn letters(name: &str) -> Vec<char> {
    name.chars().take(MAX_ID_CHARS + 1).flat_map(char::to_lowercase).collect()
}

/// Insertions, deletions, substitutions and swaps of neighbours from `a` to `b`; `None` above `worst`.
fn distance(a: &[char], b: &[char], worst: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > worst {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (row, letter) in a.iter().enumerate() {
        let mut line = vec![row + 1];
        for (column, other) in b.iter().enumerate() {
            let replaced = above[column] + usize::from(letter != other);
            let mut best = replaced.min(above[column + 1] + 1).min(line[column] + 1);
            if row > 0 && column > 0 && *letter == b[column - 1] && a[row - 1] == *other {
                best = best.min(before[column - 1] + 1);
            }
            line.push(best);
        }
        if line.iter().min().is_some_and(|best| *best > worst) {
            return None;
        }
        before = std::mem::replace(&mut above, line);
    }
    above.last().copied().filter(|distance| *distance <= worst)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_near_names_are_suggested() {
        let known = ["parameters", "parameter", "Number", "val1", "val2", "a"];
        for (found, expected) in [
            ("paramters", Some("parameters")),
            ("number", Some("Number")),
            ("Nubmer", Some("Number")),
            ("val3", Some("val1")),
            ("b", Some("a")),
            ("task", None),
            ("", None),
        ] {
            assert_eq!(nearest(found, known), expected, "{found}");
        }
        assert_eq!(nearest(&"x".repeat(500), known), None);
    }
}
