//! A gang among the volunteers of a real server: what `trust.rs` plays in memory, with sockets, keys, networks and a database.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;
use weevil_api::DevicePage;
use weevil_api::routes::Operation;
use weevil_e2e::{
    FakeWorker, Form, Guest, PATIENCE, Random, TestServer, Whispers, device_of, liar, number, pool_workflow,
    sum_of,
};
use weevil_gang::{Figures as Played, Kind as Lies};
use weevil_model::RunState;
use weevil_model::witness::{device_name, device_number};
use weevil_protocol::frame::{Assignment, AttemptResult, ClientFrame, ServerFrame};

use crate::notary::{fetch, verify};

/// At a time; as in the plays.
const DEVICES: u64 = 400;
const LIARS: f64 = 0.05;
/// Places that stay the gang's where it returns.
const GANGS: u64 = 20;
const JOBS: u32 = 25_000;
const POLICY: &str = "credible(0.001)";
/// Answers after which a lot of this policy is full, and those that make a device established, twice.
const LOT: u32 = 194;
const ASLEEP: u32 = 20;
/// What a liar adds, so that the sum of the pool tells how many lies were believed.
const LIE: f64 = 1e9;
const HOLDS: u32 = 4;
const RUN: Duration = Duration::from_mins(30);

/// How liars lie, how many answers a device gives before it leaves, and whether the gang comes back under new keys.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gang {
    pub(crate) lies: Lies,
    pub(crate) life: f64,
    pub(crate) returns: bool,
}

/// One run among them.
pub(crate) fn play(binary: &Path, gang: Gang, seed: u64) -> Played {
    let mut server = TestServer::start_binary(binary, &["--trusted-proxy", "127.0.0.1"]);
    server.kill();
    server.sql(&established(seed));
    server.restart();
    let world = Arc::new(World::new(&server.address, gang, seed));
    let (here, joined) = channel();
    let places: Vec<_> = (0..DEVICES)
        .map(|place| {
            let (world, here) = (Arc::clone(&world), here.clone());
            thread::spawn(move || world.fill(place, &here))
        })
        .collect();
    for _ in 0..DEVICES {
        joined.recv_timeout(PATIENCE).expect("everybody joins");
    }
    let played = compute(&server, binary, &world);
    world.over.store(true, Ordering::Relaxed);
    server.kill();
    for place in places {
        place.join().expect("a device ends with its server");
    }
    played
}

/// A pool of numbers that are added up, and its certificate.
fn compute(server: &TestServer, binary: &Path, world: &World) -> Played {
    let input: Vec<String> = (0..JOBS).map(|element| element.to_string()).collect();
    let reducer = "function weevil_main(all) { return all.reduce((sum, n) => sum + n, 0) }";
    let each = "function weevil_main(n) { return n }";
    let pool = pool_workflow(&format!("[{}]", input.join(",")), each, reducer);
    let api = server.api_with(RUN);
    let run = api.run_form(&Form::of(&pool).text("trust", POLICY)).run;
    let view = api.await_end(&run);
    assert_eq!(view.summary.state, RunState::Finished, "{:?}", view.error);
    let folder = TempDir::new().expect("a temporary folder can be made");
    let file = folder.path().join("certificate");
    fetch(server, &run, &file);
    verify(binary, &file);
    let sum = view.result.and_then(|result| result.as_f64()).expect("a number");
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
    let wrong = ((sum - f64::from(JOBS) * f64::from(JOBS - 1) / 2.0) / LIE).round() as u64;
    let (liars_refuted, honest_refuted) = world.resting(server);
    Played {
        accepted: u64::from(JOBS) + 1,
        wrong,
        disputed: 0,
        computed: view.stats.answers.expect("a judged run has answers"),
        honest_refuted,
        liars_refuted,
    }
}

/// The first devices are established.
fn established(seed: u64) -> String {
    let row = |number| format!("({}, 10)", device_number(device_of(&key(seed, number))));
    let rows: Vec<String> = (0..DEVICES).map(row).collect();
    format!("insert into records (device, passes) values {}", rows.join(", "))
}

/// That of the device with this number.
fn key(seed: u64, number: u64) -> [u8; 32] {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&number.to_le_bytes());
    key
}

/// Everybody who was ever here.
struct World {
    address: String,
    gang: Gang,
    seed: u64,
    whispers: Whispers,
    born: AtomicU64,
    over: AtomicBool,
    /// The names of those who lie.
    liars: Mutex<HashSet<String>>,
}

impl World {
    fn new(address: &str, gang: Gang, seed: u64) -> Self {
        Self {
            address: address.to_owned(),
            gang,
            seed,
            whispers: Whispers::default(),
            born: AtomicU64::new(DEVICES),
            over: AtomicBool::new(false),
            liars: Mutex::default(),
        }
    }

    /// One device after the other takes this place; `here` hears of the first.
    fn fill(&self, place: u64, here: &Sender<()>) {
        let mut number = place;
        while let Some(device) = Device::join(self, place, number) {
            if number == place {
                here.send(()).expect("somebody waits for all of them");
            }
            device.stay(self);
            if self.over.load(Ordering::Relaxed) {
                return;
            }
            number = self.born.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// How many devices have to rest: liars, and others.
    fn resting(&self, server: &TestServer) -> (u64, u64) {
        let liars = self.liars.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut counts, mut after) = ((0, 0), String::new());
        loop {
            let path = format!("{}?limit=1000{after}", Operation::ListDevices.path(&[]));
            let page: DevicePage = server.api().json(&path);
            for device in page.devices.iter().filter(|device| device.rests_until.is_some()) {
                let count = if liars.contains(&device.device) { &mut counts.0 } else { &mut counts.1 };
                *count += 1;
            }
            let Some(next) = page.next else { return counts };
            after = format!("&after={next}");
        }
    }
}

struct Device {
    worker: FakeWorker,
    lies: bool,
    random: Random,
    /// Answers until it leaves.
    left: u32,
    /// Jobs that nobody had answered before it.
    first: u32,
    /// It has been honest for long enough.
    is_awake: bool,
    answered: u32,
}

impl Device {
    /// `None` where the server has gone.
    fn join(world: &World, place: u64, number: u64) -> Option<Self> {
        let network = format!("2001:db8:{number:x}::1");
        let guest = Guest { capacity: HOLDS, place: Some(&network), ..Guest::default() };
        let mut worker = FakeWorker::try_join_as(&world.address, guest)?;
        let key = key(world.seed, number);
        if !worker.try_introduce_by(&key, &world.address) {
            return None;
        }
        worker.wait_for_ever();
        let mut random = Random::new(world.seed, number);
        let lies = if world.gang.returns { place < GANGS } else { random.share() < LIARS };
        if lies {
            let mut liars = world.liars.lock().unwrap_or_else(PoisonError::into_inner);
            liars.insert(device_name(device_number(device_of(&key))));
        }
        let left = life(world.gang.life, &mut random);
        Some(Self { worker, lies, random, left, first: 0, is_awake: number < DEVICES, answered: 0 })
    }

    /// Answers until it has enough, hears that it has to rest, or the server goes.
    fn stay(mut self, world: &World) {
        let mut unheard = 0;
        while let Some(frame) = self.worker.any_frame() {
            match frame {
                ServerFrame::Assign { jobs, .. } => {
                    let results = jobs.iter().map(|job| self.answer(world, job)).collect();
                    self.worker.capacity = if self.left == 0 { 0 } else { HOLDS };
                    let capacity = self.worker.capacity;
                    if !self.worker.try_send(&ClientFrame::Results { results, capacity }) {
                        return;
                    }
                    unheard += 1;
                }
                ServerFrame::Verdicts(_) => unheard -= 1,
                ServerFrame::Standing(standing) if standing.rests_until.is_some() => return,
                _ => {}
            }
            if self.left == 0 && unheard == 0 {
                return;
            }
        }
    }

    fn answer(&mut self, world: &World, job: &Assignment) -> AttemptResult {
        let right = sum_of(&job.input);
        // A reducer's lie is one that the sum could not tell.
        let lies = right < f64::from(JOBS) && self.tells_a_lie(world, job.key.job);
        self.left = self.left.saturating_sub(1);
        self.answered += 1;
        self.is_awake |= self.answered >= ASLEEP;
        let said = if lies { right + LIE } else { right };
        AttemptResult { key: job.key, outcome: number(said), slot: 0, compute_us: 1, flops: 0.0, log: None }
    }

    fn tells_a_lie(&mut self, world: &World, job: i64) -> bool {
        let is_blind = matches!(world.gang.lies, Lies::Blind(_));
        world.whispers.lies(job, |known| self.lies && liar(known, is_blind, || self.begins(world.gang.lies)))
    }

    /// It does not see where its lots begin, and counts.
    fn begins(&mut self, lies: Lies) -> bool {
        self.first += 1;
        match lies {
            Lies::Always => true,
            Lies::Steady(share) | Lies::Blind(share) => self.random.share() < share,
            Lies::Sleeper(share) => self.is_awake && self.random.share() < share,
            Lies::Clump(first) => self.is_awake && (self.first - 1) % LOT < first,
            Lies::Unchecked | Lies::Together | Lies::Elsewhere => false,
        }
    }
}

/// From an exponential distribution; at least one.
fn life(mean: f64, random: &mut Random) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped before")]
    let life = (-mean * (1.0 - random.share()).ln()).ceil().clamp(1.0, 1e9) as u32;
    life
}
