//! Devices: the values that end jobs add up, in the transactions that end them, and a restart keeps them.

use weevil_model::{ContentHash, Timestamp};
use weevil_queue::{AttemptKey, Batch, Report, Reporter, Submission};
use weevil_records::Device;

use crate::bed::{Bed, boom, number, reporter, submission};
use crate::databases::{Kind, on_each_database};

fn from(device: Option<ContentHash>, key: AttemptKey, report: Report) -> Submission {
    Submission { reporter: Reporter { device, ..reporter() }, ..submission(key, report) }
}

async fn held(bed: &mut Bed, jobs: &[&str]) -> Vec<AttemptKey> {
    bed.enqueue(&jobs.iter().map(|path| (*path, 0)).collect::<Vec<_>>()).await;
    let many = u32::try_from(jobs.len()).unwrap();
    bed.claim(&[(1, many)]).await.iter().map(|claimed| claimed.key).collect()
}

async fn a_device_is_known_by_the_values_that_ended_jobs(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let [one, two, three] = [&b"one"[..], b"two", b"three"].map(ContentHash::of);
    let keys = held(&mut bed, &["a", "b", "c", "d", "e", "f"]).await;
    let value = || Report::Value(number(1.0));
    for (at, complete) in [
        (20, vec![from(Some(one), keys[0], value()), from(Some(two), keys[1], value())]),
        (30, vec![from(Some(one), keys[2], value()), from(Some(one), keys[3], value())]),
        (40, vec![from(Some(one), keys[0], value()), from(Some(three), keys[4], boom("x"))]),
        // A server whose clock is late does not turn time back.
        (10, vec![from(Some(two), keys[5], value())]),
    ] {
        bed.now = Timestamp(at);
        bed.apply(Batch { complete, ..Batch::default() }).await;
    }
    bed.store = bed.database.open().await;
    for (fingerprint, first, last, accepted) in [(one, 20, 30, 3), (two, 20, 20, 2)] {
        let known =
            Device { fingerprint, first_seen: Timestamp(first), last_seen: Timestamp(last), accepted };
        assert_eq!(bed.store.device(fingerprint).await.unwrap(), Some(known));
    }
    assert_eq!(bed.store.device(three).await.unwrap(), None, "an error is no work");
}

on_each_database! {
    a_device_is_known_by_the_values_that_ended_jobs,
}
