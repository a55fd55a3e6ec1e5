//! Accounts and what belongs to them: a database, a clock and people of one test's own, and what tests ask of them.

mod accounts;
mod audit;
mod links;
mod projects;
mod sessions;
mod tokens;
mod work;

use std::sync::Arc;

use weevil_access::audit::{Action, Actor, AuditEntry, AuditOutcome};
use weevil_access::store::{
    Answer, Link, LinkFor, NewAccount, NewLink, NewSession, NewToken, PasswordText, SessionRecord, Token,
};
use weevil_access::{CertificateKey, Scopes, Secret, SecretHash, SecretKind, ServerSecret, Session};
use weevil_model::{AccountId, Face, Minter, SessionId, Timestamp, TokenId};
use weevil_store::Stores;

use crate::databases::{Kind, TestDatabase, on_each_database};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

struct People {
    store: Arc<dyn Stores>,
    database: TestDatabase,
    minter: Minter,
    now: Timestamp,
    secrets: u32,
}

/// What the audit is to say, in tests where it does not matter.
fn entry(at: Timestamp) -> AuditEntry {
    AuditEntry {
        at,
        actor: Actor::Local,
        action: Action::AccountCreated,
        subject: None,
        project: None,
        place: None,
        outcome: AuditOutcome::Done,
        details: None,
    }
}

impl People {
    async fn new(kind: Kind) -> Self {
        let database = TestDatabase::new(kind);
        let store = database.open().await;
        Self { store, database, minter: Minter::new(0), now: Timestamp(1_000), secrets: 0 }
    }

    fn entry(&self) -> AuditEntry {
        entry(self.now)
    }

    /// The hash of a secret that no other one is equal to.
    fn hash(&mut self) -> SecretHash {
        self.secrets += 1;
        let mut random = [0; 32];
        random[..4].copy_from_slice(&self.secrets.to_be_bytes());
        Secret::of_bytes(SecretKind::Token, random).hash()
    }

    fn person(&mut self, name: &str, admin: bool) -> NewAccount {
        NewAccount {
            id: self.minter.account(self.now),
            name: name.parse().unwrap(),
            display: format!("The {name}").parse().unwrap(),
            admin,
            password: Some(PasswordText("$argon2id$one".into())),
        }
    }

    async fn add(&mut self, name: &str, admin: bool) -> AccountId {
        let person = self.person(name, admin);
        self.store.add_account(&person, &self.entry()).await.unwrap().unwrap();
        person.id
    }

    fn a_session(&mut self, account: AccountId) -> NewSession {
        let record = SessionRecord {
            id: self.minter.session(self.now),
            account,
            session: Session::opened(Face::Private, self.now),
            ends_at: self.now.plus_ms(14 * DAY_MS),
            browser: "Firefox".into(),
            place: "192.0.2.7".into(),
        };
        NewSession { hash: self.hash(), record }
    }

    async fn open(&mut self, account: AccountId) -> (SessionId, SecretHash) {
        let new = self.a_session(account);
        self.store.open_session(&new, &self.entry()).await.unwrap().unwrap();
        (new.record.id, new.hash)
    }

    async fn sessions(&self, account: AccountId) -> Vec<SessionId> {
        self.store.sessions(account).await.unwrap().iter().map(|record| record.id).collect()
    }

    async fn link(&mut self, good_for: LinkFor) -> Answer<SecretHash> {
        let link =
            Link { made_by: Actor::Local, good_for, made_at: self.now, expires_at: self.now.plus_ms(DAY_MS) };
        let new = NewLink { hash: self.hash(), link };
        self.store.make_link(&new, &self.entry()).await.unwrap().map(|()| new.hash)
    }

    async fn accept(&mut self, link: SecretHash, name: &str) -> Answer<AccountId> {
        let person = self.person(name, false);
        let made = self.store.accept_link(link, &person, &self.entry()).await.unwrap();
        made.map(|account| account.id)
    }

    fn a_token(&mut self, owner: AccountId) -> NewToken {
        let token = Token {
            id: self.minter.token(self.now),
            name: "laptop".into(),
            owner,
            scopes: Scopes::of_words(["runs:read", "runs:write"]).unwrap(),
            project: None,
            made_at: self.now,
            expires_at: self.now.plus_ms(90 * DAY_MS),
            used_at: None,
            revoked_at: None,
        };
        NewToken { hash: self.hash(), token }
    }

    async fn token(&mut self, owner: AccountId) -> Answer<(TokenId, SecretHash)> {
        let new = self.a_token(owner);
        let made = self.store.make_token(&new, &self.entry()).await.unwrap();
        made.map(|()| (new.token.id, new.hash))
    }

    /// How many rows the audit has.
    async fn audit_rows(&self) -> i64 {
        self.database.sql("select count(*) from audit").await.unwrap()
    }
}

async fn the_first_secret_that_somebody_brings_is_the_servers(kind: Kind) {
    let people = People::new(kind).await;
    let bring = |byte| ServerSecret::from_bytes([byte; 32]);
    for byte in [1, 2, 3] {
        let store = people.database.open().await;
        let there = store.server_secret(bring(byte), people.now).await.unwrap();
        assert_eq!(there.as_bytes(), &[1; 32]);
        let key =
            store.certificate_key(CertificateKey::from_bytes([byte + 9; 32]), people.now).await.unwrap();
        assert_eq!(key.as_bytes(), &[10; 32]);
    }
    assert_eq!(people.audit_rows().await, 0);
}

/// What is over is removed a while later, what is not stays.
async fn what_has_expired_is_forgotten_piece_by_piece(kind: Kind) {
    let mut people = People::new(kind).await;
    let ada = people.add("ada", true).await;
    for _ in 0..3 {
        people.open(ada).await;
        people.link(LinkFor::Invite { admin: false, into: None }).await.unwrap();
        people.token(ada).await.unwrap();
    }
    people.now = people.now.plus_ms(40 * DAY_MS);
    let (kept, _) = people.open(ada).await;
    let before = people.now;
    for (most, expected) in [(2, 4), (2, 2), (2, 0)] {
        let gone = people.store.forget_expired(before, most, people.now).await.unwrap();
        assert_eq!(gone, expected);
    }
    assert_eq!(people.sessions(ada).await, [kept]);
    assert_eq!(people.store.tokens(None, None, 9).await.unwrap().len(), 3);
}

on_each_database! {
    the_first_secret_that_somebody_brings_is_the_servers,
    what_has_expired_is_forgotten_piece_by_piece,
}
