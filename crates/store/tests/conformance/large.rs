//! Values of every size: what is kept comes back, to the last byte, wherever a store puts it.

use weevil_model::limits::MAX_VALUE_BYTES;
use weevil_model::{DataType, Encoded, Needs, RunState, Timestamp, Value};
use weevil_queue::batch::{Change, Verdict};
use weevil_queue::decide::claim::MAX_CLAIM_BYTES;
use weevil_queue::{Batch, Claim, Ended, NewJob, Report};
use weevil_records::{RunEnd, RunFacts};

use crate::bed::{Bed, ask, number, paths, worker};
use crate::databases::{Kind, on_each_database};

/// Around the size from which SQLite keeps a value beside its row, and the largest there is.
const SIZES: [usize; 5] = [1, 16 * 1024 - 10, 16 * 1024 + 10, 1_000_000, MAX_VALUE_BYTES - 10];

fn text(letter: &str, size: usize) -> Encoded {
    Encoded::of(&Value::String(letter.repeat(size))).unwrap()
}

impl Bed {
    fn large(&mut self, path: &str, input: Encoded) -> NewJob {
        NewJob { input: input.into(), returns: Some(DataType::String), ..self.job(path, 0) }
    }

    async fn put_large(&self, job: &NewJob) {
        self.apply(Batch { enqueue: vec![job.clone()], ..Batch::default() }).await;
    }
}

async fn values_of_every_size_come_back(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    for size in SIZES {
        let (input, result) = (text("i", size), text("r", size));
        let job = bed.large(&size.to_string(), input.clone());
        bed.put_large(&job).await;
        let claimed = bed.claim_one(1).await.unwrap();
        assert!(claimed.input == input, "{size}");
        let (verdict, change) = bed.report(claimed.key, Report::Value(result.clone())).await;
        assert_eq!(verdict, Verdict::Accepted, "{size}");
        assert!(change == Some(Change::Ended(Ended::Value(result.clone()))), "{size}");
        assert!(bed.store.value(job.id).await.unwrap() == Some(result.clone()), "{size}");
        let again = NewJob { id: bed.minter.job(bed.now), ..job };
        let outcomes = bed.apply(Batch { enqueue: vec![again], ..Batch::default() }).await;
        assert!(outcomes.enqueued[0].ended == Ended::Value(result), "{size}");
    }
}

async fn a_large_input_is_still_there_when_the_job_is_handed_out_again(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = bed.large("a", text("i", 100_000));
    bed.put_large(&job).await;
    let again = NewJob { id: bed.minter.job(bed.now), input: text("o", 100_000).into(), ..job.clone() };
    bed.put_large(&again).await;
    for worker in [1, 2] {
        assert!(bed.claim_one(worker).await.unwrap().input == *job.input.array());
        bed.now = bed.now.plus_ms(crate::bed::LEASE_MS + 1);
        bed.apply(Batch { look: true, ..Batch::default() }).await;
    }
}

async fn a_large_result_is_taken_over_and_outlives_the_job_it_came_from(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let (old, result) = (bed.run, text("r", 100_000));
    let job = bed.large("a", text("i", 100_000));
    bed.put_large(&job).await;
    let key = bed.claim_one(1).await.unwrap().key;
    bed.report(key, Report::Value(result.clone())).await;
    let end =
        RunEnd { state: RunState::Finished, at: Timestamp(10), result: None, facts: RunFacts::default() };
    bed.end_run(old, &end).await;
    bed.run = bed.add_run().await;
    for (path, input, reused) in [
        ("equal", text("i", 100_000), true),
        ("other", text("o", 100_000), false),
        ("small", number(7.0), false),
    ] {
        let asking = NewJob { code: job.code, reuse: true, ..bed.large(path, input) };
        let outcomes = bed.apply(Batch { enqueue: vec![asking.clone()], ..Batch::default() }).await;
        assert_eq!(outcomes.enqueued.iter().any(|known| known.reused), reused, "{path}");
        bed.forget(Timestamp(20), 9).await;
        let kept = bed.store.value(asking.id).await.unwrap();
        assert!(kept == reused.then(|| result.clone()), "{path}");
    }
}

/// The server holds a few inputs, never a queue of them.
async fn a_claim_ends_with_its_bytes_and_the_next_goes_on(kind: Kind) {
    const MANY: u32 = 300;
    let mut bed = Bed::new(kind).await;
    for path in ["a", "b", "c"] {
        let job = bed.large(path, text("i", 15 << 20));
        bed.put_large(&job).await;
    }
    let small: Vec<NewJob> = (0..MANY).map(|at| bed.job(&format!("d{at:03}"), 0)).collect();
    bed.apply(Batch { enqueue: small, ..Batch::default() }).await;
    let mut claim = async |workers: &[i64], wants| {
        let tokens = (0..i64::from(wants)).map(|n| bed.token + n).collect();
        bed.token += i64::from(wants);
        let asks = workers.iter().map(|worker| ask(*worker, wants, Needs::JAVASCRIPT)).collect();
        bed.apply(Batch {
            claim: Claim { asks, tokens, bytes: MAX_CLAIM_BYTES, ..Claim::default() },
            ..Batch::default()
        })
        .await
    };
    let first = claim(&[1, 2], 2 * MANY).await;
    let dealt: Vec<_> =
        first.claimed.iter().map(|claimed| (&*claimed.path, claimed.worker)).take(2).collect();
    assert_eq!((dealt, first.cut), (vec![("a", worker(1)), ("b", worker(2))], true));
    assert!(first.claimed[..2].iter().all(|claimed| claimed.input == text("i", 15 << 20)));
    let second = claim(&[1], 1).await;
    assert_eq!((paths(&second.claimed), second.cut), (vec!["c"], false), "it got what it wanted");
    let rest = claim(&[1, 2], 2 * MANY).await;
    let small: Vec<&str> =
        first.claimed[2..].iter().chain(&rest.claimed).map(|claimed| &*claimed.path).collect();
    let expected: Vec<String> = (0..MANY).map(|at| format!("d{at:03}")).collect();
    assert_eq!(
        (small, rest.cut),
        (expected.iter().map(String::as_str).collect(), false),
        "what is small goes past"
    );
}

on_each_database! {
    a_claim_ends_with_its_bytes_and_the_next_goes_on,
    values_of_every_size_come_back,
    a_large_input_is_still_there_when_the_job_is_handed_out_again,
    a_large_result_is_taken_over_and_outlives_the_job_it_came_from,
}
