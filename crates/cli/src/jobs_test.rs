//! What is said of jobs and attempts, word for word.

use weevil_api::{AnswerView, DeviceRank};
use weevil_model::NodeState::{self, Answered, Running};

use super::JobWait::{Check, Code, Delay, Lot, Overdue, Resume, Worker};
use super::*;

const DIGEST: &str = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f809";

pub(crate) fn attempt(
    number: u32,
    end: Option<&str>,
    message: Option<&str>,
    progress: Option<f64>,
) -> AttemptView {
    AttemptView {
        number,
        worker: format!("worker_{number}"),
        started_at: 1_000 * i64::from(number),
        ended_at: end.map(|_| 1_000 * i64::from(number) + 40),
        end: end.map(str::to_owned),
        kind: message.map(|_| "thrown".into()),
        message: message.map(str::to_owned),
        stack: message.map(|_| "at f\nat g".into()),
        compute_us: 0,
        progress,
        log: end.filter(|end| *end != "expired").map(|end| format!("{end}\n\u{1B}[31mred")),
        answer: None,
    }
}

pub(crate) fn job() -> JobView {
    JobView {
        id: "job_1".into(),
        path: "v/j".into(),
        state: NodeState::Running,
        waits: None,
        waits_until: None,
        needs: JobNeeds { capabilities: vec!["javascript".into()], memory_mb: 0 },
        reused: None,
        handed_out: 2,
        failures: 1,
        max_attempts: 3,
        trust: None,
        doubted: false,
        answered: None,
        basis: None,
        worker: None,
        error: None,
        enqueued_at: 900,
        ended_at: None,
    }
}

pub(crate) fn history(job: JobView, attempts: Vec<AttemptView>) -> JobHistory {
    JobHistory {
        run: Some("run_1".into()),
        queue: None,
        stopped_code: None,
        code: "c0de".into(),
        source: "Add.js".into(),
        seed: "0000000000000007".into(),
        workflow: None,
        returns: None,
        timeout_ms: 1_000,
        waited_ms: 5,
        job,
        attempts,
        fleet: None,
    }
}

#[test]
fn a_story_names_each_attempt_and_its_error() {
    let attempts = vec![
        attempt(1, Some("error"), Some("boom"), None),
        attempt(2, Some("expired"), None, Some(0.57)),
        attempt(3, None, None, Some(0.4)),
        attempt(4, None, None, None),
        attempt(5, Some("completed"), None, Some(0.4)),
    ];
    let expected = "job_1 of run_1, node v/j: RUNNING\n1 of 3 attempts failed\n  1. worker_1, waited 100 ms: error \
                    in 40 ms\n     boom\n     at f\n     at g\n     log: error\n     log: \u{FFFD}[31mred\n  2. worker_2, \
                    waited 960 ms: expired in 40 ms, 57 % done\n  3. worker_3, waited 960 ms: runs, \
                    40 % done\n  4. worker_4: runs\n  5. worker_5: completed in 40 ms\n     log: completed\n     \
                    log: \u{FFFD}[31mred\n";
    assert_eq!(story(&history(job(), attempts), 0), expected);
    let beside = AttemptView { started_at: 1_010, ..attempt(2, None, None, None) };
    let told = story(&history(job(), vec![attempt(1, Some("completed"), None, None), beside]), 0);
    assert!(told.contains("  2. worker_2, waited 0 ms: runs"), "a copy begins beside another one: {told}");
    assert!(story(&history(job(), vec![]), 0).ends_with("no worker has had it yet\n"));
    let reused = JobView { reused: Some("job_0".into()), ..job() };
    assert!(story(&history(reused, vec![]), 0).ends_with("it took the stored result of job_0\n"));
}

#[test]
fn a_job_says_what_it_waits_for() {
    let plain = JobNeeds { capabilities: vec!["javascript".into()], memory_mb: 0 };
    let large = JobNeeds { capabilities: vec!["javascript".into(), "webcl".into()], memory_mb: 512 };
    let webcl = JobNeeds { memory_mb: 0, ..large.clone() };
    for (state, wait, needs, words) in [
        (Running, Worker, &large, "waits for a worker with javascript and webcl and 512 MiB"),
        (Running, Worker, &webcl, "waits for a worker with javascript and webcl"),
        (Answered, Check, &plain, "waits for an answer from somebody else"),
        (Answered, Check, &webcl, "waits for an answer from somebody else with javascript and webcl"),
        (Running, Delay, &large, "waits until 50 ms after it was put in"),
        (Answered, Resume, &plain, "waits for its run to be resumed"),
        (Running, Code, &plain, "its code fails wherever it runs, and was stopped in its queue"),
        (Answered, Lot, &plain, "waits for the checks of its lot"),
        (Running, Overdue, &large, "nobody took it within its longest wait"),
    ] {
        let (waits, waits_until, needs) = (Some(wait), Some(950), needs.clone());
        let job = JobView { state, waits, waits_until, needs, ..job() };
        let alone = JobHistory { run: None, queue: Some("q".into()), ..history(job.clone(), vec![]) };
        assert!(story(&alone, 0).starts_with(&format!("job_1 in the queue q, key v/j: {state}\n{words}\n")));
        assert!(line(&job).ends_with(&format!("v/j  ({words})")), "{words}");
    }
    assert_eq!(waits(&JobView { waits: Some(Worker), ..job() }), None);
}

#[test]
fn of_a_stopped_code_it_says_how_to_let_it_go() {
    let job = JobView { waits: Some(Code), ..job() };
    let (queue, stopped_code) = (Some("sums".into()), Some("3f2a".into()));
    let alone = JobHistory { run: None, queue, stopped_code, ..history(job, vec![]) };
    assert!(story(&alone, 0).contains("\n`weevil resume --queue sums --code 3f2a` lets it go\n"));
}

#[test]
fn a_judged_job_tells_its_policy_and_what_each_attempt_answered() {
    let device = Some("3f2a91c0");
    for (device, digest, fate, told) in [
        (
            device,
            Some(DIGEST),
            Some("agreed"),
            "established device 3f2a91c0 (Firefox, check): value 1a2b3c4d5e6f, agreed",
        ),
        (
            device,
            Some(DIGEST),
            None,
            "established device 3f2a91c0 (Firefox, check): value 1a2b3c4d5e6f, not decided",
        ),
        (
            device,
            Some("1a2b"),
            Some("refuted"),
            "established device 3f2a91c0 (Firefox, check): value 1a2b, refuted",
        ),
        (None, None, Some("agreed"), "a worker without a device key (Firefox, check): error thrown, agreed"),
        (None, Some(DIGEST), Some("agreed"), "the server itself (server, check): value 1a2b3c4d5e6f, agreed"),
        (
            Some("3f\u{1B}[31m"),
            Some(DIGEST),
            None,
            "established device 3f\u{FFFD}[31m (Firefox, check): value 1a2b3c4d5e6f, not decided",
        ),
    ] {
        let message = if digest.is_none() { Some("boom") } else { None };
        let engine = if told.starts_with("the server") { "server" } else { "gecko" };
        let answer = AnswerView {
            digest: digest.map(str::to_owned),
            device: device.map(str::to_owned),
            engine: engine.into(),
            rank: DeviceRank::Established,
            role: "check".into(),
            lot: None,
            proof: None,
            fate: fate.map(str::to_owned),
        };
        let answered = AttemptView { answer: Some(answer), ..attempt(1, Some("lost"), message, None) };
        let judged = JobView { trust: Some("quorum(2)".into()), ..job() };
        let story = story(&history(judged, vec![answered, attempt(2, None, None, None)]), 0);
        let lines: Vec<&str> = story.lines().collect();
        assert_eq!(lines[1], "judged by quorum(2)");
        assert_eq!(lines[4], format!("     answered by {told}"));
        assert_eq!(story.matches("answered by").count(), 1, "{story}");
    }
}
