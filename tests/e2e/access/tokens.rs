//! Tokens: made once and told once, good for their scopes while their owner may, and over for a reason that is said.

use std::time::Instant;

use serde_json::{Value, json};
use tempfile::TempDir;
use weevil_api::routes::Operation;
use weevil_e2e::hostile::{Reply, Stranger};
use weevil_e2e::{PATIENCE, ShiftedClock, TestServer};
use weevil_failpoint::Point;

use super::local::Halves;
use super::people::{accept, halves, invite, send, sign_in};

const DAY: u32 = 86_400;

pub(super) fn told(reply: &Reply) -> (u16, String) {
    (reply.status, reply.code())
}

fn refused(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

fn json(reply: &Reply) -> Value {
    serde_json::from_slice(&reply.body).expect("JSON")
}

pub(super) fn somebody(server: &TestServer, number: u8, name: &str) -> Halves {
    halves(&accept(&server.stranger(), &invite(server, number, true), name))
}

/// A token of somebody with these scopes, and its id.
pub(super) fn make(server: &TestServer, owner: &Halves, asked: &Value) -> (Stranger, String) {
    let made = send(&owner.stranger(server), Operation::MakeToken, asked);
    assert_eq!(made.status, 201, "{}", made.text());
    let made = json(&made);
    let secret = made["secret"].as_str().expect("a secret");
    assert!(secret.starts_with("wvt_") && secret.len() == 42, "{secret}");
    let program = server.stranger().with("Authorization", &format!("Bearer {secret}"));
    (program, made["token"]["id"].as_str().expect("an id").to_owned())
}

/// The owner's tokens, once the use of the first of them is written down: nobody was kept waiting for that.
fn once_used(server: &TestServer, owner: &Halves) -> Value {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let listed = json(&owner.stranger(server).get(&Operation::ListTokens.path(&[])));
        if listed["tokens"][0]["usedAt"].is_i64() {
            return listed;
        }
        assert!(Instant::now() < deadline, "{listed}");
    }
}

fn runs(stranger: &Stranger) -> (u16, String) {
    told(&stranger.get(&Operation::ListRuns.path(&[])))
}

fn delete(stranger: &Stranger, path: &str) -> (u16, String) {
    told(&stranger.ask("DELETE", path, &[], b""))
}

#[test]
fn a_token_is_good_for_its_scopes_and_never_for_its_owner_s_account() {
    let server = TestServer::start(&[]);
    let ada = somebody(&server, 1, "ada");
    let asked =
        json!({ "name": "laptop", "scopes": ["runs:read", "jobs:read"], "project": "default", "days": 7 });
    let (program, id) = make(&server, &ada, &asked);
    assert_eq!(runs(&program), (200, String::new()));
    let queue = program.ask("POST", &Operation::PauseQueue.path(&[]), &[], b"");
    assert_eq!(told(&queue), refused(403, "scopeMissing"));
    let me = json(&program.get(&Operation::ShowMe.path(&[])));
    assert_eq!(
        (&me["kind"], &me["account"]["name"], &me["token"]["id"]),
        (&json!("token"), &json!("ada"), &json!(id))
    );
    assert_eq!((&me["rights"], &me["fresh"]), (&json!(["runs:read", "jobs:read"]), &json!(false)));
    for (operation, body) in [
        (Operation::MakeToken, json!({ "name": "more", "scopes": ["runs:write"] })),
        (Operation::ChangePassword, json!({ "password": "nine teal otters whisper" })),
        (Operation::EndSessions, json!({})),
    ] {
        assert_eq!(told(&send(&program, operation, &body)), refused(403, "notAllowed"), "{operation:?}");
    }
    for path in [Operation::ListTokens.path(&[]), Operation::ListSessions.path(&[])] {
        assert_eq!(told(&program.get(&path)), refused(403, "notAllowed"), "{path}");
    }
    let listed = once_used(&server, &ada);
    let token = &listed["tokens"][0];
    assert_eq!((&token["name"], &token["project"]), (&json!("laptop"), &json!("default")));
    assert!(!listed.to_string().contains("wvt_"), "the secret is told once");
}

#[test]
fn what_a_token_may_not_be_is_said() {
    let server = TestServer::start(&[]);
    let ada = somebody(&server, 1, "ada");
    for (asked, status, code) in [
        (json!({ "name": "", "scopes": ["runs:read"] }), 422, "badName"),
        (json!({ "name": "x", "scopes": [] }), 400, "badBody"),
        (json!({ "name": "x", "scopes": ["self"] }), 400, "badBody"),
        (json!({ "name": "x", "scopes": ["runs:read"], "days": 367 }), 400, "badBody"),
        (json!({ "name": "x", "scopes": ["runs:read"], "project": "elsewhere" }), 404, "noSuchProject"),
        (json!({ "name": "x", "scopes": ["runs:read"], "more": 1 }), 400, "badBody"),
        (json!({ "name": "x", "scopes": ["runs:read"], "account": "acc_0000000000001" }), 403, "notAllowed"),
    ] {
        let reply = send(&ada.stranger(&server), Operation::MakeToken, &asked);
        assert_eq!(told(&reply), refused(status, code), "{asked}");
    }
    let local = send(&server.owner(), Operation::MakeToken, &json!({ "name": "x", "scopes": ["runs:read"] }));
    assert_eq!(told(&local), refused(400, "badBody"), "the machine's owner names somebody");
    let listed = json(&ada.stranger(&server).get(&Operation::ListTokens.path(&[])));
    assert_eq!(listed["tokens"], json!([]));
}

#[test]
fn a_token_is_over_for_a_reason_that_is_said() {
    let clock = ShiftedClock::at_now();
    let server = TestServer::start_over(TempDir::new().expect("a folder"), &clock.server(), &[]);
    let (ada, eve) = (somebody(&server, 1, "ada"), somebody(&server, 2, "eve"));
    let asked = |days: u32| json!({ "name": "ci", "scopes": ["runs:read"], "days": days });
    let (short, _) = make(&server, &ada, &asked(1));
    let ((own, own_id), (other, other_id)) = (make(&server, &ada, &asked(9)), make(&server, &ada, &asked(9)));
    let (of_eve, _) = make(&server, &eve, &asked(9));
    for program in [&short, &own, &other, &of_eve] {
        assert_eq!(runs(program), (200, String::new()));
    }
    let path = |id: &str| Operation::RevokeToken.path(&[&id]);
    assert_eq!(
        delete(&eve.stranger(&server), &path(&own_id)),
        refused(404, "noSuchToken"),
        "somebody else's"
    );
    assert_eq!(delete(&own, &path(&other_id)), refused(404, "noSuchToken"), "a token ends itself alone");
    assert_eq!(delete(&own, &path(&own_id)), (204, String::new()));
    assert_eq!(delete(&ada.stranger(&server), &path(&other_id)), (204, String::new()));
    server.sql("update accounts set state = 1, state_at = 0 where name = 'eve';");
    clock.set(2 * DAY);
    for (program, words) in [
        (&short, "it has expired"),
        (&own, "it was revoked"),
        (&other, "it was revoked"),
        (&of_eve, "it was revoked"),
        (
            &server.stranger().with("Authorization", "Bearer wvt_000000000000000000000000000000002wjyrI"),
            "nobody here knows it",
        ),
        (
            &server.stranger().with("Authorization", "Bearer wvt_000000000000000000000000000000002wjyrJ"),
            "mistyped",
        ),
    ] {
        let reply = program.get(&Operation::ListRuns.path(&[]));
        assert_eq!(told(&reply), refused(401, "badToken"), "{words}");
        assert!(reply.text().contains(words), "{words}: {}", reply.text());
    }
}

#[test]
fn who_looks_after_accounts_sees_and_ends_their_tokens() {
    let server = TestServer::start(&[]);
    let ada = somebody(&server, 1, "ada");
    let plain = halves(&accept(&server.stranger(), &invite(&server, 2, false), "bob"));
    let (_, id) = make(&server, &plain, &json!({ "name": "ci", "scopes": ["runs:read", "accounts:manage"] }));
    let me = json(&plain.stranger(&server).get(&Operation::ShowMe.path(&[])));
    let bob = me["account"]["id"].as_str().expect("an id").to_owned();
    let tokens = Operation::AccountTokens.path(&[&bob]);
    let (manager, _) = make(&server, &ada, &json!({ "name": "ops", "scopes": ["accounts:manage"] }));
    for (stranger, expected) in [
        (&server.owner(), (200, String::new())),
        (&manager, (200, String::new())),
        (&ada.stranger(&server), (200, String::new())),
        (&plain.stranger(&server), refused(403, "notAllowed")),
    ] {
        assert_eq!(told(&stranger.get(&tokens)), expected);
    }
    let nobody = Operation::AccountTokens.path(&[&"acc_0000000000001"]);
    assert_eq!(told(&manager.get(&nobody)), refused(404, "noSuchAccount"));
    let path = Operation::RevokeAccountToken.path(&[&bob, &id]);
    assert_eq!(delete(&manager, &path), (204, String::new()));
    assert!(json(&manager.get(&tokens))["tokens"][0]["revokedAt"].is_i64());
    let asked = json!({ "name": "by ops", "scopes": ["runs:read"], "account": bob });
    assert_eq!(send(&server.owner(), Operation::MakeToken, &asked).status, 201, "the machine's owner may");
    for (action, times) in [("token.created", 3), ("token.revoked", 1)] {
        let told = json(&server.owner().get(&format!("{}?action={action}", Operation::ListAudit.path(&[]))));
        assert_eq!(told["rows"].as_array().map(Vec::len), Some(times), "{action}: {told}");
    }
}

#[test]
fn a_token_is_stored_before_anybody_hears_of_it() {
    let mut server = TestServer::start(&[]);
    let _ada = somebody(&server, 1, "ada");
    server.kill();
    assert!(server.restart_to_die(Point::TokenStored, 1));
    let ada = sign_in(&server, "ada");
    let (stranger, path) = (ada.stranger(&server), Operation::MakeToken.path(&[]));
    let body = json!({ "name": "ci", "scopes": ["runs:read"] }).to_string();
    let mut line = stranger.connect();
    let head = [("Content-Type", "application/json"), ("Content-Length", &*body.len().to_string())];
    line.send(&stranger.head("POST", &path, &head));
    line.send(body.as_bytes());
    server.await_death();
    server.restart();
    let listed = json(&sign_in(&server, "ada").stranger(&server).get(&Operation::ListTokens.path(&[])));
    assert_eq!(listed["tokens"][0]["name"], "ci", "its owner sees it, and can revoke it");
}
