//! The pages of people: no list walks a table, or sorts one, however much is kept.

use std::collections::BTreeSet;

use sqlx::mysql::MySqlConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Row};
use weevil_model::{JobId, ProjectId, RunId, RunState, Timestamp};
use weevil_queue::{NewJob, Origin};
use weevil_records::{LogStretch, NameSearch, Order, RunList, VersionMark};

use super::{Ear, TURN, heard, names, sqlite_walks};
use crate::bed::{Bed, worker, workflow};
use crate::databases::Kind;

/// Runs, names and jobs of each sort: as many as a recursion of MariaDB makes.
const KEPT: usize = 1_000;
const TABLES: [&str; 4] = ["jobs", "attempts", "runs", "workflow_names"];

pub(crate) async fn no_list_walks_a_table(kind: Kind) {
    let _turn = TURN.lock().await;
    let _set_by_the_other = tracing::subscriber::set_global_default(Ear);
    let mut bed = Bed::new(kind).await;
    fill(&mut bed, kind).await;
    heard();
    ask(&bed).await;
    let statements = heard();
    let lists =
        statements.iter().filter(|text| TABLES.iter().any(|table| text.contains(&format!("from {table}"))));
    let lists: Vec<&String> = lists.collect();
    assert_eq!(lists.len(), 28, "{statements:#?}");
    for statement in lists {
        let names = names(&TABLES, statement);
        let walks = match bed.database.address.strip_prefix("sqlite:") {
            Some(path) => sqlite_walks(path, statement, &names).await,
            None => mysql_walks(&bed, statement, &names).await,
        };
        assert!(walks.is_empty(), "{walks:?} in the plan of {statement}");
    }
}

async fn fill(bed: &mut Bed, kind: Kind) {
    let hash = format!("x'{}'", workflow().hash);
    let counted = format!("with recursive n(v) as (select 1 union all select v + 1 from n where v < {KEPT})");
    let state = "case when v % 3 = 0 then 'FAILED' else 'FINISHED' end";
    let runs = format!("{counted} select v, {hash}, 'n', 1, {state}, v, v from n");
    let columns = "id, workflow, name, seed, state, created_at, finished_at";
    bed.database.sql(&format!("insert into runs ({columns}) {runs}")).await;
    let (columns, name) = match kind {
        Kind::Sqlite => ("name", "'n' || v"),
        Kind::MariaDb => ("name, identity", "concat('n', v), unhex(sha2(concat('n', v), 256))"),
    };
    let names = format!("{counted} select {name}, {hash}, v from n");
    bed.database.sql(&format!("insert into workflow_names ({columns}, workflow, created_at) {names}")).await;
    for part in 0..KEPT / 500 {
        let jobs: Vec<NewJob> = (0..500).map(|at| bed.job(&format!("{part}/{at}"), 0)).collect();
        bed.put(jobs).await;
        let alone = |job: NewJob| NewJob { origin: Origin::Queue("q".into()), ..job };
        let jobs = (0..500).map(|at| alone(bed.job(&format!("{part}/{at}"), 0))).collect();
        bed.put(jobs).await;
    }
    if kind == Kind::MariaDb {
        bed.database.sql("analyze table jobs, attempts, runs, workflow_names").await;
    }
}

/// One page of each list.
async fn ask(bed: &Bed) {
    let (state, workflow) = (Some(RunState::Failed), Some(workflow().hash));
    let project = Some(ProjectId::DEFAULT);
    for list in [
        RunList::default(),
        RunList { state, ..RunList::default() },
        RunList { workflow, ..RunList::default() },
        RunList { state, workflow, ..RunList::default() },
        RunList { project, ..RunList::default() },
        RunList { project, state, ..RunList::default() },
        RunList { project, workflow, ..RunList::default() },
        RunList { project, state, workflow, ..RunList::default() },
    ] {
        for order in [Order::Newest, Order::Oldest] {
            assert_eq!(bed.store.runs(&RunList { order, ..list }, 101).await.unwrap().len(), 101);
        }
    }
    // The same statements, between two ids.
    let (from, before) = (RunId::from_number(200), RunId::from_number(801));
    for list in [RunList::default(), RunList { project, ..RunList::default() }] {
        let page = bed.store.runs(&RunList { from, before, ..list }, 1_000).await.unwrap();
        assert_eq!(page.len(), 601, "{list:?}");
    }
    let mark = VersionMark {
        created_at: Timestamp(500),
        project: ProjectId::DEFAULT,
        name: "n500".into(),
        hash: workflow.unwrap(),
    };
    assert_eq!(bed.store.workflows(Some(ProjectId::DEFAULT), Some(&mark), 101).await.unwrap().len(), 101);
    let search = NameSearch { begins: "n".into(), after: None };
    for list in [RunList::default(), RunList { project, ..RunList::default() }] {
        assert_eq!(bed.store.runs_named(&list, &search, 101).await.unwrap().len(), 101);
    }
    assert_eq!(bed.store.jobs(bed.run, None, 101).await.unwrap().len(), 101);
    look_back(bed).await;
    for order in [Order::Oldest, Order::Newest] {
        let page = bed.store.queued(ProjectId::DEFAULT, "q", order, None, 101).await.unwrap();
        assert_eq!(page.len(), 101, "{order:?}");
    }
    let [first, last] = [1, i64::MAX].map(|number| JobId::from_number(number).unwrap());
    assert_eq!(bed.store.jobs_among(first..=last, 101).await.unwrap().len(), 101);
}

/// Nothing went wrong, logged anything or was handed out: it is the way to what there is that counts.
async fn look_back(bed: &Bed) {
    let (store, after) = (&bed.store, JobId::from_number(7));
    assert_eq!(store.troubled_jobs(bed.run, after, 101).await.unwrap(), []);
    assert_eq!(store.run_origin(bed.run).await.unwrap().unwrap().given, []);
    assert_eq!(store.troubled_workers(bed.run).await.unwrap(), []);
    let stretch = LogStretch { from: Timestamp(1), until: Timestamp(900), after: None };
    assert_eq!(store.logged(bed.run, &stretch, 101).await.unwrap(), []);
    let span = (Timestamp(1), Timestamp(900));
    assert_eq!(store.done_by(&[worker(7)], span, 101).await.unwrap(), []);
}

/// What is asked for where a statement has a parameter.
fn literal(before: &str, bed: &Bed) -> String {
    let hash = format!("x'{}'", workflow().hash);
    let known = [
        ("project = ", "1".into()),
        ("name_key >= ", "'n'".into()),
        ("name_key < ", "'o'".into()),
        ("name_key > ", "'n'".into()),
        ("troubled_run = ", bed.run.number().to_string()),
        ("logged_at >= ", "1".into()),
        ("logged_at <= ", "900".into()),
        ("logged_at > ", "1".into()),
        ("job > ", "7".into()),
        ("job = ", "7".into()),
        ("number > ", "1".into()),
        ("started_at >= ", "1".into()),
        ("ended_at >= ", "1".into()),
        ("state = ", "'FAILED'".to_owned()),
        ("workflow = ", hash.clone()),
        ("workflow < ", hash),
        ("created_at <= ", "500".into()),
        ("created_at < ", "500".into()),
        ("sha2(", "'n500'".into()),
        ("id >= ", "0".into()),
        ("id < ", i64::MAX.to_string()),
        ("id <= ", i64::MAX.to_string()),
        ("id > ", "-1".into()),
        ("device = ", "7".into()),
        ("device >= ", "0".into()),
        ("device <= ", i64::MAX.to_string()),
        ("number >= ", "0".into()),
        ("fingerprint = ", format!("x'{}'", "07".repeat(32))),
        ("fingerprint <> ", format!("x'{}'", "07".repeat(32))),
        ("held_until > ", "900".into()),
        ("held_until <= ", "900".into()),
        ("worker = ", "7".into()),
        ("started_at <= ", "500".into()),
        ("started_at < ", "500".into()),
        ("a.job < ", "7".into()),
        ("heard_at < ", "100".into()),
        ("heard_at >= ", "100".into()),
        ("offset ", "10".into()),
        ("and (", "'a'".into()),
        ("w.agent), ", "'a'".into()),
        ("w.adapter), ", "'a'".into()),
        ("w.device)), ", "'a'".into()),
        (" w.id = ", "7".into()),
        (" runs where id = ", bed.run.number().to_string()),
        ("number <= ", i64::MAX.to_string()),
        ("standing = ", "1".into()),
        ("json_table(", "'[7]'".into()),
        ("run = ", bed.run.number().to_string()),
        ("queue = ", "'q'".into()),
        ("limit ", "101".into()),
    ];
    let found = known.into_iter().find(|(end, _)| before.ends_with(end));
    found.unwrap_or_else(|| panic!("a parameter behind {before}")).1
}

pub(crate) async fn mysql_walks(bed: &Bed, statement: &str, names: &BTreeSet<String>) -> Vec<String> {
    let mut raw = bed.database.address.parse::<MySqlConnectOptions>().unwrap().connect().await.unwrap();
    let (mut whole, mut rest) = (String::from("explain "), statement);
    while let Some((before, behind)) = rest.split_once('?') {
        whole += before;
        whole += &literal(before, bed);
        rest = behind;
    }
    let steps = sqlx::query(AssertSqlSafe(whole + rest)).fetch_all(&mut raw).await.unwrap();
    let text = |step: &sqlx::mysql::MySqlRow, column| {
        step.try_get_unchecked::<Option<String>, _>(column).unwrap().unwrap_or_default()
    };
    // A page begins behind the one before: with an equality alone it would pass all of those first, and along the primary key
    // all that is in no such list.
    let (marked, narrowed) =
        ([" id < ?", " id > ?"].iter().any(|mark| statement.contains(mark)), statement.contains(" = ?"));
    let walks = |step: &&sqlx::mysql::MySqlRow| {
        let sorts = text(step, "Extra").contains("filesort");
        let (way, key) = (text(step, "type"), text(step, "key"));
        let far = marked && (way == "ref" || (narrowed && key == "PRIMARY"));
        names.contains(&text(step, "table")) && (way == "ALL" || sorts || far)
    };
    steps
        .iter()
        .filter(walks)
        .map(|step| ["table", "type", "key", "Extra"].map(|column| text(step, column)).join(" "))
        .collect()
}
