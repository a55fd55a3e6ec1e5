//! Runs under `credible(E)` by a real server: a fleet that opens, lots that are looked at, a liar who gets nothing believed, and a
//! server that dies on the way.

use std::thread::JoinHandle;

use weevil_api::routes::Operation;
use weevil_api::{JobPage, JobWait};
use weevil_e2e::{
    Browser, DatabaseKind, FakeWorker, Form, TestServer, number, on_each_database, pool_workflow,
};
use weevil_failpoint::Point;
use weevil_model::{Encoded, RunState, Value};
use weevil_protocol::frame::{Assignment, AttemptResult, ClientFrame, ServerFrame};

use super::scene::{BEHIND_A_PROXY, volunteer};
use crate::looks::{await_words, look_at_console};

/// What a volunteer makes of the value that a job has.
type Says = fn(f64) -> f64;

const RIGHT: Says = |value| value;
const WRONG: Says = |value| value + 1000.0;
/// Elements of a pool: a lot of each of a few devices.
const ELEMENTS: u32 = 120;

on_each_database!(
    three_newcomers_open_a_fleet_and_then_make_lots,
    a_liar_gets_nothing_believed,
    a_server_that_dies_of_a_ruling_goes_on_with_it,
);

/// An element is its own value, a reducer's array adds up.
fn value(input: &[u8]) -> f64 {
    let first =
        Encoded::checked(input).expect("inputs are values").elements().expect("inputs are arrays").next();
    match first.expect("every job has an argument").value() {
        Ok(Value::Number(number)) => number,
        Ok(Value::Array(all)) => {
            let each = |value: Value| if let Value::Number(number) = value { number } else { 0.0 };
            all.into_iter().map(each).sum()
        }
        other => panic!("no job of this run has {other:?}"),
    }
}

fn told(job: &Assignment, says: Says) -> AttemptResult {
    let outcome = number(says(value(&job.input)));
    AttemptResult { key: job.key, outcome, slot: 0, compute_us: 1, flops: 0.0, log: None }
}

/// Computes until the server goes.
fn compute(mut worker: FakeWorker, says: Says) {
    worker.capacity = 4;
    worker.wait_for_ever();
    worker.tell(Vec::new());
    while let Some(frame) = worker.frame() {
        let ServerFrame::Assign { jobs, .. } = frame else { continue };
        let results = jobs.iter().map(|job| told(job, says)).collect();
        if !worker.try_send(&ClientFrame::Results { results, capacity: worker.capacity }) {
            return;
        }
    }
}

/// Volunteers with these numbers, each in a thread of its own.
fn fleet(server: &TestServer, volunteers: &[(u8, Says)]) -> Vec<JoinHandle<()>> {
    let start = |(number, says): &(u8, Says)| {
        let (worker, says) = (volunteer(server, *number), *says);
        std::thread::spawn(move || compute(worker, says))
    };
    volunteers.iter().map(start).collect()
}

fn start(server: &TestServer, policy: &str) -> String {
    let input: Vec<String> = (0..ELEMENTS).map(|element| element.to_string()).collect();
    let processor = "function weevil_main(n) { return n }";
    let reducer = "function weevil_main(all) { return all.reduce((sum, n) => sum + n, 0) }";
    let pool = pool_workflow(&format!("[{}]", input.join(",")), processor, reducer);
    server.api().run_form(&Form::of(&pool).text("trust", policy)).run
}

/// The run has ended with the right sum. Answers how many copies were handed out, over its jobs.
fn per_job(server: &TestServer, run: &str) -> f64 {
    let end = server.api().await_end(run);
    let sum = ELEMENTS * (ELEMENTS - 1) / 2;
    assert_eq!((end.summary.state, end.result), (RunState::Finished, Some(sum.into())));
    let (mut copies, mut jobs, mut after) = (0, 0, None);
    loop {
        let query =
            after.map(|path: String| format!("?after={}", path.replace('/', "%2F"))).unwrap_or_default();
        let page: JobPage = server.api().json(&format!("{}{query}", Operation::RunJobs.path(&[&run])));
        copies += page.jobs.iter().map(|job| job.handed_out).sum::<u32>();
        jobs += u32::try_from(page.jobs.len()).expect("a page is small");
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(jobs, ELEMENTS + 1, "the reducer is a job as well");
    f64::from(copies) / f64::from(jobs)
}

fn end(mut server: TestServer, fleet: Vec<JoinHandle<()>>) {
    server.kill();
    for volunteer in fleet {
        volunteer.join().expect("a volunteer ends with its server");
    }
    server.restart();
    server.audit();
}

fn three_newcomers_open_a_fleet_and_then_make_lots(database: DatabaseKind) {
    let server = database.server_with(&BEHIND_A_PROXY);
    let fleet = fleet(&server, &[(1, RIGHT), (2, RIGHT), (3, RIGHT)]);
    let opening = per_job(&server, &start(&server, "credible(0.01)"));
    assert!(opening <= 3.0, "{opening}");
    let lots = per_job(&server, &start(&server, "credible(0.01)"));
    assert!(
        lots < 1.5,
        "{lots} computations for a job, where an established fleet needs little more than one"
    );
    end(server, fleet);
}

/// It was honest for as long as it took to be established, and lies from then on.
fn a_liar_gets_nothing_believed(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let honest: Vec<(u8, Says)> = (1..=5).map(|number| (number, RIGHT)).collect();
    let before = fleet(&server, &[&honest[..], &[(6, RIGHT)]].concat());
    per_job(&server, &start(&server, "credible(0.01)"));
    server.kill();
    server.restart();
    let after = fleet(&server, &[&honest[..], &[(6, WRONG)]].concat());
    let lots = per_job(&server, &start(&server, "credible(0.01)"));
    assert!(lots < 4.0, "{lots}");
    end(server, before.into_iter().chain(after).collect());
}

/// The server dies while a lot is closed, or a device's lots are refused; the database has either all of it or nothing.
fn a_server_that_dies_of_a_ruling_goes_on_with_it(database: DatabaseKind) {
    for point in [Point::LotClosed, Point::DeviceRefuted] {
        let mut server = database.server_with(&BEHIND_A_PROXY);
        let honest: Vec<(u8, Says)> = (1..=5).map(|number| (number, RIGHT)).collect();
        let first = fleet(&server, &[&honest[..], &[(6, RIGHT)]].concat());
        per_job(&server, &start(&server, "credible(0.01)"));
        server.kill();
        assert!(server.restart_to_die(point, 1));
        let run = start(&server, "credible(0.01)");
        let second = fleet(&server, &[&honest[..], &[(6, WRONG)]].concat());
        server.await_death();
        server.restart();
        let third = fleet(&server, &[&honest[..], &[(6, RIGHT)]].concat());
        per_job(&server, &run);
        end(server, [first, second, third].into_iter().flatten().collect());
    }
}

/// One device has answered all of it, and nobody else is here.
#[test]
fn people_see_what_waits_for_its_lot() {
    let mut server = TestServer::start(&BEHIND_A_PROXY);
    let three = fleet(&server, &[(1, RIGHT), (2, RIGHT), (3, RIGHT)]);
    per_job(&server, &start(&server, "credible(0.01)"));
    server.kill();
    server.restart();
    let run = start(&server, "credible(0.01)");
    let one = fleet(&server, &[(1, RIGHT)]);
    server.api().await_run(&run, |view| view.summary.progress.answered >= ELEMENTS);
    let page: JobPage = server.api().json(&Operation::RunJobs.path(&[&run]));
    let job = page.jobs.iter().find(|job| job.waits == Some(JobWait::Lot)).expect("most wait for their lot");
    let browser = Browser::start();
    let console = server.console(&browser, &format!("#/runs/{run}"));
    let policy = "Started with the policy credible(0.01): at most 1 in 100 of the values believed is expected to be wrong.";
    await_words(&console, "#run-page .policy", policy);
    await_words(&console, "#run-page .run-done", &format!("{ELEMENTS} answered"));
    look_at_console(&console, "lots-run");
    console.eval(&format!("location.hash = '#/jobs/{}'", job.id));
    await_words(&console, "#job-page", "Waits for the checks of its lot");
    await_words(&console, "[data-attempt] .answer", "not decided");
    look_at_console(&console, "lots-job");
    end(server, [three, one].into_iter().flatten().collect());
}
