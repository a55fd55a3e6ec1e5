//! A simulated worker from its first connection to the end of the fleet: works, misbehaves, comes back.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, sleep_until};
use weevil_model::{Encoded, Value};
use weevil_protocol::frame::{
    AttemptKey, AttemptResult, ClientFrame, JobError, JobErrorKind, Outcome, ServerFrame, Welcome,
};

use super::habits::Habits;
use super::ledger::Ledger;
use super::link::{Door, Gone, Link};
use super::random::Random;

/// Pauses between two tries to connect.
const AWAY: std::ops::Range<Duration> = Duration::from_millis(20)..Duration::from_millis(200);
/// Silence beyond a lease: the server looks once a second.
const BEYOND_LEASE: Duration = Duration::from_millis(1500);
const GARBAGE_BYTES: usize = 32;

pub(super) struct Life {
    pub door: Door,
    pub habits: Habits,
    pub random: Random,
    pub ledger: Arc<Ledger>,
    /// Bounds how many join at once.
    pub doors: Arc<Semaphore>,
    /// Done, but the connection was gone: for the next one to hand in.
    pub late: Vec<AttemptKey>,
}

/// What a job comes to, and when.
struct Work {
    due: BTreeMap<(Instant, AttemptKey64), AttemptKey>,
    /// When the next heartbeat goes out, and how long after it the one after that.
    heartbeat: (Instant, Duration),
    /// When the last result went out while nothing else was held.
    idle_since: Option<Instant>,
}

/// Orders attempts that are due at the same moment.
type AttemptKey64 = (i64, i64);

impl Work {
    fn add(&mut self, at: Instant, key: AttemptKey) {
        self.due.insert((at, (key.job, key.token)), key);
    }

    fn next(&self) -> Option<Instant> {
        self.due.keys().next().map(|(at, _)| *at)
    }

    fn take_due(&mut self, now: Instant) -> Vec<AttemptKey> {
        let later = self.due.split_off(&(now, (i64::MAX, i64::MAX)));
        std::mem::replace(&mut self.due, later).into_values().collect()
    }

    /// The next heartbeat comes no later than it would have.
    fn set_pace(&mut self, every: Duration) {
        self.heartbeat = (self.heartbeat.0.min(Instant::now() + every), every);
    }

    fn drop_all(&mut self, keys: &[AttemptKey]) {
        self.due.retain(|_, key| !keys.contains(key));
    }
}

impl Life {
    /// Until the runtime ends.
    pub(super) async fn live(mut self) {
        loop {
            if let Ok((link, welcome)) = self.join().await {
                self.ledger.join();
                let _gone = self.work(link, &welcome).await;
                self.ledger.lose();
            }
            sleep(self.random.between(&AWAY)).await;
        }
    }

    async fn join(&self) -> Result<(Link, Welcome), Gone> {
        let _door = self.doors.acquire().await.map_err(|_| Gone)?;
        Link::join(&self.door, self.habits.capacity).await
    }

    /// Until the connection ends.
    async fn work(&mut self, mut link: Link, welcome: &Welcome) -> Result<(), Gone> {
        let lease = Duration::from_millis(welcome.lease_ms.into());
        let every = Duration::from_millis(welcome.heartbeat_ms.into());
        let mut work =
            Work { due: BTreeMap::new(), heartbeat: (Instant::now() + every, every), idle_since: None };
        if !self.late.is_empty() {
            let results = std::mem::take(&mut self.late).into_iter().map(|key| self.result(key)).collect();
            link.send(&ClientFrame::Results { results, capacity: self.habits.capacity }).await?;
        }
        loop {
            let next = work.next();
            tokio::select! {
                frame = link.frame() => self.hear(frame?, &mut work, &mut link).await?,
                () = sleep_until(next.unwrap_or_else(Instant::now)), if next.is_some() => {
                    let done = work.take_due(Instant::now());
                    self.finish(done, &mut work, &mut link, lease).await?;
                }
                () = sleep_until(work.heartbeat.0) => {
                    work.heartbeat.0 = Instant::now() + work.heartbeat.1;
                    let holding = work.due.values().copied().collect();
                    let capacity = self.habits.capacity;
                    link.send(&ClientFrame::Heartbeat { holding, slots: 1, capacity, progress: vec![], duty: None }).await?;
                }
            }
        }
    }

    async fn hear(&mut self, frame: ServerFrame, work: &mut Work, link: &mut Link) -> Result<(), Gone> {
        match frame {
            ServerFrame::Assign { jobs, .. } => {
                self.ledger.assign(jobs.len());
                let now = Instant::now();
                if let Some(since) = work.idle_since.take() {
                    self.ledger.wait(now - since);
                }
                if self.habits.work.is_nothing() {
                    let done = jobs.iter().map(|job| job.key).collect();
                    return self.finish(done, work, link, Duration::ZERO).await;
                }
                for job in jobs {
                    work.add(now + self.random.between(&self.habits.work.range()), job.key);
                }
            }
            ServerFrame::Verdicts(verdicts) => self.ledger.hear(&verdicts),
            ServerFrame::Revoke(keys) => {
                self.ledger.revoke(keys.len());
                work.drop_all(&keys);
            }
            ServerFrame::Pace { heartbeat_ms } => {
                self.ledger.pace(heartbeat_ms);
                work.set_pace(Duration::from_millis(heartbeat_ms.into()));
            }
            // Whoever does not know the frame goes on as if nothing were said.
            ServerFrame::Drain { .. } | ServerFrame::Heard | ServerFrame::Standing(_) => {}
            ServerFrame::Welcome(_) | ServerFrame::Refused { .. } | ServerFrame::SentAway { .. } => {
                return Err(Gone);
            }
        }
        Ok(())
    }

    /// Hands in what is done, as the worker's habits have it.
    async fn finish(
        &mut self,
        done: Vec<AttemptKey>,
        work: &mut Work,
        link: &mut Link,
        lease: Duration,
    ) -> Result<(), Gone> {
        let (mut results, mut given_back) = (Vec::new(), Vec::new());
        for key in done {
            self.misbehave(key, link, lease).await?;
            if self.random.happens(self.habits.give_back) {
                given_back.push(key);
                continue;
            }
            results.push(self.result(key));
            if self.random.happens(self.habits.repeat) {
                results.push(self.result(key));
            }
        }
        let capacity = self.habits.capacity;
        if !given_back.is_empty() {
            link.send(&ClientFrame::Yield { attempts: given_back, capacity }).await?;
        }
        if !results.is_empty() {
            work.idle_since = work.due.is_empty().then(Instant::now);
            link.send(&ClientFrame::Results { results, capacity }).await?;
        }
        Ok(())
    }

    async fn misbehave(&mut self, key: AttemptKey, link: &mut Link, lease: Duration) -> Result<(), Gone> {
        if self.random.happens(self.habits.vanish) {
            return Err(Gone);
        }
        if self.random.happens(self.habits.garbage) {
            let bytes = self.random.bytes(GARBAGE_BYTES);
            link.send_bytes(bytes).await?;
        }
        if self.random.happens(self.habits.stall) {
            sleep(lease + BEYOND_LEASE).await;
            self.late.push(key);
            return Err(Gone);
        }
        Ok(())
    }

    fn result(&mut self, key: AttemptKey) -> AttemptResult {
        let outcome = if self.random.happens(self.habits.fail) {
            let message = format!("error {:02x?}", self.random.bytes(4));
            Outcome::Error(JobError { kind: JobErrorKind::Thrown, message, stack: String::new() })
        } else {
            let one = Encoded::of(&Value::Number(1.0)).expect("numbers are small");
            Outcome::Value(one.as_bytes().to_vec().into())
        };
        AttemptResult { key, outcome, slot: 0, compute_us: 0, flops: 0.0, log: None }
    }
}
