//! `weevil queue`: how much waits and runs, the codes that were stopped, what waits by its needs and by the name of its queue.

use clap::Args;
use serde::Serialize;
use weevil_api::{
    QueueView, StoppedCodeView, WaitingClassView, WaitingClasses, WaitingQueueView, WaitingQueues,
};
use weevil_client::Server;

use crate::Exit;
use crate::asking::Asking;
use crate::clock::{age, now};
use crate::inert::{Inert, complain, say_json, say_line};

#[derive(Debug, Args)]
pub struct Queue {
    #[command(flatten)]
    asking: Asking,
    /// Print what the server answers: one JSON object, with `classes` and `queues`.
    #[arg(long)]
    json: bool,
}

impl Queue {
    pub(crate) fn execute(self) -> Exit {
        match self.asking.server().and_then(|server| Told::by(&server)) {
            Ok(told) if self.json => say_json(&told),
            Ok(told) => told.lines(now()).iter().for_each(|line| say_line(line)),
            Err(why) => return Exit::CouldNot(why),
        }
        Exit::Done
    }
}

/// Three answers as one; without what a server does not tell that is older than these.
#[derive(Debug, Serialize)]
struct Told {
    #[serde(flatten)]
    queue: QueueView,
    #[serde(skip_serializing_if = "Option::is_none")]
    classes: Option<Vec<WaitingClassView>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    queues: Option<Vec<WaitingQueueView>>,
}

impl Told {
    fn by(server: &Server) -> Result<Self, String> {
        let queue = server.queue()?;
        let classes = or_complain(server.waiting_classes().map(|WaitingClasses { classes, .. }| classes));
        let queues = or_complain(server.waiting_queues().map(|WaitingQueues { queues, .. }| queues));
        Ok(Self { queue, classes, queues })
    }

    fn lines(&self, now: i64) -> Vec<String> {
        let classes = self.classes.iter().flatten().flat_map(|class| by_needs(class, now));
        let queues = self.queues.iter().flatten().map(|queue| by_name(queue, now));
        lines(&self.queue, now).into_iter().chain(classes).chain(queues).collect()
    }
}

fn or_complain<T>(answer: Result<T, String>) -> Option<T> {
    answer.map_err(|why| complain(&Inert::fill("{}\n", &[&Inert::line(&why)]))).ok()
}

/// What is ready and needs the same, whether anybody could compute it, and else the cure.
fn by_needs(class: &WaitingClassView, now: i64) -> Vec<String> {
    let WaitingClassView { needs, left_out, jobs, oldest_at, workers, idle, why } = class;
    let memory = (needs.memory_mb > 0).then(|| format!("{} MiB", needs.memory_mb));
    let engines = left_out.iter().map(|engine| format!("not {engine}"));
    let needs: Vec<String> = needs.capabilities.iter().cloned().chain(memory).chain(engines).collect();
    let meet = match workers {
        0 => "no connected worker meets that".to_owned(),
        workers => format!("{workers} workers meet that, {idle} of them idle"),
    };
    let line = format!("{jobs} ready for {}: {meet}{}", needs.join(", "), oldest(*oldest_at, now));
    let cure = why.iter().find_map(|reason| reason.cure.as_ref()).filter(|_| *workers == 0);
    std::iter::once(line).chain(cure.map(|cure| format!("  {cure}"))).collect()
}

fn by_name(row: &WaitingQueueView, now: i64) -> String {
    let WaitingQueueView { queue, ready, delayed, held, oldest_at, .. } = row;
    format!(
        "queue {queue}: {ready} ready{}{}",
        others(&[(delayed, "delayed"), (held, "held")]),
        oldest(*oldest_at, now)
    )
}

fn oldest(at: Option<i64>, now: i64) -> String {
    at.map(|at| format!("; the oldest was put in {}", age(at, now))).unwrap_or_default()
}

/// One line of counts.
pub(crate) fn counts(queue: &QueueView) -> String {
    let QueueView { ready, leased, delayed, held, answered, .. } = queue;
    let more = others(&[(delayed, "delayed"), (held, "held"), (answered, "answered")]);
    format!("{ready} ready, {leased} running{more}")
}

/// Those of the counts that are not zero.
fn others(counts: &[(&u64, &str)]) -> String {
    let more =
        counts.iter().filter(|(count, _)| **count > 0).map(|(count, what)| format!(", {count} {what}"));
    more.collect::<Vec<_>>().concat()
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
    use weevil_api::JobNeeds;
    use weevil_api::explain::no_worker;

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
    fn what_waits_is_told_by_needs_and_by_queue() {
        let class =
            |capabilities: &[&str], memory_mb, left_out: &[&str], workers, oldest_at| WaitingClassView {
                needs: JobNeeds {
                    capabilities: capabilities.iter().map(ToString::to_string).collect(),
                    memory_mb,
                },
                left_out: left_out.iter().map(ToString::to_string).collect(),
                jobs: 4,
                oldest_at,
                workers,
                idle: 0,
                why: vec![no_worker()],
            };
        let sums = WaitingQueueView {
            project: "prj_1".into(),
            queue: "sums".into(),
            ready: 2,
            delayed: 0,
            held: 1,
            oldest_at: Some(0),
        };
        let told = Told {
            queue: queue(),
            classes: Some(vec![
                class(&["javascript"], 0, &[], 3, None),
                class(&["webcl"], 512, &["gecko"], 0, Some(0)),
            ]),
            queues: Some(vec![sums]),
        };
        let expected = [
            "12 ready, 3 running",
            "4 ready for javascript: 3 workers meet that, 0 of them idle",
            "4 ready for webcl, 512 MiB, not gecko: no connected worker meets that; the oldest was put in 1 min ago",
            "  Open the server's address in a browser and click Start.",
            "queue sums: 2 ready, 1 held; the oldest was put in 1 min ago",
        ];
        assert_eq!(told.lines(60_000), expected);
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
