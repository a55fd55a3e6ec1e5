//! Who of the connected workers may have a judged job that waits for one, and what keeps the others away: for people.
//!
//! Counts by what the feeder has said last. Decides nothing: whom a job is handed to, the store says when somebody asks.

use weevil_model::needs::MAX_MEMORY_MB;
use weevil_model::trust::{AssumedShare, Policy, Votes};
use weevil_model::witness::{Engine, Rank, Witness};
use weevil_model::{Capabilities, Needs, NodeState, Timestamp};
use weevil_records::JobRecord;
use weevil_trust::{OpenFleet, Plan};

use crate::fleet::FleetWorker;

/// Each worker is counted once, by the first reason that keeps it away.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobFleet {
    pub connected: u32,
    /// Nothing keeps these away.
    pub may: u32,
    /// Established and trusted ones that could run it.
    pub known: u32,
    /// None but these are asked.
    pub known_only: bool,
    /// So many devices have to agree on it at least, those that have answered among them.
    pub needed: u32,
    /// They could be somebody who has answered it.
    pub answered: u32,
    pub keyless: u32,
    pub resting: u32,
    /// When the first of these rests ends.
    pub rests_until: Option<Timestamp>,
    /// Engines that its code is not for.
    pub left_out: Vec<Engine>,
}

/// The workers as witnesses, in their order.
pub fn witnesses(workers: &[FleetWorker]) -> Vec<Witness> {
    workers.iter().map(|worker| worker.witness).collect()
}

/// `overlaps`: which of the workers could be somebody who has answered it. `assumed`: the share of all work that liars are assumed to do.
pub fn job_fleet(
    job: &JobRecord,
    workers: &[FleetWorker],
    overlaps: &[bool],
    assumed: AssumedShare,
) -> JobFleet {
    let is_known = |worker: &&FleetWorker| worker.rank != Rank::Newcomer && worker.has.meet(job.needs);
    let known: Vec<Witness> = workers.iter().filter(is_known).map(|worker| worker.witness).collect();
    let is_closed = job.trust.is_by_lots() && !OpenFleet::of(&known).0;
    let left_out = Engine::ALL.into_iter().filter(|engine| !is_for(job.needs, *engine)).collect();
    let mut fleet = JobFleet {
        connected: count(workers.len()),
        known: count(known.len()),
        known_only: is_closed && job.state == NodeState::Answered,
        needed: needed(job, assumed),
        left_out,
        ..JobFleet::default()
    };
    let overlaps = overlaps.iter().copied().chain(std::iter::repeat(false));
    for (worker, overlaps) in workers.iter().zip(overlaps).filter(|(worker, _)| worker.has.meet(job.needs)) {
        fleet.add(worker, overlaps, is_closed);
    }
    fleet
}

impl JobFleet {
    fn add(&mut self, worker: &FleetWorker, overlaps: bool, is_closed: bool) {
        let is_new = worker.rank == Rank::Newcomer;
        if let Some(until) = worker.rests_until {
            self.resting += 1;
            self.rests_until = Some(self.rests_until.map_or(until, |first| first.min(until)));
        } else if overlaps {
            self.answered += 1;
        } else if is_closed && is_new && worker.device.is_none() {
            self.keyless += 1;
        } else if !(self.known_only && is_new) {
            self.may += 1;
        }
    }
}

/// An element of a pool that is checked is computed twice at least, what is a lot by itself as often as its plan says.
fn needed(job: &JobRecord, assumed: AssumedShare) -> u32 {
    match job.trust {
        Policy::None => 0,
        Policy::Quorum(votes) => votes.get().into(),
        Policy::Credible(_) if is_element(&job.path) => 2,
        Policy::Credible(error) => {
            Plan::new(error, assumed).map_or(u32::from(Votes::MOST.get()), |plan| plan.alone())
        }
    }
}

/// As far as its path tells, see `weevil_model::pool_of`.
fn is_element(path: &str) -> bool {
    path.rsplit('/').nth(1).is_some_and(|step| step.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a worker that has everything could run it, where this engine runs it.
fn is_for(needs: Needs, engine: Engine) -> bool {
    let everything = Needs { capabilities: Capabilities(u32::MAX), memory_mb: MAX_MEMORY_MB };
    everything.run_by(engine).meet(needs)
}

fn count(many: usize) -> u32 {
    u32::try_from(many).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use weevil_model::{ContentHash, JobId, ProjectId, WorkerId};
    use weevil_queue::Origin;

    use super::*;

    /// Who is connected: device, rank, engine, and until when it rests.
    type Guest = (Option<i64>, Rank, Engine, Option<i64>);

    const NEW: Rank = Rank::Newcomer;
    const KNOWN: Rank = Rank::Established;
    const CHROMIUM: Engine = Engine::Chromium;

    fn worker((device, rank, engine, rests): Guest) -> FleetWorker {
        FleetWorker {
            id: WorkerId::from_number(1).unwrap(),
            agent: String::new(),
            adapter: None,
            keeps_gpu: false,
            duty: None,
            device: device.map(|device| ContentHash::of(&device.to_be_bytes())),
            slots: 1,
            in_flight: 0,
            capacity: 1,
            window: 16,
            done: 0,
            errors: 0,
            expired: 0,
            mflops: 0.0,
            connected_at: Timestamp(0),
            heard_at: Timestamp(0),
            rank,
            rests_until: rests.map(Timestamp),
            witness: Witness { device, engine, ..Witness::nobody("") },
            has: Needs::JAVASCRIPT.run_by(engine),
            suspension: None,
            was_given: false,
        }
    }

    fn job(trust: &str, state: NodeState, needs: Needs) -> JobRecord {
        JobRecord {
            id: JobId::from_number(1).unwrap(),
            project: ProjectId::DEFAULT,
            origin: Origin::Queue("q".into()),
            path: "k".into(),
            code: ContentHash::of(b"code"),
            state,
            waiting: None,
            needs,
            reused: None,
            handed_out: 0,
            failures: 0,
            max_attempts: 1,
            trust: trust.parse().unwrap(),
            is_doubted: false,
            enqueued_at: Timestamp(0),
            ended_at: None,
        }
    }

    #[test]
    fn each_worker_counts_once_by_what_keeps_it_away() {
        let known = [1, 2, 3].map(|device| (Some(device), KNOWN, CHROMIUM, None));
        let new = [(Some(4), NEW, CHROMIUM, None), (None, NEW, CHROMIUM, None)];
        let closed: Vec<Guest> = known.into_iter().chain(new).collect();
        let open: Vec<Guest> = known[1..].iter().copied().chain(new).collect();
        let rests = [(Some(1), NEW, CHROMIUM, Some(9)), (Some(2), NEW, CHROMIUM, Some(7))];
        let (first, check) = (NodeState::Enqueued, NodeState::Answered);
        let counts =
            |connected, may, known| JobFleet { connected, may, known, needed: 2, ..JobFleet::default() };
        for (case, trust, state, guests, overlaps, expected) in [
            ("nobody", "quorum(2)", check, &[][..], &[][..], counts(0, 0, 0)),
            (
                "a quorum takes everybody else",
                "quorum(2)",
                check,
                &closed,
                &[true],
                JobFleet { answered: 1, ..counts(5, 4, 3) },
            ),
            (
                "a first copy is for newcomers too",
                "credible(0.01)",
                first,
                &closed,
                &[],
                JobFleet { keyless: 1, ..counts(5, 4, 3) },
            ),
            (
                "a check is for those who are known",
                "credible(0.01)",
                check,
                &closed,
                &[true],
                JobFleet { known_only: true, answered: 1, keyless: 1, ..counts(5, 2, 3) },
            ),
            ("while few are known, for everybody", "credible(0.01)", check, &open, &[], counts(4, 4, 2)),
            (
                "who rests has none",
                "quorum(2)",
                first,
                &rests,
                &[true],
                JobFleet { resting: 2, rests_until: Some(Timestamp(7)), ..counts(2, 0, 0) },
            ),
        ] {
            let workers: Vec<FleetWorker> = guests.iter().copied().map(worker).collect();
            assert_eq!(
                job_fleet(&job(trust, state, Needs::JAVASCRIPT), &workers, overlaps, AssumedShare::default()),
                expected,
                "{case}"
            );
        }
    }

    #[test]
    fn engines_that_a_job_is_not_for_are_told_and_not_counted() {
        let workers = [Engine::Gecko, CHROMIUM].map(|engine| worker((Some(1), KNOWN, engine, None)));
        let job = job("quorum(2)", NodeState::Enqueued, Needs::JAVASCRIPT.without(Engine::Gecko));
        let left_out = vec![Engine::Gecko];
        let expected =
            JobFleet { connected: 2, may: 1, known: 1, needed: 2, left_out, ..JobFleet::default() };
        assert_eq!(job_fleet(&job, &workers, &[], AssumedShare::default()), expected);
    }

    #[test]
    fn as_many_are_needed_as_the_policy_asks_for() {
        for (trust, path, expected) in [
            ("none", "v/j", 0),
            ("quorum(5)", "v/p/0/x", 5),
            ("credible(0.001)", "v/p/12/x", 2),
            ("credible(0.001)", "v/p/sum", 3),
            ("credible(0.01)", "v/j", 2),
            ("credible(0.0001)", "key", 4),
        ] {
            let job = JobRecord { path: path.into(), ..job(trust, NodeState::Answered, Needs::JAVASCRIPT) };
            assert_eq!(needed(&job, AssumedShare::default()), expected, "{trust} {path}");
        }
    }
}
