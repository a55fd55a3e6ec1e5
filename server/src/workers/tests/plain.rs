//! A worker without a connection: dequeues that wait, submits that are answered in their order, leases that end.

use std::time::Duration;

use weevil_engine::contact;
use weevil_engine::parcel::Parcel;
use weevil_protocol::plain::Renewal;
use weevil_queue::batch::Verdict;

use super::bed::{Bed, LEASE_MS, claimed, key, patient};
use super::plain_guest::{Guest, LONG, jobs};

fn answer(number: i64, verdict: Verdict) -> contact::Answer {
    contact::Answer { key: key(number), verdict, ended: false }
}

#[actix::test]
async fn a_dequeue_waits_until_jobs_come() {
    let mut bed = Bed::new().await;
    let guest = Guest::join(&mut bed).await;
    let waiting = guest.dequeue(2, LONG);
    assert_eq!(bed.asked().await, "heartbeat [] with 2 slots wants 2");
    guest.contact.assign((1..=3).map(|number| claimed(number, 0)).collect(), Parcel::default());
    assert_eq!(jobs(waiting).await, [1, 2], "as many as it asked for");
    assert_eq!(bed.asked().await, "heartbeat [] with 2 slots wants 0");
    assert_eq!(jobs(guest.dequeue(2, LONG)).await, [3], "what is there is not waited for");
    assert_eq!(bed.left(), Vec::<String>::new());
}

#[actix::test]
async fn a_dequeue_that_has_waited_long_enough_brings_nothing() {
    let mut bed = Bed::new().await;
    let guest = Guest::join(&mut bed).await;
    assert!(jobs(guest.dequeue(2, Duration::ZERO)).await.is_empty());
    assert_eq!(bed.asked().await, "heartbeat [] with 2 slots wants 2");
    assert_eq!(bed.asked().await, "heartbeat [] with 2 slots wants 0", "the feeder looks for no more");
}

#[actix::test]
async fn a_second_dequeue_takes_the_place_of_the_first() {
    let mut bed = Bed::new().await;
    let guest = Guest::join(&mut bed).await;
    let (first, second) = (guest.dequeue(1, LONG), guest.dequeue(5, LONG));
    assert!(jobs(first).await.is_empty());
    guest.contact.assign(vec![claimed(1, 0)], Parcel::default());
    assert_eq!(jobs(second).await, [1]);
    for wants in [1, 0, 5, 0] {
        assert_eq!(bed.asked().await, format!("heartbeat [] with 2 slots wants {wants}"));
    }
}

#[actix::test]
async fn jobs_whose_request_has_gone_are_there_for_the_next() {
    let mut bed = Bed::new().await;
    let guest = Guest::join(&mut bed).await;
    drop(guest.dequeue(2, LONG));
    guest.contact.assign(vec![claimed(1, 0), claimed(2, 0)], Parcel::default());
    assert_eq!(jobs(guest.dequeue(9, LONG)).await, [1, 2]);
}

#[actix::test]
async fn what_the_worker_holds_is_added_to_what_it_wants() {
    let mut bed = Bed::new().await;
    let guest = Guest::join(&mut bed).await;
    guest.contact.assign(vec![claimed(1, 0), claimed(2, 0)], Parcel::default());
    assert_eq!(jobs(guest.dequeue(9, LONG)).await, [1, 2]);
    let _waiting = guest.dequeue(3, LONG);
    assert_eq!(bed.asked().await, "heartbeat [] with 2 slots wants 5");
    let _answer = guest.submit(&bed, &[1]);
    assert_eq!(bed.asked().await, "complete [1 value] wants 4");
}

#[actix::test]
async fn each_submit_is_answered_when_all_its_reports_are() {
    use Verdict::{Accepted, Superseded, Unknown};
    let mut bed = Bed::new().await;
    let guest = Guest::join(&mut bed).await;
    let (first, second) = (guest.submit(&bed, &[1, 2]), guest.submit(&bed, &[3, 1]));
    for reports in ["1 value, 2 value", "3 value, 1 value"] {
        assert_eq!(bed.asked().await, format!("complete [{reports}] wants 0"));
    }
    guest.contact.answer(vec![answer(3, Unknown), answer(1, Accepted)]);
    guest.contact.answer(vec![answer(1, Superseded), answer(2, Accepted)]);
    assert_eq!(patient(second).await.unwrap().unwrap(), [(key(3), Unknown), (key(1), Superseded)]);
    assert_eq!(patient(first).await.unwrap().unwrap(), [(key(1), Accepted), (key(2), Accepted)]);
}

#[actix::test]
async fn an_answer_whose_request_has_gone_is_nobodys() {
    let mut bed = Bed::new().await;
    let guest = Guest::join(&mut bed).await;
    drop(guest.submit(&bed, &[1]));
    let second = guest.submit(&bed, &[1]);
    guest.contact.answer(vec![answer(1, Verdict::Accepted), answer(1, Verdict::Superseded)]);
    assert_eq!(patient(second).await.unwrap().unwrap(), [(key(1), Verdict::Superseded)]);
}

#[actix::test]
async fn a_heartbeat_says_what_was_renewed_revoked_and_has_expired() {
    let mut bed = Bed::new().await;
    let guest = Guest::join(&mut bed).await;
    guest.contact.assign((1..=4).map(|number| claimed(number, 0)).collect(), Parcel::default());
    jobs(guest.dequeue(9, LONG)).await;
    guest.contact.revoke(vec![key(2), key(3)]);
    let told = patient(guest.heartbeat(&[1, 2, 9])).await.unwrap().unwrap();
    let expected =
        [(1, Renewal::Renewed), (2, Renewal::Revoked), (9, Renewal::Expired), (3, Renewal::Revoked)];
    assert_eq!(told, expected.map(|(number, renewal)| (key(number), renewal)));
    assert_eq!(bed.asked().await, "heartbeat [1] with 2 slots wants 0", "only what is renewed is asked for");
    bed.clock.advance(LEASE_MS + 1);
    let told = patient(guest.heartbeat(&[1, 4])).await.unwrap().unwrap();
    assert_eq!(told, [(key(1), Renewal::Renewed), (key(4), Renewal::Expired)], "1 was renewed for longer");
}

#[actix::test]
async fn what_is_revoked_before_it_is_fetched_is_not_handed_out() {
    let mut bed = Bed::new().await;
    let guest = Guest::join(&mut bed).await;
    guest.contact.assign(vec![claimed(1, 0), claimed(2, 0)], Parcel::default());
    guest.contact.revoke(vec![key(1)]);
    assert_eq!(jobs(guest.dequeue(9, LONG)).await, [2]);
}
