//! The matrix against a real server, on both databases; and that nothing answers that has no row.

use std::collections::BTreeMap;

use serde_json::json;
use weevil_api::TokenMade;
use weevil_api::routes::{Access, Body, Method, Operation, Row};
use weevil_e2e::hostile::{Reply, Stranger};
use weevil_e2e::{DatabaseKind, TestServer};
use weevil_model::{Right, Role};

use super::answers::{Asker, Told, differences, lines};
use super::local::{Halves, open_session};
use super::people::{accept, halves, invite, make_member, make_project, send, sign_in};

/// Well-formed, and nobody's.
const WRONG: &str = "Bearer wvl_000000000000000000000000000000002wjyrI";

/// A server, and the halves of a session that is open there.
struct House {
    server: TestServer,
    /// Its public face.
    public: String,
    halves: Halves,
    people: BTreeMap<Asker, Halves>,
    /// As a header brings them.
    tokens: BTreeMap<Asker, String>,
}

impl House {
    fn of(kind: DatabaseKind) -> Self {
        let mut server = kind.server_with(&["--public-listen", "127.0.0.1:0"]);
        let (public, halves) = (server.public_address(), open_session(&server));
        let (people, tokens) = people_of(&server);
        Self { server, public, halves, people, tokens }
    }

    fn stranger(&self, asker: Asker) -> Stranger {
        let nobody = Stranger::of(&self.server.address);
        let Halves { cookie, key } = &self.halves;
        match asker {
            Asker::Nobody => nobody,
            Asker::Wrong => nobody.with("Authorization", WRONG),
            Asker::Local => self.server.owner(),
            Asker::Far => self.server.owner().with("Via", "1.1 proxy"),
            Asker::Cookie => nobody.with("Cookie", cookie),
            Asker::Key => nobody.with("x-weevil-session-key", key),
            Asker::Outside => {
                let token = self.server.token().expect("the server leaves a token");
                Stranger::of(&self.public).with("Authorization", &format!("Bearer {token}"))
            }
            Asker::Session => nobody.with("Cookie", cookie).with("x-weevil-session-key", key),
            Asker::OwnCookie => nobody.with("Cookie", &self.people[&Asker::Admin].cookie),
            Asker::OwnKey => nobody.with("x-weevil-session-key", &self.people[&Asker::Admin].key),
            Asker::Reads
            | Asker::Writes
            | Asker::Manages
            | Asker::Serves
            | Asker::TokenExpired
            | Asker::TokenRevoked
            | Asker::TokenDisabled
            | Asker::Elsewhere => nobody.with("Authorization", &self.tokens[&asker]),
            signed_in => self.people[&signed_in].stranger(&self.server),
        }
    }

    fn ask(&self, operation: Operation, asker: Asker) -> Told {
        let row = operation.row();
        let path = row.path.replace("{run}", "run_0000000000001").replace("{job}", "job_0000000000001");
        let path = path.replace("{project}", "default").replace("{account}", "acc_0000000000001");
        let path = path.replace("{hash}", &"0".repeat(64)).replace("{workflow}", &"0".repeat(64));
        let path = path.replace("{fingerprint}", &"0".repeat(64));
        let path = path.replace("{session}", "ses_0000000000001");
        let path = path.replace("{token}", "tok_0000000000001");
        let path = path.replace("{node}", "a").replace("{code}", "BCDF-GHJK") + in_default(row);
        let stranger = match (operation, asker) {
            // What it ends nobody else here needs.
            (Operation::CloseSession, Asker::Session) => open_session(&self.server).stranger(&self.server),
            (Operation::CloseSession, signed_in)
                if self.people.contains_key(&signed_in) && is_good(signed_in) =>
            {
                sign_in(&self.server, name(asker)).stranger(&self.server)
            }
            _ => self.stranger(asker),
        };
        let mut line = stranger.connect();
        let length: &[_] = if row.method == Method::Get { &[] } else { &[("Content-Length", "0")] };
        line.send(&stranger.head(row.method.as_str(), &path, length));
        // A stream of events has no end: its head says enough.
        if operation == Operation::Events {
            let head = line.take_until(b"\r\n\r\n").expect("an answer");
            if head.starts_with(b"HTTP/1.1 200 ") {
                return (200, String::new());
            }
            return told(&stranger.get(&path));
        }
        told(&line.reply().unwrap_or_else(|| panic!("{operation:?} has no answer for {asker:?}")))
    }
}

/// What names the first project where something is asked in one.
fn in_default(row: &Row) -> &'static str {
    let role = matches!(row.access, Access::Right(right) if right.least_role().is_some());
    let taken =
        matches!(row.body, Body::Form) || row.query.iter().any(|parameter| parameter.name == "project");
    if role && taken { "?project=default" } else { "" }
}

/// Whether the session of a caller goes on.
const fn is_good(asker: Asker) -> bool {
    !matches!(asker, Asker::Expired | Asker::Disabled | Asker::OtherFace)
}

/// What the account of a caller is called.
const fn name(asker: Asker) -> &'static str {
    match asker {
        Asker::Viewer => "viewer",
        Asker::Researcher => "researcher",
        Asker::Manager => "manager",
        Asker::OtherViewer => "other-viewer",
        Asker::OtherResearcher => "other-researcher",
        Asker::OtherManager => "other-manager",
        Asker::Admin => "admin",
        Asker::Expired => "expired",
        Asker::Disabled => "disabled",
        Asker::OtherFace => "other-face",
        _ => "plain",
    }
}

/// Those who belong to a project: the number of which, and their role there.
const MEMBERS: [(Asker, i64, Role); 6] = [
    (Asker::Viewer, 1, Role::Viewer),
    (Asker::Researcher, 1, Role::Researcher),
    (Asker::Manager, 1, Role::ProjectAdmin),
    (Asker::OtherViewer, 2, Role::Viewer),
    (Asker::OtherResearcher, 2, Role::Researcher),
    (Asker::OtherManager, 2, Role::ProjectAdmin),
];

/// An account for each caller that has a session, which is open.
fn people_of(server: &TestServer) -> (BTreeMap<Asker, Halves>, BTreeMap<Asker, String>) {
    let strange = [Asker::Admin, Asker::Plain, Asker::Expired, Asker::Disabled, Asker::OtherFace];
    let askers = strange.into_iter().chain(MEMBERS.map(|(asker, ..)| asker));
    let people = (0..).zip(askers).map(|(number, asker)| {
        let link = invite(server, number, asker == Asker::Admin);
        (asker, halves(&accept(&server.stranger(), &link, name(asker))))
    });
    let people = people.collect();
    make_project(server, 2, "bees");
    for (asker, project, role) in MEMBERS {
        make_member(server, project, name(asker), role);
    }
    let tokens = tokens_of(server);
    server.sql(
        "
update sessions set opened_at = 0 where account = (select id from accounts where name = 'expired');
update accounts set state = 1, state_at = 0 where name = 'disabled';
update sessions set face = 'public' where account = (select id from accounts where name = 'other-face');
update tokens set expires_at = 0 where name = 'TokenExpired';
update tokens set revoked_at = 0 where name = 'TokenRevoked';",
    );
    (people, tokens)
}

/// A token for each caller that has one; those that are over are good yet.
fn tokens_of(server: &TestServer) -> BTreeMap<Asker, String> {
    let read = ["runs:read", "jobs:read", "workflows:read", "workers:read", "project:read"].as_slice();
    let table = [
        (Asker::Reads, Asker::Admin, read),
        (Asker::Writes, Asker::Admin, &["runs:write", "jobs:write", "workflows:write"]),
        (Asker::Manages, Asker::Admin, &["project:manage", "projects:manage", "accounts:manage"]),
        (
            Asker::Serves,
            Asker::Admin,
            &["queue:pause", "workers:manage", "devices:trust", "audit:read", "metrics:read", "server:read"],
        ),
        (Asker::TokenExpired, Asker::Admin, read),
        (Asker::TokenRevoked, Asker::Admin, read),
        (Asker::TokenDisabled, Asker::Disabled, read),
    ];
    let made = |(asker, owner, scopes): (Asker, Asker, &[&str])| {
        // A session of its own: the one that is asked with later must not have been looked up before its account is disabled.
        (asker, token(server, &sign_in(server, name(owner)), &format!("{asker:?}"), scopes))
    };
    let mut tokens: BTreeMap<_, _> = table.into_iter().map(made).collect();
    let all: Vec<&str> = Right::ALL.iter().map(|right| right.as_str()).collect();
    let asked = json!({ "name": "elsewhere", "scopes": all, "project": "bees" });
    tokens.insert(Asker::Elsewhere, bearer(server, &sign_in(server, name(Asker::Admin)), &asked));
    tokens
}

/// A token of somebody, as a header brings it.
fn token(server: &TestServer, owner: &Halves, name: &str, scopes: &[&str]) -> String {
    bearer(server, owner, &json!({ "name": name, "scopes": scopes }))
}

fn bearer(server: &TestServer, owner: &Halves, asked: &serde_json::Value) -> String {
    let made = send(&owner.stranger(server), Operation::MakeToken, asked);
    let TokenMade { secret, .. } = serde_json::from_slice(&made.body).expect("a token");
    format!("Bearer {secret}")
}

fn told(reply: &Reply) -> Told {
    (reply.status, reply.code())
}

fn everybody_gets_what_the_page_says(kind: DatabaseKind) {
    let house = House::of(kind);
    let page = lines(include_str!("matrix.txt"));
    let found = differences(&page, |operation, asker| house.ask(operation, asker));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

weevil_e2e::on_each_database!(everybody_gets_what_the_page_says);

#[test]
fn each_scope_opens_its_own_operations() {
    let mut house = House::of(DatabaseKind::Sqlite);
    for right in Right::ALL {
        let secret = token(&house.server, &house.people[&Asker::Admin], right.as_str(), &[right.as_str()]);
        house.tokens.insert(Asker::Reads, secret);
        for operation in Operation::ALL {
            let Access::Right(demanded) = operation.row().access else { continue };
            let (status, code) = house.ask(operation, Asker::Reads);
            let refused = (status, code.as_str()) == (403, "scopeMissing");
            assert_eq!(refused, demanded != right, "{operation:?} with {right}: {status} {code}");
            assert!(
                refused || status != 401 && code != "notAllowed",
                "{operation:?} with {right}: {status} {code}"
            );
        }
    }
}

#[test]
fn what_has_no_row_is_not_there() {
    let house = House::of(DatabaseKind::Sqlite);
    let owner = house.stranger(Asker::Local);
    let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"];
    let mut asked = 0;
    for operation in Operation::ALL {
        let known = |method: &str| {
            let mut rows = Operation::ALL.into_iter().map(Operation::row);
            rows.any(|row| row.path == operation.row().path && row.method.as_str() == method)
        };
        let path = operation.row().path.replace(['{', '}'], "");
        for method in methods.into_iter().filter(|method| !known(method)) {
            let reply = owner.ask(method, &path, &[], &[]);
            assert_eq!((reply.status, reply.code().as_str()), (405, "noSuchMethod"), "{method} {path}");
            asked += 1;
        }
        for path in [format!("{path}/"), format!("{path}/more"), format!("{path}s")] {
            let reply = owner.get(&path);
            assert!([400, 404, 405].contains(&reply.status), "{path}: {}", reply.status);
            asked += 1;
        }
    }
    assert!(asked > 200, "{asked}");
}
