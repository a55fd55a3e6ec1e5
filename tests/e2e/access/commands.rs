//! The command line from elsewhere: over TLS, with what proves who asks from where a person keeps it, and never in the open.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Output;

use tempfile::TempDir;
use weevil_e2e::{Certified, TestServer, job_workflow};
use weevil_model::Role;

use super::people::{accept, invite, make_member, make_project};

/// The binary as somebody calls it who has no way into a server but what this folder and these arguments give.
fn weevil(server: &TestServer, home: &Path, args: &[&str]) -> Output {
    let mut command = server.command();
    command.env("WEEVIL_RUNTIME_DIR", home).env("XDG_CONFIG_HOME", home).env_remove("WEEVIL_TOKEN");
    command.args(args).output().expect("the binary runs")
}

/// What a command says of its failure.
fn failure(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn keep(home: &Path, text: &str, mode: u32) {
    fs::create_dir_all(home.join("weevil")).expect("a folder");
    let file = home.join("weevil/client.toml");
    fs::write(&file, text).expect("a file");
    fs::set_permissions(file, Permissions::from_mode(mode)).expect("a mode");
}

#[test]
fn a_server_is_asked_over_tls_where_an_authority_vouches_for_it() {
    let (pair, other, home) =
        (Certified::of(&["localhost"]), Certified::of(&["localhost"]), TempDir::new().expect("a folder"));
    let file = |pair: &Certified, name: &str| pair.path(name).display().to_string();
    let (certificate, key) = (file(&pair, "cert.pem"), file(&pair, "key.pem"));
    let server = TestServer::start(&["--tls", "all", "--tls-cert", &certificate, "--tls-key", &key]);
    let port = server.address.rsplit_once(':').expect("a port").1;
    let url = format!("https://localhost:{port}");
    let (own, foreign) = (file(&pair, "ca.pem"), file(&other, "ca.pem"));

    let refused = failure(&weevil(&server, home.path(), &["workflows", "--server", &url, "--ca", &own]));
    assert!(
        refused.contains(&format!("run `weevil login --server {url}`")),
        "it answered over TLS: {refused}"
    );
    keep(home.path(), &format!("default = \"lab\"\n[servers.lab]\nurl = \"{url}\"\nca = \"{own}\"\n"), 0o644);
    let refused = failure(&weevil(&server, home.path(), &["workflows"]));
    assert!(refused.contains("weevil login"), "address and authority of client.toml: {refused}");
    keep(home.path(), "", 0o600);

    let by_number = format!("https://127.0.0.1:{port}");
    let plain = format!("http://localhost:{port}");
    for (url, ca) in [(&url, None), (&url, Some(&foreign)), (&by_number, Some(&own)), (&plain, Some(&own))] {
        let ca = ca.map(|ca| ["--ca", ca]);
        let args: Vec<&str> =
            ["workflows", "--server", url].into_iter().chain(ca.into_iter().flatten()).collect();
        let why = failure(&weevil(&server, home.path(), &args));
        assert!(why.contains("cannot ask") && !why.contains("weevil login"), "{args:?}: {why}");
    }
}

#[test]
fn what_opens_a_server_is_sent_to_that_server_alone() {
    let (server, home) = (TestServer::start(&[]), TempDir::new().expect("a folder"));
    let (url, token) = (server.url(""), server.token().expect("a token"));
    let ask = |args: &[&str]| weevil(&server, home.path(), args);
    let opened = |args: &[&str]| ask(&[&["workflows", "--server", &url], args].concat()).status.code();
    assert_eq!(opened(&[]), Some(2), "nothing opens it");
    let file = home.path().join("token");
    fs::write(&file, format!("{token}\n")).expect("a file");
    let file = file.to_str().expect("a path");
    assert_eq!(opened(&["--token-file", file]), Some(0));

    let entry = |url: &str| format!("[servers.here]\nurl = \"{url}\"\ntoken = \"{token}\"\n");
    keep(home.path(), &entry(&url), 0o600);
    assert_eq!(opened(&[]), Some(0));
    keep(home.path(), &entry(&url.replace("127.0.0.1", "localhost")), 0o600);
    assert_eq!(opened(&[]), Some(2), "another origin's");
    keep(home.path(), &entry(&url), 0o644);
    let why = failure(&ask(&["workflows", "--server", &url]));
    assert!(why.contains("chmod 600") && !why.contains(&token), "{why}");
    keep(home.path(), "", 0o600);

    let args = ["workflows", "--server", "http://192.0.2.1:9", "--token-file", file];
    let why = failure(&ask(&args));
    assert!(why.contains("name an https address") && !why.contains(&token), "{why}");
}

/// What a command prints, without the end of its line.
fn printed(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

/// The same for somebody who belongs to two projects, neither of them `default`.
#[test]
fn commands_are_about_the_project_that_they_name() {
    let (server, home) = (TestServer::start(&[]), TempDir::new().expect("a folder"));
    make_project(&server, 2, "ants");
    make_project(&server, 3, "bees");
    accept(&server.stranger(), &invite(&server, 1, false), "eve");
    for project in [2, 3] {
        make_member(&server, project, "eve", Role::Researcher);
    }
    let url = server.url("");
    let owner = |args: &[&str]| {
        printed(&server.command().args(args).args(["--server", &url]).output().expect("it runs"))
    };
    let account = owner(&["user", "show", "eve"]).split_whitespace().next().expect("an id").to_owned();
    let scopes = ["runs:read", "runs:write", "jobs:read", "jobs:write", "workflows:read", "workflows:write"];
    let scopes = scopes.iter().flat_map(|scope| ["--scope", scope]);
    let made: Vec<&str> = ["token", "create", "t", "--account", &account].into_iter().chain(scopes).collect();
    let token = owner(&made);
    let keep_token = format!("[servers.here]\nurl = \"{url}\"\ntoken = \"{token}\"\n");
    keep(home.path(), &keep_token, 0o600);
    for (name, bytes) in job_workflow("function weevil_main() { return 1 }", "") {
        fs::write(home.path().join(name), bytes).expect("a file");
    }
    let (folder, code) =
        (home.path().display().to_string(), home.path().join("Code.js").display().to_string());
    let ask = |args: &[&str]| weevil(&server, home.path(), &[args, &["--server", &url]].concat());
    let inside = |project: &str, args: &[&str]| ask(&[args, &["--project", project]].concat());

    let listed = |project: &str| printed(&inside(project, &["workflows"]));
    let (run, upload) = (["run", &*folder], ["upload", &*folder]);
    let (submit, jobs) = (["submit", &*code, "--queue", "q"], ["jobs", "--queue", "q"]);
    for args in [&run[..], &upload, &submit, &jobs, &["workflows"]] {
        let why = failure(&ask(args));
        assert!(why.contains("of ants, bees; commands take it as `--project`"), "{args:?}: {why}");
        let why = failure(&inside("wasps", args));
        assert!(why.contains("there is no project `wasps`"), "{args:?}: {why}");
    }

    let hash = printed(&inside("ants", &upload));
    assert!(listed("ants").starts_with(&hash) && listed("bees").is_empty());
    assert!(failure(&inside("bees", &["run", &hash])).contains("there is no workflow"));
    printed(&inside("bees", &run));
    let job = printed(&inside("bees", &submit));
    assert!(printed(&inside("bees", &jobs)).starts_with(&job) && printed(&inside("ants", &jobs)).is_empty());

    let remove = ["workflows", "--remove", &*hash];
    assert!(failure(&inside("bees", &remove)).contains("a run of"), "its run is kept");
    assert_eq!(printed(&inside("ants", &remove)), "");
    assert!(listed("ants").is_empty() && listed("bees").starts_with(&hash));
    let by_variable =
        server.command().args(["workflows", "--server", &url]).env("WEEVIL_PROJECT", "bees").output();
    assert!(printed(&by_variable.expect("it runs")).starts_with(&hash));
}
