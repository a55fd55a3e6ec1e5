//! Two servers that do any two things at the same time to the same jobs: neither waits for ever, and no job is lost.
//!
//! A third connection holds a row in the middle until each of the two waits or is done: so they meet, however busy the
//! machine is.

use std::sync::Arc;

use sqlx::{AssertSqlSafe, Connection, MySqlConnection};
use tokio::task::JoinHandle;
use weevil_mariadb::MariaDb;
use weevil_model::{JobId, Timestamp};
use weevil_queue::batch::{Change, JobNews};
use weevil_queue::{AttemptEnd, Batch, Cancel, Claimed, Outcomes, Release, Reopen};
use weevil_records::Store;

use super::{Bed, LEASE_MS, batch, complete, number, open, raw};

const JOBS: u32 = 20;

/// What a batch may do to jobs of which copies are out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Claim,
    Complete,
    Renew,
    Release,
    Expire,
    /// Ends whatever their run has.
    Cancel,
    Reopen,
}

const STEPS: [Step; 5] = [Step::Claim, Step::Complete, Step::Renew, Step::Release, Step::Expire];
/// These find jobs by run and path. Only the server that has a run does either: the two do not meet.
const BY_PATH: [Step; 2] = [Step::Cancel, Step::Reopen];

impl Step {
    /// `held` in any order.
    fn batch(self, bed: &mut Bed, worker: i64, held: &[Claimed]) -> Batch {
        let release = |c: &Claimed| Release { key: c.key, end: AttemptEnd::Yielded };
        let reopen = |c: &Claimed| Reopen {
            run: c.run.unwrap(),
            path: c.path.as_str().into(),
            message: "too many bytes".into(),
            anew: false,
        };
        match self {
            Self::Claim => bed.claim(worker, JOBS / 2),
            Self::Complete => complete(held, &number(1.0)),
            Self::Renew => {
                batch(Batch { renew: held.iter().map(|c| c.key.into()).collect(), ..Batch::default() })
            }
            Self::Release => batch(Batch { release: held.iter().map(release).collect(), ..Batch::default() }),
            Self::Expire => batch(Batch { look: true, ..Batch::default() }),
            Self::Cancel => batch(Batch { cancel: vec![Cancel::Run(bed.run)], ..Batch::default() }),
            Self::Reopen => batch(Batch { reopen: held.iter().map(reopen).collect(), ..Batch::default() }),
        }
    }
}

/// The row that is held meanwhile, of the job in the middle.
pub(crate) const GATES: [&str; 2] =
    ["select id from jobs where id = ? for update", "select job from attempts where job = ? for update"];

/// Two servers at one database.
pub(crate) struct Pair {
    pub(crate) bed: Bed,
    pub(crate) servers: [Arc<dyn Store>; 2],
    beside: MySqlConnection,
    pub(crate) now: Timestamp,
    /// Ends of jobs, as they were told.
    told: usize,
}

impl Pair {
    pub(crate) async fn apply(&mut self, server: usize, batch: &Batch) -> Outcomes {
        let outcomes = self.servers[server].apply(batch, self.now).await.unwrap();
        self.note(&outcomes);
        outcomes
    }

    fn note(&mut self, outcomes: &Outcomes) {
        let settled = outcomes.completed.iter().filter_map(|settled| settled.job.as_ref());
        let returned = outcomes.returned.iter().map(|returned| &returned.job);
        let ruled = outcomes.ruled.iter().map(|ruled| &ruled.job);
        let ended = |job: &&JobNews| matches!(job.change, Change::Ended(_));
        self.told += settled.chain(returned).chain(ruled).filter(ended).count();
    }

    /// Ends of jobs that were told so far.
    pub(crate) const fn told(&self) -> usize {
        self.told
    }

    /// Has both do their step at once, to the same jobs, which one of them has in another order.
    async fn both(&mut self, steps: [Step; 2], gate: &'static str, held: &[Claimed]) -> Vec<Claimed> {
        let mut others = held.to_vec();
        others.reverse();
        let [first, second] = steps;
        let batches = [first.batch(&mut self.bed, 2, held), second.batch(&mut self.bed, 3, &others)];
        self.meet(batches, gate, held[held.len() / 2].key.job).await
    }

    /// Has both apply their batch at once, while the gate is held at this job; the second begins when the first is on its way.
    pub(crate) async fn meet(
        &mut self,
        batches: [Batch; 2],
        gate: &'static str,
        middle: JobId,
    ) -> Vec<Claimed> {
        let mut gate_keeper = raw(&self.bed.address).await;
        let mut held_row = gate_keeper.begin().await.unwrap();
        sqlx::query(gate).bind(middle.number()).execute(&mut *held_row).await.unwrap();
        let mut running: Vec<JoinHandle<Outcomes>> = Vec::new();
        for (batch, server) in batches.into_iter().zip(self.servers.clone()) {
            let now = self.now;
            running.push(tokio::spawn(async move { server.apply(&batch, now).await.unwrap() }));
            let done = || running.iter().filter(|task| task.is_finished()).count();
            while self.status("Innodb_row_lock_current_waits").await + done() < running.len() {}
        }
        held_row.commit().await.unwrap();
        let mut claimed = Vec::new();
        for task in running {
            let outcomes = task.await.unwrap();
            self.note(&outcomes);
            claimed.extend(outcomes.claimed);
        }
        claimed
    }

    /// One of the server's own counts: it has no other users.
    async fn status(&mut self, name: &str) -> usize {
        let status = AssertSqlSafe(format!("show global status like '{name}'"));
        let (_, count): (String, String) = sqlx::query_as(status).fetch_one(&mut self.beside).await.unwrap();
        count.parse().unwrap()
    }

    /// Jobs of which a copy is out, or which have a value where one is taken back, through both steps.
    async fn meeting(&mut self, steps: [Step; 2], gate: &'static str) {
        let case = format!("{steps:?} at {gate}");
        let paths: Vec<String> = (0..JOBS).map(|job| format!("{case}, {} {job}", self.bed.token)).collect();
        let put_in = self.bed.enqueue(&paths);
        self.apply(0, &put_in).await;
        let held = self.claim(1, JOBS).await;
        assert_eq!(held.len(), JOBS as usize, "{case}");
        if steps.contains(&Step::Reopen) {
            self.apply(0, &complete(&held, &number(1.0))).await;
        }
        self.both(steps, gate, &held).await;
        assert_eq!(self.status("Innodb_deadlocks").await, 0, "{case}");
        let rest = Step::Cancel.batch(&mut self.bed, 4, &[]);
        self.apply(1, &rest).await;
        let found = weevil_store::audit(&self.bed.address.parse().unwrap()).await.unwrap();
        assert_eq!((found.open, found.broken), (0, vec![]), "{case}");
    }

    /// Jobs of which one copy is out and another is wanted, through both steps to their ends.
    async fn round(&mut self, steps: [Step; 2], gate: &'static str) {
        let case = format!("{steps:?} at {gate}");
        let paths: Vec<String> = (0..JOBS).map(|job| format!("{case}, {job}")).collect();
        let mut put_in = self.bed.enqueue(&paths);
        put_in.enqueue.iter_mut().for_each(|job| job.copies = 2);
        self.apply(0, &put_in).await;
        let held = self.claim(1, JOBS).await;
        assert_eq!(held.len(), JOBS as usize, "{case}");
        self.now = self.now.plus_ms(LEASE_MS);
        let mut claimed = self.both(steps, gate, &held).await;
        assert_eq!(self.status("Innodb_deadlocks").await, 0, "{case}");
        claimed.extend(held);
        self.apply(1, &complete(&claimed, &number(1.0))).await;
        let rest = self.claim(4, JOBS).await;
        self.apply(1, &complete(&rest, &number(1.0))).await;
        assert_eq!(std::mem::take(&mut self.told), JOBS as usize, "each job ends once: {case}");
        let found = weevil_store::audit(&self.bed.address.parse().unwrap()).await.unwrap();
        assert_eq!((found.open, found.broken), (0, vec![]), "{case}");
    }

    async fn claim(&mut self, worker: i64, jobs: u32) -> Vec<Claimed> {
        let claim = self.bed.claim(worker, jobs);
        self.apply(0, &claim).await.claimed
    }
}

/// Two servers at a database of their own.
pub(crate) async fn pair(maria: &MariaDb) -> Pair {
    let (bed, first) = Bed::new(maria).await;
    let servers = [first, open(&bed.address).await];
    let beside = raw(&bed.address).await;
    Pair { bed, servers, beside, now: Timestamp(2), told: 0 }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_at_the_same_jobs_wait_for_each_other_and_lose_nothing() {
    let maria = MariaDb::start();
    let mut pair = pair(&maria).await;
    for first in STEPS {
        for second in STEPS {
            for gate in GATES {
                pair.round([first, second], gate).await;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_that_are_found_by_their_paths_are_locked_in_the_order_of_all_others() {
    let maria = MariaDb::start();
    let mut pair = pair(&maria).await;
    for found in BY_PATH {
        for other in STEPS.into_iter().chain([found]) {
            for gate in GATES {
                pair.meeting([found, other], gate).await;
                pair.meeting([other, found], gate).await;
            }
        }
    }
}
