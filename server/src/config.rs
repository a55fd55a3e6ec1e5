//! What the server is told at its start, checked before anything is opened.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use weevil_model::limits::MAX_WORKERS;
use weevil_peer::{ClientAddress, Network, Proxies, Settings, Table};
use weevil_queue::decide::pace::Pacing;
use weevil_store::Database;

/// The file of the data folder that is the database, where no other one is named.
pub(crate) const DATABASE: &str = "weevil.db";

#[derive(Debug, Clone)]
pub struct Config {
    pub listen: SocketAddr,
    /// Folder that holds everything that must survive.
    pub data: PathBuf,
    pub database: Database,
    /// The console has no sign-in yet: whoever reaches it may use it.
    pub insecure_console: bool,
    pub lease: Duration,
    pub heartbeat: Duration,
    /// Workers up to which heartbeats and dequeues come as often as they may.
    pub contact_threshold: u32,
    /// What each worker above it adds to the time between two.
    pub contact_rate: Duration,
    /// Welcome workers of one place.
    pub workers_per_address: u32,
    /// Whose word about a request's address is taken.
    pub trusted_proxies: Vec<Network>,
    /// Where they write it.
    pub client_address: ClientAddress,
    /// MiB of unfinished messages and bodies, of all places together.
    pub transfer_mib: u32,
    /// How long workers may hand in what they run once the server was told to end.
    pub drain: Duration,
    /// How long runs are kept after their end; for ever where this is `None`.
    pub retention: Option<Duration>,
}

/// Why the server will not start like this.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    #[error(
        "--listen {0} would open the console, which has no sign-in yet, to other machines: \
         listen on 127.0.0.1, or add --insecure-console if everybody who can reach it may use it"
    )]
    OpenConsole(SocketAddr),
    #[error(
        "--heartbeat-seconds {heartbeat} must be shorter than --lease-seconds {lease}: \
         otherwise every lease ends before it is renewed"
    )]
    Heartbeat { heartbeat: u64, lease: u64 },
}

impl Config {
    pub fn check(&self) -> Result<(), ConfigError> {
        if !self.listen.ip().is_loopback() && !self.insecure_console {
            return Err(ConfigError::OpenConsole(self.listen));
        }
        if self.heartbeat.is_zero() || self.heartbeat >= self.lease {
            let (heartbeat, lease) = (self.heartbeat.as_secs(), self.lease.as_secs());
            return Err(ConfigError::Heartbeat { heartbeat, lease });
        }
        Ok(())
    }

    /// `descriptors` is how many files and sockets the process may have open.
    pub(crate) fn budgets(&self, descriptors: u64) -> Table {
        Table::new(Settings {
            seats: MAX_WORKERS as u64,
            workers_per_address: self.workers_per_address.into(),
            transfer_mib: self.transfer_mib.into(),
            descriptors,
            cores: std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64),
        })
    }

    pub(crate) fn proxies(&self) -> Proxies {
        Proxies { trusted: self.trusted_proxies.clone(), header: self.client_address }
    }

    pub(crate) fn pacing(&self) -> Pacing {
        let ms = |duration: Duration| u32::try_from(duration.as_millis()).unwrap_or(u32::MAX);
        Pacing::new(ms(self.heartbeat), ms(self.lease), self.contact_threshold, ms(self.contact_rate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_may_have_a_console_without_sign_in() {
        for (listen, insecure, heartbeat, fine) in [
            ("127.0.0.1:0", false, 20, true),
            ("[::1]:8080", false, 20, true),
            ("0.0.0.0:8080", false, 20, false),
            ("192.0.2.1:8080", true, 20, true),
            ("127.0.0.1:0", false, 60, false),
            ("127.0.0.1:0", false, 0, false),
        ] {
            let config = Config {
                listen: listen.parse().unwrap(),
                data: PathBuf::new(),
                database: Database::Sqlite(PathBuf::new()),
                insecure_console: insecure,
                lease: Duration::from_mins(1),
                heartbeat: Duration::from_secs(heartbeat),
                retention: None,
                contact_threshold: 0,
                contact_rate: Duration::ZERO,
                drain: Duration::ZERO,
                workers_per_address: 512,
                trusted_proxies: Vec::new(),
                client_address: ClientAddress::XForwardedFor,
                transfer_mib: 128,
            };
            assert_eq!(config.check().is_ok(), fine, "{listen} {insecure} {heartbeat}");
        }
    }
}
