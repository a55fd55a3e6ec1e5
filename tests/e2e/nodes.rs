//! The nodes of runs over HTTP: beyond the first thousand, by what they are asked for, one by one, and as octets; of a run that
//! goes on, that has ended, and that an earlier release has ended.

use weevil_api::routes::Operation;
use weevil_api::{NodeDetail, NodePage, NodeRow, ProfileView, RunView};
use weevil_e2e::{
    Answer, DatabaseKind, FakeWorker, TestServer, answer_all, job_workflow, layered, number,
    on_each_database, pool_workflow, thrown,
};
use weevil_model::limits::MAX_SHOWN_NODES;
use weevil_model::{NodeKind, NodeState};

fn page(server: &TestServer, run: &str, search: &str) -> NodePage {
    server.api().json(&format!("{}?{search}", Operation::RunNodes.path(&[&run])))
}

fn detail(server: &TestServer, run: &str, node: &str) -> NodeDetail {
    server.api().json(&Operation::ShowNode.path(&[&run, &node]))
}

fn octets(server: &TestServer, run: &str) -> Vec<u8> {
    let mut answer = server.api().get(&Operation::NodeStates.path(&[&run]));
    answer.body_mut().read_to_vec().expect("a body")
}

fn refusal(answer: &Answer) -> (u16, String) {
    let (status, problem) = answer.refusal();
    (status, problem.code)
}

/// Follows `next` to the end.
fn all(server: &TestServer, run: &str, search: &str) -> Vec<NodeRow> {
    let (mut found, mut after) = (Vec::new(), String::new());
    loop {
        let NodePage { nodes, count, next } = page(server, run, &format!("{search}{after}"));
        found.extend(nodes);
        let Some(next) = next else {
            assert_eq!(found.len(), count as usize, "{search}");
            return found;
        };
        after = format!("&after={next}");
    }
}

fn every_node_of_a_large_run_is_found(kind: DatabaseKind) {
    let server = kind.server();
    let run = server.api().run(&layered(3, 500, 7));
    let view = server.api().await_run(&run, |run| run.summary.progress.queued == 500);
    assert_eq!((view.nodes.len(), view.node_count), (MAX_SHOWN_NODES, 1_501));
    let rows = all(&server, &run, "limit=1000");
    let places: Vec<usize> = rows.iter().map(|row| row.place as usize).collect();
    assert_eq!(places, (0..1_501).collect::<Vec<_>>());
    assert_eq!((rows[1_500].id.as_str(), rows[1_500].state), ("last", Some(NodeState::ParamNotFulfilled)));
    let states: Vec<u8> = rows.iter().map(|row| row.state.expect("a state").code()).collect();
    assert_eq!(octets(&server, &run), states);
    for (search, count) in [
        ("kind=value&limit=7", 500),
        ("state=ENQUEUED", 500),
        ("state=FAILED", 0),
        ("q=N1_4", 111),
        ("q=n1_4&state=ENQUEUED&kind=job&limit=100", 111),
        ("q=last", 1),
    ] {
        assert_eq!(all(&server, &run, search).len(), count, "{search}");
    }
    let ids =
        |search: &str| -> Vec<String> { all(&server, &run, search).into_iter().map(|row| row.id).collect() };
    let mut expected = ids("limit=1000");
    expected.reverse();
    assert_eq!(ids("sort=-place&limit=400"), expected);
    expected.sort_unstable();
    assert_eq!(ids("sort=id&limit=400"), expected);
    expected.reverse();
    assert_eq!(ids("sort=-id&limit=1000"), expected);
    for (search, code) in [
        ("sort=state", "badQuery"),
        ("sort=id&after=place.last", "badQuery"),
        ("state=ASLEEP", "badQuery"),
        ("after=nobody", "badQuery"),
        ("colour=red", "badQuery"),
        ("limit=0", "badQuery"),
    ] {
        let answer = server.api().answer(&format!("{}?{search}", Operation::RunNodes.path(&[&run])));
        assert_eq!(refusal(&answer), (400, code.to_owned()), "{search}");
    }
    let long = format!("{}?q={}", Operation::RunNodes.path(&[&run]), "q".repeat(201));
    assert_eq!(refusal(&server.api().answer(&long)), (400, "badQuery".to_owned()));
    server.api().cancel(&run);
    let ended: Vec<NodeState> = all(&server, &run, "limit=1000").iter().filter_map(|row| row.state).collect();
    assert_eq!(ended.len(), 1_501);
    assert!(ended.iter().all(|state| state.is_terminal()), "{ended:?}");
    assert_eq!(octets(&server, &run), ended.iter().map(|state| state.code()).collect::<Vec<_>>());
}

fn a_node_tells_what_comes_in_and_what_is_computed(kind: DatabaseKind) {
    let server = kind.server();
    let code = "function weevil_main(n) { return n }";
    let run = server.api().run(&pool_workflow("[1,2,3]", code, "function weevil_main(all) { return 6 }"));
    server.api().await_run(&run, |run| run.summary.progress.queued == 3);
    let waiting = detail(&server, &run, "pool");
    assert_eq!(
        (waiting.node.kind, waiting.is_final, waiting.node.jobs.expect("a pool").queued),
        (NodeKind::Pool, true, 3)
    );
    assert_eq!(waiting.work[1].job, None, "its reducer waits for the others");
    let worker = FakeWorker::join(&server.address, 4);
    let working = std::thread::spawn(move || answer_all(worker));
    server.api().await_end(&run);
    let pool = detail(&server, &run, "pool");
    assert_eq!((pool.node.state, pool.node.jobs.expect("a pool").done), (Some(NodeState::Finished), 4));
    let port = &pool.ports[0];
    assert_eq!((port.id.as_str(), port.data_type.as_str(), port.source_count), ("all", "Array", 1));
    assert_eq!(port.sources, ["input"]);
    let work: Vec<_> =
        pool.work.iter().map(|work| (work.id.as_str(), work.kind, work.source.as_str())).collect();
    assert_eq!(work, [("each", NodeKind::Processor, "Each.js"), ("sum", NodeKind::Reducer, "Sum.js")]);
    let job = pool.work[1].job.as_deref().expect("the reducer's job");
    assert!(
        server
            .api()
            .await_history(job, |job| job.run.as_deref() == Some(&*run))
            .job
            .path
            .ends_with("pool/sum")
    );
    let value = detail(&server, &run, "input");
    assert_eq!(
        (value.targets, value.target_count, value.ports, value.work),
        (vec!["pool".to_owned()], 1, vec![], vec![])
    );
    for (node, status, code) in [("each", 404, "noSuchNode"), ("%3Cb%3E", 404, "noSuchNode")] {
        let answer = server.api().answer(&format!("{}/{node}", Operation::RunNodes.path(&[&run])));
        assert_eq!(refusal(&answer), (status, code.to_owned()), "{node}");
    }
    drop(server);
    working.join().expect("a worker that ends with its server");
}

fn profile(server: &TestServer, run: &str) -> ProfileView {
    server.api().json(&Operation::RunProfile.path(&[&run]))
}

fn sums(profile: &ProfileView) -> (u32, u32) {
    (profile.jobs.iter().sum(), profile.errors.iter().sum())
}

/// The same while it goes on, after a restart, which makes it anew, and once it has ended.
fn what_a_run_computed_over_time_survives_a_restart(kind: DatabaseKind) {
    let mut server = kind.server();
    let code = "function weevil_main(n) { return n }";
    let run = server.api().run(&pool_workflow("[1,2,3]", code, "function weevil_main(all) { return 6 }"));
    let mut worker = FakeWorker::join(&server.address, 3);
    let keys: Vec<_> = worker.jobs_until(3).into_iter().map(|job| job.key).collect();
    worker.report(vec![(keys[0], number(1.0)), (keys[1], number(1.0)), (keys[2], thrown("once"))]);
    let path = Operation::RunProfile.path(&[&run]);
    let live = server.api().await_json(&path, |profile: &ProfileView| sums(profile) == (2, 1));
    assert_eq!((live.lanes.len(), live.rest.len(), live.width_ms), (1, 0, 250));
    drop(worker);
    server.kill();
    server.restart();
    server.api().await_run(&run, |run| run.summary.progress.total > 0);
    let again = server.api().await_json(&path, |profile: &ProfileView| sums(profile) == (2, 1));
    assert_eq!(again, live);
    let worker = FakeWorker::join(&server.address, 4);
    let working = std::thread::spawn(move || answer_all(worker));
    server.api().await_end(&run);
    assert_eq!(sums(&profile(&server, &run)), (4, 1));
    server.sql("update runs set profile = null");
    assert_eq!(refusal(&server.api().answer(&path)), (404, "noProfile".to_owned()));
    drop(server);
    working.join().expect("a worker that ends with its server");
}

/// Its states are in its facts alone, as far as these go.
fn a_run_of_an_earlier_release_tells_the_nodes_that_it_kept(kind: DatabaseKind) {
    let server = kind.server();
    let run = server.api().run(&job_workflow("function weevil_main() { return 1 }", ""));
    let mut worker = FakeWorker::join(&server.address, 1);
    let key = worker.job().key;
    worker.report(vec![(key, number(1.0))]);
    let RunView { nodes, .. } = server.api().await_end(&run);
    server.sql("update runs set states = null");
    let kept = all(&server, &run, "");
    assert_eq!(kept.iter().map(|row| row.state).collect::<Vec<_>>(), [Some(nodes[0].state)]);
    assert_eq!(octets(&server, &run), [NodeState::Finished.code()]);
}

on_each_database!(
    every_node_of_a_large_run_is_found,
    a_node_tells_what_comes_in_and_what_is_computed,
    what_a_run_computed_over_time_survives_a_restart,
    a_run_of_an_earlier_release_tells_the_nodes_that_it_kept,
);
