//! Accounts: made, found, listed, disabled, removed, and never without an admin.

use weevil_access::store::{AccountState, Declined, LinkFor, PasswordText};
use weevil_model::AccountId;

use super::People;
use crate::databases::{Kind, on_each_database};

async fn an_account_is_found_by_its_name_in_any_case(kind: Kind) {
    let mut people = People::new(kind).await;
    let ada = people.add("Ada.L@example", true).await;
    for (name, found) in [("ada.l@example", true), ("ADA.L@EXAMPLE", true), ("ada.l@exampl", false)] {
        let credentials = people.store.credentials(&name.parse().unwrap()).await.unwrap();
        assert_eq!(credentials.map(|it| it.account.id), found.then_some(ada), "{name}");
    }
    let account = people.store.account(ada).await.unwrap().unwrap();
    assert_eq!((account.name.as_str(), account.display.as_str()), ("ada.l@example", "The Ada.L@example"));
    assert_eq!((account.admin, account.created_at, account.state), (true, people.now, AccountState::Active));
    let again = people.person("ada.L@example", false);
    let rows = people.audit_rows().await;
    let declined = people.store.add_account(&again, &people.entry()).await.unwrap();
    assert_eq!((declined, people.audit_rows().await), (Err(Declined::NameTaken), rows));
}

async fn accounts_are_listed_in_pages_by_their_state(kind: Kind) {
    let mut people = People::new(kind).await;
    let mut all = Vec::new();
    for name in ["ada", "bob", "cyd", "dan", "eve"] {
        all.push(people.add(name, name == "ada").await);
    }
    people.store.disable_account(all[1], &people.entry()).await.unwrap().unwrap();
    people.store.disable_account(all[3], &people.entry()).await.unwrap().unwrap();
    people.store.remove_account(all[2], &people.entry()).await.unwrap().unwrap();
    for (disabled, expected) in [
        (None, vec![all[0], all[1], all[3], all[4]]),
        (Some(true), vec![all[1], all[3]]),
        (Some(false), vec![all[0], all[4]]),
    ] {
        let (mut found, mut after): (Vec<AccountId>, _) = (Vec::new(), None);
        loop {
            let page = people.store.accounts(disabled, after, 1).await.unwrap();
            let Some(account) = page.first() else { break };
            after = Some(account.id);
            found.push(account.id);
        }
        assert_eq!(found, expected, "{disabled:?}");
    }
}

async fn the_last_admin_stays_whatever_is_asked(kind: Kind) {
    let mut people = People::new(kind).await;
    let (ada, bob) = (people.add("ada", true).await, people.add("bob", false).await);
    let (store, entry) = (people.store.clone(), people.entry());
    let declined = [
        store.disable_account(ada, &entry).await.unwrap(),
        store.remove_account(ada, &entry).await.unwrap(),
        store.set_admin(ada, false, &entry).await.unwrap(),
    ];
    assert_eq!(declined, [Err(Declined::LastAdmin); 3]);
    assert_eq!(people.audit_rows().await, 2, "what was declined is not told");
    store.set_admin(bob, true, &entry).await.unwrap().unwrap();
    store.disable_account(bob, &entry).await.unwrap().unwrap();
    assert_eq!(
        store.set_admin(ada, false, &entry).await.unwrap(),
        Err(Declined::LastAdmin),
        "bob is disabled"
    );
    store.enable_account(bob, &entry).await.unwrap().unwrap();
    store.set_admin(ada, false, &entry).await.unwrap().unwrap();
    assert_eq!(store.remove_account(bob, &entry).await.unwrap(), Err(Declined::LastAdmin));
    store.remove_account(ada, &entry).await.unwrap().unwrap();
    assert!(store.has_admin().await.unwrap());
}

/// Two admins who demote each other at the same moment: one of them stays.
async fn two_admins_never_demote_each_other(kind: Kind) {
    for round in 0..5 {
        let mut people = People::new(kind).await;
        let (ada, bob) = (people.add("ada", true).await, people.add("bob", true).await);
        let other = if kind == Kind::Sqlite { people.store.clone() } else { people.database.open().await };
        let entry = people.entry();
        let both =
            tokio::join!(people.store.set_admin(ada, false, &entry), other.disable_account(bob, &entry));
        let done = [both.0.unwrap(), both.1.unwrap()];
        assert_eq!(done.iter().filter(|done| done.is_ok()).count(), 1, "{round}: {done:?}");
    }
}

async fn who_is_disabled_is_out_until_they_are_enabled(kind: Kind) {
    let mut people = People::new(kind).await;
    people.add("ada", true).await;
    let bob = people.add("bob", false).await;
    let (_, cookie) = people.open(bob).await;
    let (_, token) = people.token(bob).await.unwrap();
    people.store.disable_account(bob, &people.entry()).await.unwrap().unwrap();
    assert_eq!(people.store.session(cookie).await.unwrap(), None);
    let (found, owner) = people.store.token(token).await.unwrap().unwrap();
    assert_eq!(
        (found.revoked_at, owner.state),
        (Some(people.now), AccountState::Disabled { at: people.now })
    );
    let rows = people.audit_rows().await;
    people.store.disable_account(bob, &people.entry()).await.unwrap().unwrap();
    assert_eq!(people.audit_rows().await, rows, "nothing has happened");
    let new = people.a_session(bob);
    let entry = people.entry();
    assert_eq!(people.store.open_session(&new, &entry).await.unwrap(), Err(Declined::NoSuchAccount));
    assert_eq!(people.token(bob).await, Err(Declined::NoSuchAccount));
    people.store.enable_account(bob, &people.entry()).await.unwrap().unwrap();
    people.open(bob).await;
}

async fn of_who_is_removed_the_id_stays(kind: Kind) {
    let mut people = People::new(kind).await;
    people.add("ada", true).await;
    let bob = people.add("bob", false).await;
    people.open(bob).await;
    people.token(bob).await.unwrap();
    people.link(LinkFor::Reset { account: bob }).await.unwrap();
    people.store.remove_account(bob, &people.entry()).await.unwrap().unwrap();
    for table in ["sessions", "links", "tokens"] {
        assert_eq!(people.database.sql(&format!("select count(*) from {table}")).await, Some(0), "{table}");
    }
    let kept = "select count(*) from accounts where name is null and password is null and display = ''";
    assert_eq!(people.database.sql(kept).await, Some(1));
    let account = people.store.account(bob).await.unwrap().unwrap();
    assert_eq!((account.name.as_str(), account.state), ("", AccountState::Removed { at: people.now }));
    let (entry, password) = (people.entry(), PasswordText("x".into()));
    for done in [
        people.store.disable_account(bob, &entry).await.unwrap(),
        people.store.enable_account(bob, &entry).await.unwrap(),
        people.store.remove_account(bob, &entry).await.unwrap(),
        people.store.set_admin(bob, true, &entry).await.unwrap(),
        people.store.set_password(bob, &password, None, &entry).await.unwrap(),
        people.link(LinkFor::Reset { account: bob }).await.map(drop),
    ] {
        assert_eq!(done, Err(Declined::NoSuchAccount));
    }
    people.add("bob", false).await;
}

async fn a_new_password_ends_the_other_sessions(kind: Kind) {
    let mut people = People::new(kind).await;
    let ada = people.add("ada", true).await;
    let (kept, _) = people.open(ada).await;
    people.open(ada).await;
    let password = PasswordText("$argon2id$two".into());
    people.store.set_password(ada, &password, Some(kept), &people.entry()).await.unwrap().unwrap();
    assert_eq!(people.sessions(ada).await, [kept]);
    let costlier = PasswordText("$argon2id$three".into());
    people.store.rehash_password(ada, &costlier, people.now).await.unwrap();
    let credentials = people.store.credentials(&"ada".parse().unwrap()).await.unwrap().unwrap();
    assert_eq!((credentials.password, people.sessions(ada).await), (Some(costlier), vec![kept]));
}

on_each_database! {
    an_account_is_found_by_its_name_in_any_case,
    accounts_are_listed_in_pages_by_their_state,
    the_last_admin_stays_whatever_is_asked,
    two_admins_never_demote_each_other,
    who_is_disabled_is_out_until_they_are_enabled,
    of_who_is_removed_the_id_stays,
    a_new_password_ends_the_other_sessions,
}
