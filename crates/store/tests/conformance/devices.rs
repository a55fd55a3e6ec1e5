//! Devices: their work adds up, and a restart keeps it.

use weevil_model::{ContentHash, Timestamp};
use weevil_records::Device;

use crate::bed::Bed;
use crate::databases::{Kind, on_each_database};

async fn a_device_is_known_again(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let (one, two) = (ContentHash::of(b"one"), ContentHash::of(b"two"));
    assert_eq!(bed.store.device(one).await.unwrap(), None);
    // A late count does not turn the clock back.
    for (at, device, accepted) in [(10, one, 3), (20, two, 1), (40, one, 0), (30, one, 4)] {
        bed.store.count_device(device, accepted, Timestamp(at)).await.unwrap();
    }
    bed.store = bed.database.open().await;
    for (fingerprint, first, last, accepted) in [(one, 10, 40, 7), (two, 20, 20, 1)] {
        let known =
            Device { fingerprint, first_seen: Timestamp(first), last_seen: Timestamp(last), accepted };
        assert_eq!(bed.store.device(fingerprint).await.unwrap(), Some(known));
    }
}

on_each_database! {
    a_device_is_known_again,
}
