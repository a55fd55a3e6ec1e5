//! Alone on one machine: what the owner of a server has, and what nobody else gets, whoever stands beside.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use serde_json::{Value, json};
use weevil_api::routes::Operation;
use weevil_api::{ConsoleLink, SessionOpened};
use weevil_e2e::hostile::{Reply, Stranger};
use weevil_e2e::{Browser, TestServer, without_policies};

/// Both halves of a session: a cookie as it is sent, and its key.
pub(super) struct Halves {
    pub cookie: String,
    pub key: String,
}

impl Halves {
    /// Who has both.
    pub(super) fn stranger(&self, server: &TestServer) -> Stranger {
        server.stranger().with("Cookie", &self.cookie).with("x-weevil-session-key", &self.key)
    }
}

fn link(server: &TestServer) -> String {
    let path = Operation::MakeConsoleLink.path(&[]);
    server.api().post(&path, "text/plain", &[], b"").created::<ConsoleLink>().link
}

fn trade(stranger: &Stranger, link: &str) -> Reply {
    let body = json!({ "link": link }).to_string();
    stranger.post(&Operation::OpenSession.path(&[]), "application/json", body.as_bytes())
}

pub(super) fn open_session(server: &TestServer) -> Halves {
    let reply = trade(&Stranger::of(&server.address), &link(server));
    assert_eq!(reply.status, 200, "{}", reply.text());
    let cookie =
        reply.header("set-cookie").expect("a cookie").split(';').next().expect("its pair").to_owned();
    let SessionOpened { key } = serde_json::from_slice(&reply.body).expect("a key");
    Halves { cookie, key }
}

/// Status and code of a question that only somebody with a right may ask.
fn asked(stranger: &Stranger) -> (u16, String) {
    let reply = stranger.get(&Operation::ListRuns.path(&[]));
    (reply.status, reply.code())
}

fn refused(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

fn port(server: &TestServer) -> &str {
    server.address.rsplit_once(':').expect("an address has a port").1
}

fn file(server: &TestServer) -> Value {
    let text = fs::read(server.runtime().join(format!("{}.json", port(server)))).expect("the file is there");
    serde_json::from_slice(&text).expect("JSON")
}

fn with_token(server: &TestServer, token: &Value) -> Stranger {
    let token = token.as_str().expect("a token");
    Stranger::of(&server.address).with("Authorization", &format!("Bearer {token}"))
}

#[test]
fn the_file_is_its_owner_s_alone_and_tells_where_the_server_is() {
    let server = TestServer::start(&[]);
    let folder = server.runtime().metadata().expect("a folder");
    let path = server.runtime().join(format!("{}.json", port(&server)));
    let found = path.symlink_metadata().expect("a file");
    assert!(found.is_file());
    assert_eq!((folder.permissions().mode() & 0o777, found.permissions().mode() & 0o777), (0o700, 0o600));
    assert_eq!(found.uid(), fs::metadata("/proc/self").expect("this process").uid());
    let told = file(&server);
    assert_eq!((&told["url"], &told["pid"]), (&json!(server.url("")), &json!(server.pid())));
    assert_eq!(asked(&with_token(&server, &told["token"])), (200, String::new()));
    assert!(told["startedAt"].is_i64());
}

#[test]
fn a_token_ends_with_its_start_and_the_file_with_an_orderly_end() {
    let mut server = TestServer::start(&[]);
    let first = file(&server)["token"].clone();
    server.kill();
    server.restart();
    // Whoever takes the port of a server that crashed hears a token that opens nothing any more.
    assert_eq!(asked(&with_token(&server, &first)), refused(401, "badToken"));
    assert_ne!(file(&server)["token"], first);
    server.terminate();
    assert!(server.await_death().success());
    assert_eq!(fs::read_dir(server.runtime()).expect("the folder stays").count(), 0);
}

#[test]
fn a_token_is_taken_straight_from_this_machine_alone() {
    let server = TestServer::start(&["--trusted-proxy", "127.0.0.1"]);
    let elsewhere = [
        ("Forwarded", "for=192.0.2.1"),
        ("X-Forwarded-For", "127.0.0.1"),
        ("X-Forwarded-Proto", "http"),
        ("X-Forwarded-Anything", ""),
        ("Via", "1.1 tunnel"),
    ];
    for (name, value) in elsewhere {
        assert_eq!(asked(&server.owner().with(name, value)), refused(401, "badToken"), "{name}");
        let link = link(&server);
        let far = Stranger::of(&server.address).with(name, value);
        assert_eq!(trade(&far, &link).code(), "badLink", "{name}: a link neither");
        assert_eq!(trade(&Stranger::of(&server.address), &link).status, 200, "{name}: and it is not used up");
    }
    assert_eq!(asked(&server.owner().with("Host", "evil.example")), refused(403, "foreignHost"));
    let localhost = server.owner().with("Host", &format!("localhost:{}", port(&server)));
    assert_eq!(asked(&localhost), (200, String::new()));
}

#[test]
fn what_is_no_token_is_refused_with_the_reason() {
    let server = TestServer::start(&[]);
    let token = server.token().expect("a token");
    for (value, words) in [
        ("Bearer x", "does not begin as a token"),
        (&format!("Bearer {}", &token[..20]), "20 bytes"),
        (&format!("Bearer {}000000", &token[..36]), "mistyped"),
        ("Bearer wvl_000000000000000000000000000000002wjyrI", "nobody here knows it"),
        ("Bearer wvt_000000000000000000000000000000002wjyrI", "nobody here knows it"),
    ] {
        let stranger = Stranger::of(&server.address).with("Authorization", value);
        let reply = stranger.get("/api/v1/runs");
        assert_eq!((reply.status, reply.code().as_str()), (401, "badToken"), "{value}");
        assert_eq!(reply.header("www-authenticate"), Some("Bearer"), "{value}");
        assert!(reply.text().contains(words), "{value}: {}", reply.text());
    }
    let nobody = Stranger::of(&server.address).get("/api/v1/runs");
    assert_eq!((nobody.status, nobody.code().as_str()), (401, "notSignedIn"));
    assert_eq!(nobody.header("www-authenticate"), Some("Bearer"));
    assert!(nobody.text().contains("weevil token local"), "{}", nobody.text());
}

#[test]
fn a_link_is_taken_once() {
    let server = TestServer::start(&[]);
    let (link, nobody) = (link(&server), Stranger::of(&server.address));
    let first = trade(&nobody, &link);
    assert_eq!(first.status, 200);
    assert_eq!(first.header("cache-control"), Some("no-store"));
    let cookie = first.header("set-cookie").expect("a cookie");
    assert!(cookie.starts_with(&format!("weevil-{}=", port(&server))), "{cookie}");
    assert!(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Strict"), "{cookie}");
    let unknown = "wvk_000000000000000000000000000000002wjyrI";
    let token = server.token().expect("a token");
    for link in [link.as_str(), unknown, &token, "", "nonsense"] {
        let again = trade(&nobody, link);
        assert_eq!((again.status, again.code().as_str()), (410, "badLink"), "{link}");
        assert_eq!(again.header("set-cookie"), None);
    }
    for body in ["", "{}", "[]", "{\"link\":1}", &"x".repeat(8192)] {
        let reply = nobody.post("/api/v1/session", "application/json", body.as_bytes());
        assert_eq!((reply.status, reply.code().as_str()), (400, "badBody"));
    }
}

#[test]
fn each_half_alone_opens_nothing_and_another_origin_nothing_with_both() {
    let server = TestServer::start(&[]);
    let Halves { cookie, key } = open_session(&server);
    let with = |cookie: &str, key: &str| {
        let stranger = Stranger::of(&server.address);
        let stranger = if cookie.is_empty() { stranger } else { stranger.with("Cookie", cookie) };
        if key.is_empty() { stranger } else { stranger.with("x-weevil-session-key", key) }
    };
    let other = open_session(&server);
    let own = format!("http://{}", server.address);
    assert_eq!(asked(&with(&cookie, &key)), (200, String::new()));
    assert_eq!(asked(&with(&cookie, &key).with("Origin", &own)), (200, String::new()));
    for (what, stranger, expected) in [
        ("the cookie alone", with(&cookie, ""), refused(403, "noSessionKey")),
        ("the key alone", with("", &key), refused(401, "notSignedIn")),
        ("another session's key", with(&cookie, &other.key), refused(403, "noSessionKey")),
        ("a broken cookie", with(&cookie[..cookie.len() - 1], &key), refused(401, "notSignedIn")),
        (
            "another page",
            with(&cookie, &key).with("Origin", "http://evil.example"),
            refused(403, "foreignOrigin"),
        ),
        (
            "another port",
            with(&cookie, "").with("Origin", "http://127.0.0.1:1"),
            refused(403, "foreignOrigin"),
        ),
        (
            "a page of the same site",
            with(&cookie, "").with("Sec-Fetch-Site", "same-site"),
            refused(403, "foreignOrigin"),
        ),
        ("past a proxy", with(&cookie, &key).with("Via", "1.1 tunnel"), refused(401, "notSignedIn")),
    ] {
        assert_eq!(asked(&stranger), expected, "{what}");
    }
}

#[test]
fn without_the_token_nobody_signs_in() {
    let server = TestServer::start(&["--local-token", "off"]);
    assert_eq!(fs::read_dir(server.runtime()).expect("a folder").count(), 0);
    assert_eq!(asked(&Stranger::of(&server.address)), refused(401, "notSignedIn"));
    assert_eq!(Stranger::of(&server.address).get("/console").status, 200, "the page says what to do");
}

#[test]
fn open_metrics_are_everybody_s_and_nothing_else_is() {
    let server = TestServer::start(&["--open-metrics"]);
    let nobody = Stranger::of(&server.address);
    assert_eq!(nobody.get("/metrics").status, 200);
    assert_eq!(asked(&nobody), refused(401, "notSignedIn"));
}

/// What a command of the owner prints, without the line's end.
fn printed(server: &TestServer, args: &[&str]) -> String {
    let output = server.command().args(args).args(["--server", &server.url("")]).output();
    let output = output.expect("the binary runs");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text").trim_end().to_owned()
}

#[test]
fn the_command_line_finds_the_token_by_the_port() {
    let server = TestServer::start(&[]);
    assert_eq!(printed(&server, &["token", "local"]), server.token().expect("a token"));
    assert!(printed(&server, &["console"]).starts_with(&server.url("/console#link=wvk_")));
    let elsewhere = server.command().args(["token", "local", "--server", "http://192.0.2.1:8080"]).output();
    assert_eq!(elsewhere.expect("the binary runs").status.code(), Some(2));
    let other = TestServer::start(&[]);
    let refused = other.command().args(["workflows", "--server", &server.url("")]).output();
    let refused = refused.expect("the binary runs");
    let words = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(2) && words.contains("weevil token local"), "{words}");
}

#[test]
fn a_folder_that_others_can_reach_holds_no_token() {
    let server = TestServer::start(&[]);
    let wide = server.data().join("wide");
    fs::create_dir(&wide).expect("a folder");
    fs::set_permissions(&wide, fs::Permissions::from_mode(0o777)).expect("mine");
    let link = server.data().join("link");
    std::os::unix::fs::symlink(server.runtime(), &link).expect("a link");
    for folder in [&wide, &link] {
        assert_eq!(lines_without_token(&server, folder), 1, "{}", folder.display());
        assert!(!folder.join("0.json").exists());
    }
    assert_eq!(fs::read_dir(&wide).expect("a folder").count(), 0);
}

/// How many lines a server prints that is told to leave its token there, until it ends.
fn lines_without_token(server: &TestServer, runtime: &Path) -> usize {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let data = tempfile::TempDir::new().expect("a folder");
    let mut child = Command::new(server.binary())
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(data.path())
        .env("WEEVIL_RUNTIME_DIR", runtime)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut lines = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
    let first = lines.next().expect("it speaks").expect("text");
    assert!(first.starts_with("listening on "), "{first}");
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::TERM)
        .expect("it runs");
    let rest = lines.map_while(Result::ok).count();
    assert!(child.wait().expect("it ends").success());
    1 + rest
}

#[test]
fn a_person_without_a_link_reads_what_to_do() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = browser.open(&server.url("/console"));
    page.wait_for("!document.querySelector('#way-in').hidden");
    let words = page.eval("document.querySelector('main').innerText");
    assert!(words.as_str().is_some_and(|words| words.contains("weevil console")), "{words}");
    assert_eq!(page.barriers(), [""; 0]);
    // The same tab, without loading the page anew.
    page.eval(&format!("location.hash = '#link={}'", link(&server)));
    page.wait_for("document.documentElement.dataset.live === 'true'");
    assert_eq!(page.eval("location.hash"), "#/", "the link is gone from the address");
    assert_eq!(page.eval("document.cookie"), "", "no script reads the cookie");
    page.call("Page.navigate", &json!({ "url": server.url("/console") }));
    page.wait_for("document.documentElement.dataset.live === 'true'");
}

#[test]
fn another_port_gets_the_cookie_and_nothing_by_it() {
    let (server, other) = (TestServer::start(&[]), TestServer::start(&[]));
    let browser = Browser::start();
    let console = server.console(&browser, "");
    console.wait_for("document.documentElement.dataset.live === 'true'");
    // A page of another port of the same host: the browser sends it the cookie, its storage holds no key.
    let page = browser.open(&format!("http://{}/healthz", without_policies(&other.address)));
    assert_eq!(page.eval("localStorage.getItem('weevil-session-key')"), Value::Null);
    let status = page.eval(&format!(
        "fetch('{}', {{ credentials: 'include', mode: 'no-cors' }}).then((answer) => answer.type, () => 'failed')",
        server.url("/api/v1/runs")
    ));
    assert_ne!(status, "basic", "nothing of it can be read");
    let refused = r#"weevil_http_requests_total{route="/api/v1/runs",status="4xx"}"#;
    server.api().await_metric(refused, 1.0);
}
