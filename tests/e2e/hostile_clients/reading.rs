//! Large results and who reads them: many at a time, some of whom do not read on, while the server answers everybody.

use std::thread;

use serde_json::Value as Json;
use weevil_e2e::hostile::cbor::{array, boolean, map, text};
use weevil_e2e::hostile::{Line, Reply, Stranger};
use weevil_e2e::{TestServer, files, status};
use weevil_model::limits::MAX_VALUE_BYTES;

/// The server's memory at its peak. Values made of sixteen million numbers would be half a gigabyte for each reader, and
/// their JSON as much again.
const MAX_PEAK_MB: f64 = 512.0;

const SOURCE: &str = "function weevil_main() { return 0 }";

/// One job, whose value is an array.
const WORKFLOW: &str = r#"<workflow><nodes><job id="a" src="a" returntype="Array"/></nodes><edges/>
<finalnode id="a"/></workflow>"#;

/// As many zeros as a value has room for.
fn zeros() -> Vec<u8> {
    let count = MAX_VALUE_BYTES - 5;
    [b"\x9a", &u32::try_from(count).expect("they fit").to_be_bytes()[..], &vec![0; count]].concat()
}

/// The address of the result of a run, and of a job, that came to this value.
fn results(server: &TestServer, value: &[u8]) -> [String; 2] {
    let stranger = Stranger::of(&server.address);
    let mut worker = stranger.join(1);
    let job = server.api().put_job(&serde_json::json!({ "source": SOURCE }));
    worker.compute(1, value);
    let run = server.api().run(&files(&[("workflow.xml", WORKFLOW), ("a.js", SOURCE)]));
    worker.compute(1, value);
    server.api().await_end(&run);
    [format!("/api/v1/runs/{run}/result"), format!("/api/v1/jobs/{}/result", job.job)]
}

/// Asks again where too many others read.
fn read(stranger: &Stranger, path: &str) -> Reply {
    loop {
        let reply = stranger.get(path);
        if reply.status != 429 {
            return reply;
        }
        assert_eq!(reply.code(), "slowDown");
    }
}

/// Asks, and never looks at the answer.
fn stall(stranger: &Stranger, path: &str) -> Line {
    let mut line = stranger.connect();
    assert!(line.send(&stranger.head("GET", path, &[])));
    line
}

#[test]
fn sixteen_million_zeros_are_read_by_eight_two_of_whom_do_not_read_on() {
    let server = TestServer::start(&[]);
    let stranger = server.owner();
    let paths = results(&server, &zeros());
    let _stalled: Vec<Line> = paths.iter().map(|path| stall(&stranger, path)).collect();
    let zeros = vec!["0"; MAX_VALUE_BYTES - 5].join(",");
    thread::scope(|scope| {
        let readers: Vec<_> = (0..6)
            .map(|number| {
                let (stranger, path) = (&stranger, &paths[number % 2]);
                scope.spawn(move || read(stranger, path))
            })
            .collect();
        while readers.iter().any(|reader| !reader.is_finished()) {
            assert_eq!(stranger.get("/healthz").status, 200);
        }
        for reader in readers {
            let reply = reader.join().expect("the answer ends");
            let body = reply.text();
            let result = body.split_once(r#""result":["#).and_then(|(_, rest)| rest.split_once(']'));
            assert_eq!(reply.status, 200);
            // Not `assert_eq`, which would print megabytes.
            assert!(result.is_some_and(|(result, _)| result == zeros), "{} bytes", body.len());
        }
    });
    let peak = status(server.pid(), "VmHWM");
    assert!(peak < MAX_PEAK_MB, "{peak} MB");
}

/// Four turns are for those who may read; a stranger takes none of them.
#[test]
fn a_stranger_who_does_not_read_on_takes_no_turn() {
    let server = TestServer::start(&["--trusted-proxy", "127.0.0.1"]);
    let [path, _] = results(&server, &zeros());
    let place = |number: u32| Stranger::of(&server.address).from(&format!("203.0.113.{number}"));
    let stalled: Vec<Line> = (0..4).map(|number| stall(&place(number), &path)).collect();
    for mut line in stalled {
        let reply = line.reply().expect("a stranger is answered at once");
        assert_eq!((reply.status, reply.code()), (401, "notSignedIn".to_owned()));
    }
    let used = server.api().metrics().get(r#"weevil_budget_used{row="large_reads"}"#);
    assert!(used < 1.0, "{used} turns");
    assert_eq!(server.owner().get(&path).status, 200);
}

/// What is told in pieces is the answer that it would be as a whole.
#[test]
fn a_large_result_has_the_form_of_a_small_one() {
    let server = TestServer::start(&[]);
    let row = |count: usize| {
        let long = "\"\u{1F41B}\\".repeat(count);
        let odd = map(&[
            (text("$undefined"), boolean(true)),
            (text("b"), array(&[vec![0xf7], vec![0xf9, 0x7e, 0]])),
        ]);
        let shown = serde_json::json!({ "$object": {
            "$undefined": true, "b": [{ "$undefined": true }, { "$number": "NaN" }]
        } });
        (array(&[text(&long), odd]), Json::from(vec![long.into(), shown]))
    };
    for count in [1, 100_000] {
        let (value, shown) = row(count);
        for path in results(&server, &value) {
            let reply = server.owner().get(&path);
            let answer: Json = serde_json::from_slice(&reply.body).expect("JSON");
            let names: Vec<&str> =
                answer.as_object().expect("an object").keys().map(String::as_str).collect();
            assert_eq!(names[1..3], ["state", "result"], "{path} {count}");
            assert_eq!(reply.header("content-type"), Some("application/json"), "{path} {count}");
            assert!(answer["result"] == shown, "{path} {count}");
        }
    }
}
