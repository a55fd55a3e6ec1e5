//! What is judged: answers as they come, what becomes of them, and how devices and lots stand.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};
use weevil_model::witness::Rank;
use weevil_model::{AnswerRole, ContentHash};
use weevil_queue::{AnswerCounts, Depth};

use super::registry::Label;
use crate::fleet::Fleet;

pub(super) struct TrustMetrics {
    answers: Family<Label, Counter>,
    checks: Family<Label, Counter>,
    refuted: Counter,
    lots: Family<Label, Counter>,
    referee: Counter<f64, AtomicU64>,
}

impl TrustMetrics {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let metrics = Self {
            answers: Family::default(),
            checks: Family::default(),
            refuted: Counter::default(),
            lots: Family::default(),
            referee: Counter::default(),
        };
        let help = "Answers of judged jobs, by what they were asked for";
        registry.register("answers", help, metrics.answers.clone());
        let help = "Answers that were compared with those before them, by who gave them, and those that a proof has decided about";
        registry.register("checks", help, metrics.checks.clone());
        let help = "Answers that were found wrong, since another one was believed";
        registry.register("answers_refuted", help, metrics.refuted.clone());
        let help = "Time in which the server computed modules itself";
        registry.register_with_unit("referee", help, Unit::Seconds, metrics.referee.clone());
        registry.register("lots", "Lots that were decided, by what became of them", metrics.lots.clone());
        metrics.count(&AnswerCounts::default());
        metrics
    }

    /// Each row is there from the start.
    pub(super) fn count(&self, counts: &AnswerCounts) {
        let given = |fits: &dyn Fn(AnswerRole, Rank) -> bool| -> u64 {
            let fitting = counts.given.iter().filter(|((role, rank), _)| fits(*role, *rank));
            fitting.map(|(_, many)| many).sum()
        };
        for role in AnswerRole::ALL {
            add(&self.answers, ("role", role.as_str()), given(&|of, _| of == role));
        }
        let checks = |is_trusted| {
            let is_compared = |role| matches!(role, AnswerRole::Check | AnswerRole::Third);
            given(&|role, rank| is_compared(role) && (rank == Rank::Trusted) == is_trusted)
        };
        add(&self.checks, ("by", "device"), checks(false));
        add(&self.checks, ("by", "trusted"), checks(true).saturating_sub(counts.by_server));
        add(&self.checks, ("by", "referee"), counts.by_server);
        add(&self.checks, ("by", "proof"), counts.by_proof);
        self.refuted.inc_by(counts.refuted);
        add(&self.lots, ("fate", "accepted"), counts.accepted_lots);
        add(&self.lots, ("fate", "refused"), counts.refused_lots);
    }
}

impl TrustMetrics {
    /// The server has computed a job itself.
    pub(super) fn judged(&self, took: Duration) {
        self.referee.inc_by(took.as_secs_f64());
    }
}

fn add(family: &Family<Label, Counter>, label: (&'static str, &'static str), many: u64) {
    family.get_or_create(&[label]).inc_by(many);
}

/// How things stand that are judged.
pub(super) struct TrustGauges {
    answered: Gauge,
    lots: Gauge,
    left_out: Gauge,
    stopped: Gauge,
    devices: Family<Label, Gauge>,
    resting: Gauge,
}

impl TrustGauges {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let devices = Family::default();
        let help = "Connected devices, by how far their answers are believed";
        registry.register("devices", help, devices.clone());
        let mut gauge = |name: &str, help: &str| {
            let gauge = Gauge::default();
            registry.register(name, help, gauge.clone());
            gauge
        };
        Self {
            answered: gauge("jobs_answered", "Jobs whose answer waits for the end of its lot"),
            lots: gauge("lots_open", "Lots that are not decided"),
            left_out: gauge("engines_left_out", "Engines that get no more of some code, for each code"),
            stopped: gauge(
                "codes_stopped",
                "Codes that are stopped since they fail wherever they run, for each queue",
            ),
            resting: gauge("devices_resting", "Connected devices that get no judged jobs for a while"),
            devices,
        }
    }

    pub(super) fn set_depth(&self, depth: &Depth) {
        self.answered.set(depth.answered.cast_signed());
        self.lots.set(depth.lots.cast_signed());
        self.left_out.set(depth.left_out.cast_signed());
        self.stopped.set(depth.stopped.cast_signed());
    }

    /// A device counts once, however many workers it is.
    pub(super) fn set_fleet(&self, fleet: &Fleet) {
        let mut devices: Vec<(ContentHash, Rank, bool)> = fleet
            .workers
            .iter()
            .filter_map(|worker| Some((worker.device?, worker.rank, worker.rests_until.is_some())))
            .collect();
        devices.sort_unstable_by_key(|(device, ..)| *device);
        devices.dedup_by_key(|(device, ..)| *device);
        for rank in Rank::ALL {
            let many = devices.iter().filter(|(_, of, _)| *of == rank).count();
            self.devices.get_or_create(&[("rank", rank.as_str())]).set((many as u64).cast_signed());
        }
        let resting = devices.iter().filter(|(.., rests)| *rests).count();
        self.resting.set((resting as u64).cast_signed());
    }
}

#[cfg(test)]
mod tests {
    use weevil_model::witness::Witness;
    use weevil_model::{Needs, Timestamp, WorkerId};

    use super::*;
    use crate::fleet::FleetWorker;

    #[test]
    fn a_check_is_what_was_asked_for_after_the_first_answer() {
        let metrics = TrustMetrics::register(&mut Registry::default());
        let mut counts = AnswerCounts { refuted: 1, ..AnswerCounts::default() };
        for (earlier, rank) in [
            (0, Rank::Established),
            (0, Rank::Trusted),
            (1, Rank::Newcomer),
            (1, Rank::Trusted),
            (2, Rank::Established),
            (3, Rank::Established),
        ] {
            counts.give(AnswerRole::after(earlier), rank);
        }
        counts.give(AnswerRole::Check, Rank::Trusted);
        counts.give(AnswerRole::Spare, Rank::Established);
        (counts.by_server, counts.by_proof) = (1, 5);
        metrics.count(&counts);
        let answers =
            AnswerRole::ALL.map(|role| metrics.answers.get_or_create(&[("role", role.as_str())]).get());
        let checks = ["device", "trusted", "referee", "proof"]
            .map(|by| metrics.checks.get_or_create(&[("by", by)]).get());
        assert_eq!((answers, checks, metrics.refuted.get()), ([2, 3, 2, 1], [3, 1, 1, 5], 1));
    }

    #[test]
    fn what_is_counted_with_the_queue_is_shown() {
        let gauges = TrustGauges::register(&mut Registry::default());
        gauges.set_depth(&Depth { answered: 4, lots: 3, left_out: 2, stopped: 1, ..Depth::default() });
        let shown = [&gauges.answered, &gauges.lots, &gauges.left_out, &gauges.stopped].map(Gauge::get);
        assert_eq!(shown, [4, 3, 2, 1]);
    }

    #[test]
    fn a_device_counts_once_and_a_worker_without_one_not_at_all() {
        let worker = |number: i64, device: Option<&[u8]>, rank, rests| FleetWorker {
            id: WorkerId::from_number(number).unwrap(),
            agent: String::new(),
            adapter: None,
            keeps_gpu: false,
            duty: None,
            device: device.map(ContentHash::of),
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
            rests_until: Some(Timestamp(1)).filter(|_| rests),
            witness: Witness::nobody(""),
            has: Needs::JAVASCRIPT,
            suspension: None,
            was_given: false,
        };
        let gauges = TrustGauges::register(&mut Registry::default());
        let workers = vec![
            worker(1, Some(b"a"), Rank::Established, false),
            worker(2, None, Rank::Trusted, false),
            worker(3, Some(b"a"), Rank::Established, false),
            worker(4, Some(b"b"), Rank::Newcomer, true),
        ];
        gauges.set_fleet(&Fleet { workers, slots: 4 });
        let ranks = Rank::ALL.map(|rank| gauges.devices.get_or_create(&[("rank", rank.as_str())]).get());
        assert_eq!((ranks, gauges.resting.get()), ([1, 1, 0], 1));
    }
}
