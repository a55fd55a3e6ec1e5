//! The walls between projects: every thing of one project, asked for by an admin of another, is not there; a viewer of its own reads it,
//! and may do nothing to it.

use serde_json::json;
use weevil_api::routes::{Access, Operation};
use weevil_api::{JobKept, RunCreated};
use weevil_e2e::hostile::{Reply, Stranger};
use weevil_e2e::{DatabaseKind, Form, TestServer, job_workflow, on_each_database};
use weevil_model::{ContentHash, Right, Role};

use super::people::{accept, halves, invite, make_member, make_project, send};

const CODE: &str = "function weevil_main() { return 1 }";

/// What is asked of a single thing: by which operation, and what somebody is told who may not read it.
const THINGS: [(Operation, &str); 12] = [
    (Operation::ShowRun, "noSuchRun"),
    (Operation::RunResult, "noSuchRun"),
    (Operation::CancelRun, "noSuchRun"),
    (Operation::RunJobs, "noSuchRun"),
    (Operation::PauseRun, "noSuchRun"),
    (Operation::ResumeRun, "noSuchRun"),
    (Operation::RunEvents, "noSuchRun"),
    (Operation::ShowJob, "noSuchJob"),
    (Operation::JobResult, "noSuchJob"),
    (Operation::CancelJob, "noSuchJob"),
    (Operation::ShowWorkflow, "noSuchWorkflow"),
    (Operation::RemoveWorkflow, "noSuchWorkflow"),
];

/// What is asked in a project that the address names.
const COLLECTIONS: [Operation; 7] = [
    Operation::CreateRun,
    Operation::ListRuns,
    Operation::SubmitJobs,
    Operation::ListJobs,
    Operation::KeepWorkflow,
    Operation::ListWorkflows,
    Operation::Events,
];

/// What all projects share.
const SHARED: [Operation; 2] = [Operation::ShowQueue, Operation::ShowFleet];

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
    (reply.status, reply.code())
}

fn refused(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

fn member(server: &TestServer, number: u8, name: &str, project: i64, role: Role) -> Stranger {
    let halves = halves(&accept(&server.stranger(), &invite(server, number, false), name));
    make_member(server, project, name, role);
    halves.stranger(server)
}

fn ask(stranger: &Stranger, operation: Operation, path: &str) -> Reply {
    stranger.ask(operation.row().method.as_str(), path, &[], b"")
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
        let path = operation.path(&[id]);
        assert_eq!(told(&ask(&bee, operation, &path)), refused(404, code), "{operation:?}");
        let reads = operation.row().method.as_str() == "GET";
        if !reads {
            assert_eq!(told(&ask(&guest, operation, &path)), refused(403, "notAllowed"), "{operation:?}");
        } else if operation != Operation::RunEvents {
            assert_eq!(told(&ask(&guest, operation, &path)), (200, String::new()), "{operation:?}");
        }
    }
    for operation in COLLECTIONS.into_iter().filter(|operation| *operation != Operation::ListJobs) {
        let path = format!("{}?project=ants", operation.path(&[]));
        assert_eq!(told(&ask(&bee, operation, &path)), refused(404, "noSuchProject"), "{operation:?}");
    }
    let listed = bee.get(&format!("{}?project=ants&queue=q", Operation::ListJobs.path(&[])));
    assert_eq!(told(&listed), refused(404, "noSuchProject"));
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

on_each_database!(what_another_project_has_is_not_there);
