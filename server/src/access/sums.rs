//! What the audit tells as sums: jobs that were put in, a row a minute for each actor, project and place.
//!
//! In memory until then, so a crash takes the last minute (ADR 0053). Never reads a clock, and nobody waits for it.

use std::collections::HashMap;
use std::mem::take;
use std::sync::{Mutex, MutexGuard, PoisonError};

use weevil_access::audit::{Action, Actor, AuditEntry, AuditOutcome};
use weevil_model::{ProjectId, StoreError, Timestamp};

/// Rows of one minute: what comes beyond is counted without its subject and place.
const MAX_SUMS: usize = 10_000;
/// Rows that one transaction writes.
const PIECE: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    action: Action,
    actor: Actor,
    subject: Option<String>,
    project: Option<ProjectId>,
    place: Option<String>,
    outcome: AuditOutcome,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Sum {
    requests: u64,
    jobs: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Sums(Mutex<HashMap<Key, Sum>>);

impl Sums {
    /// Counts one request of what this entry tells, and so many jobs. Its moment and its details are left out.
    pub(crate) fn count(&self, entry: AuditEntry, jobs: u64) {
        let AuditEntry { action, actor, subject, project, place, outcome, .. } = entry;
        add(
            &mut self.held(),
            Key { action, actor, subject, project, place, outcome },
            Sum { requests: 1, jobs },
        );
    }

    /// Writes down what was counted since the last time. What the database does not take is kept for the next.
    pub(crate) async fn tell(
        &self,
        now: Timestamp,
        append: impl AsyncFn(&[AuditEntry]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let sums: Vec<(Key, Sum)> = take(&mut *self.held()).into_iter().collect();
        for (number, piece) in sums.chunks(PIECE).enumerate() {
            let entries: Vec<AuditEntry> = piece.iter().map(|(key, sum)| entry(key, *sum, now)).collect();
            if let Err(error) = append(&entries).await {
                let mut held = self.held();
                for (key, sum) in sums.into_iter().skip(number * PIECE) {
                    add(&mut held, key, sum);
                }
                return Err(error);
            }
        }
        Ok(())
    }

    fn held(&self) -> MutexGuard<'_, HashMap<Key, Sum>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn add(sums: &mut HashMap<Key, Sum>, key: Key, more: Sum) {
    let fits = sums.len() < MAX_SUMS || sums.contains_key(&key);
    let key = if fits { key } else { Key { subject: None, place: None, ..key } };
    let sum = sums.entry(key).or_default();
    sum.requests += more.requests;
    sum.jobs += more.jobs;
}

fn entry(key: &Key, Sum { requests, jobs }: Sum, at: Timestamp) -> AuditEntry {
    let Key { action, actor, subject, project, place, outcome } = key.clone();
    let details = match action {
        Action::JobsSubmitted => format!(r#"{{"requests":{requests},"jobs":{jobs}}}"#),
        _ => format!(r#"{{"requests":{requests}}}"#),
    };
    AuditEntry { at, actor, action, subject, project, place, outcome, details: Some(details) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn submitted(project: i64) -> AuditEntry {
        AuditEntry {
            at: Timestamp(1),
            actor: Actor::Local,
            action: Action::JobsSubmitted,
            subject: None,
            project: ProjectId::from_number(project),
            place: Some("loopback".into()),
            outcome: AuditOutcome::Done,
            details: None,
        }
    }

    fn failed(subject: usize) -> AuditEntry {
        let subject = Some(subject.to_string());
        AuditEntry { action: Action::SignInFailed, actor: Actor::Nobody, subject, ..submitted(1) }
    }

    /// What a database takes that cannot be reached after so many pieces, and whether that was all.
    async fn told(sums: &Sums, pieces: usize) -> (bool, Vec<AuditEntry>) {
        let taken = Mutex::new((0, Vec::new()));
        let append = async |entries: &[AuditEntry]| {
            let mut taken = taken.lock().unwrap();
            if taken.0 == pieces {
                return Err(StoreError::Corrupt { what: "gone".into() });
            }
            taken.0 += 1;
            taken.1.extend_from_slice(entries);
            Ok(())
        };
        let done = sums.tell(Timestamp(60_000), append).await.is_ok();
        (done, taken.into_inner().unwrap().1)
    }

    #[tokio::test]
    async fn a_minute_is_a_row_for_each_actor_and_project() {
        let sums = Sums::default();
        sums.count(submitted(1), 1000);
        sums.count(submitted(1), 1);
        sums.count(submitted(2), 7);
        sums.count(failed(3), 0);
        let (done, mut rows) = told(&sums, 1).await;
        rows.sort_by_key(|row| row.details.clone());
        let details: Vec<_> = rows.iter().filter_map(|row| row.details.as_deref()).collect();
        assert_eq!(
            details,
            [r#"{"requests":1,"jobs":7}"#, r#"{"requests":1}"#, r#"{"requests":2,"jobs":1001}"#]
        );
        assert!(done && rows.iter().all(|row| row.at == Timestamp(60_000)));
        assert_eq!(told(&sums, 1).await, (true, Vec::new()), "once");
    }

    #[tokio::test]
    async fn what_the_database_does_not_take_is_told_later_and_once() {
        let sums = Sums::default();
        (0..2 * PIECE).for_each(|subject| sums.count(failed(subject), 0));
        let (done, first) = told(&sums, 1).await;
        assert!(!done && first.len() == PIECE);
        sums.count(failed(0), 0);
        let (done, second) = told(&sums, 9).await;
        let first: std::collections::HashSet<_> = first.iter().map(|row| row.subject.clone()).collect();
        let again = second.iter().filter(|row| first.contains(&row.subject)).count();
        assert!(done && again <= 1 && second.len() >= PIECE);
    }

    #[tokio::test]
    async fn a_flood_of_names_is_one_row() {
        let sums = Sums::default();
        (0..MAX_SUMS + 50).for_each(|subject| sums.count(failed(subject), 0));
        let (_, rows) = told(&sums, MAX_SUMS).await;
        let others: Vec<_> = rows.iter().filter(|row| row.subject.is_none()).collect();
        assert_eq!((rows.len(), others.len()), (MAX_SUMS + 1, 1));
        assert_eq!(others[0].details.as_deref(), Some(r#"{"requests":50}"#));
    }
}
