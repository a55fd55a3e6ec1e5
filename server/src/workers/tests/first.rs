//! What a connection may say first, and what it may not say twice.

use weevil_protocol::PROTOCOL_VERSION;
use weevil_protocol::frame::{ClientFrame, ServerFrame};

use super::bed::Bed;
use super::socket::{BINARY, Sent, Socket, TEXT, heartbeat, hello, results};

const NO_HELLO: &str = "the message is not a frame with a hello, which must come first";

#[actix::test]
async fn a_hello_is_welcomed_and_the_feeder_hears_of_the_worker() {
    let mut bed = Bed::new().await;
    let mut socket = Socket::open(&bed).await;
    socket.send(&hello(PROTOCOL_VERSION));
    let Sent::Frame(ServerFrame::Welcome(welcome)) = socket.next().await else { panic!("no welcome") };
    assert_eq!(welcome.heartbeat_ms, bed.context().pacer.calm().heartbeat_ms);
    assert_eq!(bed.asked().await, "join test with 1 slots wants 3");
}

#[actix::test]
async fn whatever_else_comes_first_is_refused_and_nobody_has_come() {
    let hello_bytes = hello(PROTOCOL_VERSION).encode();
    let mut long = hello_bytes.clone();
    long.resize(5_000, 0);
    for (opcode, bytes, words, reload) in [
        (BINARY, heartbeat([1]).encode(), NO_HELLO, false),
        (BINARY, ClientFrame::Bye.encode(), NO_HELLO, false),
        (BINARY, results([(1, &[0xf6][..])]).encode(), NO_HELLO, false),
        (BINARY, vec![0xff], NO_HELLO, false),
        (BINARY, Vec::new(), NO_HELLO, false),
        (BINARY, vec![0x82, 0x00, 0x01], "the message is not a frame of this protocol", false),
        (BINARY, hello(PROTOCOL_VERSION + 1).encode(), "this page speaks version", true),
        (BINARY, long, "the message has 5000 bytes; at most 4096 are allowed", false),
        (TEXT, hello_bytes, "frames are binary messages, this one is text", false),
        (0, vec![0xff], "a message goes on that has not begun", false),
        (3, Vec::new(), "a frame is of no known kind", false),
    ] {
        let mut bed = Bed::new().await;
        let mut socket = Socket::open(&bed).await;
        socket.send_raw(opcode, &bytes);
        socket.send(&hello(PROTOCOL_VERSION));
        let (message, page) = socket.refused().await;
        assert!(message.starts_with(words) && page == reload, "{message} {page}");
        assert_eq!(bed.left(), Vec::<String>::new(), "{message}");
    }
}

#[actix::test]
async fn a_second_hello_is_refused_and_its_worker_is_lost() {
    let mut bed = Bed::new().await;
    let (mut socket, _) = Socket::welcome(&bed).await;
    socket.send(&hello(PROTOCOL_VERSION));
    assert_eq!(socket.refused().await.0, "hello comes once");
    assert_eq!(bed.left(), ["join test with 1 slots wants 3", "leave lost"]);
}

#[actix::test]
async fn a_place_gets_no_more_seats_than_it_may_have_until_one_is_free() {
    let mut bed = Bed::new().await;
    let (first, _) = Socket::welcome(&bed).await;
    let (_second, _) = Socket::welcome(&bed).await;
    let mut third = Socket::open(&bed).await;
    third.send(&hello(PROTOCOL_VERSION));
    let (message, _) = third.refused().await;
    assert!(message.contains('2'), "{message}");
    bed.left();
    drop(first.lose());
    assert_eq!(bed.asked().await, "leave lost");
    Socket::welcome(&bed).await;
}
