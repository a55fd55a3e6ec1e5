//! Messages and bodies that are small on the wire and would be large in memory: the server's peak stays below a bound, and
//! it answers meanwhile.

use std::thread;

use weevil_e2e::hostile::words::{Claim, Told, results};
use weevil_e2e::hostile::{ByteWorker, RawFrame, Reply, Stranger};
use weevil_e2e::{TestServer, status};
use weevil_model::limits::MAX_BUNDLE_BYTES;

const MAX_PEAK_MB: f64 = 512.0;

/// Four at a time do this, while the server is asked whether it is alive.
fn four_at_once<T: Send>(server: &TestServer, attack: impl Fn(&Stranger) -> T + Sync) -> Vec<T> {
    let stranger = server.owner();
    at_once(server, (0..4).map(|_| || attack(&stranger)))
}

/// All these at a time, while the server is asked whether it is alive.
fn at_once<T: Send>(server: &TestServer, attacks: impl Iterator<Item = impl FnOnce() -> T + Send>) -> Vec<T> {
    let stranger = Stranger::of(&server.address);
    let done = thread::scope(|scope| {
        let attackers: Vec<_> = attacks.map(|attack| scope.spawn(attack)).collect();
        while attackers.iter().any(|attacker| !attacker.is_finished()) {
            assert_eq!(stranger.get("/healthz").status, 200);
        }
        attackers.into_iter().map(|attacker| attacker.join().expect("it is answered")).collect()
    });
    let peak = status(server.pid(), "VmHWM");
    assert!(peak < MAX_PEAK_MB, "{peak} MB");
    done
}

/// An array of as many empty arrays as these bytes hold.
fn empty_arrays(bytes: usize) -> Vec<u8> {
    let count = u32::try_from(bytes).expect("they fit");
    [&[0x9a][..], &count.to_be_bytes(), &vec![0x80; bytes]].concat()
}

/// Each of these values was once made, to be thrown away: half a gigabyte for the one byte that an element takes here.
#[test]
fn forged_values_of_empty_arrays_are_checked_where_they_lie() {
    let server = TestServer::start(&[]);
    let value = empty_arrays(15 << 20);
    let verdicts = four_at_once(&server, |stranger| {
        let mut worker = stranger.join(0);
        worker.report(&[Claim::value((1, 2), &value)])
    });
    // The attempt never existed.
    assert_eq!(verdicts, [[2], [2], [2], [2]]);
}

/// What one thread of the server makes of a message and another one throws away is to be used again, however many places send
/// it: an allocator that kept the half of it for its threads took gigabytes.
#[test]
fn memory_of_large_messages_is_used_again() {
    const THREADS: u8 = 4;
    const EACH: u8 = 8;
    let server = TestServer::start(&["--trusted-proxy", "127.0.0.1", "--lease-seconds", "600"]);
    let claim = Claim::value((1, 2), &empty_arrays(15 << 20));
    let message = &RawFrame::binary(&results(&[claim], 0)).bytes();
    let worker = |number| Stranger::of(&server.address).from(&format!("203.0.113.{number}")).join(0);
    let mut workers: Vec<ByteWorker> = (0..THREADS * EACH).map(worker).collect();
    let turns = workers.chunks_mut(EACH.into()).map(|workers| {
        move || {
            for worker in workers {
                assert!(worker.socket.line.send(message));
                assert!(matches!(worker.told(), Some(Told::Verdicts(_))));
            }
        }
    });
    at_once(&server, turns);
}

/// Bodies of jobs: eleven million elements that were kept as a buffer of serde's, and as values.
#[test]
fn jobs_of_empty_arrays_are_counted_and_packed_without_a_tree() {
    let arrays = |end: &str| format!("[{}{end}]", "[],".repeat(MAX_BUNDLE_BYTES / 3 - 100));
    let source = r#""source":"function weevil_main() { return 1 }""#;
    for (what, body, status, code) in [
        ("an array of them for jobs", arrays("[]"), 413, "tooManyJobs"),
        ("an input", format!(r#"{{{source},"input":{}}}"#, arrays(r#"{"$bad":1}"#)), 422, "badJob"),
        ("an unknown field", format!(r#"{{{source},"inputs":{}}}"#, arrays("[]")), 422, "badJob"),
    ] {
        let server = TestServer::start(&[]);
        let replies: Vec<Reply> = four_at_once(&server, |stranger| {
            stranger.post("/api/v1/jobs", "application/json", body.as_bytes())
        });
        for reply in replies {
            assert_eq!((reply.status, reply.code().as_str()), (status, code), "{what}: {}", reply.text());
        }
    }
}
