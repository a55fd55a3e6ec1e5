//! Sessions: found by both cookies, touched, given new halves by one of many, bounded, ended.

use weevil_access::limits::MAX_SESSIONS;
use weevil_access::store::{Declined, Rotation};
use weevil_access::{Halves, SecretHash};
use weevil_model::{SessionId, Timestamp};

use super::People;
use crate::databases::{Kind, on_each_database};

fn rotation(session: SessionId, from: SecretHash, to: SecretHash, at: Timestamp) -> Rotation {
    Rotation { session, from, to, at, proved: false }
}

async fn a_session_is_found_by_its_cookie_and_the_one_before(kind: Kind) {
    let mut people = People::new(kind).await;
    let ada = people.add("ada", true).await;
    let new = people.a_session(ada);
    people.store.open_session(&new, &people.entry()).await.unwrap().unwrap();
    let (first, second, third) = (new.hash, people.hash(), people.hash());
    let found = people.store.session(first).await.unwrap().unwrap();
    assert_eq!((&found.record, found.halves, found.account.id), (&new.record, Halves::Current, ada));
    people.now = people.now.plus_ms(500);
    let (id, rows) = (new.record.id, people.audit_rows().await);
    assert!(people.store.rotate_session(&rotation(id, first, second, people.now), None).await.unwrap());
    for (hash, halves) in [(first, Halves::Replaced), (second, Halves::Current)] {
        let found = people.store.session(hash).await.unwrap().unwrap();
        assert_eq!((found.halves, found.record.session.halves_at), (halves, people.now));
        assert_eq!(found.record.session.proved_at, new.record.session.proved_at);
    }
    assert_eq!(people.audit_rows().await, rows, "new halves by age are not told");
    let proved = Rotation { proved: true, ..rotation(id, second, third, people.now) };
    let entry = people.entry();
    assert!(people.store.rotate_session(&proved, Some(&entry)).await.unwrap());
    let found = people.store.session(third).await.unwrap().unwrap();
    assert_eq!((found.record.session.proved_at, people.audit_rows().await), (people.now, rows + 1));
    assert_eq!(people.store.session(first).await.unwrap(), None);
}

async fn of_requests_side_by_side_one_gets_new_halves(kind: Kind) {
    let mut people = People::new(kind).await;
    let ada = people.add("ada", true).await;
    let (id, cookie) = people.open(ada).await;
    let rotations: Vec<_> = (0..4).map(|_| rotation(id, cookie, people.hash(), people.now)).collect();
    let [one, two, three, four] = [0, 1, 2, 3].map(|at| people.store.rotate_session(&rotations[at], None));
    let (one, two, three, four) = tokio::join!(one, two, three, four);
    let done = [one, two, three, four].map(|done| done.unwrap());
    assert_eq!(done.iter().filter(|done| **done).count(), 1, "{done:?}");
    let current = rotations.iter().zip(done).find(|(_, done)| *done).unwrap().0.to;
    assert_eq!(people.store.session(current).await.unwrap().unwrap().halves, Halves::Current);
}

async fn the_oldest_session_of_too_many_goes(kind: Kind) {
    let mut people = People::new(kind).await;
    let (ada, bob) = (people.add("ada", true).await, people.add("bob", false).await);
    let (other, _) = people.open(bob).await;
    let mut opened = Vec::new();
    for _ in 0..=MAX_SESSIONS {
        people.now = people.now.plus_ms(1);
        opened.push(people.open(ada).await.0);
    }
    assert_eq!(people.sessions(ada).await, opened[1..]);
    assert_eq!(people.sessions(bob).await, [other]);
}

async fn a_session_is_used_never_earlier_than_before(kind: Kind) {
    let mut people = People::new(kind).await;
    let ada = people.add("ada", true).await;
    let ((one, _), (two, _)) = (people.open(ada).await, people.open(ada).await);
    let gone = people.minter.session(people.now);
    let used =
        [(two, Timestamp(7_000)), (one, Timestamp(1)), (two, Timestamp(6_000)), (gone, Timestamp(9_000))];
    people.store.touch_sessions(&used, people.now).await.unwrap();
    people.store.touch_sessions(&[], people.now).await.unwrap();
    let sessions = people.store.sessions(ada).await.unwrap();
    let used: Vec<_> = sessions.iter().map(|record| (record.id, record.session.used_at)).collect();
    assert_eq!(used, [(one, people.now), (two, Timestamp(7_000))]);
}

async fn a_session_is_ended_by_its_owner_alone(kind: Kind) {
    let mut people = People::new(kind).await;
    let (ada, bob) = (people.add("ada", true).await, people.add("bob", false).await);
    let ((one, cookie), (two, _), (three, _)) =
        (people.open(ada).await, people.open(ada).await, people.open(ada).await);
    let (store, entry, rows) = (people.store.clone(), people.entry(), people.audit_rows().await);
    assert_eq!(store.end_session(bob, one, &entry).await.unwrap(), Err(Declined::NoSuchSession));
    assert_eq!(people.audit_rows().await, rows);
    store.end_session(ada, one, &entry).await.unwrap().unwrap();
    assert_eq!(store.end_session(ada, one, &entry).await.unwrap(), Err(Declined::NoSuchSession));
    assert_eq!((store.session(cookie).await.unwrap(), people.audit_rows().await), (None, rows + 1));
    assert_eq!(store.end_sessions(ada, Some(three), &entry).await.unwrap(), 1);
    assert_eq!(people.sessions(ada).await, [three]);
    assert_ne!(two, three);
    assert_eq!(store.end_sessions(ada, None, &entry).await.unwrap(), 1);
}

on_each_database! {
    a_session_is_found_by_its_cookie_and_the_one_before,
    of_requests_side_by_side_one_gets_new_halves,
    the_oldest_session_of_too_many_goes,
    a_session_is_used_never_earlier_than_before,
    a_session_is_ended_by_its_owner_alone,
}
