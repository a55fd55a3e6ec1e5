//! Two servers that do any two things at the same time to the same judged jobs: no answer is lost, each job is believed once, and
//! whatever waits for something goes on.
//!
//! They may get into each other's way, unlike with other jobs: what is kept of lots and devices is found from answers. Then one of them
//! begins again.

use std::sync::Arc;

use sqlx::AssertSqlSafe;
use weevil_model::trust::Policy;
use weevil_model::witness::{Engine, Record, Witness};
use weevil_model::{ContentHash, NodeState};
use weevil_queue::decide::company::Company;
use weevil_queue::{Claimed, Closing, NewJob};
use weevil_records::{RunCourse, RunEnd, RunFacts};

use super::pairs::{GATES, Pair, pair};
use super::*;

const ELEMENTS: usize = 6;
/// Devices that are known, a worker each.
const KNOWN: [i64; 6] = [1, 2, 3, 4, 5, 6];
const POLICY: &str = "credible(0.01)";

#[derive(Debug, Clone, Copy)]
enum Step {
    /// Device 1 answers what it holds of the pool.
    Answer,
    /// Device 1 is found wrong.
    Refute,
    Close,
    /// Looks for leases that are over and lots that are old.
    Look,
    Claim,
}

const STEPS: [Step; 5] = [Step::Answer, Step::Refute, Step::Close, Step::Look, Step::Claim];

/// A pool of which device 1 has answered all but two elements, which it holds, and a job that it has lied about: one more who says
/// otherwise is about to.
struct Scene {
    company: Arc<Company>,
    held: Vec<Claimed>,
    last: Vec<Claimed>,
}

impl Scene {
    async fn of(pair: &mut Pair) -> Self {
        pair.bed.run = pair.bed.another_run(&*pair.servers[0]).await;
        let mut scene = Self { company: company(), held: Vec::new(), last: Vec::new() };
        let lie = Self::job(pair, "lie", false);
        scene.apply(pair, Batch { enqueue: vec![lie], ..Batch::default() }).await;
        for (by, says) in [(1, 1.0), (2, 7.0), (3, 7.0)] {
            let copy = scene.claim(pair, by).await;
            scene.say(pair, &copy, says).await;
        }
        scene.last = scene.claim(pair, 4).await;
        assert_eq!(scene.last.len(), 1);
        let elements = names(ELEMENTS);
        let enqueue = elements.iter().map(|path| Self::job(pair, path, true)).collect();
        scene.apply(pair, Batch { enqueue, ..Batch::default() }).await;
        let mut taken = scene.claim(pair, 1).await;
        scene.held = taken.split_off(ELEMENTS - 2);
        scene.say(pair, &taken, 7.0).await;
        scene
    }

    fn job(pair: &mut Pair, path: &str, in_pool: bool) -> NewJob {
        let trust: Policy = POLICY.parse().unwrap();
        NewJob { trust, in_pool, ..pair.bed.job(path, &number(1.0)) }
    }

    async fn apply(&self, pair: &mut Pair, part: Batch) -> Outcomes {
        let part = batch(Batch { company: self.company.clone(), ..part });
        pair.apply(1, &part).await
    }

    async fn claim(&self, pair: &mut Pair, by: i64) -> Vec<Claimed> {
        let claim = pair.bed.claim(by, 20).claim;
        self.apply(pair, Batch { claim, ..Batch::default() }).await.claimed
    }

    async fn say(&self, pair: &mut Pair, jobs: &[Claimed], says: f64) {
        let complete = complete(jobs, &number(says)).complete;
        self.apply(pair, Batch { complete, ..Batch::default() }).await;
    }

    fn step(&self, step: Step, pair: &mut Pair) -> Batch {
        let part = match step {
            Step::Answer => complete(&self.held, &number(7.0)),
            Step::Refute => complete(&self.last, &number(7.0)),
            Step::Close => {
                let close = vec![Closing { run: pair.bed.run, node: "pool".into() }];
                Batch { close, ..Batch::default() }
            }
            Step::Look => Batch { look: true, ..Batch::default() },
            Step::Claim => pair.bed.claim(5, 20),
        };
        batch(Batch { company: self.company.clone(), ..part })
    }

    /// Device 1 is found wrong at the latest now, before anything is believed of it, and everybody computes what is left. Answers how
    /// it stands then.
    async fn end(&self, pair: &mut Pair) -> Vec<NodeState> {
        self.say(pair, &self.last, 7.0).await;
        let mut states = Vec::new();
        for _ in 0..20 {
            pair.now = pair.now.plus_ms(LEASE_MS);
            for step in [Step::Close, Step::Look] {
                let part = self.step(step, pair);
                pair.apply(0, &part).await;
            }
            for by in KNOWN {
                let jobs = self.claim(pair, by).await;
                self.say(pair, &jobs, 7.0).await;
            }
            let jobs = pair.servers[0].jobs(pair.bed.run, None, 99).await.unwrap();
            states = jobs.iter().map(|job| job.state).collect();
            if states.iter().all(|state| state.is_terminal()) {
                break;
            }
        }
        states
    }
}

fn company() -> Arc<Company> {
    let mut company = Company::default();
    for number in KNOWN {
        let witness = Witness { device: Some(number), network: Some(number), engine: Engine::Other };
        company.parties.join(worker(number), witness, Timestamp(0));
        company.parties.learn(&[(number, Record { passes: 10, ..Record::default() })]);
    }
    Arc::new(company)
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_at_the_same_judged_jobs_lose_no_answer_and_believe_each_once() {
    let maria = MariaDb::start();
    let mut pair = pair(&maria).await;
    let code = ContentHash::of(b"code");
    let agreed =
        AssertSqlSafe(format!("insert into comparisons values (x'{code}', 'exact', 'other', 'other', 9, 0)"));
    sqlx::query(agreed).execute(&mut raw(&pair.bed.address).await).await.unwrap();
    for [first, second] in STEPS.into_iter().flat_map(|first| STEPS.map(|second| [first, second])) {
        for gate in GATES {
            let case = format!("{first:?} and {second:?} at {gate}");
            let scene = Scene::of(&mut pair).await;
            let before = pair.told();
            let batches = [first, second].map(|step| scene.step(step, &mut pair));
            pair.meet(batches, gate, scene.held[0].key.job).await;
            let found = weevil_store::audit(&pair.bed.address.parse().unwrap()).await.unwrap();
            assert_eq!(found.broken, [], "{case}");
            let states = scene.end(&mut pair).await;
            assert_eq!(states, [NodeState::Finished; ELEMENTS + 1], "{case}");
            assert_eq!(pair.told() - before, ELEMENTS + 1, "each is believed once: {case}");
            let found = weevil_store::audit(&pair.bed.address.parse().unwrap()).await.unwrap();
            assert_eq!((found.open, found.broken), (0, vec![]), "{case}");
            // What is found of device 1 the next time has nothing more to do with it.
            let (run, state) = (pair.bed.run, RunState::Finished);
            let end = RunEnd { state, at: pair.now, result: None, facts: RunFacts::default() };
            pair.servers[0].retrace(run, pair.now).await.unwrap();
            assert!(pair.servers[0].end_run(run, &end, &RunCourse::default()).await.unwrap(), "{case}");
        }
    }
}
