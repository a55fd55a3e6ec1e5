//! What this release tells in another form on purpose, put back into the form of the release that left the databases: problem
//! details.
//!
//! Whatever is in no known form stays as it is, and so differs.

use serde::Serialize;
use weevil_api::{DiagnosticView, Problem};

/// The body of a refusal, as it was.
#[derive(Serialize)]
struct Refused {
    code: String,
    message: String,
    diagnostics: Vec<DiagnosticView>,
}

/// The body of an answer of today as it was then.
pub(super) fn as_then(status: u16, body: &str) -> String {
    (status >= 400).then(|| refused(status, body)).flatten().unwrap_or_else(|| body.to_owned())
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
        for (status, now, then, same) in [
            (404, problem, r#"{"code":"c","message":"d","diagnostics":[]}"#, true),
            (404, problem, r#"{"code":"c","message":"e","diagnostics":[]}"#, false),
            (410, problem, r#"{"code":"c","message":"d","diagnostics":[]}"#, false),
            (200, "1", "1", true),
            (200, "1", "2", false),
        ] {
            assert_eq!(as_then(status, now) == then, same, "{now} and {then}");
        }
    }
}
