//! How much a worker may say: attempts in a frame, frames in a heartbeat's time, reports before they are answered; and
//! how much may wait for one that does not read.

use std::sync::Arc;

use weevil_engine::contact::Answer;
use weevil_engine::parcel::{Bell, Parcel};
use weevil_model::limits::MAX_IN_FLIGHT;
use weevil_peer::Row;
use weevil_protocol::frame::{ClientFrame, ServerFrame};
use weevil_queue::batch::Verdict;

use super::bed::{Bed, claimed, key};
use super::socket::{BINARY, Sent, Socket, TEXT, attempts, heartbeat, results};

const MOST: i64 = MAX_IN_FLIGHT as i64;
const TOO_MUCH: &str = "more comes in than can be answered: slow down";
/// A value, and nothing more.
const NULL: &[u8] = &[0xf6];

#[actix::test]
async fn a_frame_that_names_too_many_attempts_or_is_none_ends_the_connection() {
    let many = || 1..=MOST + 1;
    let yielding = ClientFrame::Yield { attempts: attempts(many()), capacity: 0 };
    let words = "the message is not a frame of this protocol";
    for (opcode, bytes, words) in [
        (BINARY, heartbeat(many()).encode(), words),
        (BINARY, results(many().map(|number| (number, NULL))).encode(), words),
        (BINARY, yielding.encode(), words),
        (BINARY, vec![0xff], words),
        (BINARY, vec![0; 40], words),
        (TEXT, heartbeat([]).encode(), "frames are binary messages, this one is text"),
    ] {
        let mut bed = Bed::new().await;
        let (mut socket, _) = Socket::welcome(&bed).await;
        bed.joined().await;
        socket.send_raw(opcode, &bytes);
        socket.send(&heartbeat([]));
        let (message, reload) = socket.refused().await;
        assert!(message.starts_with(words) && !reload, "{message}");
        assert_eq!(bed.left(), ["leave lost"], "what came behind it is not heard");
    }
}

#[actix::test]
async fn so_many_heartbeats_are_heard_in_a_heartbeats_time() {
    for (names, heard) in [(0, 200), (64, 100), (MOST, 6)] {
        let mut bed = Bed::new().await;
        let (mut socket, _) = Socket::welcome(&bed).await;
        for _ in 0..heard {
            socket.send(&heartbeat(1..=names));
            assert_eq!(socket.next().await, Sent::Frame(ServerFrame::Heard));
        }
        socket.send(&heartbeat(1..=names));
        assert_eq!(socket.refused().await.0, TOO_MUCH);
        assert_eq!(bed.left().len(), heard + 2, "the worker came, and left");
    }
}

#[actix::test]
async fn so_many_reports_wait_for_their_answers() {
    for answered in [0, MOST] {
        let mut bed = Bed::new().await;
        let (mut socket, _) = Socket::welcome(&bed).await;
        let contact = bed.joined().await;
        contact.assign((1..=3 * MOST).map(|number| claimed(number, 0)).collect(), Parcel::default());
        assert!(matches!(socket.next().await, Sent::Frame(ServerFrame::Assign { .. })));
        for frame in [0, 1] {
            socket.send(&results((1 + frame * MOST..=(frame + 1) * MOST).map(|number| (number, NULL))));
            assert!(bed.asked().await.starts_with("complete"), "{frame}");
        }
        let answer = |number| Answer { key: key(number), verdict: Verdict::Accepted, ended: true };
        if answered > 0 {
            contact.answer((1..=answered).map(answer).collect());
            assert!(matches!(socket.next().await, Sent::Frame(ServerFrame::Verdicts(_))));
        }
        socket.send(&results((1 + 2 * MOST..=3 * MOST).map(|number| (number, NULL))));
        let asked = bed.asked().await;
        assert_eq!(asked.starts_with("complete"), answered > 0, "{}", &asked[..20.min(asked.len())]);
    }
}

#[actix::test]
async fn a_worker_that_does_not_read_is_given_up() {
    let mut bed = Bed::new().await;
    let (socket, _) = Socket::welcome(&bed).await;
    let contact = bed.joined().await;
    for number in 1..=257 {
        contact.revoke(vec![key(number)]);
    }
    assert_eq!(bed.asked().await, "leave lost");
    let mut socket = socket;
    assert_eq!(socket.next().await, Sent::Close, "what waited for it is gone");
}

#[actix::test]
async fn a_worker_that_takes_its_input_for_too_long_is_given_up() {
    let mut bed = Bed::watching().await;
    let (mut socket, _) = Socket::welcome(&bed).await;
    let contact = bed.joined().await;
    let permit = bed.budget.take(bed.peer(), Row::Unsent, 1 << 20).unwrap();
    contact.assign(vec![claimed(1, 1 << 20)], Parcel::new(permit, Arc::<Bell>::default()));
    assert!(socket.piece().await.is_some(), "the first of many");
    // Silence alone would take longer.
    bed.clock.advance(30_000);
    assert_eq!(bed.asked().await, "leave lost");
    assert_eq!(socket.piece().await, None);
    let unsent = bed.budget.usage().used.into_iter().find(|(row, _)| *row == "unsent");
    assert_eq!(unsent, Some(("unsent", 0)), "its bytes are free");
}
