//! What counts as the same answer: numbers that are near enough, whatever restarts lie between them, and answers of one engine
//! where engines differ.

use serde_json::json;
use weevil_api::JobWait;
use weevil_e2e::{DatabaseKind, Form, TestServer, job_workflow, number, on_each_database};
use weevil_model::{JobId, RunState};

use super::scene::{
    BEHIND_A_PROXY, CODE, answer, browser, ends, jobs, killed, next, put_judged, result, story, volunteer,
};
use super::volunteers::{CHROMIUM, GECKO};

on_each_database!(
    what_is_near_enough_agrees_across_restarts,
    answers_of_a_run_that_are_near_agree_across_restarts,
    an_engine_is_compared_with_itself,
);

/// Each answer in a life of the server of its own. The value is that of the oldest answer of those that agree.
fn what_is_near_enough_agrees_across_restarts(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    for (agree, said, fates) in [
        ("near(0.001)", &[1000.0, 1000.5][..], &["completed agreed", "completed agreed"][..]),
        (
            "near(0.001)",
            &[1000.0, 1002.0, 1000.5],
            &["completed agreed", "completed refuted", "completed agreed"],
        ),
        // Near to both others, which are not near to each other: it joins the older one.
        ("near(0, 1)", &[7.0, 8.5, 7.75], &["completed agreed", "completed refuted", "completed agreed"]),
    ] {
        let job = json!({ "source": CODE, "trust": "quorum(2)", "agree": agree });
        let job: JobId = server.api().put_job(&job).job.parse().expect("the id of a job");
        for (by, value) in (1..).zip(said) {
            answer(&mut volunteer(&server, by), job, number(*value));
            killed(&mut server);
        }
        assert_eq!(result(&server, job), said[0], "{agree} {said:?}");
        assert_eq!(ends(&story(&server, job)), fates, "{agree} {said:?}");
    }
    server.audit();
}

/// Starts a run of one job that is compared like that.
fn comparing(server: &TestServer, attributes: &str) -> (String, JobId) {
    let form = Form::of(&job_workflow(CODE, attributes)).text("trust", "quorum(2)");
    let run = server.api().run_form(&form).run;
    let job = jobs(server, &run, 1).remove(0).id;
    (run, job.parse().expect("the id of a job"))
}

fn answers_of_a_run_that_are_near_agree_across_restarts(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let (run, job) = comparing(&server, r#"agree="near(0.000001)""#);
    answer(&mut volunteer(&server, 1), job, number(0.1 + 0.2));
    killed(&mut server);
    answer(&mut volunteer(&server, 2), job, number(0.3));
    let end = server.api().await_end(&run);
    assert_eq!((end.summary.state, end.result), (RunState::Finished, Some((0.1 + 0.2).into())));
    server.audit();
}

/// Gecko would say something else; it gets the next job instead, also after a restart.
fn an_engine_is_compared_with_itself(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let (run, job) = comparing(&server, r#"within="engine""#);
    answer(&mut browser(&server, 1, CHROMIUM), job, number(0.1));
    let other = put_judged(&server, "none", -9);
    let mut gecko = browser(&server, 2, GECKO);
    assert_eq!(next(&mut gecko).key.job, other.number(), "it has no say in what Chromium computes");
    drop(gecko);
    killed(&mut server);
    answer(&mut browser(&server, 3, GECKO), other, number(1.0));
    assert_eq!(story(&server, job).job.waits, Some(JobWait::Check));
    answer(&mut browser(&server, 4, CHROMIUM), job, number(0.1));
    assert_eq!(server.api().await_end(&run).result, Some(0.1.into()));
    server.audit();
}
