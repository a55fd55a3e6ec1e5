//! What it takes the store to refute a device that has said much: in one batch it loses all that waits, and all that rests on its word. The
//! store alone, with no server around it.

use std::time::Instant;

use weevil_e2e::DatabaseKind;
use weevil_model::trust::{ErrorShare, Policy};
use weevil_model::{Capabilities, JobId};
use weevil_queue::AttemptKey;

use crate::line::Line;
use crate::measure::Figures;

/// Who is found wrong; all others are honest, and three of them outvote it.
const LIAR: i64 = 1;
const OTHERS: [i64; 3] = [2, 3, 4];
/// Its answers that are believed already, and as many that wait.
const EACH: usize = 10_000;
const AT_ONCE: usize = 1_000;

/// Milliseconds.
pub(crate) fn refute(_: usize) -> Vec<Figures> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let took = |kind| vec![runtime.block_on(refuted(kind))];
    [DatabaseKind::Sqlite, DatabaseKind::MariaDb].map(took).into()
}

async fn refuted(kind: DatabaseKind) -> f64 {
    let mut line = Line::new(kind).await;
    line.judge(Policy::Credible(ErrorShare::of_millionths(1_000).expect("a share")), 4);
    answer_first(&mut line).await;
    let believed = check(&mut line).await;
    assert!(believed > EACH - AT_ONCE, "all but the last lots are believed: {believed}");
    answer_first(&mut line).await;
    let [first, second, third] = OTHERS;
    let key = line.claim_by(first, 1).await[0];
    line.lie(key).await;
    let again = claim_job(&mut line, second, key.job).await;
    line.lie(again).await;
    let last = claim_job(&mut line, third, key.job).await;
    let began = Instant::now();
    let turned = line.lie(last).await;
    let took = began.elapsed();
    assert!(turned.takes_back, "what was believed is taken back");
    took.as_secs_f64() * 1e3
}

/// The liar gives the first answers of so many jobs.
async fn answer_first(line: &mut Line) {
    line.grow(EACH, Capabilities::JAVASCRIPT).await;
    for _ in 0..EACH / AT_ONCE {
        let held = line.claim_by(LIAR, AT_ONCE).await;
        assert_eq!(held.len(), AT_ONCE, "nobody else takes first ones");
        line.answer(&held).await;
    }
}

/// The others check what was chosen. Answers how many jobs are believed then.
async fn check(line: &mut Line) -> usize {
    let mut believed = 0;
    loop {
        let mut idle = true;
        for by in OTHERS {
            let held = line.claim_by(by, AT_ONCE).await;
            idle &= held.is_empty();
            believed += line.answer(&held).await.ended;
        }
        if idle {
            return believed;
        }
    }
}

/// A copy of this job, among others that it takes with it.
async fn claim_job(line: &mut Line, by: i64, job: JobId) -> AttemptKey {
    loop {
        let held = line.claim_by(by, AT_ONCE).await;
        assert!(!held.is_empty(), "the job asks for one more");
        if let Some(key) = held.into_iter().find(|key| key.job == job) {
            return key;
        }
    }
}
