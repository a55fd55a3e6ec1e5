//! How large what is measured is: as documented, or a part of it for looking whether a bench works. A figure of a part says
//! nothing.

/// By what sizes are divided, where it is set.
const VARIABLE: &str = "WEEVIL_BENCH_PART";

/// This size, or the part of it that the variable asks for; at least one.
pub(crate) fn sized(full: u64) -> u64 {
    let part = std::env::var(VARIABLE).ok().and_then(|part| part.parse().ok()).unwrap_or(1);
    divided(full, part)
}

fn divided(full: u64, part: u64) -> u64 {
    full.checked_div(part).unwrap_or(full).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_never_nothing() {
        for (full, part, expected) in [(10_000, 1, 10_000), (10_000, 100, 100), (10, 100, 1), (10, 0, 10)] {
            assert_eq!(divided(full, part), expected, "{full} / {part}");
        }
    }
}
