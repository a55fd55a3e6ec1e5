//! What this release tells in another form on purpose, put back into the form of the release that left the databases: pages of
//! lists, problem details, the project of a run, what is told of a job for another time, and the order of workflows that were kept in one moment.
//!
//! Whatever is in no known form stays as it is, and so differs.

use serde::Serialize;
use serde_json::Value as Json;
use weevil_api::{DiagnosticView, Problem};
use weevil_model::ProjectId;

/// The body of a refusal, as it was.
#[derive(Serialize)]
struct Refused {
    code: String,
    message: String,
    diagnostics: Vec<DiagnosticView>,
}

/// The body of an answer of today as it was then.
pub(super) fn as_then(path: &str, status: u16, body: &str) -> String {
    let known = match path {
        _ if status >= 400 => refused(status, body),
        "/api/v1/runs" => only_page(body, "runs").map(without_project),
        _ if path.ends_with("/jobs") => without_trouble(body),
        _ if path.starts_with("/api/v1/jobs/") => without_code(body),
        _ if path.starts_with("/api/v1/runs/") => Some(without_project(body)),
        "/api/v1/workflows" => {
            only_page(body, "workflows").and_then(without_runs).and_then(|it| by_name(&it))
        }
        _ => None,
    };
    known.unwrap_or_else(|| body.to_owned())
}

/// The body of an answer of then, where its order meant nothing.
pub(super) fn of_then(path: &str, body: &str) -> String {
    let known = (path == "/api/v1/workflows").then(|| by_name(body)).flatten();
    known.unwrap_or_else(|| body.to_owned())
}

/// The entries of a page that is the only one, byte for byte.
fn only_page<'b>(body: &'b str, entries: &str) -> Option<&'b str> {
    body.strip_prefix(&format!("{{\"{entries}\":"))?.strip_suffix(",\"next\":null}")
}

/// There was one project, whose runs these are, and since when one is paused was not told.
fn without_project(runs: &str) -> String {
    let runs = without_reuse(runs);
    let runs = runs.replace(&format!("\"project\":\"{}\",", ProjectId::DEFAULT), "");
    let mut parts = runs.split("\"pausedSince\":");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |told, rest| {
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        told + rest.strip_prefix(',').unwrap_or(rest)
    })
}

/// Jobs that took a stored result stood in the statistics alone: counts of jobs end with them now.
fn without_reuse(runs: &str) -> String {
    let mut parts = runs.split(",\"reused\":");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |told, rest| {
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        if behind.starts_with('}') { told + behind } else { told + ",\"reused\":" + rest }
    })
}

/// A run's jobs without whose their newest attempts are, and how their newest errors begin.
fn without_trouble(jobs: &str) -> Option<String> {
    let mut page: Json = serde_json::from_str(jobs).ok()?;
    for job in page.get_mut("jobs")?.as_array_mut()? {
        let job = job.as_object_mut()?;
        for name in ["worker", "error"] {
            job.shift_remove(name);
        }
    }
    Some(page.to_string())
}

/// A job without what it takes to compute it again.
fn without_code(history: &str) -> Option<String> {
    let (head, rest) = history.split_once(",\"code\":")?;
    let (_, job) = rest.split_once(",\"job\":{")?;
    Some(format!("{head},\"job\":{{{job}"))
}

/// Workflows without what is told of their runs.
fn without_runs(workflows: &str) -> Option<String> {
    let mut workflows: Json = serde_json::from_str(workflows).ok()?;
    for workflow in workflows.as_array_mut()? {
        for version in workflow.get_mut("versions")?.as_array_mut()? {
            let version = version.as_object_mut()?;
            for name in ["lastRun", "runs"] {
                version.shift_remove(name);
            }
        }
    }
    Some(workflows.to_string())
}

/// Entries in the order of their texts, which begin with their names.
fn by_name(entries: &str) -> Option<String> {
    let entries: Vec<Json> = serde_json::from_str(entries).ok()?;
    let mut texts: Vec<String> = entries.iter().map(ToString::to_string).collect();
    texts.sort();
    Some(texts.join("\n"))
}

fn refused(status: u16, body: &str) -> Option<String> {
    let Problem { code, detail, diagnostics, status: told, .. } = serde_json::from_str(body).ok()?;
    let refused = Refused { code, message: detail, diagnostics };
    (told == status).then(|| serde_json::to_string(&refused).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_form_may_differ() {
        let problem = r#"{"type":"t","title":"t","status":404,"detail":"d","instance":"/x","code":"c","requestId":"r"}"#;
        let workflows = r#"{"workflows":[{"name":"b","versions":[{"files":1,"lastRun":null,"runs":0}]},{"name":"a","versions":[]}],"next":null}"#;
        for (path, status, now, then, same) in [
            ("/x", 404, problem, r#"{"code":"c","message":"d","diagnostics":[]}"#, true),
            ("/x", 404, problem, r#"{"code":"c","message":"e","diagnostics":[]}"#, false),
            ("/x", 410, problem, r#"{"code":"c","message":"d","diagnostics":[]}"#, false),
            ("/api/v1/runs", 200, r#"{"runs":[{"id":1}],"next":null}"#, r#"[{"id":1}]"#, true),
            ("/api/v1/runs", 200, r#"{"runs":[{"id":1}],"next":null}"#, r#"[{"id":2}]"#, false),
            ("/api/v1/runs/x", 200, r#"{"project":"prj_0000000000001","id":1}"#, r#"{"id":1}"#, true),
            ("/api/v1/runs/x", 200, r#"{"project":"prj_0000000000002","id":1}"#, r#"{"id":1}"#, false),
            ("/api/v1/runs", 200, r#"{"runs":[{"id":1}],"next":"x"}"#, r#"[{"id":1}]"#, false),
            ("/api/v1/runs/x", 200, r#"{"done":3,"reused":12}"#, r#"{"done":3}"#, true),
            ("/api/v1/runs/x", 200, r#"{"jobs":3,"reused":12,"a":1}"#, r#"{"jobs":3,"a":1}"#, false),
            (
                "/api/v1/runs/x",
                200,
                r#"{"paused":true,"pausedSince":17,"id":1}"#,
                r#"{"paused":true,"id":1}"#,
                true,
            ),
            (
                "/api/v1/runs/x",
                200,
                r#"{"paused":true,"pausedNote":"n","id":1}"#,
                r#"{"paused":true,"id":1}"#,
                false,
            ),
            (
                "/api/v1/workflows",
                200,
                workflows,
                r#"[{"name":"a","versions":[]},{"name":"b","versions":[{"files":1}]}]"#,
                true,
            ),
            (
                "/api/v1/workflows",
                200,
                workflows,
                r#"[{"name":"a","versions":[]},{"name":"b","versions":[{"files":2}]}]"#,
                false,
            ),
            ("/api/v1/workflows", 200, workflows, r#"[{"name":"a","versions":[]}]"#, false),
            (
                "/api/v1/jobs/x",
                200,
                r#"{"run":null,"code":"c","waitedMs":5,"job":{"id":1}}"#,
                r#"{"run":null,"job":{"id":1}}"#,
                true,
            ),
            (
                "/api/v1/jobs/x",
                200,
                r#"{"run":null,"code":"c","job":{"id":2}}"#,
                r#"{"run":null,"job":{"id":1}}"#,
                false,
            ),
            (
                "/api/v1/runs/x/jobs",
                200,
                r#"{"jobs":[{"worker":"w","error":"e"}]}"#,
                r#"{"jobs":[{}]}"#,
                true,
            ),
            ("/y", 200, "1", "1", true),
            ("/y", 200, "1", "2", false),
        ] {
            assert_eq!(as_then(path, status, now) == of_then(path, then), same, "{path}: {now} and {then}");
        }
    }
}
