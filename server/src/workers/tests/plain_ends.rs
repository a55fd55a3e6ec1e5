//! How a worker without a connection leaves, what it did not fetch, and how much it may say.

use std::time::Duration;

use weevil_engine::contact::Answer;
use weevil_engine::parcel::Parcel;
use weevil_model::limits::MAX_IN_FLIGHT;
use weevil_queue::Claimed;
use weevil_queue::batch::Verdict;

use super::bed::{Bed, LEASE_MS, claimed, key, patient};
use super::plain_guest::{Guest, LONG, jobs};
use crate::workers::plain_session::SessionLeave;

#[actix::test]
async fn a_worker_that_leaves_is_found_no_more_and_gives_back_what_it_holds() {
    let mut bed = Bed::new().await;
    let guest = Guest::join(&mut bed).await;
    let waiting = guest.dequeue(1, LONG);
    bed.asked().await;
    assert!(guest.workers.find(&guest.pass).is_ok());
    guest.session.do_send(SessionLeave);
    assert_eq!(bed.asked().await, "leave yielded");
    assert!(guest.workers.find(&guest.pass).is_err());
    assert!(patient(waiting).await.is_err(), "who waits hears that the worker has gone");
}

#[actix::test]
async fn a_worker_of_which_nothing_is_heard_for_a_lease_is_lost() {
    let mut bed = Bed::watching().await;
    let guest = Guest::join(&mut bed).await;
    bed.clock.advance(LEASE_MS);
    patient(guest.heartbeat(&[])).await.unwrap().unwrap();
    assert_eq!(bed.asked().await, "heartbeat [] with 2 slots wants 0", "a whole lease is no silence yet");
    bed.clock.advance(LEASE_MS + 1);
    assert_eq!(bed.asked().await, "leave lost");
    assert!(guest.workers.find(&guest.pass).is_err());
}

#[actix::test]
async fn a_worker_that_waits_for_its_answers_is_not_silent() {
    let mut bed = Bed::watching().await;
    let guest = Guest::join(&mut bed).await;
    let verdicts = guest.submit(&bed, &[1]);
    assert_eq!(bed.asked().await, "complete [1 value] wants 0");
    bed.clock.advance(LEASE_MS + 1);
    for number in [2, 3] {
        // What was not fetched is given back when the session looks after its worker.
        let deadline = bed.context().common.clock.now().plus_ms(1);
        guest.contact.assign(vec![Claimed { deadline, ..claimed(number, 0) }], Parcel::default());
        assert_eq!(bed.asked().await, format!("yield [{number}] wants 0"));
    }
    guest.contact.answer(vec![Answer { key: key(1), verdict: Verdict::Accepted, ended: true }]);
    assert_eq!(bed.asked().await, "leave lost");
    assert_eq!(patient(verdicts).await.unwrap().unwrap(), [(key(1), Verdict::Accepted)]);
}

#[actix::test]
async fn what_nobody_fetches_is_given_back() {
    let mut bed = Bed::watching().await;
    let guest = Guest::join(&mut bed).await;
    guest.contact.assign(vec![claimed(1, 0), claimed(2, 0)], Parcel::default());
    assert_eq!(bed.asked().await, "yield [1, 2] wants 0");
    assert!(jobs(guest.dequeue(2, Duration::ZERO)).await.is_empty());
}

#[actix::test]
async fn so_many_dequeues_that_bring_nothing_are_answered_in_a_heartbeats_time() {
    let mut bed = Bed::new().await;
    let guest = Guest::join(&mut bed).await;
    for number in 1..=300 {
        guest.contact.assign(vec![claimed(number, 0)], Parcel::default());
        assert_eq!(jobs(guest.dequeue(1, LONG)).await, [number], "what brings work is bounded by the work");
    }
    for _ in 0..200 {
        assert!(jobs(guest.dequeue(1, Duration::ZERO)).await.is_empty());
    }
    assert!(patient(guest.dequeue(1, LONG)).await.unwrap().is_err());
    assert!(patient(guest.heartbeat(&[])).await.unwrap().is_err());
}

#[actix::test]
async fn so_many_reports_wait_for_their_answers() {
    let mut bed = Bed::new().await;
    let guest = Guest::join(&mut bed).await;
    let most = i64::from(MAX_IN_FLIGHT);
    let numbers = |frame: i64| (1 + frame * most..=(frame + 1) * most).collect::<Vec<_>>();
    let waiting = [0, 1].map(|frame| guest.submit(&bed, &numbers(frame)));
    assert!(patient(guest.submit(&bed, &numbers(2))).await.unwrap().is_err());
    let answer = |number| Answer { key: key(number), verdict: Verdict::Accepted, ended: true };
    guest.contact.answer(numbers(0).into_iter().map(answer).collect());
    let [first, _second] = waiting;
    assert_eq!(patient(first).await.unwrap().unwrap().len(), numbers(0).len());
    let _third = guest.submit(&bed, &numbers(2));
    let reports = |frame| numbers(frame).iter().map(|number| format!("{number} value")).collect::<Vec<_>>();
    for frame in 0..3 {
        let asked = format!("complete [{}] wants 0", reports(frame).join(", "));
        assert_eq!(bed.asked().await, asked, "what was refused takes no room");
    }
}
