//! Runs under `credible(E)` by a real server: a fleet that opens, lots that are looked at, a liar who gets nothing believed, and a
//! server that dies on the way.

use weevil_api::routes::Operation;
use weevil_api::{JobFleet, JobPage, JobView, JobWait, QueueView};
use weevil_e2e::{Browser, DatabaseKind, Files, Form, TestServer, number, on_each_database, pool_workflow};
use weevil_failpoint::Point;
use weevil_model::{NodeState, RunState};

use super::figures::await_gauges;
use super::reading::{stdout, weevil};
use super::scene::{BEHIND_A_PROXY, answer, credit_is_exact, ends, judged_run, volunteer};
use super::volunteers::{CHROMIUM, Kind, RIGHT, WRONG, end, fleet};
use crate::looks::{await_words, look_at_console};

/// Elements of a pool: a lot of each of a few devices.
const ELEMENTS: u32 = 120;
/// What they add up to.
pub(super) const SUM: u32 = ELEMENTS * (ELEMENTS - 1) / 2;

on_each_database!(
    three_newcomers_open_a_fleet_and_then_make_lots,
    two_newcomers_finish_nothing_and_say_why,
    a_liar_gets_nothing_believed,
    a_server_that_dies_of_a_ruling_goes_on_with_it,
);

pub(super) fn start(server: &TestServer, policy: &str) -> String {
    start_with(server, policy, "function weevil_main(n) { return n }")
}

/// The same with another code for its elements.
pub(super) fn start_with(server: &TestServer, policy: &str, processor: &str) -> String {
    server.api().run_form(&Form::of(&pool(processor)).text("trust", policy)).run
}

pub(super) fn pool(processor: &str) -> Files {
    let input: Vec<String> = (0..ELEMENTS).map(|element| element.to_string()).collect();
    let reducer = "function weevil_main(all) { return all.reduce((sum, n) => sum + n, 0) }";
    pool_workflow(&format!("[{}]", input.join(",")), processor, reducer)
}

/// The run has ended with the right sum. Answers how many copies were handed out, over its jobs.
pub(super) fn per_job(server: &TestServer, run: &str) -> f64 {
    let end = server.api().await_end(run);
    assert_eq!((end.summary.state, end.result), (RunState::Finished, Some(SUM.into())));
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

fn three_newcomers_open_a_fleet_and_then_make_lots(database: DatabaseKind) {
    let server = database.server_with(&BEHIND_A_PROXY);
    let fleet = fleet(&server, &[(1, CHROMIUM, RIGHT), (2, CHROMIUM, RIGHT), (3, CHROMIUM, RIGHT)]);
    let opening = per_job(&server, &start(&server, "credible(0.01)"));
    assert!(opening <= 3.0, "{opening}");
    let lots = per_job(&server, &start(&server, "credible(0.01)"));
    let accepted = server.api().metrics().get("weevil_lots_total{fate=\"accepted\"}");
    assert!(accepted >= 1.0, "{accepted}");
    assert!(
        lots < 1.5,
        "{lots} computations for a job, where an established fleet needs little more than one"
    );
    end(server, fleet);
}

/// On a fresh server two that agree are one too few, and both have answered: it takes somebody else.
fn two_newcomers_finish_nothing_and_say_why(database: DatabaseKind) {
    let server = database.server_with(&BEHIND_A_PROXY);
    let (run, job) = judged_run(&server, "credible(0.01)");
    let id = job.to_string();
    let two = [1, 2].map(|key| volunteer(&server, key));
    let _two = two.map(|mut newcomer| {
        answer(&mut newcomer, job, number(7.0));
        newcomer
    });
    let expected = JobFleet { connected: 2, answered: 2, needed: 2, ..JobFleet::default() };
    let found = server.api().await_history(&id, |found| found.fleet.as_ref() == Some(&expected));
    assert_eq!((found.job.state, found.job.waits), (NodeState::Answered, Some(JobWait::Check)));
    assert_eq!(ends(&found), ["completed open"; 2]);
    assert_eq!(server.api().view(&run).result, None);
    let told = stdout(&weevil(&server, &["explain", &id]));
    let why = ": ANSWERED\njudged by credible(0.01)\nwaits for an answer from somebody else\n\
               needs another device or network: 2 connected workers have answered already\n";
    assert!(told.contains(why), "{told}");
    answer(&mut volunteer(&server, 3), job, number(7.0));
    assert_eq!(server.api().await_end(&run).result, Some(7.into()), "a third is enough");
}

/// It was honest for as long as it took to be established, and lies from then on.
fn a_liar_gets_nothing_believed(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let honest: Vec<Kind> = (1..=5).map(|number| (number, CHROMIUM, RIGHT)).collect();
    let before = fleet(&server, &[&honest[..], &[(6, CHROMIUM, RIGHT)]].concat());
    per_job(&server, &start(&server, "credible(0.01)"));
    server.kill();
    server.restart();
    let after = fleet(&server, &[&honest[..], &[(6, CHROMIUM, WRONG)]].concat());
    let lots = per_job(&server, &start(&server, "credible(0.01)"));
    assert!(lots < 4.0, "{lots}");
    end(server, before.into_iter().chain(after).collect());
}

/// The server dies while a lot is closed, or a device's lots are refused; the database has either all of it or nothing.
fn a_server_that_dies_of_a_ruling_goes_on_with_it(database: DatabaseKind) {
    for point in [Point::LotClosed, Point::DeviceRefuted] {
        let mut server = database.server_with(&BEHIND_A_PROXY);
        let honest: Vec<Kind> = (1..=5).map(|number| (number, CHROMIUM, RIGHT)).collect();
        let first = fleet(&server, &[&honest[..], &[(6, CHROMIUM, RIGHT)]].concat());
        per_job(&server, &start(&server, "credible(0.01)"));
        server.kill();
        assert!(server.restart_to_die(point, 1));
        let run = start(&server, "credible(0.01)");
        let second = fleet(&server, &[&honest[..], &[(6, CHROMIUM, WRONG)]].concat());
        server.await_death();
        server.restart();
        let third = fleet(&server, &[&honest[..], &[(6, CHROMIUM, RIGHT)]].concat());
        per_job(&server, &run);
        credit_is_exact(&server);
        end(server, [first, second, third].into_iter().flatten().collect());
    }
}

/// One device has answered all of it, and nobody else is here.
#[test]
fn people_see_what_waits_for_its_lot() {
    let mut server = TestServer::start(&BEHIND_A_PROXY);
    let three = fleet(&server, &[(1, CHROMIUM, RIGHT), (2, CHROMIUM, RIGHT), (3, CHROMIUM, RIGHT)]);
    per_job(&server, &start(&server, "credible(0.01)"));
    server.kill();
    server.restart();
    let run = start(&server, "credible(0.01)");
    let one = fleet(&server, &[(1, CHROMIUM, RIGHT)]);
    server.api().await_run(&run, |view| view.summary.progress.answered >= ELEMENTS);
    let page: JobPage = server.api().json(&Operation::RunJobs.path(&[&run]));
    let waits = |job: &&JobView| job.waits == Some(JobWait::Lot);
    let job = page.jobs.iter().find(waits).expect("most wait for their lot");
    await_gauges(&server, &[("weevil_lots_open", 3.0), ("weevil_devices{rank=\"established\"}", 1.0)]);
    let queue: QueueView = server.api().json(&Operation::ShowQueue.path(&[]));
    let metrics = server.api().metrics();
    assert!(queue.answered > 0 && metrics.get("weevil_jobs_answered") > 0.0, "{queue:?}");
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
