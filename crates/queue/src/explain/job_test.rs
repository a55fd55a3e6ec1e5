//! A row for each reason why a job waits, and for the order of reasons.

use weevil_model::witness::Engine;
use weevil_model::{
    Capabilities, JobId, Needs, NodeState, Pause, PauseWords, QueuePause, RunPause, Timestamp, WorkerId,
};

use super::*;
use crate::decide::standing::Waiting;

const NOW: Timestamp = Timestamp(100_000);
const WEBCL: Needs =
    Needs { capabilities: Capabilities(Capabilities::JAVASCRIPT.0 | Capabilities::WEBCL.0), memory_mb: 0 };

fn worker() -> WorkerTold {
    WorkerTold {
        has: Needs { memory_mb: 512, ..Needs::JAVASCRIPT.run_by(Engine::Chromium) },
        slots: 2,
        in_flight: 2,
        capacity: Some(4),
        paused: false,
        banned: false,
        keeps_gpu: false,
    }
}

/// All is well, and this many workers are at work.
fn scene(workers: Vec<WorkerTold>) -> Scene {
    Scene {
        now: NOW,
        ending: false,
        database: Database::Writes,
        queue_paused: Known::No,
        workers: Some(workers),
        rate: Some(30.0),
    }
}

fn job() -> JobCase {
    JobCase {
        state: NodeState::Enqueued,
        waiting: Some(Waiting::Worker(None)),
        needs: Needs::JAVASCRIPT,
        enqueued_at: Timestamp(90_000),
        ended_at: None,
        failures: 0,
        max_attempts: 3,
        run_paused: Known::No,
        code_stopped: Known::No,
        attempts: Some(Vec::new()),
        ahead: Some(Ahead::of(1_203)),
        others: None,
    }
}

fn waits(waiting: Waiting) -> JobCase {
    JobCase { waiting: Some(waiting), ..job() }
}

fn id(number: i64) -> JobId {
    JobId::from_number(number).unwrap()
}

fn words(note: &str) -> PauseWords {
    PauseWords { by: Some("ada".into()), note: Some(note.into()) }
}

fn run_paused() -> RunPause {
    RunPause { since: Timestamp(5), why: Pause::Wanted(words("lunch")) }
}

fn out(number: i64, started_at: i64, progress: Option<f64>) -> AttemptTold {
    AttemptTold {
        number: u32::try_from(number).unwrap(),
        worker: WorkerId::from_number(number).unwrap(),
        started_at: Timestamp(started_at),
        end: None,
        failure: None,
        progress,
    }
}

fn none_meets(needed: Needs, missing: Capabilities, memory_mb: u32, left_out: u32, keep_gpu: u32) -> Reason {
    let needed = needed.capabilities;
    Reason::NoneMeets(Lack { connected: 2, needed, missing, memory_mb, left_out, keep_gpu })
}

#[test]
fn a_job_waits_for_the_fleet() {
    let keeper = WorkerTold { keeps_gpu: true, ..worker() };
    let lender = WorkerTold { has: WEBCL.run_by(Engine::Gecko), ..worker() };
    let paused = WorkerTold { paused: true, ..worker() };
    let banned = WorkerTold { banned: true, paused: true, ..worker() };
    let resting = WorkerTold { capacity: Some(0), ..worker() };
    let idle = WorkerTold { in_flight: 0, capacity: None, ..worker() };
    let large = Needs { memory_mb: 1_024, ..Needs::JAVASCRIPT };
    let without = Needs::JAVASCRIPT.without(Engine::Chromium);
    let both = Needs { memory_mb: 512, ..WEBCL };
    let busy = |slots| Reason::AllBusy {
        slots,
        ahead: Some(Ahead { jobs: 1_203, more: false }),
        rate: Some(30.0),
        seconds: Some(40.1),
    };
    let free =
        |free, slots| Reason::SlotsFree { free, slots, ahead: Some(Ahead { jobs: 1_203, more: false }) };
    for (case, needs, workers, expected) in [
        ("nobody", Needs::JAVASCRIPT, vec![], Reason::NoWorker),
        ("no GPU", WEBCL, vec![worker(), keeper], none_meets(WEBCL, Capabilities::WEBCL, 0, 0, 1)),
        ("no memory", large, vec![worker(), keeper], none_meets(large, Capabilities(0), 1_024, 0, 0)),
        ("not together", both, vec![worker(), lender], none_meets(both, Capabilities(0), 0, 0, 0)),
        ("another engine", without, vec![worker(), worker()], none_meets(without, Capabilities(0), 0, 2, 0)),
        (
            "held back",
            Needs::JAVASCRIPT,
            vec![paused, banned],
            Reason::OnlySuspended { paused: 1, banned: 1 },
        ),
        ("its own pause", Needs::JAVASCRIPT, vec![paused, resting], Reason::NoneWants { workers: 1 }),
        ("busy", Needs::JAVASCRIPT, vec![worker(), worker(), paused], busy(4)),
        ("too many in hand", Needs::JAVASCRIPT, vec![WorkerTold { in_flight: 9, ..worker() }], busy(2)),
        ("idle", Needs::JAVASCRIPT, vec![worker(), idle, resting], free(2, 4)),
        ("others do not count", WEBCL, vec![idle, lender], busy(2)),
    ] {
        let found = explain_job(&JobCase { needs, ..job() }, &scene(workers.clone()));
        assert_eq!(found, [expected], "{case}");
        assert_eq!(explain_class(needs, 1_204, &scene(workers)), found, "{case}: the last of so many");
    }
}

#[test]
fn a_job_waits_for_something_else() {
    let until = Timestamp(112_000);
    let (delayed, left_ms) = (waits(Waiting::Until(until)), 12_000);
    let held = waits(Waiting::Resume);
    let judged = |may| JobCase {
        others: Some(Others { may, answered: 4, keyless: 1, resting: 2, rests_until: Some(until) }),
        ..job()
    };
    let running = JobCase {
        state: NodeState::Running,
        waiting: None,
        attempts: Some(vec![out(1, 70, Some(0.2)), out(2, 60, Some(0.4)), out(3, 80, None)]),
        ..job()
    };
    let quiet = JobCase { attempts: Some(vec![out(1, 70, None)]), ..running.clone() };
    let by_server = RunPause { why: Pause::Incomparable, ..run_paused() };
    for (job, expected) in [
        (delayed.clone(), vec![Reason::DelayedUntil { until, left_ms }]),
        (
            JobCase { failures: 2, ..delayed.clone() },
            vec![Reason::PauseAfterError { failures: 2, until, left_ms }],
        ),
        (waits(Waiting::Until(Timestamp(9))), vec![Reason::DelayedUntil { until: Timestamp(9), left_ms: 0 }]),
        (
            JobCase { run_paused: Known::Yes(run_paused()), ..held.clone() },
            vec![Reason::RunPaused(run_paused())],
        ),
        (
            JobCase { run_paused: Known::Yes(by_server.clone()), ..held.clone() },
            vec![Reason::RunPaused(by_server)],
        ),
        (
            JobCase { code_stopped: Known::Yes(id(7)), ..held.clone() },
            vec![Reason::CodeStopped { example: id(7) }],
        ),
        (JobCase { state: NodeState::Answered, ..waits(Waiting::Lot) }, vec![Reason::Lot]),
        (JobCase { state: NodeState::Answered, ..waits(Waiting::Module) }, vec![Reason::Module]),
        (
            judged(0),
            vec![Reason::NobodyElse(Others {
                may: 0,
                answered: 4,
                keyless: 1,
                resting: 2,
                rests_until: Some(until),
            })],
        ),
        (running, vec![Reason::Running { copies: 3, since: Timestamp(60), progress: Some(0.4) }]),
        (quiet, vec![Reason::Running { copies: 1, since: Timestamp(70), progress: None }]),
        (JobCase { state: NodeState::Cancelled, waiting: None, ..job() }, vec![Reason::Cancelled]),
        (JobCase { state: NodeState::Finished, waiting: None, ..job() }, vec![]),
        (JobCase { state: NodeState::ParamNotFulfilled, waiting: None, ..job() }, vec![]),
    ] {
        assert_eq!(explain_job(&job, &scene(vec![worker()])), expected, "{job:?}");
    }
    assert!(matches!(explain_job(&judged(1), &scene(vec![worker()]))[..], [Reason::AllBusy { .. }]));
}

#[test]
fn everything_that_keeps_it_is_said_the_most_telling_first() {
    let queue = QueuePause { since: Timestamp(4), words: words("move") };
    let all = Scene {
        ending: true,
        database: Database::DoesNot(Some(Timestamp(3))),
        queue_paused: Known::Yes(queue.clone()),
        ..scene(vec![])
    };
    let server = [
        Reason::ServerEnding,
        Reason::DatabaseNotWriting { since: Some(Timestamp(3)) },
        Reason::QueuePaused(queue),
    ];
    let until = Timestamp(112_000);
    let paused = Reason::RunPaused(run_paused());
    let delay = Reason::DelayedUntil { until, left_ms: 12_000 };
    for (waiting, own) in [
        (Waiting::Until(until), vec![paused.clone(), delay, Reason::NoWorker]),
        (Waiting::Resume, vec![paused.clone(), Reason::NoWorker]),
        (Waiting::Worker(None), vec![paused, Reason::NoWorker]),
    ] {
        let job = JobCase { run_paused: Known::Yes(run_paused()), ..waits(waiting) };
        let expected: Vec<Reason> = server.iter().cloned().chain(own).collect();
        assert_eq!(explain_job(&job, &all), expected, "{waiting:?}");
    }
    let class: Vec<Reason> = server.into_iter().chain([Reason::NoWorker]).collect();
    assert_eq!(explain_class(Needs::JAVASCRIPT, 1, &all), class);
}

#[test]
fn what_is_not_known_is_said_last() {
    let nothing = Scene { now: NOW, ..Scene::default() };
    let unknown = |what: &[Unknown]| what.iter().copied().map(Reason::Unknown).collect::<Vec<_>>();
    let (database, pause) = (Unknown::Database, Unknown::QueuePause);
    let held = JobCase { run_paused: Known::Unknown, ..waits(Waiting::Resume) };
    let running = JobCase { state: NodeState::Running, waiting: None, attempts: None, ..job() };
    for (job, expected) in [
        (job(), unknown(&[database, pause, Unknown::Workers])),
        (held.clone(), unknown(&[database, pause, Unknown::Hold, Unknown::Workers])),
        (running.clone(), unknown(&[Unknown::Attempts])),
        (JobCase { attempts: Some(vec![]), ..running }, unknown(&[Unknown::Attempts])),
    ] {
        assert_eq!(explain_job(&job, &nothing), expected, "{job:?}");
    }
    let ending = Scene { ending: true, workers: Some(vec![]), ..nothing };
    let known = [Reason::ServerEnding, Reason::NoWorker].into_iter();
    let expected: Vec<Reason> = known.chain(unknown(&[database, pause, Unknown::Hold])).collect();
    assert_eq!(explain_job(&held, &ending), expected);
    for (ahead, rate, seconds) in [
        (None, Some(30.0), None),
        (Some(Ahead::of(60)), None, None),
        (Some(Ahead::of(60)), Some(0.0), None),
        (Some(Ahead::of(60)), Some(30.0), Some(2.0)),
    ] {
        let scene = Scene { rate, ..scene(vec![worker()]) };
        let rate = rate.filter(|rate| *rate > 0.0);
        let found = explain_job(&JobCase { ahead, ..job() }, &scene);
        assert_eq!(found, [Reason::AllBusy { slots: 2, ahead, rate, seconds }], "{ahead:?} {rate:?}");
    }
}
