//! A delayed job is looked after at its moment, without a tick.

use futures_util::FutureExt;
use weevil_queue::Outcomes;

use super::driven::Driven;
use crate::clock::Clock;
use crate::feeder::{Request, channel};
use crate::testing::{Bed, new_job};

/// A batch after which the next delayed job is due so much later.
fn due(bed: &Bed, in_ms: i64) -> Outcomes {
    Outcomes { due: Some(bed.clock.now().plus_ms(in_ms)), ..Outcomes::default() }
}

#[actix::test]
async fn a_delays_moment_makes_a_batch_by_itself() {
    let bed = Bed::default();
    bed.batches.answer(due(&bed, 500));
    let (feeder, inbox) = channel(bed.metrics.queue.asks.clone());
    feeder.ask(Request::Enqueue(Box::new(new_job(1))));
    let feeding = actix::spawn(bed.context().run(inbox));
    for (ms, looks) in [(0, &[false][..]), (499, &[]), (1, &[true]), (5_000, &[])] {
        bed.clock.advance(ms);
        bed.heard().await;
        let tried: Vec<bool> = bed.batches.take().iter().map(|batch| batch.look).collect();
        assert_eq!(tried, looks, "{ms} ms later");
    }
    feeder.ask(Request::End);
    feeding.await.unwrap();
}

#[actix::test]
async fn only_a_batch_that_looked_or_delayed_moves_the_moment() {
    for (request, outcomes, waits) in [
        (Request::Probe, Outcomes::default(), true),
        (Request::Tick, Outcomes::default(), false),
        (Request::Tick, due(&Bed::default(), 700), true),
        (Request::Probe, due(&Bed::default(), 700), true),
    ] {
        let mut driven = Driven::with([]);
        driven.ask(Request::Enqueue(Box::new(new_job(1))));
        let first = due(&driven, 500);
        driven.answered(first).await;
        let moved = outcomes.due.is_some();
        driven.ask(request);
        driven.answered(outcomes).await;
        let moment = driven.feeder.something_due();
        driven.clock.advance(500);
        assert_eq!(moment.now_or_never().is_some(), waits && !moved);
        driven.clock.advance(200);
        assert_eq!(driven.parts().await, if waits { vec!["look"] } else { vec![] });
    }
}
