//! The audit over HTTP: it tells of what people do, page by page while more is told, as an export, and as one chain.

use serde_json::Value;
use weevil_api::routes::{Operation, search};
use weevil_api::{AuditPage, AuditRowView};
use weevil_e2e::{Api, DatabaseKind, Form, job_workflow, on_each_database};

fn path(operation: Operation, query: &[(&str, &str)]) -> String {
    let query: Vec<(&str, Option<&dyn std::fmt::Display>)> =
        query.iter().map(|(name, value)| (*name, Some(value as &dyn std::fmt::Display))).collect();
    operation.path(&[]) + &search(&query)
}

fn page(api: &Api, query: &[(&str, &str)]) -> AuditPage {
    api.json(&path(Operation::ListAudit, query))
}

/// The newest first, however many pages that takes; `between` happens after each.
fn rows(api: &Api, query: &[(&str, &str)], mut between: impl FnMut()) -> Vec<AuditRowView> {
    let (mut found, mut after) = (Vec::new(), None::<String>);
    loop {
        let mut asked = query.to_vec();
        asked.extend(after.as_deref().map(|after| ("after", after)));
        let AuditPage { rows, next } = page(api, &asked);
        found.extend(rows);
        let Some(next) = next else { return found };
        after = Some(next);
        between();
    }
}

fn actions(rows: &[AuditRowView]) -> Vec<&str> {
    rows.iter().map(|row| row.action.as_str()).collect()
}

/// A run from its start to its end, and what else people do to work. Answers the run.
fn work(api: &Api) -> String {
    let files = job_workflow("function weevil_main() { return 1 }", "");
    let run = api.run(&files);
    for operation in [Operation::PauseRun, Operation::ResumeRun] {
        assert_eq!(api.status_of("POST", &operation.path(&[&run])), 200);
    }
    api.cancel(&run);
    api.cancel(&run);
    assert_eq!(api.submit(&Operation::KeepWorkflow.path(&[]), &Form::of(&files)).status, 201);
    for operation in [Operation::PauseQueue, Operation::ResumeQueue] {
        assert_eq!(api.status_of("POST", &operation.path(&[])), 200);
    }
    run
}

fn it_tells_of_work_in_pages_and_as_an_export(kind: DatabaseKind) {
    let server = kind.server();
    let api = server.api();
    let run = work(&api);
    let all = rows(&api, &[], || ());
    let told = [
        "queue.resumed",
        "queue.paused",
        "workflow.created",
        "run.cancelled",
        "run.resumed",
        "run.paused",
        "run.created",
    ];
    assert_eq!(actions(&all), told);
    assert!(all.iter().all(|row| row.actor == "local" && row.outcome == "done"));
    assert!(all[3..].iter().all(|row| row.subject.as_deref() == Some(run.as_str())));
    let from = all[4].at.to_string();
    for (query, expected) in [
        ([("action", "run.paused")].as_slice(), told[5..6].to_vec()),
        (&[("actor", "local"), ("action", "run.created")], told[6..].to_vec()),
        (&[("actor", "system")], vec![]),
        (&[("project", "prj_0000000000009")], vec![]),
        (&[("project", "default"), ("action", "run.created")], told[6..].to_vec()),
        (&[("to", "1")], vec![]),
    ] {
        assert_eq!(actions(&rows(&api, query, || ())), expected, "{query:?}");
    }
    let since = rows(&api, &[("from", &from)], || ());
    assert!(since.len() >= 5 && since.iter().all(|row| row.at >= all[4].at), "{since:?}");
    for bad in ["action=run.Created", "actor=root", "project=nobodys", "after=x", "limit=0", "colour=red"] {
        let status = api.status_of("GET", &format!("{}?{bad}", Operation::ListAudit.path(&[])));
        assert_eq!(status, 400, "{bad}");
    }
    // What is told between two pages is on none of them.
    let paged = rows(&api, &[("limit", "2")], || drop(work(&api)));
    assert_eq!(paged, all);
    let exported = api.answer(&path(Operation::ExportAudit, &[]));
    let exported: Vec<AuditRowView> =
        exported.text.lines().map(|line| serde_json::from_str(line).expect("a row in each line")).collect();
    assert_eq!(exported[0].action, "audit.exported");
    assert_eq!(exported, rows(&api, &[("limit", "1000")], || ()));
    let cancelled = api.answer(&path(Operation::ExportAudit, &[("action", "run.cancelled")]));
    assert_eq!(cancelled.text.lines().count(), 4, "a run's, and that of each pause between pages");
    let verified = server.beside(&["audit", "verify"]);
    assert!(verified.status.success(), "{verified:?}");
}

/// Jobs are told once a minute, and at an orderly end.
fn jobs_are_told_as_sums(kind: DatabaseKind) {
    let mut server = kind.server();
    let job = serde_json::json!({ "source": "function weevil_main() { return 1 }" });
    server.api().put_job(&job);
    server.api().put_jobs(&[job.clone(), job]);
    server.terminate();
    assert!(server.await_death().success());
    server.restart();
    let found = rows(&server.api(), &[("action", "jobs.submitted")], || ());
    let details = found.iter().map(|row| row.details.as_deref().unwrap_or_default());
    let sums: Vec<Value> = details.map(|details| serde_json::from_str(details).expect("JSON")).collect();
    let sum = |name: &str| sums.iter().filter_map(|sum| sum[name].as_u64()).sum::<u64>();
    assert_eq!((sum("requests"), sum("jobs")), (2, 3), "{found:?}");
}

/// An export that breaks off ends without the piece of no bytes that ends a whole one (RFC 9112, section 7.1).
#[test]
fn an_export_that_breaks_off_is_not_taken_for_the_whole() {
    let server = DatabaseKind::Sqlite.server();
    server.api().status_of("POST", &Operation::PauseQueue.path(&[]));
    // More than are read at a time.
    server.sql(
        "insert into audit (id, written_at, actor, action, outcome, previous, hash)
         with recursive n (i) as (values (1) union all select i + 1 from n where i < 300)
         select 1000 + i, 1, 'system', 'queue.paused', 'done', zeroblob(32), zeroblob(32) from n;",
    );
    let export = || {
        let owner = server.owner();
        let mut line = owner.connect();
        line.send(&owner.head("GET", &Operation::ExportAudit.path(&[]), &[]));
        let head = line.take_until(b"\r\n\r\n").expect("a head");
        assert!(head.starts_with(b"HTTP/1.1 200 "), "it has begun");
        line.take_until(b"\n").expect("a row");
        line.take_until(b"\r\n0\r\n\r\n").is_some()
    };
    assert!(export(), "whole");
    server.sql("update audit set hash = x'00' where id = 1;");
    assert!(!export(), "the oldest row cannot be read");
}

on_each_database! {
    it_tells_of_work_in_pages_and_as_an_export,
    jobs_are_told_as_sums,
}
