//! `weevil queue`: how much waits and runs, and the codes that were stopped.

use clap::Args;
use weevil_api::{QueueView, StoppedCodeView};

use crate::Exit;
use crate::asking::Asking;
use crate::clock::{age, now};
use crate::inert::{say_json, say_line};

#[derive(Debug, Args)]
pub struct Queue {
    #[command(flatten)]
    asking: Asking,
    /// Print what the server answers: one JSON object.
    #[arg(long)]
    json: bool,
}

impl Queue {
    pub(crate) fn execute(self) -> Exit {
        match self.asking.server().and_then(|server| server.queue()) {
            Ok(queue) if self.json => say_json(&queue),
            Ok(queue) => lines(&queue, now()).iter().for_each(|line| say_line(line)),
            Err(why) => return Exit::CouldNot(why),
        }
        Exit::Done
    }
}

/// One line of counts.
pub(crate) fn counts(queue: &QueueView) -> String {
    let QueueView { ready, leased, delayed, held, answered, .. } = queue;
    let more = [(delayed, "delayed"), (held, "held"), (answered, "answered")];
    let more = more.iter().filter(|(count, _)| **count > 0).map(|(count, what)| format!(", {count} {what}"));
    format!("{ready} ready, {leased} running{}", more.collect::<String>())
}

fn lines(queue: &QueueView, now: i64) -> Vec<String> {
    let by = queue.paused_by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
    let paused = queue.paused_since.map(|since| {
        format!("paused {}{by}: nothing is handed out; `weevil resume` lets it go on", age(since, now))
    });
    let note = queue.paused_note.as_ref().map(|note| format!("  {note}"));
    let stopped = queue.stopped.iter().flat_map(|stopped| {
        let StoppedCodeView { queue, code, example, stopped_at, .. } = stopped;
        [
            format!(
                "{code} was stopped in the queue {queue} {}: {example} has failed",
                age(*stopped_at, now)
            ),
            format!("  `weevil resume --queue {queue} --code {code}` lets it go"),
        ]
    });
    std::iter::once(counts(queue)).chain(paused).chain(note).chain(stopped).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn queue() -> QueueView {
        QueueView {
            ready: 12,
            leased: 3,
            delayed: 0,
            held: 0,
            answered: 0,
            paused_since: None,
            paused_by: None,
            paused_note: None,
            stopped: Vec::new(),
        }
    }

    #[test]
    fn a_queue_tells_what_there_is_and_the_cure() {
        let stopped = StoppedCodeView {
            project: "prj_1".into(),
            queue: "sums".into(),
            code: "3f2a".into(),
            example: "job_1".into(),
            stopped_at: 0,
        };
        let noted = QueueView {
            paused_since: Some(0),
            paused_by: Some("ada".into()),
            paused_note: Some("new rack".into()),
            ..queue()
        };
        for (queue, expected) in [
            (queue(), &["12 ready, 3 running"][..]),
            (
                QueueView { delayed: 1, held: 2, answered: 3, ..queue() },
                &["12 ready, 3 running, 1 delayed, 2 held, 3 answered"],
            ),
            (
                QueueView { paused_since: Some(0), ..queue() },
                &[
                    "12 ready, 3 running",
                    "paused 1 min ago: nothing is handed out; `weevil resume` lets it go on",
                ],
            ),
            (
                QueueView { stopped: vec![stopped], ..noted },
                &[
                    "12 ready, 3 running",
                    "paused 1 min ago by ada: nothing is handed out; `weevil resume` lets it go on",
                    "  new rack",
                    "3f2a was stopped in the queue sums 1 min ago: job_1 has failed",
                    "  `weevil resume --queue sums --code 3f2a` lets it go",
                ],
            ),
        ] {
            assert_eq!(lines(&queue, 60_000), expected);
        }
    }
}
