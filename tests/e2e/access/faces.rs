//! What strangers find on the public face, and what they try in order to find more.

use std::process::Command;

use weevil_api::routes::Operation;
use weevil_e2e::hostile::{Reply, Stranger};
use weevil_e2e::{Browser, TestServer, job_workflow, shipped};
use weevil_model::{ContentHash, Face};

/// A server with a public face, and where that is.
fn server(args: &[&str]) -> (TestServer, String) {
    let args = [&["--public-listen", "127.0.0.1:0"], args].concat();
    let mut server = TestServer::start(&args);
    let public = server.public_address();
    (server, public)
}

/// A path with something in the place of what varies.
fn path(operation: Operation) -> String {
    let row = operation.row();
    let id = |part: &str| match part {
        "{run}" => "run_0000000000001".to_owned(),
        "{job}" => "job_0000000000001".to_owned(),
        "{hash}" | "{workflow}" => "0".repeat(64),
        other => other.to_owned(),
    };
    row.path.split('/').map(id).collect::<Vec<_>>().join("/")
}

/// All of an answer that does not differ by moment, by path or by the request's id.
fn shape(reply: &Reply, path: &str) -> (u16, Vec<String>, String) {
    let names = reply.headers.iter().map(|(name, _)| name.clone()).collect();
    let id = reply.header("x-request-id").unwrap_or_default();
    (reply.status, names, reply.text().replace(path, "PATH").replace(id, "ID"))
}

#[test]
fn what_is_private_is_not_there_outside() {
    let (_server, public) = server(&[]);
    let private =
        Operation::ALL.into_iter().filter(|operation| operation.row().face == Face::Private).map(path);
    let pages = [
        "/console",
        "/console.html",
        "/console/runs",
        "/metrics",
        "/api/docs",
        "/api/openapi.json",
        "/api/v1",
    ];
    let all: Vec<String> = private.chain(pages.map(str::to_owned)).collect();
    assert!(all.len() > 25, "{all:?}");
    let disguises: [&[(&str, &str)]; 4] = [
        &[],
        &[
            ("X-Forwarded-Host", "localhost"),
            ("X-Forwarded-Proto", "https"),
            ("X-Forwarded-For", "127.0.0.1"),
        ],
        &[("Forwarded", "for=127.0.0.1;host=localhost"), ("X-Real-IP", "127.0.0.1")],
        &[("X-Original-URL", "/"), ("X-Rewrite-URL", "/"), ("X-Http-Method-Override", "GET")],
    ];
    let stranger = Stranger::of(&public);
    for method in ["GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
        let nothing = shape(&stranger.ask(method, "/nothing", &[], &[]), "/nothing");
        assert!(nothing.0 == 404 && nothing.2.contains("noSuchPage"), "{nothing:?}");
        for path in &all {
            for headers in disguises {
                let found = shape(&stranger.ask(method, path, headers, &[]), path);
                assert_eq!(found, nothing, "{method} {path} {headers:?}");
            }
        }
    }
}

#[test]
fn volunteers_come_in_from_outside() {
    let (server, public) = server(&[]);
    let run = server.api().run(&shipped("add"));
    let browser = Browser::start();
    let page = browser.open(&format!("http://{public}/?autostart"));
    assert_eq!(server.api().await_end(&run).result, Some(157.into()));
    page.wait_for("document.documentElement.dataset.state === 'waiting'");
    let worker = Stranger::of(&public).join(1);
    server.api().await_fleet(|fleet| fleet.workers.len() == 2);
    drop(worker);
}

#[test]
fn strangers_are_given_code_and_no_other_file() {
    let (server, public) = server(&[]);
    let (api, stranger) = (server.api(), Stranger::of(&public));
    let code = ["Add.js", "Add.wgsl", "pi_approx.js", "pi_reduce.js", "saxpy.wgsl"];
    let unknown = shape(&stranger.get(&format!("/blobs/{}", "0".repeat(64))), &"0".repeat(64));
    for (path, bytes) in ["webcl-add", "pi", "saxpy"].into_iter().flat_map(|name| {
        api.run(&shipped(name));
        shipped(name)
    }) {
        let hash = ContentHash::of(&bytes).to_string();
        let blob = format!("/blobs/{hash}");
        let (inside, outside) = (api.get(&blob), stranger.get(&blob));
        let is_code = code.contains(&&*path);
        let kept = if is_code { "public, " } else { "private, " };
        assert!(
            inside.headers()["cache-control"].to_str().is_ok_and(|value| value.starts_with(kept)),
            "{path}"
        );
        assert_eq!(inside.into_body().read_to_vec().expect("the file"), bytes, "{path}");
        if is_code {
            assert_eq!((outside.status, &outside.body), (200, &bytes), "{path}");
        } else {
            assert_eq!(shape(&outside, &hash), unknown, "{path}");
        }
    }
    let (_, data) = shipped("saxpy").into_iter().find(|file| file.0 == "x.json").expect("an input");
    let hash = ContentHash::of(&data);
    let job = format!(r#"{{"code": "{hash}", "queue": "q"}}"#);
    assert_eq!(api.post("/api/v1/jobs", "application/json", &[], job.as_bytes()).status, 201);
    assert_eq!(stranger.get(&format!("/blobs/{hash}")).status, 200, "what is run is code");
}

#[test]
fn outside_nothing_is_told_of_the_inside() {
    let (server, public) = server(&[]);
    server.limit_files(Some(1));
    let upload = server.api().refused(&job_workflow("function weevil_main() {}", ""), &[]);
    assert_eq!(upload.0, 503);
    let inside = server.api().await_ready(503);
    assert!(inside.text.contains("refuses to write"), "{}", inside.text);
    let stranger = Stranger::of(&public);
    let outside = stranger.get("/readyz");
    assert_eq!((outside.status, outside.text().as_str()), (503, "not ready"));
    assert_eq!(outside.header("content-type"), Some("text/plain; charset=utf-8"));
    server.limit_files(None);
    server.api().await_ready(200);
    assert_eq!(stranger.get("/readyz").text(), "ready");
    for path in
        ["/", "/sandbox", "/embed", "/healthz", "/readyz", "/nothing", "/.well-known/compute-policy.json"]
    {
        let reply = stranger.get(path);
        for name in ["set-cookie", "server", "x-powered-by", "via"] {
            assert_eq!(reply.header(name), None, "{path} {name}");
        }
        assert!(reply.header("x-request-id").is_some(), "{path}");
        assert!(!reply.text().contains(env!("CARGO_PKG_VERSION")), "{path} tells a version");
    }
}

#[test]
fn what_does_not_fit_does_not_start_and_says_all_of_it() {
    let server = TestServer::start(&[]);
    for (args, words) in [
        (&["--listen", "0.0.0.0:0"][..], &["--plain-http", "--trusted-proxy"][..]),
        (
            &["--listen", "127.0.0.1:8080", "--insecure-console"],
            &["--insecure-console is gone", "--public-listen", "accounts"],
        ),
        (
            &["--listen", "0.0.0.0:1", "--public-listen", "0.0.0.0:1", "--heartbeat-seconds", "60"],
            &["--plain-http", "named twice", "--heartbeat-seconds 60"],
        ),
        (&["--url", "https://weevil.example/sub"], &["more than a scheme, a host and a port"]),
        (&["--host", "a b"], &["no host name"]),
        (&["--public-listen", "127.0.0.1:1,127.0.0.1:2,127.0.0.1:3,127.0.0.1:4,127.0.0.1:5"], &["at most 4"]),
    ] {
        let folder = tempfile::TempDir::new().expect("a folder");
        let mut command = Command::new(server.binary());
        let refused =
            command.arg("serve").args(args).arg("--data").arg(folder.path()).output().expect("it runs");
        let told = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{args:?}: {told}");
        for words in words {
            assert!(told.contains(words), "{args:?}: {told}");
        }
    }
}

#[test]
fn only_what_other_sites_may_show_stands_beside_their_pages() {
    let (server, public) = server(&[]);
    for address in [&server.address, &public] {
        for (path, alone) in [
            ("/", true),
            ("/sandbox", true),
            ("/sandbox-check", true),
            ("/healthz", true),
            ("/nothing", true),
            ("/embed", false),
            ("/embed/sandbox", false),
            ("/embed/sandbox-wasm", false),
            ("/.well-known/compute-policy.json", false),
        ] {
            let reply = Stranger::of(address).get(path);
            let expected = alone.then_some("same-origin");
            for name in ["cross-origin-opener-policy", "cross-origin-resource-policy"] {
                assert_eq!(reply.header(name), expected, "{path} {name}");
            }
        }
    }
}
