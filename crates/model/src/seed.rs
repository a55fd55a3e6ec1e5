//! The seed of a job: told by its run and its path alone. Never makes randomness.

use crate::hash::ContentHash;

/// The seed of a job's `Math.random`: follows from the run's seed and the node's path, so that every attempt of the
/// job, on any machine and after any restart, draws the same numbers.
pub fn job_seed(run_seed: u64, path: &str) -> u64 {
    ContentHash::of_parts([("seed", run_seed.to_le_bytes().as_slice()), ("path", path.as_bytes())]).seed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_follows_from_run_and_path() {
        assert_eq!(job_seed(1, "pool/0/p"), job_seed(1, "pool/0/p"));
        assert_ne!(job_seed(1, "pool/0/p"), job_seed(1, "pool/1/p"));
        assert_ne!(job_seed(1, "pool/0/p"), job_seed(2, "pool/0/p"));
    }
}
