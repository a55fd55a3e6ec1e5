//! The walls between projects: every thing of one project, asked for by an admin of another, is not there; a viewer of its own reads it,
//! and may do nothing to it.

use serde_json::{Value, json};
use weevil_api::routes::{Access, Operation};
use weevil_api::{JobKept, QueueView, RunCreated, WorkerAttemptPage, WorkflowKept};
use weevil_e2e::hostile::{Line, Reply, Stranger};
use weevil_e2e::{
    DatabaseKind, FakeWorker, Form, TestServer, job_workflow, number, on_each_database, pool_workflow,
};
use weevil_model::{ContentHash, Right, Role};

use super::people::{accept, halves, invite, make_member, make_project, send};
use super::quotas::await_gone;

const CODE: &str = "function weevil_main() { return 1 }";
const EACH: &str = "function weevil_main(n) { return n }";
const SUM: &str = "function weevil_main(all) { return 1 }";

/// The one of `job_workflow`.
const NODE: &str = "only";

/// What is asked of a single thing: by which operation, and what somebody is told who may not read it.
const THINGS: [(Operation, &str); 27] = [
    (Operation::ShowRun, "noSuchRun"),
    (Operation::RunResult, "noSuchRun"),
    (Operation::NodeValue, "noSuchRun"),
    (Operation::RunCertificate, "noSuchRun"),
    (Operation::CancelRun, "noSuchRun"),
    (Operation::RunJobs, "noSuchRun"),
    (Operation::RunLog, "noSuchRun"),
    (Operation::RunTimeline, "noSuchRun"),
    (Operation::RunNodes, "noSuchRun"),
    (Operation::ShowNode, "noSuchRun"),
    (Operation::ExplainNode, "noSuchRun"),
    (Operation::ExplainRun, "noSuchRun"),
    (Operation::NodeStates, "noSuchRun"),
    (Operation::RunOrigin, "noSuchRun"),
    (Operation::RunProfile, "noSuchRun"),
    (Operation::PauseRun, "noSuchRun"),
    (Operation::ResumeRun, "noSuchRun"),
    (Operation::RunEvents, "noSuchRun"),
    (Operation::ShowJob, "noSuchJob"),
    (Operation::ExplainJob, "noSuchJob"),
    (Operation::JobResult, "noSuchJob"),
    (Operation::JobInput, "noSuchJob"),
    (Operation::JobCertificate, "noSuchJob"),
    (Operation::CancelJob, "noSuchJob"),
    (Operation::ShowWorkflow, "noSuchWorkflow"),
    (Operation::ShowGraph, "noSuchWorkflow"),
    (Operation::RemoveWorkflow, "noSuchWorkflow"),
];

/// What is asked in a project that the address names.
const COLLECTIONS: [Operation; 8] = [
    Operation::CreateRun,
    Operation::ListRuns,
    Operation::SubmitJobs,
    Operation::ListJobs,
    Operation::ResumeCode,
    Operation::KeepWorkflow,
    Operation::ListWorkflows,
    Operation::Events,
];

/// What all projects share.
const SHARED: [Operation; 12] = [
    Operation::ShowQueue,
    Operation::QueueClasses,
    Operation::QueueNames,
    Operation::ShowSeries,
    Operation::ListExamples,
    Operation::ShowFleet,
    Operation::ListWorkers,
    Operation::ShowWorker,
    Operation::WorkerAttempts,
    Operation::ExplainWorker,
    Operation::ListDevices,
    Operation::ShowDevice,
];

#[test]
fn every_row_with_a_right_that_a_role_brings_stands_here() {
    let mut known: Vec<Operation> = THINGS.iter().map(|(operation, _)| *operation).collect();
    known.extend(COLLECTIONS.into_iter().chain(SHARED));
    for operation in Operation::ALL {
        let demanded = match operation.row().access {
            // Their path names the project (`projects.rs`).
            Access::Right(Right::ProjectRead | Right::ProjectManage) => false,
            Access::Right(right) => right.least_role().is_some(),
            _ => false,
        };
        assert_eq!(known.contains(&operation), demanded, "{operation:?}");
    }
}

fn told(reply: &Reply) -> (u16, String) {
    let code = if reply.status < 400 { String::new() } else { reply.code() };
    (reply.status, code)
}

fn refused(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

/// What reads a thing answers of one of which nothing was judged.
fn read(operation: Operation) -> (u16, String) {
    match operation {
        Operation::RunCertificate | Operation::JobCertificate => refused(404, "noCertificate"),
        _ => (200, String::new()),
    }
}

fn member(server: &TestServer, number: u8, name: &str, project: i64, role: Role) -> Stranger {
    let halves = halves(&accept(&server.stranger(), &invite(server, number, false), name));
    make_member(server, project, name, role);
    halves.stranger(server)
}

fn ask(stranger: &Stranger, operation: Operation, path: &str) -> Reply {
    stranger.ask(operation.row().method.as_str(), path, &[], b"")
}

/// A node is looked for in a run.
fn path_of(operation: Operation, id: &str) -> String {
    match operation.row().parts().count() {
        2 => operation.path(&[&id, &NODE]),
        _ => operation.path(&[&id]),
    }
}

fn run(stranger: &Stranger, name: &str) -> RunCreated {
    let form = Form::of(&job_workflow(CODE, "")).bytes();
    let path = format!("{}?name={name}", Operation::CreateRun.path(&[]));
    let made = stranger.post(&path, &Form::content_type(), &form);
    assert_eq!(made.status, 201, "{}", made.text());
    serde_json::from_slice(&made.body).expect("a run")
}

fn job(stranger: &Stranger, asked: &serde_json::Value) -> JobKept {
    let made = send(stranger, Operation::SubmitJobs, asked);
    assert_eq!(made.status, 201, "{}", made.text());
    serde_json::from_slice(&made.body).expect("a job")
}

fn what_another_project_has_is_not_there(kind: DatabaseKind) {
    let server = kind.server();
    make_project(&server, 2, "ants");
    make_project(&server, 3, "bees");
    let ant = member(&server, 1, "ant", 2, Role::Researcher);
    let guest = member(&server, 2, "guest", 2, Role::Viewer);
    let bee = member(&server, 3, "bee", 3, Role::ProjectAdmin);
    let RunCreated { run: first, workflow, .. } = run(&ant, "march");
    let keyed = json!({ "queue": "q", "key": "k", "source": CODE });
    let kept = job(&ant, &keyed);
    for (operation, code) in THINGS {
        let id = match code {
            "noSuchRun" => &first,
            "noSuchJob" => &kept.job,
            _ => &workflow,
        };
        let path = path_of(operation, id);
        assert_eq!(told(&ask(&bee, operation, &path)), refused(404, code), "{operation:?}");
        let reads = operation.row().method.as_str() == "GET";
        if !reads {
            assert_eq!(told(&ask(&guest, operation, &path)), refused(403, "notAllowed"), "{operation:?}");
        } else if operation != Operation::RunEvents {
            assert_eq!(told(&ask(&guest, operation, &path)), read(operation), "{operation:?}");
        }
    }
    for operation in COLLECTIONS {
        let asked = ask(&bee, operation, &inside(operation, "project=ants"));
        assert_eq!(told(&asked), refused(404, "noSuchProject"), "{operation:?}");
    }
    let all = bee.get(&format!("{}?project=*", Operation::ListRuns.path(&[])));
    assert_eq!(told(&all), refused(403, "notAllowed"));
    // A hash opens nothing either.
    let code = ContentHash::of(CODE.as_bytes()).to_string();
    let by_hash = send(&bee, Operation::SubmitJobs, &json!({ "code": code }));
    assert_eq!(told(&by_hash), refused(404, "noSuchBlob"));
    let again = format!("{}?workflow={workflow}", Operation::CreateRun.path(&[]));
    assert_eq!(told(&ask(&bee, Operation::CreateRun, &again)), refused(404, "noSuchWorkflow"));
    // The same queue and key are another job, the same files under another name this project's own.
    let own = job(&bee, &keyed);
    assert!(own.created && own.job != kept.job, "{own:?}");
    let second = run(&bee, "waggle");
    let shown = |stranger: &Stranger| {
        ask(stranger, Operation::ShowWorkflow, &Operation::ShowWorkflow.path(&[&workflow]))
    };
    assert_eq!(second.workflow, workflow);
    assert!(shown(&ant).text().contains("march") && !shown(&bee).text().contains("march"));
    for (stranger, own, other) in [(&ant, &first, &second.run), (&bee, &second.run, &first)] {
        let runs = stranger.get(&Operation::ListRuns.path(&[])).text();
        assert!(runs.contains(own.as_str()) && !runs.contains(other.as_str()), "{runs}");
    }
}

/// Two projects, and who has work computed in each.
fn two_projects(server: &TestServer) -> [Stranger; 2] {
    make_project(server, 2, "ants");
    make_project(server, 3, "bees");
    [member(server, 1, "ant", 2, Role::Researcher), member(server, 2, "bee", 3, Role::Researcher)]
}

/// An event stream from its head on.
fn stream(stranger: &Stranger, search: &str) -> Line {
    let mut line = stranger.connect();
    let path = Operation::Events.path(&[]) + search;
    assert!(line.send(&stranger.head("GET", &path, &[])));
    let head = line.take_until(b"\r\n\r\n").expect("a head");
    assert!(head.starts_with(b"HTTP/1.1 200 "), "{}", String::from_utf8_lossy(&head));
    line
}

/// What a stream tells until a list of runs has this one, that list included.
fn told_until(line: &mut Line, run: &str) -> String {
    let mut told = String::new();
    while !told.contains(run) {
        let event = line.take_until(b"\n\n").expect("the stream goes on");
        told += &String::from_utf8_lossy(&event);
    }
    told
}

fn events_stay_in_their_project(kind: DatabaseKind) {
    let server = kind.server();
    let [ant, bee] = two_projects(&server);
    for [home, bees, all] in [
        ["", "?project=bees", "?project=*"],
        ["?topics=overview", "?topics=overview:bees", "?topics=overview:*"],
    ] {
        let mut streams = [stream(&ant, home), stream(&bee, bees), stream(&server.owner(), home)];
        let mut everywhere = stream(&server.owner(), all);
        // Each stream has to tell of the second run of its own, before which there were all first ones.
        let [first, second] =
            [(); 2].map(|()| [&ant, &bee, &server.owner()].map(|stranger| run(stranger, "x").run));
        for (own, line) in streams.iter_mut().enumerate() {
            let told = told_until(line, &second[own]);
            for (of, run) in first.iter().enumerate().filter(|(of, _)| *of != own) {
                assert!(!told.contains(run.as_str()), "stream {own} tells of a run of {of}: {told}");
            }
            assert!(told.contains(&first[own]), "{told}");
        }
        let told = second.iter().fold(String::new(), |told, run| {
            if told.contains(run.as_str()) { told } else { told + &told_until(&mut everywhere, run) }
        });
        assert!(first.iter().chain(&second).all(|run| told.contains(run.as_str())), "{told}");
    }
}

fn topics_of_another_project_are_not_there(kind: DatabaseKind) {
    let server = kind.server();
    let [ant, bee] = two_projects(&server);
    let [own, other] = [&ant, &bee].map(|stranger| run(stranger, "x").run);
    for (topics, status, code) in [
        (format!("overview,overview:ants,run:{own},workers,queue"), 200, ""),
        ("overview:bees".to_owned(), 404, "noSuchProject"),
        ("overview:nowhere".to_owned(), 404, "noSuchProject"),
        ("overview:*".to_owned(), 403, "notAllowed"),
        (format!("overview,run:{other}"), 404, "noSuchRun"),
        ("run:run_0000000000001".to_owned(), 404, "noSuchRun"),
    ] {
        let path = format!("{}?topics={topics}", Operation::Events.path(&[]));
        if status == 200 {
            told_until(&mut stream(&ant, &format!("?topics={topics}")), &own);
            continue;
        }
        let reply = ant.get(&path);
        assert_eq!((reply.status, reply.code().as_str()), (status, code), "{topics}: {}", reply.text());
    }
}

fn page(stranger: &Stranger, path: &str) -> (String, Option<String>) {
    let reply = stranger.get(path);
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    let page: Value = serde_json::from_slice(&reply.body).expect("a page");
    (reply.text(), page["next"].as_str().map(str::to_owned))
}

fn marks_of_one_project_open_nothing_in_another(kind: DatabaseKind) {
    let server = kind.server();
    let [ant, bee] = two_projects(&server);
    let mut made = [const { Vec::new() }; 2];
    for turn in 0..3 {
        for ((whose, stranger), ids) in ["ant", "bee"].iter().zip([&ant, &bee]).zip(&mut made) {
            let name = format!("{whose}-{turn}");
            let kept = job(stranger, &json!({ "queue": "q", "key": name, "source": CODE }));
            ids.push([run(stranger, &name).run, kept.job, name]);
        }
    }
    let alike = format!("limit=1&q={}", &made[0][0][1][..5]);
    for (part, operation, search) in [
        (0, Operation::ListRuns, "limit=1"),
        (1, Operation::ListJobs, "limit=1&queue=q"),
        (1, Operation::ListJobs, &alike),
        (2, Operation::ListWorkflows, "limit=1"),
    ] {
        let path = format!("{}?{search}", operation.path(&[]));
        for (stranger, neighbour, own, other) in
            [(&ant, &bee, &made[0], &made[1]), (&bee, &ant, &made[1], &made[0])]
        {
            let (mut seen, mut crossed, mut mark) = (String::new(), 0, Some(String::new()));
            while let Some(after) = mark {
                let after = if after.is_empty() { after } else { format!("&after={after}") };
                let (across, _) = page(neighbour, &format!("{path}{after}"));
                assert!(own.iter().all(|ids| !across.contains(&ids[part])), "{operation:?}: {across}");
                crossed += other.iter().filter(|ids| across.contains(&ids[part])).count();
                let (text, next) = page(stranger, &format!("{path}{after}"));
                (seen, mark) = (seen + &text, next);
            }
            assert!(own.iter().all(|ids| seen.contains(&ids[part])), "{operation:?}: {seen}");
            assert!(other.iter().all(|ids| !seen.contains(&ids[part])), "{operation:?}: {seen}");
            assert!(crossed > 1, "{operation:?}: a mark is a place in one's own list");
        }
    }
}

fn a_stored_result_is_taken_in_its_own_project_alone(kind: DatabaseKind) {
    let server = kind.server();
    let [ant, bee] = two_projects(&server);
    let form = Form::of(&job_workflow(CODE, "")).text("reuse", "always").bytes();
    for (who, stranger, answer, computed) in [
        ("the first", &ant, 10, true),
        ("its neighbour", &ant, 10, false),
        ("another project", &bee, 11, true),
        ("once it has its own", &bee, 11, false),
        ("each its own", &ant, 10, false),
    ] {
        let made = stranger.post(&Operation::CreateRun.path(&[]), &Form::content_type(), &form);
        assert_eq!(made.status, 201, "{}", made.text());
        let RunCreated { run, .. } = serde_json::from_slice(&made.body).expect("a run");
        if computed {
            let mut worker = FakeWorker::join(&server.address, 1);
            let held = worker.job();
            worker.capacity = 0;
            worker.report(vec![(held.key, number(f64::from(answer)))]);
        }
        let view = server.api().await_end(&run);
        let counts = (u32::from(computed), u32::from(!computed));
        assert_eq!((view.stats.jobs, view.stats.reused), counts, "{who}");
        assert_eq!(view.result, Some(answer.into()), "{who}");
    }
}

fn status(stranger: &Stranger, path: &str) -> u16 {
    stranger.get(path).status
}

fn a_file_that_is_no_code_is_shown_to_who_may_read_it(kind: DatabaseKind) {
    let mut server = kind.server_with(&["--public-listen", "127.0.0.1:0"]);
    let public = Stranger::of(&server.public_address());
    let [ant, bee] = two_projects(&server);
    let viewer = member(&server, 3, "viewer", 2, Role::Viewer);
    let keep = |stranger: &Stranger| {
        let form = Form::of(&pool_workflow("[1,2,3]", EACH, SUM)).bytes();
        let kept = stranger.post(&Operation::KeepWorkflow.path(&[]), &Form::content_type(), &form);
        assert_eq!(kept.status, 201, "{}", kept.text());
        serde_json::from_slice::<WorkflowKept>(&kept.body).expect("a workflow").workflow
    };
    let workflow = keep(&ant);
    let blob = |text: &str| Operation::Blob.path(&[&ContentHash::of(text.as_bytes())]);
    let (data, code) = (blob("[1,2,3]"), blob(EACH));
    let nobody = server.stranger();
    let find = || [&ant, &viewer, &server.owner(), &bee, &nobody, &public].map(|who| status(who, &data));
    assert_eq!(find(), [200, 200, 200, 404, 404, 404]);
    assert_eq!([&ant, &bee, &nobody, &public].map(|who| status(who, &code)), [200; 4]);
    // Who has the same bytes may read them, and goes on to where another has taken them out.
    assert_eq!(keep(&bee), workflow);
    assert_eq!(find(), [200, 200, 200, 200, 404, 404]);
    assert_eq!(told(&remove(&ant, &workflow)), (204, String::new()));
    assert_eq!(find(), [404, 404, 200, 200, 404, 404]);
}

fn remove(stranger: &Stranger, workflow: &str) -> Reply {
    ask(stranger, Operation::RemoveWorkflow, &Operation::RemoveWorkflow.path(&[&workflow]))
}

fn a_workflow_is_taken_out_of_one_project_once_no_run_of_it_is_kept(kind: DatabaseKind) {
    let server = kind.server_with(&["--retention-seconds", "1"]);
    let [ant, bee] = two_projects(&server);
    let RunCreated { run: first, workflow, .. } = run(&ant, "march");
    assert_eq!(run(&bee, "waggle").workflow, workflow);
    let show =
        |stranger| told(&ask(stranger, Operation::ShowWorkflow, &Operation::ShowWorkflow.path(&[&workflow])));
    assert_eq!(told(&remove(&ant, &workflow)), refused(409, "workflowInUse"));
    assert_eq!(show(&ant).0, 200);
    server.api().cancel(&first);
    await_gone(&server, &Operation::ShowRun.path(&[&first]));
    assert_eq!(
        told(&remove(&ant, &workflow)),
        (204, String::new()),
        "a run of another project is in nobody's way"
    );
    assert_eq!(told(&remove(&ant, &workflow)), refused(404, "noSuchWorkflow"));
    assert_eq!(show(&ant), refused(404, "noSuchWorkflow"));
    let again = format!("{}?workflow={workflow}", Operation::CreateRun.path(&[]));
    assert_eq!(told(&ask(&ant, Operation::CreateRun, &again)), refused(404, "noSuchWorkflow"));
    assert_eq!(show(&bee).0, 200);
    assert_eq!(told(&remove(&bee, &workflow)), refused(409, "workflowInUse"));
    assert_eq!(told(&ask(&bee, Operation::CreateRun, &again)), (201, String::new()));
    run(&ant, "march");
    assert_eq!(show(&ant).0, 200, "it comes back as any other");
    let (healthy, said) = server.check_database();
    assert!(healthy, "{said}");
}

/// The address of a collection, of one queue where it is of one.
fn inside(operation: Operation, search: &str) -> String {
    let (path, queue) = match operation {
        Operation::ResumeCode => (operation.path(&[&ContentHash::of(b"")]), "&queue=q"),
        Operation::ListJobs => (operation.path(&[]), "&queue=q"),
        _ => (operation.path(&[]), ""),
    };
    format!("{path}?{search}{queue}")
}

/// Puts a run, a job or a workflow into a project, or asks for a list of it.
fn in_project(stranger: &Stranger, operation: Operation, search: &str) -> (u16, String) {
    let path = inside(operation, search);
    match operation {
        Operation::SubmitJobs => {
            told(&stranger.post(&path, "application/json", json!({ "source": CODE }).to_string().as_bytes()))
        }
        Operation::CreateRun | Operation::KeepWorkflow => {
            let form = Form::of(&job_workflow(CODE, "")).bytes();
            told(&stranger.post(&path, &Form::content_type(), &form))
        }
        Operation::Events => {
            let mut line = stranger.connect();
            assert!(line.send(&stranger.head("GET", &path, &[])));
            let head = line.take_until(b"\r\n\r\n").expect("a head");
            if head.starts_with(b"HTTP/1.1 200 ") { (200, String::new()) } else { told(&stranger.get(&path)) }
        }
        Operation::ResumeCode => told(&stranger.post(&path, "", b"")),
        _ => told(&stranger.get(&path)),
    }
}

/// Names of queues, and the code that others let go.
fn codes_that_are_stopped_are_told_inside_their_project(kind: DatabaseKind) {
    let server = kind.server();
    let [ant, bee] = two_projects(&server);
    server.sql(&format!("insert into stopped_codes values (2, 'q', x'{}', 1, 1)", ContentHash::of(b"")));
    let told = |stranger: &Stranger| {
        let view = stranger.get(&Operation::ShowQueue.path(&[])).body;
        serde_json::from_slice::<QueueView>(&view).expect("a queue").stopped.len()
    };
    assert_eq!((told(&ant), told(&bee)), (1, 0));
    assert_eq!(in_project(&bee, Operation::ResumeCode, "project=bees"), (200, String::new()));
    assert_eq!((told(&ant), told(&bee)), (1, 0), "it was not of that project");
    assert_eq!(in_project(&ant, Operation::ResumeCode, "project=ants"), (200, String::new()));
    assert_eq!(told(&ant), 0);
}

fn who_is_in_several_projects_says_which(kind: DatabaseKind) {
    let server = kind.server();
    two_projects(&server);
    let both = member(&server, 3, "both", 2, Role::Researcher);
    make_member(&server, 3, "both", Role::Researcher);
    let which = refused(400, "whichProject");
    for operation in COLLECTIONS {
        let makes = operation.row().method.as_str() != "GET" && operation != Operation::ResumeCode;
        let made = if makes { 201 } else { 200 };
        assert_eq!(in_project(&both, operation, ""), which, "{operation:?}");
        for project in ["ants", "bees"] {
            let named = in_project(&both, operation, &format!("project={project}"));
            assert_eq!(named, (made, String::new()), "{operation:?} in {project}");
        }
        assert_eq!(in_project(&both, operation, "project=default"), refused(404, "noSuchProject"));
    }
    let choices = both.get(&Operation::ListRuns.path(&[]));
    assert!(choices.text().contains("ants, bees"), "{}", choices.text());
    let workflow = ContentHash::of(b"any").to_string();
    assert_eq!(told(&remove(&both, &workflow)), which);
    // A part of the form says so as well.
    let form = Form::of(&job_workflow(CODE, "")).text("project", "bees").bytes();
    for operation in [Operation::CreateRun, Operation::KeepWorkflow] {
        let made = both.post(&operation.path(&[]), &Form::content_type(), &form);
        assert_eq!(told(&made), (201, String::new()), "{operation:?}");
    }
    // `default` is meant where one belongs to it.
    let all = member(&server, 4, "all", 1, Role::Viewer);
    make_member(&server, 2, "all", Role::Researcher);
    for operation in COLLECTIONS {
        let reads = operation.row().method.as_str() == "GET";
        let expected = if reads { (200, String::new()) } else { refused(403, "notAllowed") };
        assert_eq!(in_project(&all, operation, ""), expected, "{operation:?}");
    }
}

fn an_archived_project_is_read_and_takes_nothing_new(kind: DatabaseKind) {
    let server = kind.server();
    let [ant, bee] = two_projects(&server);
    let RunCreated { run: first, workflow, .. } = run(&ant, "march");
    let kept = job(&ant, &json!({ "queue": "q", "key": "k", "source": CODE }));
    let owner = server.owner();
    let archive = |operation: Operation| ask(&owner, operation, &operation.path(&[&"ants"])).status;
    assert_eq!(archive(Operation::ArchiveProject), 200);
    let news = [Operation::CreateRun, Operation::SubmitJobs, Operation::KeepWorkflow];
    for operation in COLLECTIONS {
        let expected =
            if news.contains(&operation) { refused(409, "projectArchived") } else { (200, String::new()) };
        for (stranger, search) in [(&ant, ""), (&ant, "project=ants"), (&owner, "project=ants")] {
            assert_eq!(in_project(stranger, operation, search), expected, "{operation:?} {search}");
        }
        assert!([200, 201].contains(&in_project(&bee, operation, "").0), "{operation:?}");
    }
    let again = format!("{}?workflow={workflow}", Operation::CreateRun.path(&[]));
    assert_eq!(told(&ask(&ant, Operation::CreateRun, &again)), refused(409, "projectArchived"));
    for (operation, code) in THINGS {
        let id = match code {
            "noSuchRun" => &first,
            "noSuchJob" => &kept.job,
            _ => &workflow,
        };
        if operation.row().method.as_str() == "GET" && operation != Operation::RunEvents {
            assert_eq!(
                told(&ask(&ant, operation, &path_of(operation, id))),
                read(operation),
                "{operation:?}"
            );
        }
    }
    // What was begun goes on.
    let mut worker = FakeWorker::join(&server.address, 2);
    let held = worker.jobs_until(2);
    worker.report(held.into_iter().map(|job| (job.key, number(1.0))).collect());
    assert_eq!(server.api().await_end(&first).result, Some(1.into()));
    assert_eq!(server.api().await_job(&kept.job).result, Some(1.into()));
    assert_eq!(archive(Operation::RestoreProject), 200);
    for operation in news {
        assert_eq!(in_project(&ant, operation, ""), (201, String::new()), "{operation:?}");
    }
}

/// That a worker was busy is everybody's to know; with what, is not.
fn the_history_of_a_worker_names_jobs_of_own_projects_alone(kind: DatabaseKind) {
    let server = kind.server();
    make_project(&server, 2, "ants");
    make_project(&server, 3, "bees");
    let ant = member(&server, 1, "ant", 2, Role::Researcher);
    let bee = member(&server, 3, "bee", 3, Role::ProjectAdmin);
    let kept = job(&ant, &json!({ "queue": "q", "key": "secret-key", "source": CODE }));
    let mut worker = FakeWorker::join(&server.address, 1);
    worker.job();
    let worker = server.api().await_fleet(|fleet| fleet.workers.len() == 1).workers.remove(0).id;
    let path = Operation::WorkerAttempts.path(&[&worker]);
    for (who, sees) in [(&ant, true), (&bee, false), (&server.owner(), true)] {
        let reply = who.get(&path);
        let page: WorkerAttemptPage = serde_json::from_slice(&reply.body).expect("a page");
        let jobs: Vec<Option<String>> =
            page.attempts.into_iter().map(|attempt| attempt.job.map(|job| job.id)).collect();
        assert_eq!(jobs, [sees.then(|| kept.job.clone())], "{}", reply.text());
        assert_eq!(reply.text().contains("secret-key"), sees, "{}", reply.text());
    }
}

on_each_database!(
    the_history_of_a_worker_names_jobs_of_own_projects_alone,
    what_another_project_has_is_not_there,
    events_stay_in_their_project,
    topics_of_another_project_are_not_there,
    marks_of_one_project_open_nothing_in_another,
    a_stored_result_is_taken_in_its_own_project_alone,
    a_file_that_is_no_code_is_shown_to_who_may_read_it,
    a_workflow_is_taken_out_of_one_project_once_no_run_of_it_is_kept,
    codes_that_are_stopped_are_told_inside_their_project,
    who_is_in_several_projects_says_which,
    an_archived_project_is_read_and_takes_nothing_new,
);
