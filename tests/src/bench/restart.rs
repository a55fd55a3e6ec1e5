//! How soon a server answers that was killed with many open runs.

use std::path::Path;
use std::time::Instant;

use weevil_e2e::{TestServer, layered};

use crate::measure::Figures;

const RUNS: usize = 50;
/// Layers and their width: two thousand nodes and one.
const SHAPE: (usize, usize) = (20, 100);
const SEED: u64 = 5;

/// Milliseconds from the start of the process to its first answer.
pub(crate) fn port(binary: &Path, figures: usize) -> Vec<Figures> {
    let mut server = TestServer::start_binary(binary, &[]);
    let files = layered(SHAPE.0, SHAPE.1, SEED);
    for _ in 0..RUNS {
        server.api().run(&files);
    }
    let figure = |_| {
        server.kill();
        let began = Instant::now();
        server.restart();
        assert_eq!(server.api().answer("/healthz").status, 200);
        began.elapsed().as_secs_f64() * 1000.0
    };
    vec![(0..figures).map(figure).collect()]
}
