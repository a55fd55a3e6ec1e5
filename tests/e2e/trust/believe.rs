//! `examples/believe`, as its page says: three real browsers that nobody knows finish it, and its certificate holds without a server.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use weevil_e2e::{Browser, TestServer, default_binary};
use weevil_model::RunState;

use crate::looks::{await_words, look_at_console};

fn weevil(command: &mut Command) -> (i32, String) {
    let output = command.output().expect("the binary runs");
    let said = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn three_browsers_finish_the_example_and_its_certificate_holds() {
    let mut server = TestServer::start(&[]);
    let browsers = [(); 3].map(|()| Browser::start());
    let _tabs = browsers.each_ref().map(|browser| browser.open(&server.url("/?autostart&slots=1")));
    let (address, example) =
        (server.url(""), Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/believe"));
    let started = weevil(server.command().arg("run").arg(&example).args(["--server", &address]));
    assert_eq!(started.0, 0, "{}", started.1);
    let run = started.1.trim().to_owned();
    let end = server.api().await_end(&run);
    assert_eq!(
        (end.summary.state, end.result),
        (RunState::Finished, Some(148_933.into())),
        "{:?}",
        end.error
    );
    let (per_job, bound) = (end.stats.per_job, end.stats.bound);
    assert!(per_job.is_some_and(|many| many >= 1.0), "{per_job:?}");
    assert!(bound.is_some_and(|bound| bound <= 0.001), "{bound:?}");

    let folder = TempDir::new().expect("a folder");
    let [certificate, result] = ["run.certificate", "result.json"].map(|name| folder.path().join(name));
    let fetched =
        weevil(server.command().args(["certificate", &run, "--server", &address, "-o"]).arg(&certificate));
    assert_eq!(fetched.0, 0, "{}", fetched.1);
    let told = weevil(server.command().args(["result", &run, "--server", &address]));
    fs::write(&result, &told.1).expect("a file");
    let console = server.console(&browsers[0], &format!("#/runs/{run}"));
    await_words(&console, "#run-page", "Judged by credible(0.001)");
    await_words(&console, "#run-page", "is expected to be wrong");
    look_at_console(&console, "believed-run");
    server.kill();

    let verify = |certificate: &Path| {
        let mut command = Command::new(default_binary());
        command.arg("verify").arg(certificate).arg("--workflow").arg(&example).arg("--result").arg(&result);
        weevil(&mut command)
    };
    let (code, words) = verify(&certificate);
    assert!(code == 0 && words.contains("101 jobs"), "{code}: {words}");
    let text = fs::read_to_string(&certificate).expect("a certificate");
    let changed = folder.path().join("changed");
    fs::write(&changed, text.replacen("\"points\":2", "\"points\":3", 1)).expect("a file");
    assert_eq!(verify(&changed).0, 1, "one digit");
}
