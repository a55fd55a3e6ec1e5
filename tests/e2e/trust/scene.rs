//! A server behind a proxy that it trusts, volunteers from networks of their own, and jobs that are judged.

use serde_json::{Value as Json, json};
use weevil_api::routes::Operation;
use weevil_api::{AttemptView, JobHistory, JobView};
use weevil_e2e::{FakeWorker, Form, Guest, TestServer, job_workflow};
use weevil_model::JobId;
use weevil_protocol::frame::{Assignment, Outcome, Verdict};

/// The proxy that says where everybody comes from.
pub(super) const BEHIND_A_PROXY: [&str; 2] = ["--trusted-proxy", "127.0.0.1"];
pub(super) const CODE: &str = "function weevil_main() { return 1 }";

/// A tab that wants nothing yet, of the device with this key or of one without, from there.
pub(super) fn tab(server: &TestServer, key: Option<u8>, place: &str) -> FakeWorker {
    tab_of(server, key, Guest { place: Some(place), ..Guest::default() })
}

/// As `tab`, of this browser.
pub(super) fn tab_of(server: &TestServer, key: Option<u8>, guest: Guest<'_>) -> FakeWorker {
    let mut worker = FakeWorker::join_as(&server.address, guest);
    if let Some(key) = key {
        worker.introduce(key, &server.address);
    }
    worker
}

/// A tab of a volunteer who is independent of all others: with a device and a network of that number.
pub(super) fn volunteer(server: &TestServer, number: u8) -> FakeWorker {
    browser(server, number, Guest::default().agent)
}

/// As `volunteer`, with this browser.
pub(super) fn browser(server: &TestServer, number: u8, agent: &str) -> FakeWorker {
    let place = format!("198.51.{number}.7");
    tab_of(server, Some(number), Guest { place: Some(&place), agent, ..Guest::default() })
}

/// The server dies, and comes back.
pub(super) fn killed(server: &mut TestServer) {
    server.kill();
    server.restart();
}

/// Puts a judged job in, to be handed out before those of a lower priority. Answers its id.
pub(super) fn put_judged(server: &TestServer, policy: &str, priority: i32) -> JobId {
    let job = json!({ "source": CODE, "trust": policy, "priority": priority, "retryMs": 1 });
    server.api().put_job(&job).job.parse().expect("the id of a job")
}

/// The jobs of a run, once so many of them are in the queue.
pub(super) fn jobs(server: &TestServer, run: &str, count: usize) -> Vec<JobView> {
    server.api().await_jobs(run, count)
}

/// Starts a run of one job with this policy.
pub(super) fn judged_run(server: &TestServer, policy: &str) -> (String, JobId) {
    let form = Form::of(&job_workflow(CODE, "")).text("trust", policy);
    let run = server.api().run_form(&form).run;
    let job = jobs(server, &run, 1).remove(0).id;
    (run, job.parse().expect("the id of a job"))
}

/// The worker wants a job, and this is what it gets.
pub(super) fn next(worker: &mut FakeWorker) -> Assignment {
    worker.capacity = 1;
    worker.tell(Vec::new());
    let job = worker.job();
    worker.capacity = 0;
    job
}

/// As `next`, where it has to be of this job.
pub(super) fn take(worker: &mut FakeWorker, job: JobId) -> Assignment {
    let given = next(worker);
    assert_eq!(given.key.job, job.number(), "another job than {job}");
    given
}

/// Reports, and wants nothing more.
pub(super) fn report(worker: &mut FakeWorker, job: &Assignment, outcome: Outcome) -> Verdict {
    worker.report(vec![(job.key, outcome)]).remove(0)
}

/// The worker takes this job and answers it.
pub(super) fn answer(worker: &mut FakeWorker, job: JobId, outcome: Outcome) {
    let given = take(worker, job);
    assert_eq!(report(worker, &given, outcome), Verdict::Accepted);
}

/// Ends a job, whoever holds it.
pub(super) fn cancel(server: &TestServer, job: JobId) {
    let answer = server.api().post(&Operation::CancelJob.path(&[&job]), "", &[], &[]);
    assert_eq!(answer.status, 200, "{}", answer.text);
}

/// What became of a job so far.
pub(super) fn story(server: &TestServer, job: JobId) -> JobHistory {
    server.api().json(&Operation::ShowJob.path(&[&job]))
}

/// The end of each attempt, with what became of its answer: `completed agreed`, `lost`.
pub(super) fn ends(history: &JobHistory) -> Vec<String> {
    let end = |attempt: &AttemptView| {
        let fate = attempt.answer.as_ref().map(|answer| answer.fate.as_deref().unwrap_or("open"));
        let words = [attempt.end.as_deref().or(Some("runs")), fate];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    history.attempts.iter().map(end).collect()
}

/// The result of a job that has ended with one.
pub(super) fn result(server: &TestServer, job: JobId) -> Json {
    let found = server.api().await_job(&job.to_string());
    found.result.unwrap_or_else(|| panic!("{job} has no result: {:?} {:?}", found.state, found.errors))
}

/// Each device was credited once for each of its answers, for each that agreed and for each that differed, whatever the server died of. Nothing
/// was forgotten yet, so what was counted along is what is there.
pub(super) fn credit_is_exact(server: &TestServer) {
    let counted = "select r.given * 1000000 + r.confirmed * 1000 + r.differed from records r where r.given > 0 order by r.device";
    let there = "select count(*) * 1000000 + sum(a.fate = 'agreed') * 1000 + sum(a.fate = 'refuted')
        from (select device, coalesce(fate, '') as fate from answers where device is not null and given_at is not null) a
        group by a.device order by a.device";
    let (counted, there) = (server.rows(counted), server.rows(there));
    assert!(!there.is_empty(), "nobody has answered");
    assert_eq!(counted, there, "in millions: given; in thousands: confirmed; and differed");
}
