//! Randomness: reproducible for jobs, unguessable for tokens. The engine's only place that asks the system for it.

use std::sync::{Mutex, PoisonError};

use weevil_model::{AccountId, JobId, Minter, RunId, SessionId, Timestamp, TokenId, WorkerId};

pub use weevil_model::job_seed;

/// Fencing tokens that nobody can guess.
pub fn tokens(count: usize) -> Result<Vec<i64>, getrandom::Error> {
    let mut bytes = vec![0; count * 8];
    getrandom::fill(&mut bytes)?;
    // Without the sign bit, so that a token is a plain number in every language.
    let token = |chunk: &[u8]| chunk.iter().fold(0_i64, |sum, byte| sum << 8 | i64::from(*byte)) & i64::MAX;
    Ok(bytes.chunks_exact(8).map(token).collect())
}

/// What is random about a batch. Without randomness it is a constant; then there are no tokens either, and nothing is handed out.
pub fn chance() -> [u8; 32] {
    let mut chance = [0; 32];
    let _constant = getrandom::fill(&mut chance);
    chance
}

/// What numbers of places are made with; without randomness it is a constant, and only the log's reader could tell more.
pub fn place_key() -> [u8; 16] {
    let mut key = [0; 16];
    let _constant = getrandom::fill(&mut key);
    key
}

/// Makes the ids of this replica.
#[derive(Debug)]
pub struct Ids(Mutex<Minter>);

impl Default for Ids {
    fn default() -> Self {
        Self(Mutex::new(Minter::new(0)))
    }
}

impl Ids {
    fn with<T>(&self, make: impl FnOnce(&mut Minter) -> T) -> T {
        make(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn run(&self, now: Timestamp) -> RunId {
        self.with(|minter| minter.run(now))
    }

    pub fn job(&self, now: Timestamp) -> JobId {
        self.with(|minter| minter.job(now))
    }

    pub fn worker(&self, now: Timestamp) -> WorkerId {
        self.with(|minter| minter.worker(now))
    }

    pub fn account(&self, now: Timestamp) -> AccountId {
        self.with(|minter| minter.account(now))
    }

    pub fn token(&self, now: Timestamp) -> TokenId {
        self.with(|minter| minter.token(now))
    }

    pub fn session(&self, now: Timestamp) -> SessionId {
        self.with(|minter| minter.session(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_do_not_repeat() {
        let mut tokens = tokens(1000).unwrap();
        assert!(tokens.iter().all(|token| *token >= 0));
        tokens.sort_unstable();
        tokens.dedup();
        assert_eq!(tokens.len(), 1000);
    }
}
