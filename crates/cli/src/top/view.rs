//! What `weevil top` shows: lines of text. Pure: a look, a choice, a size and `now` in.

use std::cmp::Reverse;

use weevil_api::{Fleet, WorkerView};

use super::keys::{Choice, Order};
use super::look::Look;
use crate::inert::one_line;
use crate::table::cut;
use crate::{queue, runs, workers};

/// The last line of the screen.
const KEYS: &str = "q leave  up/down choose  p pause or resume  o open  s sort workers";
/// Lines that are neither a run nor a worker: two heads, two headings, two gaps, the keys.
const FRAME: usize = 7;
/// Marks the chosen run.
const CHOSEN: &str = "> ";
const OTHER: &str = "  ";

/// All of it in one line, for a place where nothing can be drawn anew.
pub(super) fn line(look: &Look) -> String {
    let Fleet { workers, slots, .. } = &look.fleet;
    let (busy, going) = (look.busy(), look.going());
    let paused = if look.queue.paused_since.is_some() { "; paused" } else { "" };
    format!(
        "{} workers, {busy} of {slots} slots busy; {}{paused}; {going} runs go on",
        workers.len(),
        queue::counts(&look.queue)
    )
}

/// A screen of so many columns and rows; `trouble` in place of the keys.
pub(super) fn screen(look: &Look, choice: Choice, size: (u16, u16), now: i64, trouble: &str) -> Vec<String> {
    let (columns, rows) = (usize::from(size.0), usize::from(size.1));
    let room = rows.saturating_sub(FRAME);
    // Runs have what workers leave of the room, and half of it in any case.
    let for_workers = look.fleet.workers.len().min(room / 2);
    let for_runs = (room - for_workers).min(look.runs.len());
    let inside = columns.saturating_sub(CHOSEN.len());
    let mut lines = vec![line(look), String::new()];
    lines.extend(chosen(&runs::lines(&look.runs, now, Some(inside)), choice.run, for_runs));
    lines.push(String::new());
    let fleet = sorted(&look.fleet, choice.order);
    let listed = workers::lines(&fleet, now, Some(inside));
    lines.extend(listed.into_iter().take(for_workers + 1).map(|line| OTHER.to_owned() + &line));
    lines.truncate(rows.saturating_sub(1));
    lines.resize(rows.saturating_sub(1), String::new());
    lines.push(if trouble.is_empty() {
        format!("{KEYS}: {}", choice.order.as_str())
    } else {
        one_line(trouble)
    });
    lines.iter().map(|line| cut(line, Some(columns))).collect()
}

/// The heading, and as many of the other lines as there is room for, with the chosen one among them.
fn chosen(lines: &[String], at: usize, room: usize) -> Vec<String> {
    let Some((heading, runs)) = lines.split_first() else { return Vec::new() };
    let skipped = (at + 1).saturating_sub(room);
    let mark = |(number, line): (usize, &String)| {
        let mark = if number == at { CHOSEN } else { OTHER };
        mark.to_owned() + line
    };
    let shown = runs.iter().enumerate().skip(skipped).take(room).map(mark);
    std::iter::once(OTHER.to_owned() + heading).chain(shown).collect()
}

fn sorted(fleet: &Fleet, order: Order) -> Fleet {
    let mut fleet = fleet.clone();
    fleet.workers.sort_by_key(|worker: &WorkerView| match order {
        Order::Joined => Reverse(worker.connected_at),
        Order::Busy => Reverse(i64::from(worker.busy)),
        Order::Done => Reverse(i64::from(worker.done)),
    });
    fleet
}

#[cfg(test)]
mod tests {
    use weevil_api::QueueView;
    use weevil_model::RunState;

    use super::*;
    use crate::queue::tests::queue;
    use crate::runs::tests::run;

    fn worker(number: u32) -> WorkerView {
        WorkerView {
            id: format!("wrk_{number}"),
            agent: "Firefox".into(),
            slots: 4,
            busy: number % 3,
            done: 100 - number,
            connected_at: i64::from(number),
            ..WorkerView::default()
        }
    }

    fn look(workers: u32, runs: u8) -> Look {
        Look {
            fleet: Fleet { workers: (0..workers).map(worker).collect(), slots: 4 * workers, more: 0 },
            queue: QueueView { paused_since: Some(0), ..queue() },
            runs: (1..=runs).rev().map(|id| run(id, RunState::Started, 12, 0)).collect(),
        }
    }

    #[test]
    fn one_line_tells_all() {
        let expected = "4 workers, 3 of 16 slots busy; 12 ready, 3 running; paused; 2 runs go on";
        assert_eq!(line(&look(4, 2)), expected);
    }

    #[test]
    fn a_screen_is_as_large_as_the_terminal_and_shows_the_chosen_run() {
        for (workers, runs, size, at) in [
            (0, 0, (80, 24), 0),
            (3, 9, (80, 24), 8),
            (40, 9, (80, 24), 0),
            (4, 9, (80, 12), 7),
            (4, 9, (20, 5), 3),
        ] {
            let choice = Choice { run: at, order: Order::Busy };
            let lines = screen(&look(workers, runs), choice, size, 60_000, "");
            assert_eq!(lines.len(), usize::from(size.1), "{lines:#?}");
            assert!(lines.iter().all(|line| line.chars().count() <= usize::from(size.0)), "{lines:#?}");
            let id = format!("> run_000000000000{}", usize::from(runs).saturating_sub(at));
            let shown = lines.iter().any(|line| line.starts_with(&id));
            assert_eq!(shown, runs > 0 && size.1 > 8, "{id} {lines:#?}");
            assert_eq!(
                lines.iter().any(|line| line.contains("wrk_")),
                workers > 0 && size.1 > 8,
                "{lines:#?}"
            );
        }
        let trouble = screen(&look(1, 1), Choice::FIRST, (80, 24), 0, "cannot ask\u{1b}");
        assert_eq!(trouble.last().map(String::as_str), Some("cannot ask\u{FFFD}"));
    }

    #[test]
    fn workers_are_sorted_as_chosen() {
        for (order, first) in [(Order::Joined, "wrk_3"), (Order::Busy, "wrk_2"), (Order::Done, "wrk_0")] {
            assert_eq!(sorted(&look(4, 0).fleet, order).workers[0].id, first, "{order:?}");
        }
    }
}
