//! What is the fault of a job: engines that differ get no more of it, and a run whose jobs scatter waits.

use std::collections::BTreeSet;
use std::sync::Arc;

use weevil_model::witness::{Engine, Record, Witness};
use weevil_model::{ContentHash, NodeState, Pause, RunPause, Timestamp, Within};
use weevil_queue::batch::{Closing, PausedRun};
use weevil_queue::{Batch, NewJob, Outcomes, Report};
use weevil_records::Scope;
use weevil_trust::limits::{DIFFERED_TIMES, SCATTERED_JOBS};

use crate::bed::{Bed, paths, submission, worker};
use crate::databases::{Kind, on_each_database};
use crate::judged::{device, value};
use crate::lots::{KNOWN, right, wrong};

const POLICY: &str = "credible(0.001)";
/// Workers whose code Gecko runs; Chromium runs that of the others.
const GECKO: [i64; 2] = [8, 9];
const CHROMIUM: [i64; 4] = [1, 2, 3, 4];

impl Bed {
    /// A worker of a device of its own, known, whose code this engine runs.
    pub(crate) fn come_by(&mut self, number: i64, engine: Engine) {
        self.come(&[(number, KNOWN)]);
        let company = Arc::make_mut(&mut self.company);
        company.parties.join(worker(number), Witness { engine, ..device(number) }, Timestamp(0));
        company.parties.learn(&[(number, Record { passes: KNOWN, ..Record::default() })]);
    }

    fn come_all(&mut self) {
        for number in GECKO {
            self.come_by(number, Engine::Gecko);
        }
        for number in CHROMIUM {
            self.come_by(number, Engine::Chromium);
        }
    }

    /// A job of the code of all pools, in front of what else is there.
    async fn put_first(&mut self, path: &str) {
        let job = NewJob { code: ContentHash::of(b"f"), ..self.job(path, 9) };
        self.judge(job, POLICY).await;
    }

    pub(crate) async fn says(&mut self, by: i64, report: Report) -> Outcomes {
        let key = self.claim_one(by).await.unwrap_or_else(|| panic!("nothing for {by}")).key;
        self.now = self.now.plus_ms(1);
        self.apply(Batch { complete: vec![submission(key, report)], ..Batch::default() }).await
    }

    /// Gecko says one thing of a job, and all who run Chromium another.
    async fn differ(&mut self, path: &str) -> Outcomes {
        self.put_first(path).await;
        self.says(GECKO[0], value(wrong(path))).await;
        for by in &CHROMIUM[..3] {
            self.says(*by, value(right(path))).await;
        }
        self.says(CHROMIUM[3], value(right(path))).await
    }

    /// As often as it takes to leave Gecko out. Answers what came of the last time.
    async fn leave_gecko_out(&mut self) -> Outcomes {
        for n in 1..DIFFERED_TIMES {
            assert_eq!(self.differ(&format!("d{n}")).await.left_out, BTreeSet::new());
        }
        self.differ("last").await
    }
}

async fn an_engine_that_differs_gets_no_more_of_the_code_and_nobody_rests(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come_all();
    let outcomes = bed.leave_gecko_out().await;
    assert_eq!(outcomes.left_out, [bed.run].into());
    assert!(outcomes.records.iter().all(|(_, record)| record.rests_until.is_none()), "{outcomes:?}");
    bed.put_first("more").await;
    let other = bed.job("other", 0);
    bed.judge(other, POLICY).await;
    for (by, expected) in [(GECKO[1], &["other"][..]), (CHROMIUM[0], &["more"])] {
        assert_eq!(paths(&bed.claim(&[(by, 9)]).await), expected, "{by}");
    }
}

/// Two who run Chromium agree each time, and both are known.
async fn a_quorum_leaves_engines_out_as_well(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come_all();
    for n in 0..DIFFERED_TIMES {
        let path = format!("q{n}");
        let job = NewJob { code: ContentHash::of(b"f"), ..bed.job(&path, 9) };
        bed.judge(job, "quorum(2)").await;
        bed.says(GECKO[0], value(wrong(&path))).await;
        bed.says(CHROMIUM[0], value(right(&path))).await;
        let left_out = bed.says(CHROMIUM[1], value(right(&path))).await.left_out;
        assert_eq!(left_out.len(), usize::from(n + 1 == DIFFERED_TIMES), "{n}");
    }
    let job = NewJob { code: ContentHash::of(b"f"), ..bed.job("next", 9) };
    bed.judge(job, "quorum(2)").await;
    assert_eq!(bed.claim_one(GECKO[1]).await, None);
    assert!(bed.claim_one(CHROMIUM[2]).await.is_some());
}

/// What the page of such a run says to do.
async fn it_gets_the_code_where_answers_are_compared_otherwise(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come_all();
    bed.leave_gecko_out().await;
    for (path, agree, within, gets) in [
        ("same", "exact", None, false),
        ("near", "near(1e-9)", None, true),
        ("alone", "exact", Some(Within::Engine), true),
    ] {
        let agree = agree.parse().unwrap();
        let job = NewJob { code: ContentHash::of(b"f"), agree, within, ..bed.job(path, 9) };
        bed.judge(job, POLICY).await;
        let got = bed.claim_one(GECKO[1]).await.map(|claimed| claimed.path);
        assert_eq!(got.as_deref(), gets.then_some(path));
    }
    let [left] = &bed.store.left_out(bed.run).await.unwrap()[..] else { panic!("of one way to compare") };
    assert_eq!(left.differences.len(), 2);
}

async fn the_run_names_both_engines_and_two_jobs_with_what_they_said(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come_all();
    bed.leave_gecko_out().await;
    let [left] = &bed.store.run(bed.run).await.unwrap().unwrap().left_out[..] else { panic!("one") };
    assert_eq!(
        (left.code, left.engine, left.leading),
        (ContentHash::of(b"f"), Engine::Gecko, Engine::Chromium)
    );
    let paths: Vec<&str> = left.differences.iter().map(|found| found.path.as_str()).collect();
    assert_eq!(paths, ["last", "d2"]);
    for found in &left.differences {
        assert!(found.said.starts_with("value ") && found.leading_said.starts_with("value "), "{found:?}");
        assert_ne!(found.said, found.leading_said);
    }
}

async fn another_run_of_the_code_leaves_it_out_from_the_start(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come_all();
    bed.leave_gecko_out().await;
    bed.run = bed.add_run().await;
    bed.pool(3, POLICY).await;
    assert_eq!(bed.store.left_out(bed.run).await.unwrap(), [], "nobody has asked yet");
    assert_eq!(bed.claim_one(GECKO[0]).await, None);
    let [left] = &bed.store.left_out(bed.run).await.unwrap()[..] else { panic!("one") };
    assert_eq!((left.engine, &left.differences[..]), (Engine::Gecko, &[][..]));
    assert_eq!(bed.claim(&[(CHROMIUM[0], 9)]).await.len(), 3);
}

async fn what_it_said_in_open_lots_is_asked_for_anew(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come_all();
    bed.pool(4, POLICY).await;
    assert_eq!(bed.compute(GECKO[1], right).await.1, 4);
    bed.leave_gecko_out().await;
    let (_, took) = bed.compute(CHROMIUM[0], right).await;
    assert!(took >= 4, "{took}");
    let close = vec![Closing { run: bed.run, node: "p".into() }];
    bed.apply(Batch { close, ..Batch::default() }).await;
    bed.compute(CHROMIUM[1], right).await;
    bed.compute(CHROMIUM[2], right).await;
    let jobs = bed.store.jobs(bed.run, None, 99).await.unwrap();
    let pool = jobs.iter().filter(|job| job.path.starts_with("p/"));
    assert!(
        pool.clone().count() == 4 && pool.clone().all(|job| job.state == NodeState::Finished),
        "{jobs:?}"
    );
}

/// More of them than one claim passes over.
async fn what_an_engine_may_not_have_hides_nothing_from_it(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come_all();
    bed.leave_gecko_out().await;
    bed.pool(1500, POLICY).await;
    let behind = NewJob { code: ContentHash::of(b"other"), ..bed.job("behind", -1) };
    bed.judge(behind, POLICY).await;
    let (mut claims, mut found) = (0, None);
    while found.is_none() {
        found = bed.claim_one(GECKO[0]).await;
        claims += 1;
        assert!(claims < 9, "they stay in its way");
    }
    assert_eq!(found.unwrap().path, "behind");
}

async fn engines_that_agree_more_often_both_stay(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come_all();
    bed.pool(8, POLICY).await;
    bed.compute(GECKO[1], right).await;
    bed.close().await;
    bed.compute(CHROMIUM[3], right).await;
    bed.come_all();
    for path in ["d1", "d2", "d3"] {
        let outcomes = bed.differ(path).await;
        assert_eq!(outcomes.left_out, BTreeSet::new());
        bed.come_all();
    }
}

/// Each known device says something else.
async fn a_run_whose_jobs_scatter_waits_for_a_person(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come_all();
    for n in 1..=SCATTERED_JOBS {
        let path = format!("s{n}");
        bed.put_first(&path).await;
        let mut last = Outcomes::default();
        for by in [1, 2, 3] {
            last = bed.says(by, value(f64::from(n * 10) + by as f64)).await;
        }
        let pause = RunPause { since: bed.now, why: Pause::Incomparable };
        let paused: &[PausedRun] = &[PausedRun { run: bed.run, pause }];
        assert_eq!(last.paused, if n == SCATTERED_JOBS { paused } else { &[] }, "{n}");
    }
    assert_eq!(
        bed.store.run(bed.run).await.unwrap().unwrap().paused.map(|pause| pause.why),
        Some(Pause::Incomparable)
    );
    assert_eq!(bed.claim_one(4).await, None);
    bed.pause(Scope::Run(bed.run), false).await;
    assert_eq!(bed.store.run(bed.run).await.unwrap().unwrap().paused, None);
    assert_eq!(bed.says(4, value(1.0)).await.paused, [], "it counts anew");
}

on_each_database! {
    an_engine_that_differs_gets_no_more_of_the_code_and_nobody_rests,
    a_quorum_leaves_engines_out_as_well,
    it_gets_the_code_where_answers_are_compared_otherwise,
    the_run_names_both_engines_and_two_jobs_with_what_they_said,
    another_run_of_the_code_leaves_it_out_from_the_start,
    what_it_said_in_open_lots_is_asked_for_anew,
    what_an_engine_may_not_have_hides_nothing_from_it,
    engines_that_agree_more_often_both_stay,
    a_run_whose_jobs_scatter_waits_for_a_person,
}
