//! From both halves of a session to the account that asks: whether it goes on, that it is used, and its new halves once a day.
//!
//! The rules are `weevil_access::Session`'s.

use weevil_access::audit::AuditEntry;
use weevil_access::store::{AccountState, Rotation};
use weevil_access::{Caller, CookieHalf, Halves, KeyHalf, Renewal, SecretHash, SessionCaller};
use weevil_model::{Face, SessionId, StoreError, Timestamp};

use super::People;
use super::people::Known;
use super::who::Proved;
use crate::refusal::Refusal;
use crate::seeds;

/// New halves of a session, for the answer that tells them.
#[derive(Debug, Clone)]
pub(crate) struct Renewed {
    pub cookie: CookieHalf,
    pub key: KeyHalf,
}

impl People {
    /// Who asks with these halves, on this face. The store is asked about no cookie whose key was not made here.
    pub(super) async fn by_session(
        &self,
        cookie: &CookieHalf,
        key: Option<&KeyHalf>,
        face: Face,
        now: Timestamp,
    ) -> Result<Proved, Refusal> {
        let key = key.ok_or(Refusal::NoSessionKey)?;
        if !self.fits(cookie, key) {
            return Ok(Proved::NOTHING);
        }
        let hash = cookie.hash();
        let Some(known) = self.look_up(hash, now).await? else { return Ok(Proved::NOTHING) };
        let (session, id) = (known.found.record.session, known.found.record.id);
        let admitted = session.admits(face, known.found.halves, self.settings.lengths, now);
        let (Ok(renewal), AccountState::Active) = (admitted, known.found.account.state) else {
            return Ok(Proved::NOTHING);
        };
        if session.notes_use(now) {
            self.note_use(hash, id, now);
        }
        let renewed = match renewal {
            Renewal::NotYet => None,
            Renewal::Due => self.renew(hash, id, now, false, None).await?,
        };
        let current = renewed.as_ref().map_or(hash, |renewed| renewed.cookie.hash());
        let caller = SessionCaller { person: known.person, session: id, fresh: session.is_fresh(now) };
        Ok(Proved { caller: Caller::Session(caller), cookie: Some(current), renewed })
    }

    /// Writes down a use without keeping anybody waiting; one that is not written is written with a later use.
    fn note_use(&self, hash: SecretHash, session: SessionId, now: Timestamp) {
        self.sessions.change(hash, |known: &mut Known| known.found.record.session.used_at = now);
        let store = self.store.clone();
        actix_web::rt::spawn(async move {
            if let Err(error) = store.touch_sessions(&[(session, now)], now).await {
                tracing::warn!(%error, "the use of a session is not written down");
            }
        });
    }

    /// New halves; `None` where another request was faster, whose answer tells them.
    pub(crate) async fn renew(
        &self,
        from: SecretHash,
        session: SessionId,
        now: Timestamp,
        proved: bool,
        entry: Option<&AuditEntry>,
    ) -> Result<Option<Renewed>, Refusal> {
        let cookie = CookieHalf::of_bytes(seeds::secret()?);
        let rotation = Rotation { session, from, to: cookie.hash(), at: now, proved };
        let first = self.store.rotate_session(&rotation, entry).await?;
        self.changed();
        Ok(first.then(|| Renewed { key: self.key(&cookie), cookie }))
    }

    /// The same caller, looked up anew; `None` once the session has ended.
    pub(super) async fn again(
        &self,
        caller: &SessionCaller,
        face: Face,
        now: Timestamp,
    ) -> Result<Option<Caller>, StoreError> {
        let records = self.store.sessions(caller.person.account).await?;
        let record = records.into_iter().find(|record| record.id == caller.session);
        let lengths = self.settings.lengths;
        let open = record.filter(|record| record.session.admits(face, Halves::Current, lengths, now).is_ok());
        let Some(record) = open else { return Ok(None) };
        let account = self.store.account(caller.person.account).await?;
        let Some(account) = account.filter(|account| account.state == AccountState::Active) else {
            return Ok(None);
        };
        let person = self.person(&account).await?;
        let (session, fresh) = (caller.session, record.session.is_fresh(now));
        Ok(Some(Caller::Session(SessionCaller { person, session, fresh })))
    }
}
