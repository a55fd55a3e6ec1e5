//! `weevil workers`: who is connected, a line each.

use clap::Args;
use weevil_api::{Fleet, WorkerView};

use crate::Exit;
use crate::asking::Asking;
use crate::clock::{age, left, now};
use crate::inert::{say_json, say_line};
use crate::table::{Side, Table};
use crate::terminal::columns;

#[derive(Debug, Args)]
pub struct Workers {
    #[command(flatten)]
    asking: Asking,
    /// Print what the server answers: one JSON object with `workers` and `slots`.
    #[arg(long)]
    json: bool,
}

impl Workers {
    pub(crate) fn execute(self) -> Exit {
        match self.asking.server().and_then(|server| server.fleet()) {
            Ok(fleet) if self.json => say_json(&fleet),
            Ok(fleet) => lines(&fleet, now(), columns()).iter().for_each(|line| say_line(line)),
            Err(why) => return Exit::CouldNot(why),
        }
        Exit::Done
    }
}

pub(crate) fn lines(fleet: &Fleet, now: i64, columns: Option<usize>) -> Vec<String> {
    let mut table = Table::new([
        ("WORKER", Side::Left),
        ("BUSY", Side::Right),
        ("DONE", Side::Right),
        ("JOINED", Side::Right),
        ("DEVICE", Side::Left),
        ("RANK", Side::Left),
        ("BROWSER", Side::Left),
    ]);
    for worker in &fleet.workers {
        let WorkerView { id, agent, device, slots, in_flight, done, connected_at, .. } = worker;
        let device = device.clone().unwrap_or_else(|| "-".to_owned());
        let busy = format!("{in_flight}/{slots}");
        let joined = age(*connected_at, now);
        table.row([id.clone(), busy, done.to_string(), joined, device, rank(worker, now), agent.clone()]);
    }
    table.lines(columns)
}

fn rank(worker: &WorkerView, now: i64) -> String {
    match worker.rests_until {
        Some(until) => format!("rests {}", left(until, now)),
        None => worker.rank.as_str().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use weevil_api::DeviceRank;

    use super::*;

    fn worker(device: Option<&str>, rests_until: Option<i64>) -> WorkerView {
        WorkerView {
            id: "wrk_0000000000001".into(),
            agent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140".into(),
            device: device.map(str::to_owned),
            slots: 4,
            in_flight: 3,
            done: 1234,
            connected_at: 1_000,
            rank: DeviceRank::Established,
            rests_until,
            ..WorkerView::default()
        }
    }

    #[test]
    fn a_worker_s_line_fits_and_says_whether_it_rests() {
        for (worker, words) in [
            (
                worker(Some("3f2a91c0"), None),
                "wrk_0000000000001   3/4  1234   2 min ago  3f2a91c0  established  Moz",
            ),
            (worker(None, None), "  -       established  "),
            (worker(None, Some(181_000)), "  -       rests 1 min  "),
        ] {
            let fleet = Fleet { workers: vec![worker], slots: 4, more: 0 };
            let lines = lines(&fleet, 121_000, Some(80));
            assert_eq!(lines.len(), 2);
            assert!(lines.iter().all(|line| line.chars().count() <= 80), "{lines:?}");
            let line = lines[1].replace("  2 min", "   2 min");
            assert!(line.contains(words), "{line}");
        }
    }
}
