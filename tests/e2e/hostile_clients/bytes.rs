//! Bytes that nobody asked for: bodies without a secret, messages before a welcome, lists that promise what no worker
//! can hold, reports for what was never handed out. What is not let in is not unpacked.

use weevil_e2e::hostile::cbor::{head, uint};
use weevil_e2e::hostile::words::{self, Claim, Told};
use weevil_e2e::hostile::{ByteWorker, RawFrame, Stranger};
use weevil_e2e::{TestServer, status};

const MIB: usize = 1024 * 1024;
/// The server's resident memory at its highest, in MB.
const MOST_MB: f64 = 512.0;

/// The words with which a socket is refused, or nothing where it just ends.
fn refused(socket: &mut weevil_e2e::hostile::RawSocket) -> String {
    match socket.message().map(|message| Told::read(&message)) {
        Some(Told::Refused { message, .. }) => message,
        None => String::new(),
        Some(other) => panic!("{other:?}"),
    }
}

#[test]
fn before_the_welcome_a_message_is_a_small_hello() {
    let server = TestServer::start(&[]);
    let stranger = Stranger::of(&server.address);
    let long = [words::hello(1, 1), vec![0; 5000]].concat();
    for (what, bytes, words) in [
        ("a long message", RawFrame::binary(&long).bytes(), "at most 4096"),
        ("its announcement", RawFrame::announcing(4097).bytes(), "at most 4096"),
        ("32 MiB", RawFrame::announcing(32 * MIB as u64).bytes(), "at most 4096"),
        ("a heartbeat", RawFrame::binary(&words::heartbeat(&[], 1, 1)).bytes(), "hello"),
        ("results", RawFrame::binary(&words::results(&[], 1)).bytes(), "hello"),
    ] {
        let mut socket = stranger.upgrade().expect("the lobby is open");
        socket.line.send(&bytes);
        let told = refused(&mut socket);
        assert!(told.contains(words), "{what}: {told}");
    }
    stranger.join(0);
}

#[test]
fn lists_are_refused_by_what_they_promise() {
    let server = TestServer::start(&[]);
    let stranger = Stranger::of(&server.address);
    for kind in 1..=3 {
        for promised in [2049, u64::MAX] {
            let mut worker = stranger.join(0);
            let list = head(4, promised);
            worker.say(&words::frame(kind, &[list, uint(1)]));
            let told = refused(&mut worker.socket);
            assert!(told.contains(&format!("{promised} attempts")), "{kind}: {told}");
        }
    }
}

#[test]
fn frames_that_are_none_end_their_connection() {
    let server = TestServer::start(&[]);
    let stranger = Stranger::of(&server.address);
    let whole = RawFrame::binary(&words::heartbeat(&[], 1, 0));
    for (what, frame, words) in [
        ("no mask", RawFrame { mask: None, ..whole.clone() }, "masked"),
        ("reserved bits", RawFrame { reserved: 4, ..whole.clone() }, "bits set"),
        (
            "an unknown kind",
            RawFrame { opcode: weevil_e2e::hostile::Opcode(3), ..whole.clone() },
            "no known kind",
        ),
        (
            "more of nothing",
            RawFrame { opcode: weevil_e2e::hostile::Opcode::CONTINUATION, ..whole.clone() },
            "has not begun",
        ),
        ("33 MiB", RawFrame::announcing(33 * MIB as u64), "at most 33554432"),
        ("all there is", RawFrame::announcing(u64::MAX), "at most 33554432"),
    ] {
        let mut worker = stranger.join(0);
        worker.socket.send(&frame);
        let told = refused(&mut worker.socket);
        assert!(told.contains(words), "{what}: {told}");
    }
    let mut worker = stranger.join(0);
    worker.socket.say_in_pieces(&words::heartbeat(&[], 1, 0), 1);
    worker.socket.send(&RawFrame { opcode: weevil_e2e::hostile::Opcode::PING, ..RawFrame::binary(b"here?") });
    assert_eq!(worker.socket.message().map(|message| Told::read(&message)), Some(Told::Heard));
    assert_eq!(worker.socket.frame(), Some((weevil_e2e::hostile::Opcode::PONG, b"here?".to_vec())));
}

/// The secret is compared before the rest of a body is read: nothing more than its beginning is ever sent.
#[test]
fn a_body_without_the_secret_is_refused_by_its_beginning() {
    let server = TestServer::start(&[]);
    let stranger = Stranger::of(&server.address);
    let joined = stranger.plain("join", r#"<join protocol="1" browser_type="x" capabilities="1"/>"#);
    let worker = joined.attributes("worker").remove(0);
    let filling = format!("<!-- {} -->", "x".repeat(8192));
    for (what, tag, expected) in [
        ("a wrong secret", format!("<submit worker=\"{worker}\" secret=\"wrong\">"), (401, "wrongSecret")),
        ("nobody's", "<submit worker=\"wrk_0000000000000\" secret=\"\">".into(), (404, "noSuchWorker")),
        ("no secret", format!("<submit worker=\"{worker}\">"), (400, "badMessage")),
        ("no element", "<!-- ".into(), (400, "badMessage")),
    ] {
        let mut lines: Vec<_> = (0..4)
            .map(|_| {
                let mut line = stranger.connect();
                line.send(&stranger.head("POST", "/worker/v1/submit", &[("Content-Length", "33554432")]));
                line.send(format!("{tag}{filling}").as_bytes());
                line
            })
            .collect();
        for line in &mut lines {
            let reply = line.reply().unwrap_or_else(|| panic!("{what} has no answer"));
            assert_eq!((reply.status, reply.code().as_str()), expected, "{what}");
        }
    }
    let peak = status(server.pid(), "VmHWM");
    assert!(peak < MOST_MB, "{peak} MB");
}

/// Who reads the answer only after it has sent everything hears it as well.
#[test]
fn a_whole_body_without_the_secret_is_told_so() {
    let server = TestServer::start(&["--trusted-proxy", "127.0.0.1"]);
    let stranger = Stranger::of(&server.address).from("203.0.113.7");
    let filling = "x".repeat(8 * MIB);
    let body = format!("<submit worker=\"wrk_0000000000001\" secret=\"none\"><!-- {filling} --></submit>");
    let length = body.len().to_string();
    for round in 0..6 {
        let mut line = stranger.connect();
        line.send(&stranger.head("POST", "/worker/v1/submit", &[("Content-Length", &length)]));
        assert!(line.send(body.as_bytes()), "{round}");
        assert_eq!(line.reply().map(|reply| reply.code()).as_deref(), Some("noSuchWorker"), "{round}");
    }
    let peak = status(server.pid(), "VmHWM");
    assert!(peak < MOST_MB, "{peak} MB");
}

/// Six times in a heartbeat's time, and not a seventh.
#[test]
fn frames_that_name_many_attempts_use_the_allowance_up_faster() {
    let server = TestServer::start(&[]);
    let stranger = Stranger::of(&server.address);
    let many: Vec<_> = (1..=2048).map(|number| (number, number)).collect();
    for frame in [words::heartbeat(&many, 1, 0), words::yields(&many, 0)] {
        let mut worker = stranger.join(0);
        (0..6).for_each(|_| assert!(worker.say(&frame)));
        assert_eq!(report_unknown(&mut worker), [2; 3], "it is heard");
        worker.say(&frame);
        let told = std::iter::from_fn(|| worker.told()).find_map(|told| match told {
            Told::Refused { message, .. } => Some(message),
            _ => None,
        });
        assert!(told.is_some_and(|message| message.contains("slow down")));
    }
}

/// Whether it reaches the queue or waits for what has.
#[test]
fn each_report_is_answered_however_often_it_comes() {
    let server = TestServer::start(&[]);
    let mut worker = Stranger::of(&server.address).join(0);
    let claim = |job| Claim::value((job, 1), &uint(7));
    for frame in [&[claim(1), claim(1), claim(2)][..], &[claim(1)], &[claim(2), claim(3)], &[claim(1)]] {
        worker.say(&words::results(frame, 0));
    }
    let mut verdicts = Vec::new();
    while verdicts.len() < 7 {
        let Some(Told::Verdicts(more)) = worker.told() else { panic!("verdicts are due") };
        verdicts.extend(more.into_iter().map(|(key, _)| key.0));
    }
    verdicts.sort_unstable();
    assert_eq!(verdicts, [1, 1, 1, 1, 2, 2, 3]);
}

#[test]
fn small_exchanges_have_small_bodies() {
    let server = TestServer::start(&[]);
    let stranger = Stranger::of(&server.address);
    for (exchange, most) in [("join", 4096), ("dequeue", 4096), ("leave", 4096), ("heartbeat", 512 * 1024)] {
        let reply = stranger.plain(exchange, &" ".repeat(most + 1));
        assert_eq!((reply.status, reply.code().as_str()), (413, "messageTooLarge"), "{exchange}");
    }
}

#[test]
fn reports_that_nobody_asked_for_are_few() {
    let server = TestServer::start(&["--trusted-proxy", "127.0.0.1"]);
    let stranger = Stranger::of(&server.address).from("203.0.113.7");
    let joined = stranger.plain("join", r#"<join protocol="1" browser_type="x" capabilities="1"/>"#);
    let (worker, secret) = (joined.attributes("worker").remove(0), joined.attributes("secret").remove(0));
    let result = r#"<result job_id="job_0000000000001" token="1"><value>1</value></result>"#;
    let body = format!("<submit worker=\"{worker}\" secret=\"{secret}\">{}</submit>", result.repeat(2048));
    let codes: Vec<String> = (0..6).map(|_| stranger.plain("submit", &body).code()).collect();
    assert_eq!(codes[0], "", "a few are read");
    assert!(codes.contains(&"slowDown".to_owned()), "{codes:?}");
    let mut other = Stranger::of(&server.address).from("203.0.113.8").join(0);
    assert_eq!(report_unknown(&mut other), [2; 3], "another place has its own");
    let flooded = Stranger::of(&server.address).from("203.0.113.7").join(0);
    assert_eq!(stranger.get("/healthz").status, 200);
    drop(flooded);
}

fn report_unknown(worker: &mut ByteWorker) -> Vec<u64> {
    let claims: Vec<Claim> = (1..4).map(|job| Claim::value((job, 1), &uint(7))).collect();
    worker.report(&claims)
}
