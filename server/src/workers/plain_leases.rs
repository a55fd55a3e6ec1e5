//! What a worker without a connection was given: jobs that wait to be fetched, and attempts with their leases.
//!
//! Only counts; asks nobody and tells nobody.

use std::collections::{HashMap, VecDeque};

use weevil_engine::parcel::Parcel;
use weevil_model::Timestamp;
use weevil_model::limits::{MAX_ASSIGN_BYTES, MAX_IN_FLIGHT};
use weevil_protocol::plain::Renewal;
use weevil_queue::decide::term::last_renewal;
use weevil_queue::{AttemptKey, Claimed};

#[derive(Default)]
pub(super) struct PlainLeases {
    /// Every attempt that was assigned and has not ended.
    held: HashMap<AttemptKey, Held>,
    /// Those of them that the worker has not fetched yet.
    ready: VecDeque<Handed>,
    /// Taken back since the worker last heard of it; the newest ones.
    revoked: Vec<AttemptKey>,
}

/// A job, and what counts its input until it is taken.
pub(crate) struct Handed {
    pub job: Claimed,
    pub parcel: Parcel,
}

#[derive(Debug, Clone, Copy)]
struct Held {
    /// The end of its lease.
    deadline: Timestamp,
    last_renewal: Timestamp,
}

impl PlainLeases {
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.held.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn is_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    pub(super) fn assign(&mut self, jobs: Vec<Claimed>, parcel: &Parcel, now: Timestamp) {
        let held = |job: &Claimed| {
            let last_renewal = last_renewal(now, job.timeout_ms);
            (job.key, Held { deadline: job.deadline, last_renewal })
        };
        self.held.extend(jobs.iter().map(held));
        self.ready.extend(jobs.into_iter().map(|job| Handed { job, parcel: parcel.clone() }));
    }

    /// The next jobs to fetch: as many as are wanted, but no more input than one answer may carry, or one job.
    pub(super) fn fetch(&mut self, max: u32) -> Vec<Handed> {
        let mut fetched = Vec::new();
        let mut bytes = 0;
        while let Some(next) = self.ready.front() {
            bytes += next.job.input.as_bytes().len();
            let room = fetched.is_empty() || bytes <= MAX_ASSIGN_BYTES;
            if !room || fetched.len() >= max as usize {
                break;
            }
            fetched.extend(self.ready.pop_front());
        }
        fetched
    }

    /// They could not be fetched after all.
    pub(super) fn put_back(&mut self, jobs: Vec<Handed>) {
        for job in jobs.into_iter().rev() {
            self.ready.push_front(job);
        }
    }

    /// Gives up what nobody came to fetch.
    pub(super) fn give_back(&mut self) -> Vec<AttemptKey> {
        let left: Vec<AttemptKey> = self.ready.drain(..).map(|handed| handed.job.key).collect();
        self.end(&left);
        left
    }

    /// These attempts are over.
    pub(super) fn end(&mut self, attempts: &[AttemptKey]) {
        for attempt in attempts {
            self.held.remove(attempt);
        }
    }

    pub(super) fn revoke(&mut self, attempts: Vec<AttemptKey>) {
        self.end(&attempts);
        self.ready.retain(|handed| !attempts.contains(&handed.job.key));
        self.revoked.extend(attempts);
        let surplus = self.revoked.len().saturating_sub(MAX_IN_FLIGHT as usize);
        self.revoked.drain(..surplus);
    }

    /// What becomes of the leases that the worker wants renewed, and then what was revoked without being named. Beyond
    /// its term a lease is renewed no more: it has as good as expired.
    pub(super) fn renew(
        &mut self,
        attempts: &[AttemptKey],
        now: Timestamp,
        lease_ms: u32,
    ) -> Vec<(AttemptKey, Renewal)> {
        self.forget_expired(now);
        let revoked = std::mem::take(&mut self.revoked);
        let mut told: Vec<_> = attempts
            .iter()
            .map(|key| match self.held.get_mut(key) {
                Some(held) if now <= held.last_renewal => {
                    held.deadline = now.plus_ms(lease_ms.into());
                    (*key, Renewal::Renewed)
                }
                None if revoked.contains(key) => (*key, Renewal::Revoked),
                Some(_) | None => (*key, Renewal::Expired),
            })
            .collect();
        let unnamed = revoked.into_iter().filter(|key| !attempts.contains(key));
        told.extend(unnamed.map(|key| (key, Renewal::Revoked)));
        told
    }

    /// Leases that have ended unrenewed are not held any more; the queue has noticed by itself.
    pub(super) fn forget_expired(&mut self, now: Timestamp) {
        self.held.retain(|_, held| held.deadline >= now);
        self.ready.retain(|handed| handed.job.deadline >= now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::{ContentHash, Encoded, JobId, Needs, RunId, Value, WorkerId};

    const LEASE_MS: u32 = 10;
    const NOW: Timestamp = Timestamp(0);

    fn key(number: i64) -> AttemptKey {
        AttemptKey { job: JobId::from_number(number).unwrap(), token: number }
    }

    fn job(number: i64, bytes: usize) -> Claimed {
        Claimed {
            key: key(number),
            worker: WorkerId::from_number(1).unwrap(),
            project: weevil_model::ProjectId::DEFAULT,
            run: RunId::from_number(1),
            path: "a".into(),
            workflow: ContentHash::of(b"w"),
            workflow_name: "w".into(),
            code: ContentHash::of(b"c"),
            source: "a.js".into(),
            input: Encoded::of(&Value::String("x".repeat(bytes))).unwrap(),
            seed: 1,
            needs: Needs::JAVASCRIPT,
            timeout_ms: 1,
            deadline: Timestamp(10),
            judged: false,
        }
    }

    fn holding(sizes: &[usize]) -> PlainLeases {
        let mut leases = PlainLeases::default();
        let jobs = (1..).zip(sizes).map(|(number, bytes)| job(number, *bytes)).collect();
        leases.assign(jobs, &Parcel::default(), NOW);
        leases
    }

    fn numbers(handed: &[Handed]) -> Vec<i64> {
        handed.iter().map(|handed| handed.job.key.token).collect()
    }

    #[test]
    fn jobs_are_fetched_in_order_within_one_answer() {
        let much = MAX_ASSIGN_BYTES / 2 + 1;
        for (sizes, max, first) in [
            (&[1, 1, 1][..], 2, &[1, 2][..]),
            (&[1, 1, 1], 9, &[1, 2, 3]),
            (&[much, much, 1], 3, &[1]),
            (&[2 * much, 1], 2, &[1]),
        ] {
            let mut leases = holding(sizes);
            let fetched = leases.fetch(max);
            assert_eq!(numbers(&fetched), first, "{sizes:?}");
            leases.put_back(fetched);
            assert_eq!(numbers(&leases.fetch(max)), first, "{sizes:?}");
            assert_eq!(leases.give_back().len(), sizes.len() - first.len());
            assert_eq!(leases.count() as usize, first.len());
        }
    }

    #[test]
    fn a_renewal_says_what_became_of_each() {
        let mut leases = holding(&[1, 1, 1]);
        leases.fetch(3);
        leases.end(&[key(1)]);
        leases.revoke(vec![key(2)]);
        let told = leases.renew(&[key(1), key(3)], Timestamp(9), LEASE_MS);
        assert_eq!(
            told,
            [(key(1), Renewal::Expired), (key(3), Renewal::Renewed), (key(2), Renewal::Revoked)]
        );
        assert_eq!(leases.renew(&[key(3)], Timestamp(19), LEASE_MS), [(key(3), Renewal::Renewed)]);
        assert_eq!(leases.renew(&[key(3)], Timestamp(30), LEASE_MS), [(key(3), Renewal::Expired)]);
        assert_eq!(leases.count(), 0);
    }

    #[test]
    fn what_was_held_for_its_term_is_renewed_no_more() {
        let mut leases = holding(&[1]);
        for (now, told) in [(5, Renewal::Renewed), (600_001, Renewal::Renewed), (600_002, Renewal::Expired)] {
            assert_eq!(leases.renew(&[key(1)], Timestamp(now), 700_000), [(key(1), told)]);
        }
        assert_eq!(leases.count(), 1, "until the lease ends");
    }

    #[test]
    fn what_is_revoked_or_expired_is_not_fetched() {
        let mut leases = holding(&[1, 1]);
        leases.revoke(vec![key(1)]);
        assert_eq!(numbers(&leases.fetch(2)), [2]);
        let mut leases = holding(&[1]);
        leases.forget_expired(Timestamp(11));
        assert!(!leases.is_ready());
    }
}
