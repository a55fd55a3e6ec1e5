//! Real browsers that nobody knows, with two engines, finish runs that are judged: of JavaScript, and of a module. Their pages tell
//! each volunteer how its answers stand.

use serde_json::Value;
use weevil_api::JobHistory;
use weevil_api::routes::Operation;
use weevil_e2e::{Browser, Files, Firefox, Form, TestServer, workflow_in};
use weevil_model::RunState;

use super::scene::jobs;
use crate::looks::light;
use crate::shipped::with_input;
use crate::volunteer_looks::{look, speak};

const ELEMENTS: usize = 60;
const POINTS: u64 = 10_000;

fn expected(files: &Files) -> f64 {
    let file = files.iter().find(|file| file.0 == "expected.json").expect("expected.json");
    serde_json::from_slice::<Value>(&file.1).expect("JSON")["result"].as_f64().expect("a number")
}

/// Who answered jobs of the run: chromium, gecko.
fn engines(server: &TestServer, run: &str) -> Vec<String> {
    let histories = jobs(server, run, 1).into_iter().map(|job| {
        let path = Operation::ShowJob.path(&[&job.id]);
        server.api().json::<JobHistory>(&path)
    });
    let mut engines: Vec<String> = histories
        .flat_map(|history| history.attempts)
        .filter_map(|attempt| attempt.answer)
        .map(|answer| answer.engine)
        .collect();
    engines.sort();
    engines.dedup();
    engines
}

#[test]
fn strangers_with_two_engines_believe_each_other() {
    let server = TestServer::start(&[]);
    let (chromiums, firefoxes) = ([(); 3].map(|()| Browser::start()), [(); 2].map(|()| Firefox::start()));
    let place = server.url("/?autostart&slots=1");
    let pages = chromiums.each_ref().map(|browser| browser.open(&place));
    let _tabs = firefoxes.each_ref().map(|browser| browser.open(&place));
    server.api().await_fleet(|fleet| fleet.workers.len() == 5);

    let pi = with_input("pi", "samples.json", &[POINTS; ELEMENTS]);
    // 600,000 points: one standard deviation is 2.1e-3.
    for (files, value, tolerance) in [
        (pi, std::f64::consts::PI, 0.011),
        (workflow_in("../examples/wasm-c"), expected(&workflow_in("../examples/wasm-c")), 0.0),
    ] {
        let run = server.api().run_form(&Form::of(&files).text("trust", "credible(0.01)")).run;
        let end = server.api().await_end(&run);
        assert_eq!(end.summary.state, RunState::Finished, "{:?}", end.error);
        let result = end.result.as_ref().and_then(Value::as_f64).expect("a number");
        assert!((result - value).abs() <= tolerance, "{result} instead of {value}");
        assert!(end.stats.bound.is_some_and(|bound| bound <= 0.01), "{:?}", end.stats.bound);
        if tolerance > 0.0 {
            assert_eq!(engines(&server, &run), ["chromium", "gecko"]);
        }
    }

    let page = &pages[0];
    light(page, "light");
    page.wait_for("!standing.hidden && Number(confirmed.innerText) > 0 && differed.innerText === '0'");
    for language in ["de", "zh-Hans", "en"] {
        speak(page, language);
        look(page, &format!("believed-{language}"));
    }
}
