//! The audit: what is told is in the chain, page by page and after a trim, and whatever somebody changes is found.

use weevil_access::audit::{Action, Actor, AuditEntry, AuditOutcome, AuditRow, ChainPoint, Tampering};
use weevil_access::store::AuditQuery;
use weevil_model::{AccountId, AuditId, ProjectId, Timestamp};

use super::{People, entry};
use crate::databases::{Kind, on_each_database};

impl People {
    async fn tell(&self, entries: &[AuditEntry]) {
        self.store.append_audit(entries, self.now).await.unwrap();
    }

    async fn verification(&self) -> Result<u64, Tampering> {
        let verified = weevil_store::verify_audit(&self.database.address.parse().unwrap()).await;
        verified.unwrap().map(|verified| verified.rows)
    }

    async fn numbers(&self, query: AuditQuery) -> Vec<i64> {
        let (mut found, mut before) = (Vec::new(), None);
        loop {
            let page = self.store.audit_page(&query, before, 2).await.unwrap();
            let Some(last) = page.last() else { return found };
            before = Some(last.id);
            found.extend(page.iter().map(|row| row.id.number()));
        }
    }
}

/// Nine rows, at 10, 20 and so on: of somebody and of nobody, about a project each third time.
fn nine() -> Vec<AuditEntry> {
    let somebody = Actor::Account(AccountId::from_number(7).unwrap());
    let row = |number: i64| AuditEntry {
        actor: if number % 2 == 0 { somebody } else { Actor::Nobody },
        action: if number <= 4 { Action::SignInFailed } else { Action::RunCreated },
        subject: Some(format!("subject {number}")),
        project: ProjectId::from_number(1).filter(|_| number % 3 == 0),
        place: Some("192.0.2.7".into()),
        outcome: AuditOutcome::Done,
        details: Some("{\"jobs\":1}".into()),
        ..entry(Timestamp(number * 10))
    };
    (1..=9).map(row).collect()
}

async fn what_is_told_is_read_back(kind: Kind) {
    let people = People::new(kind).await;
    people.tell(&nine()).await;
    people.tell(&[]).await;
    let rows = people.store.audit_page(&AuditQuery::default(), None, 99).await.unwrap();
    let mut last = ChainPoint::START;
    for (row, entry) in rows.iter().rev().zip(nine()) {
        assert_eq!(*row, AuditRow::following(&last, &entry).unwrap());
        last = row.point();
    }
    assert_eq!((rows.len(), people.verification().await), (9, Ok(9)));
}

async fn pages_have_what_was_asked_for_the_newest_first(kind: Kind) {
    let people = People::new(kind).await;
    people.tell(&nine()).await;
    let somebody = Some(Actor::Account(AccountId::from_number(7).unwrap()));
    let (failed, created) = (Some(Action::SignInFailed), Some(Action::RunCreated));
    let at = |at| Some(Timestamp(at));
    let all = AuditQuery::default();
    let project = ProjectId::from_number(1);
    for (query, expected) in [
        (all, vec![9, 8, 7, 6, 5, 4, 3, 2, 1]),
        (AuditQuery { actor: somebody, ..all }, vec![8, 6, 4, 2]),
        (AuditQuery { action: failed, ..all }, vec![4, 3, 2, 1]),
        (AuditQuery { actor: somebody, action: created, ..all }, vec![8, 6]),
        (AuditQuery { project, ..all }, vec![9, 6, 3]),
        (AuditQuery { project, actor: somebody, ..all }, vec![6]),
        (AuditQuery { project, action: failed, ..all }, vec![3]),
        (AuditQuery { from: at(40), to: at(70), ..all }, vec![6, 5, 4]),
        (AuditQuery { from: at(41), ..all }, vec![9, 8, 7, 6, 5]),
        (AuditQuery { to: at(11), ..all }, vec![1]),
        (AuditQuery { from: at(91), ..all }, vec![]),
        (AuditQuery { to: at(10), ..all }, vec![]),
        (AuditQuery { actor: somebody, from: at(50), to: at(80), ..all }, vec![6]),
        (AuditQuery { actor: Some(Actor::Local), ..all }, vec![]),
    ] {
        assert_eq!(people.numbers(query).await, expected, "{query:?}");
    }
}

/// Also of two servers, where a database may have two.
async fn rows_that_are_told_side_by_side_are_one_chain(kind: Kind) {
    let people = People::new(kind).await;
    let other = if kind == Kind::Sqlite { people.store.clone() } else { people.database.open().await };
    for at in 1..=5 {
        let (early, late) = ([entry(Timestamp(at))], [entry(Timestamp(at + 100))]);
        let (one, two, three) = tokio::join!(
            people.store.append_audit(&late, people.now),
            other.append_audit(&early, people.now),
            people.store.append_audit(&early, people.now),
        );
        for told in [one, two, three] {
            told.unwrap();
        }
    }
    assert_eq!(people.verification().await, Ok(15));
}

async fn a_trim_leaves_the_last_hash(kind: Kind) {
    let people = People::new(kind).await;
    people.tell(&nine()).await;
    let trim =
        async |before, most| people.store.trim_audit(Timestamp(before), most, people.now).await.unwrap();
    for (before, most, gone, left) in
        [(10, 9, 0, 9_u64), (45, 3, 3, 6), (45, 3, 1, 5), (45, 3, 0, 5), (99, 9, 5, 0), (99, 9, 0, 0)]
    {
        assert_eq!(trim(before, most).await, gone, "{before} {most}");
        assert_eq!((people.verification().await, people.audit_rows().await), (Ok(left), left.cast_signed()));
    }
    people.tell(&nine()).await;
    assert_eq!(people.verification().await, Ok(9));
    let first = people.store.audit_page(&AuditQuery::default(), None, 99).await.unwrap().pop().unwrap();
    assert_eq!(first.id, AuditId::from_number(10).unwrap());
}

async fn whatever_is_changed_is_found(kind: Kind) {
    let id = |number| AuditId::from_number(number).unwrap();
    let other = "x'0101010101010101010101010101010101010101010101010101010101010101'";
    let copy =
        "insert into audit select 10, written_at, actor, action, subject, project, place, outcome, details,
         previous, hash from audit where id = 9";
    for (damage, expected) in [
        ("update audit set written_at = written_at + 1 where id = 5", Tampering::Changed(id(5))),
        ("update audit set actor = 'system' where id = 5", Tampering::Changed(id(5))),
        ("update audit set action = 'run.paused' where id = 5", Tampering::Changed(id(5))),
        ("update audit set subject = null where id = 5", Tampering::Changed(id(5))),
        ("update audit set project = 2 where id = 5", Tampering::Changed(id(5))),
        ("update audit set place = '192.0.2.8' where id = 5", Tampering::Changed(id(5))),
        ("update audit set outcome = 'failed' where id = 5", Tampering::Changed(id(5))),
        ("update audit set details = '{}' where id = 5", Tampering::Changed(id(5))),
        (&format!("update audit set hash = {other} where id = 5"), Tampering::Changed(id(5))),
        (&format!("update audit set previous = {other} where id = 5"), Tampering::Changed(id(5))),
        ("delete from audit where id = 5", Tampering::Broken(id(6))),
        ("delete from audit where id = 1", Tampering::Broken(id(2))),
        ("delete from audit where id >= 8", Tampering::CutOff { found: 7, expected: 9 }),
        ("delete from audit", Tampering::CutOff { found: 0, expected: 9 }),
        ("update audit set id = 11 where id = 5", Tampering::Broken(id(6))),
        (copy, Tampering::PutIn(id(10))),
        ("update audit_ends set last = 8", Tampering::PutIn(id(9))),
        ("update audit_ends set trimmed = 3", Tampering::PutIn(id(1))),
    ] {
        let people = People::new(kind).await;
        people.tell(&nine()).await;
        people.database.sql(damage).await;
        assert_eq!(people.verification().await, Err(expected), "{damage}");
    }
}

on_each_database! {
    what_is_told_is_read_back,
    pages_have_what_was_asked_for_the_newest_first,
    rows_that_are_told_side_by_side_are_one_chain,
    a_trim_leaves_the_last_hash,
    whatever_is_changed_is_found,
}
