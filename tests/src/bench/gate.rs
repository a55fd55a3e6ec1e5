//! What the gate costs: the server's own processor time for requests of which it is much of the work, beyond that for others
//! which prove nothing. All are refused for a broken id, over one connection, many at a time.

use std::path::Path;

use weevil_e2e::hostile::Stranger;
use weevil_e2e::{TestServer, cpu_seconds};

use crate::measure::Figures;
use crate::residents;
use crate::sizes::sized;

/// Who asks; each has a rate of its own.
const ASKERS: u8 = 50;
/// Requests of each: less than a minute's rate.
const REQUESTS: u64 = 1100;

/// A row that is open to everybody, and one that is not, with a broken id.
const OPEN: &str = "/blobs/x";
const OWNED: &str = "/api/v1/runs/x";

/// Microseconds of a request of an open row; beyond those of a release without a gate they are what it costs there.
pub(crate) fn open(binary: &Path, figures: usize) -> Vec<Figures> {
    vec![(0..figures).map(|_| open_row(&TestServer::start_binary(binary, &[]))).collect()]
}

/// What a row with a cached token, and one with a cached session, takes beyond an open one, in microseconds.
pub(crate) fn proofs(binary: &Path, figures: usize) -> Vec<Figures> {
    let figure = |_| {
        let server = TestServer::start_binary(binary, &[]);
        let (tokens, sessions) =
            (residents::with_tokens(&server, ASKERS), residents::with_sessions(&server, ASKERS));
        let open = open_row(&server);
        let each = |askers: &[Stranger]| microseconds(&server, askers, OWNED) - open;
        (each(&tokens), each(&sessions))
    };
    let (tokens, sessions) = (0..figures).map(figure).unzip();
    vec![tokens, sessions]
}

fn open_row(server: &TestServer) -> f64 {
    let nobody = vec![server.stranger(); usize::from(ASKERS)];
    // What only the first requests of a server need is not counted.
    microseconds(server, &nobody, OPEN);
    microseconds(server, &nobody, OPEN)
}

/// Processor time of the server for each request.
fn microseconds(server: &TestServer, askers: &[Stranger], path: &str) -> f64 {
    let requests: Vec<u8> = askers.iter().flat_map(|asker| asker.head("GET", path, &[])).collect();
    let times = sized(REQUESTS);
    let mut line = server.stranger().connect();
    let before = cpu_seconds(server.pid());
    for _ in 0..times {
        assert!(line.send(&requests), "the server reads");
        for _ in askers {
            let reply = line.reply().expect("each request is answered");
            assert_eq!(reply.status, 400, "{path}: {}", reply.text());
        }
    }
    (cpu_seconds(server.pid()) - before) * 1e6 / (times as f64 * askers.len() as f64)
}
