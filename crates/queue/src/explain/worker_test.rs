//! A row for each reason why a worker gets nothing, and for the order of reasons.

use weevil_model::{Capabilities, Needs, PauseWords, QueuePause, Timestamp};

use super::*;

const NOW: Timestamp = Timestamp(1_000_000);

fn scene() -> Scene {
    Scene { now: NOW, database: Database::Writes, queue_paused: Known::No, ..Scene::default() }
}

fn told() -> WorkerTold {
    WorkerTold {
        has: Needs::JAVASCRIPT,
        slots: 2,
        in_flight: 0,
        capacity: Some(4),
        paused: false,
        banned: false,
        keeps_gpu: false,
    }
}

fn class(capabilities: u32, jobs: u64) -> WaitingClass {
    let needs = Needs { capabilities: Capabilities(capabilities), memory_mb: 0 };
    WaitingClass { needs, jobs, oldest: Some(Timestamp(7)) }
}

/// An idle one for which jobs wait.
fn worker() -> WorkerCase {
    WorkerCase {
        told: Some(told()),
        connected_at: Timestamp(0),
        window: Some(16),
        suspended: Known::No,
        rests_until: None,
        classes: Some(vec![class(1, 12), class(3, 1)]),
    }
}

#[test]
fn a_worker_gets_nothing_for_a_reason() {
    let holding = |in_flight| WorkerCase { told: Some(WorkerTold { in_flight, ..told() }), ..worker() };
    let wanting = |capacity| WorkerCase { told: Some(WorkerTold { capacity, ..told() }), ..worker() };
    let banned = Suspended::Banned { since: Timestamp(5), note: Some("lies".into()) };
    let paused = |until| Suspended::Paused { until: Timestamp(until), note: None };
    let suspended = |suspended| WorkerCase { suspended: Known::Yes(suspended), ..worker() };
    let many: Vec<WaitingClass> = (1..=12_u32).map(|many| class(2 * many, many.into())).collect();
    let most: Vec<WaitingClass> = many.iter().rev().take(10).copied().collect();
    let until = Timestamp(1_060_000);
    for (case, worker, expected) in [
        ("nothing is known against it", worker(), Reason::Unknown(Unknown::Cause)),
        ("gone", WorkerCase { told: None, ..worker() }, Reason::NotConnected),
        (
            "banned",
            suspended(banned.clone()),
            Reason::WorkerBanned { since: Timestamp(5), note: Some("lies".into()) },
        ),
        ("paused", suspended(paused(1_060_000)), Reason::WorkerPaused { until, left_ms: 60_000, note: None }),
        ("was paused", suspended(paused(1_000_000)), Reason::Unknown(Unknown::Cause)),
        ("its own pause", wanting(Some(0)), Reason::OwnPause),
        ("as many as it wants", holding(4), Reason::HoldsEnough { holds: 4, wants: 4 }),
        ("one more", holding(3), Reason::Unknown(Unknown::Cause)),
        (
            "as many as it may have",
            WorkerCase { window: Some(3), ..holding(3) },
            Reason::HoldsEnough { holds: 3, wants: 3 },
        ),
        ("nothing waits", WorkerCase { classes: Some(vec![class(1, 0)]), ..worker() }, Reason::NothingWaits),
        (
            "none for it",
            WorkerCase { classes: Some(many), ..worker() },
            Reason::MeetsNone { classes: most, more: 2 },
        ),
        (
            "rests",
            WorkerCase { rests_until: Some(until), ..worker() },
            Reason::Rests { until, left_ms: 60_000 },
        ),
        ("has rested", WorkerCase { rests_until: Some(NOW), ..worker() }, Reason::Unknown(Unknown::Cause)),
        (
            "just joined",
            WorkerCase { connected_at: Timestamp(995_001), ..worker() },
            Reason::JustJoined { ms: 4_999 },
        ),
        (
            "joined a while ago",
            WorkerCase { connected_at: Timestamp(995_000), ..worker() },
            Reason::Unknown(Unknown::Cause),
        ),
        ("not read", WorkerCase { classes: None, ..worker() }, Reason::Unknown(Unknown::WaitingJobs)),
        (
            "not asked",
            WorkerCase { suspended: Known::Unknown, ..worker() },
            Reason::Unknown(Unknown::Suspension),
        ),
    ] {
        assert_eq!(explain_worker(&worker, &scene()), [expected], "{case}");
    }
}

#[test]
fn what_holds_for_all_comes_first_and_what_is_not_known_last() {
    let pause = QueuePause { since: NOW, words: PauseWords::default() };
    let ended = Scene { ending: true, queue_paused: Known::Yes(pause.clone()), ..scene() };
    let worker = WorkerCase {
        told: Some(WorkerTold { capacity: Some(0), ..told() }),
        connected_at: NOW,
        window: None,
        suspended: Known::Unknown,
        rests_until: Some(Timestamp(1_000_001)),
        classes: Some(vec![]),
    };
    let expected = [
        Reason::ServerEnding,
        Reason::QueuePaused(pause),
        Reason::OwnPause,
        Reason::NothingWaits,
        Reason::Rests { until: Timestamp(1_000_001), left_ms: 1 },
        Reason::JustJoined { ms: 0 },
        Reason::Unknown(Unknown::Suspension),
    ];
    assert_eq!(explain_worker(&worker, &ended), expected);
}
