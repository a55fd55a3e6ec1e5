//! Looking after accounts: invited, listed, disabled, enabled, given a role and removed, by those who administer the server alone; and the
//! audit that tells of it, without a name.

use serde_json::{Value, json};
use weevil_api::routes::Operation;
use weevil_api::{AccountPage, AccountState, AccountView, AuditPage, LinkMade, SessionList, SessionsEnded};
use weevil_e2e::hostile::{Reply, Stranger};
use weevil_e2e::{DatabaseKind, TestServer, on_each_database};

use super::people::{PASSWORD, accept, halves, send, sign_in, try_password};

fn told(reply: &Reply) -> (u16, String) {
    (reply.status, reply.code())
}

fn refused(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

fn read<T: serde::de::DeserializeOwned>(reply: &Reply) -> T {
    serde_json::from_slice(&reply.body).unwrap_or_else(|error| panic!("{error}: {}", reply.text()))
}

/// Asks for an operation on an account.
fn on(stranger: &Stranger, operation: Operation, account: &str, body: &Value) -> Reply {
    let row = operation.row();
    let json = [("Content-Type", "application/json")];
    stranger.ask(row.method.as_str(), &operation.path(&[&account]), &json, body.to_string().as_bytes())
}

fn list(stranger: &Stranger, query: &str) -> AccountPage {
    read(&stranger.get(&format!("{}{query}", Operation::ListAccounts.path(&[]))))
}

fn names(page: &AccountPage) -> Vec<&str> {
    page.accounts.iter().map(|account| account.name.as_str()).collect()
}

/// Somebody by such an invitation of `by`.
fn join(server: &TestServer, by: &Stranger, name: &str, asked: &Value) -> Stranger {
    let made = send(by, Operation::MakeInvite, asked);
    assert_eq!((made.status, made.header("cache-control")), (201, Some("no-store")), "{}", made.text());
    let made: LinkMade = read(&made);
    assert_eq!(made.address, format!("{}#link={}", server.url("/console"), made.link));
    halves(&accept(&server.stranger(), &made.link, name)).stranger(server)
}

fn id(by: &Stranger, name: &str) -> String {
    list(by, &format!("?name={name}")).accounts[0].id.clone()
}

fn is_signed_in(stranger: &Stranger) -> bool {
    stranger.get(&Operation::ShowMe.path(&[])).status == 200
}

fn who_administers_looks_after_the_others(kind: DatabaseKind) {
    let server = kind.server();
    let owner = server.owner();
    let ada = join(&server, &owner, "ada", &json!({ "admin": true }));
    let bob = join(&server, &ada, "bob", &json!({ "project": "default", "role": "viewer" }));
    let page = list(&ada, "?limit=1");
    assert_eq!((names(&page), page.next.is_some()), (vec!["ada"], true));
    assert_eq!(names(&list(&ada, &format!("?after={}", page.next.unwrap_or_default()))), ["bob"]);
    assert_eq!(names(&list(&ada, "?name=BOB")), ["bob"]);
    assert_eq!(names(&list(&ada, "?name=b")), [""; 0]);
    assert_eq!(told(&bob.get(&Operation::ListAccounts.path(&[]))), refused(403, "notAllowed"));
    assert_eq!(bob.get(&Operation::ListRuns.path(&[])).status, 200, "the invitation has made bob a viewer");
    assert_eq!(told(&send(&bob, Operation::PauseQueue, &json!({}))), refused(403, "notAllowed"));
    let (ada_id, bob_id) = (id(&ada, "ada"), id(&ada, "bob"));
    assert_eq!(told(&on(&bob, Operation::RemoveAccount, &ada_id, &json!({}))), refused(403, "notAllowed"));
    for (operation, body) in [
        (Operation::DisableAccount, json!({})),
        (Operation::SetAdmin, json!({ "admin": false })),
        (Operation::RemoveAccount, json!({})),
    ] {
        assert_eq!(told(&on(&ada, operation, &ada_id, &body)), refused(409, "lastAdmin"), "{operation:?}");
    }
    let unknown = "acc_0000000000001";
    for operation in [Operation::DisableAccount, Operation::EnableAccount, Operation::MakeResetLink] {
        assert_eq!(told(&on(&ada, operation, unknown, &json!({}))), refused(404, "noSuchAccount"));
    }
    for body in [
        json!({ "hours": 721 }),
        json!({ "project": "default" }),
        json!({ "project": "default", "role": "owner" }),
        json!({ "project": "nobodys", "role": "viewer" }),
    ] {
        assert_eq!(told(&send(&ada, Operation::MakeInvite, &body)), refused(400, "badBody"), "{body}");
    }

    let view: AccountView = read(&on(&ada, Operation::DisableAccount, &bob_id, &json!({})));
    assert!(view.state == AccountState::Disabled && view.state_at.is_some() && !is_signed_in(&bob));
    assert_eq!(told(&try_password(&server.stranger(), "bob", PASSWORD)), refused(403, "accountDisabled"));
    assert_eq!(names(&list(&ada, "?state=disabled")), ["bob"]);
    assert_eq!(names(&list(&ada, "?state=active")), ["ada"]);
    let view: AccountView = read(&on(&ada, Operation::EnableAccount, &bob_id, &json!({})));
    assert_eq!((view.state, view.state_at), (AccountState::Active, None));
    assert!(!is_signed_in(&bob), "what has ended stays so");

    let bob = sign_in(&server, "bob").stranger(&server);
    let sessions: SessionList = read(&on(&ada, Operation::AccountSessions, &bob_id, &json!({})));
    assert_eq!(sessions.sessions.len(), 1);
    let ended: SessionsEnded = read(&on(&ada, Operation::EndAccountSessions, &bob_id, &json!({})));
    assert!(ended.ended == 1 && !is_signed_in(&bob));
    let link: LinkMade = read(&on(&ada, Operation::MakeResetLink, &bob_id, &json!({})));
    let other = "nine quiet otters bargain";
    let reset =
        send(&server.stranger(), Operation::ResetPassword, &json!({ "link": link.link, "password": other }));
    let bob = halves(&reset).stranger(&server);
    let view: AccountView = read(&on(&ada, Operation::SetAdmin, &bob_id, &json!({ "admin": true })));
    assert!(view.admin && names(&list(&bob, "")) == ["ada", "bob"], "at once");

    assert_eq!(on(&ada, Operation::RemoveAccount, &bob_id, &json!({})).status, 204);
    let view: AccountView = read(&on(&ada, Operation::ShowAccount, &bob_id, &json!({})));
    assert_eq!((view.state, view.name.as_str(), view.display.as_str()), (AccountState::Removed, "", ""));
    assert!(!is_signed_in(&bob) && names(&list(&ada, "")) == ["ada"]);
    assert_eq!(told(&try_password(&server.stranger(), "bob", other)), refused(401, "wrongSignIn"));
    assert_eq!(
        told(&on(&ada, Operation::SetAdmin, &bob_id, &json!({ "admin": true }))),
        refused(404, "noSuchAccount")
    );
    the_audit_tells_of_it(&server, &ada, &bob_id);
}

fn the_audit_tells_of_it(server: &TestServer, ada: &Stranger, bob: &str) {
    let reply = ada.get(&format!("{}?limit=1000", Operation::ListAudit.path(&[])));
    let AuditPage { rows, .. } = read(&reply);
    let about = rows.iter().filter(|row| row.subject.as_deref() == Some(bob)).map(|row| row.action.as_str());
    let mut about: Vec<&str> = about.collect();
    about.sort_unstable();
    about.dedup();
    for action in [
        "account.disabled",
        "account.enabled",
        "account.removed",
        "account.role",
        "link.created",
        "sessions.ended",
    ] {
        assert!(about.contains(&action), "{action} is missing in {about:?}");
    }
    let text = reply.text();
    assert!(!text.contains("\"bob\"") && !text.contains("wvi_") && !text.contains("wvr_"), "{text}");
    let verified = server.beside(&["audit", "verify"]);
    assert!(verified.status.success(), "{verified:?}");
}

on_each_database!(who_administers_looks_after_the_others);
