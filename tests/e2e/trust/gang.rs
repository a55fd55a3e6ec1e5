//! A gang among the volunteers of a real server, a twentieth of them: they know each other, see all that any of them was handed, and
//! recognise copies. No more of what is believed is wrong than promised, and no more devices rest than lie: all of them where they lie all the time.

use std::thread::JoinHandle;

use weevil_api::DevicePage;
use weevil_api::routes::Operation;
use weevil_e2e::{Form, Random, TestServer, Whispers, liar, pool_workflow, sum_of};
use weevil_model::RunState;
use weevil_protocol::frame::Assignment;

use super::scene::BEHIND_A_PROXY;
use super::volunteers::{CHROMIUM, end, one};

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
}

impl Gang {
    const fn new(name: &'static str, lies: Lies) -> Self {
        Self { name, policy: "credible(0.01)", one_in: 100, lies, is_blind: false, rests: false }
    }

    /// They lie so often that none of it may get through.
    const fn bold(name: &'static str, is_blind: bool, lies: Lies) -> Self {
        Self { name, policy: "credible(0.001)", one_in: 1000, lies, is_blind, rests: true }
    }
}

const GANGS: [Gang; 5] = [
    Gang::bold("always", false, |_, _| true),
    // What it was while it slept is the run before.
    Gang::bold("sleeper", false, |_, turn| turn >= LOT / 10),
    Gang::bold("blind", true, |_, _| true),
    Gang::new("steady", |drawn, _| drawn < 5),
    Gang::new("clump", |_, turn| turn % LOT < 3),
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

/// Everybody who is honest, and one gang; the gangs that are not here have other numbers.
fn everybody(server: &TestServer, gangs: &[(u8, Option<&'static Gang>)]) -> Vec<JoinHandle<()>> {
    let whispers = Whispers::default();
    let honest = (1..=HONEST).map(|number| (number, None));
    honest
        .chain(gangs.iter().copied())
        .map(|(number, gang)| {
            let (whispers, mut turn) = (whispers.clone(), 0);
            one(server, (number, CHROMIUM), move |job| say(gang, &whispers, &mut turn, job))
        })
        .collect()
}

fn numbers(nth: usize) -> impl Iterator<Item = u8> {
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
    let path = format!("{}?limit=100", Operation::ListDevices.path(&[]));
    let page: DevicePage = server.api().json(&path);
    assert_eq!(page.next, None, "one page has them all");
    page.devices.iter().filter(|device| device.rests_until.is_some()).count()
}

#[test]
fn a_gang_gets_no_more_lies_believed_than_promised() {
    let mut server = TestServer::start(&BEHIND_A_PROXY);
    let all: Vec<_> = (0..GANGS.len()).flat_map(numbers).map(|number| (number, None)).collect();
    let mut threads = everybody(&server, &all);
    assert!(lies_believed(&server, "credible(0.01)", BEFORE).abs() < f64::EPSILON, "nobody lies yet");
    for (nth, gang) in GANGS.iter().enumerate() {
        server.kill();
        // Whoever was here is known by now.
        server.sql("update records set passes = 10 where refuted = 0");
        server.restart();
        let before = resting(&server);
        let liars: Vec<_> = numbers(nth).map(|number| (number, Some(gang))).collect();
        threads.extend(everybody(&server, &liars));
        let wrong = lies_believed(&server, gang.policy, JOBS);
        assert!(wrong <= f64::from(JOBS / gang.one_in), "{}: {wrong} of {JOBS}", gang.name);
        let found = resting(&server) - before;
        let most = usize::from(LIARS);
        let least = if gang.rests { most } else { 0 };
        assert!((least..=most).contains(&found), "{}: {found} rest", gang.name);
    }
    end(server, threads);
}
