//! Forgets what of accounts and their audit is over, piece by piece, so that nobody waits for it (ADR 0053).
//!
//! Never touches runs or jobs: those are the work of the engine's keeper.

use std::sync::Arc;
use std::time::Duration;

use weevil_access::store::AccessStore;
use weevil_engine::clock::SharedClock;
use weevil_model::StoreError;

/// How often it looks.
const EVERY: Duration = Duration::from_mins(1);
/// Rows of a kind that one transaction forgets.
const PIECE: u32 = 500;
/// Milliseconds that sessions, links and tokens stay after their time: seven days. A token that stays is refused as expired, one
/// that has gone as unknown.
const EXPIRED_KEPT_MS: i64 = 604_800_000;

pub(crate) struct Keeper {
    pub store: Arc<dyn AccessStore>,
    pub clock: SharedClock,
    /// How long rows of the audit are kept; for ever where this is `None`.
    pub audit: Option<Duration>,
}

impl Keeper {
    /// Works as long as it is polled.
    pub(crate) async fn run(self) {
        let mut ticks = tokio::time::interval(EVERY);
        loop {
            ticks.tick().await;
            self.tidy_up().await;
        }
    }

    /// All that is over now. What the database does not take stays until the next time.
    async fn tidy_up(&self) {
        let now = self.clock.now();
        let expired = now.plus_ms(-EXPIRED_KEPT_MS);
        while is_more("what has expired", self.store.forget_expired(expired, PIECE, now).await) {
            tokio::task::yield_now().await;
        }
        let Some(kept) = self.audit else { return };
        let old = now.plus_ms(-i64::try_from(kept.as_millis()).unwrap_or(i64::MAX));
        while is_more("old rows of the audit", self.store.trim_audit(old, PIECE, now).await) {
            tokio::task::yield_now().await;
        }
    }
}

/// Whether a piece had something in it.
fn is_more(what: &str, gone: Result<u64, StoreError>) -> bool {
    match gone {
        Ok(rows) => rows > 0,
        Err(error) => {
            tracing::error!(%error, what, "what is over stays for now");
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use weevil_access::audit::{Action, Actor, AuditEntry, AuditOutcome};
    use weevil_access::store::{AuditQuery, Link, LinkFor, NewLink};
    use weevil_access::{Secret, SecretKind};
    use weevil_engine::clock::Clock;
    use weevil_model::Timestamp;
    use weevil_store::Database;

    use super::*;

    const DAY_MS: i64 = 86_400_000;
    const START: Timestamp = Timestamp(1_000 * DAY_MS);

    struct Days(AtomicI64);

    impl Clock for Days {
        fn now(&self) -> Timestamp {
            START.plus_ms(self.0.load(Ordering::Relaxed) * DAY_MS)
        }
    }

    fn entry(at: Timestamp) -> AuditEntry {
        AuditEntry {
            at,
            actor: Actor::System,
            action: Action::LinkCreated,
            subject: None,
            project: None,
            place: None,
            outcome: AuditOutcome::Done,
            details: None,
        }
    }

    /// More rows than go in a piece, so old; and an invitation that is over at the start.
    async fn kept(store: &dyn AccessStore, link: &Secret) {
        let rows = usize::try_from(PIECE).unwrap() + 1;
        store.append_audit(&vec![entry(START); rows], START).await.unwrap();
        let made = Link {
            made_by: Actor::System,
            good_for: LinkFor::Invite { admin: false, into: None },
            made_at: START,
            expires_at: START,
        };
        let new = NewLink { hash: link.hash(), link: made };
        store.make_link(&new, &entry(START.plus_ms(DAY_MS))).await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn what_is_over_goes_with_time_and_the_audit_only_where_it_may() {
        for (audit_days, left) in [
            (Some(2), [(0, true, 502), (7, true, 0), (8, false, 0)]),
            (Some(400), [(0, true, 502), (8, false, 502), (401, false, 1)]),
            (None, [(0, true, 502), (8, false, 502), (9_000, false, 502)]),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let store = weevil_store::open(&Database::Sqlite(folder.path().join("weevil.db"))).await.unwrap();
            let (store, clock) = (store as Arc<dyn AccessStore>, Arc::new(Days(AtomicI64::new(0))));
            let link = Secret::of_bytes(SecretKind::Invite, [7; 32]);
            kept(&*store, &link).await;
            let audit = audit_days.map(|days| Duration::from_hours(24 * days));
            let keeper = Keeper { store: store.clone(), clock: clock.clone(), audit };
            for (day, has_link, rows) in left {
                clock.0.store(day, Ordering::Relaxed);
                keeper.tidy_up().await;
                let found = store.audit_page(&AuditQuery::default(), None, 1000).await.unwrap();
                assert_eq!(found.len(), rows, "{audit_days:?} {day}");
                let long_ago = Timestamp(0);
                let link = store.link(link.hash(), long_ago).await.unwrap();
                assert_eq!(link.is_some(), has_link, "{audit_days:?} {day}");
            }
        }
    }
}
