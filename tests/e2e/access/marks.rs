//! Devices for people: by which names one is found, what of a fingerprint leaves the server, and who marks a device.

use std::collections::BTreeSet;

use serde_json::json;
use weevil_api::routes::{Operation, search};
use weevil_api::{AuditPage, DevicePage, DeviceView, TokenMade};
use weevil_e2e::hostile::{Reply, Stranger};
use weevil_e2e::{FakeWorker, PlainWorker, TestServer};
use weevil_model::ContentHash;
use weevil_model::witness::device_number;
use weevil_protocol::frame::{ClientFrame, Identity, ServerFrame, Token, Verdict};
use weevil_protocol::identity::signed_text;
use weevil_protocol::plain::{Join, Secret};

use super::local::Halves;
use super::people::send;
use super::tokens::{make, somebody, told};
use crate::devices::ed25519;

/// Whose fingerprints begin so, and go on with zeros: three share their first eight digits.
const HEADS: [&str; 5] = ["aaaaaaaa1", "aaaaaaaa2", "aaaaaaaa3", "bbbbbbbb", "cccccccc"];

fn fingerprint(head: &str) -> String {
    format!("{head:0<64}")
}

/// A server that knows these devices: the last one by its record alone.
fn server() -> TestServer {
    let server = TestServer::start(&[]);
    for (head, passes) in HEADS.iter().zip(8..) {
        let whole: ContentHash = fingerprint(head).parse().expect("a fingerprint");
        let number = device_number(whole);
        if *head == "cccccccc" {
            server.sql(&format!("insert into records (device, passes) values ({number}, {passes})"));
        } else {
            server.sql(&format!(
                "insert into devices (fingerprint, first_seen, last_seen, accepted, number) values (x'{whole}', 1, 2, 3, {number})"
            ));
        }
    }
    server
}

fn show(stranger: &Stranger, name: &str) -> Reply {
    stranger.get(&Operation::ShowDevice.path(&[&name]))
}

fn body<T: serde::de::DeserializeOwned>(reply: &Reply) -> T {
    assert_eq!(reply.status, 200, "{}", reply.text());
    serde_json::from_slice(&reply.body).expect("the JSON of a row")
}

#[test]
fn a_device_is_found_by_digits_that_no_other_one_has() {
    let server = server();
    let ada = somebody(&server, 1, "ada");
    let (reader, _) = make(&server, &ada, &json!({ "name": "reads", "scopes": ["workers:read"] }));
    let (one, other) = (fingerprint("aaaaaaaa1"), fingerprint("aaaaaaaa1").replace("a10", "a1f"));
    let (bee, compared) = (fingerprint("bbbbbbbb"), fingerprint("cccccccc"));
    for (name, whole, eight) in [
        ("bbbbbbbb", "200", "200"),
        ("BBBBBBBB", "200", "200"),
        (&bee, "200", "200"),
        ("bbbbbbbb0", "200", "404 noSuchDevice"),
        ("bbbbbbbb1", "404 noSuchDevice", "404 noSuchDevice"),
        ("bbbbbbb", "404 noSuchDevice", "404 noSuchDevice"),
        ("aaaaaaaa", "400 whichDevice", "400 whichDevice"),
        ("aaaaaaaa1", "200", "404 noSuchDevice"),
        (&one, "200", "200"),
        (&other, "404 noSuchDevice", "404 noSuchDevice"),
        ("cccccccc", "200", "200"),
        (&compared, "200", "200"),
        ("dddddddd", "404 noSuchDevice", "404 noSuchDevice"),
        ("zzzzzzzz", "404 noSuchDevice", "404 noSuchDevice"),
        (&format!("{bee}0"), "404 noSuchDevice", "404 noSuchDevice"),
    ] {
        for (who, expected) in [(server.owner(), whole), (reader.clone(), eight)] {
            let (status, code) = told(&show(&who, name));
            assert_eq!(format!("{status} {code}").trim_end(), expected, "{name}");
        }
    }
    for (name, whole) in [("bbbbbbbb", &*bee), ("cccccccc", "cccccccc0000000")] {
        let owner: DeviceView = body(&show(&server.owner(), name));
        let others: DeviceView = body(&show(&reader, name));
        assert_eq!((owner.device.as_str(), owner.fingerprint.as_deref()), (name, Some(whole)));
        assert_eq!(others, DeviceView { fingerprint: None, ..owner });
    }
}

/// Also where a page ends between devices of the same first digits.
#[test]
fn pages_have_every_device_once_and_tell_eight_digits_of_it() {
    let server = server();
    let ada = somebody(&server, 1, "ada");
    let (reader, _) = make(&server, &ada, &json!({ "name": "reads", "scopes": ["workers:read"] }));
    for limit in 1..=6_usize {
        let (mut found, mut after, mut pages) = (Vec::new(), None, 0);
        loop {
            let query = search(&[
                ("limit", Some(&limit)),
                ("after", after.as_ref().map(|after: &String| after as _)),
            ]);
            let page = reader.get(&(Operation::ListDevices.path(&[]) + &query));
            assert!(!page.text().contains("aaaaaaaa1"), "{}", page.text());
            let page: DevicePage = body(&page);
            assert!(page.devices.len() <= limit);
            found.extend(page.devices.into_iter().map(|device| (device.device, device.passes)));
            pages += 1;
            let Some(next) = page.next else { break };
            after = Some(next);
        }
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["aaaaaaaa", "aaaaaaaa", "aaaaaaaa", "bbbbbbbb", "cccccccc"], "{limit}");
        assert_eq!(pages, HEADS.len().div_ceil(limit), "{limit}");
    }
    for (query, names) in [
        ("?rank=established", &["cccccccc"][..]),
        ("?rank=trusted", &[]),
        ("?rank=newcomer&after=aaaaaaaa.3", &["bbbbbbbb"]),
    ] {
        let page: DevicePage = body(&reader.get(&(Operation::ListDevices.path(&[]) + query)));
        let found: Vec<&str> = page.devices.iter().map(|device| device.device.as_str()).collect();
        assert_eq!(found, names, "{query}");
    }
    for query in ["?rank=liar", "?after=aaaaaaaa", "?after=aaaaaaaa1.1", "?limit=0"] {
        let refused = told(&reader.get(&(Operation::ListDevices.path(&[]) + query)));
        assert_eq!(refused, (400, "badQuery".into()), "{query}");
    }
}

fn mark(stranger: &Stranger, operation: Operation, name: &str) -> Reply {
    stranger.ask("POST", &operation.path(&[&name]), &[], b"")
}

#[test]
fn who_may_mark_devices_is_told_in_the_audit() {
    let server = server();
    let ada = somebody(&server, 1, "ada");
    let (reader, _) = make(&server, &ada, &json!({ "name": "reads", "scopes": ["workers:read"] }));
    let (marker, id) = make(&server, &ada, &json!({ "name": "marks", "scopes": ["devices:trust"] }));
    let deeds = [
        (Operation::TrustDevice, "trusted", true, 0),
        (Operation::ForgiveDevice, "trusted", true, 0),
        (Operation::DistrustDevice, "newcomer", false, 0),
    ];
    for (operation, ..) in deeds {
        for (who, refusal) in [(&server.stranger(), (401, "notSignedIn")), (&reader, (403, "scopeMissing"))] {
            assert_eq!(told(&mark(who, operation, "bbbbbbbb")), (refusal.0, refusal.1.into()));
        }
        for (name, refusal) in [("dddddddd", (404, "noSuchDevice")), ("aaaaaaaa", (400, "whichDevice"))] {
            assert_eq!(told(&mark(&marker, operation, name)), (refusal.0, refusal.1.into()));
        }
        assert_eq!(
            told(&mark(&server.owner().with("Origin", "http://evil.example"), operation, "bbbbbbbb")),
            (403, "foreignOrigin".into())
        );
    }
    let untouched: DeviceView = body(&show(&server.owner(), "bbbbbbbb"));
    assert!(!untouched.trusted);
    for (operation, rank, trusted, passes) in deeds {
        let view: DeviceView = body(&mark(&marker, operation, "bbbbbbbb"));
        assert_eq!((view.rank.as_str(), view.trusted, view.passes), (rank, trusted, passes), "{operation:?}");
        assert_eq!(view.fingerprint, Some(fingerprint("bbbbbbbb")));
    }
    let audit: AuditPage = body(&server.owner().get(&(Operation::ListAudit.path(&[]) + "?limit=1000")));
    let rows: Vec<_> = audit.rows.iter().rev().filter(|row| row.action.starts_with("device.")).collect();
    let said: Vec<&str> = rows.iter().map(|row| row.action.as_str()).collect();
    assert_eq!(said, ["device.trusted", "device.forgiven", "device.distrusted"]);
    let by: BTreeSet<(&str, Option<&str>)> =
        rows.iter().map(|row| (row.actor.as_str(), row.subject.as_deref())).collect();
    assert_eq!(by, BTreeSet::from([(id.as_str(), Some("bbbbbbbb"))]));
    let whole = serde_json::to_string(&audit.rows).expect("rows are JSON");
    assert!(!whole.contains("bbbbbbbb0"), "{whole}");
}

/// A token with this scope: what proves it, and its id.
fn secret(server: &TestServer, owner: &Halves, scope: &str) -> (String, String) {
    let made =
        send(&owner.stranger(server), Operation::MakeToken, &json!({ "name": "lab", "scopes": [scope] }));
    let TokenMade { secret, token } = serde_json::from_slice(&made.body).expect("a token");
    (secret, token.id)
}

/// It has no device key, and comes from where networks mean nothing.
#[test]
fn a_plain_worker_with_a_token_is_trusted_while_it_is_connected() {
    let server = TestServer::start(&[]);
    let ada = somebody(&server, 1, "ada");
    let (reads, _) = secret(&server, &ada, "workers:read");
    let (marks, id) = secret(&server, &ada, "devices:trust");
    let with = |token: String| Join { token: Some(Secret(token)), ..PlainWorker::join_message() };
    let job = json!({ "source": "function weevil_main() { return 1 }", "trust": "credible(0.001)" });
    let job = server.api().put_job(&job).job;
    let worker = PlainWorker::join_as(&server.address, &with(marks.clone()));
    let given = worker.job();
    assert_eq!(worker.values(&[(given.key, "7")]), [Verdict::Accepted]);
    assert_eq!(server.api().await_job(&job).result, Some(json!(7)));
    let audit: AuditPage =
        body(&server.owner().get(&(Operation::ListAudit.path(&[]) + "?action=worker.trusted")));
    let rows: Vec<_> = audit.rows.iter().map(|row| (row.actor.as_str(), row.subject.clone())).collect();
    assert_eq!(rows, [(id.as_str(), Some(worker.joined.pass.worker.to_string()))]);
    let revoked = ada.stranger(&server).ask("DELETE", &Operation::RevokeToken.path(&[&id]), &[], b"");
    assert!([200, 204].contains(&revoked.status), "{}", revoked.text());
    for (token, words) in [
        (reads, "made trusted by a token of an administrator"),
        (marks.clone(), "it was revoked"),
        (format!("{marks}0"), "the token is refused"),
        (String::new(), "the token is refused"),
    ] {
        let (status, refused) = worker.refused("join", &with(token).to_xml());
        assert_eq!((status, refused.code.as_str()), (401, "badToken"), "{words}");
        assert!(refused.message.contains(words), "{}", refused.message);
    }
}

/// A worker of the device with this key that shows a token.
pub(super) fn shows(server: &TestServer, token: &str) -> FakeWorker {
    let mut worker = FakeWorker::join(&server.address, 0);
    let token = Some(Token(token.to_owned()));
    let identity = ed25519(&signed_text(&worker.nonce, &server.address));
    worker.send(&ClientFrame::Identity(Identity { token, ..identity }));
    worker
}

/// Somebody in charge has opened the page with a token in its address.
#[test]
fn a_browser_that_shows_a_token_has_its_device_marked() {
    let server = TestServer::start(&[]);
    let ada = somebody(&server, 1, "ada");
    let (reads, _) = secret(&server, &ada, "workers:read");
    let (marks, id) = secret(&server, &ada, "devices:trust");
    for (token, words) in [
        (reads.as_str(), "made trusted by a token of an administrator"),
        (&format!("{marks}0"), "the token is refused"),
        ("", "the token is refused"),
    ] {
        let mut worker = shows(&server, token);
        let frame = worker.frame();
        let told = matches!(&frame, Some(ServerFrame::Refused { message, reload: false }) if message.contains(words));
        assert!(told, "{words}: {frame:?}");
        assert_eq!(worker.frame(), None, "{words}: the connection ends");
    }
    let trusted =
        || -> DevicePage { body(&server.owner().get(&(Operation::ListDevices.path(&[]) + "?rank=trusted"))) };
    assert_eq!(trusted().devices, []);
    let worker = shows(&server, &marks);
    server.api().await_fleet(|fleet| fleet.workers.iter().any(|worker| worker.device.is_some()));
    let marked = trusted().devices;
    assert_eq!(
        marked.iter().map(|device| (device.trusted, device.connected)).collect::<Vec<_>>(),
        [(true, true)]
    );
    let audit: AuditPage =
        body(&server.owner().get(&(Operation::ListAudit.path(&[]) + "?action=device.trusted")));
    let rows: Vec<_> = audit.rows.iter().map(|row| (row.actor.as_str(), row.subject.clone())).collect();
    assert_eq!(rows, [(id.as_str(), Some(marked[0].device.clone()))]);
    drop(worker);
}
