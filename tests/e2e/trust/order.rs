//! Copies of a judged job go out one after the other: an attempt that was handed out before an answer came is overtaken by it.

use weevil_api::JobWait;
use weevil_api::routes::Operation;
use weevil_e2e::{
    DatabaseKind, FakeWorker, Form, TestServer, answer_all, number, on_each_database, pool_workflow,
};
use weevil_model::{JobId, NodeState};
use weevil_protocol::frame::{Assignment, Verdict};

use super::scene::{
    BEHIND_A_PROXY, answer, ends, jobs, judged_run, next, put_judged, report, result, story, take, volunteer,
};

/// Elements of a pool: more than its tabs want at a time, fewer than a page of its jobs has.
const ELEMENTS: usize = 80;

on_each_database!(
    no_copy_is_handed_out_while_one_is_out,
    a_late_report_counts_until_it_is_overtaken,
    a_report_that_is_repeated_changes_nothing,
    a_report_speaks_for_who_got_the_copy,
    answers_outlast_a_pause,
    a_pool_is_computed_by_as_many_as_have_to_agree,
);

fn no_copy_is_handed_out_while_one_is_out(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let job = put_judged(&server, "quorum(3)", 9);
    let mut holders: Vec<FakeWorker> = (1..=3).map(|number| volunteer(&server, number)).collect();
    let mut onlookers: Vec<FakeWorker> = (11..=13).map(|number| volunteer(&server, number)).collect();
    for (turn, (holder, onlooker)) in holders.iter_mut().zip(&mut onlookers).enumerate() {
        let given = take(holder, job);
        let later = put_judged(&server, "quorum(2)", 1);
        take(onlooker, later);
        let (state, waits) = (story(&server, job).job.state, story(&server, job).job.waits);
        let expected = if turn == 0 { NodeState::Running } else { NodeState::Answered };
        assert_eq!((state, waits), (expected, None), "while copy {turn} is out");
        assert_eq!(report(holder, &given, number(7.0)), Verdict::Accepted);
    }
    assert_eq!(result(&server, job), 7);
    assert_eq!(ends(&story(&server, job)), ["completed agreed"; 3]);
    // A server that ends waits for who holds something.
    drop((holders, onlookers));
    server.audit();
}

/// How far others have come when somebody reports who was away.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
enum Others {
    /// Nobody else has had the job.
    Nobody,
    /// Somebody has a copy.
    Hold,
    /// Somebody has answered.
    Answered,
    /// Somebody has answered, and somebody else has a copy.
    HoldAgain,
    /// Two have answered, and agree.
    Believed,
}

/// What others do until they have come so far. Answers who holds a copy then.
fn others_come(server: &TestServer, job: JobId, far: Others) -> Option<(FakeWorker, Assignment)> {
    let mut second = volunteer(server, 2);
    if far == Others::Nobody {
        return None;
    }
    let given = take(&mut second, job);
    if far == Others::Hold {
        return Some((second, given));
    }
    report(&mut second, &given, number(7.0));
    if far == Others::Answered {
        return None;
    }
    let mut third = volunteer(server, 3);
    let given = take(&mut third, job);
    if far == Others::HoldAgain {
        return Some((third, given));
    }
    report(&mut third, &given, number(7.0));
    None
}

fn a_late_report_counts_until_it_is_overtaken(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    for (far, said, verdict, expected) in [
        (Others::Nobody, 7.0, Verdict::Accepted, &["completed agreed", "completed agreed"][..]),
        (Others::Hold, 1.0, Verdict::Superseded, &["lost", "completed agreed", "completed agreed"]),
        (Others::Answered, 1.0, Verdict::Superseded, &["lost", "completed agreed", "completed agreed"]),
        (Others::HoldAgain, 1.0, Verdict::Superseded, &["lost", "completed agreed", "completed agreed"]),
        (Others::Believed, 1.0, Verdict::Superseded, &["lost", "completed agreed", "completed agreed"]),
    ] {
        let job = put_judged(&server, "quorum(2)", 0);
        let mut away = volunteer(&server, 1);
        let given = take(&mut away, job);
        drop(away);
        server.api().await_history(&job.to_string(), |story| story.attempts[0].end.is_some());
        let holder = others_come(&server, job, far);
        let mut back = volunteer(&server, 1);
        assert_eq!(report(&mut back, &given, number(said)), verdict, "{far:?}");
        if let Some((mut holder, given)) = holder {
            assert_eq!(report(&mut holder, &given, number(7.0)), Verdict::Accepted, "{far:?}");
        }
        if !story(&server, job).job.state.is_terminal() {
            answer(&mut volunteer(&server, 9), job, number(7.0));
        }
        assert_eq!(result(&server, job), 7, "{far:?}");
        assert_eq!(ends(&story(&server, job)), expected, "{far:?}");
    }
    server.audit();
}

fn a_report_that_is_repeated_changes_nothing(database: DatabaseKind) {
    let server = database.server_with(&BEHIND_A_PROXY);
    let job = put_judged(&server, "quorum(2)", 0);
    let mut first = volunteer(&server, 1);
    let given = take(&mut first, job);
    for said in [7.0, 7.0, 8.0] {
        assert_eq!(report(&mut first, &given, number(said)), Verdict::Accepted, "{said}");
        assert_eq!(ends(&story(&server, job)), ["completed open"], "{said}");
    }
    let later = put_judged(&server, "quorum(2)", -1);
    assert_eq!(next(&mut first).key.job, later.number(), "it has answered");
    answer(&mut volunteer(&server, 2), job, number(7.0));
    assert_eq!(result(&server, job), 7);
    assert_eq!(report(&mut first, &given, number(8.0)), Verdict::Accepted);
    assert_eq!(result(&server, job), 7);
}

/// The copy is handed in over another connection, by a device with another key.
fn a_report_speaks_for_who_got_the_copy(database: DatabaseKind) {
    let server = database.server_with(&BEHIND_A_PROXY);
    let job = put_judged(&server, "quorum(3)", 0);
    let mut first = volunteer(&server, 1);
    let given = take(&mut first, job);
    drop(first);
    server.api().await_history(&job.to_string(), |story| story.attempts[0].end.is_some());
    let mut friend = volunteer(&server, 2);
    assert_eq!(report(&mut friend, &given, number(7.0)), Verdict::Accepted);
    answer(&mut friend, job, number(7.0));
    let devices: Vec<_> = story(&server, job).attempts.into_iter().map(|attempt| attempt.answer).collect();
    let [Some(one), Some(other)] = &devices[..] else { panic!("two answers: {devices:?}") };
    assert_ne!(one.device, other.device);
    let later = put_judged(&server, "quorum(3)", -1);
    assert_eq!(next(&mut volunteer(&server, 1)).key.job, later.number(), "it counts as having answered");
}

fn answers_outlast_a_pause(database: DatabaseKind) {
    let server = database.server_with(&BEHIND_A_PROXY);
    let (run, job) = judged_run(&server, "quorum(2)");
    answer(&mut volunteer(&server, 1), job, number(7.0));
    let paused = server.api().post(&Operation::PauseRun.path(&[&run]), "", &[], &[]);
    assert_eq!(paused.status, 200, "{}", paused.text);
    let held = story(&server, job).job;
    assert_eq!((held.state, held.waits), (NodeState::Answered, Some(JobWait::Resume)));
    let other = put_judged(&server, "quorum(2)", -9);
    let mut second = volunteer(&server, 2);
    answer(&mut second, other, number(7.0));
    server.api().post(&Operation::ResumeRun.path(&[&run]), "", &[], &[]);
    assert_eq!(next(&mut volunteer(&server, 1)).key.job, other.number(), "it has answered the run's job");
    answer(&mut second, job, number(7.0));
    assert_eq!(server.api().await_end(&run).result, Some(7.into()));
}

/// Two devices, each with several tabs that want many jobs at a time: each answers each job once.
fn a_pool_is_computed_by_as_many_as_have_to_agree(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let input = format!("[{}]", vec!["1"; ELEMENTS].join(","));
    let pool = pool_workflow(
        &input,
        "function weevil_main(n) { return n }",
        "function weevil_main(all) { return 1 }",
    );
    let run = server.api().run_form(&Form::of(&pool).text("trust", "quorum(2)")).run;
    for turn in 0..4 {
        let mut worker = volunteer(&server, 1 + turn % 2);
        worker.capacity = 16;
        worker.tell(Vec::new());
        std::thread::spawn(|| answer_all(worker));
    }
    assert_eq!(server.api().await_end(&run).result, Some(1.into()));
    let jobs = jobs(&server, &run, ELEMENTS + 1);
    let wrong: Vec<_> =
        jobs.iter().filter(|job| job.state != NodeState::Finished || job.handed_out != 2).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    server.audit();
}
