//! Each sentence, as people read it, with its code and its cure.

use weevil_model::{Pause, PauseWords, QueuePause, RunPause, Timestamp};

use super::*;

const AHEAD: Option<AheadWords> = Some(AheadWords { jobs: 1_203, more: false });
/// 1970-01-02 14:02.
const SINCE: Timestamp = Timestamp(136_920_000);

fn words(by: Option<&str>, note: Option<&str>) -> PauseWords {
    PauseWords { by: by.map(Into::into), note: note.map(Into::into) }
}

/// The sentence about a run that was paused three minutes ago.
fn paused(why: Pause) -> ReasonView {
    run_paused("run_1", &RunPause { since: SINCE, why }, SINCE.plus_ms(180_000))
}

fn check(rows: Vec<(ReasonView, &str, &str, Option<&str>)>) {
    for (view, code, text, cure) in rows {
        assert_eq!((view.code.as_str(), view.text.as_str(), view.cure.as_deref()), (code, text, cure));
    }
}

#[test]
fn what_holds_a_job_is_said() {
    check(vec![
        (
            server_ending(),
            "serverEnding",
            "The server is about to end and hands nothing out.",
            Some("Start it again: what is in the queue stays there."),
        ),
        (
            database_not_writing(Some(12_000)),
            "databaseNotWriting",
            "The database has taken no write for 12 s.",
            Some("Look at the disk and at the server's log. A write is tried again every second."),
        ),
        (
            database_not_writing(None),
            "databaseNotWriting",
            "The database has taken no write.",
            Some("Look at the disk and at the server's log. A write is tried again every second."),
        ),
        (
            code_stopped("sums", "3f2a", "job_7"),
            "codeStopped",
            "Its code fails wherever it runs, and was stopped in its queue: job_7 is a job that has failed.",
            Some(
                "`weevil explain job_7` shows the error; `weevil resume --queue sums --code 3f2a` lets it go.",
            ),
        ),
        (
            pause_after_error(1, 12_000),
            "pauseAfterError",
            "It has failed once and pauses before the next try, which is in 12 s.",
            None,
        ),
        (
            pause_after_error(2, 0),
            "pauseAfterError",
            "It has failed 2 times and pauses before the next try, which is in less than a second.",
            None,
        ),
        (
            delayed_until(86_400_000),
            "delayedUntil",
            "It is delayed as it was asked for, for another 1 d.",
            None,
        ),
        (answer_waits(false), "lot", "Its answer waits for the checks of its lot.", None),
        (answer_waits(true), "module", "It waits for what a module of its workflow says of an answer.", None),
    ]);
}

#[test]
fn a_pause_is_said_with_its_moment_its_maker_and_its_note() {
    let resume = Some("`weevil resume` goes on.");
    let queue = |words, ms| queue_paused(&QueuePause { since: SINCE, words }, SINCE.plus_ms(ms));
    check(vec![
        (
            queue(words(Some("ada"), Some("new rack")), 180_000),
            "queuePaused",
            "The queue is paused since 14:02 UTC by ada: new rack",
            resume,
        ),
        (
            queue(words(Some("ada"), None), 86_400_000),
            "queuePaused",
            "The queue is paused since 1970-01-02 14:02 UTC by ada.",
            resume,
        ),
        (queue(words(None, None), 0), "queuePaused", "The queue is paused since 14:02 UTC.", resume),
        (
            paused(Pause::Wanted(words(None, Some("lunch")))),
            "runPaused",
            "The run is paused since 14:02 UTC: lunch",
            Some("`weevil resume run_1` goes on."),
        ),
        (
            paused(Pause::Incomparable),
            "runPaused",
            "The server has paused the run at 14:02 UTC: known devices say three different things of several jobs of one code, so no two will ever agree.",
            Some("Give the node an `agree` under which its answers are the same, and start another run."),
        ),
        (
            paused(Pause::AgreeFailed("Same.wasm traps".into())),
            "runPaused",
            "The server has paused the run at 14:02 UTC: a module of the workflow could not say whether answers agree or are right: Same.wasm traps",
            Some("Mend the module and start another run, or go on with `weevil resume run_1`."),
        ),
    ]);
}

#[test]
fn what_the_fleet_is_to_a_job_is_said() {
    let lack = |missing| LackWords { connected: 14, missing, ..LackWords::default() };
    let webcl = ["webcl"];
    let missing = Some("Connect a worker that has what is missing, or let the job need less.");
    let elsewhere = Some("Connect a worker on another device and in another network.");
    let resume = Some("`weevil worker resume` lets one have jobs again.");
    check(vec![
        (
            no_worker(),
            "noWorker",
            "No worker is connected.",
            Some("Open the server's address in a browser and click Start."),
        ),
        (
            none_meets(&webcl, LackWords { connected: 1, keep_gpu: 1, ..lack(&webcl) }),
            "noneMeets",
            "The only connected worker cannot run it: `webcl` is missing; 1 could lend a GPU and does not.",
            Some("Tick `Lend the graphics card as well` on the volunteer's page of a machine that has one."),
        ),
        (
            none_meets(&webcl, LackWords { keep_gpu: 3, ..lack(&webcl) }),
            "noneMeets",
            "None of the 14 connected workers can run it: `webcl` is missing; 3 could lend a GPU and do not.",
            Some("Tick `Lend the graphics card as well` on the volunteer's page of a machine that has one."),
        ),
        (
            none_meets(&webcl, LackWords { connected: 1, memory_mb: 2_048, ..lack(&webcl) }),
            "noneMeets",
            "The only connected worker cannot run it: `webcl` and 2,048 MiB of memory are missing.",
            missing,
        ),
        (
            none_meets(&["javascript", "webcl"], lack(&[])),
            "noneMeets",
            "None of the 14 connected workers can run it: `javascript` and `webcl` and enough memory are there, but not together.",
            missing,
        ),
        (
            none_meets(&["javascript"], LackWords { connected: 1, left_out: 1, ..lack(&[]) }),
            "noneMeets",
            "The only connected worker cannot run it: its code is not for the engine of the one that could.",
            missing,
        ),
        (
            none_meets(&["javascript"], LackWords { left_out: 2, ..lack(&[]) }),
            "noneMeets",
            "None of the 14 connected workers can run it: its code is not for the engines of the 2 that could.",
            missing,
        ),
        (
            only_suspended(2, 1),
            "onlySuspended",
            "All workers that meet its needs are held back: 2 paused and 1 banned.",
            resume,
        ),
        (
            only_suspended(0, 1),
            "onlySuspended",
            "All workers that meet its needs are held back: 1 banned.",
            resume,
        ),
        (none_wants(1), "noneWants", "The worker that meets its needs pauses by itself.", None),
        (none_wants(3), "noneWants", "The 3 workers that meet its needs pause by themselves.", None),
        (
            nobody_else(HeldWords { answered: 4, keyless: 1, resting: 2, rest_left_ms: Some(7_200_000) }),
            "nobodyElse",
            "It waits for an answer from somebody else, whom nobody connected can be: 4 could be who has answered it, 1 without a device key and 2 at rest since an answer differed, the first for another 2 h.",
            elsewhere,
        ),
        (
            nobody_else(HeldWords::default()),
            "nobodyElse",
            "It waits for an answer from somebody else, whom nobody connected can be.",
            elsewhere,
        ),
    ]);
}

#[test]
fn when_a_job_has_its_turn_is_said() {
    let more = Some(AheadWords { jobs: 10_000, more: true });
    let next = Some(AheadWords { jobs: 0, more: false });
    check(vec![
        (
            all_busy(28, AHEAD, Some(30.0), Some(40.1)),
            "allBusy",
            "All 28 slots are busy, 1,203 jobs ahead, about 40 s at 30/s.",
            None,
        ),
        (
            all_busy(1, more, Some(0.5), Some(20_000.0)),
            "allBusy",
            "The only slot is busy, more than 10,000 jobs ahead, more than 5 h at 30.0/min.",
            None,
        ),
        (
            all_busy(2, None, None, None),
            "allBusy",
            "All 2 slots are busy; how many jobs are ahead is not known.",
            None,
        ),
        (
            slots_free(2, 28, next),
            "slotsFree",
            "Nothing keeps it: 2 of 28 slots are free, it is the next job.",
            None,
        ),
        (
            slots_free(1, 1, AHEAD),
            "slotsFree",
            "Nothing keeps it: 1 of 1 slot is free, 1,203 jobs ahead.",
            None,
        ),
        (running(1, 41_000, Some(0.574)), "running", "It runs for 41 s, 57 % done.", None),
        (running(2, 0, None), "running", "It runs in 2 copies for less than a second.", None),
    ]);
}

#[test]
fn why_a_job_has_failed_is_said() {
    let longer = Some("Let it wait longer (`maxWaitMs`), or connect more workers that meet its needs.");
    let code = Some("Mend the code: the attempt shows the error with its line.");
    check(vec![
        (
            overdue(Some(60_000)),
            "overdue",
            "Nobody took it within its longest wait, which was over after 1 min.",
            longer,
        ),
        (overdue(None), "overdue", "Nobody took it within its longest wait.", longer),
        (cancelled(), "cancelled", "It was cancelled, or its run was.", None),
        (
            same_error(2, "thrown"),
            "sameError",
            "2 workers had the same error (thrown): it is the code, not a machine.",
            code,
        ),
        (decided(3, 3, 3), "decided", "Attempt 3 decided: 3 of 3 attempts failed.", None),
    ]);
    for (kind, progress, text) in [
        ("thrown", None, "its code threw an error."),
        ("noMain", None, "its code defines no function `weevil_main`."),
        ("syntax", None, "its code does not parse."),
        ("returnType", None, "its value is of another type than its `returntype` says."),
        ("tooLarge", None, "its value is larger than a value may be."),
        ("notAValue", None, "it returned something that cannot travel: a function, a symbol or a circle."),
        ("timeout", Some(0.57), "it ran longer than its timeout; 57 % was done."),
        ("timeout", None, "it ran longer than its timeout; how much was done is not known."),
        ("crashed", None, "its job worker ended by itself."),
        ("expired", Some(1.0), "its worker was silent for too long; 100 % was done."),
        ("disputed", None, "too few of its answers agree."),
        ("notStored", None, "the database would not take it."),
        ("melted", None, "it ended with the error `melted`."),
    ] {
        let view = failed(2, kind, progress);
        let code = if kind == "melted" { "otherError" } else { kind };
        assert_eq!((view.code.as_str(), view.text), (code, format!("In attempt 2, {text}")));
        assert!(view.cure.is_some(), "{kind}");
    }
}

#[test]
fn why_a_worker_gets_nothing_is_said() {
    let resume = Some("`weevil worker resume` lets it have jobs again.");
    let class = |jobs, capabilities, memory_mb| ClassWords { jobs, capabilities, memory_mb };
    let classes = [class(1, &["webcl"][..], 0), class(1_203, &["wasm"], 512), class(2, &[], 0)];
    let lend = Some("Lend what they need on its page, where its machine has that.");
    check(vec![
        (not_connected(), "notConnected", "It is not connected.", None),
        (
            worker_banned(7_200_000, Some("lies")),
            "workerBanned",
            "Its device is banned for 2 h: lies",
            resume,
        ),
        (worker_paused(60_000, None), "workerPaused", "It is paused for another 1 min.", resume),
        (own_pause(), "ownPause", "It pauses by itself, and wants no jobs now.", None),
        (holds_enough(4, 4), "holdsEnough", "It holds 4 jobs, and gets 4 at most.", None),
        (nothing_waits(), "nothingWaits", "No job waits for a worker.", None),
        (
            meets_none(&classes, 0),
            "meetsNone",
            "It meets the needs of no job that waits: 1 job needs `webcl`, 1,203 jobs need `wasm` with 512 MiB and 2 jobs need another engine.",
            lend,
        ),
        (
            meets_none(&classes[..1], 2),
            "meetsNone",
            "It meets the needs of no job that waits: 1 job needs `webcl` and 2 classes more.",
            lend,
        ),
        (
            rests(60_000),
            "rests",
            "It gets no judged jobs for another 1 min, since an answer of its device differed.",
            None,
        ),
        (just_joined(4_999), "justJoined", "It has just joined, 4 s ago.", None),
    ]);
}

#[test]
fn what_a_node_waits_for_and_what_is_not_known_is_said() {
    let port = |port, from| OpenPortWords { port, from };
    check(vec![
        (ports_open(&[port("a", "v/p")], 0), "portsOpen", "It waits for 1 value: `a` from `v/p`.", None),
        (
            ports_open(&[port("a", "v/p"), port("b", "w")], 1_000),
            "portsOpen",
            "It waits for 1,002 values: `a` from `v/p`, `b` from `w` and 1,000 more.",
            None,
        ),
    ]);
    let texts: std::collections::BTreeSet<String> = [
        "database",
        "queuePause",
        "hold",
        "workers",
        "attempts",
        "failure",
        "suspension",
        "waitingJobs",
        "cause",
    ]
    .map(|what| unknown(what).text)
    .into();
    assert_eq!(texts.len(), 9, "each has a sentence of its own: {texts:?}");
    let ports = ports_open(&[port("a", "v")], 0).at("v/j".into(), 3);
    assert_eq!(
        (ports.node.as_deref(), ports.numbers["nodes"], ports.numbers["ports"]),
        (Some("v/j"), 3.0, 1.0)
    );
}

#[test]
fn numbers_that_are_not_known_are_left_out() {
    let json = |view: &ReasonView| serde_json::to_string(view).unwrap();
    assert_eq!(
        json(&all_busy(28, AHEAD, Some(30.0), None)),
        r#"{"code":"allBusy","numbers":{"ahead":1203.0,"rate":30.0,"slots":28.0},"text":"All 28 slots are busy, 1,203 jobs ahead; how long that takes is not known."}"#
    );
    let back: ReasonView = serde_json::from_str(&json(&no_worker())).unwrap();
    assert_eq!(back, no_worker());
}
