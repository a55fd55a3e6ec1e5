//! Passwords: whether one is right, within what throttle and lane allow, and what is stored of a new one.
//!
//! A name that nobody has takes the same way and hears the same. Nothing here says which of both was wrong.

use actix_web::HttpRequest;
use weevil_access::audit::{Action, Actor, AuditEntry, AuditOutcome};
use weevil_access::store::{AccessStore, Account, AccountState, Credentials, PasswordText};
use weevil_access::{
    AccountName, Attempt, Comparison, CookieKind, HashingError, Password, Target, Wait, WeakPassword,
};
use weevil_model::AccountId;

use super::asker::Asker;
use super::way::way_of;
use super::{AppState, hosts};
use crate::access::{Begun, BreachedFile, Busy, Turn, own_cookie};
use crate::refusal::Refusal;
use crate::seeds;

impl From<Busy> for Refusal {
    fn from(_: Busy) -> Self {
        Self::SlowDown
    }
}

impl From<Wait> for Refusal {
    fn from(wait: Wait) -> Self {
        Self::TooManyFailures(wait.ms.unsigned_abs() / 1000 + 1)
    }
}

/// The account with this name and this password, which may sign in.
///
/// # Errors
/// One of both is wrong, too many attempts have failed, or the account is disabled.
pub(super) async fn prove(
    app: &AppState,
    request: &HttpRequest,
    asker: &Asker,
    name: &AccountName,
    password: &str,
) -> Result<Account, Refusal> {
    let people = &app.access.people;
    let attempt = attempt(app, request, asker, name).await?;
    let begun = people.throttles.begin(attempt, asker.at)?;
    let found = people.store.credentials(name).await?;
    let stored = found.as_ref().and_then(|found| found.password.clone());
    let typed = Password::of(password);
    let compare = move || typed.compare(stored.as_ref().map(|PasswordText(text)| text.as_str()));
    let compared = people.hashing.run(turn(attempt), compare).await?.map_err(internal)?;
    match (compared, found) {
        (Comparison::Right, Some(found)) => admitted(found.account),
        (Comparison::RightButOutdated, Some(found)) => {
            drop(begun);
            hash_anew(app, asker, attempt, &found, password).await?;
            admitted(found.account)
        }
        (_, found) => Err(failed(app, asker, begun, found.as_ref()).await),
    }
}

fn internal(error: HashingError) -> Refusal {
    Refusal::Internal(error.to_string())
}

fn admitted(account: Account) -> Result<Account, Refusal> {
    match account.state {
        AccountState::Active => Ok(account),
        AccountState::Disabled { .. } | AccountState::Removed { .. } => Err(Refusal::AccountDisabled),
    }
}

const fn turn(attempt: Attempt) -> Turn {
    match attempt {
        Attempt::Known { .. } => Turn::Known,
        Attempt::Stranger { .. } | Attempt::Link { .. } => Turn::Stranger,
    }
}

/// By what it is counted. The store is asked only for browsers that have signed in here before.
async fn attempt(
    app: &AppState,
    request: &HttpRequest,
    asker: &Asker,
    name: &AccountName,
) -> Result<Attempt, Refusal> {
    let (people, target) = (&app.access.people, Target::of(name));
    let stranger = Attempt::Stranger { place: app.budget.number(asker.peer), target };
    let cookie = own_cookie(request.headers(), CookieKind::KnownBrowser, way_of(app, request)?);
    let Some(browser) = cookie.and_then(|cookie| people.known_browser(cookie, asker.at)) else {
        return Ok(stranger);
    };
    let found = people.store.credentials(name).await?;
    let same = found.is_some_and(|found| found.account.id == browser.account);
    Ok(if same { Attempt::Known { browser, target } } else { stranger })
}

async fn failed(app: &AppState, asker: &Asker, begun: Begun<'_>, found: Option<&Credentials>) -> Refusal {
    let entry = failure(asker, found.map(|found| found.account.id));
    fail(&*app.access.people.store, begun, &entry).await;
    app.access.sums.count(entry, 0);
    Refusal::WrongSignIn
}

/// The audit hears at once of the failure from which on an account is under attack.
async fn fail(store: &dyn AccessStore, begun: Begun<'_>, entry: &AuditEntry) {
    if begun.fail() {
        let details = Some("{\"underAttack\":true}".to_owned());
        let attacked = AuditEntry { details, ..entry.clone() };
        // What it tells is in the sums as well.
        let _told = store.append_audit(&[attacked], entry.at).await;
    }
}

/// What the audit says, in a sum, of a proof that has failed.
pub(super) fn failure(asker: &Asker, account: Option<AccountId>) -> AuditEntry {
    AuditEntry {
        actor: Actor::Nobody,
        outcome: AuditOutcome::Failed,
        ..asker.entry(Action::SignInFailed, account.map(|account| account.to_string()))
    }
}

async fn hash_anew(
    app: &AppState,
    asker: &Asker,
    attempt: Attempt,
    found: &Credentials,
    password: &str,
) -> Result<(), Refusal> {
    let (people, salt, typed) = (&app.access.people, seeds::salt()?, Password::of(password));
    let hash = people.hashing.run(turn(attempt), move || typed.hash(salt)).await?.map_err(internal)?;
    Ok(people.store.rehash_password(found.account.id, &PasswordText(hash), asker.at).await?)
}

/// What is stored of a new password of somebody with these names.
///
/// # Errors
/// It is too short, too easily guessed, or known to be stolen.
pub(super) async fn new_password(
    app: &AppState,
    request: &HttpRequest,
    names: Vec<String>,
    password: &str,
) -> Result<PasswordText, Refusal> {
    let people = &app.access.people;
    let host = hosts::reached(request.uri(), request.headers()).map(|reached| reached.host.to_string());
    let names: Vec<String> = names.into_iter().chain(host).collect();
    let (salt, typed, breached) = (seeds::salt()?, Password::of(password), people.settings.breached.clone());
    let work = move || -> Result<String, Refusal> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        typed.check(&names).map_err(Refusal::WeakPassword)?;
        if breached.is_some_and(|file| BreachedFile::holds(&file, &typed)) {
            return Err(Refusal::WeakPassword(WeakPassword::Breached));
        }
        typed.hash(salt).map_err(internal)
    };
    people.hashing.run(Turn::Stranger, work).await?.map(PasswordText)
}

#[cfg(test)]
mod tests {
    use weevil_access::limits::ATTACK_FAILURES;
    use weevil_access::store::AuditQuery;
    use weevil_model::{PlaceNumber, Timestamp};
    use weevil_store::Database;

    use super::*;
    use crate::access::Throttles;

    /// Failures at one account, from as many places.
    #[tokio::test]
    async fn the_audit_hears_once_of_an_account_under_attack() {
        let folder = tempfile::TempDir::new().unwrap();
        let store = weevil_store::open(&Database::Sqlite(folder.path().join("weevil.db"))).await.unwrap();
        let (throttles, target) = (Throttles::default(), Target::of(&"ada".parse().unwrap()));
        let entry = AuditEntry {
            at: Timestamp(7),
            actor: Actor::Nobody,
            action: Action::SignInFailed,
            subject: Some("acc_0000000000001".into()),
            project: None,
            place: None,
            outcome: AuditOutcome::Failed,
            details: None,
        };
        for failures in 1..=u64::from(ATTACK_FAILURES) + 5 {
            let attempt = Attempt::Stranger { place: PlaceNumber::from_number(failures), target };
            fail(&*store, throttles.begin(attempt, entry.at).unwrap(), &entry).await;
            let rows = store.audit_page(&AuditQuery::default(), None, 9).await.unwrap();
            let told: Vec<_> = rows.iter().map(|row| (row.details.as_deref(), row.at)).collect();
            let alarm = [(Some("{\"underAttack\":true}"), Timestamp(7))];
            let expected = if failures < u64::from(ATTACK_FAILURES) { &[][..] } else { &alarm };
            assert_eq!(told, expected, "{failures}");
            let attacked = throttles.is_attacked(&"ada".parse().unwrap(), entry.at);
            assert_eq!(attacked, !expected.is_empty(), "{failures}");
        }
    }
}
