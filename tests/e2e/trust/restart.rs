//! The server dies between two answers of a job: what was acknowledged stays, and nothing is believed twice.

use weevil_e2e::{DatabaseKind, FakeWorker, number, on_each_database};
use weevil_failpoint::Point;
use weevil_model::{NodeState, RunState};
use weevil_protocol::frame::{Assignment, AttemptResult, ClientFrame, Verdict};

use super::scene::{
    BEHIND_A_PROXY, answer, credit_is_exact, ends, judged_run, killed, next, put_judged, report, result,
    story, take, volunteer,
};

on_each_database!(
    one_answer_more_is_enough_after_a_kill,
    a_copy_that_was_out_may_still_speak,
    an_answer_is_written_whole_or_not_at_all,
);

fn one_answer_more_is_enough_after_a_kill(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let (run, of_run) = judged_run(&server, "quorum(2)");
    let alone = put_judged(&server, "quorum(2)", 9);
    for job in [alone, of_run] {
        answer(&mut volunteer(&server, 1), job, number(7.0));
    }
    killed(&mut server);
    let later = put_judged(&server, "quorum(2)", -9);
    assert_eq!(next(&mut volunteer(&server, 1)).key.job, later.number(), "it has answered both");
    for job in [alone, of_run] {
        assert_eq!(story(&server, job).job.state, NodeState::Answered);
        answer(&mut volunteer(&server, 2), job, number(7.0));
        assert_eq!(result(&server, job), 7);
        assert_eq!(ends(&story(&server, job)), ["completed agreed"; 2]);
    }
    let end = server.api().await_end(&run);
    assert_eq!((end.summary.state, end.result), (RunState::Finished, Some(7.into())));
    let (jobs, workers, places) = (end.stats.jobs, end.stats.workers, end.stats.places);
    assert_eq!((jobs, workers, places), (1, 1, None), "once, whoever agreed, and from several places");
    server.audit();
}

/// Somebody has the second copy when the server dies: the report counts unless somebody else was given the job meanwhile.
fn a_copy_that_was_out_may_still_speak(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    for (others, verdict, expected) in [
        (false, Verdict::Accepted, &["completed agreed", "completed agreed"][..]),
        (true, Verdict::Superseded, &["completed agreed", "lost", "completed agreed"]),
    ] {
        let job = put_judged(&server, "quorum(2)", 0);
        answer(&mut volunteer(&server, 1), job, number(7.0));
        let given = take(&mut volunteer(&server, 2), job);
        killed(&mut server);
        let third = others.then(|| {
            let mut third = volunteer(&server, 3);
            let given = take(&mut third, job);
            (third, given)
        });
        assert_eq!(report(&mut volunteer(&server, 2), &given, number(7.0)), verdict, "{others}");
        if let Some((mut third, given)) = third {
            assert_eq!(report(&mut third, &given, number(7.0)), Verdict::Accepted);
        }
        assert_eq!(result(&server, job), 7);
        assert_eq!(ends(&story(&server, job)), expected);
    }
    server.audit();
}

/// Reports to a server that dies of it.
fn report_in_vain(worker: &mut FakeWorker, job: &Assignment) {
    let outcome = number(7.0);
    let result = AttemptResult { key: job.key, outcome, slot: 0, compute_us: 1, flops: 0.0, log: None };
    worker.try_send(&ClientFrame::Results { results: vec![result], capacity: 0 });
    while worker.frame().is_some() {}
}

/// The server dies with the first, or with the second, answer written and not committed.
fn an_answer_is_written_whole_or_not_at_all(database: DatabaseKind) {
    for answers in 0..2 {
        let mut server = database.server_with(&BEHIND_A_PROXY);
        let job = put_judged(&server, "quorum(2)", 0);
        for key in 1..=answers {
            answer(&mut volunteer(&server, key), job, number(7.0));
        }
        server.kill();
        assert!(server.restart_to_die(Point::AnswerWritten, 1));
        let mut worker = volunteer(&server, answers + 1);
        let given = take(&mut worker, job);
        report_in_vain(&mut worker, &given);
        server.await_death();
        server.restart();
        let mut before = vec!["completed open"; usize::from(answers)];
        before.push("lost");
        assert_eq!(ends(&story(&server, job)), before, "after {answers}");
        let verdict = report(&mut volunteer(&server, answers + 1), &given, number(7.0));
        assert_eq!(verdict, Verdict::Accepted, "after {answers}: its attempt may be late");
        for key in answers + 2..=2 {
            answer(&mut volunteer(&server, key), job, number(7.0));
        }
        assert_eq!(result(&server, job), 7);
        assert_eq!(ends(&story(&server, job)), ["completed agreed"; 2], "after {answers}");
        credit_is_exact(&server);
        server.audit();
    }
}
