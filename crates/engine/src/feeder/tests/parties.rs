//! Who speaks from a worker, what a judged job makes of it, and what is told of an answer.

use std::sync::Arc;

use weevil_model::ContentHash;
use weevil_model::witness::{Record, device_number};
use weevil_queue::batch::Change;
use weevil_queue::decide::company::Company;
use weevil_queue::{Claimed, Outcomes};

use super::driven::{Driven, complete};
use crate::feeder::Request;
use crate::testing::{Guest, claimed, failed, report, settled, worker};

fn identify(number: i64, key: &[u8]) -> Request {
    Request::Identified { worker: worker(number), device: ContentHash::of(key) }
}

/// The device that worker 1 is to the database, by the key that it showed.
async fn device(driven: &mut Driven) -> Option<&'static [u8]> {
    driven.ask(Request::Probe);
    let batch = driven.work().await.remove(0);
    let party = batch.company.parties.of(worker(1)).unwrap();
    let known = |key: &&&[u8]| party.witness.device == Some(device_number(ContentHash::of(key)));
    [&b"one"[..], b"two"].iter().find(known).copied()
}

#[actix::test]
async fn a_worker_stays_who_it_was_when_it_was_handed_a_judged_job() {
    for (judged, last) in [(false, &b"two"[..]), (true, b"one")] {
        let mut driven = Driven::with([Guest::new(1).wants(1)]);
        assert_eq!(device(&mut driven).await, None);
        driven.ask(identify(1, b"one"));
        assert_eq!(device(&mut driven).await, Some(&b"one"[..]));
        driven.ask(Request::Probe);
        let claimed = vec![Claimed { judged, ..claimed(1, 1) }];
        driven.answered(Outcomes { claimed, ..Outcomes::default() }).await;
        driven.ask(identify(1, b"two"));
        assert_eq!(device(&mut driven).await, Some(last), "{judged}");
        driven.ask(Request::Leave { worker: worker(1), end: weevil_queue::AttemptEnd::Lost });
        driven.ask(Request::Probe);
        assert_eq!(driven.work().await[0].company.parties.of(worker(1)), None);
    }
}

/// Worker 1 is device one, and another batch has brought these records.
#[actix::test]
async fn what_is_kept_of_a_device_is_learned_from_what_a_batch_brings() {
    let record = |passes| Record { passes, ..Record::default() };
    let number = |key: &[u8]| device_number(ContentHash::of(key));
    for (records, known) in [
        (vec![], None),
        (vec![(number(b"one"), record(3))], Some(3)),
        (vec![(number(b"two"), record(4)), (number(b"one"), record(5))], Some(5)),
        (vec![(number(b"two"), record(4))], None),
    ] {
        let mut driven = Driven::with([Guest::new(1)]);
        driven.ask(identify(1, b"one"));
        let (mut companies, told) = (Vec::new(), !records.is_empty());
        for records in [records, vec![]] {
            driven.ask(Request::Probe);
            driven.batches.answer(Outcomes { records, ..Outcomes::default() });
            companies.push(driven.work().await.remove(0).company);
        }
        let passes =
            |company: &Company| company.parties.of(worker(1)).unwrap().record.map(|record| record.passes);
        assert_eq!((passes(&companies[0]), passes(&companies[1])), (None, known));
        assert_eq!(!Arc::ptr_eq(&companies[0], &companies[1]), told, "changed where there is something");
    }
}

#[actix::test]
async fn who_could_not_have_what_is_ready_is_asked_for_again_with_a_tick_and_once_it_is_known() {
    for (request, again) in [
        (Request::Tick, true),
        (identify(1, b"one"), true),
        (Request::Marked(7), true),
        (Request::Probe, false),
    ] {
        let mut driven = Driven::with([Guest::new(1).wants(1)]);
        driven.answered(Outcomes { kept: true, ..Outcomes::default() }).await;
        driven.ask(request);
        let parts = driven.parts().await;
        assert_eq!(parts.iter().any(|part| part.starts_with("claim")), again, "{parts:?}");
    }
}

/// A mark that came while a batch with what was known before was under way is not overwritten by it.
#[actix::test]
async fn a_mark_has_what_is_kept_of_its_device_read_anew() {
    let number = |key: &[u8]| device_number(ContentHash::of(key));
    for (marked, forgotten) in [(&b"one"[..], true), (b"two", false)] {
        let mut driven = Driven::with([Guest::new(1), Guest::new(2)]);
        for worker in [1, 2] {
            driven.ask(identify(worker, b"one"));
        }
        driven.ask(Request::Probe);
        let records = vec![(number(b"one"), Record { passes: 3, ..Record::default() })];
        driven.answered(Outcomes { records, ..Outcomes::default() }).await;
        driven.ask(Request::Marked(number(marked)));
        driven.ask(Request::Probe);
        let company = driven.work().await.remove(0).company;
        let unknown = company.parties.unknown().count();
        assert_eq!(unknown, if forgotten { 2 } else { 0 }, "both tabs");
    }
}

#[actix::test]
async fn an_answer_is_told_and_a_value_counts_as_delivered() {
    let mut wanted = Vec::new();
    for answered in [report(1), failed(1)] {
        let mut driven = Driven::holding([(1, &[1][..])]).await;
        driven.listen("n1");
        driven.ask(complete(1, vec![answered], 99));
        let completed = vec![settled(1, 1, Change::Answered)];
        driven.answered(Outcomes { completed, ..Outcomes::default() }).await;
        assert_eq!(driven.heard().await, ["node n1 hears answered", "worker 1 is answered 1 accepted"]);
        driven.ask(Request::Probe);
        wanted.push(driven.work().await[0].claim.asks[0].wants);
    }
    assert_eq!(wanted[0], wanted[1] + 1, "its window grows with what it has delivered");
}
