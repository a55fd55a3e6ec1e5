//! The server's settings over HTTP: the same as `weevil serve --print-config` prints, and no secret of a file among them.

use tempfile::TempDir;
use weevil_api::routes::Operation;
use weevil_api::{SettingView, SettingsView};
use weevil_e2e::TestServer;

/// A path is a secret here as the password in an address is: all of `database` is.
const SECRET: &str = "Pa55wordOfADatabase";

#[test]
fn they_are_told_as_they_are_printed_without_a_secret() {
    let folder = TempDir::new().expect("a folder");
    let database = folder.path().join(SECRET).join("weevil.db");
    std::fs::create_dir(folder.path().join(SECRET)).expect("a folder");
    let file = folder.path().join("weevil.toml");
    let text = format!(
        "lease-seconds = 33\ntrust = \"quorum(3)\"\nplain-http = true\ndatabase = \"{}\"\n",
        database.display()
    );
    std::fs::write(&file, text).expect("a file");
    let file = file.to_str().expect("a path");
    let server = TestServer::start(&["--config", file, "--drain-seconds", "7"]);
    assert!(database.exists(), "the secret counts");

    let answer = server.api().answer(&Operation::ShowSettings.path(&[]));
    assert!(answer.status == 200 && !answer.text.contains(SECRET), "{}", answer.text);
    let SettingsView { settings } = serde_json::from_str(&answer.text).expect("settings");
    let one = |key: &str| {
        let SettingView { value, origin, .. } =
            settings.iter().find(|setting| setting.key == key).expect("there");
        (value.as_deref(), origin.as_deref())
    };
    let line = |number: u32| format!("{file}, line {number}");
    for (key, value, origin) in [
        ("lease-seconds", Some("33"), Some(line(1).as_str())),
        ("trust", Some("quorum(3)"), Some(&line(2))),
        ("plain-http", Some("true"), Some(&line(3))),
        ("database", None, Some(&line(4))),
        ("drain-seconds", Some("7"), Some("flag")),
        ("heartbeat-seconds", Some("20"), Some("default")),
        ("tls-key", None, None),
    ] {
        assert_eq!(one(key), (value, origin), "{key}");
    }
    assert!(settings.iter().all(|setting| setting.key != "config" && setting.key != "print-config"));

    let printed =
        server.command().args(["serve", "--print-config", "--config", file]).output().expect("it runs");
    let printed = String::from_utf8(printed.stdout).expect("text");
    assert!(!printed.contains(SECRET), "{printed}");
    let keys =
        printed.lines().map(|line| line.trim_start_matches("# ").split(' ').next().unwrap_or_default());
    let told: Vec<&str> = settings.iter().map(|setting| setting.key.as_str()).collect();
    assert_eq!(keys.collect::<Vec<_>>(), told, "one source for both");
}
