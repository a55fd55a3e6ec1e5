//! A row for each reason why a job has failed.

use weevil_model::{Needs, NodeState, Timestamp, WorkerId};

use super::*;
use crate::decide::standing::Waiting;
use crate::job::{AttemptEnd, Failure};

/// How an attempt of this worker ended, with this kind of error.
fn ended(worker: i64, end: AttemptEnd, kind: Option<&str>) -> AttemptTold {
    let failure = |kind: &str| Failure {
        kind: kind.into(),
        message: format!("{kind} it is"),
        stack: format!("{worker}"),
    };
    AttemptTold {
        number: u32::try_from(worker).unwrap(),
        worker: WorkerId::from_number(worker).unwrap(),
        started_at: Timestamp(1),
        end: Some(end),
        failure: kind.map(failure),
        progress: Some(0.57),
    }
}

fn failed(attempts: Option<Vec<AttemptTold>>) -> JobCase {
    JobCase {
        state: NodeState::Failed,
        waiting: None,
        needs: Needs::JAVASCRIPT,
        enqueued_at: Timestamp(1_000),
        ended_at: Some(Timestamp(61_000)),
        failures: 2,
        max_attempts: 3,
        run_paused: Known::Unknown,
        code_stopped: Known::Unknown,
        attempts,
        ahead: None,
        others: None,
    }
}

#[test]
fn each_kind_of_error_is_a_fault() {
    let progress = Some(0.57);
    for (end, kind, fault) in [
        (AttemptEnd::Error, Some("thrown"), Fault::Thrown),
        (AttemptEnd::Error, Some("noMain"), Fault::NoMain),
        (AttemptEnd::Error, Some("syntax"), Fault::Syntax),
        (AttemptEnd::Error, Some("returnType"), Fault::ReturnType),
        (AttemptEnd::Error, Some("tooLarge"), Fault::TooLarge),
        (AttemptEnd::Error, Some("notAValue"), Fault::NotAValue),
        (AttemptEnd::Error, Some("timeout"), Fault::Timeout { progress }),
        (AttemptEnd::Error, Some("crashed"), Fault::Crashed),
        (AttemptEnd::Error, Some("disputed"), Fault::Disputed),
        (AttemptEnd::Error, Some("notStored"), Fault::NotStored),
        (AttemptEnd::Error, Some("melted"), Fault::Other("melted".into())),
        (AttemptEnd::Expired, None, Fault::Expired { progress }),
    ] {
        assert_eq!(fault.kind(), kind.unwrap_or(end.as_str()), "{fault:?}");
        let job = failed(Some(vec![ended(2, end, kind)]));
        let decided = Reason::Decided { attempt: 2, failures: 2, max_attempts: 3 };
        let expected = [Reason::Failed { attempt: 2, fault }, decided];
        assert_eq!(explain_job(&job, &Scene::default()), expected, "{end:?} {kind:?}");
    }
}

#[test]
fn the_last_attempt_that_counts_decides_and_others_may_say_the_same() {
    use AttemptEnd::{Cancelled, Completed, Error, Expired, Lost, Yielded};
    let (thrown, crashed) = (Some("thrown"), Some("crashed"));
    for (case, attempts, same, attempt, fault) in [
        ("two workers", vec![ended(1, Error, thrown), ended(2, Error, thrown)], Some(2), 2, Fault::Thrown),
        ("one twice", vec![ended(2, Error, thrown), ended(2, Error, thrown)], None, 2, Fault::Thrown),
        (
            "another error",
            vec![ended(1, Error, Some("syntax")), ended(2, Error, thrown)],
            None,
            2,
            Fault::Thrown,
        ),
        ("of the machine", vec![ended(1, Error, crashed), ended(2, Error, crashed)], None, 2, Fault::Crashed),
        (
            "the others do not count",
            vec![
                ended(3, Error, thrown),
                ended(4, Lost, None),
                ended(5, Yielded, None),
                ended(6, Cancelled, None),
            ],
            None,
            3,
            Fault::Thrown,
        ),
        (
            "the newest of them",
            vec![ended(1, Error, thrown), ended(2, Expired, None), ended(3, Completed, None)],
            None,
            2,
            Fault::Expired { progress: Some(0.57) },
        ),
    ] {
        let same = same.map(|workers| Reason::SameError { workers, fault: fault.clone() });
        let decided = Reason::Decided { attempt, failures: 2, max_attempts: 3 };
        let expected: Vec<Reason> =
            same.into_iter().chain([Reason::Failed { attempt, fault }, decided]).collect();
        assert_eq!(explain_job(&failed(Some(attempts)), &Scene::default()), expected, "{case}");
    }
}

#[test]
fn a_job_may_have_failed_without_an_attempt() {
    let overdue = JobCase { waiting: Some(Waiting::Overdue), ..failed(None) };
    let running = AttemptTold { end: None, ..ended(1, AttemptEnd::Lost, None) };
    for (job, expected) in [
        (overdue.clone(), Reason::Overdue { waited_ms: Some(60_000) }),
        (JobCase { ended_at: None, ..overdue.clone() }, Reason::Overdue { waited_ms: None }),
        (JobCase { ended_at: Some(Timestamp(9)), ..overdue }, Reason::Overdue { waited_ms: None }),
        (failed(None), Reason::Unknown(Unknown::Attempts)),
        (failed(Some(vec![])), Reason::Unknown(Unknown::Failure)),
        (failed(Some(vec![running])), Reason::Unknown(Unknown::Failure)),
        (failed(Some(vec![ended(1, AttemptEnd::Error, None)])), Reason::Unknown(Unknown::Failure)),
    ] {
        assert_eq!(explain_job(&job, &Scene::default()), [expected], "{job:?}");
    }
}
