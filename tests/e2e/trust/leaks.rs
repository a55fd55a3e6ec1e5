//! What a judged job tells nobody: volunteers not that it is judged, the database and the log not where they come from.

use std::fs;
use std::path::Path;

use weevil_e2e::{FakeWorker, Guest, TestServer, Wrapped, default_binary, number};
use weevil_protocol::frame::{Assignment, AttemptKey, ServerFrame};

use super::scene::{BEHIND_A_PROXY, answer, judged_run, put_judged, result, story, tab_of, volunteer};

/// The frame that brings the next job, without what no two attempts share.
fn bare_frame(worker: &mut FakeWorker) -> (AttemptKey, Vec<u8>) {
    worker.capacity = 1;
    worker.tell(Vec::new());
    let Some(ServerFrame::Assign { codes, jobs }) = worker.frame() else { panic!("a job is expected") };
    worker.capacity = 0;
    let key = jobs[0].key;
    let bare = |job: Assignment| Assignment { key: AttemptKey { token: 0, ..job.key }, ..job };
    let frame = ServerFrame::Assign { codes, jobs: jobs.into_iter().map(bare).collect() };
    (key, frame.encode())
}

#[test]
fn a_copy_that_is_compared_looks_like_a_first_one() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let job = put_judged(&server, "quorum(3)", 0);
    let mut seen = Vec::new();
    for number_of in 1..=3 {
        let mut worker = volunteer(&server, number_of);
        let (key, frame) = bare_frame(&mut worker);
        assert!(!seen.iter().any(|(token, _)| *token == key.token), "no token is given twice");
        worker.report(vec![(key, number(7.0))]);
        seen.push((key.token, frame));
    }
    assert_eq!(result(&server, job), 7);
    assert!(seen.iter().all(|(_, frame)| *frame == seen[0].1), "{seen:?}");
}

/// Where the volunteers of a test come from, and what tells of it: the texts, and the bytes of an address.
const PLACES: [(&str, &[u8]); 3] = [
    ("198.51.100.77", &[198, 51, 100, 77]),
    ("203.0.113.88", &[203, 0, 113, 88]),
    ("2001:db8:4242:7::9", &[0x20, 0x01, 0x0d, 0xb8, 0x42, 0x42]),
];

fn stands(text: &[u8], bytes: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

/// What a folder and those in it hold.
fn bytes(folder: &Path) -> Vec<u8> {
    let paths = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    paths
        .flat_map(|path| if path.is_dir() { bytes(&path) } else { fs::read(path).unwrap_or_default() })
        .collect()
}

/// The places that stand in these bytes.
fn places(bytes: &[u8]) -> Vec<&'static str> {
    let stands =
        |(text, octets): &&(&'static str, &[u8])| stands(text.as_bytes(), bytes) || stands(octets, bytes);
    PLACES.iter().filter(stands).map(|(text, _)| *text).collect()
}

/// A run and a job that stands alone are answered from each of the places, and one more is not answered by all yet.
fn work(server: &TestServer) {
    let (run, of_run) = judged_run(server, "quorum(3)");
    let alone = put_judged(server, "quorum(3)", 9);
    let open = put_judged(server, "quorum(4)", -9);
    for (key, (place, _)) in (1..).zip(PLACES) {
        let guest = Guest { place: Some(place), agent: "a mark of a browser", ..Guest::default() };
        let mut worker = tab_of(server, Some(key), guest);
        for job in [alone, of_run, open] {
            answer(&mut worker, job, number(7.0));
        }
    }
    assert_eq!(server.api().await_end(&run).result, Some(7.into()));
    assert_eq!(story(server, open).attempts.len(), 3);
}

#[test]
fn no_address_stands_in_the_database_or_the_log() {
    let talkative = Wrapped::by("talkative", &default_binary());
    let server = TestServer::start_binary(&talkative.server(), &BEHIND_A_PROXY);
    work(&server);
    let stored = bytes(server.data());
    assert_eq!(places(&stored), [""; 0], "in the database");
    let log = fs::read(talkative.file("log")).expect("a log");
    assert_eq!(places(&log), [""; 0], "in the log");
    for (place, bytes, there) in
        [("the database", &stored, "weevil_main"), ("the log", &log, "insert into answers")]
    {
        assert!(stands(there.as_bytes(), bytes), "{place} is what was searched");
    }
}

/// What is kept of the networks of a run, or of a job alone, says after the end which were equal, and nothing else.
#[test]
fn networks_are_forgotten_with_the_end() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    work(&server);
    assert_eq!(server.rows("select count(*) from salts"), ["0"], "no open run has judged jobs");
    let of = |condition: &str| {
        server.rows(&format!(
            "select a.network from answers a join jobs j on j.id = a.job where {condition} order by a.number"
        ))
    };
    assert_eq!(of("j.run is null and j.outcome is not null"), ["1", "2", "3"], "the numbers of the attempts");
    let (of_run, open) = (of("j.run is not null"), of("j.run is null and j.outcome is null"));
    assert_eq!((of_run.len(), open.len()), (3, 3));
    assert!(
        of_run.iter().all(|network| !open.contains(network)),
        "{of_run:?} {open:?}: each run has its own numbers"
    );
}
