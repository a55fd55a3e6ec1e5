//! Errors are answers too, and end a whole run: few liars cannot do that, whatever they say.

use weevil_e2e::{DatabaseKind, number, on_each_database, text, thrown};
use weevil_model::{NodeState, RunState};
use weevil_protocol::frame::{JobError, JobErrorKind, Outcome, Verdict};

use super::scene::{
    BEHIND_A_PROXY, answer, cancel, ends, judged_run, put_judged, report, result, story, take, volunteer,
};

on_each_database!(
    a_job_fails_once_four_agree_on_an_error,
    under_a_credible_policy_an_error_takes_twice_the_lead,
    three_liars_cannot_end_a_run,
    a_machines_error_is_no_answer,
);

/// `7` and `8` are values, letters kinds of errors.
fn outcome(said: char, turn: u8) -> Outcome {
    let kind = match said {
        '7' | '8' => return number(f64::from(said.to_digit(10).expect("a digit"))),
        // Browsers word the same error in their own ways.
        't' => return thrown(&format!("boom {turn}")),
        's' => JobErrorKind::Syntax,
        'm' => JobErrorKind::NoMain,
        'v' => JobErrorKind::NotAValue,
        other => panic!("{other} is no outcome"),
    };
    Outcome::Error(JobError { kind, message: "no".into(), stack: String::new() })
}

fn a_job_fails_once_four_agree_on_an_error(database: DatabaseKind) {
    let server = database.server_with(&BEHIND_A_PROXY);
    for (policy, said, state) in [
        ("quorum(2)", "t", NodeState::Answered),
        ("quorum(2)", "ttt", NodeState::Answered),
        ("quorum(2)", "tttt", NodeState::Failed),
        ("quorum(2)", "ssss", NodeState::Failed),
        ("quorum(2)", "ttts", NodeState::Answered),
        ("quorum(2)", "tsmv", NodeState::Answered),
        ("quorum(2)", "tttst", NodeState::Answered),
        ("quorum(2)", "tttstt", NodeState::Failed),
        ("quorum(2)", "t77", NodeState::Finished),
        ("quorum(2)", "ttt777", NodeState::Answered),
        ("quorum(2)", "ttt7777", NodeState::Finished),
        ("quorum(2)", "7tttt", NodeState::Answered),
        ("quorum(2)", "7ttttt", NodeState::Failed),
        ("quorum(2)", "78t8", NodeState::Finished),
        ("quorum(5)", "tttt", NodeState::Answered),
        ("quorum(5)", "ttttt", NodeState::Failed),
    ] {
        let job = put_judged(&server, policy, 0);
        for (said, turn) in said.chars().zip(1..) {
            answer(&mut volunteer(&server, turn), job, outcome(said, turn));
        }
        let story = story(&server, job);
        assert_eq!(story.job.state, state, "{policy} {said}: {:?}", ends(&story));
        if !state.is_terminal() {
            cancel(&server, job);
        }
    }
}

/// Newcomers vouch for each other here, with two points each: a value takes a lead of six, an error of twelve.
fn under_a_credible_policy_an_error_takes_twice_the_lead(database: DatabaseKind) {
    let server = database.server_with(&BEHIND_A_PROXY);
    for (said, state) in [
        ("777", NodeState::Finished),
        ("t777", NodeState::Answered),
        ("t7777", NodeState::Finished),
        ("tt77777", NodeState::Finished),
        ("ttttt", NodeState::Answered),
        ("tttttt", NodeState::Failed),
    ] {
        let job = put_judged(&server, "credible(0.01)", 0);
        for (said, turn) in said.chars().zip(1..) {
            answer(&mut volunteer(&server, turn), job, outcome(said, turn));
        }
        let story = story(&server, job);
        assert_eq!(story.job.state, state, "{said}: {:?}", ends(&story));
        if !state.is_terminal() {
            cancel(&server, job);
        }
    }
}

fn three_liars_cannot_end_a_run(database: DatabaseKind) {
    let server = database.server_with(&BEHIND_A_PROXY);
    for (lie, lies, honest, state) in [
        (thrown("boom"), 3, 4, RunState::Finished),
        (thrown("boom"), 4, 0, RunState::Failed),
        (text("of another type"), 3, 4, RunState::Finished),
        (text("of another type"), 4, 0, RunState::Failed),
    ] {
        let (run, job) = judged_run(&server, "quorum(2)");
        for turn in 1..=lies + honest {
            let said = if turn <= lies { lie.clone() } else { number(7.0) };
            answer(&mut volunteer(&server, turn), job, said);
        }
        let end = server.api().await_end(&run);
        assert_eq!(end.summary.state, state, "{lies} times {lie:?}: {:?}", end.error);
        let fates = ends(&story(&server, job));
        let fate = if state == RunState::Failed { "error agreed" } else { "error refuted" };
        assert!(fates[..usize::from(lies)].iter().all(|found| found == fate), "{fates:?}");
    }
}

/// What a machine of its own may run into counts against the attempts, and says nothing of the job.
fn a_machines_error_is_no_answer(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let job = put_judged(&server, "quorum(2)", 0);
    for (kind, turn) in [JobErrorKind::Timeout, JobErrorKind::Crashed].into_iter().zip(1..) {
        let mut worker = volunteer(&server, turn);
        let given = take(&mut worker, job);
        let error = JobError { kind, message: "no".into(), stack: String::new() };
        assert_eq!(report(&mut worker, &given, Outcome::Error(error)), Verdict::Accepted);
        let story = story(&server, job);
        assert_eq!((story.job.state, story.job.failures), (NodeState::Enqueued, u32::from(turn)), "{kind:?}");
    }
    for key in 1..=2 {
        answer(&mut volunteer(&server, key), job, number(7.0));
    }
    assert_eq!(result(&server, job), 7);
    assert_eq!(ends(&story(&server, job)), ["error", "error", "completed agreed", "completed agreed"]);
    server.audit();
}
