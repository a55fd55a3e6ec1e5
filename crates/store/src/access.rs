//! The traits of `weevil-access` over a driver: a line for each method, a part for what it does.

use async_trait::async_trait;
use weevil_access::audit::{AuditEntry, AuditRow};
use weevil_access::store::{
    Account, Accounts, Answer, AuditLog, AuditQuery, Credentials, Expired, FoundSession, Link, Links, Member,
    Membership, NewAccount, NewLink, NewProject, NewSession, NewToken, PasswordText, Project, Projects,
    Rotation, ServerSecrets, SessionRecord, Sessions, Token, Tokens,
};
use weevil_access::{
    AccountName, CertificateKey, ProjectSlug, Quotas, SecretHash, ServerSecret, Title, Usage,
};
use weevil_model::{AccountId, AuditId, ProjectId, Role, SessionId, StoreError, Timestamp, TokenId};

use crate::db::{Db, reads, writes};
use crate::driver::Driver;
use crate::fault::{Fault, retried};
use crate::parts::access::{
    accounts, admins, audit, audit_pages, expired, links, members, projects, secrets, sessions, tokens,
};
use crate::parts::usage;

#[async_trait]
impl<D: Driver> ServerSecrets for Db<D> {
    async fn server_secret(&self, fresh: ServerSecret, now: Timestamp) -> Result<ServerSecret, StoreError> {
        secret(self, secrets::SERVER, fresh.as_bytes(), now).await.map(ServerSecret::from_bytes)
    }

    async fn certificate_key(
        &self,
        fresh: CertificateKey,
        now: Timestamp,
    ) -> Result<CertificateKey, StoreError> {
        secret(self, secrets::CERTIFICATES, fresh.as_bytes(), now).await.map(CertificateKey::from_bytes)
    }
}

async fn secret<D: Driver>(
    db: &Db<D>,
    name: &'static str,
    fresh: &[u8; 32],
    now: Timestamp,
) -> Result<[u8; 32], StoreError> {
    if let Some(there) = reads!(db, tx => secrets::one(tx, name))? {
        return Ok(there);
    }
    writes!(db, "a secret of the server" at now, tx => secrets::keep(tx, name, fresh, now))
}

#[async_trait]
impl<D: Driver> Accounts for Db<D> {
    async fn add_account(&self, account: &NewAccount, entry: &AuditEntry) -> Result<Answer<()>, StoreError> {
        writes!(self, "an account" at entry.at, tx => accounts::add(tx, account, entry))
    }

    async fn account(&self, id: AccountId) -> Result<Option<Account>, StoreError> {
        reads!(self, tx => accounts::one(tx, id))
    }

    async fn credentials(&self, name: &AccountName) -> Result<Option<Credentials>, StoreError> {
        reads!(self, tx => accounts::named(tx, name))
    }

    async fn accounts(
        &self,
        disabled: Option<bool>,
        after: Option<AccountId>,
        most: u32,
    ) -> Result<Vec<Account>, StoreError> {
        reads!(self, tx => accounts::page(tx, disabled, after, most))
    }

    async fn has_admin(&self) -> Result<bool, StoreError> {
        reads!(self, tx => admins::has_admin(tx))
    }

    async fn disable_account(&self, id: AccountId, entry: &AuditEntry) -> Result<Answer<()>, StoreError> {
        writes!(self, "a disabling" at entry.at, tx => admins::disable(tx, id, entry))
    }

    async fn enable_account(&self, id: AccountId, entry: &AuditEntry) -> Result<Answer<()>, StoreError> {
        writes!(self, "an enabling" at entry.at, tx => admins::enable(tx, id, entry))
    }

    async fn set_admin(
        &self,
        id: AccountId,
        admin: bool,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError> {
        writes!(self, "a role" at entry.at, tx => admins::set_admin(tx, id, admin, entry))
    }

    async fn remove_account(&self, id: AccountId, entry: &AuditEntry) -> Result<Answer<()>, StoreError> {
        writes!(self, "a removal" at entry.at, tx => admins::remove(tx, id, entry))
    }

    async fn set_password(
        &self,
        id: AccountId,
        password: &PasswordText,
        keep: Option<SessionId>,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError> {
        writes!(self, "a password" at entry.at, tx => accounts::set_password(tx, id, password, keep, entry))
    }

    async fn rehash_password(
        &self,
        id: AccountId,
        password: &PasswordText,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        writes!(self, "a password" at now, tx => accounts::rehash(tx, id, password))
    }
}

#[async_trait]
impl<D: Driver> Sessions for Db<D> {
    async fn open_session(&self, new: &NewSession, entry: &AuditEntry) -> Result<Answer<()>, StoreError> {
        writes!(self, "a session" at entry.at, tx => sessions::open(tx, new, entry))
    }

    async fn session(&self, hash: SecretHash) -> Result<Option<FoundSession>, StoreError> {
        reads!(self, tx => sessions::by_hash(tx, hash))
    }

    async fn sessions(&self, account: AccountId) -> Result<Vec<SessionRecord>, StoreError> {
        reads!(self, tx => sessions::of_account(tx, account))
    }

    async fn touch_sessions(
        &self,
        used: &[(SessionId, Timestamp)],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        writes!(self, "uses of sessions" at now, tx => sessions::touch(tx, used))
    }

    async fn rotate_session(
        &self,
        rotation: &Rotation,
        entry: Option<&AuditEntry>,
    ) -> Result<bool, StoreError> {
        writes!(self, "new halves" at rotation.at, tx => sessions::rotate(tx, rotation, entry))
    }

    async fn end_session(
        &self,
        account: AccountId,
        id: SessionId,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError> {
        writes!(self, "the end of a session" at entry.at, tx => sessions::end(tx, account, id, entry))
    }

    async fn end_sessions(
        &self,
        account: AccountId,
        keep: Option<SessionId>,
        entry: &AuditEntry,
    ) -> Result<u64, StoreError> {
        writes!(self, "ends of sessions" at entry.at, tx => sessions::end_others(tx, account, keep, entry))
    }
}

#[async_trait]
impl<D: Driver> Links for Db<D> {
    async fn make_link(&self, new: &NewLink, entry: &AuditEntry) -> Result<Answer<()>, StoreError> {
        writes!(self, "a link" at entry.at, tx => links::make(tx, new, entry))
    }

    async fn link(&self, hash: SecretHash, now: Timestamp) -> Result<Option<Link>, StoreError> {
        reads!(self, tx => links::open(tx, hash, now))
    }

    async fn accept_link(
        &self,
        hash: SecretHash,
        account: &NewAccount,
        entry: &AuditEntry,
    ) -> Result<Answer<Account>, StoreError> {
        writes!(self, "an account by a link" at entry.at, tx => links::accept(tx, hash, account, entry))
    }

    async fn reset_password(
        &self,
        hash: SecretHash,
        password: &PasswordText,
        entry: &AuditEntry,
    ) -> Result<Answer<AccountId>, StoreError> {
        writes!(self, "a password by a link" at entry.at, tx => links::reset(tx, hash, password, entry))
    }
}

#[async_trait]
impl<D: Driver> Tokens for Db<D> {
    async fn make_token(&self, new: &NewToken, entry: &AuditEntry) -> Result<Answer<()>, StoreError> {
        writes!(self, "a token" at entry.at, tx => tokens::make(tx, new, entry))
    }

    async fn token(&self, hash: SecretHash) -> Result<Option<(Token, Account)>, StoreError> {
        reads!(self, tx => tokens::by_hash(tx, hash))
    }

    async fn tokens(
        &self,
        owner: Option<AccountId>,
        after: Option<TokenId>,
        most: u32,
    ) -> Result<Vec<Token>, StoreError> {
        reads!(self, tx => tokens::page(tx, owner, after, most))
    }

    async fn revoke_token(
        &self,
        id: TokenId,
        owner: Option<AccountId>,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError> {
        writes!(self, "a revocation" at entry.at, tx => tokens::revoke(tx, id, owner, entry))
    }

    async fn project_tokens(
        &self,
        project: ProjectId,
        after: Option<TokenId>,
        most: u32,
    ) -> Result<Vec<(Token, Account)>, StoreError> {
        reads!(self, tx => tokens::page_of_project(tx, project, after, most))
    }

    async fn revoke_project_token(
        &self,
        id: TokenId,
        project: ProjectId,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError> {
        writes!(self, "a revocation" at entry.at, tx => tokens::revoke_of_project(tx, id, project, entry))
    }

    async fn touch_tokens(&self, used: &[(TokenId, Timestamp)], now: Timestamp) -> Result<(), StoreError> {
        writes!(self, "uses of tokens" at now, tx => tokens::touch(tx, used))
    }
}

#[async_trait]
impl<D: Driver> Projects for Db<D> {
    async fn add_project(
        &self,
        new: &NewProject,
        entry: &AuditEntry,
    ) -> Result<Answer<ProjectId>, StoreError> {
        writes!(self, "a project" at entry.at, tx => projects::add(tx, new, entry))
    }

    async fn project(&self, slug: &ProjectSlug) -> Result<Option<Project>, StoreError> {
        reads!(self, tx => projects::one(tx, slug))
    }

    async fn projects(&self, after: Option<ProjectId>, most: u32) -> Result<Vec<Project>, StoreError> {
        reads!(self, tx => projects::page(tx, after, most))
    }

    async fn change_project(
        &self,
        id: ProjectId,
        name: &Title,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError> {
        writes!(self, "a project's name" at entry.at, tx => projects::rename(tx, id, name, entry))
    }

    async fn set_quotas(
        &self,
        id: ProjectId,
        quotas: Quotas,
        jobs_a_minute: u64,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError> {
        let new = (quotas, jobs_a_minute);
        writes!(self, "quotas" at entry.at, tx => projects::set_quotas(tx, id, new, entry))
    }

    async fn archive_project(
        &self,
        id: ProjectId,
        archived: bool,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError> {
        writes!(self, "an archived project" at entry.at, tx => projects::archive(tx, id, archived, entry))
    }

    async fn usage(&self, project: ProjectId) -> Result<Usage, StoreError> {
        reads!(self, tx => usage::read(tx, project))
    }

    async fn members(
        &self,
        project: ProjectId,
        after: Option<AccountId>,
        most: u32,
    ) -> Result<Vec<Member>, StoreError> {
        reads!(self, tx => members::page(tx, project, after, most))
    }

    async fn memberships(&self, account: AccountId) -> Result<Vec<Membership>, StoreError> {
        reads!(self, tx => members::of_account(tx, account))
    }

    async fn set_member(
        &self,
        project: ProjectId,
        account: AccountId,
        role: Role,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError> {
        writes!(self, "a member" at entry.at, tx => members::set(tx, project, account, role, entry))
    }

    async fn remove_member(
        &self,
        project: ProjectId,
        account: AccountId,
        entry: &AuditEntry,
    ) -> Result<Answer<()>, StoreError> {
        writes!(self, "a member who leaves" at entry.at, tx => members::remove(tx, project, account, entry))
    }
}

#[async_trait]
impl<D: Driver> AuditLog for Db<D> {
    async fn append_audit(&self, entries: &[AuditEntry], now: Timestamp) -> Result<(), StoreError> {
        writes!(self, "the audit" at now, tx => audit::write_down(tx, entries))
    }

    async fn audit_page(
        &self,
        query: &AuditQuery,
        before: Option<AuditId>,
        most: u32,
    ) -> Result<Vec<AuditRow>, StoreError> {
        reads!(self, tx => audit_pages::page(tx, query, before, most))
    }

    async fn trim_audit(&self, before: Timestamp, most: u32, now: Timestamp) -> Result<u64, StoreError> {
        writes!(self, "a trimmed audit" at now, tx => audit::trim(tx, before, most))
    }
}

#[async_trait]
impl<D: Driver> Expired for Db<D> {
    async fn forget_expired(&self, before: Timestamp, most: u32, now: Timestamp) -> Result<u64, StoreError> {
        writes!(self, "what has expired" at now, tx => expired::forget(tx, before, most))
    }
}
