//! The bench program as people start it: a binary beside itself, and words that it does not know.

use std::process::Command;

use serde_json::Value as Json;
use tempfile::TempDir;
use weevil_e2e::default_binary;

fn bench() -> Command {
    Command::new(env!("CARGO_BIN_EXE_bench"))
}

/// The memory of an idle server: a figure that no busy machine changes.
#[test]
fn a_binary_beside_itself_is_told_with_both_figures_and_their_ratio() {
    let folder = TempDir::new().expect("a temporary folder can be made");
    let file = folder.path().join("rows.json");
    let binary = default_binary();
    let mut comparison = bench();
    comparison.args(["first-light", "--rows", "idle_rss_mb", "--rounds", "2", "--baseline-commit", "itself"]);
    comparison.arg("--server-bin").arg(&binary).arg("--baseline").arg(&binary).arg("--json").arg(&file);
    let done = comparison.output().expect("it runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let report: Json = serde_json::from_slice(&std::fs::read(file).expect("it is written")).expect("JSON");
    assert_eq!(report["baseline"], "itself");
    let [row] = report["rows"].as_array().expect("rows").as_slice() else { panic!("{report}") };
    let figure = |of: &Json| (of["value"].as_f64().expect("a figure"), of["runs"].as_u64());
    let ((new, runs), (old, _), (ratio, _)) = (figure(row), figure(&row["old"]), figure(&row["ratio"]));
    assert_eq!((row["name"].as_str(), runs), (Some("idle_rss_mb"), Some(2)));
    assert!(new > 1.0 && old > 1.0, "{row}");
    assert!((0.5..2.0).contains(&ratio), "{row}");
}

#[test]
fn what_cannot_be_measured_is_refused_and_writes_nothing() {
    let folder = TempDir::new().expect("a temporary folder can be made");
    let file = folder.path().join("rows.json");
    let binary = default_binary().display().to_string();
    for (words, status, cure) in [
        (vec!["second-light"], 2, "known: first-light"),
        (vec!["queue", "--server-bin", "/bin/true"], 1, "give the `weevil` of a release build"),
        (vec!["queue", "--server-bin", &binary, "--baseline", "/bin/true"], 1, "a release build"),
    ] {
        let done = bench().args(&words).arg("--json").arg(&file).output().expect("it runs");
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(status), "{words:?}: {said}");
        assert!(said.contains(cure), "{words:?}: {said}");
        assert!(!file.exists(), "{words:?}");
    }
}
