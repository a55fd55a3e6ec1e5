//! A fleet in one process: thousands of workers that speak the protocol over real sockets and behave as strangers do,
//! each by its own seed. Computes nothing: a job's value is one, after the time it would have taken.
//!
//! Owns its runtime; everything ends with the value that stands for it.

mod habits;
mod ledger;
mod life;
mod link;
mod random;

use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use tokio::runtime::Runtime;

pub use habits::Habits;
pub use ledger::Ledger;
use life::Life;
use link::Door;
pub use random::Random;

/// Workers that join at the same time: a listening socket's line is bounded.
const JOIN_AT_ONCE: usize = 64;

/// Many workers of one server.
#[derive(Debug)]
pub struct Fleet {
    runtime: Option<Runtime>,
    ledger: Arc<Ledger>,
}

impl Fleet {
    /// Starts this many workers of each kind. What chance decides follows from `seed` and the worker's number.
    pub fn start(address: &str, seed: u64, kinds: &[(usize, Habits)]) -> Self {
        Self::through(&Door::plain(address), seed, kinds)
    }

    /// As `start`, over TLS, to a server that shows a certificate of this authority's for `name`.
    pub fn start_over_tls(
        (address, name, authority): (&str, &str, &CertificateDer<'static>),
        seed: u64,
        kinds: &[(usize, Habits)],
    ) -> Self {
        Self::through(&Door::tls(address, name, authority), seed, kinds)
    }

    fn through(door: &Door, seed: u64, kinds: &[(usize, Habits)]) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime can be made");
        let ledger = Arc::new(Ledger::default());
        let doors = Arc::new(tokio::sync::Semaphore::new(JOIN_AT_ONCE));
        let workers = kinds.iter().flat_map(|(count, habits)| std::iter::repeat_n(*habits, *count));
        for (number, habits) in (0_u64..).zip(workers) {
            let life = Life {
                door: door.clone(),
                habits,
                random: Random::new(seed, number),
                ledger: ledger.clone(),
                doors: doors.clone(),
                late: Vec::new(),
            };
            runtime.spawn(life.live());
        }
        Self { runtime: Some(runtime), ledger }
    }

    /// What the workers saw so far.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(1));
        }
    }
}
