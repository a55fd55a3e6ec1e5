//! People in tests: how they come by an account, and sign in.

use serde_json::json;
use weevil_access::{Secret, SecretKind};
use weevil_api::routes::Operation;
use weevil_api::{ProjectView, SessionOpened};
use weevil_e2e::TestServer;
use weevil_e2e::hostile::{Reply, Stranger};
use weevil_model::{ProjectId, Role};

use super::local::Halves;

/// Everybody's here.
pub(crate) const PASSWORD: &str = "seven mauve herons argue";

/// Asks for an operation with JSON.
pub(super) fn send(stranger: &Stranger, operation: Operation, body: &serde_json::Value) -> Reply {
    let row = operation.row();
    let json = [("Content-Type", "application/json")];
    stranger.ask(row.method.as_str(), &operation.path(&[]), &json, body.to_string().as_bytes())
}

/// An invitation that somebody has written into the database, the only one with this number.
pub(crate) fn invite(server: &TestServer, number: u8, admin: bool) -> String {
    let secret = Secret::of_bytes(SecretKind::Invite, [number; 32]);
    let hash = secret.hash().as_bytes().iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    server.sql(&format!(
        "insert into links (hash, kind, made_by, admin, made_at, expires_at) values (x'{hash}', 'invite', 'system', {}, 0, {});",
        u8::from(admin),
        i64::MAX
    ));
    secret.reveal().to_owned()
}

pub(super) fn accept(stranger: &Stranger, link: &str, name: &str) -> Reply {
    let body = json!({ "link": link, "name": name, "display": name, "password": PASSWORD });
    send(stranger, Operation::AcceptLink, &body)
}

pub(super) fn try_password(stranger: &Stranger, name: &str, password: &str) -> Reply {
    send(stranger, Operation::SignIn, &json!({ "name": name, "password": password }))
}

pub(super) fn sign_in(server: &TestServer, name: &str) -> Halves {
    halves(&try_password(&server.stranger(), name, PASSWORD))
}

/// Both halves of the session that an answer has opened.
pub(super) fn halves(reply: &Reply) -> Halves {
    assert!([200, 201].contains(&reply.status), "{}", reply.text());
    let SessionOpened { key } = serde_json::from_slice(&reply.body).expect("a key");
    Halves { cookie: cookie(reply), key }
}

/// The first cookie that an answer sets.
pub(super) fn cookie(reply: &Reply) -> String {
    let cookie = reply.header("set-cookie").expect("a cookie");
    cookie.split(';').next().expect("its pair").to_owned()
}

/// A project, which gets this number.
pub(super) fn make_project(server: &TestServer, number: i64, slug: &str) {
    let made = send(&server.owner(), Operation::MakeProject, &json!({ "slug": slug, "name": slug }));
    assert_eq!(made.status, 201, "{}", made.text());
    let ProjectView { id, .. } = serde_json::from_slice(&made.body).expect("a project");
    assert_eq!(id.parse().ok(), ProjectId::from_number(number), "{slug}");
}

/// As if an admin of the project had made the account with this name a member.
pub(super) fn make_member(server: &TestServer, project: i64, name: &str, role: Role) {
    server.sql(&format!(
        "insert into members (project, account, role, since) select {project}, id, '{role}', 0 from accounts where name = '{name}';"
    ));
}
