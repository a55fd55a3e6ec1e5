//! By which names a server is reached, on which socket, and whose pages it takes for its own then.

use weevil_e2e::TestServer;
use weevil_e2e::hostile::{Reply, Stranger};

const NAMES: [&str; 6] = [
    "--public-url",
    "https://weevil.example",
    "--url",
    "http://inside.example:8080",
    "--host",
    "other.example",
];

fn get(address: &str, host: &str) -> Reply {
    Stranger::of(address).with("Host", host).get("/healthz")
}

#[test]
fn a_socket_answers_to_its_own_names() {
    let args = [&["--public-listen", "127.0.0.1:0,[::1]:0,0.0.0.0:0"][..], &NAMES].concat();
    let mut server = TestServer::start(&args);
    let (loopback, six) = (server.public_address(), server.public_address());
    let open = server.public_address().replace("0.0.0.0", "127.0.0.1");
    for (host, on_loopback, elsewhere) in [
        ("localhost", true, false),
        ("localhost:1", true, false),
        ("127.0.0.1", true, true),
        ("[::1]:8080", true, true),
        ("192.0.2.7", false, true),
        ("[2001:db8::7]", false, true),
        ("weevil.example", true, true),
        ("inside.example:8080", true, true),
        ("OTHER.example", true, true),
        ("evil.example", false, false),
        ("weevil.example.evil.example", false, false),
        ("127.1", false, false),
        ("2130706433", false, false),
        ("weevil.example.", false, false),
        ("", false, false),
        ("weevil.example/", false, false),
        ("weevil.example@evil.example", false, false),
    ] {
        for (address, fine) in [
            (&server.address, on_loopback),
            (&loopback, on_loopback),
            (&six, on_loopback),
            (&open, elsewhere),
        ] {
            let reply = get(address, host);
            let expected = if fine { (200, "") } else { (403, "foreignHost") };
            assert_eq!(
                (reply.status, reply.code().as_str()),
                expected,
                "{host} at {address}: {}",
                reply.text()
            );
        }
    }
}

#[test]
fn a_host_is_named_once_and_comes_first() {
    let server = TestServer::start(&[]);
    let stranger = Stranger::of(&server.address);
    for (headers, target, status) in [
        // Refused where the head is read, before anybody can ask for anything.
        (&[("Host", "localhost"), ("Host", "localhost")][..], "/healthz", 400),
        (&[("Host", "localhost"), ("Host", "evil.example")], "/healthz", 400),
        (&[("Host", "localhost")], "http://evil.example/healthz", 403),
        (&[("Host", "evil.example")], "http://localhost/healthz", 403),
        (&[("Host", "localhost")], "http://localhost/healthz", 200),
        (&[("Host", "evil.example")], "/%2e%2e/healthz", 403),
        (&[("Host", "evil.example"), ("X-Forwarded-Host", "localhost")], "/healthz", 403),
    ] {
        let reply = stranger.ask("GET", target, headers, &[]);
        let code = if status == 403 { "foreignHost" } else { "" };
        assert_eq!((reply.status, reply.code().as_str()), (status, code), "{headers:?} {target}");
    }
    let evil = stranger.with("Host", "evil.example");
    assert_eq!(
        evil.ask("OPTIONS", "/api/v1/runs", &[("Origin", "http://evil.example")], &[]).code(),
        "foreignHost"
    );
}

#[test]
fn an_origin_is_the_one_by_which_the_server_was_reached() {
    let args = [&["--public-listen", "127.0.0.1:0"][..], &NAMES].concat();
    let mut server = TestServer::start(&args);
    let public = server.public_address();
    for (address, host, origin, fine) in [
        (&public, "weevil.example", "https://weevil.example", true),
        (&public, "weevil.example", "http://weevil.example", false),
        (&public, "weevil.example", "https://inside.example", false),
        (&public, "other.example", "http://other.example", true),
        (&public, "other.example", "https://other.example", false),
        (&public, "other.example", "https://weevil.example", false),
        (&public, "inside.example:8080", "http://inside.example:8080", true),
        (&public, "localhost:8080", "http://localhost:8080", true),
        (&public, "localhost:8080", "http://localhost:8081", false),
        (&public, "localhost:8080", "null", false),
        (&server.address, "inside.example", "http://inside.example:8080", true),
        (&server.address, "inside.example", "http://inside.example", false),
        (&server.address, "weevil.example", "https://weevil.example", false),
    ] {
        let stranger = Stranger::of(address).with("Host", host).with("Origin", origin);
        // No body: what comes through the door is refused for that.
        let code = stranger.plain("join", "").code();
        assert_eq!(code == "foreignOrigin", !fine, "{host} {origin}: {code}");
        let upgraded = stranger.upgrade();
        assert_eq!(upgraded.is_ok(), fine, "{host} {origin}: {upgraded:?}");
    }
    for site in ["cross-site", "same-site"] {
        let stranger = Stranger::of(&public).with("Sec-Fetch-Site", site);
        assert_eq!(stranger.plain("join", "").code(), "foreignOrigin", "{site}");
        assert!(stranger.upgrade().is_err(), "{site}");
    }
}

#[test]
fn there_is_no_sharing_with_other_origins() {
    let server = TestServer::start(&[]);
    let stranger = Stranger::of(&server.address);
    let own = format!("http://{}", server.address);
    for origin in [own.as_str(), "http://evil.example", "null"] {
        let asked = [("Origin", origin), ("Access-Control-Request-Method", "POST")];
        let reply = stranger.ask("OPTIONS", "/api/v1/runs", &asked, &[]);
        assert_eq!((reply.status, reply.code().as_str()), (405, "noSuchMethod"), "{origin}");
        assert!(reply.headers.iter().all(|(name, _)| !name.starts_with("access-control-")), "{reply:?}");
    }
}
