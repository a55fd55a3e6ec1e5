//! Lists over HTTP and in the console: page by page to the first entry, by what they are asked for, and nothing unknown.

use weevil_api::{RunPage, RunSummary, WorkflowPage};
use weevil_e2e::{Browser, DatabaseKind, TestServer, job_workflow, on_each_database, shipped};

/// Follows `next` to the end; answers the ids. `between` is called after each page.
fn all(server: &TestServer, query: &str, between: impl Fn()) -> Vec<String> {
    let (mut found, mut after) = (Vec::new(), String::new());
    loop {
        let page: RunPage = server.api().json(&format!("/api/v1/runs?{query}{after}"));
        found.extend(page.runs.into_iter().map(|run: RunSummary| run.id));
        let Some(next) = page.next else { return found };
        after = format!("&after={next}");
        between();
    }
}

fn runs_are_found_page_by_page_whatever_comes_meanwhile(kind: DatabaseKind) {
    let server = kind.server();
    let add = shipped("add");
    let mut runs: Vec<String> = (0..5).map(|_| server.api().run(&add)).collect();
    server.api().cancel(&runs[1]);
    server.api().cancel(&runs[3]);
    let other = server.api().run(&job_workflow("function weevil_main() { return 1 }", ""));
    let (oldest, workflow) =
        (server.api().view(&runs[0]).summary, server.api().view(&other).summary.workflow);
    let cancelled = [runs[3].clone(), runs[1].clone()];
    runs.push(other.clone());
    runs.reverse();
    assert_eq!(all(&server, "limit=2", || drop(server.api().run(&add))), runs);
    assert_eq!(all(&server, "state=CANCELLED&limit=1", || ()), cancelled);
    assert_eq!(
        all(&server, "state=CANCELLED&limit=1&sort=created", || ()),
        [cancelled[1].clone(), cancelled[0].clone()]
    );
    let mut by_age = all(&server, "limit=1000", || ());
    by_age.reverse();
    assert_eq!(all(&server, "limit=2&sort=created", || ()), by_age);
    let mut known: Vec<RunSummary> = server.api().json::<RunPage>("/api/v1/runs?limit=1000").runs;
    known.sort_by(|one, two| one.name.cmp(&two.name).then_with(|| two.id.cmp(&one.id)));
    let by_name: Vec<String> = known.into_iter().map(|run| run.id).collect();
    assert_eq!(all(&server, "limit=2&sort=name", || ()), by_name, "of one name the newest is first");
    assert_eq!(all(&server, &format!("workflow={workflow}"), || ()), [other]);
    assert_eq!(
        all(&server, &format!("createdBefore={}", oldest.created_at + 1), || ()).last(),
        Some(&oldest.id)
    );
    assert_eq!(all(&server, &format!("createdBefore={}", oldest.created_at), || ()), [""; 0]);
    let later = all(&server, &format!("limit=1000&createdAfter={}", oldest.created_at), || ());
    assert!(!later.contains(&oldest.id) && later.contains(&runs[0]));
}

fn versions_are_found_page_by_page(kind: DatabaseKind) {
    let server = kind.server();
    for name in ["pi", "of any name: ü-&=", "add"] {
        for value in 0..2 {
            let files = job_workflow(&format!("function weevil_main() {{ return {value} }}"), "");
            let form = weevil_e2e::Form::of(&files).text("name", name);
            assert_eq!(server.api().submit("/api/v1/workflows", &form).status, 201);
        }
    }
    let whole: WorkflowPage = server.api().json("/api/v1/workflows");
    let versions = |page: WorkflowPage| -> Vec<(String, String)> {
        let named = page.workflows.into_iter();
        named.flat_map(|of| of.versions.into_iter().map(move |one| (of.name.clone(), one.workflow))).collect()
    };
    assert_eq!((whole.workflows.len(), whole.next.clone()), (3, None));
    let (mut found, mut after) = (Vec::new(), None::<String>);
    loop {
        let page =
            weevil_api::routes::search(&[("limit", Some(&1)), ("after", after.as_ref().map(|it| it as _))]);
        let page: WorkflowPage = server.api().json(&format!("/api/v1/workflows{page}"));
        after.clone_from(&page.next);
        found.extend(versions(page));
        if after.is_none() {
            break;
        }
    }
    assert_eq!(found, versions(whole));
}

#[test]
fn what_no_list_knows_is_refused() {
    let server = TestServer::start(&[]);
    for query in [
        "runs?colour=red",
        "runs?limit=0",
        "runs?limit=1001",
        "runs?limit=some",
        "runs?limit=1&limit=2",
        "runs?state=LATER",
        "runs?createdAfter=today",
        "runs?after=job_0000000000001",
        "runs?sort=age",
        "runs?sort=created&after=run_0000000000001",
        "runs?sort=-created&after=o.run_0000000000001",
        "runs?sort=name&after=run_0000000000001",
        "jobs?queue=a&sort=name",
        "jobs?queue=a&sort=created&after=job_0000000000001",
        "jobs?q=job_3&sort=created",
        "jobs?queue=a&after=x",
        "jobs?limit=5",
        "workflows?after=pi",
        "workflows?name=pi",
        "queue?x",
        "fleet?x=1",
        "events?since=1",
        "runs/run_0000000000001?x=1",
    ] {
        let (status, problem) = server.api().answer(&format!("/api/v1/{query}")).refusal();
        assert_eq!((status, problem.code.as_str()), (400, "badQuery"), "{query}: {}", problem.detail);
    }
    assert_eq!(server.api().status_of("POST", "/api/v1/queue/pause?x=1"), 400);
    assert_eq!(server.api().answer("/api/v1/runs?workflow=00").refusal().1.code, "badId");
}

/// Runs that ended before the one with the lowest id, a millisecond apart.
const EARLIER: usize = 205;

#[test]
fn the_console_shows_earlier_runs_when_it_is_asked() {
    let mut server = TestServer::start(&[]);
    let run = server.api().run(&shipped("add"));
    server.api().cancel(&run);
    server.kill();
    server.sql(&format!(
        "with recursive n(v) as (select 1 union all select v + 1 from n where v < {EARLIER}) \
         insert into runs (id, workflow, name, seed, state, created_at, finished_at, summary, nodes, node_count) \
         select id - v * 2097152, workflow, name, seed, state, created_at - v, finished_at, summary, nodes, node_count \
         from runs, n"
    ));
    server.restart();
    let browser = Browser::start();
    let console = server.console(&browser, "#/runs");
    // Rows far from what can be seen are counted, and are no elements. The head is one of those that are counted.
    let shown = |count: usize| {
        console.wait_for(&format!("document.querySelector('#runs')?.ariaRowCount === '{}'", count + 1));
    };
    console.wait_for("document.querySelectorAll('#runs [data-run]').length === 200");
    console.click("#earlier-runs");
    shown(EARLIER + 1);
    console.wait_for("!document.querySelector('#earlier-runs')");
    console.keep_picture("console-earlier-runs");
    assert_eq!(console.barriers(), [""; 0]);
    let newest = server.api().run(&shipped("add"));
    shown(EARLIER + 2);
    console.wait_for(&format!("document.querySelector('#runs [data-run]').dataset.run === '{newest}'"));
}

on_each_database!(runs_are_found_page_by_page_whatever_comes_meanwhile, versions_are_found_page_by_page);
