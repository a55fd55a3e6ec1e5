//! That a run's statistics follow from its profile.

use std::collections::BTreeMap;

use weevil_model::trust::Policy;
use weevil_model::{Timestamp, WorkerId};
use weevil_queue::decide::effort::Seen;
use weevil_queue::profile::{Computed, Profile};
use weevil_queue::{ClaimedEffort, Effort};

use crate::job_news::Work;
use crate::runs::earlier::Earlier;
use crate::runs::tally::Tally;

const DOCUMENT: &[u8] =
    br#"<workflow><nodes><value id="v" value="1" returntype="Number"/></nodes><finalnode id="v"/></workflow>"#;

fn tally() -> Tally {
    let files = BTreeMap::from([("workflow.xml".to_owned(), DOCUMENT.to_vec())]);
    let plan = weevil_workflow::load(&weevil_workflow::Bundle::new(files).unwrap()).unwrap().plan;
    Tally::new(&plan, Earlier::default(), |_| Policy::None)
}

fn work(by: i64, slot: u32, compute_us: u64, from: i64, to: i64) -> Work {
    let seen = Seen { handed_out: Timestamp(from), reported: Timestamp(to), slots: 2 };
    let effort = Effort::judged(ClaimedEffort { slot, compute_us, flops: 1e6 }, seen);
    Work { worker: WorkerId::from_number(by).unwrap(), place: None, effort }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

#[test]
fn statistics_follow_from_the_profile() {
    for rows in [
        vec![],
        vec![(1, 0, 40_000, 0, 50), (1, 1, 90_000, 0, 100)],
        vec![(1, 0, 9_000, 1_000_000, 1_000_010), (2, 0, 1, 5, 9_000_000), (2, 1, 0, 7, 7)],
        // More than its slot was there for.
        vec![(1, 0, u64::MAX, 0, 400), (1, 0, u64::MAX, 0, 500)],
        // The clock went back.
        vec![(1, 0, 5_000, 700, 10)],
    ] {
        let (mut tally, mut profile) = (tally(), Profile::default());
        for (by, slot, compute_us, from, to) in &rows {
            let (work, at) = (work(*by, *slot, *compute_us, *from, *to), Timestamp(*to));
            tally.worked(work, at);
            profile.worked(&Computed::of(work.worker, &work.effort, at));
        }
        let stats = tally.facts().summary.stats;
        let (sums, slots) = (profile.sums(), profile.slot_sums().unwrap());
        let counted = (u64::from(stats.jobs), stats.slots, stats.wall_ms);
        assert_eq!(counted, (sums.jobs, slots.slots, sums.wall_ms), "{rows:?}");
        let compute_ms = slots.busy_us as f64 / 1000.0;
        for (stat, sum) in [
            (stats.compute_ms, compute_ms),
            (stats.utilisation, ratio(compute_ms, slots.span_ms as f64).min(1.0)),
            (stats.mflops, ratio(sums.flops, sums.wall_ms as f64 * 1000.0)),
        ] {
            assert!((stat - sum).abs() <= sum.abs() * 1e-9, "{rows:?} {stat} {sum}");
        }
    }
}
