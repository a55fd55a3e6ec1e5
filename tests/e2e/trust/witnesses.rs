//! Who may answer a job that others have answered: nobody who could be one of them.

use serde_json::json;
use weevil_e2e::{FakeWorker, PlainWorker, TestServer, number};
use weevil_protocol::frame::{Outcome, Verdict};

use super::scene::{
    BEHIND_A_PROXY, answer, cancel, ends, judged_run, next, put_judged, result, story, tab, volunteer,
};

/// How long a worker has to say who it is, milliseconds.
const INTRODUCTION_MS: i64 = 2000;

/// A key, if any, and where its tab comes from.
type Somebody = (Option<u8>, &'static str);

/// Two who ask for the same job, one after the other, and whether the second one gets it.
const PAIRS: &[(&str, Somebody, Somebody, bool)] = &[
    ("strangers", (Some(1), "198.51.100.1"), (Some(2), "203.0.113.1"), true),
    ("one device in two tabs", (Some(1), "198.51.100.1"), (Some(1), "198.51.100.1"), false),
    ("one device that travels", (Some(1), "198.51.100.1"), (Some(1), "203.0.113.1"), false),
    ("two devices of one /24", (Some(1), "198.51.100.1"), (Some(2), "198.51.100.254"), false),
    ("the /24 next to it", (Some(1), "198.51.100.1"), (Some(2), "198.51.101.1"), true),
    ("one /24, once as IPv6", (Some(1), "198.51.100.1"), (Some(2), "::ffff:198.51.100.9"), false),
    ("two devices of one /48", (Some(1), "2001:db8:1:2::1"), (Some(2), "2001:db8:1:ffff::2"), false),
    ("the /48 next to it", (Some(1), "2001:db8:1::1"), (Some(2), "2001:db8:2::1"), true),
    ("two devices at home", (Some(1), "192.168.1.7"), (Some(2), "192.168.1.7"), true),
    ("one device at home", (Some(1), "10.0.0.1"), (Some(1), "10.9.0.1"), false),
    ("nobody twice", (None, "198.51.100.1"), (None, "198.51.100.9"), false),
    ("nobody, and nobody elsewhere", (None, "198.51.100.1"), (None, "203.0.113.1"), true),
    ("nobody, and nobody of the same /48", (None, "2001:db8:1:2::1"), (None, "2001:db8:1:3::1"), false),
    ("nobody, and a device next door", (None, "198.51.100.1"), (Some(2), "198.51.100.9"), false),
    ("nobody, and a device elsewhere", (None, "198.51.100.1"), (Some(2), "203.0.113.1"), true),
    ("a device, and nobody next door", (Some(1), "198.51.100.1"), (None, "198.51.100.9"), false),
    ("nobody at home, and nobody else", (None, "192.168.1.7"), (None, "10.0.0.1"), false),
    ("nobody at home, and a device elsewhere", (None, "100.64.0.1"), (Some(2), "203.0.113.1"), false),
    ("nobody at home, and a device at home", (None, "fd00::1"), (Some(2), "192.168.1.7"), false),
    (
        "what a client says in front of the proxy",
        (Some(1), "198.51.100.1"),
        (Some(2), "203.0.113.1, 198.51.100.9"),
        false,
    ),
];

/// The first one answers a job, of a run or alone. Does the second one get it, or one that comes after it?
fn gets(server: &TestServer, first: &mut FakeWorker, second: &mut FakeWorker, in_run: bool) -> bool {
    let run = in_run.then(|| judged_run(server, "quorum(2)"));
    let job = run.as_ref().map_or_else(|| put_judged(server, "quorum(2)", 2), |(_, job)| *job);
    answer(first, job, number(1.0));
    let later = put_judged(server, "quorum(2)", -1);
    let given = next(second).key.job;
    assert!([job.number(), later.number()].contains(&given), "neither {job} nor {later}");
    match run {
        Some((run, _)) => drop(server.api().cancel(&run)),
        None => cancel(server, job),
    }
    cancel(server, later);
    given == job.number()
}

fn judge_all_pairs(in_run: bool) {
    // All tabs are there from the start, so that those without a key have said nothing for long enough.
    let mut server = TestServer::start(&[&BEHIND_A_PROXY[..], &["--lease-seconds", "600"]].concat());
    let join = |(key, place): Somebody| tab(&server, key, place);
    let tabs: Vec<_> =
        PAIRS.iter().map(|(_, first, second, _)| [first, second].map(|who| join(*who))).collect();
    for ((name, _, _, expected), [mut first, mut second]) in PAIRS.iter().zip(tabs) {
        assert_eq!(gets(&server, &mut first, &mut second, in_run), *expected, "{name}");
    }
    server.audit();
}

#[test]
fn no_two_answers_of_a_job_alone_come_from_witnesses_that_could_be_one() {
    judge_all_pairs(false);
}

#[test]
fn no_two_answers_of_a_runs_job_come_from_witnesses_that_could_be_one() {
    judge_all_pairs(true);
}

#[test]
fn a_header_counts_only_from_a_trusted_proxy() {
    let server = TestServer::start(&[]);
    for (keys, expected) in [([None, None], false), ([Some(1), Some(2)], true), ([Some(1), Some(1)], false)] {
        let [first, second] = keys;
        let mut first = tab(&server, first, "198.51.100.1");
        let mut second = tab(&server, second, "203.0.113.1");
        assert_eq!(gets(&server, &mut first, &mut second, false), expected, "{keys:?}");
    }
}

#[test]
fn a_worker_without_a_key_waits_for_judged_jobs_and_not_for_others() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let job = put_judged(&server, "quorum(2)", 2);
    let open = put_judged(&server, "none", 1);
    let mut nobody = tab(&server, None, "198.51.100.1");
    let fleet = server.api().await_fleet(|fleet| fleet.workers.len() == 1);
    let joined = fleet.workers[0].connected_at;
    let given = next(&mut nobody);
    assert_eq!(given.key.job, open.number(), "it is not known yet who this is");
    nobody.report(vec![(given.key, number(1.0))]);
    answer(&mut nobody, job, number(1.0));
    let waited = story(&server, job).attempts[0].started_at - joined;
    assert!(waited >= INTRODUCTION_MS, "{waited} ms after it joined");
}

#[test]
fn a_worker_stays_who_it_was_at_its_first_judged_job() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let [first, second] = [2, 1].map(|priority| put_judged(&server, "quorum(2)", priority));
    let mut somebody = tab(&server, None, "198.51.100.1");
    let given = next(&mut somebody);
    somebody.introduce(1, &server.address);
    somebody.report(vec![(given.key, number(1.0))]);
    answer(&mut somebody, second, number(1.0));
    for job in [first, second] {
        let said = story(&server, job).attempts.remove(0).answer.expect("an answer");
        assert_eq!(said.device, None, "{job}");
    }
    let mut neighbour = tab(&server, Some(2), "198.51.100.9");
    let later = put_judged(&server, "quorum(2)", 0);
    assert_eq!(next(&mut neighbour).key.job, later.number(), "both have come from its network");
}

#[test]
fn a_plain_worker_is_nobody() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let job = put_judged(&server, "quorum(2)", 2);
    answer(&mut volunteer(&server, 1), job, number(1.0));
    let later = put_judged(&server, "quorum(2)", 1);
    let plain = PlainWorker::join(&server.address);
    let given = plain.job();
    assert_eq!(given.key.job, later.number(), "it could be the one who has answered");
    assert_eq!(plain.values(&[(given.key, "1")]), [Verdict::Accepted]);
    let said = story(&server, later).attempts.remove(0).answer.expect("an answer");
    assert_eq!((said.device, said.engine.as_str(), said.fate), (None, "other", None));
}

#[test]
fn independent_witnesses_who_agree_are_believed() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    for (policy, said, expected, fates) in [
        ("quorum(2)", &[7, 7][..], 7, "aa"),
        ("quorum(2)", &[1, 7, 7], 7, "raa"),
        ("quorum(2)", &[7, 1, 7], 7, "ara"),
        ("quorum(2)", &[1, 2, 3, 2], 2, "rara"),
        ("quorum(3)", &[7, 1, 7, 1, 7], 7, "arara"),
    ] {
        let job = put_judged(&server, policy, 0);
        for (said, key) in said.iter().zip(1..) {
            answer(&mut volunteer(&server, key), job, number(f64::from(*said)));
        }
        assert_eq!(result(&server, job), expected, "{said:?}");
        let story = story(&server, job);
        assert_eq!(story.job.trust.as_deref(), Some(policy));
        let expected: Vec<&str> = fates
            .chars()
            .map(|fate| if fate == 'a' { "completed agreed" } else { "completed refuted" })
            .collect();
        assert_eq!(ends(&story), expected, "{said:?}");
    }
}

/// Each number in another of its forms, as bytes that no two encoders have to agree on.
#[test]
fn equal_values_agree_whatever_their_bytes() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    for (forms, shown) in [
        ([&[0x01][..], &[0xf9, 0x3c, 0x00], &[0xfb, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0]], json!(1)),
        (
            [&[0xf9, 0x7e, 0x00], &[0xfa, 0x7f, 0xc0, 0, 1], &[0xfb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 9]],
            json!({ "$number": "NaN" }),
        ),
        ([&[0x81, 0x18, 0x01], &[0x98, 0x01, 0x01], &[0x81, 0xf9, 0x3c, 0x00]], json!([1])),
    ] {
        let job = put_judged(&server, "quorum(3)", 0);
        for (bytes, key) in forms.iter().zip(1..) {
            answer(&mut volunteer(&server, key), job, Outcome::Value(bytes.to_vec().into()));
        }
        assert_eq!(result(&server, job), shown);
        assert_eq!(ends(&story(&server, job)), ["completed agreed"; 3], "{shown}");
    }
}
