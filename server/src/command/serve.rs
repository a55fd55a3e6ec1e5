//! `weevil serve`: settings to configuration, logging, and the line that says the server is ready.

use std::ffi::OsString;
use std::io::{IsTerminal, stderr};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{StringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::field::MakeExt;
use tracing_subscriber::fmt::format::debug_fn;
use weevil_access::{FaceUrl, Host, SessionLengths};
use weevil_cli::inert::{Inert, say, say_line};
use weevil_cli::{Exit, plain};
use weevil_model::Face;
use weevil_model::limits::MAX_WORKERS;
use weevil_model::trust::Policy;
use weevil_peer::{ClientAddress, Network};
use weevil_store::{Database, DatabaseError};

use super::judging::JudgingSettings;
use super::list::UpTo;
use super::log::{JsonLog, log_field};
use super::new_projects::NewProjects;
use super::settings::{Settings, command, settle};
use super::settings_table::table;
use crate::Config;
use crate::access::PeopleSettings;
use crate::app::Ready;
use crate::config::DATABASE;
use crate::modes::keep_to_the_owner;
use crate::reach::{MAX_HOSTS, MAX_PUBLIC_SOCKETS, Reach};
use crate::setting::Setting;
use crate::sockets::Socket;

/// Networks of proxies that can be named.
const MAX_PROXIES: usize = 20;
const HOUR_MS: i64 = 3_600_000;

/// Refused later: what the command line refuses it prints, with the password.
pub(super) type Parsed = Result<Database, DatabaseError>;

pub(super) fn database() -> impl TypedValueParser<Value = Parsed> {
    StringValueParser::new().map(|text| text.parse())
}

/// The database that is named, else the one in the data folder.
pub(super) fn chosen(named: Option<Parsed>, data: &Path) -> Parsed {
    named.unwrap_or_else(|| Ok(Database::Sqlite(data.join(DATABASE))))
}

/// Every option can also be set by its variable, and in a file by its name.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Serve {
    /// File with settings: `listen = "127.0.0.1:8080"`. Flags and variables win over it.
    #[arg(long, value_name = "FILE", env = "WEEVIL_CONFIG")]
    pub(super) config: Option<PathBuf>,
    /// Print all settings and where each comes from, as a file for --config, and exit.
    #[arg(long)]
    print_config: bool,
    /// Print all settings as the table of docs/operations.md, and exit.
    #[arg(long, hide = true)]
    settings_table: bool,
    /// Address and port to listen on; port 0 takes a free one.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8080", env = "WEEVIL_LISTEN")]
    listen: SocketAddr,
    /// Folder for everything that must survive.
    #[arg(long, value_name = "DIR", default_value = "data", env = "WEEVIL_DATA")]
    data: PathBuf,
    /// A path, sqlite:PATH or mysql://USER:PASSWORD@HOST:PORT/DATABASE [default: weevil.db in the data folder]
    #[arg(long, value_name = "URL", env = "WEEVIL_DATABASE", hide_env_values = true)]
    #[arg(value_parser = database())]
    database: Option<Parsed>,
    /// Addresses and ports of the public face, which volunteers reach and which shows no console: up to 4, with commas between.
    #[arg(long, value_name = "ADDR:PORT,..", env = "WEEVIL_PUBLIC_LISTEN")]
    public_listen: Option<UpTo<SocketAddr, MAX_PUBLIC_SOCKETS>>,
    /// How people reach the private face, where that is not its socket's address.
    #[arg(long, value_name = "URL", env = "WEEVIL_URL")]
    url: Option<FaceUrl>,
    /// How people reach the public face, where that is not its socket's address.
    #[arg(long, value_name = "URL", env = "WEEVIL_PUBLIC_URL")]
    public_url: Option<FaceUrl>,
    /// Further names that are answered to: up to 20, with commas between.
    #[arg(long, value_name = "NAME,..", env = "WEEVIL_HOST")]
    host: Option<UpTo<Host, MAX_HOSTS>>,
    /// A private face beyond loopback without TLS is meant: whoever is on the way can read and change everything.
    #[arg(long, env = "WEEVIL_PLAIN_HTTP")]
    plain_http: bool,
    /// A certificate with its chain, in PEM; looked at every half minute, and at SIGHUP.
    #[arg(long, value_name = "FILE", env = "WEEVIL_TLS_CERT")]
    tls_cert: Option<PathBuf>,
    /// The key of it, in PEM and not encrypted.
    #[arg(long, value_name = "FILE", env = "WEEVIL_TLS_KEY")]
    tls_key: Option<PathBuf>,
    /// Which sockets speak TLS: those that other machines reach, or all.
    #[arg(long, value_name = "WHICH", default_value = "remote", env = "WEEVIL_TLS")]
    tls: TlsWhere,
    /// Address and port at which every GET is sent on to the https address of a face.
    #[arg(long, value_name = "ADDR:PORT", env = "WEEVIL_REDIRECT_LISTEN")]
    redirect_listen: Option<SocketAddr>,
    /// How long browsers remember that the server's name speaks TLS; 0 tells them nothing.
    #[arg(long, value_name = "SECONDS", default_value_t = 2_592_000, env = "WEEVIL_HSTS_SECONDS")]
    hsts_seconds: u32,
    /// Gone: refused with what to do instead.
    #[arg(long, env = "WEEVIL_INSECURE_CONSOLE", hide = true)]
    insecure_console: bool,
    /// A job whose worker is silent this long goes back to the queue.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, env = "WEEVIL_LEASE_SECONDS")]
    lease_seconds: u64,
    /// How often workers renew their leases.
    #[arg(long, value_name = "SECONDS", default_value_t = 20, env = "WEEVIL_HEARTBEAT_SECONDS")]
    heartbeat_seconds: u64,
    /// Workers up to which contacts come as often as they may.
    #[arg(long, value_name = "WORKERS", default_value_t = 1000, env = "WEEVIL_CONTACT_THRESHOLD")]
    contact_threshold: u32,
    /// What each worker above the threshold adds to the time between two contacts.
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 10, env = "WEEVIL_CONTACT_RATE")]
    contact_rate: u32,
    /// Workers that one address may have; an IPv6 /64 counts as one.
    #[arg(long, value_name = "WORKERS", default_value_t = 512, env = "WEEVIL_WORKERS_PER_ADDRESS")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=MAX_WORKERS as i64))]
    workers_per_address: u32,
    /// Proxies whose word is taken for a request's address: up to 20 networks, with commas between.
    #[arg(long, value_name = "CIDR,..", env = "WEEVIL_TRUSTED_PROXY")]
    trusted_proxy: Option<UpTo<Network, MAX_PROXIES>>,
    /// The header in which they write it.
    #[arg(long, value_name = "HEADER", default_value = "x-forwarded-for", env = "WEEVIL_CLIENT_ADDRESS")]
    client_address: Header,
    /// Memory for messages and uploads that are still coming in.
    #[arg(long, value_name = "MIB", default_value_t = 128, env = "WEEVIL_TRANSFER_MIB")]
    #[arg(value_parser = clap::value_parser!(u32).range(64..=65_536))]
    transfer_mib: u32,
    /// How long workers may hand in what they run once the server was told to end.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, env = "WEEVIL_DRAIN_SECONDS")]
    drain_seconds: u64,
    /// From which answers on values are believed, where neither the workflow nor whoever starts it says so: none, quorum(3) or credible(0.001).
    #[arg(long, value_name = "POLICY", default_value = "none", env = "WEEVIL_TRUST")]
    trust: Policy,
    #[command(flatten)]
    judging: JudgingSettings,
    /// How much of one core the server takes to check answers of modules itself, before volunteers do; 0 has it check none.
    #[arg(long, value_name = "PERCENT", default_value_t = 10, env = "WEEVIL_REFEREE_PERCENT")]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=100))]
    referee_percent: u8,
    /// Give a job that is out for much longer than others of its code to a second worker that has nothing else to do.
    #[arg(long, value_name = "WHETHER", default_value = "on", env = "WEEVIL_SPARES")]
    spares: Whether,
    /// How long runs, their jobs and results are kept after their end; 0 keeps them for ever.
    #[arg(long, value_name = "SECONDS", default_value_t = 2_592_000, env = "WEEVIL_RETENTION_SECONDS")]
    retention_seconds: u64,
    /// Say on the overview that the disk is nearly full, where the data folder has less room; 0 never says it.
    #[arg(long, value_name = "MIB", default_value_t = 1024, env = "WEEVIL_LEAST_ROOM_MIB")]
    least_room_mib: u32,
    /// How long the audit is kept; 0 keeps it for ever.
    #[arg(long, value_name = "DAYS", default_value_t = 400, env = "WEEVIL_AUDIT_DAYS")]
    audit_days: u32,
    /// Leave a token for programs and the console of the user who runs this server.
    #[arg(long, value_name = "WHETHER", default_value = "on", env = "WEEVIL_LOCAL_TOKEN")]
    local_token: Whether,
    /// Answer `/metrics` without a credential.
    #[arg(long, env = "WEEVIL_OPEN_METRICS")]
    open_metrics: bool,
    /// After how long without use somebody has to sign in again.
    #[arg(long, value_name = "HOURS", default_value_t = 12, env = "WEEVIL_SESSION_IDLE_HOURS")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=8760))]
    session_idle_hours: u32,
    /// After how long somebody has to sign in again, however much they do.
    #[arg(long, value_name = "DAYS", default_value_t = 14, env = "WEEVIL_SESSION_DAYS")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=365))]
    session_days: u32,
    /// Passwords that nobody may take: sorted lines of SHA-1 in hex, as lists of stolen ones have them.
    #[arg(long, value_name = "FILE", env = "WEEVIL_BREACHED_PASSWORDS")]
    breached_passwords: Option<PathBuf>,
    #[command(flatten)]
    new_projects: NewProjects,
    /// How the log on stderr looks: for people, or an object of JSON in each line.
    #[arg(long, value_name = "FORMAT", default_value = "text", env = "WEEVIL_LOG_FORMAT")]
    log_format: LogFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Header {
    XForwardedFor,
    Forwarded,
}

impl From<Header> for ClientAddress {
    fn from(header: Header) -> Self {
        match header {
            Header::XForwardedFor => Self::XForwardedFor,
            Header::Forwarded => Self::Forwarded,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Whether {
    On,
    Off,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TlsWhere {
    Remote,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    Text,
    Json,
}

impl Serve {
    /// `words` are the arguments after `serve`.
    pub(super) fn execute(words: &[OsString]) -> Exit {
        match settle(words) {
            Ok(settings) if settings.serve.print_config => {
                say(&Inert::lines(&settings.file()));
                Exit::Done
            }
            Ok(Settings { serve, .. }) if serve.settings_table => {
                say(&Inert::lines(&table(&command())));
                Exit::Done
            }
            Ok(Settings { serve, told }) => serve.serve(told),
            Err(problems) => Exit::CouldNot(problems),
        }
    }

    fn serve(self, told: Vec<Setting>) -> Exit {
        keep_to_the_owner();
        self.log_format.begin();
        let config = match self.config(told) {
            Ok(config) => config,
            Err(error) => return Exit::CouldNot(format!("--database: {error}")),
        };
        let ready = |ready: Ready| {
            let mut lines: Vec<String> = ready.sockets.into_iter().map(line).collect();
            let first_admin = ready.first_admin.map(|address| format!("first admin: {address}"));
            let console = ready.console.map(|address| format!("console: {address}"));
            lines.splice(1..1, console.into_iter().chain(first_admin));
            lines.extend(ready.redirect.map(|address| format!("redirect: http://{address}/")));
            for line in &lines {
                say_line(line);
            }
        };
        match actix::System::new().block_on(crate::serve(config, ready)) {
            Ok(()) => Exit::Done,
            Err(error) => Exit::CouldNot(error.to_string()),
        }
    }

    fn config(self, settings: Vec<Setting>) -> Result<Config, DatabaseError> {
        let database = chosen(self.database, &self.data)?;
        let trusted_proxies = UpTo::list(self.trusted_proxy);
        Ok(Config {
            reach: Reach {
                listen: self.listen,
                public: UpTo::list(self.public_listen),
                url: self.url,
                public_url: self.public_url,
                hosts: UpTo::list(self.host),
                plain_http: self.plain_http,
                certificate: self.tls_cert,
                key: self.tls_key,
                tls_everywhere: self.tls == TlsWhere::All,
                redirect: self.redirect_listen,
                hsts_seconds: self.hsts_seconds,
                behind_proxy: !trusted_proxies.is_empty(),
                insecure_console: self.insecure_console,
            },
            data: self.data,
            database,
            lease: Duration::from_secs(self.lease_seconds),
            heartbeat: Duration::from_secs(self.heartbeat_seconds),
            contact_threshold: self.contact_threshold,
            contact_rate: Duration::from_millis(self.contact_rate.into()),
            workers_per_address: self.workers_per_address,
            trusted_proxies,
            client_address: self.client_address.into(),
            transfer_mib: self.transfer_mib,
            drain: Duration::from_secs(self.drain_seconds),
            trust: self.trust,
            judging: self.judging.into(),
            referee_percent: self.referee_percent,
            spares: self.spares == Whether::On,
            people: PeopleSettings {
                lengths: SessionLengths {
                    idle_ms: i64::from(self.session_idle_hours) * HOUR_MS,
                    absolute_ms: i64::from(self.session_days) * 24 * HOUR_MS,
                },
                breached: self.breached_passwords,
            },
            new_projects: self.new_projects.into(),
            local_token: self.local_token == Whether::On,
            open_metrics: self.open_metrics,
            retention: (self.retention_seconds > 0).then(|| Duration::from_secs(self.retention_seconds)),
            least_room_mib: self.least_room_mib,
            settings,
            audit: (self.audit_days > 0).then(|| Duration::from_hours(24 * u64::from(self.audit_days))),
        })
    }
}

/// What tells that a socket answers: programs wait for the first line.
fn line(Socket { face, address, tls }: Socket) -> String {
    let scheme = if tls { "https" } else { "http" };
    match face {
        Face::Private => format!("listening on {scheme}://{address}"),
        Face::Public => format!("volunteers: {scheme}://{address}/"),
    }
}

/// How a stranger's connection breaks would be a line for each: nothing is said of it unless `RUST_LOG` names it.
const QUIET: &str = "actix_http=off";

/// What is logged: what `RUST_LOG` asks for, where it can be read.
fn filter() -> EnvFilter {
    let asked = std::env::var(EnvFilter::DEFAULT_ENV).ok();
    let asked = asked.and_then(|asked| EnvFilter::try_new(format!("{QUIET},{asked}")).ok());
    asked.unwrap_or_else(|| EnvFilter::new(format!("{QUIET},info")))
}

impl LogFormat {
    fn begin(self) {
        // A log on a full disk must not end the server: complaining about it on stderr would.
        let log = tracing_subscriber::fmt().with_env_filter(filter()).log_internal_errors(false);
        // A file keeps no colours, and no more does what cannot show them.
        let log = log.with_ansi(stderr().is_terminal() && !plain());
        match self {
            Self::Text => log.fmt_fields(debug_fn(log_field).delimited(" ")).with_writer(stderr).init(),
            Self::Json => log.json().flatten_event(true).with_writer(|| JsonLog).init(),
        }
    }
}
