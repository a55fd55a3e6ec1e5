//! What is needed to let people in and to know them again: the store, the server's secret, how long sessions go on, and the
//! sessions that were looked up a moment ago.
//!
//! Never says what somebody may do, and never reads a header.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::watch;
use weevil_access::store::{AccessStore, Account, FoundSession};
use weevil_access::{
    CertificateKey, CookieHalf, KeyHalf, KnownBrowser, Person, SecretHash, ServerSecret, SessionLengths,
};
use weevil_engine::certificates::Notary;
use weevil_model::{StoreError, Timestamp};

use super::cache::Cache;
use super::notary::Keys;
use super::tokens::KnownToken;
use super::{Hashing, Throttles};
use crate::seeds;
use crate::workers::Networks;

/// What the settings say of people.
#[derive(Debug, Clone)]
pub struct PeopleSettings {
    /// How long sessions go on.
    pub lengths: SessionLengths,
    /// A list of passwords that nobody may take.
    pub breached: Option<PathBuf>,
}

/// A session and whose it is, as they were when they were looked up.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub found: FoundSession,
    pub person: Arc<Person>,
}

pub(crate) struct People {
    pub store: Arc<dyn AccessStore>,
    pub hashing: Hashing,
    pub throttles: Throttles,
    pub settings: PeopleSettings,
    secret: ServerSecret,
    /// What tells the networks of workers apart.
    pub networks: Networks,
    /// What vouches for certificates.
    pub notary: Arc<dyn Notary>,
    pub(super) sessions: Cache<Known>,
    pub(super) tokens: Cache<KnownToken>,
    changes: watch::Sender<()>,
}

fn other(error: impl std::fmt::Display) -> std::io::Error {
    std::io::Error::other(error.to_string())
}

impl People {
    /// # Errors
    /// The database does not tell the server's secret, or no random bytes can be had for the first one.
    pub(crate) async fn begin(
        store: Arc<dyn AccessStore>,
        settings: PeopleSettings,
        now: Timestamp,
    ) -> Result<Self, std::io::Error> {
        let fresh = || seeds::secret().map_err(other);
        let secret = store.server_secret(ServerSecret::from_bytes(fresh()?), now).await.map_err(other)?;
        let key = store.certificate_key(CertificateKey::from_bytes(fresh()?), now).await.map_err(other)?;
        let notary = Arc::new(Keys::new(&key, secret.clone())?);
        Ok(Self {
            store,
            hashing: Hashing::begin(),
            throttles: Throttles::default(),
            settings,
            networks: Networks::new(secret.clone()),
            notary,
            secret,
            sessions: Cache::default(),
            tokens: Cache::default(),
            changes: watch::Sender::new(()),
        })
    }

    /// What an account is when somebody asks in its name.
    pub(crate) async fn person(&self, account: &Account) -> Result<Arc<Person>, StoreError> {
        let Account { id, admin, .. } = *account;
        let memberships = self.store.memberships(id).await?;
        let memberships = memberships.into_iter().map(|member| (member.project.id, member.role)).collect();
        Ok(Arc::new(Person { account: id, admin, memberships }))
    }

    /// The session of a cookie, looked up a few seconds ago at most.
    pub(super) async fn look_up(
        &self,
        hash: SecretHash,
        now: Timestamp,
    ) -> Result<Option<Known>, StoreError> {
        let missing = match self.sessions.get(hash, now) {
            Ok(known) => return Ok(Some(known)),
            Err(missing) => missing,
        };
        let Some(found) = self.store.session(hash).await? else { return Ok(None) };
        let known = Known { person: self.person(&found.account).await?, found };
        self.sessions.keep(hash, known.clone(), missing, now);
        Ok(Some(known))
    }

    /// Something about people is otherwise now: nothing that was looked up before holds, and who listens looks again.
    pub(crate) fn changed(&self) {
        self.sessions.forget_all();
        self.tokens.forget_all();
        self.changes.send_replace(());
    }

    /// Hears of each change from now on.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }

    pub(crate) fn key(&self, cookie: &CookieHalf) -> KeyHalf {
        cookie.key(&self.secret)
    }

    pub(super) fn fits(&self, cookie: &CookieHalf, key: &KeyHalf) -> bool {
        cookie.fits(key, &self.secret)
    }

    pub(crate) fn seal(&self, browser: KnownBrowser) -> String {
        browser.seal(&self.secret)
    }

    pub(crate) fn known_browser(&self, cookie: &str, now: Timestamp) -> Option<KnownBrowser> {
        KnownBrowser::open(cookie, &self.secret, now)
    }
}
