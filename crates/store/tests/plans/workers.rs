//! What is kept of workers, and suspended devices: none of their statements walks a table, however many have come.

use weevil_access::audit::{Action, Actor, AuditEntry, AuditOutcome};
use weevil_model::{ContentHash, JobId, Needs, Timestamp};
use weevil_records::{AttemptMark, Suspension, Term, WorkerList, WorkerRecord};

use super::{Ear, TURN, heard, names, sqlite_walks};
use crate::bed::{Bed, worker};
use crate::databases::Kind;
use crate::lists::mysql_walks;
use crate::stated::stated_in;

/// As many as a recursion of MariaDB makes.
const KEPT: usize = 1_000;
const TABLES: [&str; 3] = ["workers", "attempts", "devices"];

pub(crate) async fn nothing_about_workers_walks_a_table(kind: Kind) {
    let _turn = TURN.lock().await;
    let _set_by_the_other = tracing::subscriber::set_global_default(Ear);
    let bed = Bed::new(kind).await;
    fill(&bed, kind).await;
    heard();
    ask(&bed).await;
    let statements = heard();
    let own = |place: &str| place.ends_with("parts/workers.rs") || place.ends_with("parts/suspensions.rs");
    let stated = stated_in(&["parts"], kind);
    let mut asked = 0;
    for stated in stated.iter().filter(|stated| own(&stated.place)) {
        assert!(statements.iter().any(|text| stated.is(text)), "{} is not run", stated.place);
        asked += 1;
    }
    assert_eq!(asked, 10, "five of workers beside the one that keeps them, five of suspensions");
    for statement in statements.iter().filter(|text| TABLES.iter().any(|table| text.contains(table))) {
        let names = names(&TABLES, statement);
        let walks = match bed.database.address.strip_prefix("sqlite:") {
            Some(path) => sqlite_walks(path, statement, &names).await,
            None if statement.starts_with("insert") => Vec::new(),
            None => mysql_walks(&bed, statement, &names).await,
        };
        assert!(walks.is_empty(), "{walks:?} in the plan of {statement}");
    }
}

/// Workers of which every other one has a device, and devices of which every tenth is suspended.
async fn fill(bed: &Bed, kind: Kind) {
    let counted = format!("with recursive n(v) as (select 1 union all select v + 1 from n where v < {KEPT})");
    let fingerprint =
        if kind == Kind::Sqlite { "cast(printf('%032d', v) as blob)" } else { "lpad(v, 32, '0')" };
    let columns =
        "id, agent, device, capabilities, memory_mb, slots, connected_at, heard_at, done, errors, expired";
    let workers = format!(
        "{counted} select v, 'a', case when v % 2 = 0 then {fingerprint} end, 1, 0, 1, v, v, 1, 0, 0 from n"
    );
    bed.database.sql(&format!("insert into workers ({columns}) {workers}")).await;
    let columns = "fingerprint, first_seen, last_seen, accepted, number, held_until";
    let devices =
        format!("{counted} select {fingerprint}, v, v, 1, v, case when v % 10 = 0 then v end from n");
    bed.database.sql(&format!("insert into devices ({columns}) {devices}")).await;
    if kind == Kind::MariaDb {
        bed.database.sql("analyze table workers, devices, attempts, jobs").await;
    }
}

async fn ask(bed: &Bed) {
    let store = &bed.store;
    let record = WorkerRecord {
        id: worker(5_000),
        agent: "new".into(),
        device: None,
        adapter: None,
        has: Needs::JAVASCRIPT,
        slots: 1,
        connected_at: bed.now,
        heard_at: Timestamp(5_000),
        done: 0,
        errors: 0,
        expired: 0,
    };
    store.keep_workers(&[record], bed.now).await.unwrap();
    assert!(store.worker(worker(5_000)).await.unwrap().is_some());
    let list = WorkerList { before: Some(worker(901)), text: Some("a".into()) };
    assert_eq!(store.workers(&list, 101).await.unwrap().len(), 101);
    let mark = AttemptMark { started_at: Timestamp(500), job: JobId::from_number(7).unwrap() };
    assert_eq!(store.worker_attempts(worker(7), Some(mark), 101).await.unwrap(), []);
    assert_eq!(store.suspended(20, Timestamp(900)).await.unwrap().len(), 10);
    let entry = AuditEntry {
        at: Timestamp(900),
        actor: Actor::Local,
        action: Action::WorkerPaused,
        subject: None,
        project: None,
        place: None,
        outcome: AuditOutcome::Done,
        details: None,
    };
    let (device, pause) = (ContentHash::of(b"one"), Term::Paused { until: Timestamp(901) });
    let pause = Suspension { term: pause, note: String::new() };
    assert!(!store.suspend_device(device, &pause, 10, &entry).await.unwrap());
    assert!(store.suspend_device(device, &pause, 11, &entry).await.unwrap());
    assert_eq!(store.suspension(device).await.unwrap(), Some(pause));
    assert!(store.lift_suspension(device, &entry).await.unwrap());
    let forgotten = store.forget_workers(Timestamp(101), 950, 999, Timestamp(50)).await.unwrap();
    assert_eq!(forgotten, 95, "those of devices that are suspended until later stay");
}
