//! What a judged job tells nobody: volunteers not that it is judged; the database, the log, the metrics and certificates not where
//! volunteers come from, nor what they prove with who they are.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use ring::signature::{Ed25519KeyPair, KeyPair};
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};
use weevil_api::routes::Operation;
use weevil_api::{LinkMade, SessionOpened, TokenMade};
use weevil_e2e::hostile::{Reply, Stranger};
use weevil_e2e::{FakeWorker, Guest, TestServer, Wrapped, default_binary, device_of, number};
use weevil_model::JobId;
use weevil_model::witness::device_number;
use weevil_protocol::frame::{Assignment, AttemptKey, ClientFrame, Identity, ServerFrame, Token};
use weevil_protocol::identity::signed_text;

use super::certificate::hex;
use super::figures::await_gauges;
use super::scene::{BEHIND_A_PROXY, answer, judged_run, put_judged, result, story, tab_of, volunteer};
use super::trusted::device;
use crate::devices::ed25519;

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

/// What tells of somebody, by what it is.
type Traces = Vec<(String, Vec<u8>)>;

/// Those that stand in these bytes.
fn found(traces: &[(String, Vec<u8>)], bytes: &[u8]) -> Vec<String> {
    let found = traces.iter().filter(|(_, trace)| stands(trace, bytes));
    found.map(|(what, _)| what.clone()).collect()
}

fn of_places() -> Traces {
    let both = |(text, octets): (&str, &[u8])| {
        [(text.to_owned(), text.as_bytes().to_vec()), (format!("{text} in bytes"), octets.to_vec())]
    };
    PLACES.into_iter().flat_map(both).collect()
}

/// The bytes themselves, and as programs write them.
fn forms(bytes: &[u8]) -> [Vec<u8>; 6] {
    let texts = [
        hex(bytes),
        STANDARD_NO_PAD.encode(bytes),
        URL_SAFE_NO_PAD.encode(bytes),
        format!("{bytes:?}"),
        bytes.escape_ascii().to_string(),
    ];
    let [hex, base64, base64_url, numbers, escaped] = texts.map(String::into_bytes);
    [bytes.to_vec(), hex, base64, base64_url, numbers, escaped]
}

/// The devices of a test, each by the byte that fills the seed of its key: those of the places, and that of `crate::devices`, which is
/// marked.
const DEVICES: [u8; 4] = [1, 2, 3, 7];

fn of_keys() -> Traces {
    let each = |seed: u8| {
        let pair = Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).expect("32 bytes");
        forms(pair.public_key().as_ref()).map(|form| (format!("the key of device {seed}"), form))
    };
    DEVICES.into_iter().flat_map(each).collect()
}

/// More of each fingerprint than the eight digits that people are told. The database knows devices by them, nobody else does.
fn of_fingerprints() -> Traces {
    let each = |seed: u8| {
        let fingerprint = device_of(&[seed; 32]);
        let longer = fingerprint.to_string()[..12].to_owned().into_bytes();
        let in_decimals = device_number(fingerprint).to_string().into_bytes();
        let forms = forms(fingerprint.as_bytes()).into_iter().chain([longer, in_decimals]);
        forms.map(move |form| (format!("the fingerprint of device {seed}"), form))
    };
    DEVICES.into_iter().flat_map(each).collect()
}

/// A run and a job that stands alone are answered from each of the places, and one more is not answered by all yet. Answers the
/// first two, and who is there.
fn work(server: &TestServer) -> (String, JobId, Vec<FakeWorker>) {
    let (run, of_run) = judged_run(server, "quorum(3)");
    let alone = put_judged(server, "quorum(3)", 9);
    let open = put_judged(server, "quorum(4)", -9);
    let here = (1..).zip(PLACES).map(|(key, (place, _))| {
        let guest = Guest { place: Some(place), agent: "a mark of a browser", ..Guest::default() };
        let mut worker = tab_of(server, Some(key), guest);
        for job in [alone, of_run, open] {
            answer(&mut worker, job, number(7.0));
        }
        worker
    });
    let here = here.collect();
    assert_eq!(server.api().await_end(&run).result, Some(7.into()));
    assert_eq!(story(server, open).attempts.len(), 3);
    (run, alone, here)
}

fn told<T: DeserializeOwned>(reply: &Reply) -> T {
    serde_json::from_slice(&reply.body).expect("the JSON of an answer")
}

/// The secret of a token by which a device is marked. Its owner is invited for that.
fn marking_token(server: &TestServer) -> String {
    let ask = |who: &Stranger, operation: Operation, asked: &Json| {
        let (row, path, body) = (operation.row(), operation.path(&[]), asked.to_string());
        let headers = [("Content-Type", "application/json")];
        let made = who.ask(row.method.as_str(), &path, &headers, body.as_bytes());
        assert_eq!(made.status, 201, "{}", made.text());
        made
    };
    let invited = ask(&server.owner(), Operation::MakeInvite, &json!({ "admin": true }));
    let LinkMade { link, .. } = told(&invited);
    let account =
        json!({ "link": link, "name": "ada", "display": "ada", "password": "seven mauve herons argue" });
    let opened = ask(&server.stranger(), Operation::AcceptLink, &account);
    let cookie = opened.header("set-cookie").and_then(|cookie| cookie.split(';').next()).expect("a cookie");
    let SessionOpened { key } = told(&opened);
    let ada = server.stranger().with("Cookie", cookie).with("x-weevil-session-key", &key);
    let asked = json!({ "name": "lab", "scopes": ["devices:trust"] });
    let TokenMade { secret, .. } = told(&ask(&ada, Operation::MakeToken, &asked));
    secret
}

/// A run that is believed on the word of a device which has shown this token.
fn work_of_marked(server: &TestServer, token: &str) -> (String, FakeWorker) {
    let mut worker = FakeWorker::join(&server.address, 0);
    let identity = ed25519(&signed_text(&worker.nonce, &server.address));
    let token = Some(Token(token.to_owned()));
    worker.send(&ClientFrame::Identity(Identity { token, ..identity }));
    assert!(device(server, "trusted").trusted);
    let (run, job) = judged_run(server, "quorum(2)");
    answer(&mut worker, job, number(7.0));
    assert_eq!(server.api().await_end(&run).result, Some(7.into()));
    (run, worker)
}

#[test]
fn no_address_key_or_token_stands_in_what_is_kept_or_told() {
    const TRUSTED: &str = "weevil_devices{rank=\"trusted\"}";
    let talkative = Wrapped::by("talkative", &default_binary());
    let server = TestServer::start_binary(&talkative.server(), &BEHIND_A_PROXY);
    let token = marking_token(&server);
    let (marked, _marked) = work_of_marked(&server, &token);
    let (run, alone, _here) = work(&server);
    await_gauges(&server, &[("weevil_devices{rank=\"newcomer\"}", 3.0), (TRUSTED, 1.0)]);
    let told = |path: String| {
        let answer = server.api().answer(&path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        answer.text.into_bytes()
    };
    let secret = vec![("the token".to_owned(), token.into_bytes())];
    let hidden = [of_places(), of_keys(), secret].concat();
    let all = [hidden.clone(), of_fingerprints()].concat();
    // What does stand in each is found by the same search.
    for (place, bytes, traces, there) in [
        ("the database", bytes(server.data()), &hidden, "weevil_main"),
        ("the log", fs::read(talkative.file("log")).expect("a log"), &all, "insert into answers"),
        ("the metrics", told(Operation::Metrics.path(&[])), &all, TRUSTED),
        ("the certificate", told(Operation::RunCertificate.path(&[&run])), &all, "\"network\":3"),
        ("that of a job", told(Operation::JobCertificate.path(&[&alone])), &all, "\"network\":3"),
        ("the marked one's", told(Operation::RunCertificate.path(&[&marked])), &all, "\"points\":6"),
    ] {
        assert_eq!(found(traces, &bytes), [""; 0], "in {place}");
        assert!(stands(there.as_bytes(), &bytes), "{place} is what was searched");
    }
}

#[test]
fn what_tells_of_somebody_is_found_in_each_form() {
    let bytes = [0xfb, 0xff, 0x00, b'a'];
    let texts = ["fbff0061", "+/8AYQ", "-_8AYQ", "[251, 255, 0, 97]", "\\xfb\\xff\\x00a"];
    for text in texts {
        let (seen, other) = (format!("..{text}.."), format!("..{}..", &text[1..]));
        let traces = forms(&bytes).map(|form| ("a key".to_owned(), form));
        assert_eq!(found(&traces, seen.as_bytes()), ["a key"], "{text}");
        assert_eq!(found(&traces, other.as_bytes()), [""; 0], "{text}");
    }
}

/// What is kept of the networks of a run, or of a job alone, says after the end which were equal, and nothing else.
#[test]
fn networks_are_forgotten_with_the_end() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    drop(work(&server));
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
