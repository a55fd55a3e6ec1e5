//! What it takes to sign in where nobody else does.

use std::path::Path;
use std::thread;
use std::time::Duration;

use weevil_e2e::TestServer;

use crate::measure::Figures;
use crate::somebody::Somebody;

/// Between two, so that each finds the lane of hashes free.
const PAUSE: Duration = Duration::from_millis(200);

/// Milliseconds of one right sign-in from a browser that is known.
pub(crate) fn quiet(binary: &Path, figures: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    let somebody = Somebody::joins(&server);
    let figure = |_| {
        thread::sleep(PAUSE);
        somebody.signs_in()
    };
    vec![(0..figures).map(figure).collect()]
}
