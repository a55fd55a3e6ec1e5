//! From the text of a token to the program that asks: whether it is good, whose it is, that it is used.
//!
//! Never says what the program may do, and never makes a token.

use std::sync::Arc;

use weevil_access::limits::NOTE_USE_MS;
use weevil_access::store::{AccountState, Token};
use weevil_access::{Caller, Person, Scopes, Secret, SecretHash, TokenCaller, check_token};
use weevil_model::{StoreError, Timestamp};

use super::{BadToken, People};
use crate::refusal::Refusal;

/// A token and whose it is, as they were when they were looked up.
#[derive(Debug, Clone)]
pub(super) struct KnownToken {
    token: Token,
    scopes: Arc<Scopes>,
    owner: Arc<Person>,
    /// Whether the owner can sign in.
    active: bool,
}

impl KnownToken {
    fn is_used(&self, now: Timestamp) -> bool {
        self.token.used_at.is_none_or(|used| now.since(used) >= NOTE_USE_MS)
    }
}

impl People {
    /// Who asks with this token: never more than its owner at this moment.
    pub(super) async fn by_token(&self, secret: &Secret, now: Timestamp) -> Result<Caller, Refusal> {
        let hash = secret.hash();
        let known = self.look_up_token(hash, now).await?.ok_or(Refusal::BadToken(BadToken::Unknown))?;
        let KnownToken { token, scopes, owner, active } = &known;
        // Disabling an account revokes its tokens; what was looked up in between is worth nothing, either.
        if !active {
            return Err(Refusal::BadToken(BadToken::Revoked));
        }
        check_token(token.expires_at, token.revoked_at, now).map_err(|why| Refusal::BadToken(why.into()))?;
        if known.is_used(now) {
            self.note_token(hash, token, now);
        }
        let (owner, scopes) = (owner.clone(), scopes.clone());
        Ok(Caller::Token(TokenCaller { owner, token: token.id, scopes, project: token.project }))
    }

    async fn look_up_token(
        &self,
        hash: SecretHash,
        now: Timestamp,
    ) -> Result<Option<KnownToken>, StoreError> {
        let missing = match self.tokens.get(hash, now) {
            Ok(known) => return Ok(Some(known)),
            Err(missing) => missing,
        };
        let Some((token, account)) = self.store.token(hash).await? else { return Ok(None) };
        let (scopes, owner) = (Arc::new(token.scopes.clone()), self.person(&account).await?);
        let known = KnownToken { token, scopes, owner, active: account.state == AccountState::Active };
        self.tokens.keep(hash, known.clone(), missing, now);
        Ok(Some(known))
    }

    /// Writes down a use without keeping anybody waiting; one that is not written is written with a later use.
    fn note_token(&self, hash: SecretHash, token: &Token, now: Timestamp) {
        self.tokens.change(hash, |known: &mut KnownToken| known.token.used_at = Some(now));
        let (store, id) = (self.store.clone(), token.id);
        actix_web::rt::spawn(async move {
            if let Err(error) = store.touch_tokens(&[(id, now)], now).await {
                tracing::warn!(%error, "the use of a token is not written down");
            }
        });
    }
}
