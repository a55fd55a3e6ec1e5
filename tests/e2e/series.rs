//! What an overview needs: how the server has fared, and workflows for who has none yet.

use weevil_api::routes::Operation;
use weevil_api::{ExampleView, RunCreated, SeriesView};
use weevil_e2e::{FakeWorker, TestServer, answer_all};
use weevil_model::RunState;

fn series(server: &TestServer, search: &str) -> SeriesView {
    server.api().json(&(Operation::ShowSeries.path(&[]) + search))
}

fn sum(column: &[u64]) -> u64 {
    column.iter().sum()
}

/// An example is run by its name alone; what was done for it is in the samples, each job once.
#[test]
fn an_example_runs_and_is_seen_in_the_series() {
    let server = TestServer::start(&[]);
    let examples: Vec<ExampleView> = server.api().json(&Operation::ListExamples.path(&[]));
    let names: Vec<&str> = examples.iter().map(|example| example.name.as_str()).collect();
    assert_eq!(names, ["add", "flops", "pi", "saxpy", "webcl-add"]);
    let started = series(&server, "").since;
    let asked = format!("{}?example=add&set=val1%3D12", Operation::CreateRun.path(&[]));
    let made: RunCreated = server.api().post(&asked, "", &[], b"").created();
    assert_eq!(made.name, "add");
    let worker = FakeWorker::join(&server.address, 2);
    let working = std::thread::spawn(move || answer_all(worker));
    assert_eq!(server.api().await_end(&made.run).summary.state, RunState::Finished);
    let seen = server
        .api()
        .await_json(&Operation::ShowSeries.path(&[]), |series: &SeriesView| sum(&series.jobs) == 2);
    assert_eq!((sum(&seen.attempts), sum(&seen.errors), seen.since), (2, 0, started));
    let lengths = [seen.at.len(), seen.mflops.len(), seen.workers.len(), seen.slots.len(), seen.busy.len()];
    assert!(lengths.iter().all(|length| *length == seen.jobs.len()), "{lengths:?}");
    assert!(seen.at.is_sorted() && seen.workers.contains(&1.0) && seen.every_ms == 1000);
    for (span, every_ms) in [("10m", 1_000), ("2h", 10_000), ("7d", 300_000)] {
        let view = series(&server, &format!("?span={span}"));
        assert_eq!((view.span.as_str(), view.every_ms), (span, every_ms));
    }
    drop(server);
    working.join().expect("a worker that ends with its server");
}

#[test]
fn what_is_no_example_and_no_span_is_refused_in_words() {
    let server = TestServer::start(&[]);
    let run = Operation::CreateRun.path(&[]);
    let hash = "0".repeat(64);
    for (path, status, code, words) in [
        (format!("{run}?example=nothing"), 404, "noSuchExample", "there are add, flops, pi"),
        (format!("{run}?example=../pi"), 404, "noSuchExample", "pi"),
        (format!("{run}?example=pi&workflow={hash}"), 400, "badUpload", "beside it"),
        (format!("{}?example=pi", Operation::KeepWorkflow.path(&[])), 400, "badUpload", "belongs to a run"),
    ] {
        let (refused, problem) = server.api().post(&path, "", &[], b"").refusal();
        assert_eq!((refused, problem.code.as_str()), (status, code), "{path}");
        assert!(problem.detail.contains(words), "{path}: {}", problem.detail);
    }
    let (status, problem) = server.api().answer("/api/v1/series?span=1y").refusal();
    assert_eq!((status, problem.code.as_str()), (400, "badQuery"));
    assert!(problem.detail.contains("10m, 2h, 7d"), "{}", problem.detail);
}
