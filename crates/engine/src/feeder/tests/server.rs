//! When the server is asked whether it would check something, what it hears, and who does not see it.

use weevil_model::{ContentHash, WorkerId};
use weevil_queue::batch::Change;
use weevil_queue::{Claimed, Outcomes};

use super::driven::{Driven, complete};
use crate::contact::Contact;
use crate::feeder::{Request, ServerRequest};
use crate::testing::{Guest, claimed, report, settled};

const SERVER: WorkerId = WorkerId::SERVER;

/// The server computes as well, and would hold so many jobs.
fn employed(capacity: u32) -> Driven {
    let mut driven = Driven::with([Guest::new(1)]);
    let contact = Contact::of(driven.recorder("server".into()));
    driven.ask(Request::OfServer(ServerRequest::Employ(contact)));
    wants(&mut driven, capacity);
    driven
}

fn wants(driven: &mut Driven, capacity: u32) {
    driven.ask(Request::Heartbeat { worker: SERVER, holding: vec![], slots: 1, capacity, duty: None });
}

/// Worker 1 has answered this job: what the batch after that asks for.
async fn asks_after(driven: &mut Driven, job: i64, change: Change) -> Vec<String> {
    driven.ask(complete(1, vec![report(job)], 0));
    let parts =
        driven.answered(Outcomes { completed: vec![settled(job, 1, change)], ..Outcomes::default() }).await;
    assert_eq!(parts[0], format!("report {job}"));
    driven.parts().await
}

#[actix::test]
async fn it_asks_at_its_start_and_when_something_was_answered() {
    let mut driven = employed(4);
    assert_eq!(driven.parts().await, ["claim 4 for the server"], "what was left before it began");
    for (job, change, asks) in [
        (1, Change::Answered, true),
        (2, Change::Requeued, false),
        (3, crate::testing::ended(), false),
        (4, Change::Answered, true),
    ] {
        let expected: &[&str] = if asks { &["claim 4 for the server"] } else { &[] };
        assert_eq!(asks_after(&mut driven, job, change).await, expected, "{job}");
    }
}

#[actix::test]
async fn it_gets_what_it_has_room_for_and_is_nobody_among_the_workers() {
    let mut driven = employed(2);
    let handed = |job| Claimed { worker: SERVER, ..claimed(job, 1) };
    driven.batches.answer(Outcomes { claimed: vec![handed(5), handed(6)], ..Outcomes::default() });
    assert_eq!(driven.parts().await, ["claim 2 for the server"]);
    assert_eq!(driven.heard().await, ["server is handed 5 6"]);
    driven.ask(Request::Tick);
    let fleet = driven.board.fleet().borrow().clone();
    assert_eq!(fleet.workers.iter().map(|worker| worker.id.number()).collect::<Vec<_>>(), [1]);
    assert_eq!(asks_after(&mut driven, 1, Change::Answered).await, [""; 0], "it holds all that it would");
    wants(&mut driven, 3);
    assert_eq!(driven.parts().await, ["claim 1 for the server"]);
}

#[actix::test]
async fn of_which_codes_it_could_say_nothing_is_told_along() {
    let mut driven = employed(1);
    let code = ContentHash::of(b"code");
    driven.ask(Request::OfServer(ServerRequest::Unsaid(code)));
    let batch = driven.work().await.remove(0);
    assert_eq!(batch.claim.server.map(|ask| ask.unsaid), Some(vec![code]));
}

#[actix::test]
async fn what_was_held_while_it_asked_it_asks_for_once_that_goes_on() {
    let mut driven = employed(4);
    assert_eq!(driven.parts().await, ["claim 4 for the server"], "of a queue that is paused");
    driven.ask(Request::Probe);
    assert_eq!(driven.parts().await, ["probe"]);
    driven.ask(Request::Resumed);
    assert_eq!(driven.parts().await, ["claim 4 for the server"]);
}
