//! What the server is told at its start, checked before anything is opened.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use weevil_access::Quotas;
use weevil_engine::plans::{NoPlan, SmallestError};
use weevil_model::limits::MAX_WORKERS;
use weevil_model::trust::{AssumedShare, Policy};
use weevil_peer::{ClientAddress, Network, Proxies, Settings, Table};
use weevil_queue::Judging;
use weevil_queue::decide::pace::Pacing;
use weevil_store::Database;

use crate::access::{BreachedFile, PeopleSettings};
use crate::reach::{Reach, ReachError};
use crate::setting::Setting;

/// The file of the data folder that is the database, where no other one is named.
pub(crate) const DATABASE: &str = "weevil.db";

#[derive(Debug, Clone)]
pub struct Config {
    /// Sockets, faces and names.
    pub reach: Reach,
    /// Folder that holds everything that must survive.
    pub data: PathBuf,
    pub database: Database,
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
    /// From which answers on values are believed, where nobody says so.
    pub trust: Policy,
    /// How they are judged.
    pub judging: Judging,
    /// How much of one core the server takes to compute modules itself whose answers are to be checked.
    pub referee_percent: u8,
    /// Whether jobs that are out for long get second copies.
    pub spares: bool,
    /// Whether who owns this process may prove it by a file.
    pub local_token: bool,
    /// Everybody may read the metrics.
    pub open_metrics: bool,
    /// How long people stay signed in, and which passwords nobody may take.
    pub people: PeopleSettings,
    /// What a project may use that is made from now on, where nobody says otherwise.
    pub new_projects: NewProjectQuotas,
    /// How long runs are kept after their end; for ever where this is `None`.
    pub retention: Option<Duration>,
    /// MiB of room on the disk with the data folder below which people are told; 0: never.
    pub least_room_mib: u32,
    /// How long rows of the audit are kept; for ever where this is `None`.
    pub audit: Option<Duration>,
    /// All of this as people are told it.
    pub settings: Vec<Setting>,
}

/// What a new project may use; 0 is no bound.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NewProjectQuotas {
    pub quotas: Quotas,
    /// Jobs that may be put in within a minute.
    pub jobs_a_minute: u64,
}

/// Why the server will not start like this.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    #[error(transparent)]
    Reach(#[from] ReachError),
    #[error(
        "--heartbeat-seconds {heartbeat} must be shorter than --lease-seconds {lease}: \
         otherwise every lease ends before it is renewed"
    )]
    Heartbeat { heartbeat: u64, lease: u64 },
    #[error("--trust {policy}, with --assumed-liars {liars}: {none}")]
    Trust { policy: Policy, liars: AssumedShare, none: NoPlan },
    #[error("--breached-passwords {}: {why}; give a file with a SHA-1 in hex in each line, sorted", path.display())]
    Breached { path: PathBuf, why: String },
}

/// All that is wrong, a line each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigErrors(pub Vec<ConfigError>);

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for ConfigErrors {}

impl Config {
    pub fn check(&self) -> Result<(), ConfigErrors> {
        let mut problems: Vec<ConfigError> = self.reach.problems().into_iter().map(Into::into).collect();
        if self.heartbeat.is_zero() || self.heartbeat >= self.lease {
            let (heartbeat, lease) = (self.heartbeat.as_secs(), self.lease.as_secs());
            problems.push(ConfigError::Heartbeat { heartbeat, lease });
        }
        if let Err(none) = self.smallest_error().check(self.trust) {
            problems.push(ConfigError::Trust { policy: self.trust, liars: self.judging.liars, none });
        }
        if let Some(path) = &self.people.breached
            && let Err(why) = BreachedFile::check(path)
        {
            problems.push(ConfigError::Breached { path: path.clone(), why });
        }
        if problems.is_empty() { Ok(()) } else { Err(ConfigErrors(problems)) }
    }

    /// What can be promised at most with the liars that are assumed.
    pub(crate) fn smallest_error(&self) -> SmallestError {
        SmallestError::assuming(self.judging.liars)
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
    use weevil_access::SessionLengths;

    use super::*;

    /// Everything as the defaults have it, but for what the tests of settings change.
    fn config(reach: Reach, heartbeat: u64) -> Config {
        Config {
            reach,
            data: PathBuf::new(),
            database: Database::Sqlite(PathBuf::new()),
            lease: Duration::from_mins(1),
            heartbeat: Duration::from_secs(heartbeat),
            retention: None,
            audit: None,
            least_room_mib: 0,
            contact_threshold: 0,
            contact_rate: Duration::ZERO,
            drain: Duration::ZERO,
            trust: Policy::None,
            judging: Judging::default(),
            referee_percent: 10,
            spares: true,
            workers_per_address: 512,
            trusted_proxies: Vec::new(),
            client_address: ClientAddress::XForwardedFor,
            transfer_mib: 128,
            people: PeopleSettings { lengths: SessionLengths { idle_ms: 1, absolute_ms: 1 }, breached: None },
            local_token: true,
            open_metrics: false,
            new_projects: NewProjectQuotas::default(),
            settings: Vec::new(),
        }
    }

    #[test]
    fn all_that_is_wrong_is_told_at_once() {
        for (listen, heartbeat, trust, list, problems) in [
            ("127.0.0.1:0", 20, "none", None, 0),
            ("127.0.0.1:0", 60, "none", None, 1),
            ("127.0.0.1:0", 0, "none", None, 1),
            ("0.0.0.0:0", 60, "quorum(7)", None, 2),
            ("127.0.0.1:0", 20, "credible(0.1)", None, 0),
            ("127.0.0.1:0", 20, "credible(0.0001)", None, 1),
            ("127.0.0.1:0", 20, "none", Some("/no/such/list"), 1),
            ("0.0.0.0:0", 60, "credible(0.0001)", Some("/"), 4),
        ] {
            let mut config = config(Reach::at(listen.parse().unwrap()), heartbeat);
            config.people.breached = list.map(PathBuf::from);
            config.judging.liars = AssumedShare::LARGEST;
            config.trust = trust.parse().unwrap();
            let found = config.check().map_or_else(|errors| errors.0.len(), |()| 0);
            assert_eq!(found, problems, "{listen} {heartbeat} {trust} {list:?}");
        }
    }

    #[test]
    fn what_the_policy_promises_depends_on_the_liars_that_are_assumed() {
        for (trust, liars, told) in [
            ("credible(0.0001)", "0.05", None),
            ("quorum(2)", "0.4", None),
            (
                "credible(0.0001)",
                "0.4",
                Some("--trust credible(0.0001), with --assumed-liars 0.4: with this share of liars assumed"),
            ),
        ] {
            let mut config = config(Reach::at("127.0.0.1:0".parse().unwrap()), 20);
            (config.trust, config.judging.liars) = (trust.parse().unwrap(), liars.parse().unwrap());
            let found = config.check().map_err(|errors| errors.to_string());
            let as_told =
                told.map_or(found.is_ok(), |told| found.as_ref().is_err_and(|found| found.contains(told)));
            assert!(as_told, "{trust} {liars}: {found:?}");
        }
    }
}
