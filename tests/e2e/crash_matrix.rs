//! SIGKILL of the server, and of its database, at random moments under load: no acknowledged result is lost, none is
//! applied twice, no job is stuck, and the whole database is sound afterwards.
//!
//! `WEEVIL_CRASH_ROUNDS` says how often each test kills; without it each takes seconds. The moments are drawn from a
//! seed, in jobs that were handed out or answered; the threads of three processes add the rest of the chance. Every
//! `ROUNDS` the seed and the database are new.

use std::time::Duration;

use serde_json::json;
use weevil_e2e::{
    DatabaseKind, FakeWorker, Fleet, Habits, MariaDb, Random, TestServer, layered, number, pool_workflow,
};
use weevil_model::{NodeState, RunState};
use weevil_protocol::frame::{AttemptKey, Verdict};

const FIRST_SEED: u64 = 44;
/// Kills of one storm.
const ROUNDS: usize = 20;
/// No lease ends by itself within any test's patience: a job that was forgotten stays so and is seen.
const LEASES: &[&str] = &["--lease-seconds", "600", "--heartbeat-seconds", "1"];
const CODE: &str = "function weevil_main(...inputs) { return 1 }";
/// Processors of a pool; its reducer comes on top.
const PROCESSORS: usize = 150;
const LAYERS: usize = 4;
const WIDTH: usize = 12;
/// The first layer are values; the last job takes all of the last layer.
const LAYERED: usize = (LAYERS - 1) * WIDTH + 1;
/// Stand-alone jobs of a round.
const ALONE: usize = 30;
/// Far fewer than a round brings: some answers are lost with the server that gave them.
const JOBS_BETWEEN: u64 = 90;
/// Results that one frame takes.
const RESULTS: usize = 1000;

/// The seeds of as many storms as bring the rounds that are asked for.
fn seeds() -> impl Iterator<Item = u64> {
    let asked = std::env::var("WEEVIL_CRASH_ROUNDS").ok();
    let rounds = asked.map_or(ROUNDS, |rounds| rounds.parse().expect("WEEVIL_CRASH_ROUNDS is a number"));
    (FIRST_SEED..).take(rounds.div_ceil(ROUNDS))
}

/// Half of them do well; the others go without a word, give back, repeat themselves and send garbage.
fn strangers() -> [(usize, Habits); 2] {
    let well = Habits::at_once(8).working(Duration::from_millis(1), Duration::from_millis(8));
    let ill = Habits { vanish: 0.02, give_back: 0.05, repeat: 0.05, garbage: 0.02, ..well };
    [(10, well), (10, ill)]
}

/// A server, its fleet, and the runs that the server has taken on, each with its number of jobs.
struct Storm {
    server: TestServer,
    fleet: Fleet,
    random: Random,
    runs: Vec<(String, usize)>,
    /// Stand-alone jobs that the server has taken on, in the order of their keys.
    alone: Vec<String>,
}

impl Storm {
    fn over(server: TestServer, seed: u64) -> Self {
        println!("seed {seed}");
        let fleet = Fleet::start(&server.address, seed, &strangers());
        Self { server, fleet, random: Random::new(seed, 0), runs: Vec::new(), alone: Vec::new() }
    }

    /// Lets `kill` do its work at random moments, then waits for the end.
    fn rage(mut self, mut kill: impl FnMut(&mut TestServer)) {
        for _ in 0..ROUNDS {
            let (assigned, accepted) = self.moment();
            self.gather();
            self.gather_alone();
            self.fleet.ledger().await_counts(assigned, accepted);
            kill(&mut self.server);
        }
        self.pass();
    }

    /// Two more runs: one of many jobs at once, one of many that wait for others.
    fn gather(&mut self) {
        let input = format!("[{}]", vec!["1"; PROCESSORS].join(","));
        let seed = self.random.below(u64::MAX);
        for (files, jobs) in
            [(pool_workflow(&input, CODE, CODE), PROCESSORS + 1), (layered(LAYERS, WIDTH, seed), LAYERED)]
        {
            self.runs.push((self.server.api().run_when_ready(&files), jobs));
        }
    }

    /// More stand-alone jobs, some of them for later; the last ones once more, as who heard no answer would.
    fn gather_alone(&mut self) {
        let again = self.alone.len().saturating_sub(ALONE);
        let job =
            |n| json!({ "source": CODE, "key": format!("{n}"), "delayMs": n % 3 * 20, "returns": "Number" });
        let jobs: Vec<_> = (again..self.alone.len() + ALONE).map(job).collect();
        let kept = self.server.api().put_jobs_when_ready(&jobs);
        for (kept, known) in kept.iter().zip(&self.alone[again..]) {
            assert_eq!((kept.created, &kept.job), (false, known), "a key is taken once");
        }
        let fresh = kept.into_iter().skip(self.alone.len() - again);
        self.alone.extend(fresh.map(|kept| kept.job));
    }

    /// When the fleet has been handed some more jobs, or has had some more answered, all in all.
    fn moment(&mut self) -> (u64, usize) {
        let more = self.random.below(JOBS_BETWEEN);
        let ledger = self.fleet.ledger();
        if self.random.below(2) == 0 {
            (ledger.assigned() + more, 0)
        } else {
            (0, ledger.accepted().len() + usize::try_from(more).expect("it is small"))
        }
    }

    /// Every run ends, and with it the storm. What was promised has been kept.
    fn pass(mut self) {
        for (run, jobs) in &self.runs {
            let view = self.server.api().await_end(run);
            assert_eq!(
                (view.summary.state, view.result, view.stats.jobs as usize),
                (RunState::Finished, Some(1.into()), *jobs),
                "{run}: {:?}",
                view.error
            );
        }
        for job in &self.alone {
            let result = self.server.api().await_job(job);
            assert_eq!((result.state, result.result), (NodeState::Finished, Some(1.into())), "{job}");
        }
        let ledger = self.fleet.ledger();
        assert_eq!(ledger.unknown(), 0, "each attempt was one of theirs: {ledger}");
        let accepted = ledger.accepted();
        let keys = accepted.iter().flat_map(|(job, tokens)| {
            assert_eq!(tokens.len(), 1, "job {job} takes one result");
            tokens.iter().map(|token| AttemptKey { job: *job, token: *token })
        });
        let keys: Vec<AttemptKey> = keys.collect();
        drop(self.fleet);
        are_kept(&self.server, &keys);
        let audit = self.server.audit();
        let jobs = self.alone.len() + self.runs.iter().map(|(_, jobs)| jobs).sum::<usize>();
        assert_eq!((audit.jobs, audit.open), (jobs as u64, 0), "each job has ended: {audit:?}");
    }
}

/// A result that was accepted is the one that its job ended with: only that one is accepted again.
fn are_kept(server: &TestServer, keys: &[AttemptKey]) {
    let mut worker = FakeWorker::join(&server.address, 0);
    for keys in keys.chunks(RESULTS) {
        let verdicts = worker.report(keys.iter().map(|key| (*key, number(2.0))).collect());
        assert!(verdicts.iter().all(|verdict| *verdict == Verdict::Accepted), "{verdicts:?}");
    }
}

fn kill_the_server(kind: DatabaseKind) {
    for seed in seeds() {
        Storm::over(kind.server_with(LEASES), seed).rage(|server| {
            server.kill();
            server.restart();
        });
    }
}

#[test]
fn the_server_may_be_killed_at_any_moment() {
    kill_the_server(DatabaseKind::Sqlite);
}

#[test]
fn the_server_may_be_killed_at_any_moment_on_mariadb() {
    kill_the_server(DatabaseKind::MariaDb);
}

#[test]
fn mariadb_may_be_killed_at_any_moment() {
    let mut maria = MariaDb::start();
    for seed in seeds() {
        let server = TestServer::start(&[LEASES, &["--database", &maria.database()]].concat());
        Storm::over(server, seed).rage(|_| {
            maria.kill();
            maria.restart();
        });
    }
}
