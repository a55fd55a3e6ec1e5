//! What a worker with a connection reports, and what it is told.

use weevil_engine::contact::Answer;
use weevil_engine::feeder::Request;
use weevil_engine::parcel::Parcel;
use weevil_protocol::frame::{ClientFrame, ServerFrame, Verdict};

use super::bed::{Bed, claimed, key};
use super::socket::{Sent, Socket, attempts, heartbeat, results};

const NULL: &[u8] = &[0xf6];

#[actix::test]
async fn bytes_that_are_no_value_are_the_error_of_their_attempt_alone() {
    let mut bed = Bed::new().await;
    let (socket, _) = Socket::welcome(&bed).await;
    let contact = bed.joined().await;
    contact.assign((1..=4).map(|number| claimed(number, 0)).collect(), Parcel::default());
    socket.send(&results([(1, NULL), (2, &[0xff][..]), (3, &[]), (-1, NULL), (4, NULL)]));
    assert_eq!(bed.asked().await, "complete [1 value, 2 notAValue, 3 notAValue, 4 value] wants 3");
}

#[actix::test]
async fn each_report_is_asked_once_and_answered_as_often_as_it_came() {
    let mut bed = Bed::new().await;
    let (mut socket, _) = Socket::welcome(&bed).await;
    let contact = bed.joined().await;
    for _ in 0..3 {
        socket.send(&results([(1, NULL)]));
    }
    socket.send(&heartbeat([]));
    for expected in ["complete [1 value] wants 3", "complete [] wants 3", "complete [] wants 3"] {
        assert_eq!(bed.asked().await, expected, "what is repeated only says what the worker wants");
    }
    assert_eq!(socket.next().await, Sent::Frame(ServerFrame::Heard));
    contact.answer(vec![Answer {
        key: key(1),
        verdict: weevil_queue::batch::Verdict::Accepted,
        ended: true,
    }]);
    let accepted = (attempts([1])[0], Verdict::Accepted);
    assert_eq!(socket.next().await, Sent::Frame(ServerFrame::Verdicts(vec![accepted; 3])));
}

#[actix::test]
async fn what_a_worker_says_is_asked_in_its_order() {
    let mut bed = Bed::new().await;
    let (socket, _) = Socket::welcome(&bed).await;
    bed.joined().await;
    socket.send(&ClientFrame::Yield { attempts: attempts([1, -5, 2]), capacity: 7 });
    socket.send(&heartbeat([3, -5]));
    socket.send(&results([(4, NULL)]));
    socket.send(&ClientFrame::Bye);
    for expected in [
        "yield [1, 2] wants 7",
        "heartbeat [3] with 1 slots wants 3",
        "complete [4 value] wants 3",
        "leave yielded",
    ] {
        assert_eq!(bed.asked().await, expected);
    }
}

#[actix::test]
async fn a_worker_reports_under_its_own_name() {
    let mut bed = Bed::new().await;
    let (socket, _) = Socket::welcome(&bed).await;
    let Request::Join(joined, _) = bed.request().await else { panic!("nobody comes") };
    socket.send(&results([(1, NULL)]));
    let Request::Complete { worker, submissions, .. } = bed.request().await else { panic!("no report") };
    assert_eq!((worker, submissions[0].reporter.worker), (joined.worker, joined.worker));
}

#[actix::test]
async fn what_is_assigned_and_revoked_goes_out_in_order() {
    let mut bed = Bed::new().await;
    let (mut socket, _) = Socket::welcome(&bed).await;
    let contact = bed.joined().await;
    contact.assign(vec![claimed(1, 0), claimed(2, 0)], Parcel::default());
    contact.revoke(vec![key(1)]);
    let Sent::Frame(ServerFrame::Assign { codes, jobs }) = socket.next().await else { panic!("no jobs") };
    assert_eq!((codes.len(), jobs.iter().map(|job| job.key.job).collect::<Vec<_>>()), (1, vec![1, 2]));
    assert_eq!(socket.next().await, Sent::Frame(ServerFrame::Revoke(attempts([1]))));
}
