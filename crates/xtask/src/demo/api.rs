//! What the demo asks the server over HTTP, and the few fields it reads of the answers.
//! It never sends anything but questions.

use std::time::Duration;

use serde_json::Value;

use crate::failure::{Done, Failure};
use crate::sh;

const LIMIT: Duration = Duration::from_secs(10);
const CURE: &str = "read data/demo/server.log";

/// The server's view of a run: `RunView` of `crates/api/src/runs.rs`.
#[derive(Clone, Debug)]
pub(super) struct RunView(Value);

impl RunView {
    /// Asks once.
    pub(super) fn fetch(url: &str, run: &str) -> Done<Self> {
        get(&format!("{url}/api/v1/runs/{run}")).map(Self)
    }

    pub(super) fn state(&self) -> &str {
        self.0["summary"]["state"].as_str().unwrap_or_default()
    }

    /// Whether nothing will change any more.
    pub(super) fn is_over(&self) -> bool {
        is_terminal(self.state())
    }

    pub(super) fn is_finished(&self) -> bool {
        self.state().eq_ignore_ascii_case("finished")
    }

    /// Jobs that ended with a value.
    pub(super) fn done(&self) -> u64 {
        self.0["summary"]["progress"]["done"].as_u64().unwrap_or(0)
    }

    /// Jobs known so far.
    pub(super) fn total(&self) -> u64 {
        self.0["summary"]["progress"]["total"].as_u64().unwrap_or(0)
    }

    /// A figure of the run's statistics by its name on the wire.
    pub(super) fn figure(&self, name: &str) -> f64 {
        self.0["stats"][name].as_f64().unwrap_or(0.0)
    }

    /// The final value where it is a number.
    pub(super) fn number(&self) -> Option<f64> {
        self.0["result"].as_f64()
    }

    /// Node and last message of a failed run.
    pub(super) fn error(&self) -> String {
        let error = &self.0["error"];
        let last = error["attempts"].as_array().and_then(|attempts| attempts.last());
        let message = last.and_then(|attempt| attempt["message"].as_str()).unwrap_or("no error was recorded");
        format!("{}: {message}", error["node"].as_str().unwrap_or("the run"))
    }
}

#[cfg(test)]
impl From<Value> for RunView {
    fn from(view: Value) -> Self {
        Self(view)
    }
}

/// How many workers are connected now.
pub(super) fn workers(url: &str) -> Done<usize> {
    Ok(get(&format!("{url}/api/v1/fleet"))?["workers"].as_array().map_or(0, Vec::len))
}

/// Says where the volunteers will first finish what an earlier demo left.
pub(super) fn mention_older_runs(url: &str) {
    let Ok(Value::Array(runs)) = get(&format!("{url}/api/v1/runs")) else { return };
    let open = runs.iter().filter(|run| !is_terminal(run["state"].as_str().unwrap_or_default())).count();
    if open > 0 {
        sh::say(format!(
            "{open} unfinished runs of earlier demos in data/demo go first; `rm -r data/demo` forgets them"
        ));
    }
}

fn is_terminal(state: &str) -> bool {
    ["finished", "failed", "cancelled"].iter().any(|it| state.eq_ignore_ascii_case(it))
}

fn get(address: &str) -> Done<Value> {
    let agent =
        ureq::Agent::new_with_config(ureq::Agent::config_builder().timeout_global(Some(LIMIT)).build());
    let text = agent
        .get(address)
        .call()
        .and_then(|mut answer| answer.body_mut().read_to_string())
        .map_err(|error| Failure::new(format!("GET {address}: {error}"), CURE))?;
    serde_json::from_str(&text)
        .map_err(|error| Failure::new(format!("GET {address}: not JSON: {error}"), CURE))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn reads_the_wires_names() {
        let view = RunView::from(json!({
            "summary": {"state": "failed", "progress": {"done": 3, "total": 10}},
            "stats": {"wallMs": 1500, "mflops": 12.5},
            "result": null,
            "error": {"node": "task_a", "attempts": [{"message": "first"}, {"message": "last"}]},
        }));
        assert!(view.is_over() && !view.is_finished());
        assert_eq!((view.done(), view.total()), (3, 10));
        assert!((view.figure("wallMs") - 1500.0).abs() < f64::EPSILON);
        assert_eq!(view.number(), None);
        assert_eq!(view.error(), "task_a: last");
    }
}
