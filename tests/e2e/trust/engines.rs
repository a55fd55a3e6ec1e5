//! Code that is at fault itself: engines that calculate it differently, and results that nobody gets twice.

use weevil_api::routes::Operation;
use weevil_api::{LeftOutView, RunView};
use weevil_e2e::{Browser, DatabaseKind, Files, Form, TestServer, on_each_database};

use super::lots::{SUM, per_job, pool, start, start_with};
use super::scene::BEHIND_A_PROXY;
use super::volunteers::{CHROMIUM, GECKO, Kind, RIGHT, Says, end, fleet};
use crate::looks::{await_words, look_at_console};

const POLICY: &str = "credible(0.01)";
/// A code of which nothing is known yet.
const CODE: &str = "function weevil_main(n) { return Math.sin(n) }";
/// Runs of it after which an engine that differs is left out.
const MOST_RUNS: usize = 20;
/// What another engine makes of the last digit.
const BY_ENGINE: Says = |_, value| value + 1e-9;
/// What depends on who computes it.
const BY_CHANCE: Says = |by, value| value + f64::from(by);

on_each_database!(
    an_engine_that_differs_is_left_out_and_the_sum_is_right,
    engines_that_come_near_each_other_are_both_let_in,
);

/// Five who run Chromium and one who runs Gecko, all of them known by now; then they say this. Two who run Gecko would agree on a
/// reducer now and then, and be believed.
fn known(server: &mut TestServer, gecko: Says, chromium: Says) -> Vec<std::thread::JoinHandle<()>> {
    let both = |gecko, chromium| -> Vec<Kind> {
        let five = (1..=5).map(|number| (number, CHROMIUM, chromium));
        five.chain([(6, GECKO, gecko)]).collect()
    };
    let before = fleet(server, &both(RIGHT, RIGHT));
    for _ in 0..2 {
        per_job(server, &start(server, POLICY));
    }
    server.kill();
    server.restart();
    [before, fleet(server, &both(gecko, chromium))].into_iter().flatten().collect()
}

/// The first run in which Gecko was left out of what computes the elements; of the reducer it may be as well.
fn leaving_out(server: &TestServer) -> String {
    let of_elements = |left: &LeftOutView| left.differences.iter().any(|seen| seen.path.ends_with("/each"));
    let found = (0..MOST_RUNS).find_map(|_| {
        let run = start_with(server, POLICY, CODE);
        per_job(server, &run);
        Some(run).filter(|run| left_out(server, run).iter().any(of_elements))
    });
    found.expect("Gecko is left out")
}

pub(super) fn left_out(server: &TestServer, run: &str) -> Vec<LeftOutView> {
    let view: RunView = server.api().json(&Operation::ShowRun.path(&[&run]));
    view.left_out
}

fn an_engine_that_differs_is_left_out_and_the_sum_is_right(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let fleet = known(&mut server, BY_ENGINE, RIGHT);
    let run = leaving_out(&server);
    let next = start_with(&server, POLICY, CODE);
    assert!(per_job(&server, &next) < 1.5, "nobody computes in vain any more");
    for run in [run, next] {
        let engines = left_out(&server, &run);
        let is_gecko = |left: &LeftOutView| (&*left.engine, &*left.leading) == ("gecko", "chromium");
        assert!(!engines.is_empty() && engines.iter().all(is_gecko), "{engines:?}");
    }
    end(server, fleet);
}

/// The cure that the page of such a run names, after the run that named it.
fn engines_that_come_near_each_other_are_both_let_in(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let fleet = known(&mut server, BY_ENGINE, RIGHT);
    leaving_out(&server);
    for _ in 0..3 {
        let run = server.api().run_form(&Form::of(&near(CODE)).text("trust", POLICY)).run;
        let end = server.api().await_end(&run);
        let sum = end.result.and_then(|sum| sum.as_f64()).expect("a number");
        assert!((sum - f64::from(SUM)).abs() < 1e-3, "{sum}");
        assert_eq!(left_out(&server, &run), []);
    }
    assert!(server.api().metrics().get("weevil_devices_resting").abs() < f64::EPSILON, "nobody was refuted");
    end(server, fleet);
}

/// A pool both of whose codes are compared by a tolerance.
fn near(processor: &str) -> Files {
    let mut files = pool(processor);
    let document = String::from_utf8(std::mem::take(&mut files[0].1)).expect("text");
    let agree = r#"agree="near(0.000001, 0.000001)" returntype="Number""#;
    let document = document.replace(r#"src="Each" returntype="Number""#, &format!(r#"src="Each" {agree}"#));
    files[0].1 =
        document.replace(r#"src="Sum" returntype="Number""#, &format!(r#"src="Sum" {agree}"#)).into_bytes();
    files
}

#[test]
fn people_see_what_is_the_fault_of_the_code() {
    let mut server = TestServer::start(&BEHIND_A_PROXY);
    let mut all = known(&mut server, BY_ENGINE, RIGHT);
    let run = leaving_out(&server);
    let browser = Browser::start();
    let console = server.console(&browser, &format!("#/runs/{run}"));
    await_words(&console, "#run-left-out", "Firefox gets no more of code");
    await_words(&console, "#run-left-out", "Chromium value");
    look_at_console(&console, "engines-run");
    server.kill();
    server.restart();
    let scattering: Vec<Kind> = (1..=5).map(|number| (number, CHROMIUM, BY_CHANCE)).collect();
    all.extend(fleet(&server, &scattering));
    let run = start_with(&server, POLICY, "function weevil_main(n) { return n + Math.random() }");
    let view = server.api().await_run(&run, |view| view.summary.paused);
    assert_eq!(view.summary.paused_why.as_deref(), Some("incomparable"));
    let console = server.console(&browser, &format!("#/runs/{run}"));
    await_words(&console, "#run-paused", "known devices say three different things");
    look_at_console(&console, "scattering-run");
    let answer = server.api().post(&Operation::ResumeRun.path(&[&run]), "", &[], &[]);
    let RunView { summary, .. } = answer.json();
    assert_eq!((summary.paused, summary.paused_why), (false, None));
    end(server, all);
}
