//! A worker made of bytes that is welcome: it takes jobs, reports whatever it is told to, and computes nothing.

use super::words::{Claim, Job, Key, Told, hello, results};
use super::{RawSocket, Reply, Stranger};

/// Dropping it vanishes without a word.
#[derive(Debug)]
pub struct ByteWorker {
    pub socket: RawSocket,
    /// As the welcome names it.
    pub id: String,
    /// What each of its frames says that it wants to hold.
    pub capacity: u64,
    /// Jobs that came while something else was waited for.
    waiting: Vec<Job>,
}

impl ByteWorker {
    pub(super) fn join(stranger: &Stranger, capacity: u64) -> Self {
        Self::try_join(stranger, capacity).unwrap_or_else(|reply| panic!("not welcome: {reply:?}"))
    }

    /// One slot. What was answered instead of a welcome: a reply to the upgrade, or what came over the socket.
    pub fn try_join(stranger: &Stranger, capacity: u64) -> Result<Self, Refusal> {
        let mut socket = stranger.upgrade().map_err(Refusal::Reply)?;
        socket.say(&hello(1, capacity));
        match socket.message().map(|message| Told::read(&message)) {
            Some(Told::Welcome { worker: id, .. }) => Ok(Self { socket, id, capacity, waiting: Vec::new() }),
            told => Err(Refusal::Told(told)),
        }
    }

    /// Answers whether the server takes it.
    pub fn say(&mut self, frame: &[u8]) -> bool {
        self.socket.say(frame)
    }

    /// What the server says next, but answers to heartbeats and paces; `None` once the connection has ended.
    pub fn told(&mut self) -> Option<Told> {
        loop {
            match Told::read(&self.socket.message()?) {
                Told::Heard | Told::Pace(_) => {}
                told => return Some(told),
            }
        }
    }

    /// The next jobs, until there are `count` of them, whatever else comes before.
    pub fn jobs(&mut self, count: usize) -> Vec<Job> {
        let mut jobs = std::mem::take(&mut self.waiting);
        while jobs.len() < count {
            match self.told().expect("the connection stays") {
                Told::Assign(more) => jobs.extend(more),
                Told::Refused { message, .. } => panic!("refused: {message}"),
                _ => {}
            }
        }
        self.waiting = jobs.split_off(count);
        jobs
    }

    /// The keys of the next jobs, as many as come at once; `None` once the connection has ended or was refused.
    pub fn next_keys(&mut self) -> Option<Vec<Key>> {
        loop {
            match self.told()? {
                Told::Assign(jobs) => return Some(jobs.iter().map(|job| job.key).collect()),
                Told::Refused { .. } => return None,
                _ => {}
            }
        }
    }

    /// Reports, and waits for the verdict of each, in their order: 0 accepted, 1 superseded, 2 unknown.
    pub fn report(&mut self, claims: &[Claim]) -> Vec<u64> {
        self.say(&results(claims, self.capacity));
        let mut verdicts: Vec<(Key, u64)> = Vec::new();
        while verdicts.len() < claims.len() {
            match self.told().expect("the connection stays") {
                Told::Verdicts(more) => verdicts.extend(more),
                Told::Assign(jobs) => self.waiting.extend(jobs),
                Told::Refused { message, .. } => panic!("refused: {message}"),
                _ => {}
            }
        }
        let verdict = |claim: &Claim| verdicts.iter().find(|(key, _)| *key == claim.key).map(|found| found.1);
        claims.iter().filter_map(verdict).collect()
    }

    /// Answers `count` jobs, as they come, each with this value in CBOR.
    pub fn compute(&mut self, count: usize, value: &[u8]) {
        for _ in 0..count {
            let job = self.jobs(1).remove(0);
            let verdicts = self.report(&[Claim::value(job.key, value)]);
            assert_eq!(verdicts, [0], "{job:?}");
        }
    }
}

/// Why somebody is no worker.
#[derive(Debug)]
pub enum Refusal {
    /// No upgrade, but this answer; `None` where the connection ended.
    Reply(Option<Reply>),
    /// What came instead of a welcome; `None` where the connection ended.
    Told(Option<Told>),
}
