//! What strangers take from honest work: jobs a second while a hundred sockets of one process attack, over jobs a second
//! while the same process spends as much on nothing. The attacker is a process of its own, so that it can measure itself.

mod attacks;
mod cut;
mod flood;
mod force;
mod honest;
mod kernel;
mod large;
mod siege;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use weevil_e2e::{TestServer, status};

use crate::measure::Figures;
use crate::subject::knows;
pub(crate) use attacks::ATTACKS;
pub(crate) use cut::cut;
pub(crate) use flood::flooded;
pub(crate) use force::once;
use honest::Honest;
pub(crate) use kernel::bad_kernels;
pub(crate) use large::{check, claim, read};
pub(crate) use siege::siege;

/// How this program is called to be the attacker: then come the attack, the address, the places, the share of a core.
pub(crate) const ONCE: &str = "hostile-once";
const TIME: Duration = Duration::from_secs(30);
/// The attacker's share of one core; where an attack needs less, its peace spends less.
const SHARE: f64 = 0.25;
/// Loopback stands for a proxy that tells of a hundred clients.
const PROXY: [&str; 4] = ["--trusted-proxy", "127.0.0.1/32", "--client-address", "x-forwarded-for"];

/// The ratio of each attack from so many places, then the server's peak and how long `/healthz` took. A server that knows no
/// proxies is attacked from one place only.
pub(crate) fn attacked(binary: &Path, attacks: &[(&str, u32)]) -> Vec<Figures> {
    let proxied = knows(binary, PROXY[0]);
    let server = TestServer::start_binary(binary, if proxied { &PROXY } else { &[] });
    let honest = Honest::start(&server);
    let mut rows: Vec<Figures> = attacks
        .iter()
        .map(|(attack, places)| {
            let meant = proxied || *places == 1;
            meant.then(|| ratio(&server, &honest, attack, *places)).into_iter().collect()
        })
        .collect();
    rows.push(vec![status(server.pid(), "VmHWM")]);
    rows.push(vec![honest.healthz_p99_ms()]);
    rows
}

/// Jobs a second under attack over jobs a second in peace, one after the other.
fn ratio(server: &TestServer, honest: &Honest, attack: &str, places: u32) -> f64 {
    let (attacked, share) = beside(server, honest, (attack, places, SHARE), TIME);
    let (peace, _) = beside(server, honest, (force::PEACE, places, share), TIME);
    eprintln!("{attack} from {places}: {attacked:.0} jobs/s, {peace:.0} in peace, {share:.2} of a core");
    attacked / peace
}

/// Jobs a second while the process works for so long, at what, from how many places and with which share of a core; and the
/// share that it has taken.
fn beside(
    server: &TestServer,
    honest: &Honest,
    (what, places, share): (&str, u32, f64),
    time: Duration,
) -> (f64, f64) {
    let before = honest.done();
    let (took, share) = besiege(server, what, places, share, time);
    ((honest.done() - before) as f64 / took, share)
}

/// Has the process work for so long. Answers the seconds that it took, and its share of a core.
fn besiege(server: &TestServer, what: &str, places: u32, share: f64, time: Duration) -> (f64, f64) {
    let program = std::env::current_exe().expect("this program has a path");
    let (places, share, seconds) = (places.to_string(), share.to_string(), time.as_secs().to_string());
    let words = [ONCE, what, &server.address, &places, &share, &seconds];
    let output = Command::new(program).args(words).output().expect("this program runs");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let (took, share) = told.trim().split_once(' ').unwrap_or_else(|| panic!("{output:?}"));
    let number = |text: &str| text.parse::<f64>().expect("a figure");
    (number(took), number(share))
}
