//! The queue from the command line: stand-alone jobs put in, waited for, listed, ended; pause and resume.

use std::process::Output;

use tempfile::TempDir;
use weevil_api::JobHistory;
use weevil_e2e::{FakeWorker, TestServer, job_workflow, number, thrown};

fn weevil(server: &TestServer, args: &[&str]) -> Output {
    let url = server.url("");
    server.command().args(args).args(["--server", &url]).output().expect("the binary runs")
}

/// Exit code, and what was printed on either side.
fn printed(output: &Output) -> (i32, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout) + &text(&output.stderr))
}

fn code(folder: &TempDir, text: &str) -> String {
    let path = folder.path().join("Add.js");
    std::fs::write(&path, text).expect("a file can be written");
    path.to_str().expect("a path").to_owned()
}

#[test]
fn a_job_is_put_in_once_waited_for_and_listed() {
    let server = TestServer::start(&[]);
    let folder = TempDir::new().expect("a folder");
    let add = code(&folder, "function weevil_main(a, b) { return a + b }");
    let (exit, job) = printed(&weevil(&server, &["submit", &add, "1", "2", "--key", "k", "--queue", "q"]));
    assert!(exit == 0 && job.starts_with("job_"), "{exit} {job}");
    let again = printed(&weevil(&server, &["submit", &add, "1", "2", "--key", "k", "--queue", "q"]));
    assert_eq!(again, (0, format!("{job} was there before")));
    let (exit, words) = printed(&weevil(&server, &["submit", &add, "1", "7", "--key", "k", "--queue", "q"]));
    assert!(exit == 2 && words.contains("choose another key"), "{exit} {words}");
    let args = ["submit", &add, "1", "2", "--key", "k", "--queue", "q", "--wait"];
    let waited = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| weevil(&server, &args));
        let mut worker = FakeWorker::join(&server.address, 1);
        let held = worker.job();
        worker.report(vec![(held.key, number(3.0))]);
        waiting.join().expect("the command ends")
    });
    assert_eq!(printed(&waited), (0, format!("3waiting for {job}")));
    let (_, listed) = printed(&weevil(&server, &["jobs", "--queue", "q"]));
    assert_eq!(listed, format!("{job}  FINISHED   0 of 3 attempts failed  k"));
    let (_, seeded) = printed(&weevil(&server, &["submit", &add, "1", "2", "--seed", "000000000000002a"]));
    let history: JobHistory = server.api().json(&format!("/api/v1/jobs/{seeded}"));
    assert_eq!(history.seed, "000000000000002a");
    let (_, story) = printed(&weevil(&server, &["explain", &job]));
    assert!(story.starts_with(&format!("{job} in the queue q, key k: FINISHED\n")), "{story}");
}

#[test]
fn what_cannot_be_put_in_is_told_in_words() {
    let server = TestServer::start(&[]);
    let folder = TempDir::new().expect("a folder");
    let broken = code(&folder, "function weevil_main() {\n  retur 1 }");
    for (args, words) in [
        (vec!["submit", &broken], "Add.js:2:"),
        (vec!["submit", "nowhere.js"], "nowhere.js cannot be read"),
        (vec!["submit", &broken, "text"], "the argument `text` is not JSON"),
        (vec!["submit", &broken, "--seed", "7"], "a seed has 16 hexadecimal digits"),
        (vec!["jobs"], "<RUN>"),
        (vec!["cancel", "job_x"], "job_"),
        (vec!["pause", "run_0000000000001"], "no run"),
    ] {
        let (exit, found) = printed(&weevil(&server, &args));
        assert!(exit == 2 && found.contains(words), "{args:?}: {exit} {found}");
    }
}

#[test]
fn a_failed_job_ends_the_wait_with_its_errors() {
    let server = TestServer::start(&[]);
    let folder = TempDir::new().expect("a folder");
    let path = code(&folder, "function weevil_main() { throw new Error('boom') }");
    let (exit, words) = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| weevil(&server, &["submit", &path, "--attempts", "1", "--wait"]));
        let mut worker = FakeWorker::join(&server.address, 1);
        let held = worker.job();
        worker.report(vec![(held.key, thrown("boom"))]);
        printed(&waiting.join().expect("the command ends"))
    });
    assert!(exit == 1 && words.contains("is FAILED") && words.contains("thrown: boom"), "{exit} {words}");
}

#[test]
fn pause_resume_and_cancel_say_what_they_did() {
    let server = TestServer::start(&[]);
    let folder = TempDir::new().expect("a folder");
    let path = code(&folder, "function weevil_main() { return 1 }");
    let run = server.api().run(&job_workflow("function weevil_main() { return 1 }", ""));
    server.api().await_waiting(&run, 1);
    let (_, job) = printed(&weevil(&server, &["submit", &path, "--delay-seconds", "3600"]));
    for (args, words) in [
        (
            vec!["pause", &run],
            format!("{run} is paused: what its workers hold goes on, nothing else is handed out"),
        ),
        (vec!["resume", &run], format!("{run} goes on")),
        (
            vec!["pause", "--note", "new rack"],
            "the queue is paused: 0 jobs go on, 1 wait for it to be resumed".into(),
        ),
        (vec!["resume"], "the queue goes on: 0 jobs run, 1 wait for a worker".into()),
        (vec!["cancel", &job], format!("{job} is CANCELLED")),
        (vec!["cancel", &run], format!("{run} is CANCELLED")),
    ] {
        if args[0] == "pause" && args[1] == "--note" {
            server.api().await_queue(|queue| queue.ready == 1);
        }
        assert_eq!(printed(&weevil(&server, &args)), (0, words), "{args:?}");
        if args[0] == "pause" && args[1] == "--note" {
            let (_, told) = printed(&weevil(&server, &["queue"]));
            assert!(told.contains("paused ") && told.contains("\n  new rack\n"), "{told}");
            for words in [
                "\n1 ready for javascript: no connected worker meets that; the oldest was put in ",
                "\n  `weevil resume` goes on.\n",
                "\nqueue default: 0 ready, 1 delayed; the oldest was put in ",
            ] {
                assert!(told.contains(words), "{words}: {told}");
            }
        }
    }
}
