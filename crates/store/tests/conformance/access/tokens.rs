//! Tokens: found whatever has become of them, bounded while they are live, revoked for good.

use weevil_access::limits::MAX_LIVE_TOKENS;
use weevil_access::store::{Declined, Token};
use weevil_model::{ProjectId, Timestamp, TokenId};

use super::{DAY_MS, People};
use crate::databases::{Kind, on_each_database};

async fn a_token_is_found_by_its_text_also_when_it_is_over(kind: Kind) {
    let mut people = People::new(kind).await;
    let ada = people.add("ada", true).await;
    let new = people.a_token(ada);
    people.store.make_token(&new, &people.entry()).await.unwrap().unwrap();
    let unknown = people.hash();
    assert_eq!(people.store.token(unknown).await.unwrap(), None);
    let (token, owner) = people.store.token(new.hash).await.unwrap().unwrap();
    assert_eq!((&token, owner.id), (&new.token, ada));
    people.now = people.now.plus_ms(400 * DAY_MS);
    people.store.revoke_token(token.id, None, &people.entry()).await.unwrap().unwrap();
    let (token, _) = people.store.token(new.hash).await.unwrap().unwrap();
    assert_eq!(token.revoked_at, Some(people.now));
    let rows = people.audit_rows().await;
    let revoked_at = people.now;
    people.now = people.now.plus_ms(1);
    people.store.revoke_token(token.id, None, &people.entry()).await.unwrap().unwrap();
    let (token, _) = people.store.token(new.hash).await.unwrap().unwrap();
    assert_eq!((token.revoked_at, people.audit_rows().await), (Some(revoked_at), rows), "it stays as it was");
}

async fn who_is_no_owner_revokes_nothing(kind: Kind) {
    let mut people = People::new(kind).await;
    let (ada, bob) = (people.add("ada", true).await, people.add("bob", false).await);
    let (id, _) = people.token(ada).await.unwrap();
    let (store, entry) = (people.store.clone(), people.entry());
    assert_eq!(store.revoke_token(id, Some(bob), &entry).await.unwrap(), Err(Declined::NoSuchToken));
    let unknown = TokenId::from_number(1).unwrap();
    assert_eq!(store.revoke_token(unknown, None, &entry).await.unwrap(), Err(Declined::NoSuchToken));
    store.revoke_token(id, Some(ada), &entry).await.unwrap().unwrap();
}

async fn live_tokens_are_bounded_and_others_do_not_count(kind: Kind) {
    let mut people = People::new(kind).await;
    let (ada, bob) = (people.add("ada", true).await, people.add("bob", false).await);
    let mut made = Vec::new();
    for _ in 0..MAX_LIVE_TOKENS {
        made.push(people.token(ada).await.unwrap().0);
    }
    let too_many = Err(Declined::TooMany { what: "live tokens", most: MAX_LIVE_TOKENS });
    assert_eq!(people.token(ada).await, too_many);
    people.token(bob).await.unwrap();
    people.store.revoke_token(made[0], Some(ada), &people.entry()).await.unwrap().unwrap();
    people.token(ada).await.unwrap();
    assert_eq!(people.token(ada).await, too_many);
    people.now = people.now.plus_ms(90 * DAY_MS);
    people.token(ada).await.unwrap();
}

async fn tokens_are_listed_in_pages(kind: Kind) {
    let mut people = People::new(kind).await;
    let (ada, bob) = (people.add("ada", true).await, people.add("bob", false).await);
    let mut all = Vec::new();
    for owner in [ada, bob, ada, bob, ada] {
        all.push((owner, people.token(owner).await.unwrap().0));
    }
    for owner in [None, Some(ada), Some(bob)] {
        let expected = all.iter().filter(|(of, _)| owner.is_none_or(|owner| owner == *of));
        let expected: Vec<_> = expected.map(|(_, id)| *id).collect();
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page = people.store.tokens(owner, after, 2).await.unwrap();
            let Some(last) = page.last() else { break };
            after = Some(last.id);
            found.extend(page.iter().map(|token| token.id));
        }
        assert_eq!(found, expected, "{owner:?}");
    }
}

async fn tokens_for_one_project_are_listed_and_revoked_there(kind: Kind) {
    let mut people = People::new(kind).await;
    let (ada, bob) = (people.add("ada", true).await, people.add("bob", false).await);
    let (default, other) = (ProjectId::DEFAULT, ProjectId::from_number(2).unwrap());
    let mut made = Vec::new();
    for (owner, project) in
        [(ada, Some(default)), (bob, None), (bob, Some(default)), (ada, Some(other)), (ada, Some(default))]
    {
        let mut new = people.a_token(owner);
        new.token.project = project;
        people.store.make_token(&new, &people.entry()).await.unwrap().unwrap();
        made.push(new.token);
    }
    let (store, entry) = (people.store.clone(), people.entry());
    for (project, expected) in [(default, vec![0, 2, 4]), (other, vec![3])] {
        let (mut found, mut after) = (Vec::new(), None);
        while let Some((token, owner)) = store.project_tokens(project, after, 1).await.unwrap().pop() {
            assert_eq!(token.owner, owner.id);
            after = Some(token.id);
            found.push(made.iter().position(|made| *made == token).unwrap());
        }
        assert_eq!(found, expected, "{project}");
    }
    for (token, project, answer) in [
        (0, other, Err(Declined::NoSuchToken)),
        (1, default, Err(Declined::NoSuchToken)),
        (2, default, Ok(())),
        (2, default, Ok(())),
    ] {
        let found = store.revoke_project_token(made[token].id, project, &entry).await.unwrap();
        assert_eq!(found, answer, "{token} {project}");
    }
    let live = |(token, _): &(Token, _)| token.revoked_at.is_none();
    let left = store.project_tokens(default, None, 9).await.unwrap();
    assert_eq!(left.iter().map(live).collect::<Vec<_>>(), [true, false, true]);
}

async fn a_use_is_kept_to_the_minute(kind: Kind) {
    let mut people = People::new(kind).await;
    let ada = people.add("ada", true).await;
    let (id, hash) = people.token(ada).await.unwrap();
    for (used, kept) in [(119_999, 60_000), (120_000, 120_000), (60_001, 120_000), (180_059, 180_000)] {
        people.store.touch_tokens(&[(id, Timestamp(used))], people.now).await.unwrap();
        let (token, _) = people.store.token(hash).await.unwrap().unwrap();
        assert_eq!(token.used_at, Some(Timestamp(kept)), "{used}");
    }
}

on_each_database! {
    a_token_is_found_by_its_text_also_when_it_is_over,
    who_is_no_owner_revokes_nothing,
    live_tokens_are_bounded_and_others_do_not_count,
    tokens_are_listed_in_pages,
    tokens_for_one_project_are_listed_and_revoked_there,
    a_use_is_kept_to_the_minute,
}
