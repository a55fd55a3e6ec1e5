//! What a claim costs by the length of the line: the store alone, with no server around it.

use std::time::Instant;

use weevil_e2e::DatabaseKind;
use weevil_model::Capabilities;

use crate::line::Line;
use crate::measure::Figures;

const LINES: [usize; 3] = [1_000, 100_000, 1_000_000];
/// Jobs that nobody can take, before all others in the order.
const UNMATCHED: usize = 10_000;
/// Jobs of one claim, as a feeder under load asks for them.
const JOBS: usize = 32;
/// Every claim is followed by as many new jobs, so that the line keeps its length.
const CLAIMS: usize = 200;

/// The median claim with a long line over that with a short one: 100,000 and 1,000,000 jobs over 1,000; and 1,000 behind
/// 10,000 that match nobody over 1,000, on each database.
pub(crate) fn ratios(_: usize) -> Vec<Figures> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let claim = |kind, line, unmatched| runtime.block_on(median_claim(kind, line, unmatched));
    let [short, long, longest] = LINES.map(|line| claim(DatabaseKind::Sqlite, line, 0));
    let behind = |kind| claim(kind, LINES[0], UNMATCHED);
    let (sqlite, mariadb) = (behind(DatabaseKind::Sqlite), behind(DatabaseKind::MariaDb));
    let mariadb_short = claim(DatabaseKind::MariaDb, LINES[0], 0);
    [long / short, longest / short, sqlite / short, mariadb / mariadb_short].map(|ratio| vec![ratio]).into()
}

/// Seconds.
async fn median_claim(kind: DatabaseKind, length: usize, unmatched: usize) -> f64 {
    let mut line = Line::new(kind).await;
    line.grow(unmatched, Capabilities::JAVASCRIPT.and(Capabilities::WEBCL)).await;
    line.grow(length, Capabilities::JAVASCRIPT).await;
    let mut times = Vec::with_capacity(CLAIMS);
    for _ in 0..CLAIMS {
        let began = Instant::now();
        let claimed = line.claim(JOBS).await;
        times.push(began.elapsed().as_secs_f64());
        assert_eq!(claimed.len(), JOBS, "the line is long enough");
        line.grow(JOBS, Capabilities::JAVASCRIPT).await;
    }
    times.sort_by(f64::total_cmp);
    times[CLAIMS / 2]
}
