//! What a node waits for, and what nobody could tell.

use super::view::ReasonView;
use super::words::{grouped, list, many};

/// A port without a value, and the path of the node that is to give it.
#[derive(Debug, Clone, Copy)]
pub struct OpenPortWords<'a> {
    pub port: &'a str,
    pub from: &'a str,
}

/// `more` ports are not named.
pub fn ports_open(ports: &[OpenPortWords<'_>], more: u32) -> ReasonView {
    let mut named: Vec<String> =
        ports.iter().map(|open| format!("`{}` from `{}`", open.port, open.from)).collect();
    named.extend((more > 0).then(|| format!("{} more", grouped(more.into()))));
    let open = u64::try_from(ports.len()).unwrap_or(u64::MAX).saturating_add(more.into());
    let text = format!("It waits for {}: {}.", many(open, "value", "values"), list(&named));
    ReasonView::new("portsOpen", text).number("ports", u32::try_from(open).unwrap_or(u32::MAX))
}

/// `what` could not be told: `database`, `queuePause`, `hold`, `workers`, `attempts`, `failure`, `suspension`, `waitingJobs` or
/// `cause`.
pub fn unknown(what: &str) -> ReasonView {
    let text = match what {
        "database" => "Whether the database takes writes is not known.",
        "queuePause" => "Whether the queue is paused is not known.",
        "hold" => "It is held, and by what is not known.",
        "workers" => "Which workers are connected is not known.",
        "attempts" => "What its attempts came to is not known.",
        "failure" => "It has failed, and none of its attempts tells why.",
        "suspension" => "Whether a person holds it back is not known.",
        "waitingJobs" => "Which jobs wait for a worker is not known.",
        _ => "Nothing that the server knows keeps it.",
    };
    ReasonView::new("unknown", text)
}
