//! What judging costs the store: jobs a second of judged jobs over those that nobody judges, and a claim behind one's own answers.
//! The store alone, with no server around it.

use std::collections::HashMap;
use std::time::Instant;

use weevil_e2e::DatabaseKind;
use weevil_model::Capabilities;
use weevil_model::trust::{ErrorShare, Policy, Votes};
use weevil_queue::AttemptKey;

use crate::line::Line;
use crate::measure::Figures;

const DEVICES: i64 = 8;
/// Jobs that a device holds.
const HELD: usize = 32;
/// Jobs that wait for the first copy: more than stand in the open lots of all devices.
const WAITING: usize = 4_000;
/// Turns of all devices that are timed, after some that are not.
const TURNS: i64 = 400;
const WARM: i64 = 80;
/// Copies that the asker has answered itself, in front of its line.
const OWN: [usize; 2] = [1_000, 10_000];
const CLAIMS: usize = 50;
/// Ratios of a row, each of two that are measured one after the other.
const PAIRS: usize = 3;

/// Jobs a second that end with a value, `quorum(2)` over `none`: on SQLite, on MariaDB; the same for `credible(0.001)`.
pub(crate) fn rates(_: usize) -> Vec<Figures> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let rate = |kind, policy| runtime.block_on(rate(kind, policy));
    let ratios = |policy| {
        [DatabaseKind::Sqlite, DatabaseKind::MariaDb]
            .map(|kind| (0..PAIRS).map(|_| rate(kind, policy) / rate(kind, Policy::None)).collect())
    };
    [ratios(quorum()), ratios(credible())].concat()
}

/// The median claim with 10,000 of one's own answers in front over that with 1,000.
pub(crate) fn claim(_: usize) -> Vec<Figures> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let [short, long] = OWN.map(|own| runtime.block_on(median_claim(own)));
    vec![vec![long / short]]
}

fn quorum() -> Policy {
    Policy::Quorum(Votes::new(2).expect("two are a quorum"))
}

fn credible() -> Policy {
    Policy::Credible(ErrorShare::of_millionths(1_000).expect("a share"))
}

async fn rate(kind: DatabaseKind, policy: Policy) -> f64 {
    let mut line = Line::new(kind).await;
    line.judge(policy, DEVICES);
    line.grow(WAITING, Capabilities::JAVASCRIPT).await;
    let mut held: HashMap<i64, Vec<AttemptKey>> = HashMap::new();
    let (mut come, mut ended) = (0, 0);
    let mut began = Instant::now();
    for turn in 0..WARM + TURNS {
        if turn == WARM {
            (began, ended) = (Instant::now(), 0);
        }
        let by = 1 + turn % DEVICES;
        let mine = held.remove(&by).unwrap_or_default();
        let turned = line.turn_of(by, &mine, come, HELD).await;
        (come, ended) = (turned.ended, ended + turned.ended);
        held.insert(by, turned.held);
    }
    ended as f64 / began.elapsed().as_secs_f64()
}

/// Seconds.
async fn median_claim(own: usize) -> f64 {
    let mut line = Line::new(DatabaseKind::Sqlite).await;
    line.judge(quorum(), DEVICES);
    line.grow(own, Capabilities::JAVASCRIPT).await;
    let mine = line.claim_by(1, own).await;
    line.answer(&mine).await;
    line.grow(HELD * CLAIMS, Capabilities::JAVASCRIPT).await;
    let mut times = Vec::with_capacity(CLAIMS);
    for _ in 0..CLAIMS {
        let began = Instant::now();
        let claimed = line.claim_by(1, HELD).await;
        times.push(began.elapsed().as_secs_f64());
        assert_eq!(claimed.len(), HELD, "others wait behind its own");
    }
    times.sort_by(f64::total_cmp);
    times[CLAIMS / 2]
}
