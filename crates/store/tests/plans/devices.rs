//! The pages of devices and the marks on them: none walks a table, however many devices have come.

use weevil_access::audit::{Action, Actor, AuditEntry, AuditOutcome};
use weevil_model::witness::{Mark, Rank};
use weevil_records::DeviceList;

use super::{Ear, TURN, heard, names, sqlite_walks};
use crate::bed::Bed;
use crate::databases::Kind;
use crate::lists::mysql_walks;
use crate::stated::stated_in;

/// As many as a recursion of MariaDB makes.
const KEPT: usize = 1_000;
const TABLES: [&str; 3] = ["devices", "records", "answers"];

pub(crate) async fn no_page_of_devices_walks_a_table(kind: Kind) {
    let _turn = TURN.lock().await;
    let _set_by_the_other = tracing::subscriber::set_global_default(Ear);
    let bed = Bed::new(kind).await;
    fill(&bed, kind).await;
    heard();
    ask(&bed).await;
    let statements = heard();
    let stated = stated_in(&["parts"], kind);
    let own = stated.iter().filter(|stated| {
        stated.place.ends_with("parts/device_lists.rs") || stated.place.ends_with("parts/marks.rs")
    });
    let mut asked = 0;
    for stated in own {
        assert!(statements.iter().any(|text| stated.is(text)), "{} is not run", stated.place);
        asked += 1;
    }
    assert_eq!(asked, 7, "five of lists and standings, two of marks");
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

/// Devices that have brought values, of which every other one has a record, and others with a record alone.
async fn fill(bed: &Bed, kind: Kind) {
    let counted = format!("with recursive n(v) as (select 1 union all select v + 1 from n where v < {KEPT})");
    let fingerprint =
        if kind == Kind::Sqlite { "cast(printf('%032d', v) as blob)" } else { "lpad(v, 32, '0')" };
    let columns = "fingerprint, first_seen, last_seen, accepted, number";
    let devices = format!("{counted} select {fingerprint}, v, v, 1, v from n");
    bed.database.sql(&format!("insert into devices ({columns}) {devices}")).await;
    let columns = "device, passes, trusted";
    let records = format!("{counted} select 2 * v, v % 20, v % 97 = 0 from n");
    bed.database.sql(&format!("insert into records ({columns}) {records}")).await;
    if kind == Kind::MariaDb {
        bed.database.sql("analyze table devices, records, answers").await;
    }
}

async fn ask(bed: &Bed) {
    for (rank, many) in [
        (None, 101),
        (Some(Rank::Newcomer), 101),
        (Some(Rank::Established), 101),
        (Some(Rank::Trusted), KEPT / 97),
    ] {
        let list = DeviceList { rank, from: 1, until: i64::MAX, now: bed.now };
        assert_eq!(bed.store.devices(&list, 101).await.unwrap().len(), many, "{rank:?}");
    }
    assert_eq!(bed.store.standings(&[2, 4, 7], bed.now).await.unwrap().len(), 2, "of 7 nothing is kept");
    let entry = AuditEntry {
        at: bed.now,
        actor: Actor::Local,
        action: Action::DeviceTrusted,
        subject: None,
        project: None,
        place: None,
        outcome: AuditOutcome::Done,
        details: None,
    };
    assert!(bed.store.mark_device(7, Mark::Trusted, &entry).await.unwrap().is_trusted);
}
