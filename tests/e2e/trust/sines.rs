//! Real browsers with two engines, whose sines differ in their last digits: Gecko is left out of a code that three Chromiums say
//! otherwise, and nobody is at fault. Within a tolerance both are let in.

use std::collections::BTreeSet;

use serde_json::Value;
use weevil_api::routes::Operation;
use weevil_api::{AnswerView, DevicePage, DeviceRank, DeviceView, JobHistory, LeftOutView};
use weevil_e2e::{Browser, Files, Firefox, Form, PATIENCE, TestServer, pool_workflow};
use weevil_model::RunState;

use super::engines::left_out;
use super::scene::jobs;

/// Fewer than a page of jobs has.
const ELEMENTS: u32 = 24;
/// About one sine of thirty differs: of so many some do, for every element.
const SINES: u32 = 500;
const STEP: f64 = 0.731_058_5;
/// Runs after which Gecko is left out. It takes three differences, and each run in which Gecko has a say brings one at least.
const MOST_RUNS: usize = 20;

/// What an element of the pool gives.
fn code() -> String {
    format!(
        "function weevil_main(n) {{
            return Array.from({{ length: {SINES} }}, (_, i) => Math.sin(n + i * {STEP})) }}"
    )
}

fn elements() -> String {
    format!("{:?}", (0..ELEMENTS).collect::<Vec<_>>())
}

/// The sum of all sines. Its elements are compared as these attributes say; what adds them up gives the same in each engine.
fn sines(attributes: &str) -> Files {
    let reducer = "function weevil_main(all) { return all.flat().reduce((sum, sine) => sum + sine, 0) }";
    let mut files = pool_workflow(&elements(), &code(), reducer);
    let document = String::from_utf8(std::mem::take(&mut files[0].1)).expect("text");
    let each = format!(r#"src="Each" {attributes} returntype="Array""#);
    files[0].1 = document.replace(r#"src="Each" returntype="Number""#, &each).into_bytes();
    files
}

fn sum_of_sines() -> f64 {
    let each = |n: u32| (0..SINES).map(move |i| (f64::from(n) + f64::from(i) * STEP).sin());
    (0..ELEMENTS).flat_map(each).sum()
}

/// A run to its end. Answers its id, and its result.
fn finish(server: &TestServer, files: &Files, policy: &str) -> (String, f64) {
    let run = server.api().run_form(&Form::of(files).text("trust", policy)).run;
    let end = server.api_with(PATIENCE * 3).await_end(&run);
    assert_eq!(end.summary.state, RunState::Finished, "{:?}", end.error);
    (run, end.result.as_ref().and_then(Value::as_f64).expect("a number"))
}

/// As `finish`, of the sines. Their sum is right, whichever engine has them.
fn add_up(server: &TestServer, attributes: &str, policy: &str) -> String {
    let (run, sum) = finish(server, &sines(attributes), policy);
    let expected = sum_of_sines();
    assert!((sum - expected).abs() < 1e-6, "{attributes} {policy}: {sum} instead of {expected}");
    run
}

fn devices(server: &TestServer) -> Vec<DeviceView> {
    let page: DevicePage = server.api().json(&Operation::ListDevices.path(&[]));
    page.devices
}

/// All four browsers agree on more values than it takes to be established.
fn get_known(server: &TestServer) {
    let reducer = "function weevil_main(all) { return all.length }";
    let plain = pool_workflow(&elements(), "function weevil_main(n) { return n }", reducer);
    let (_, many) = finish(server, &plain, "quorum(4)");
    assert!((many - f64::from(ELEMENTS)).abs() < f64::EPSILON, "{many}");
    let ranks: Vec<DeviceRank> = devices(server).iter().map(|device| device.rank).collect();
    assert_eq!(ranks, [DeviceRank::Established; 4]);
}

/// The first run that leaves Gecko out.
fn leaving_out(server: &TestServer) -> String {
    let found = (0..MOST_RUNS).find_map(|_| {
        let run = add_up(server, "", "credible(0.01)");
        Some(run).filter(|run| !left_out(server, run).is_empty())
    });
    found.expect("Gecko is left out")
}

/// The engines of those answers to elements of the run that fit.
fn engines(server: &TestServer, run: &str, fits: fn(&AnswerView) -> bool) -> Vec<String> {
    let elements = jobs(server, run, 1).into_iter().filter(|job| job.path.ends_with("/each"));
    let histories = elements.map(|job| {
        let path = Operation::ShowJob.path(&[&job.id]);
        server.api().json::<JobHistory>(&path)
    });
    let answers = histories.flat_map(|history| history.attempts).filter_map(|attempt| attempt.answer);
    let engines: BTreeSet<String> = answers.filter(fits).map(|answer| answer.engine).collect();
    engines.into_iter().collect()
}

/// What is believed.
fn has_agreed(answer: &AnswerView) -> bool {
    answer.fate.as_deref() == Some("agreed")
}

/// It names both engines, and elements on which they differ.
fn names_both(left: &LeftOutView) {
    assert_eq!((&*left.engine, &*left.leading), ("gecko", "chromium"));
    assert!(!left.differences.is_empty(), "it names elements");
    for seen in &left.differences {
        assert!(seen.path.ends_with("/each") && seen.said != seen.leading_said, "{seen:?}");
    }
}

/// One Firefox, which has nobody to agree with, and as many Chromiums as decide against one.
#[test]
fn real_engines_whose_sines_differ_are_told_apart_and_a_tolerance_lets_both_in() {
    let server = TestServer::start(&[]);
    let (chromiums, firefox) = ([(); 3].map(|()| Browser::start()), Firefox::start());
    let place = server.url("/?autostart&slots=1");
    let pages = chromiums.each_ref().map(|browser| browser.open(&place));
    let gecko = firefox.open(&place);
    server.api().await_fleet(|fleet| fleet.workers.len() == 4);
    let own = format!("JSON.stringify(({})(0))", code());
    assert_ne!(pages[0].eval(&own), gecko.eval(&own), "their sines are the same: nothing is to be seen");

    get_known(&server);
    let run = leaving_out(&server);
    let told = left_out(&server, &run);
    assert_eq!(told.len(), 1, "of the elements, and not of their sum: {told:?}");
    told.iter().for_each(names_both);
    assert_eq!(engines(&server, &run, has_agreed), ["chromium"]);
    let next = add_up(&server, "", "credible(0.01)");
    assert_eq!(engines(&server, &next, |_| true), ["chromium"], "Gecko is not asked any more");

    for policy in ["credible(0.01)", "quorum(4)"] {
        let run = add_up(&server, r#"agree="near(1e-9)""#, policy);
        assert_eq!(left_out(&server, &run), [], "{policy}");
        // A quorum of all four takes an answer of each.
        if policy == "quorum(4)" {
            assert_eq!(engines(&server, &run, has_agreed), ["chromium", "gecko"]);
        }
    }

    let devices = devices(&server);
    assert_eq!(devices.len(), 4);
    for device in devices {
        assert_eq!((device.refuted, device.rests_until, device.rank), (0, None, DeviceRank::Established));
    }
}
