//! The proxies of docs/operations.md, started by the very recipes that stand there. Of a recipe only that is replaced which
//! differs on each machine: addresses and certificates.

use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::{Certified, PATIENCE};

/// What it says, for when it says why not.
const SAID: &str = "said";
const POLL: Duration = Duration::from_millis(20);

/// What reads a recipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProxyKind {
    Caddy,
    Nginx,
}

/// Ends when dropped, or with the tests.
#[derive(Debug)]
pub struct Proxy {
    process: Child,
    folder: TempDir,
    pub address: SocketAddr,
}

impl ProxyKind {
    /// The name of the program, and of its language in the documents.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Caddy => "caddy",
            Self::Nginx => "nginx",
        }
    }

    /// Starts it before the private and the public socket of a server; `recipes` is the document.
    pub fn start(self, recipes: &str, faces: [&str; 2], certified: &Certified) -> Proxy {
        let address = own_address();
        let folder = TempDir::new().expect("a temporary folder");
        let recipe = self.placed(block(recipes, self.as_str()), address, faces, certified);
        let config = folder.path().join("config");
        fs::write(&config, self.whole(&recipe, folder.path())).expect("a file");
        let process = self.command(&config, folder.path()).spawn();
        let mut proxy = Proxy { process: process.expect("the proxy starts"), folder, address };
        proxy.await_listening();
        proxy
    }

    fn placed(self, recipe: &str, address: SocketAddr, faces: [&str; 2], certified: &Certified) -> String {
        let [chain, key] = ["cert.pem", "key.pem"].map(|name| certified.path(name).display().to_string());
        let upstreams = [("127.0.0.1:8080", faces[0].to_owned()), ("127.0.0.1:8081", faces[1].to_owned())];
        let own: Vec<(String, String)> = match self {
            Self::Caddy => ["console.example", "compute.example"]
                .map(|name| {
                    let site = format!(
                        "https://{name}:{} {{\n\tbind {}\n\ttls {chain} {key}",
                        address.port(),
                        address.ip()
                    );
                    (format!("{name} {{"), site)
                })
                .into(),
            Self::Nginx => vec![
                ("listen 443 ssl http2;".to_owned(), format!("listen {address} ssl http2;")),
                ("/etc/ssl/weevil/chain.pem".to_owned(), chain),
                ("/etc/ssl/weevil/key.pem".to_owned(), key),
            ],
        };
        let upstreams = upstreams.map(|(from, to)| (from.to_owned(), to));
        upstreams.into_iter().chain(own).fold(recipe.to_owned(), |recipe, (from, to)| {
            assert!(recipe.contains(&from), "no `{from}` in the recipe:\n{recipe}");
            recipe.replace(&from, &to)
        })
    }

    /// The recipe with what its program has around it on a machine of its own.
    fn whole(self, recipe: &str, folder: &Path) -> String {
        let folder = folder.display();
        match self {
            Self::Caddy => format!("{{\n\tadmin off\n\tauto_https off\n}}\n{recipe}"),
            Self::Nginx => {
                let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
                    .map(|kind| format!("{kind}_temp_path {folder}/{kind};\n"));
                format!(
                    "daemon off;\nmaster_process off;\npid {folder}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{}{recipe}}}\n",
                    temporary.concat()
                )
            }
        }
    }

    fn command(self, config: &Path, folder: &Path) -> Command {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL"]).arg(program(self.as_str()));
        match self {
            Self::Caddy => command.args(["run", "--adapter", "caddyfile", "--config"]).arg(config),
            Self::Nginx => command.args(["-e", "stderr", "-p"]).arg(folder).arg("-c").arg(config),
        };
        command.env("HOME", folder).env("XDG_DATA_HOME", folder).env("XDG_CONFIG_HOME", folder);
        let said = File::create(folder.join(SAID)).expect("a file");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said);
        command
    }
}

impl Proxy {
    fn await_listening(&mut self) {
        let deadline = Instant::now() + PATIENCE;
        while TcpStream::connect(self.address).is_err() {
            let ended = self.process.try_wait().expect("the proxy is a child");
            let said = || fs::read_to_string(self.folder.path().join(SAID));
            assert!(ended.is_none(), "the proxy does not take its recipe: {:?}", said());
            assert!(Instant::now() < deadline, "the proxy does not listen");
            thread::sleep(POLL);
        }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // It may have ended already.
        let _ended = self.process.kill();
        let _reaped = self.process.wait();
    }
}

/// One that nobody else on this machine takes, since proxies cannot say which port they were given: the address tells the
/// process, and the ports lie beyond those that the system gives out by itself.
fn own_address() -> SocketAddr {
    static TAKEN: AtomicU16 = AtomicU16::new(61_440);
    let [_, high, middle, low] = std::process::id().to_be_bytes();
    let port = TAKEN.fetch_add(1, Ordering::Relaxed);
    SocketAddr::from((Ipv4Addr::new(127, 64 + high, middle, low), port))
}

/// The code of the document that is in this language.
fn block<'d>(document: &'d str, language: &str) -> &'d str {
    let fence = format!("```{language}\n");
    let (_, rest) = document.split_once(&fence).unwrap_or_else(|| panic!("no {language} in the document"));
    rest.split_once("```").expect("a block ends").0
}

/// On PATH, or where `cargo xtask setup` has unpacked it.
fn program(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let tests = std::env::current_exe().expect("the tests know where they are");
    let target = tests.ancestors().nth(3).expect("tests are built into target/<profile>/deps");
    let folders = std::env::split_paths(&path).chain([target.join("tools/bin")]);
    let found = folders.map(|folder| folder.join(name)).find(|program| program.is_file());
    found.unwrap_or_else(|| panic!("{name} is missing: run `cargo xtask setup`"))
}
