//! TLS at the public socket: what is spoken, a pair that is renewed under load, one that does not fit, and what strangers may cost.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use tempfile::TempDir;
use weevil_e2e::hostile::Stranger;
use weevil_e2e::{Certified, PATIENCE, TestServer};

type Line = StreamOwned<ClientConnection, TcpStream>;

fn pair() -> Certified {
    Certified::of(&["weevil.example"])
}

fn args(pair: &Certified) -> Vec<String> {
    let args = ["--public-listen", "0.0.0.0:0", "--host", "weevil.example"];
    args.into_iter().map(str::to_owned).chain(pair.args()).collect()
}

/// A server whose public socket speaks TLS, and where that is.
fn server(pair: &Certified) -> (TestServer, String) {
    let args = args(pair);
    let mut server = TestServer::start(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let public = server.public_address().replace("0.0.0.0", "127.0.0.1");
    (server, public)
}

/// Shakes hands with a server that has a certificate of the authority's.
fn connect(address: &str, authority: &CertificateDer<'static>, protocols: &[&[u8]]) -> std::io::Result<Line> {
    let mut roots = RootCertStore::empty();
    roots.add(authority.clone()).expect("a root");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions");
    let mut config = config.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    let name = ServerName::try_from("weevil.example").expect("a name");
    let mut connection = ClientConnection::new(Arc::new(config), name).expect("a connection");
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    while connection.is_handshaking() {
        connection.complete_io(&mut stream)?;
    }
    Ok(StreamOwned::new(connection, stream))
}

/// The certificate that a server has shown.
fn shown(line: &Line) -> Option<&CertificateDer<'static>> {
    line.conn.peer_certificates()?.first()
}

/// Shakes hands until a server shows this certificate.
fn await_shown(address: &str, pair: &Certified) {
    let deadline = Instant::now() + PATIENCE;
    while shown(&connect(address, pair.authority(), &[]).expect("a handshake")) != Some(pair.certificate()) {
        assert!(Instant::now() < deadline, "the old pair stays");
    }
}

/// Asks over HTTP/1.1 and reads the head of the answer.
fn ask(line: &mut Line, request: &str) -> std::io::Result<String> {
    line.write_all(request.as_bytes())?;
    let mut read = Vec::new();
    while !read.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        line.read_exact(&mut byte)?;
        read.push(byte[0]);
    }
    Ok(String::from_utf8_lossy(&read).into_owned())
}

const HEALTH: &str = "HEAD / HTTP/1.1\r\nHost: weevil.example\r\n\r\n";

/// Frames of HTTP/2 by hand (RFC 9113, section 4.1).
fn frame(kind: u8, flags: u8, stream: u32, bytes: &[u8]) -> Vec<u8> {
    let length = u32::try_from(bytes.len()).expect("a length").to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), bytes].concat()
}

/// `GET /` for this authority, in HPACK without tables beyond the fixed one (RFC 7541, appendix A), and more headers.
fn head(authority: &str, more: &[(&str, &str)]) -> Vec<u8> {
    let text = |text: &str| [&[u8::try_from(text.len()).expect("short")], text.as_bytes()].concat();
    let more = more.iter().flat_map(|(name, value)| [&[0x00][..], &text(name), &text(value)].concat());
    [&[0x82, 0x84, 0x87, 0x01][..], &text(authority)].concat().into_iter().chain(more).collect()
}

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
/// The end of its stream and of its head.
const WHOLE: u8 = 0x5;

/// The next frame: kind, stream, bytes.
fn next(line: &mut Line) -> std::io::Result<(u8, u32, Vec<u8>)> {
    let mut head = [0; 9];
    line.read_exact(&mut head)?;
    let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
    let mut bytes = vec![0; length as usize];
    line.read_exact(&mut bytes)?;
    Ok((head[3], u32::from_be_bytes([head[5], head[6], head[7], head[8]]), bytes))
}

/// The status of the next answer, as HPACK writes it for the first time; 0 for what it has written before.
fn status(line: &mut Line) -> std::io::Result<u16> {
    const WRITTEN: [(&[u8], u16); 3] =
        [(&[0x88], 200), (&[0x48, 0x83, 0x68, 0x0c, 0xff], 403), (&[0x48, 0x83, 0x68, 0x4f, 0xff], 429)];
    loop {
        if let (HEADERS, _, bytes) = next(line)? {
            let found = WRITTEN.into_iter().find(|(written, _)| bytes.starts_with(written));
            return Ok(found.map_or(0, |(_, status)| status));
        }
    }
}

#[test]
fn both_protocols_are_spoken_and_strangers_get_what_the_face_shows() {
    let pair = pair();
    let (_server, public) = server(&pair);
    for (protocols, spoken) in [
        (&[b"h2" as &[u8], b"http/1.1"][..], Some(b"h2" as &[u8])),
        (&[b"http/1.1", b"h2"], Some(b"h2")),
        (&[b"http/1.1"], Some(b"http/1.1")),
        (&[], None),
    ] {
        let line = connect(&public, pair.authority(), protocols).expect("a handshake");
        assert_eq!(line.conn.alpn_protocol(), spoken, "{protocols:?}");
    }
    let mut line = connect(&public, pair.authority(), &[]).expect("a handshake");
    let page = ask(&mut line, HEALTH).expect("an answer");
    assert!(
        page.starts_with("HTTP/1.1 200 ") && page.contains("strict-transport-security: max-age=2592000\r\n"),
        "{page}"
    );
    let console = ask(&mut line, &HEALTH.replace(" / ", " /console ")).expect("an answer");
    assert!(console.starts_with("HTTP/1.1 404 "), "{console}");
    let by_address = ask(&mut line, &HEALTH.replace("weevil.example", "127.0.0.1")).expect("an answer");
    assert!(!by_address.contains("strict-transport"), "{by_address}");
    let foreign = ask(&mut line, &HEALTH.replace("weevil.example", "evil.example")).expect("an answer");
    assert!(foreign.starts_with("HTTP/1.1 403 "), "{foreign}");
    let upgrade = "GET /ws/v1 HTTP/1.1\r\nHost: weevil.example\r\nOrigin: ORIGIN\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                   Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    for (origin, status) in
        [("https://weevil.example", "101"), ("http://weevil.example", "403"), ("https://evil.example", "403")]
    {
        let mut line = connect(&public, pair.authority(), &[]).expect("a handshake");
        let answer = ask(&mut line, &upgrade.replace("ORIGIN", origin)).expect("an answer");
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{origin}: {answer}");
    }
    assert!(Stranger::of(&public).connect().send(b"GET / HTTP/1.1\r\nHost: weevil.example\r\n\r\n"));
}

#[test]
fn with_http2_the_authority_counts() {
    let pair = pair();
    let (_server, public) = server(&pair);
    for (authority, more, expected) in [
        ("weevil.example", &[][..], 200),
        ("evil.example", &[], 403),
        ("weevil.example", &[("host", "evil.example")], 403),
        ("evil.example", &[("host", "weevil.example")], 403),
    ] {
        let mut line = connect(&public, pair.authority(), &[b"h2"]).expect("a handshake");
        let sent = [PREFACE, &frame(SETTINGS, 0, 0, &[]), &frame(HEADERS, WHOLE, 1, &head(authority, more))]
            .concat();
        line.write_all(&sent).expect("sent");
        assert_eq!(status(&mut line).expect("an answer"), expected, "{authority} {more:?}");
    }
}

#[test]
fn a_connection_of_many_requests_costs_what_one_may() {
    let pair = pair();
    let (server, public) = server(&pair);
    // A head that is too long, in pieces that are not.
    let mut line = connect(&public, pair.authority(), &[b"h2"]).expect("a handshake");
    let pieces: Vec<u8> = (0..2).flat_map(|_| frame(9, 0, 1, &[0; 9000])).collect();
    let sent =
        [PREFACE, &frame(SETTINGS, 0, 0, &[]), &frame(HEADERS, 1, 1, &head("weevil.example", &[])), &pieces]
            .concat();
    let _refused = line.write_all(&sent);
    while next(&mut line).is_ok() {}
    // Answers that nobody takes: a window of nothing.
    let mut line = connect(&public, pair.authority(), &[b"h2"]).expect("a handshake");
    let closed = frame(SETTINGS, 0, 0, &[0, 4, 0, 0, 0, 0]);
    line.write_all(&[PREFACE, &closed].concat()).expect("sent");
    let requests = 300;
    for number in 0..requests {
        line.write_all(&frame(HEADERS, WHOLE, 2 * number + 1, &head("weevil.example", &[]))).expect("sent");
    }
    let statuses: Vec<u16> = (0..requests).map(|_| status(&mut line).expect("an answer")).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 256, "{statuses:?}");
    let refused: Vec<u16> = statuses.into_iter().filter(|status| *status != 200).collect();
    assert_eq!((refused.len(), refused[0]), (44, 429));
    drop(line);
    // Who says nothing at all is let go.
    let mut silent = Stranger::of(&public).connect();
    assert!(silent.take_until(b"\r\n").is_none());
    assert_eq!(server.api().ready().status, 200);
}

/// Asks anew and over one connection, until told to end; each time somebody has to answer. Says how often.
fn load(public: &str, authority: &CertificateDer<'static>, done: &AtomicBool) -> usize {
    let mut kept = connect(public, authority, &[]).expect("a handshake");
    let mut asked = 0;
    while !done.load(Ordering::Relaxed) {
        let mut fresh = connect(public, authority, &[]).expect("a handshake");
        for line in [&mut fresh, &mut kept] {
            assert!(ask(line, HEALTH).expect("an answer").starts_with("HTTP/1.1 200 "));
        }
        asked += 1;
    }
    asked
}

#[test]
fn a_pair_is_renewed_under_load_and_one_that_does_not_fit_changes_nothing() {
    let mut pair = pair();
    let (server, public) = server(&pair);
    let (done, authority) = (AtomicBool::new(false), pair.authority().clone());
    let asked = thread::scope(|scope| {
        let load = scope.spawn(|| load(&public, &authority, &done));
        pair.renew();
        server.hang_up();
        await_shown(&public, &pair);
        std::fs::write(pair.path("key.pem"), "half of it").expect("a file");
        server.hang_up();
        server.api().await_metric("weevil_tls_reload_failures_total", 1.0);
        await_shown(&public, &pair);
        pair.renew();
        server.hang_up();
        await_shown(&public, &pair);
        done.store(true, Ordering::Relaxed);
        load.join().expect("everybody was answered")
    });
    assert!(asked > 0, "there was a load");
    assert!(server.api().metrics().get("weevil_tls_expires_seconds") > 0.0);
}

#[test]
fn a_redirect_leads_to_the_servers_own_address() {
    let pair = pair();
    let args = args(&pair);
    let more = ["--redirect-listen", "127.0.0.1:0", "--public-url", "https://weevil.example"];
    let mut server = TestServer::start(&args.iter().map(String::as_str).chain(more).collect::<Vec<_>>());
    let stranger = Stranger::of(&server.redirect_address());
    for (method, target, host, status, location) in [
        ("GET", "/", "weevil.example", 308, Some("https://weevil.example/")),
        ("GET", "/embed?x=1", "weevil.example", 308, Some("https://weevil.example/embed?x=1")),
        ("GET", "/", "evil.example", 308, Some("https://weevil.example/")),
        ("GET", "//evil.example", "weevil.example", 308, Some("https://weevil.example//evil.example")),
        ("GET", "http://evil.example/x", "evil.example", 308, Some("https://weevil.example/x")),
        ("POST", "/worker/v1/join", "weevil.example", 404, None),
        ("OPTIONS", "/", "weevil.example", 404, None),
    ] {
        let reply = stranger.ask(method, target, &[("Host", host)], &[]);
        assert_eq!((reply.status, reply.header("location")), (status, location), "{method} {target}");
        assert!(reply.body.is_empty());
    }
    drop(server);
}

#[test]
fn what_is_no_pair_does_not_start() {
    let (pair, other) = (pair(), pair());
    let server = TestServer::start(&[]);
    let file = |pair: &Certified, name: &str| pair.path(name).display().to_string();
    for (certificate, key, words) in [
        (Some(file(&pair, "cert.pem")), Some(file(&other, "key.pem")), "another certificate"),
        (Some(file(&pair, "cert.pem")), Some(file(&pair, "cert.pem")), "holds no private key"),
        (Some(file(&pair, "nothing.pem")), Some(file(&pair, "key.pem")), "cannot be read"),
        (Some(file(&pair, "cert.pem")), None, "--tls-key is missing"),
        (None, Some(file(&pair, "key.pem")), "--tls-cert is missing"),
    ] {
        let named =
            |name: &str, file: Option<String>| file.map(|file| [name.to_owned(), file]).into_iter().flatten();
        let folder = TempDir::new().expect("a folder");
        let mut command = Command::new(server.binary());
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(folder.path());
        command.args(named("--tls-cert", certificate)).args(named("--tls-key", key));
        let refused = command.output().expect("it runs");
        let told = String::from_utf8_lossy(&refused.stderr);
        assert!(refused.status.code() == Some(2) && told.contains(words), "{words}: {told}");
    }
}
