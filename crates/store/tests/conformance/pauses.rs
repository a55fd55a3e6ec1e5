//! Pause and resume, of a run and of everything.

use weevil_model::{Pause, PauseWords, QueuePause, RunId, RunPause, RunState, Timestamp};
use weevil_queue::{AttemptEnd, Batch, Cancel, Depth, NewJob, Release, Report};
use weevil_records::{RunEnd, RunFacts, RunList, Scope};

use crate::bed::{Bed, boom, number, paths};
use crate::databases::{Kind, on_each_database};

async fn a_paused_run_hands_nothing_out_and_loses_nothing(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("done", 0), ("failing", 0), ("yielded", 0), ("waiting", 0)]).await;
    let [done, failing, yielded] = bed.claim(&[(1, 3)]).await.try_into().unwrap();
    let paused = bed.run;
    assert!(bed.pause(Scope::Run(paused), true).await);
    let pause = RunPause { since: bed.now, why: Pause::Wanted(PauseWords::default()) };
    assert_eq!(bed.store.run(paused).await.unwrap().unwrap().paused, Some(pause));
    bed.report(done.key, Report::Value(number(1.0))).await;
    bed.report(failing.key, boom("x")).await;
    bed.release(Release { key: yielded.key, end: AttemptEnd::Yielded }).await;
    bed.enqueue(&[("late", 0)]).await;
    assert_eq!(bed.claim(&[(1, 9)]).await, []);
    assert_eq!(bed.store.depth().await.unwrap(), Depth { held: 4, ..Depth::default() });
    bed.run = bed.add_run().await;
    bed.enqueue(&[("other", 0)]).await;
    assert_eq!(paths(&bed.claim(&[(1, 9)]).await), ["other"], "other runs go on");
    assert!(bed.pause(Scope::Run(paused), true).await, "once more changes nothing");
    assert!(bed.pause(Scope::Run(paused), false).await);
    assert_eq!(paths(&bed.claim(&[(1, 9)]).await), ["failing", "yielded", "waiting", "late"]);
}

async fn a_delay_that_ends_under_a_pause_ends_in_it(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = NewJob { delay_ms: 100, ..bed.job("a", 0) };
    bed.apply(Batch { enqueue: vec![job], ..Batch::default() }).await;
    bed.pause(Scope::Run(bed.run), true).await;
    bed.now = Timestamp(2_000);
    assert_eq!(bed.apply(Batch { look: true, ..Batch::default() }).await.woken, 1);
    assert_eq!(bed.claim(&[(1, 9)]).await, []);
    bed.pause(Scope::Run(bed.run), false).await;
    assert_eq!(paths(&bed.claim(&[(1, 9)]).await), ["a"]);
}

async fn a_paused_queue_hands_nothing_out_and_takes_everything_else(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0), ("b", 0)]).await;
    let held = bed.claim_one(1).await.unwrap();
    assert_eq!(bed.store.queue_pause().await.unwrap(), None);
    bed.pause(Scope::Queue, true).await;
    let pause = QueuePause { since: bed.now, words: PauseWords::default() };
    assert_eq!(bed.store.queue_pause().await.unwrap(), Some(pause));
    bed.enqueue(&[("c", 0)]).await;
    bed.report(held.key, Report::Value(number(1.0))).await;
    assert_eq!(bed.claim(&[(1, 9)]).await, []);
    bed.store = bed.database.open().await;
    bed.tidy_up().await;
    assert_eq!(bed.claim(&[(1, 9)]).await, [], "a restart does not end a pause");
    bed.pause(Scope::Queue, false).await;
    assert_eq!(bed.store.queue_pause().await.unwrap(), None);
    assert_eq!(paths(&bed.claim(&[(1, 9)]).await), ["b", "c"]);
}

async fn nobody_waits_too_long_for_a_worker_during_a_pause(kind: Kind) {
    for scope in [|_| Scope::Queue, Scope::Run] {
        let mut bed = Bed::new(kind).await;
        let job = NewJob { max_wait_ms: Some(100), ..bed.job("a", 0) };
        bed.apply(Batch { enqueue: vec![job], ..Batch::default() }).await;
        let scope = scope(bed.run);
        bed.pause(scope, true).await;
        bed.now = Timestamp(5_000);
        assert_eq!(bed.apply(Batch { look: true, ..Batch::default() }).await.overdue, [], "{scope:?}");
        bed.pause(scope, false).await;
        bed.now = Timestamp(5_099);
        assert_eq!(bed.apply(Batch { look: true, ..Batch::default() }).await.overdue, [], "{scope:?}");
        bed.now = Timestamp(5_100);
        assert_eq!(bed.apply(Batch { look: true, ..Batch::default() }).await.overdue.len(), 1, "{scope:?}");
    }
}

async fn a_paused_run_that_ends_is_not_paused_any_more(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0)]).await;
    bed.pause(Scope::Run(bed.run), true).await;
    let end =
        RunEnd { state: RunState::Cancelled, at: Timestamp(9), result: None, facts: RunFacts::default() };
    bed.end_run(bed.run, &end).await;
    assert_eq!(bed.store.run(bed.run).await.unwrap().unwrap().paused, None);
    bed.apply(Batch { cancel: vec![Cancel::Run(bed.run)], ..Batch::default() }).await;
    assert_eq!(bed.store.depth().await.unwrap(), Depth::default());
}

async fn what_is_not_there_or_has_ended_cannot_be_paused(kind: Kind) {
    let bed = Bed::new(kind).await;
    let end =
        RunEnd { state: RunState::Finished, at: Timestamp(9), result: None, facts: RunFacts::default() };
    bed.end_run(bed.run, &end).await;
    for run in [bed.run, RunId::from_number(5).unwrap()] {
        assert!(!bed.pause(Scope::Run(run), true).await);
    }
    assert_eq!(bed.store.run(bed.run).await.unwrap().unwrap().paused, None);
}

fn words(by: &str, note: Option<&str>) -> PauseWords {
    PauseWords { by: Some(by.into()), note: note.map(Into::into) }
}

/// What each of these says one after another, and what is told then: the first moment, and the newest note with its name.
fn said() -> [(PauseWords, PauseWords); 4] {
    let (ada, bob) = (words("ada", Some("new rack, 新しい 🗄")), words("bob", Some("it stays")));
    [
        (words("ada", None), words("ada", None)),
        (ada.clone(), ada.clone()),
        (words("eve", None), ada),
        (bob.clone(), bob),
    ]
}

async fn a_pause_keeps_its_moment_and_the_newest_note(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let first = bed.now;
    for (words, told) in said() {
        assert!(bed.pause_with(Scope::Queue, Some(words.clone())).await);
        assert!(bed.pause_with(Scope::Run(bed.run), Some(words)).await);
        let expected = QueuePause { since: first, words: told.clone() };
        assert_eq!(bed.store.queue_pause().await.unwrap(), Some(expected));
        let expected = RunPause { since: first, why: Pause::Wanted(told) };
        assert_eq!(bed.store.run_pause(bed.run).await.unwrap(), Some(expected.clone()));
        assert_eq!(bed.store.run(bed.run).await.unwrap().unwrap().paused, Some(expected.clone()));
        let listed = bed.store.runs(&RunList::default(), 9).await.unwrap();
        assert_eq!(listed[0].head.paused, Some(expected));
        bed.now = bed.now.plus_ms(1_000);
    }
    bed.store = bed.database.open().await;
    let Some(QueuePause { since, words: kept }) = bed.store.queue_pause().await.unwrap() else {
        panic!("none")
    };
    assert_eq!((since, kept), (first, words("bob", Some("it stays"))), "over a restart");
    for scope in [Scope::Queue, Scope::Run(bed.run)] {
        bed.pause(scope, false).await;
    }
    assert_eq!(bed.store.queue_pause().await.unwrap(), None);
    assert_eq!(bed.store.run_pause(bed.run).await.unwrap(), None);
    for scope in [Scope::Queue, Scope::Run(bed.run)] {
        bed.pause(scope, true).await;
    }
    let anew = QueuePause { since: bed.now, words: PauseWords::default() };
    assert_eq!(bed.store.queue_pause().await.unwrap(), Some(anew), "a resume has forgotten the note");
    let anew = RunPause { since: bed.now, why: Pause::Wanted(PauseWords::default()) };
    assert_eq!(bed.store.run_pause(bed.run).await.unwrap(), Some(anew));
    assert_eq!(bed.store.run_pause(RunId::from_number(5).unwrap()).await.unwrap(), None);
}

on_each_database! {
    a_pause_keeps_its_moment_and_the_newest_note,
    a_paused_run_hands_nothing_out_and_loses_nothing,
    a_delay_that_ends_under_a_pause_ends_in_it,
    a_paused_queue_hands_nothing_out_and_takes_everything_else,
    nobody_waits_too_long_for_a_worker_during_a_pause,
    a_paused_run_that_ends_is_not_paused_any_more,
    what_is_not_there_or_has_ended_cannot_be_paused,
}
