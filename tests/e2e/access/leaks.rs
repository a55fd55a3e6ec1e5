//! Secrets stay where they belong: after all that people do, none stands in a log at `trace`, in the bytes of either database, in the
//! settings as they are printed, in a refusal, in the audit or in the metrics; and the public face tells nothing of the inside.
//!
//! Where bytes are searched, something that is no secret is found by the same search.

use std::fs;
use std::path::Path;
use std::time::Instant;

use serde_json::json;
use weevil_api::routes::Operation;
use weevil_api::{LinkMade, LoginAnswered, LoginBegun, LoginState, TokenMade};
use weevil_e2e::hostile::Stranger;
use weevil_e2e::{MariaDb, PATIENCE, TestServer, Wrapped, default_binary, job_workflow};

use super::local::{Halves, open_session};
use super::marks::shows;
use super::people::{PASSWORD, accept, halves, send, sign_in, try_password};

/// The name of a token: stored as it is.
const MARK: &str = "laptop of ada, third floor";

/// What is to stand nowhere, by what it is.
#[derive(Default)]
struct Secrets {
    kept: Vec<(&'static str, String)>,
    /// What people type to let a program in. They stand in addresses, which logs and refusals repeat, and open nothing for who is
    /// not signed in; nothing keeps them.
    codes: Vec<(&'static str, String)>,
}

impl Secrets {
    fn keep(&mut self, what: &'static str, secret: &str) {
        assert!(secret.len() >= 12, "{what}: too short to be looked for");
        self.kept.push((what, secret.to_owned()));
    }

    /// Those that stand there.
    fn seek(&self, place: &str, bytes: &[u8]) -> Vec<String> {
        let found = self.kept.iter().filter(|(_, secret)| stands(secret, bytes));
        found.map(|(what, _)| format!("{what} in {place}")).collect()
    }

    /// Those that stand where something is kept or told to others.
    fn seek_with_codes(&self, place: &str, bytes: &[u8]) -> Vec<String> {
        let codes = self.codes.iter().filter(|(_, code)| stands(code, bytes));
        let codes = codes.map(|(what, _)| format!("{what} in {place}"));
        codes.chain(self.seek(place, bytes)).collect()
    }
}

fn stands(text: &str, bytes: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// The printable text in these bytes, each piece on a line: a database is mostly something else.
fn texts(bytes: &[u8]) -> Vec<u8> {
    let mut texts = Vec::new();
    for byte in bytes {
        if *byte == b' ' || byte.is_ascii_graphic() {
            texts.push(*byte);
        } else if texts.last() != Some(&b'\n') {
            texts.push(b'\n');
        }
    }
    texts
}

/// What a folder and those in it hold, file after file, whatever is in one that goes meanwhile.
fn bytes(folder: &Path) -> Vec<u8> {
    let paths = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    paths
        .flat_map(|path| if path.is_dir() { bytes(&path) } else { fs::read(path).unwrap_or_default() })
        .collect()
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
    refusals.extend(programs(server, &joined.stranger(server), secrets));
    for halves in [joined, sign_in(server, "ada")] {
        secrets.keep("a cookie", value(&halves.cookie));
        secrets.keep("a key", &halves.key);
        refusals.extend(nobody.clone().with("Cookie", &halves.cookie).get("/api/v1/me").body);
    }
    refusals
}

/// Somebody makes a token, lets a program in, and one in vain. Answers the bodies of all refusals.
fn programs(server: &TestServer, somebody: &Stranger, secrets: &mut Secrets) -> Vec<u8> {
    let nobody = server.stranger();
    let asked = json!({ "name": MARK, "scopes": ["runs:read"] });
    let made: TokenMade =
        serde_json::from_slice(&send(somebody, Operation::MakeToken, &asked).body).expect("JSON");
    secrets.keep("a token", &made.secret);
    let program = nobody.clone().with("Authorization", &format!("Bearer {}", made.secret));
    assert_eq!(program.get(&Operation::ListRuns.path(&[])).status, 200);
    let mut refusals = program.get(&Operation::ListAudit.path(&[])).body;
    let asked = json!({ "name": MARK, "scopes": ["devices:trust"] });
    let made: TokenMade =
        serde_json::from_slice(&send(somebody, Operation::MakeToken, &asked).body).expect("JSON");
    secrets.keep("a token that a browser shows", &made.secret);
    shows(server, &format!("{}0", made.secret)).frame().expect("a refusal");
    let trusted = shows(server, &made.secret);
    server.api().await_fleet(|fleet| fleet.workers.iter().any(|worker| worker.device.is_some()));
    drop(trusted);
    for approve in [true, false] {
        let begun = send(&nobody, Operation::BeginLogin, &json!({ "name": "a cluster" }));
        let begun: LoginBegun = serde_json::from_slice(&begun.body).expect("JSON");
        secrets.keep("a login's secret", &begun.login);
        secrets.codes.push(("a login's code", begun.code.clone()));
        let path = Operation::DecideLogin.path(&[&begun.code]);
        let decision = json!({ "approve": approve, "scopes": ["runs:read"] }).to_string();
        refusals.extend(nobody.post(&path, "application/json", decision.as_bytes()).body);
        assert_eq!(somebody.post(&path, "application/json", decision.as_bytes()).status, 204);
        refusals.extend(somebody.post(&path, "application/json", decision.as_bytes()).body);
        if let Some(token) = asked_for(&nobody, &begun.login).token {
            secrets.keep("a program's token", &token.secret);
        }
    }
    let tokens = secrets.kept.iter().filter(|(what, _)| *what == "a program's token");
    assert_eq!(tokens.count(), 1, "it was let in once");
    refusals
}

/// What a program hears that asks until it may ask.
fn asked_for(program: &Stranger, login: &str) -> LoginAnswered {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let answer = send(program, Operation::AskLogin, &json!({ "login": login }));
        let answer: LoginAnswered = serde_json::from_slice(&answer.body).expect("JSON");
        if answer.state != LoginState::TooSoon {
            return answer;
        }
        assert!(Instant::now() < deadline, "it is always too soon");
    }
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

/// What stands where it does not belong after people have used a server with these arguments, of whose database `stored` answers
/// the bytes.
fn leaks(args: &[&str], stored: impl FnOnce(TestServer) -> Vec<u8>) -> Vec<String> {
    let talkative = Wrapped::by("talkative", &default_binary());
    let server = TestServer::start_binary(&talkative.server(), args);
    let mut secrets = Secrets::default();
    let refusals = use_everything(&server, &mut secrets);
    server.api().run(&job_workflow("function weevil_main() { return 1 }", ""));
    let told = |operation: Operation| server.owner().get(&operation.path(&[])).body;
    let mut found = secrets.seek("a refusal", &refusals);
    let (audit, metrics) = (told(Operation::ExportAudit), told(Operation::Metrics));
    found.extend(secrets.seek_with_codes("the audit", &audit));
    found.extend(secrets.seek_with_codes("the metrics", &metrics));
    let stored = texts(&stored(server));
    found.extend(secrets.seek_with_codes("the database", &stored));
    let log = fs::read(talkative.file("log")).expect("a log");
    found.extend(secrets.seek("the log", &log));
    // What is searched is what was told and kept.
    for (place, bytes, there) in [
        ("a refusal", &refusals, "wrongSignIn"),
        ("the audit", &audit, "token.created"),
        ("the metrics", &metrics, "weevil_http_requests"),
        ("the database", &stored, MARK),
        ("the log", &log, "insert into tokens"),
    ] {
        assert!(stands(there, bytes), "{place}: {} bytes without `{there}`", bytes.len());
    }
    found
}

#[test]
fn no_secret_stands_where_it_does_not_belong() {
    let found = leaks(&[], |server| bytes(server.data()));
    assert_eq!(found, Vec::<String>::new());
}

/// The files of its data as they are when it dies: tables, and the log from which it would make them whole. Those are small
/// where all tables are in one file.
#[test]
fn no_secret_stands_in_the_bytes_of_mariadb() {
    let mut database = MariaDb::start_fillable();
    let address = database.database();
    let found = leaks(&["--database", &address], |server| {
        drop(server);
        database.kill();
        bytes(&database.data())
    });
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn settings_are_printed_without_their_secrets() {
    let mut secrets = Secrets::default();
    secrets.keep("the database's password", "Pa55wordOfADatabase");
    let settings = std::process::Command::new(default_binary())
        .args(["serve", "--print-config"])
        .env("WEEVIL_DATABASE", format!("mysql://weevil:{}@127.0.0.1:1/weevil", secrets.kept[0].1))
        .output()
        .expect("the binary runs");
    assert!(settings.status.success());
    let text = [settings.stdout, settings.stderr].concat();
    assert_eq!(secrets.seek("the settings", &text), Vec::<String>::new());
    assert!(stands("listen", &text));
}

#[test]
fn a_secret_that_stands_somewhere_is_found() {
    let mut secrets = Secrets::default();
    secrets.keep("a token", "wvt_0123456789");
    secrets.codes.push(("a code", "BCDF-GHJK".to_owned()));
    for (text, found, with_codes) in [
        ("..wvt_0123456789", &["a token in a log"][..], &["a token in a log"][..]),
        ("\0BCDF-GHJK\0", &[], &["a code in a log"]),
        ("wvt_012345678", &[], &[]),
        ("", &[], &[]),
    ] {
        assert_eq!(secrets.seek("a log", text.as_bytes()), found, "{text}");
        assert_eq!(secrets.seek_with_codes("a log", text.as_bytes()), with_codes, "{text}");
    }
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
