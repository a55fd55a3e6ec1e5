//! `weevil serve`: arguments to configuration, logging, and the line that says the server is ready.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tracing_subscriber::EnvFilter;

use super::Outcome;
use crate::Config;

#[derive(Debug, Args)]
pub(super) struct Serve {
    /// Address and port to listen on; port 0 takes a free one.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Folder for everything that must survive.
    #[arg(long, value_name = "DIR", default_value = "data")]
    data: PathBuf,
    /// Allow the console, which has no sign-in yet, on an address that other machines can reach.
    #[arg(long)]
    insecure_console: bool,
    /// A job whose worker is silent this long goes back to the queue.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    lease_seconds: u64,
    /// How often workers renew their leases.
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    heartbeat_seconds: u64,
}

impl Serve {
    pub(super) fn execute(self) -> Outcome {
        let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
        let config = Config {
            listen: self.listen,
            data: self.data,
            insecure_console: self.insecure_console,
            lease: Duration::from_secs(self.lease_seconds),
            heartbeat: Duration::from_secs(self.heartbeat_seconds),
        };
        let ready = |address| println!("listening on http://{address}");
        match actix::System::new().block_on(crate::serve(config, ready)) {
            Ok(()) => Outcome::Done,
            Err(error) => Outcome::CouldNot(error.to_string()),
        }
    }
}
