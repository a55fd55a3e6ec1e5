//! Links: good once, for what they say and as long as they say, whatever breaks meanwhile.

use weevil_access::limits::MAX_OPEN_INVITES;
use weevil_access::store::{Declined, LinkFor, PasswordText};

use super::{DAY_MS, People};
use crate::databases::{Kind, on_each_database};

const INVITE: LinkFor = LinkFor::Invite { admin: false, into: None };

async fn the_first_admin_is_made_once(kind: Kind) {
    let mut people = People::new(kind).await;
    let void = people.link(LinkFor::FirstAdmin).await.unwrap();
    let link = people.link(LinkFor::FirstAdmin).await.unwrap();
    assert_eq!(people.accept(void, "ada").await, Err(Declined::BadLink), "the later one has taken its place");
    let ada = people.accept(link, "ada").await.unwrap();
    assert!(people.store.account(ada).await.unwrap().unwrap().admin);
    assert_eq!(people.accept(link, "bob").await, Err(Declined::BadLink));
    assert_eq!(people.link(LinkFor::FirstAdmin).await, Err(Declined::AdminThere));
}

/// A link that was printed before somebody was made an admin in another way.
async fn a_first_admins_link_is_worth_nothing_beside_an_admin(kind: Kind) {
    let mut people = People::new(kind).await;
    let link = people.link(LinkFor::FirstAdmin).await.unwrap();
    people.add("ada", true).await;
    assert_eq!(people.accept(link, "bob").await, Err(Declined::AdminThere));
}

async fn a_link_is_good_for_its_time_and_its_kind(kind: Kind) {
    let mut people = People::new(kind).await;
    let ada = people.add("ada", true).await;
    let (invite, reset) =
        (people.link(INVITE).await.unwrap(), people.link(LinkFor::Reset { account: ada }).await.unwrap());
    let unknown = people.hash();
    let password = PasswordText("$argon2id$two".into());
    let (store, entry) = (people.store.clone(), people.entry());
    assert_eq!(people.accept(reset, "bob").await, Err(Declined::BadLink));
    assert_eq!(store.reset_password(invite, &password, &entry).await.unwrap(), Err(Declined::BadLink));
    assert_eq!(people.accept(unknown, "bob").await, Err(Declined::BadLink));
    let last = people.now.plus_ms(DAY_MS - 1);
    for (now, there) in [(people.now, true), (last, true), (last.plus_ms(1), false)] {
        let found = store.link(invite, now).await.unwrap().map(|link| link.good_for);
        assert_eq!(found, there.then_some(INVITE), "{now:?}");
    }
    people.now = last.plus_ms(1);
    assert_eq!(people.accept(invite, "bob").await, Err(Declined::BadLink));
    let late = people.entry();
    assert_eq!(store.reset_password(reset, &password, &late).await.unwrap(), Err(Declined::BadLink));
}

async fn an_invitation_makes_what_it_says(kind: Kind) {
    let mut people = People::new(kind).await;
    people.add("ada", true).await;
    for (admin, name) in [(true, "bob"), (false, "cyd")] {
        let link = people.link(LinkFor::Invite { admin, into: None }).await.unwrap();
        assert_eq!(people.accept(link, "ADA").await, Err(Declined::NameTaken));
        let made = people.accept(link, name).await.unwrap();
        assert_eq!(people.store.account(made).await.unwrap().unwrap().admin, admin, "{name}");
        assert_eq!(people.store.link(link, people.now).await.unwrap(), None);
    }
}

/// What the account's row refuses takes back the use of the link, and what the audit would have told.
async fn a_link_whose_use_fails_stays_good(kind: Kind) {
    let mut people = People::new(kind).await;
    let ada = people.add("ada", true).await;
    let link = people.link(INVITE).await.unwrap();
    let rows = people.audit_rows().await;
    let mut twice = people.person("bob", false);
    twice.id = ada;
    people.store.accept_link(link, &twice, &people.entry()).await.unwrap_err();
    assert_eq!(people.audit_rows().await, rows);
    assert!(people.store.link(link, people.now).await.unwrap().is_some());
    people.accept(link, "bob").await.unwrap();
}

async fn of_many_who_use_a_link_at_once_one_is_let_in(kind: Kind) {
    let mut people = People::new(kind).await;
    let link = people.link(INVITE).await.unwrap();
    let others: Vec<_> = ["ada", "bob", "cyd"].map(|name| people.person(name, false)).into();
    let second = if kind == Kind::Sqlite { people.store.clone() } else { people.database.open().await };
    let entry = people.entry();
    let (one, two, three) = tokio::join!(
        people.store.accept_link(link, &others[0], &entry),
        second.accept_link(link, &others[1], &entry),
        people.store.accept_link(link, &others[2], &entry),
    );
    let done = [one, two, three].map(|done| done.unwrap().is_ok());
    assert_eq!(done.iter().filter(|done| **done).count(), 1, "{done:?}");
    assert_eq!(people.database.sql("select count(*) from accounts").await, Some(1));
}

async fn a_password_is_set_by_the_last_link_and_ends_all_sessions(kind: Kind) {
    let mut people = People::new(kind).await;
    let ada = people.add("ada", true).await;
    people.open(ada).await;
    let void = people.link(LinkFor::Reset { account: ada }).await.unwrap();
    let link = people.link(LinkFor::Reset { account: ada }).await.unwrap();
    let password = PasswordText("$argon2id$two".into());
    let (store, entry) = (people.store.clone(), people.entry());
    assert_eq!(store.reset_password(void, &password, &entry).await.unwrap(), Err(Declined::BadLink));
    assert_eq!(store.reset_password(link, &password, &entry).await.unwrap(), Ok(ada));
    assert_eq!(store.reset_password(link, &password, &entry).await.unwrap(), Err(Declined::BadLink));
    let credentials = store.credentials(&"ada".parse().unwrap()).await.unwrap().unwrap();
    assert_eq!((credentials.password, people.sessions(ada).await), (Some(password), vec![]));
}

async fn invitations_that_wait_are_bounded(kind: Kind) {
    let mut people = People::new(kind).await;
    for _ in 0..MAX_OPEN_INVITES {
        people.link(INVITE).await.unwrap();
    }
    let too_many = Err(Declined::TooMany { what: "open invitations", most: MAX_OPEN_INVITES });
    assert_eq!(people.link(INVITE).await, too_many);
    people.now = people.now.plus_ms(DAY_MS);
    people.link(INVITE).await.unwrap();
}

on_each_database! {
    the_first_admin_is_made_once,
    a_first_admins_link_is_worth_nothing_beside_an_admin,
    a_link_is_good_for_its_time_and_its_kind,
    an_invitation_makes_what_it_says,
    a_link_whose_use_fails_stays_good,
    of_many_who_use_a_link_at_once_one_is_let_in,
    a_password_is_set_by_the_last_link_and_ends_all_sessions,
    invitations_that_wait_are_bounded,
}
