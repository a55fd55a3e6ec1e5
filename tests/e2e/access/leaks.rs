//! Secrets stay where they belong: after all that people do, none stands in a log at `trace`, in the database's bytes, in the settings
//! as they are printed, in a refusal, in the audit or in the metrics; and the public face tells nothing of the inside.

use std::fs;

use serde_json::json;
use weevil_api::LinkMade;
use weevil_api::routes::Operation;
use weevil_e2e::hostile::Stranger;
use weevil_e2e::{TestServer, Wrapped, default_binary, job_workflow};

use super::local::{Halves, open_session};
use super::people::{PASSWORD, accept, halves, send, sign_in, try_password};

/// What is to stand nowhere, by what it is.
#[derive(Default)]
struct Secrets(Vec<(&'static str, String)>);

impl Secrets {
    fn keep(&mut self, what: &'static str, secret: &str) {
        assert!(secret.len() >= 12, "{what}: too short to be looked for");
        self.0.push((what, secret.to_owned()));
    }

    /// Those that stand there.
    fn seek(&self, place: &str, bytes: &[u8]) -> Vec<String> {
        let there = |secret: &str| bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
        let found = self.0.iter().filter(|(_, secret)| there(secret));
        found.map(|(what, _)| format!("{what} in {place}")).collect()
    }
}

/// What a cookie holds behind its name.
fn value(pair: &str) -> &str {
    pair.split_once('=').expect("a name and a value").1
}

/// Somebody is invited, signs in, fails to, and gets another password. Answers the bodies of all refusals.
fn people(server: &TestServer, secrets: &mut Secrets) -> Vec<u8> {
    let nobody = server.stranger();
    secrets.keep("a password", PASSWORD);
    let made = send(&server.owner(), Operation::MakeInvite, &json!({ "admin": true }));
    let LinkMade { link, .. } = serde_json::from_slice(&made.body).expect("a link");
    secrets.keep("an invitation", &link);
    let mut refusals = accept(&nobody, &link, "a").body;
    let joined = halves(&accept(&nobody, &link, "ada"));
    refusals.extend(accept(&nobody, &link, "eve").body);
    let wrong = "six mauve herons argue";
    secrets.keep("a wrong password", wrong);
    refusals.extend(try_password(&nobody, "ada", wrong).body);
    for halves in [joined, sign_in(server, "ada")] {
        secrets.keep("a cookie", value(&halves.cookie));
        secrets.keep("a key", &halves.key);
        refusals.extend(nobody.clone().with("Cookie", &halves.cookie).get("/api/v1/me").body);
    }
    refusals
}

/// Signs in and out as whoever can today, and asks what is refused. Answers the bodies of all refusals.
fn use_everything(server: &TestServer, secrets: &mut Secrets) -> Vec<u8> {
    let token = server.token().expect("a token");
    secrets.keep("the local token", &token);
    let Halves { cookie, key } = open_session(server);
    secrets.keep("a cookie", value(&cookie));
    secrets.keep("a key", &key);
    let made = server.owner().post(&Operation::MakeConsoleLink.path(&[]), "text/plain", b"");
    let link: serde_json::Value = serde_json::from_slice(&made.body).expect("JSON");
    secrets.keep("a link", link["link"].as_str().expect("a link"));
    let stranger = || Stranger::of(&server.address);
    let mut refusals = people(server, secrets);
    for asker in [
        stranger().with("Authorization", &format!("Bearer {}x", &token[..token.len() - 1])),
        stranger().with("Authorization", &format!("Bearer {token}")).with("Via", "1.1 proxy"),
        stranger().with("Cookie", &cookie),
        stranger().with("Cookie", &cookie).with("x-weevil-session-key", &key[..key.len() - 1]),
    ] {
        for operation in [Operation::ListRuns, Operation::ListAudit, Operation::OpenSession] {
            let row = operation.row();
            let body = link.to_string().replace("link", "lnik");
            refusals.extend(asker.ask(row.method.as_str(), &operation.path(&[]), &[], body.as_bytes()).body);
        }
    }
    refusals.extend(stranger().get(&format!("/api/v1/runs?token={token}")).body);
    refusals
}

#[test]
fn no_secret_stands_where_it_does_not_belong() {
    let talkative = Wrapped::by("talkative", &default_binary());
    let password = "Pa55wordOfADatabase";
    let server = TestServer::start_binary(&talkative.server(), &[]);
    let mut secrets = Secrets::default();
    let refusals = use_everything(&server, &mut secrets);
    secrets.keep("the database's password", password);
    server.api().run(&job_workflow("function weevil_main() { return 1 }", ""));
    let told = |operation: Operation| server.owner().get(&operation.path(&[])).body;
    let mut found = secrets.seek("a refusal", &refusals);
    found.extend(secrets.seek("the audit", &told(Operation::ExportAudit)));
    found.extend(secrets.seek("the metrics", &told(Operation::Metrics)));
    let settings = std::process::Command::new(default_binary())
        .args(["serve", "--print-config"])
        .env("WEEVIL_DATABASE", format!("mysql://weevil:{password}@127.0.0.1:1/weevil"))
        .output()
        .expect("the binary runs");
    assert!(settings.status.success());
    found.extend(secrets.seek("the settings", &[settings.stdout, settings.stderr].concat()));
    for file in fs::read_dir(server.data()).expect("a folder").map(|file| file.expect("a file").path()) {
        if file.is_file() {
            found.extend(secrets.seek("the database", &fs::read(&file).expect("its bytes")));
        }
    }
    let log = fs::read(talkative.file("log")).expect("a log");
    found.extend(secrets.seek("the log", &log));
    assert_eq!(found, Vec::<String>::new());
    assert!(log.len() > 1000, "it was told everything: {} bytes", log.len());
}

/// Every operation that a stranger can ask, and what nobody has.
#[test]
fn the_public_face_tells_nothing_of_the_inside() {
    let mut server = TestServer::start(&["--public-listen", "127.0.0.1:0"]);
    let stranger = Stranger::of(&server.public_address());
    let data = server.data().display().to_string();
    for operation in Operation::ALL {
        let row = operation.row();
        let path = row.path.replace('{', "x").replace('}', "");
        let reply = stranger.ask(row.method.as_str(), &path, &[], b"");
        let text = format!("{:?}{}", reply.header("server"), reply.text());
        for inside in [data.as_str(), "weevil.db", env!("CARGO_PKG_VERSION"), "sqlite", "actix", "/root/"] {
            assert!(!text.to_lowercase().contains(inside), "{operation:?} tells `{inside}`: {text}");
        }
    }
}
