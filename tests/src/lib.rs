//! The harness of the end-to-end tests and benchmarks: a real server process, a worker that speaks the protocol, a
//! real browser. Owns what it starts: everything ends with the value that stands for it.
//!
//! Never reaches into the server: what it sees, a person or a worker could see.

#![expect(
    clippy::missing_panics_doc,
    reason = "a harness that cannot go on stops the test: that is what it is for"
)]

mod api;
mod audited;
mod browser;
mod cdp;
mod certified;
mod cutter;
mod database;
mod firefox;
mod fleet;
mod form;
mod gang;
pub mod hostile;
mod layered;
mod listed;
mod memory;
mod metrics;
mod pages;
mod plain;
mod proxy;
mod request_lines;
mod rows;
mod server;
mod shifted;
mod signs;
mod softener;
mod terminal;
mod tls_way;
pub mod upgrade;
mod wire;
mod worker;
mod workflows;
mod wrapped;

pub use api::{Answer, Api, Files};
pub use browser::{Browser, Home, Page};
pub use certified::Certified;
pub use cutter::Cutter;
pub use database::DatabaseKind;
pub use firefox::{Firefox, FirefoxPage};
pub use fleet::{Fleet, Habits, Ledger, Random};
pub use form::Form;
pub use gang::{Whispers, liar};
pub use layered::layered;
pub use memory::{cpu_seconds, cpu_seconds_below, forget_peak, resident, status};
pub use metrics::Metrics;
pub use pages::{Block, alike, blocks, commands};
pub use plain::{PlainWorker, plain_value};
pub use proxy::{Proxy, ProxyKind};
pub use rows::counted;
pub use server::{TestServer, default_binary};
pub use shifted::ShiftedClock;
pub use softener::{without_deletions, without_policies};
pub use terminal::{COLUMNS, Terminal, shown_lines};
pub use tls_way::TlsWay;
pub use weevil_mariadb::MariaDb;
pub use wire::Wire;
pub use worker::{FakeWorker, Guest, answer_all, device_of, number, sum_of, text, thrown};
pub use workflows::{files, job_workflow, pool_workflow, shipped, workflow_in, zipped};
pub use wrapped::Wrapped;

/// How long anything in a test may take before it counts as never happening.
pub const PATIENCE: std::time::Duration = std::time::Duration::from_mins(1);
