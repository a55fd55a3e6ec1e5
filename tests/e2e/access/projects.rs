//! Projects and members over HTTP: what is there, what is refused, and what the audit tells of it.

use std::fmt::Display;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use weevil_access::limits::MAX_QUOTA;
use weevil_api::routes::Operation;
use weevil_api::{
    AuditPage, LinkMade, MemberPage, ProjectPage, ProjectTokenPage, ProjectView, QuotasView, TokenMade,
};
use weevil_e2e::hostile::{Reply, Stranger};
use weevil_e2e::{DatabaseKind, TestServer};

use super::people::{accept, halves, send};

const ADA: &str = "acc_0000000000007";

fn members(server: &TestServer) -> Vec<(String, String)> {
    let page: MemberPage = server.api().json(&Operation::ListMembers.path(&[&"default"]));
    page.members.into_iter().map(|member| (member.name, member.role)).collect()
}

fn members_are_set_and_taken_out(kind: DatabaseKind) {
    let mut server = kind.server();
    server.kill();
    server.sql("insert into accounts (id, name, display, admin, created_at) values (7, 'ada', 'Ada', 0, 1)");
    server.restart();
    let projects: ProjectPage = server.api().json(&Operation::ListProjects.path(&[]));
    assert_eq!(projects.projects.iter().map(|project| &*project.slug).collect::<Vec<_>>(), ["default"]);
    let owner = server.owner();
    let ask = |method: &str, path: &str, body: &Value| {
        let reply =
            owner.ask(method, path, &[("Content-Type", "application/json")], body.to_string().as_bytes());
        (reply.status, reply.code())
    };
    let known = Operation::SetMember.path(&[&"default", &ADA]);
    let role = |role: &str| json!({ "role": role });
    for (method, path, body, status, code) in [
        ("PUT", known.clone(), role("owner"), 400, "badBody"),
        ("PUT", known.clone(), json!({}), 400, "badBody"),
        ("PUT", Operation::SetMember.path(&[&"bees", &ADA]), role("viewer"), 404, "noSuchProject"),
        ("PUT", Operation::SetMember.path(&[&"Default", &ADA]), role("viewer"), 404, "noSuchProject"),
        (
            "PUT",
            Operation::SetMember.path(&[&"default", &"acc_0000000000008"]),
            role("viewer"),
            404,
            "noSuchAccount",
        ),
        ("PUT", Operation::SetMember.path(&[&"default", &"ada"]), role("viewer"), 400, "badId"),
        ("DELETE", known.clone(), Value::Null, 404, "noSuchAccount"),
        ("PUT", known.clone(), role("viewer"), 204, ""),
        ("PUT", known.clone(), role("researcher"), 204, ""),
    ] {
        assert_eq!(ask(method, &path, &body), (status, code.to_owned()), "{method} {path} {body}");
    }
    assert_eq!(members(&server), [("ada".to_owned(), "researcher".to_owned())]);
    assert_eq!(ask("DELETE", &known, &Value::Null), (204, String::new()));
    assert!(members(&server).is_empty());
    let audit: AuditPage = server.api().json("/api/v1/audit?limit=3");
    let told: Vec<_> = audit.rows.iter().map(|row| (&*row.action, row.details.as_deref())).collect();
    let viewer = Some(r#"{"role":"viewer"}"#);
    assert_eq!(
        told,
        [("member.removed", None), ("member.set", Some(r#"{"role":"researcher"}"#)), ("member.set", viewer)]
    );
    assert!(audit.rows.iter().all(|row| row.subject.as_deref() == Some(ADA) && row.project.is_some()));
}

/// A second one, in which nobody is.
fn with_bees(kind: DatabaseKind) -> TestServer {
    let server = kind.server();
    let made =
        asked(&server.owner(), Operation::MakeProject, &[], &json!({ "slug": "bees", "name": "Bees" }));
    assert_eq!(made.status, 201, "{}", made.text());
    server
}

/// Status and code of an operation on a project, or on something in it.
fn on(stranger: &Stranger, operation: Operation, parts: &[&dyn Display], body: &Value) -> (u16, String) {
    let reply = asked(stranger, operation, parts, body);
    (reply.status, reply.code())
}

fn asked(stranger: &Stranger, operation: Operation, parts: &[&dyn Display], body: &Value) -> Reply {
    let json = [("Content-Type", "application/json")];
    let method = operation.row().method.as_str();
    stranger.ask(method, &operation.path(parts), &json, body.to_string().as_bytes())
}

fn read<T: DeserializeOwned>(reply: &Reply) -> T {
    serde_json::from_slice(&reply.body).unwrap_or_else(|error| panic!("{error}: {}", reply.text()))
}

/// Somebody whom such an invitation into `default` has let in.
fn join(server: &TestServer, by: &Stranger, name: &str, role: &str) -> Stranger {
    let made = asked(by, Operation::InviteToProject, &[&"default"], &json!({ "role": role }));
    assert_eq!((made.status, made.header("cache-control")), (201, Some("no-store")), "{}", made.text());
    let LinkMade { link, .. } = read(&made);
    halves(&accept(&server.stranger(), &link, name)).stranger(server)
}

fn projects_are_made_by_who_may_and_have_the_quotas_of_the_settings(kind: DatabaseKind) {
    let server = kind.server_with(&["--project-jobs", "7", "--project-rate", "9"]);
    let ada = join(&server, &server.owner(), "ada", "admin");
    let owner = server.owner();
    let named = |slug: &str| json!({ "slug": slug, "name": "Bees" });
    let bounded = json!({ "openJobs": 1, "openRuns": 2, "storedBytes": 3, "jobsAMinute": 4 });
    let mut taken = Vec::new();
    for (by, body, status, code) in [
        (&ada, named("bees"), 403, "notAllowed"),
        (&owner, named("b"), 422, "badName"),
        (&owner, named("Bees"), 422, "badName"),
        (&owner, json!({ "slug": "bees", "name": "" }), 422, "badName"),
        (&owner, json!({ "slug": "bees" }), 400, "badBody"),
        (&owner, named("bees"), 201, ""),
        (&owner, named("bees"), 409, "nameTaken"),
        (&owner, named("default"), 409, "nameTaken"),
        (&owner, json!({ "slug": "ants", "name": "Ants", "quotas": bounded }), 201, ""),
    ] {
        let reply = asked(by, Operation::MakeProject, &[], &body);
        assert_eq!((reply.status, &*reply.code()), (status, code), "{body}");
        if reply.status == 201 {
            taken.push(read::<ProjectView>(&reply));
        }
    }
    let quotas = |open_jobs, open_runs, stored_bytes, jobs_a_minute| QuotasView {
        open_jobs,
        open_runs,
        stored_bytes,
        jobs_a_minute,
    };
    let made: Vec<_> = taken.into_iter().map(|project| (project.slug, project.quotas)).collect();
    assert_eq!(made, [("bees".to_owned(), quotas(7, 0, 0, 9)), ("ants".to_owned(), quotas(1, 2, 3, 4))]);
    let audit: AuditPage = server.api().json("/api/v1/audit?action=project.created");
    let told: Vec<_> = audit.rows.iter().map(|row| row.details.as_deref()).collect();
    assert_eq!(told, [Some(r#"{"slug":"ants"}"#), Some(r#"{"slug":"bees"}"#)]);
}

fn an_admin_of_one_project_does_nothing_to_another(kind: DatabaseKind) {
    let server = with_bees(kind);
    let ada = join(&server, &server.owner(), "ada", "admin");
    let bob = join(&server, &ada, "bob", "researcher");
    let (nobody, token) = ("acc_0000000000001", "tok_0000000000001");
    let (name, role) = (json!({ "name": "Mine" }), json!({ "role": "viewer" }));
    let quotas = json!({ "openJobs": 1, "openRuns": 1, "storedBytes": 1, "jobsAMinute": 1 });
    let hidden = (404, "noSuchProject".to_owned());
    let denied = (403, "notAllowed".to_owned());
    for (operation, part, body, own, of_bob) in [
        (Operation::ShowProject, None, &Value::Null, (200, ""), 200),
        (Operation::ListMembers, None, &Value::Null, (200, ""), 200),
        (Operation::ShowUsage, None, &Value::Null, (200, ""), 200),
        (Operation::ChangeProject, None, &name, (200, ""), 403),
        (Operation::ProjectAudit, None, &Value::Null, (200, ""), 403),
        (Operation::InviteToProject, None, &role, (201, ""), 403),
        (Operation::ProjectTokens, None, &Value::Null, (200, ""), 403),
        (Operation::RevokeProjectToken, Some(token), &Value::Null, (404, "noSuchToken"), 403),
        (Operation::SetMember, Some(nobody), &role, (404, "noSuchAccount"), 403),
        (Operation::RemoveMember, Some(nobody), &Value::Null, (404, "noSuchAccount"), 403),
    ] {
        let parts = |slug: &'static str| [Some(slug), part].into_iter().flatten().collect::<Vec<&str>>();
        let ask = |by: &Stranger, slug| {
            let parts = parts(slug);
            on(by, operation, &parts.iter().map(|part| part as &dyn Display).collect::<Vec<_>>(), body)
        };
        assert_eq!(ask(&ada, "bees"), hidden, "{operation:?}");
        assert_eq!(ask(&ada, "default"), (own.0, own.1.to_owned()), "{operation:?}");
        assert_eq!(ask(&bob, "default").0, of_bob, "{operation:?}");
    }
    for operation in [Operation::SetQuotas, Operation::ArchiveProject, Operation::RestoreProject] {
        for slug in ["bees", "default"] {
            assert_eq!(on(&ada, operation, &[&slug], &quotas), denied, "{operation:?} {slug}");
        }
    }
    let bees: ProjectView = server.api().json(&Operation::ShowProject.path(&[&"bees"]));
    assert_eq!((bees.name.as_str(), bees.quotas.open_jobs, bees.archived_at), ("Bees", 0, None));
}

fn a_project_is_bounded_and_archived_by_who_administers_the_server(kind: DatabaseKind) {
    let server = with_bees(kind);
    let owner = server.owner();
    let quotas = |most: u64| json!({ "openJobs": most, "openRuns": 2, "storedBytes": 3, "jobsAMinute": 4 });
    for (operation, body, status, code) in [
        (Operation::ChangeProject, json!({ "name": "" }), 422, "badName"),
        (Operation::ChangeProject, json!({ "name": "x", "slug": "wasps" }), 400, "badBody"),
        (Operation::SetQuotas, quotas(MAX_QUOTA + 1), 400, "badBody"),
        (Operation::SetQuotas, json!({ "openJobs": 1 }), 400, "badBody"),
        (Operation::InviteToProject, json!({ "role": "owner" }), 400, "badBody"),
        (Operation::InviteToProject, json!({ "role": "viewer", "hours": 721 }), 400, "badBody"),
        (Operation::ChangeProject, json!({ "name": "All bees" }), 200, ""),
        (Operation::SetQuotas, quotas(MAX_QUOTA), 200, ""),
        (Operation::ArchiveProject, Value::Null, 200, ""),
    ] {
        assert_eq!(
            on(&owner, operation, &[&"bees"], &body),
            (status, code.to_owned()),
            "{operation:?} {body}"
        );
        let there = on(&owner, operation, &[&"wasps"], &body);
        assert_eq!(there, (404, "noSuchProject".to_owned()), "{operation:?} {body}");
    }
    let show = || server.api().json::<ProjectView>(&Operation::ShowProject.path(&[&"bees"]));
    let bees = show();
    assert!(bees.name == "All bees" && bees.archived_at.is_some(), "{bees:?}");
    let expected = QuotasView { open_jobs: MAX_QUOTA, open_runs: 2, stored_bytes: 3, jobs_a_minute: 4 };
    assert_eq!(bees.quotas, expected);
    assert_eq!(on(&owner, Operation::RestoreProject, &[&"bees"], &Value::Null).0, 200);
    assert_eq!(show().archived_at, None);
    let page: AuditPage = server.api().json(&Operation::ProjectAudit.path(&[&"bees"]));
    let told: Vec<&str> = page.rows.iter().map(|row| row.action.as_str()).collect();
    assert_eq!(
        told,
        ["project.restored", "project.archived", "project.quotas", "project.changed", "project.created"]
    );
    let changed: AuditPage =
        server.api().json(&(Operation::ProjectAudit.path(&[&"bees"]) + "?action=project.changed"));
    let details: Vec<_> = changed.rows.iter().map(|row| row.details.as_deref()).collect();
    assert_eq!(details, [Some(r#"{"name":"All bees"}"#)]);
}

fn tokens_for_a_project_are_revoked_by_its_admins(kind: DatabaseKind) {
    let server = with_bees(kind);
    let ada = join(&server, &server.owner(), "ada", "admin");
    let bob = join(&server, &ada, "bob", "viewer");
    let token = |project: Option<&str>| {
        let asked = json!({ "name": "x", "scopes": ["runs:read"], "project": project });
        read::<TokenMade>(&send(&bob, Operation::MakeToken, &asked))
    };
    let (everywhere, here) = (token(None), token(Some("default")));
    let page: ProjectTokenPage = read(&asked(&ada, Operation::ProjectTokens, &[&"default"], &Value::Null));
    let found: Vec<_> = page.tokens.iter().map(|each| (&*each.token.id, &*each.owner)).collect();
    assert_eq!(found, [(&*here.token.id, "bob")]);
    for (token, status, code) in [(&everywhere, 404, "noSuchToken"), (&here, 204, ""), (&here, 204, "")] {
        let id = &token.token.id;
        let told = on(&ada, Operation::RevokeProjectToken, &[&"default", id], &Value::Null);
        assert_eq!(told, (status, code.to_owned()), "{id}");
    }
    for (made, status) in [(&everywhere, 200), (&here, 401)] {
        let program = server.stranger().with("Authorization", &format!("Bearer {}", made.secret));
        assert_eq!(program.get(&Operation::ListRuns.path(&[])).status, status);
    }
}

weevil_e2e::on_each_database!(
    projects_are_made_by_who_may_and_have_the_quotas_of_the_settings,
    members_are_set_and_taken_out,
    an_admin_of_one_project_does_nothing_to_another,
    a_project_is_bounded_and_archived_by_who_administers_the_server,
    tokens_for_a_project_are_revoked_by_its_admins,
);
