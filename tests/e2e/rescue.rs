//! What an operator does over a server's database, beside the server: a way back in, and a look at the audit.

use std::process::Output;

use weevil_e2e::{DatabaseKind, TestServer, on_each_database};

const ADA: &str =
    "insert into accounts (id, name, display, admin, created_at) values (7, 'ada', 'Ada', 1, 1)";

/// Exit code, and what was printed.
fn outcome(output: &Output) -> (Option<i32>, String) {
    let text = [output.stdout.as_slice(), &output.stderr].concat();
    (output.status.code(), String::from_utf8(text).expect("it prints text"))
}

/// The link that the command prints, of which the database has nothing but a hash.
fn link(server: &TestServer) -> String {
    let (code, printed) = outcome(&server.beside(&["user", "link", "Ada"]));
    assert_eq!(code, Some(0), "{printed}");
    let (_, link) = printed.trim_end().rsplit_once("/console#link=").expect("it prints a link");
    assert!(link.len() == 42 && link.starts_with("wvr_"), "{link}");
    link.to_owned()
}

fn who_cannot_sign_in_gets_a_link_by_the_database(kind: DatabaseKind) {
    let server = kind.server();
    server.sql(ADA);
    assert_ne!(link(&server), link(&server));
    for (name, expected) in [("bob", "there is no account `bob`"), ("B", "an account's name has 3 to 64")] {
        let (code, printed) = outcome(&server.beside(&["user", "link", name]));
        assert!(code == Some(2) && printed.contains(expected), "{code:?} {printed}");
    }
}

fn a_changed_audit_is_found(kind: DatabaseKind) {
    let server = kind.server();
    server.sql(ADA);
    for (before, code, expected) in [
        ("select 1", 0, "2 rows, each as it was written"),
        ("update audit set actor = 'local' where id = 1", 1, "aud_0000000000001 is not as it was written"),
        ("update audit set actor = 'system' where id = 1", 0, "2 rows"),
        ("delete from audit where id = 2", 1, "rows are missing at the end"),
    ] {
        if before == "select 1" {
            link(&server);
            link(&server);
        }
        server.sql(before);
        let (found, printed) = outcome(&server.beside(&["audit", "verify"]));
        assert!(found == Some(code) && printed.contains(expected), "{before}: {found:?} {printed}");
    }
}

#[test]
fn a_folder_without_a_database_is_no_place_for_a_rescue() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let data = folder.path().to_str().expect("a name");
    for args in [["user", "link", "ada", "--data", data].as_slice(), &["audit", "verify", "--data", data]] {
        let output = std::process::Command::new(weevil_e2e::default_binary()).args(args).output();
        let (code, printed) = outcome(&output.expect("the binary runs"));
        assert_eq!(code, Some(2), "{args:?} {printed}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing is made there");
}

on_each_database! {
    who_cannot_sign_in_gets_a_link_by_the_database,
    a_changed_audit_is_found,
}
