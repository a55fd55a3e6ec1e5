//! What those who compute ask of the server, request line by request line: pages, and rows of the class Volunteer.

use weevil_api::routes::{Class, Operation, Row};
use weevil_e2e::{Browser, PlainWorker, TestServer, Wire, job_workflow, shipped};
use weevil_protocol::frame::Verdict;

use crate::gpu;
use crate::wasm::constant;

/// Pages of volunteers and their parts; the console is not one of them.
const PAGES: [&str; 7] = [
    "/",
    "/sandbox",
    "/sandbox-wasm",
    "/manifest.webmanifest",
    "/weevil.svg",
    "/weevil-maskable.svg",
    "/favicon.ico",
];
const ASSETS: &str = "/assets/";

fn is_page(method: &str, path: &str) -> bool {
    method == "GET" && (PAGES.contains(&path) || path.starts_with(ASSETS))
}

fn fits(row: &Row, method: &str, path: &str) -> bool {
    let (pattern, path): (Vec<_>, Vec<_>) = (row.path.split('/').collect(), path.split('/').collect());
    let same = |(pattern, part): (&&str, &&str)| pattern == part || pattern.starts_with('{');
    row.method.as_str() == method && pattern.len() == path.len() && pattern.iter().zip(&path).all(same)
}

/// The operations of the class Volunteer that were asked for; nothing else may have been, but pages.
fn asked(wire: &Wire) -> Vec<Operation> {
    let operation = |line: &String| {
        let (method, target) = line.split_once(' ').expect("a request line");
        let path = target.split('?').next().expect("a path");
        let found = Operation::ALL.into_iter().find(|operation| fits(operation.row(), method, path));
        let class = found.map(|operation| operation.row().class);
        assert!(class == Some(Class::Volunteer) || is_page(method, path), "{line} is {class:?}");
        found
    };
    let requests = wire.requests();
    assert!(!requests.is_empty());
    requests.iter().filter_map(operation).collect()
}

#[test]
fn a_tab_asks_for_pages_and_for_rows_of_its_class() {
    let server = TestServer::start(&[]);
    let wire = Wire::to(&server.address);
    let browser = Browser::start();
    let _tab = browser.open(&wire.url(gpu::TAB));
    for files in [
        job_workflow("function weevil_main() { return 1 }", ""),
        constant(7),
        shipped("webcl-add"),
        shipped("saxpy"),
    ] {
        let view = server.api().await_end(&server.api().run(&files));
        assert_eq!(view.error, None);
    }
    let asked = asked(&wire);
    for operation in [Operation::WorkerSocket, Operation::Blob, Operation::ShowKernels, Operation::ShowAim] {
        assert!(asked.contains(&operation), "{operation:?} is not among {asked:?}");
    }
}

#[test]
fn a_plain_worker_asks_for_rows_of_its_class() {
    let server = TestServer::start(&[]);
    let wire = Wire::to(&server.address);
    let worker = PlainWorker::join(&wire.address);
    server.api().run(&job_workflow("function weevil_main() { return 1 }", ""));
    let job = worker.job();
    assert_eq!(worker.heartbeat(&[job.key]).len(), 1);
    assert_eq!(worker.values(&[(job.key, "1")]), [Verdict::Accepted]);
    worker.leave();
    let asked = asked(&wire);
    for operation in [
        Operation::PlainJoin,
        Operation::PlainDequeue,
        Operation::PlainHeartbeat,
        Operation::PlainSubmit,
        Operation::PlainLeave,
    ] {
        assert!(asked.contains(&operation), "{operation:?} is not among {asked:?}");
    }
}
