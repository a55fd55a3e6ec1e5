//! A private MariaDB for tests: own folder, own socket, own port on 127.0.0.1, and it may be killed. Uses no service of
//! the system and leaves nothing behind, not even when the tests are killed.
//!
//! Never part of the product.

#![expect(
    clippy::missing_panics_doc,
    reason = "a harness that cannot go on stops the test: that is what it is for"
)]

mod guard;
mod install;
mod template;

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Resource, Rlimit, prlimit};

use self::guard::Guard;

/// How long anything may take before it counts as never happening.
const PATIENCE: Duration = Duration::from_mins(1);
const FIRST_PORT: u32 = 20_000;
const PORTS: u32 = 12_000;
const USER: &str = "weevil";
/// Has characters that an address must escape.
const PASSWORD: &str = "p@ss/w%rd";
const ESCAPED_PASSWORD: &str = "p%40ss%2Fw%25rd";
/// What a server of WeevilScout needs in its database; the same list stands in docs/operations.md.
const RIGHTS: &str = "select, insert, update, delete, create, alter, index, references";

/// Large pieces, then small ones, until neither fits (error 1114); what was deleted before is purged first, or it would make
/// room again behind them. The delimiter is the client's.
const FILL: &str = "
create database ballast; create table ballast.pieces (piece longblob) engine = innodb;
set global innodb_max_purge_lag_wait = 0;
delimiter //
begin not atomic
    declare size int default 1000000;
    declare continue handler for 1114 set size = size div 10;
    while size >= 1000 do insert into ballast.pieces values (repeat('x', size)); end while;
end//
";

/// Bytes that the file of the tables may still grow when it is filled: what was being written must find its place,
/// `InnoDB` waits for ever where a page that it has given away cannot be written.
const SLACK: u64 = 8 << 20;

/// Ends when dropped, or with the process.
#[derive(Debug)]
pub struct MariaDb {
    guard: Guard,
    folder: PathBuf,
    port: u16,
    databases: AtomicU32,
    template: OnceLock<String>,
}

impl MariaDb {
    /// A server of one's own, for tests that kill it.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// A server of one's own with all tables in one file, so that `fill` leaves none of them any room.
    pub fn start_fillable() -> Self {
        Self::start_with(&[
            "--innodb-file-per-table=0",
            "--innodb-autoextend-increment=1",
            "--innodb-log-file-size=8M",
        ])
    }

    fn start_with(options: &[&str]) -> Self {
        let folder = tempfile::Builder::new().prefix("weevil-mariadb-").tempdir();
        let folder = folder.expect("a temporary folder can be made").keep();
        let port = free_port();
        let mut guard = Guard::new(&folder, &install::server(&folder, port, options));
        install::install(&folder);
        guard.start();
        let started = Self { guard, folder, port, databases: AtomicU32::new(0), template: OnceLock::new() };
        started.sql(&format!(
            "create user {USER}@localhost identified by '{PASSWORD}'; create user {USER}@127.0.0.1 identified by '{PASSWORD}'"
        ));
        started
    }

    /// The one that all tests of a process share.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<MariaDb> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// The address of a new, empty database.
    pub fn database(&self) -> String {
        self.new_database().1
    }

    /// The address of a new database with what the statements in this file make.
    pub fn database_of(&self, file: &Path) -> String {
        let (name, address) = self.new_database();
        install::sql_of(&self.folder, &name, file);
        address
    }

    /// The address of a new database with the tables that `make` has made at another one's address. Only the first `make` is
    /// asked, and once.
    pub fn database_as_of(&self, make: impl FnOnce(&str)) -> String {
        let statements = self.template.get_or_init(|| {
            let (name, address) = self.new_database();
            make(&address);
            template::statements(&self.folder, &name)
        });
        let (name, address) = self.new_database();
        self.sql(&format!("use {name};\n{statements}"));
        address
    }

    /// Name and address.
    fn new_database(&self) -> (String, String) {
        let name = format!("weevil_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.sql(&format!(
            "create database {name}; grant {RIGHTS} on {name}.* to {USER}@localhost, {USER}@127.0.0.1"
        ));
        let address = format!("mysql://{USER}:{ESCAPED_PASSWORD}@127.0.0.1:{}/{name}", self.port);
        (name, address)
    }

    /// The folder with all its bytes: tables, and what has been done to them and is not in them yet.
    pub fn data(&self) -> PathBuf {
        install::data(&self.folder)
    }

    /// Where it listens, on 127.0.0.1.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Runs statements with all rights. Answers what they print, a line for each row.
    pub fn sql(&self, statements: &str) -> String {
        install::sql(&self.folder, statements)
    }

    /// No file grows any more, and what room is left in that of the tables is taken, as if the disk were full.
    pub fn fill(&self) {
        let tables = install::tables_file(&self.folder).metadata().expect("the tables are in a file");
        self.limit_files(Some(tables.len() + SLACK));
        self.sql(FILL);
    }

    /// Files may grow again.
    pub fn make_room(&self) {
        self.limit_files(None);
    }

    /// Beyond the limit a write fails: the guard has SIGXFSZ ignored.
    fn limit_files(&self, bytes: Option<u64>) {
        let text = std::fs::read_to_string(install::pid_file(&self.folder)).expect("MariaDB runs");
        let pid = text.trim().parse().ok().and_then(Pid::from_raw);
        let limit = Rlimit { current: bytes, maximum: None };
        prlimit(pid, Resource::Fsize, limit).expect("a process of one's own can be limited");
    }

    /// SIGKILL: no goodbye, no flush.
    pub fn kill(&mut self) {
        self.guard.kill();
    }

    /// Starts again over the same folder, on the same port.
    pub fn restart(&mut self) {
        self.guard.start();
    }
}

/// MariaDB cannot choose one itself. Not one of those that the system gives to whoever asks for any: it must still be
/// free when the server starts again.
fn free_port() -> u16 {
    static ASKED: AtomicU32 = AtomicU32::new(0);
    let first = std::process::id().wrapping_mul(16);
    let ports = std::iter::repeat_with(|| first.wrapping_add(ASKED.fetch_add(1, Ordering::Relaxed)) % PORTS);
    ports
        .filter_map(|at| u16::try_from(FIRST_PORT + at).ok())
        .find(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok())
        .expect("there is a free port")
}
