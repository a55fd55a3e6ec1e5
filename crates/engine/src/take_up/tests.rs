//! Runs that were left open: each trouble that one can have, what people may want of it before its turn, a database that is
//! away.

use weevil_model::{Encoded, Pause, PauseWords, RunPause, RunState, Value};
use weevil_records::{Pauses, Runs, Scope};

use crate::root::{CancelRun, ChangeRun, RunChange};
use crate::take_up::left_open;

mod bed;
mod guard;

use bed::{Bed, DOCUMENT, Stored};
use guard::Fault;

/// A document with a mistake that leaves a plan.
fn odd() -> String {
    DOCUMENT.replace("<job ", "<job colour=\"red\" ")
}

/// What is stored of a run; the words and the codes of diagnostics that it then fails with.
type Case = (&'static str, Stored, &'static str, &'static [&'static str]);

fn troubles() -> Vec<Case> {
    let refused = "refused by this release";
    let document = ("workflow.xml", DOCUMENT);
    vec![
        ("no workflow", Stored { lost: true, ..Stored::of(DOCUMENT) }, "its workflow is not stored", &[]),
        ("a path", Stored::files(&[document, ("../Code.js", "")]), "its files are refused", &[]),
        ("no document", Stored::files(&[("Code.js", "")]), "its files are refused", &[]),
        ("a document", Stored::of("<workflow/>"), refused, &["W0113", "W0113"]),
        ("an attribute", Stored::of(&odd()), refused, &["W0114"]),
        ("a file", Stored::files(&[document]), refused, &["W0136"]),
        ("no plan", Stored { checked_by: 0, ..Stored::files(&[document]) }, refused, &["W0136"]),
        (
            "a value",
            Stored::of(DOCUMENT).input("v", Encoded::trusted(vec![0xff])),
            "its input for the node `v`",
            &[],
        ),
        ("a node", Stored::of(DOCUMENT).input("w", one()), "its input for the node `w`", &[]),
        ("a record", Stored { unread: true, ..Stored::of(DOCUMENT) }, "it holds the state `LATER`", &[]),
    ]
}

fn one() -> Encoded {
    Encoded::of(&Value::Number(1.0)).unwrap()
}

#[actix::test]
async fn each_trouble_is_its_own_runs() {
    let mut bed = Bed::new().await;
    let mut broken = Vec::new();
    for (_, stored, ..) in troubles() {
        broken.push(bed.store(stored).await);
    }
    let whole = [
        bed.store(Stored::of(DOCUMENT).input("v", one())).await,
        bed.store(Stored { checked_by: 0, ..Stored::of(&odd()) }).await,
    ];
    let take_up = bed.start().await;
    assert_eq!(bed.left(), 12);
    bed.take_up(take_up).await;
    for (run, (what, _, words, codes)) in broken.iter().zip(troubles()) {
        let error = bed.error(*run).await;
        assert!(error.node.is_empty() && error.message.contains(words), "{what}: {error:?}");
        let found: Vec<&str> = error.diagnostics.iter().map(|found| found.code.as_str()).collect();
        assert_eq!(found, codes, "{what}");
        assert!(bed.common.board.run(*run).is_none(), "{what}: it is read from the store now");
        assert_eq!(bed.listed(*run), RunState::Failed, "{what}");
    }
    assert_eq!((bed.left(), bed.common.board.open_runs()), (0, whole.len()));
    let (cancelled, enqueued) = bed.asked();
    assert_eq!((cancelled, enqueued), (broken, whole.to_vec()), "jobs of those that failed go");
}

#[actix::test]
async fn a_run_begins_anew_every_five_seconds_at_most() {
    let mut bed = Bed::new().await;
    let run = bed.store(Stored::of(DOCUMENT)).await;
    let take_up = bed.start().await;
    bed.take_up(take_up).await;
    assert_eq!(bed.asked().1, [run]);
    for rest_ms in [0, 5_000, 5_000] {
        assert_eq!(bed.begin_anew(run).await, rest_ms);
    }
}

#[actix::test]
async fn a_broken_row_stops_no_start_and_no_other_run() {
    let mut bed = Bed::new().await;
    let [one, two, three] = bed.three().await;
    bed.guard.fault(Fault::Corrupt { run: two });
    let open = left_open(&*bed.guard).await.unwrap();
    assert_eq!(open.iter().map(|record| record.id).collect::<Vec<_>>(), [one, two, three]);
    let take_up = bed.start().await;
    bed.take_up(take_up).await;
    assert!(bed.error(two).await.message.contains("an end that is no moment"));
    assert_eq!((bed.left(), bed.asked()), (0, (vec![two], vec![one, three])));
}

#[actix::test]
async fn a_run_is_seen_before_its_turn_and_by_the_same_eyes_after_it() {
    let mut bed = Bed::new().await;
    let run = bed.store(Stored::of(DOCUMENT)).await;
    let take_up = bed.start().await;
    let mut eyes = bed.common.board.run(run).unwrap();
    let bare = eyes.borrow_and_update().clone();
    assert_eq!((bare.head.state, bare.facts.nodes.len()), (RunState::Started, 0));
    assert_eq!(bed.listed(run), RunState::Started);
    assert!(bed.common.board.aim(bare.head.workflow).is_none());
    bed.take_up(take_up).await;
    eyes.wait_for(|shown| shown.facts.nodes.len() == 2).await.unwrap();
    assert!(bed.common.board.aim(bare.head.workflow).is_some());
}

#[actix::test]
async fn a_run_that_is_cancelled_before_its_turn_goes_first_and_ends_as_any() {
    let mut bed = Bed::new().await;
    let [one, two, three] = bed.three().await;
    let take_up = bed.start().await;
    for _ in 0..2 {
        bed.root().send(CancelRun(three)).await.unwrap();
    }
    let mut eyes = bed.common.board.run(three).unwrap();
    bed.take_up(take_up).await;
    assert_eq!(bed.guard.read(), [three, one, two]);
    eyes.wait_for(|shown| shown.head.state == RunState::Cancelled).await.unwrap();
    assert_eq!(eyes.borrow().facts.nodes.len(), 2, "it stood before it was cancelled");
    let end = bed.guard.store.run(three).await.unwrap().unwrap().end.unwrap();
    assert_eq!(end.state, RunState::Cancelled);
    assert_eq!(bed.guard.store.open_runs().await.unwrap(), [one, two]);
}

#[actix::test]
async fn a_pause_before_its_turn_is_in_the_run() {
    for durable in [true, false] {
        let mut bed = Bed::new().await;
        let run = bed.store(Stored::of(DOCUMENT)).await;
        let take_up = bed.start().await;
        let words = PauseWords { by: Some("ada".into()), note: Some("lunch".into()) };
        let pause = RunPause { since: bed.now(), why: Pause::Wanted(words.clone()) };
        if durable {
            bed.guard.store.pause(Scope::Run(run), Some(&words), pause.since).await.unwrap();
        } else {
            // Its record was read before, and it is being planned.
            let change = RunChange::Paused(Some(pause.clone()));
            bed.root().send(ChangeRun { run, change }).await.unwrap();
            assert_eq!(bed.common.board.run(run).unwrap().borrow().head.paused, Some(pause.clone()));
        }
        bed.take_up(take_up).await;
        let mut eyes = bed.common.board.run(run).unwrap();
        let shown = eyes.wait_for(|shown| !shown.facts.nodes.is_empty()).await.unwrap();
        assert_eq!(shown.head.paused, Some(pause), "{durable}");
    }
}

#[actix::test]
async fn a_database_that_does_not_answer_holds_up_one_run() {
    let mut bed = Bed::new().await;
    let [one, two, three] = bed.three().await;
    let take_up = bed.start().await;
    bed.guard.fault(Fault::AwayUntil { run: one, others: vec![two, three] });
    bed.take_up(take_up).await;
    let read = bed.guard.read();
    assert_eq!((read.first(), read.last()), (Some(&one), Some(&one)), "{read:?}");
    assert_eq!((bed.left(), bed.asked().1), (0, vec![two, three, one]));
}

#[actix::test]
async fn the_end_of_a_failed_take_up_is_durable_before_anybody_is_told() {
    for fault in [Fault::EndRefused, Fault::EndNotAnswered] {
        let mut bed = Bed::new().await;
        let run = bed.store(Stored::of("<workflow/>")).await;
        let take_up = bed.start().await;
        bed.guard.fault(fault);
        bed.take_up(take_up).await;
        assert!(bed.common.health.check().is_err(), "a write was refused");
        assert_eq!(bed.listed(run), RunState::Failed);
        assert_eq!(bed.asked().0, [run], "told once");
        assert!(!bed.error(run).await.diagnostics.is_empty());
    }
}
