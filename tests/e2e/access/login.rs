//! Letting a program in from a browser: the command waits, somebody approves, and the token that comes of it opens the server from
//! another folder; what strangers can do to it comes to nothing.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;
use weevil_api::routes::Operation;
use weevil_e2e::hostile::{Reply, Stranger};
use weevil_e2e::{TestServer, shipped};

use super::local::Halves;
use super::people::{accept, halves, invite, send};

fn json(reply: &Reply) -> Value {
    serde_json::from_slice(&reply.body).expect("JSON")
}

/// A command of somebody whose own folder this is, and who has no other way into a server.
fn command(server: &TestServer, home: &Path, args: &[&str]) -> Command {
    let mut command = server.command();
    command.env("WEEVIL_RUNTIME_DIR", home).env("XDG_CONFIG_HOME", home).env_remove("WEEVIL_TOKEN");
    command.args(args).current_dir(home);
    command
}

fn run(server: &TestServer, home: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output: Output = command(server, home, args).output().expect("the binary runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).trim_end().to_owned())
}

/// A command that waits, and the code that it shows.
fn login(server: &TestServer, home: &Path) -> (Child, Value) {
    let args = ["login", "--server", &server.url(""), "--name", "a cluster", "--json"];
    let mut waiting = command(server, home, &args).stdout(Stdio::piped()).spawn().expect("the binary runs");
    let mut line = String::new();
    let told = BufReader::new(waiting.stdout.as_mut().expect("a pipe")).read_line(&mut line);
    told.expect("a line");
    (waiting, serde_json::from_str(&line).expect("JSON"))
}

fn decide(server: &TestServer, who: &Stranger, code: &str, decision: &Value) -> (u16, String) {
    let path = Operation::DecideLogin.path(&[&code]);
    let reply =
        who.ask("POST", &path, &[("Content-Type", "application/json")], decision.to_string().as_bytes());
    assert_eq!(server.api().ready().status, 200);
    (reply.status, reply.code())
}

fn somebody(server: &TestServer) -> Halves {
    halves(&accept(&server.stranger(), &invite(server, 1, true), "ada"))
}

#[test]
fn a_machine_is_let_in_runs_a_workflow_and_is_forgotten() {
    let (server, home) = (TestServer::start(&[]), TempDir::new().expect("a folder"));
    let ada = somebody(&server).stranger(&server);
    let (mut waiting, told) = login(&server, home.path());
    let code = told["code"].as_str().expect("a code").to_owned();
    assert_eq!(told["address"], json!(server.url(&format!("/console#/login/{code}"))));
    let seen = json(&ada.get(&Operation::ShowLogin.path(&[&code])));
    assert_eq!((&seen["name"], &seen["place"]), (&json!("a cluster"), &json!("loopback")));
    let scopes = ["runs:read", "runs:write", "workflows:read"];
    let decision = json!({ "approve": true, "scopes": scopes, "days": 3 });
    assert_eq!(decide(&server, &ada, &code, &decision), (204, String::new()));
    assert_eq!(decide(&server, &ada, &code, &decision), (404, "noSuchLogin".into()), "once");
    assert!(waiting.wait().expect("the command ends").success());

    let elsewhere = TempDir::new().expect("a folder");
    for (path, bytes) in shipped("add") {
        std::fs::write(elsewhere.path().join(path), bytes).expect("a file");
    }
    let workflow = elsewhere.path().to_str().expect("a path");
    let (code, text) = run(&server, home.path(), &["run", workflow]);
    assert_eq!(code, Some(0), "it asks the server that it was let into: {text}");
    assert!(text.starts_with("run_"), "{text}");
    let (code, text) = run(&server, home.path(), &["whoami"]);
    assert_eq!(code, Some(0));
    assert!(
        text.starts_with("ada, by the token `a cluster` for all its projects, good for 3 days"),
        "{text}"
    );
    let (code, text) = run(&server, home.path(), &["pause"]);
    assert!(code == Some(2) && text.contains("queue:pause"), "{text}");

    let (code, text) = run(&server, home.path(), &["logout"]);
    assert_eq!(code, Some(0), "{text}");
    let listed = json(&ada.get(&Operation::ListTokens.path(&[])));
    assert!(listed["tokens"][0]["revokedAt"].is_i64(), "{listed}");
    let (code, text) = run(&server, home.path(), &["whoami"]);
    assert!(
        code == Some(2) && text.contains(&format!("run `weevil login --server {}`", server.url(""))),
        "{text}"
    );
    assert!(run(&server, home.path(), &["logout"]).1.contains("has no token for"));
}

#[test]
fn nobody_is_let_in_who_is_denied_or_only_has_the_code() {
    let (server, home) = (TestServer::start(&[]), TempDir::new().expect("a folder"));
    let ada = somebody(&server).stranger(&server);
    let (waiting, told) = login(&server, home.path());
    let code = told["code"].as_str().expect("a code").to_owned();
    let approve = json!({ "approve": true, "scopes": ["runs:read"] });
    let nobody = server.stranger();
    assert_eq!(decide(&server, &nobody, &code, &approve), (401, "notSignedIn".into()));
    assert_eq!(
        decide(&server, &server.owner(), &code, &approve),
        (403, "notAllowed".into()),
        "it has no account"
    );
    for bad in [json!({ "approve": true, "scopes": [] }), json!({ "approve": true, "scopes": ["self"] })] {
        assert_eq!(decide(&server, &ada, &code, &bad), (400, "badBody".into()), "{bad}");
    }
    for login in [code.as_str(), "", &"0".repeat(64)] {
        let asked = json(&send(&nobody, Operation::AskLogin, &json!({ "login": login })));
        assert_eq!(asked, json!({ "state": "over" }), "the code is not what the program asks with");
    }
    assert_eq!(decide(&server, &ada, &code, &json!({ "approve": false })), (204, String::new()));
    let output = waiting.wait_with_output().expect("the command ends");
    assert_eq!(output.status.code(), Some(2));
    assert!(!home.path().join("weevil/client.toml").exists());
    assert_eq!(json(&ada.get(&Operation::ListTokens.path(&[])))["tokens"], json!([]));
}

#[test]
fn a_place_that_begins_too_many_logins_waits_and_another_one_does_not() {
    let server = TestServer::start(&["--trusted-proxy", "127.0.0.1"]);
    let begin =
        |place: &str| send(&server.stranger().from(place), Operation::BeginLogin, &json!({ "name": "x" }));
    for _ in 0..10 {
        assert_eq!(begin("192.0.2.1").status, 201);
    }
    let reply = begin("192.0.2.1");
    assert_eq!((reply.status, reply.code().as_str()), (429, "slowDown"));
    assert_eq!(begin("192.0.2.2").status, 201);
    let open = json(&begin("192.0.2.3"));
    let asked = send(&server.stranger(), Operation::AskLogin, &json!({ "login": open["login"] }));
    assert_eq!(json(&asked), json!({ "state": "tooSoon" }), "asked at once");
}
