//! Signing in: the first admin, both halves, the throttle, new halves once a day, and what ends with a session.

use std::thread;

use serde_json::{Value, json};
use tempfile::TempDir;
use weevil_access::limits::PLACE_FAILURES;
use weevil_api::routes::Operation;
use weevil_e2e::hostile::{Line, Reply, Stranger};
use weevil_e2e::{ShiftedClock, TestServer};
use weevil_failpoint::Point;

use super::local::{Halves, open_session};
use super::people::{PASSWORD, accept, cookie, halves, invite, send, sign_in, try_password};

const HOUR: u32 = 3600;
const WRONG: &str = "six mauve herons argue";

fn told(reply: &Reply) -> (u16, String) {
    (reply.status, reply.code())
}

fn refused(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

fn me(stranger: &Stranger) -> Reply {
    stranger.get(&Operation::ShowMe.path(&[]))
}

fn json(reply: &Reply) -> Value {
    serde_json::from_slice(&reply.body).expect("JSON")
}

/// Whoever owns the machine comes in without an account.
#[test]
fn a_server_that_is_its_machine_s_alone_asks_for_no_first_admin() {
    for (url, asked) in [
        ("http://localhost:8080", false),
        ("http://127.0.0.1", false),
        ("http://[::1]:1", false),
        ("http://weevil.example", true),
        ("https://192.0.2.1", true),
    ] {
        let mut server = TestServer::start(&["--url", url, "--public-listen", "127.0.0.1:0"]);
        assert_eq!(server.asks_for_first_admin(), asked, "{url}");
    }
}

#[test]
fn the_first_admin_comes_in_by_the_newest_link_and_once() {
    let mut server = TestServer::start(&["--url", "http://weevil.example"]);
    let earlier = server.first_admin_link();
    server.kill();
    server.restart();
    let (link, nobody) = (server.first_admin_link(), server.stranger());
    assert_eq!(told(&accept(&nobody, &earlier, "ada")), refused(410, "badLink"), "one of an earlier start");
    let looked = send(&nobody, Operation::ShowLink, &json!({ "link": link }));
    assert_eq!(json(&looked)["kind"], "firstAdmin");
    for (name, password, code) in [
        ("a", PASSWORD, "badName"),
        ("ada", "password", "weakPassword"),
        ("ada", "password1234", "weakPassword"),
    ] {
        let body = json!({ "link": link, "name": name, "display": "Ada", "password": password });
        assert_eq!(
            told(&send(&nobody, Operation::AcceptLink, &body)),
            refused(422, code),
            "{name} {password}"
        );
    }
    let made = accept(&nobody, &link, "Ada");
    assert_eq!(made.status, 201, "{}", made.text());
    assert_eq!(told(&accept(&nobody, &link, "eve")), refused(410, "badLink"), "used");
    let found = json(&me(&halves(&made).stranger(&server)));
    assert_eq!((&found["kind"], &found["account"]["name"]), (&json!("account"), &json!("ada")));
    assert_eq!((&found["account"]["admin"], &found["fresh"]), (&json!(true), &json!(true)));
    let runs = halves(&made).stranger(&server).get(&Operation::ListRuns.path(&[]));
    assert_eq!(runs.status, 200);
    for (name, password) in [("ada", WRONG), ("nobody", PASSWORD), ("ada", ""), ("-", PASSWORD)] {
        let reply = try_password(&nobody, name, password);
        assert_eq!(told(&reply), refused(401, "wrongSignIn"), "{name}");
        assert_eq!(reply.header("set-cookie"), None);
    }
    assert_eq!(me(&sign_in(&server, "ADA").stranger(&server)).status, 200);
    let other = invite(&server, 1, false);
    assert_eq!(told(&accept(&nobody, &other, "ada")), refused(409, "nameTaken"), "the link stays good");
    assert_eq!(accept(&nobody, &other, "eve").status, 201);
}

#[test]
fn over_https_the_cookie_is_the_host_s_alone() {
    let server = TestServer::start(&["--url", "https://weevil.example", "--trusted-proxy", "127.0.0.1"]);
    let far = server.stranger().from("192.0.2.1").with("Host", "weevil.example");
    let made = accept(&far, &invite(&server, 1, true), "ada");
    let whole = made.header("set-cookie").expect("a cookie");
    assert!(whole.starts_with("__Host-weevil=") && whole.ends_with("; Secure"), "{whole}");
    let Halves { cookie, key } = halves(&made);
    let with = |cookie: &str, key: &str| far.clone().with("Cookie", cookie).with("x-weevil-session-key", key);
    assert_eq!(me(&with(&cookie, &key)).status, 200);
    assert_eq!(told(&me(&far.clone().with("Cookie", &cookie))), refused(403, "noSessionKey"));
    assert_eq!(told(&me(&far.clone().with("x-weevil-session-key", &key))), refused(401, "notSignedIn"));
    let renamed = cookie.replace("__Host-weevil", "weevil-443");
    assert_eq!(told(&me(&with(&renamed, &key))), refused(401, "notSignedIn"), "of a page on plain HTTP");
    let foreign = with(&cookie, &key).with("Origin", "http://weevil.example");
    assert_eq!(told(&me(&foreign)), refused(403, "foreignOrigin"));
}

/// The cookie by which a browser is known that has signed in.
fn known_browser(signed_in: &Reply) -> String {
    let mut cookies = signed_in.headers.iter().filter(|(name, _)| name == "set-cookie");
    let (_, cookie) = cookies.next_back().expect("a cookie");
    cookie.split(';').next().expect("its pair").to_owned()
}

#[test]
fn failures_elsewhere_shut_out_neither_another_place_nor_a_known_browser() {
    let server = TestServer::start(&["--trusted-proxy", "127.0.0.1"]);
    let made = accept(&server.stranger().from("192.0.2.1"), &invite(&server, 1, false), "ada");
    let attacker = server.stranger().from("198.51.100.7");
    for _ in 0..5 {
        assert_eq!(told(&try_password(&attacker, "ada", WRONG)), refused(401, "wrongSignIn"));
    }
    for password in [WRONG, PASSWORD] {
        let reply = try_password(&attacker, "ada", password);
        assert_eq!(told(&reply), refused(429, "slowDown"));
        let seconds: u32 = reply.header("retry-after").expect("when").parse().expect("seconds");
        assert!((60..=3600).contains(&seconds), "{seconds}");
    }
    assert_eq!(try_password(&server.stranger().from("198.51.100.8"), "ada", PASSWORD).status, 200);
    let at_home = attacker.with("Cookie", &known_browser(&made));
    assert_eq!(try_password(&at_home, "ada", PASSWORD).status, 200, "a browser that was there before");
    assert_eq!(told(&try_password(&at_home, "eve", WRONG)), refused(401, "wrongSignIn"));
}

/// Strangers come faster than eight a second, and more of them than the lane of hashes lets wait.
#[test]
fn a_browser_that_is_known_comes_in_where_strangers_fill_the_lane() {
    let server = TestServer::start(&["--trusted-proxy", "127.0.0.1"]);
    let made = accept(&server.stranger().from("192.0.2.1"), &invite(&server, 1, false), "ada");
    let known = server.stranger().from("192.0.2.2").with("Cookie", &known_browser(&made));
    let body = |password: &str| json!({ "name": "ada", "password": password }).to_string();
    let crowd = |crowd: u8| -> Vec<Line> {
        let places = (0..=u8::MAX).map(|place| server.stranger().from(&format!("198.51.{crowd}.{place}")));
        places.map(|stranger| post(&stranger, Operation::SignIn, &body(WRONG))).collect()
    };
    // Those who wait are kept: who hangs up waits no more.
    let mut crowds = Vec::new();
    let last = (0..=u8::MAX).find_map(|number| {
        crowds.push(crowd(number));
        let reply = crowds.last_mut()?.last_mut()?.reply().expect("an answer");
        (reply.status != 401).then_some(reply)
    });
    let last = last.expect("the lane is full some time");
    assert_eq!(told(&last), refused(429, "slowDown"));
    assert!(last.header("retry-after").is_some());
    let mut known = post(&known, Operation::SignIn, &body(PASSWORD));
    assert_eq!(told(&known.reply().expect("an answer")), (200, String::new()));
}

/// Sends a request, and does not wait for its answer.
fn post(stranger: &Stranger, operation: Operation, body: &str) -> Line {
    let length = body.len().to_string();
    let headers = [("Content-Type", "application/json"), ("Content-Length", length.as_str())];
    let mut line = stranger.connect();
    let request = stranger.head("POST", &operation.path(&[]), &headers);
    assert!(line.send(&[&request, body.as_bytes()].concat()), "the server takes it");
    line
}

/// The link of a server's start is as good a key as any other.
#[test]
fn guessed_links_of_any_kind_are_counted_together() {
    let server = TestServer::start(&["--trusted-proxy", "127.0.0.1"]);
    let guess = |place: &str, operation: Operation| {
        let link = "wvk_000000000000000000000000000000002wjyrI";
        told(&send(&server.stranger().from(place), operation, &json!({ "link": link })))
    };
    for operation in [Operation::OpenSession, Operation::ShowLink].iter().cycle().take(PLACE_FAILURES) {
        assert_eq!(guess("198.51.100.7", *operation), refused(410, "badLink"));
    }
    for operation in [Operation::OpenSession, Operation::ShowLink] {
        assert_eq!(guess("198.51.100.7", operation), refused(429, "slowDown"));
        assert_eq!(guess("198.51.100.8", operation), refused(410, "badLink"), "another place");
    }
    open_session(&server);
}

/// A server of a clock, and a session of somebody there.
fn signed_in(clock: &ShiftedClock) -> (TestServer, Halves) {
    let args = ["--session-idle-hours", "240"];
    let server = TestServer::start_over(TempDir::new().expect("a folder"), &clock.server(), &args);
    let halves = halves(&accept(&server.stranger(), &invite(&server, 1, false), "ada"));
    (server, halves)
}

#[test]
fn of_many_requests_at_once_one_is_told_new_halves_and_none_is_refused() {
    let clock = ShiftedClock::at_now();
    let (server, old) = signed_in(&clock);
    clock.set(25 * HOUR);
    let replies: Vec<Reply> = thread::scope(|scope| {
        let asked: Vec<_> = (0..8).map(|_| scope.spawn(|| me(&old.stranger(&server)))).collect();
        asked.into_iter().map(|reply| reply.join().expect("an answer")).collect()
    });
    assert!(replies.iter().all(|reply| reply.status == 200));
    let renewed: Vec<_> =
        replies.iter().filter(|reply| reply.header("x-weevil-session-key").is_some()).collect();
    assert_eq!(renewed.len(), 1);
    let key = renewed[0].header("x-weevil-session-key").expect("a key").to_owned();
    let new = Halves { cookie: cookie(renewed[0]), key };
    assert_eq!(me(&new.stranger(&server)).status, 200);
    let mixed = Halves { cookie: new.cookie.clone(), key: old.key.clone() };
    assert_eq!(told(&me(&mixed.stranger(&server))), refused(401, "notSignedIn"));
    clock.set(25 * HOUR + 120);
    assert_eq!(told(&me(&old.stranger(&server))), refused(401, "notSignedIn"), "the old ones are over");
    assert_eq!(me(&new.stranger(&server)).status, 200);
    clock.set(51 * HOUR);
    let denied = new.stranger(&server).get(&Operation::ListRuns.path(&[]));
    assert_eq!(told(&denied), refused(403, "notAllowed"));
    let key = denied.header("x-weevil-session-key").expect("a refusal tells them as well").to_owned();
    assert_eq!(me(&Halves { cookie: cookie(&denied), key }.stranger(&server)).status, 200);
}

#[test]
fn what_matters_asks_for_a_fresh_sign_in_and_a_new_password_ends_the_others() {
    let clock = ShiftedClock::at_now();
    let (server, first) = signed_in(&clock);
    let elsewhere = sign_in(&server, "ada");
    clock.set(HOUR);
    let change = |halves: &Halves, password: &str| {
        send(&halves.stranger(&server), Operation::ChangePassword, &json!({ "password": password }))
    };
    assert_eq!(told(&change(&first, WRONG)), refused(403, "signInAgain"));
    let prove = |password: &str| {
        send(&first.stranger(&server), Operation::ProveAgain, &json!({ "password": password }))
    };
    assert_eq!(told(&prove(WRONG)), refused(401, "wrongSignIn"));
    let proved = halves(&prove(PASSWORD));
    assert_eq!(told(&change(&proved, "weevil")), refused(422, "weakPassword"));
    let changed = halves(&change(&proved, "nine teal otters whisper"));
    assert_eq!(told(&me(&elsewhere.stranger(&server))), refused(401, "notSignedIn"));
    assert_eq!(me(&changed.stranger(&server)).status, 200);
    assert_eq!(told(&try_password(&server.stranger(), "ada", PASSWORD)), refused(401, "wrongSignIn"));
    clock.set(24 * 15 * HOUR);
    assert_eq!(told(&me(&changed.stranger(&server))), refused(401, "notSignedIn"), "two weeks are over");
}

#[test]
fn sessions_are_listed_and_what_is_open_in_one_ends_with_it() {
    let server = TestServer::start(&[]);
    let first = halves(&accept(&server.stranger(), &invite(&server, 1, true), "ada"));
    let second = sign_in(&server, "ada");
    let list = Operation::ListSessions.path(&[]);
    let found = json(&first.stranger(&server).get(&list));
    let current: Vec<_> =
        found["sessions"].as_array().expect("a list").iter().map(|one| &one["current"]).collect();
    assert_eq!(current, [&json!(true), &json!(false)]);
    assert_eq!(found["sessions"][1]["place"], "loopback");
    let reader = second.stranger(&server);
    let mut line = reader.connect();
    line.send(&reader.head("GET", &Operation::Events.path(&[]), &[]));
    let head = line.take_until(b"\r\n\r\n").expect("a head");
    assert!(head.starts_with(b"HTTP/1.1 200 "), "{}", String::from_utf8_lossy(&head));
    let id = found["sessions"][1]["id"].as_str().expect("an id");
    let ended = first.stranger(&server).ask("DELETE", &Operation::EndSession.path(&[&id]), &[], b"");
    assert_eq!((ended.status, ended.body.len()), (204, 0));
    assert!(line.take_until(b"0\r\n\r\n").is_some(), "the stream ends");
    assert_eq!(told(&me(&second.stranger(&server))), refused(401, "notSignedIn"));
    let again = first.stranger(&server).ask("DELETE", &Operation::EndSession.path(&[&id]), &[], b"");
    assert_eq!(told(&again), refused(404, "noSuchSession"));
    let closed = first.stranger(&server).ask("DELETE", &Operation::CloseSession.path(&[]), &[], b"");
    assert!(closed.status == 204 && closed.header("set-cookie").is_some_and(|set| set.contains("Max-Age=0")));
    assert_eq!(told(&me(&first.stranger(&server))), refused(401, "notSignedIn"));
}

#[test]
fn a_link_makes_one_account_or_stays_good_when_the_server_dies() {
    for (point, kept) in [(Point::LinkUsed, true), (Point::AccountStored, false)] {
        let mut server = TestServer::start(&[]);
        let link = invite(&server, 1, false);
        server.kill();
        assert!(server.restart_to_die(point, 1), "{point:?}");
        let nobody = server.stranger();
        let body = json!({ "link": link, "name": "ada", "display": "Ada", "password": PASSWORD }).to_string();
        let mut wire = nobody.connect();
        let path = Operation::AcceptLink.path(&[]);
        wire.send(&nobody.head("POST", &path, &[("Content-Length", &body.len().to_string())]));
        wire.send(body.as_bytes());
        server.await_death();
        server.restart();
        let signed_in = try_password(&server.stranger(), "ada", PASSWORD).status == 200;
        let accepted = accept(&server.stranger(), &link, "eve").status == 201;
        assert_eq!((signed_in, accepted), (!kept, kept), "{point:?}");
    }
}
