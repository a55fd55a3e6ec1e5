//! A gang among the volunteers of a real server, a twentieth of them: they know each other, see all that any of them was handed, and
//! recognise copies; some come back under new keys. No more of what is believed is wrong than promised, and nobody rests but liars: all of them
//! where they lie all the time.

use std::fmt;
use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use weevil_api::DevicePage;
use weevil_api::routes::Operation;
use weevil_e2e::{FakeWorker, Form, Guest, Random, TestServer, Whispers, liar, pool_workflow, sum_of};
use weevil_model::RunState;
use weevil_protocol::frame::Assignment;

use super::scene::{BEHIND_A_PROXY, browser};
use super::volunteers::{CHROMIUM, compute, end, leave, one};

const JOBS: u32 = 2_000;
/// Jobs of the run in which everybody is honest.
const BEFORE: u32 = 400;
const HONEST: u8 = 38;
const LIARS: u8 = 2;
/// What a liar adds, so that the sum of the pool tells how many lies were believed.
const LIE: f64 = 1e6;
/// About as many answers as a lot has.
const LOT: u32 = 50;
const SEED: u64 = 1;
/// In which whoever has to rest hears of it.
const SOON: Duration = Duration::from_mins(1);

/// Whether a liar lies on a job that nobody has answered yet; `drawn` is from 0 to below 100, the same for the same job, and `turn` counts
/// those that it was handed.
type Lies = fn(drawn: u64, turn: u32) -> bool;

/// How a gang lies.
struct Gang {
    name: &'static str,
    policy: &'static str,
    /// Values believed of which at most one is expected to be wrong.
    one_in: u32,
    lies: Lies,
    /// On copies as well, whoever has answered before.
    is_blind: bool,
    /// All of them are found out.
    rests: bool,
    /// Whoever has to rest comes back at once, under a new key and from another network.
    returns: bool,
}

impl Gang {
    const fn new(name: &'static str, lies: Lies) -> Self {
        Self {
            name,
            policy: "credible(0.01)",
            one_in: 100,
            lies,
            is_blind: false,
            rests: false,
            returns: false,
        }
    }

    /// They lie so often that none of it may get through.
    const fn bold(name: &'static str, is_blind: bool, lies: Lies) -> Self {
        Self { name, policy: "credible(0.001)", one_in: 1000, lies, is_blind, rests: true, returns: false }
    }

    const fn that_returns(self) -> Self {
        Self { returns: true, ..self }
    }
}

impl fmt::Display for Gang {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", self.name, if self.returns { ", which returns" } else { "" })
    }
}

const ALWAYS: Gang = Gang::bold("always", false, |_, _| true);
// What it was while it slept is the run before.
const SLEEPER: Gang = Gang::bold("sleeper", false, |_, turn| turn >= LOT / 10);
const BLIND: Gang = Gang::bold("blind", true, |_, _| true);
const STEADY: Gang = Gang::new("steady", |drawn, _| drawn < 5);
const CLUMP: Gang = Gang::new("clump", |_, turn| turn % LOT < 3);

const GANGS: [Gang; 10] = [
    ALWAYS,
    SLEEPER,
    BLIND,
    STEADY,
    CLUMP,
    ALWAYS.that_returns(),
    SLEEPER.that_returns(),
    BLIND.that_returns(),
    STEADY.that_returns(),
    CLUMP.that_returns(),
];

/// What somebody says of a job, and what the gang knows from then on.
fn say(gang: Option<&Gang>, whispers: &Whispers, turn: &mut u32, job: &Assignment) -> f64 {
    let right = sum_of(&job.input);
    // A reducer's, which the sum could not tell.
    if right >= f64::from(JOBS) {
        return right;
    }
    let mut begins = |gang: &Gang| {
        *turn += 1;
        (gang.lies)(Random::new(SEED, job.key.job.cast_unsigned()).below(100), *turn - 1)
    };
    let lies = whispers
        .lies(job.key.job, |known| gang.is_some_and(|gang| liar(known, gang.is_blind, || begins(gang))));
    if lies { right + LIE } else { right }
}

/// Those who are honest. What they answer the gang learns.
fn honest(
    server: &TestServer,
    whispers: &Whispers,
    numbers: impl Iterator<Item = u8>,
) -> Vec<JoinHandle<()>> {
    let honest = |number| {
        let whispers = whispers.clone();
        one(server, (number, CHROMIUM), move |job| say(None, &whispers, &mut 0, job))
    };
    numbers.map(honest).collect()
}

/// The place of somebody of this gang, and of whoever comes once they have to rest, which each of them says.
fn place(
    server: &TestServer,
    whispers: &Whispers,
    (number, gang): (u8, &'static Gang),
    rests: Sender<()>,
) -> JoinHandle<()> {
    let mut worker = browser(server, number, CHROMIUM);
    let (address, whispers) = (server.address.clone(), whispers.clone());
    let (mut turn, mut lives) = (0, 1);
    thread::spawn(move || {
        while compute(worker, |job| say(Some(gang), &whispers, &mut turn, job)) {
            let next = if gang.returns { newcomer(&address, (number, lives)) } else { None };
            if rests.send(()).is_err() {
                return;
            }
            let Some(next) = next else { return };
            (worker, turn, lives) = (next, 0, lives + 1);
        }
    })
}

/// Nobody has seen this key or this network before. `None` where the server goes while it joins.
fn newcomer(address: &str, (number, life): (u8, u8)) -> Option<FakeWorker> {
    let network = format!("2001:db8:{life:x}{number:02x}::1");
    let guest = Guest { place: Some(&network), agent: CHROMIUM, ..Guest::default() };
    let mut worker = FakeWorker::try_join_as(address, guest)?;
    let mut key = [u8::MAX; 32];
    key[..2].copy_from_slice(&[number, life]);
    worker.try_introduce_by(&key, address).then_some(worker)
}

fn numbers(nth: usize) -> Range<u8> {
    let first = HONEST + 1 + LIARS * u8::try_from(nth).expect("a few gangs");
    first..first + LIARS
}

/// Runs a pool, and answers how many of its values are lies.
fn lies_believed(server: &TestServer, policy: &str, jobs: u32) -> f64 {
    let input: Vec<String> = (0..jobs).map(|element| element.to_string()).collect();
    let reducer = "function weevil_main(all) { return all.reduce((sum, n) => sum + n, 0) }";
    let pool =
        pool_workflow(&format!("[{}]", input.join(",")), "function weevil_main(n) { return n }", reducer);
    let view = server.api().await_end(&server.api().run_form(&Form::of(&pool).text("trust", policy)).run);
    assert_eq!(view.summary.state, RunState::Finished, "{:?}", view.error);
    let sum = view.result.and_then(|result| result.as_f64()).expect("a number");
    (sum - f64::from(jobs * (jobs - 1) / 2)) / LIE
}

fn resting(server: &TestServer) -> usize {
    let path = format!("{}?limit=1000", Operation::ListDevices.path(&[]));
    let page: DevicePage = server.api().json(&path);
    assert_eq!(page.next, None, "one page has them all");
    page.devices.iter().filter(|device| device.rests_until.is_some()).count()
}

#[test]
fn a_gang_gets_no_more_lies_believed_than_promised() {
    let mut server = TestServer::start(&BEHIND_A_PROXY);
    let mut threads = honest(&server, &Whispers::default(), 1..numbers(GANGS.len()).start);
    assert!(lies_believed(&server, "credible(0.01)", BEFORE).abs() < f64::EPSILON, "nobody lies yet");
    for (nth, gang) in GANGS.iter().enumerate() {
        leave(&mut server, threads);
        // Whoever was here is known by now.
        server.sql("update records set passes = 10 where refuted = 0");
        server.restart();
        let (before, whispers, (rests, rested)) = (resting(&server), Whispers::default(), channel());
        threads = honest(&server, &whispers, 1..=HONEST);
        threads.extend(numbers(nth).map(|number| place(&server, &whispers, (number, gang), rests.clone())));
        let wrong = lies_believed(&server, gang.policy, JOBS);
        assert!(wrong <= f64::from(JOBS / gang.one_in), "{gang}: {wrong} of {JOBS}");
        let found = resting(&server) - before;
        let liars = liars_among(found, &rested);
        assert_eq!(found, liars, "{gang}: of those who rest, liars");
        assert!(!gang.rests || liars >= LIARS.into(), "{gang}: {liars} of {LIARS} rest");
    }
    end(server, threads);
}

/// How many of those who rest say so: a liar does, as soon as it hears of it, and where its gang returns has come back by then.
fn liars_among(resting: usize, rested: &Receiver<()>) -> usize {
    (0..resting).take_while(|_| rested.recv_timeout(SOON).is_ok()).count()
}
