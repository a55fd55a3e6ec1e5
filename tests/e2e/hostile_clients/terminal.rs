//! What strangers say, where it is printed: one hostile text in every place that holds text, through every command, with
//! and without `--json`; and the server's own log.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;
use weevil_e2e::hostile::cbor;
use weevil_e2e::hostile::words::{Claim, frame, hello_fields};
use weevil_e2e::hostile::{ByteWorker, Stranger};
use weevil_e2e::{Api, Files, Form, PATIENCE, TestServer, default_binary, job_workflow};

/// A title, a clipboard, a colour in one byte, a forged line, a turned direction, a bell, nothing at all.
const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{1b}]52;c;ZXZpbA==\u{7}\u{9b}31m\r\nFINISHED\u{8}\u{c}\u{7f}\u{85}\u{61c}\
                       \u{200e}\u{200f}\u{202a}\u{202e}\u{2028}\u{2029}\u{2066}\u{2069}\u{feff}end";
/// What of it names, keys and ids may hold.
const NAME: &str = "n\u{61c}\u{200f}\u{202e}\u{2066}\u{2069}\u{feff}e";

fn is_obeyed(letter: char) -> bool {
    let shown = !letter.is_control() || letter == '\n' || letter == '\t';
    !shown
        || "\u{61c}\u{200e}\u{200f}\u{2028}\u{2029}\u{feff}".contains(letter)
        || ('\u{202a}'..='\u{202e}').contains(&letter)
        || ('\u{2066}'..='\u{2069}').contains(&letter)
}

fn assert_inert(text: &[u8], what: &str) -> String {
    let text = String::from_utf8(text.to_vec()).unwrap_or_else(|_| panic!("{what}: not UTF-8"));
    assert!(!text.contains(is_obeyed), "{what}: {text:?}");
    assert!(!text.lines().any(|line| line.starts_with("FINISHED")), "{what}: {text:?}");
    text
}

/// What a command of the server's owner prints on both sides, which a terminal obeys none of.
fn printed(server: &TestServer, args: &[&str], folder: &Path) -> String {
    let output = server.command().args(args).current_dir(folder).output();
    let output = output.expect("the binary runs");
    let what = args.join(" ");
    let (out, err) = (assert_inert(&output.stdout, &what), assert_inert(&output.stderr, &what));
    assert!(!(out.clone() + &err).is_empty(), "{what} prints nothing");
    out
}

/// Everything that a stranger says is hostile; and the ids of what there is then.
struct Scene {
    server: TestServer,
    _workers: ByteWorker,
    job: String,
    broken: String,
    run: String,
    failed: String,
    workflow: String,
}

impl Scene {
    fn set() -> Self {
        let server = TestServer::start(&[]);
        let stranger = Stranger::of(&server.address);
        seen_but_idle(&stranger);
        let mut worker = stranger.join(1);
        let job = put(&server, "return 1", NAME);
        report(&mut worker, |key| {
            Claim::value(key, &cbor::map(&[(cbor::text(HOSTILE), cbor::text(HOSTILE))]))
        });
        let broken = put(&server, "return 2", &format!("{NAME}2"));
        report(&mut worker, |key| Claim { outcome: thrown(), ..Claim::value(key, &[]) });
        let (run, workflow) = begin(&server, "return 3");
        report(&mut worker, |key| Claim::value(key, &cbor::text(HOSTILE)));
        server.api().await_end(&run);
        let (failed, _) = begin(&server, "return 4");
        report(&mut worker, |key| Claim { outcome: thrown(), ..Claim::value(key, &[]) });
        server.api().await_end(&failed);
        Self { server, _workers: worker, job, broken, run, failed, workflow }
    }
}

/// A worker with such a name, and one without a connection at such a place.
fn seen_but_idle(stranger: &Stranger) {
    let mut fields = hello_fields(1, 0);
    fields[1] = cbor::text(HOSTILE);
    let mut socket = stranger.upgrade().expect("an upgrade");
    socket.say(&frame(0, &[cbor::array(&fields)]));
    assert!(socket.message().is_some());
    let join = format!(
        r#"<join protocol="1" browser_type="{NAME}" capabilities="1" location="{NAME}" slots="1" memory_mb="1" values="json"/>"#
    );
    assert_eq!(stranger.plain("join", &join).status, 200);
}

fn put(server: &TestServer, body: &str, key: &str) -> String {
    let source = format!("function weevil_main() {{ {body} }}");
    let job = json!({ "source": source, "name": NAME, "queue": NAME, "key": key, "attempts": 1 });
    server.api().put_job(&job).job
}

/// Run and workflow.
fn begin(server: &TestServer, body: &str) -> (String, String) {
    let code = format!("function weevil_main() {{ {body} }}");
    let mut files = job_workflow(&code, r#"retries="0""#);
    files[0].1 = String::from_utf8_lossy(&files[0].1)
        .replace("only", &format!("only{NAME}"))
        .replace("Number", "String")
        .into_bytes();
    let created = server.api().run_form(&Form::of(&files).text("name", NAME));
    (created.run, created.workflow)
}

fn thrown() -> Vec<u8> {
    frame(1, &[cbor::array(&[cbor::uint(0), cbor::text(HOSTILE), cbor::text(HOSTILE)])])
}

fn report(worker: &mut ByteWorker, claim: impl Fn((u64, u64)) -> Claim) {
    let job = worker.jobs(1).remove(0);
    let claim = Claim { log: Some(HOSTILE.to_owned()), ..claim(job.key) };
    assert_eq!(worker.report(&[claim]), [0]);
}

/// The line of JSON that a command prints.
fn json_of(server: &TestServer, args: &[&str], folder: &Path) -> Value {
    let text = printed(server, &[args, &["--json"]].concat(), folder);
    serde_json::from_str(text.lines().next().unwrap_or_default())
        .unwrap_or_else(|_| panic!("{args:?}: {text}"))
}

#[test]
fn no_command_prints_what_a_terminal_obeys() {
    let scene = Scene::set();
    let Scene { job, broken, run, failed, workflow, .. } = &scene;
    let folder = TempDir::new().expect("a folder");
    let url = scene.server.url("");
    std::fs::write(folder.path().join("code.js"), "function weevil_main() { return 1 }").expect("a file");
    let queue = ["jobs", "--queue", NAME];
    let submit = ["submit", "code.js", "--queue", NAME, "--key", NAME, "--wait"];
    for args in [
        &["result", run][..],
        &["result", failed],
        &["run", workflow, "--reuse=always", "--wait"],
        &["run", workflow],
        &["jobs", run],
        &["jobs", failed],
        &queue,
        &["explain", job],
        &["explain", broken],
        &submit,
        &submit[..submit.len() - 1],
        &["submit", "code.js", "--queue", NAME, "--key", &format!("{NAME}2")],
        &["submit", "code.js", "--returns", HOSTILE],
        &["cancel", run],
        &["cancel", job],
        &["pause"],
        &["resume"],
        &["workflows"],
    ] {
        let args = [args, &["--server", &url]].concat();
        printed(&scene.server, &args, folder.path());
        printed(&scene.server, &[&args[..], &["--json"]].concat(), folder.path());
    }
    let server = ["--server", url.as_str()];
    for (args, pointer, text) in [
        (&["result", run][..], "/result", HOSTILE),
        (&["result", failed], "/error/attempts/0/message", HOSTILE),
        (&["result", failed], "/error/attempts/0/stack", HOSTILE),
        (&["explain", job], "/job/path", NAME),
        (&["explain", broken], "/attempts/0/log", HOSTILE),
        (&["workflows"], "/0/name", NAME),
    ] {
        let found = json_of(&scene.server, &[args, &server].concat(), folder.path());
        let told = found.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        let whole = ["end", "e"].iter().any(|end| told.ends_with(end)) && told.contains('\u{202e}');
        assert!(whole && (told == text || text == HOSTILE), "{args:?}: JSON tells the same: {found}");
    }
}

/// Names of files and ids stand in what is found.
#[test]
fn no_mistake_is_printed_as_it_was_written() {
    let server = TestServer::start(&[]);
    let folder = TempDir::new().expect("a folder");
    let flow = folder.path().join(format!("{NAME}\u{1b}[31m\n"));
    std::fs::create_dir(&flow).expect("a folder can be made");
    let bad: Files = weevil_e2e::files(&[
        (
            "workflow.xml",
            &format!(
                "<workflow><nodes><job id=\"a\" src=\"{NAME}\" returntype=\"{NAME}\u{9b}\"/></nodes><edges/><finalnode id=\"{NAME}\"/></workflow>"
            ),
        ),
        (&format!("{NAME}.js"), "function weevil_main( { '\u{202e}\u{1b}[31m"),
        (&format!("{NAME}.wgsl"), "fn \u{202e}\u{1b}[31m"),
    ]);
    for (path, bytes) in &bad {
        std::fs::write(flow.join(path), bytes).expect("a file can be written");
    }
    let path = flow.to_str().expect("UTF-8");
    for args in [
        &["check", path][..],
        &["check", path, "--format", "json"],
        &["check", &format!("{path}/nothing")],
        &["upload", path, "--server", &server.url("")],
        &["run", path, "--server", &server.url("")],
        &["run", path, "--json", "--server", &server.url("")],
    ] {
        printed(&server, args, folder.path());
    }
    let coloured = Command::new(default_binary()).args(["check", path, "--color", "always"]).output();
    let text = String::from_utf8(coloured.expect("the binary runs").stdout).expect("UTF-8");
    let own = ["\x1b[1;31m", "\x1b[1;33m", "\x1b[34m", "\x1b[36m", "\x1b[0m"];
    let bare = own.iter().fold(text.clone(), |text, colour| text.replace(colour, ""));
    assert_ne!(bare, text, "there are colours");
    assert_inert(bare.as_bytes(), "check --color always");
}

#[test]
fn the_log_of_the_server_is_inert() {
    for format in ["text", "json"] {
        let data = TempDir::new().expect("a folder");
        let mut child = Command::new(default_binary())
            .args(["serve", "--listen", "127.0.0.1:0", "--log-format", format, "--data"])
            .arg(data.path())
            .env("RUST_LOG", "debug")
            .env("NO_COLOR", "1")
            .env("WEEVIL_RUNTIME_DIR", data.path().join("run"))
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(data.path().join("log")).expect("a file"))
            .spawn()
            .expect("the binary runs");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("stdout is piped");
        std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut line).expect("it speaks");
        let address = line.trim().trim_start_matches("listening on http://").to_owned();
        let stranger = Stranger::of(&address);
        seen_but_idle(&stranger);
        let form = Form::of(&job_workflow("function weevil_main() { return 1 }", "")).text("name", NAME);
        let api = Api::of_owner(&address, &data.path().join("run"), PATIENCE);
        assert_eq!(api.submit("/api/v1/runs", &form).status, 201);
        for path in [format!("/{NAME}"), "/a\u{9b}31m\u{7f}".to_owned()] {
            let mut line = stranger.connect();
            line.send(&stranger.head("GET", &path, &[]));
            line.reply();
        }
        child.kill().expect("the server can be killed");
        child.wait().expect("the server has ended");
        let log = std::fs::read(data.path().join("log")).expect("a log");
        let log = assert_inert(&log, format);
        assert!(log.contains("a run begins"), "{log}");
    }
}
