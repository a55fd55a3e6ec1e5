//! Projects and members over HTTP: what is there, what is refused, and what the audit tells of it.

use serde_json::{Value, json};
use weevil_api::routes::Operation;
use weevil_api::{AuditPage, MemberPage, ProjectPage};
use weevil_e2e::{DatabaseKind, TestServer};

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

weevil_e2e::on_each_database!(members_are_set_and_taken_out);
