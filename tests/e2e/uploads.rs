//! The forms in which a workflow may be uploaded, and what is too much for any of them.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};

use weevil_api::{Problem, RunCreated};
use weevil_e2e::{Answer, Files, Form, PATIENCE, TestServer, files, job_workflow, shipped, status, zipped};
use weevil_model::RunState;

const RUNS: &str = "/api/v1/runs";
const VALUE: &str = r#"<workflow><nodes><value id="only" value="7" returntype="Number"/></nodes>
    <edges/><finalnode id="only"/></workflow>"#;
const GIGABYTE: u64 = 1 << 30;
/// A server that has read one upload, or thrown one away, has never had more than this. What is freed is given back a moment later: one that
/// throws several away at once may have the room of each still.
const MAX_PEAK_MB: f64 = 128.0;

fn accepted(what: &str, answer: &Answer) -> RunCreated {
    assert_eq!(answer.status, 201, "{what}: {}", answer.text);
    answer.json()
}

#[test]
fn every_form_of_a_workflow_is_the_same_workflow() {
    let server = TestServer::start(&[]);
    let api = server.api();
    let raw = |content_type: &str, body: &[u8]| api.post(&format!("{RUNS}?name=it"), content_type, &[], body);
    let form = |form: Form| api.submit(RUNS, &form.text("name", "it"));
    let forms_of = |files: &Files| {
        [
            ("files", form(Form::of(files))),
            ("a zip as the only file", form(Form::default().file("file", "x.zip", &zipped("", files)))),
            ("a zip", raw("application/zip", &zipped("", files))),
            ("a zip of any type", raw("application/octet-stream", &zipped("", files))),
            ("a zip of the folder", raw("application/zip", &zipped("add/", files))),
        ]
    };
    let value = files(&[("workflow.xml", VALUE)]);
    let documents = [
        ("a document", raw("application/xml", VALUE.as_bytes())),
        ("a document as text", raw("text/xml; charset=utf-8", VALUE.as_bytes())),
    ];
    for (forms, files) in [
        (forms_of(&shipped("add")).into_iter().collect::<Vec<_>>(), shipped("add")),
        (forms_of(&value).into_iter().chain(documents).collect(), value),
    ] {
        let expected = api.run_form(&Form::of(&files)).workflow;
        for (what, answer) in forms {
            let created = accepted(what, &answer);
            assert_eq!((created.workflow, created.name.as_str()), (expected.clone(), "it"), "{what}");
        }
    }
}

#[test]
fn a_document_alone_runs() {
    let server = TestServer::start(&[]);
    let created = accepted("", &server.api().post(RUNS, "application/xml", &[], VALUE.as_bytes()));
    let view = server.api().await_end(&created.run);
    assert_eq!((view.summary.state, view.result), (RunState::Finished, Some(7.into())));
}

#[test]
fn an_upload_in_no_known_form_is_refused_in_words() {
    let server = TestServer::start(&[]);
    let api = server.api();
    let form = || Form::of(&job_workflow("function weevil_main() {}", ""));
    let long = "x=1".repeat(12 * 1024 * 1024);
    for (what, answer, expected, words) in [
        ("an unknown type", api.post(RUNS, "image/png", &[], b"x"), (415, "badMediaType"), "image/png"),
        ("no type", api.post(RUNS, "", &[], b"x"), (415, "badMediaType"), "application/zip"),
        ("no zip", api.post(RUNS, "application/zip", &[], b"hello"), (400, "badUpload"), "not a zip"),
        ("a broken zip", api.post(RUNS, "application/zip", &[], b"PK\x03\x04"), (422, "badBundle"), "zip"),
        ("a broken document", api.post(RUNS, "text/xml", &[], b"<workflow>"), (422, "badWorkflow"), ""),
        ("an unknown part", api.submit(RUNS, &form().text("colour", "red")), (400, "badUpload"), "colour"),
        (
            "an unknown parameter",
            api.post("/api/v1/runs?x=1", "text/xml", &[], b""),
            (400, "badUpload"),
            "`x`",
        ),
        ("reuse", api.submit(RUNS, &form().text("reuse", "often")), (400, "badUpload"), "repeatable"),
        (
            "text that is none",
            api.submit(RUNS, &form().file("set", "", b"\xff")),
            (400, "badUpload"),
            "UTF-8",
        ),
        ("a huge input", api.submit(RUNS, &form().text("set", &long)), (413, "uploadTooLarge"), "33554432"),
    ] {
        let (status, error) = answer.refusal();
        assert_eq!((status, error.code.as_str()), expected, "{what}: {}", error.detail);
        assert!(error.detail.contains(words), "{what}: {}", error.detail);
    }
    for word in ["never", "repeatable", "always"] {
        accepted(word, &api.submit(RUNS, &form().text("reuse", word)));
    }
}

/// Sends a gigabyte of spaces after `start`, as clients do that read nothing before they have sent everything. Answers
/// all that came back.
fn send_a_gigabyte(server: &TestServer, content_type: &str, start: &str, chunked: bool) -> String {
    let mut stream = TcpStream::connect(&server.address).expect("the server listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a socket has time-outs");
    let length =
        if chunked { "transfer-encoding: chunked".into() } else { format!("content-length: {GIGABYTE}") };
    let head = format!(
        "POST {RUNS} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-type: {content_type}\r\n{length}",
        server.address,
        server.token().expect("the server leaves a token")
    );
    let chunk = |bytes: &[u8]| [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat();
    let piece = |bytes: &[u8]| if chunked { chunk(bytes) } else { bytes.to_vec() };
    let spaces = piece(&vec![b' '; 1 << 16]);
    stream.write_all(format!("{head}\r\n\r\n").as_bytes()).expect("the server reads the head");
    stream.write_all(&piece(start.as_bytes())).expect("the server reads the start");
    for _ in 0..GIGABYTE >> 16 {
        stream.write_all(&spaces).expect("the connection stays until all is sent");
    }
    stream.shutdown(Shutdown::Write).expect("all is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the answer is not cut off");
    answer
}

#[test]
fn a_gigabyte_is_refused_in_words_and_never_held() {
    let form = "multipart/form-data; boundary=b";
    let part = "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n";
    for (what, content_type, start, chunked) in [
        ("a declared zip", "application/zip", "PK", false),
        ("a zip in chunks", "application/zip", "PK", true),
        ("a document in chunks", "text/xml", "<workflow>", true),
        ("a declared form", form, part, false),
        ("a form in chunks", form, part, true),
        ("parts without end", form, "--b\r\ncontent-disposition: form-data; name=\"name\"\r\n\r\n", true),
    ] {
        let server = TestServer::start(&[]);
        let answer = send_a_gigabyte(&server, content_type, start, chunked);
        assert!(answer.starts_with("HTTP/1.1 413 "), "{what}: {answer}");
        let body = answer.split_once("\r\n\r\n").expect("a body").1;
        let error: Problem = serde_json::from_str(body).unwrap_or_else(|_| panic!("{what}: {body}"));
        assert_eq!(error.code, "uploadTooLarge", "{what}");
        let peak = status(server.pid(), "VmHWM");
        assert!(peak < MAX_PEAK_MB, "{what}: {peak} MB");
    }
}
