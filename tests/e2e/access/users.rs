//! Accounts from the command line, by the owner of the server's machine: from the invitation to the day somebody is forgotten.

use serde_json::Value;
use weevil_e2e::TestServer;

use super::people::{PASSWORD, accept, try_password};

/// Exit code and text of a command of the server's owner.
fn weevil(server: &TestServer, command: &str, args: &[&str]) -> (Option<i32>, String) {
    let output = server.command().arg(command).args(args).args(["--server", &server.url("")]).output();
    let output = output.expect("the binary runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).trim_end().to_owned())
}

/// Invites somebody, who accepts.
fn join(server: &TestServer, name: &str, more: &[&str]) {
    let (code, text) = weevil(server, "user", &[&["add", "--json"], more].concat());
    assert_eq!(code, Some(0), "{text}");
    let made: Value = serde_json::from_str(&text).expect("JSON");
    let link = made["link"].as_str().expect("a link");
    assert_eq!(accept(&server.stranger(), link, name).status, 201);
}

#[test]
fn a_project_is_looked_after_from_the_command_line() {
    let server = TestServer::start(&[]);
    join(&server, "bob", &[]);
    let bob = "bob  researcher  since ";
    for (args, code, words) in [
        (&["list"][..], 0, "default  open  no bounds  Default"),
        (&["show", "default", "--json"], 0, "\"slug\":\"default\""),
        (&["show", "bees"], 2, "there is no project `bees`"),
        (&["quota", "default", "--jobs", "7", "--rate", "9"], 0, "open  7 jobs, 9 jobs a minute"),
        (&["quota", "default", "--jobs", "0"], 0, "open  9 jobs a minute"),
        (&["usage", "default"], 0, "0 open jobs, 0 open runs, 0 stored bytes"),
        (&["archive", "default"], 0, "default  archived "),
        (&["restore", "default"], 0, "default  open  9 jobs a minute"),
        (&["members", "default"], 0, ""),
        (&["members", "default", "--set", "bob"], 2, "`bob` is no NAME=ROLE"),
        (&["members", "default", "--set", "eve=viewer"], 2, "there is no account `eve`"),
        (&["members", "default", "--set", "bob=owner"], 2, "`viewer`, `researcher` or `admin`"),
        (&["members", "default", "--set", "BOB=researcher"], 0, bob),
        (&["members", "default", "--invite", "viewer", "--hours", "2"], 0, "#link=wvi_"),
        (&["members", "default", "--remove", "bob"], 0, ""),
        (&["members", "default", "--remove", "bob"], 2, "there is no account"),
    ] {
        let (found, text) = weevil(&server, "project", args);
        assert_eq!(found, Some(code), "{args:?}: {text}");
        assert!(text.contains(words), "{args:?}: {text}");
        assert!(!words.is_empty() || text.is_empty(), "{args:?}: {text}");
    }
}

#[test]
fn an_account_is_looked_after_from_the_command_line() {
    let server = TestServer::start(&[]);
    join(&server, "ada", &["--admin"]);
    join(&server, "bob", &["--hours", "1", "--project", "default", "--role", "viewer"]);
    let may_sign_in = |name: &str| try_password(&server.stranger(), name, PASSWORD).status == 200;
    for (args, code, words, bob) in [
        (&["list"][..], 0, "bob  active  bob", true),
        (&["show", "ADA"], 0, "ada  server admin  ada", true),
        (&["show", "eve"], 2, "there is no account `eve`", true),
        (&["add", "--hours", "721"], 2, "1 to 720 hours", true),
        (&["add", "--project", "lab", "--role", "viewer"], 2, "there is no such project", true),
        (&["disable", "ada"], 2, "last", true),
        (&["remove", "ada"], 2, "last", true),
        (&["role", "ada", "none"], 2, "last", true),
        (&["disable", "bob"], 0, "bob  disabled ", false),
        (&["list", "--state", "active"], 0, "ada  server admin  ada", false),
        (&["enable", "bob"], 0, "bob  active  bob", true),
        (&["role", "bob", "server-admin"], 0, "bob  server admin  bob", true),
        (&["disable", "ada", "--json"], 0, "\"state\":\"disabled\"", true),
        (&["enable", "ada"], 0, "ada  server admin  ada", true),
        (&["remove", "bob"], 0, "bob is removed", false),
        (&["show", "bob"], 2, "there is no account `bob`", false),
    ] {
        let (found, text) = weevil(&server, "user", args);
        assert_eq!(found, Some(code), "{args:?}: {text}");
        assert!(text.contains(words), "{args:?}: {text}");
        assert_eq!(may_sign_in("bob"), bob, "after {args:?}");
    }
    let audit = |args: &[&str]| {
        let (code, text) = weevil(&server, "audit", args);
        assert_eq!(code, Some(0), "{args:?}: {text}");
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let removed = audit(&["list", "--action", "account.removed"]);
    assert!(removed.len() == 1 && removed[0].contains("  local  "), "{removed:?}");
    assert_eq!(audit(&["list", "--limit", "3"]).len(), 3);
    let exported = audit(&["export", "--actor", "local"]);
    let rows: Vec<Value> =
        exported.iter().map(|line| serde_json::from_str(line).expect("a row as JSON")).collect();
    assert_eq!((&rows[0]["action"], rows.len()), (&"audit.exported".into(), 9), "{rows:?}");
}
