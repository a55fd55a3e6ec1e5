//! The routes as browsers and other sites see them.

use weevil_api::Problem;
use weevil_api::routes::Operation;
use weevil_e2e::{TestServer, job_workflow, shipped};
use weevil_model::ContentHash;

fn header(server: &TestServer, path: &str, name: &str) -> String {
    let response = server.api().get(path);
    assert_eq!(response.status(), 200, "{path}");
    response
        .headers()
        .get(name)
        .map(|value| value.to_str().unwrap_or_default().to_owned())
        .unwrap_or_default()
}

#[test]
fn pages_are_strict_and_the_sandbox_is_stricter() {
    let server = TestServer::start(&[]);
    for page in ["/", "/console", "/sandbox-check"] {
        let policy = header(&server, page, "content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'") && !policy.contains("unsafe-inline"),
            "{page}: {policy}"
        );
        assert!(!policy.contains("'unsafe-eval'"), "{page}: {policy}");
        assert_eq!(header(&server, page, "x-content-type-options"), "nosniff");
    }
    for (path, ancestors) in [
        ("/", "'none'"),
        ("/console", "'none'"),
        ("/sandbox-check", "'none'"),
        ("/sandbox", "'self'"),
        ("/embed", "*"),
        ("/embed/sandbox", "*"),
    ] {
        let policy = header(&server, path, "content-security-policy");
        assert!(policy.ends_with(&format!("; frame-ancestors {ancestors}")), "{path}: {policy}");
    }
    let policy = header(&server, "/sandbox", "content-security-policy");
    for part in ["connect-src 'none'", "worker-src data:", "frame-ancestors 'self'", "sandbox allow-scripts"]
    {
        assert!(policy.contains(part), "{part}: {policy}");
    }
    let strict = header(&server, "/sandbox-wasm", "content-security-policy");
    assert_eq!(strict, policy.replace(" 'unsafe-eval'", ""), "the same but for text that is evaluated");
}

#[test]
fn assets_come_compressed_and_code_comes_for_ever() {
    let server = TestServer::start(&[]);
    let page = server.api().get("/").into_body().read_to_string().expect("a page");
    let start = page.find("/assets/").expect("the page has assets");
    let asset = page[start..].split('"').next().expect("a path");
    let response = server.api().get_with(asset, &[("accept-encoding", "br")]);
    assert_eq!(response.headers()["content-encoding"], "br");
    assert!(response.headers()["cache-control"].to_str().is_ok_and(|value| value.contains("immutable")));
    server.api().run(&shipped("add"));
    let code = shipped("add").into_iter().find(|file| file.0 == "Add.js").expect("Add.js").1;
    let response = server.api().get(&format!("/blobs/{}", ContentHash::of(&code)));
    assert!(response.headers()["cache-control"].to_str().is_ok_and(|value| value.contains("immutable")));
    assert_eq!(response.into_body().read_to_vec().expect("the code"), code);
}

#[test]
fn other_sites_are_kept_out() {
    let server = TestServer::start(&[]);
    let own = format!("http://{}", server.address);
    let upload = job_workflow("function weevil_main() {}", "");
    for origin in ["http://evil.example", "null"] {
        let (status, error) = server.api().refused(&upload, &[("origin", origin)]);
        assert_eq!((status, error.code.as_str()), (403, "foreignOrigin"));
        for path in ["/api/v1/workflows", "/api/v1/runs/run_0000000000001/cancel"] {
            let (status, error) =
                server.api().post(path, "text/xml", &[("origin", origin)], b"<x/>").refusal();
            assert_eq!((status, error.code.as_str()), (403, "foreignOrigin"), "{path}");
        }
    }
    let rebound = server.api().get_with("/api/v1/runs", &[("host", "evil.example")]);
    assert_eq!(rebound.status(), 403);
    let fine = server.api().get_with("/api/v1/runs", &[("origin", own.as_str())]);
    assert_eq!(fine.status(), 200);
}

#[test]
fn what_is_not_there_is_told_so() {
    let server = TestServer::start(&[]);
    for (path, status, code) in [
        ("/api/v1/runs/run_0000000000001", 404, "noSuchRun"),
        ("/api/v1/runs/run_0000000000001/result", 404, "noSuchRun"),
        ("/api/v1/runs/run_0000000000001/events", 404, "noSuchRun"),
        ("/api/v1/runs/nonsense", 400, "badId"),
        ("/api/v1/workflows/nonsense", 400, "badId"),
        ("/blobs/xyz", 400, "badId"),
        ("/blobs/0000000000000000000000000000000000000000000000000000000000000000", 404, "noSuchBlob"),
        ("/nothing/here", 404, "noSuchPage"),
        ("/../Cargo.toml", 400, "badPath"),
    ] {
        let response = server.api().get(path);
        assert_eq!(response.status(), status, "{path}");
        let body = response.into_body().read_to_string().expect("a body");
        let error: Problem = serde_json::from_str(&body).unwrap_or_else(|_| panic!("{path}: {body}"));
        assert_eq!(error.code, code, "{path}");
    }
}

#[test]
fn only_known_methods_are_taken() {
    let server = TestServer::start(&[]);
    for (method, path, allowed) in [
        ("POST", "/", "GET, HEAD"),
        ("DELETE", "/api/v1/runs", "POST, GET"),
        ("HEAD", "/api/v1/queue", "GET"),
        ("GET", "/worker/v1/join", "POST"),
        ("PUT", "/healthz", "GET"),
        ("PUT", "/api/v1/workflows", "POST, GET"),
        ("OPTIONS", "/api/v1/runs/run_0000000000001/cancel", "POST"),
    ] {
        let refused = server.api().ask(method, path);
        assert_eq!(refused.status(), 405, "{method} {path}");
        assert_eq!(refused.headers()["allow"], allowed, "{method} {path}");
    }
    assert_eq!(server.api().status_of("HEAD", "/"), 200);
    assert_eq!(server.api().status_of("POST", "/nothing"), 404);
}

#[test]
fn a_refusal_is_a_problem_whose_page_is_here() {
    let server = TestServer::start(&[]);
    let api = server.api();
    for (path, code) in [
        ("/api/v1/runs/run_0000000000001", "noSuchRun"),
        ("/api/v1/queue?x=1", "badQuery"),
        ("/ws/v1", "badMessage"),
        ("/worker/v1/join", "noSuchMethod"),
        ("/nothing", "noSuchPage"),
        ("/a//b", "badPath"),
    ] {
        let refused = api.get(path);
        let (status, id) = (refused.status().as_u16(), refused.headers()["x-request-id"].clone());
        assert_eq!(refused.headers()["content-type"], "application/problem+json", "{path}");
        assert_eq!(refused.headers()["cache-control"], "no-store", "{path}");
        let problem: Problem = serde_json::from_str(&refused.into_body().read_to_string().expect("a body"))
            .unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!((problem.status, problem.code.as_str()), (status, code), "{path}");
        assert_eq!(
            (problem.request_id.as_bytes(), Some(&*problem.instance)),
            (id.as_bytes(), path.split('?').next())
        );
        let page = api.get(&problem.page);
        assert_eq!(page.status(), 200, "{}", problem.page);
        let policy = page.headers()["content-security-policy"].clone();
        assert_eq!(policy, header(&server, "/", "content-security-policy"));
        let text = page.into_body().read_to_string().expect("a page");
        assert!(text.contains(&format!("{code}: {}</h1>", problem.title)), "{text}");
    }
    assert_eq!(header(&server, "/docs/theme/book.css", "content-type"), "text/css; charset=utf-8");
}

#[test]
fn an_answer_of_unknown_length_announces_what_it_has() {
    let server = TestServer::start(&[]);
    let owner = server.owner();
    let upgrade = [("Connection", "Upgrade"), ("Upgrade", "h2c")];
    for (headers, chunks) in [(&[][..], true), (&upgrade[..], false)] {
        let mut line = owner.connect();
        assert!(line.send(&owner.head("GET", &Operation::ExportAudit.path(&[]), headers)));
        let head = line.take_until(b"\r\n\r\n").expect("a head");
        let head = String::from_utf8(head).expect("a head is text");
        assert_eq!(head.contains("\r\ntransfer-encoding: chunked\r\n"), chunks, "{head}");
        assert_eq!(head.contains("\r\nconnection: close\r\n"), !chunks, "{head}");
        assert_eq!(line.take_until(b"\n").expect("a row").starts_with(b"{"), !chunks);
    }
}

#[test]
fn no_shared_cache_keeps_what_researchers_read() {
    let server = TestServer::start(&[]);
    for (path, kept) in [
        ("/api/v1/runs", "private"),
        ("/api/v1/queue", "private"),
        ("/metrics", "private"),
        ("/readyz", "no-store"),
        ("/console", "no-cache"),
    ] {
        assert_eq!(header(&server, path, "cache-control"), kept, "{path}");
    }
}
