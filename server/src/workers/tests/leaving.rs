//! How a connection ends: with a word, without one, or in silence.

use weevil_protocol::frame::{ClientFrame, ServerFrame};

use super::bed::{Bed, LEASE_MS};
use super::socket::{CLOSE, PING, Sent, Socket, heartbeat};

#[actix::test]
async fn a_worker_that_says_goodbye_gives_back_what_it_holds() {
    let mut bed = Bed::new().await;
    let (mut socket, _) = Socket::welcome(&bed).await;
    bed.joined().await;
    socket.send(&ClientFrame::Bye);
    assert_eq!((bed.asked().await.as_str(), socket.next().await), ("leave yielded", Sent::Close));
}

#[actix::test]
async fn a_connection_that_ends_without_a_goodbye_has_lost_its_worker() {
    for how in ["closed", "cut from its side", "cut from ours"] {
        let mut bed = Bed::new().await;
        let (socket, _) = Socket::welcome(&bed).await;
        bed.joined().await;
        if how == "closed" {
            socket.send_raw(CLOSE, &[]);
        }
        let Socket { bytes, writer } = socket;
        if how == "cut from its side" {
            drop(bytes);
            assert_eq!(bed.asked().await, "leave lost", "{how}");
        } else {
            drop((how == "cut from ours").then_some(writer));
            assert_eq!(bed.asked().await, "leave lost", "{how}");
        }
    }
}

#[actix::test]
async fn a_worker_of_which_nothing_is_heard_for_a_lease_is_refused() {
    let mut bed = Bed::watching().await;
    let (mut socket, _) = Socket::welcome(&bed).await;
    bed.joined().await;
    bed.clock.advance(LEASE_MS);
    socket.send(&heartbeat([]));
    assert_eq!(socket.next().await, Sent::Frame(ServerFrame::Heard), "a whole lease is no silence yet");
    bed.clock.advance(LEASE_MS);
    socket.send_raw(PING, b"?");
    assert_eq!(socket.next().await, Sent::Pong(b"?".to_vec()));
    bed.clock.advance(1);
    assert_eq!(socket.refused().await.0, "nothing was heard for a whole lease", "a ping is no word");
    assert_eq!(bed.left(), ["heartbeat [] with 1 slots wants 3", "leave lost"]);
}

/// Asked alone: nobody sees whether a session has looked after its worker before the next word came.
#[actix::test]
async fn silence_begins_behind_a_whole_lease() {
    for (ms, silent) in [(0, false), (LEASE_MS - 1, false), (LEASE_MS, false), (LEASE_MS + 1, true)] {
        let bed = Bed::watching().await;
        let context = bed.context();
        let heard_at = context.common.clock.now();
        bed.clock.advance(ms);
        assert_eq!(context.is_silent(heard_at), silent, "{ms} ms");
    }
}

#[actix::test]
async fn a_worker_that_never_says_hello_leaves_nobody_behind() {
    let mut bed = Bed::new().await;
    let mut writer = Socket::open(&bed).await.lose();
    assert!(writer.next().await.is_some_and(|close| close.is_ok()));
    assert!(writer.next().await.is_none());
    assert_eq!(bed.left(), Vec::<String>::new());
}
