//! What the demo asks the server over HTTP, and the few fields it reads of the answers.
//! It never sends anything but questions.

use std::time::Duration;

use weevil_api::RunStats;
use weevil_client::Server;

use crate::failure::{Done, Failure};
use crate::sh;

const LIMIT: Duration = Duration::from_secs(10);
const CURE: &str = "read data/demo/server.log";

/// The server's view of a run.
#[derive(Clone, Debug)]
pub(super) struct RunView(weevil_api::RunView);

impl RunView {
    /// Asks once.
    pub(super) fn fetch(url: &str, run: &str) -> Done<Self> {
        server(url).run(&run).map(Self).map_err(failure)
    }

    pub(super) fn state(&self) -> &'static str {
        self.0.summary.state.as_str()
    }

    /// Whether nothing will change any more.
    pub(super) fn is_over(&self) -> bool {
        self.0.summary.state.is_terminal()
    }

    pub(super) fn is_finished(&self) -> bool {
        self.state() == "FINISHED"
    }

    /// Jobs that ended with a value.
    pub(super) fn done(&self) -> u64 {
        self.0.summary.progress.done.into()
    }

    /// Jobs known so far.
    pub(super) fn total(&self) -> u64 {
        self.0.summary.progress.total.into()
    }

    pub(super) const fn stats(&self) -> &RunStats {
        &self.0.stats
    }

    /// The final value where it is a number.
    pub(super) fn number(&self) -> Option<f64> {
        self.0.result.as_ref()?.as_f64()
    }

    /// Node and last message of a failed run.
    pub(super) fn error(&self) -> String {
        let error = self.0.error.as_ref();
        let last = error.and_then(|error| error.attempts.last());
        let message = last.map_or("no error was recorded", |attempt| &attempt.message);
        format!("{}: {message}", error.map_or("the run", |error| &error.node))
    }
}

/// What a test names, over a run that has just begun.
#[cfg(test)]
impl From<serde_json::Value> for RunView {
    fn from(named: serde_json::Value) -> Self {
        let mut view = serde_json::json!({
            "summary": {
                "id": "", "name": "", "workflow": "", "state": "STARTED", "createdAt": 0, "finishedAt": null,
                "paused": false, "progress": weevil_api::Progress::default(),
            },
            "nodes": [], "stats": RunStats::default(), "result": null, "error": null,
        });
        overlay(&mut view, named);
        Self(serde_json::from_value(view).expect("a view"))
    }
}

#[cfg(test)]
fn overlay(view: &mut serde_json::Value, named: serde_json::Value) {
    match (view.as_object_mut(), named) {
        (Some(fields), serde_json::Value::Object(named)) => {
            for (name, value) in named {
                overlay(fields.entry(name).or_insert(serde_json::Value::Null), value);
            }
        }
        (_, named) => *view = named,
    }
}

/// How many workers are connected now.
pub(super) fn workers(url: &str) -> Done<usize> {
    server(url).fleet().map(|fleet| fleet.workers.len()).map_err(failure)
}

/// Says where the volunteers will first finish what an earlier demo left.
pub(super) fn mention_older_runs(url: &str) {
    let open = server(url).runs(Some("STARTED"), None).map_or(0, |page| page.runs.len());
    if open > 0 {
        sh::say(format!(
            "{open} unfinished runs of earlier demos in data/demo go first; `rm -r data/demo` forgets them"
        ));
    }
}

fn server(url: &str) -> Server {
    Server::with_timeout(url, LIMIT)
}

fn failure(why: String) -> Failure {
    Failure::new(why, CURE)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tells_progress_and_the_last_error() {
        let view = RunView::from(json!({
            "summary": {"state": "FAILED", "progress": {"done": 3, "total": 10}},
            "stats": {"wallMs": 1500, "mflops": 12.5},
            "result": null,
            "error": {"node": "task_a", "attempts": [
                {"attempt": 1, "worker": "", "kind": "thrown", "message": "first", "stack": ""},
                {"attempt": 2, "worker": "", "kind": "thrown", "message": "last", "stack": ""},
            ]},
        }));
        assert!(view.is_over() && !view.is_finished());
        assert_eq!((view.done(), view.total()), (3, 10));
        assert_eq!(view.stats().wall_ms, 1500);
        assert_eq!(view.number(), None);
        assert_eq!(view.error(), "task_a: last");
    }
}
