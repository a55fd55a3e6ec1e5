//! The server's log as a collector reads it, and where settings come from.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use weevil_e2e::{Api, Form, PATIENCE, default_binary, job_workflow};

#[test]
fn a_request_is_found_in_the_log_by_its_id() {
    let data = TempDir::new().expect("a folder");
    let mut child = Command::new(default_binary())
        .args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json", "--data"])
        .arg(data.path())
        .env("RUST_LOG", "info")
        .env("WEEVIL_RUNTIME_DIR", data.path().join("run"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut address = String::new();
    let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
    stdout.read_line(&mut address).expect("the server speaks");
    let address = address.trim().trim_start_matches("listening on http://");
    let api = Api::of_owner(address, &data.path().join("run"), PATIENCE);
    let form = Form::of(&job_workflow("function weevil_main() { return 1 }", ""));
    let answer = api.submit_response("/api/v1/runs?name=secret", &form);
    assert_eq!(answer.status(), 201);
    let id = answer.headers()["x-request-id"].to_str().expect("text").to_owned();
    let own = api.get_with("/healthz", &[("x-request-id", "from-the-proxy")]);
    assert_eq!(own.headers()["x-request-id"], "from-the-proxy");
    let log = BufReader::new(child.stderr.take().expect("stderr is piped")).lines().map_while(Result::ok);
    let mut lines = log.map(|line| serde_json::from_str::<Value>(&line).expect("each line is an object"));
    let begun = lines.find(|line| line["message"] == "a run begins").expect("the run is logged");
    child.kill().expect("the server can be killed");
    child.wait().expect("the server has ended");
    assert_eq!(begun["span"]["id"], id.as_str(), "{begun}");
    assert_eq!((&begun["span"]["path"], &begun["level"]), (&"/api/v1/runs".into(), &"INFO".into()));
}

#[test]
fn settings_come_from_flags_variables_file_and_defaults_in_this_order() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("weevil.toml");
    std::fs::write(&file, "lease-seconds = 31\nheartbeat-seconds = 11\ndrain-seconds = 1\n").expect("a file");
    let printed = Command::new(default_binary())
        .args(["serve", "--print-config", "--lease-seconds", "33"])
        .env("WEEVIL_CONFIG", &file)
        .env("WEEVIL_LEASE_SECONDS", "32")
        .env("WEEVIL_HEARTBEAT_SECONDS", "12")
        .output()
        .expect("the binary runs");
    let text = String::from_utf8_lossy(&printed.stdout);
    for line in [
        "listen = \"127.0.0.1:8080\" # default".to_owned(),
        "lease-seconds = 33 # flag".to_owned(),
        "heartbeat-seconds = 12 # environment, WEEVIL_HEARTBEAT_SECONDS".to_owned(),
        format!("drain-seconds = 1 # {}, line 3", file.display()),
    ] {
        assert!(text.lines().any(|printed| printed == line), "{line} in {text}");
    }
    std::fs::write(&file, "lease_seconds = 31\n").expect("a file");
    let refused = Command::new(default_binary())
        .args(["serve", "--print-config", "--config"])
        .arg(&file)
        .output()
        .expect("the binary runs");
    let told = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{told}");
    assert!(
        told.contains(":1:1: there is no setting `lease_seconds`; did you mean `lease-seconds`?"),
        "{told}"
    );
}
