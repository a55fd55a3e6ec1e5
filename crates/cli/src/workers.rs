//! `weevil workers`: who is connected, or has left, a line each.

use clap::Args;
use weevil_api::{Fleet, WorkerView};
use weevil_client::{Server, WorkerFilter};
use weevil_model::limits::MAX_PAGE;

use crate::Exit;
use crate::asking::Asking;
use crate::clock::{age, left, now};
use crate::inert::{say_json, say_line};
use crate::table::{Side, Table};
use crate::terminal::columns;

/// Workers that are listed of those that are looked for: as many as a server has room for.
const MOST: usize = 100_000;

#[derive(Debug, Args)]
pub struct Workers {
    /// Only those with this in what they call themselves or their GPU, or whose device or id begins so.
    #[arg(value_name = "TEXT")]
    text: Option<String>,
    /// Those that have left, the newest first, as far as they are kept.
    #[arg(long)]
    gone: bool,
    /// What those that are connected are sorted by, such as `mflops`; with `-` in front, the largest first.
    #[arg(long, value_name = "ORDER", allow_hyphen_values = true, conflicts_with = "gone")]
    sort: Option<String>,
    #[command(flatten)]
    asking: Asking,
    /// Print what the server answers: one JSON object with `workers` and `slots`.
    #[arg(long)]
    json: bool,
}

impl Workers {
    pub(crate) fn execute(self) -> Exit {
        match self.asking.server().and_then(|server| self.list(&server)) {
            Ok(fleet) if self.json => say_json(&fleet),
            Ok(fleet) => lines(&fleet, now(), columns()).iter().for_each(|line| say_line(line)),
            Err(why) => return Exit::CouldNot(why),
        }
        Exit::Done
    }

    fn list(&self, server: &Server) -> Result<Fleet, String> {
        if self.text.is_none() && !self.gone && self.sort.is_none() {
            return server.fleet();
        }
        let asked = WorkerFilter {
            text: self.text.as_deref(),
            gone: self.gone,
            sort: self.sort.as_deref(),
            limit: MAX_PAGE,
        };
        let (mut workers, mut after) = (Vec::new(), None::<String>);
        loop {
            let page = server.find_workers(&asked, after.as_deref())?;
            workers.extend(page.workers);
            after = page.next;
            if after.is_none() || workers.len() >= MOST {
                let slots = workers.iter().map(|worker| worker.slots).sum();
                return Ok(Fleet { workers, slots, more: 0 });
            }
        }
    }
}

pub(crate) fn lines(fleet: &Fleet, now: i64, columns: Option<usize>) -> Vec<String> {
    let mut table = Table::new([
        ("WORKER", Side::Left),
        ("BUSY", Side::Right),
        ("DONE", Side::Right),
        ("ERR", Side::Right),
        ("MFLOPS", Side::Right),
        ("JOINED", Side::Right),
        ("DEVICE", Side::Left),
        ("STANDING", Side::Left),
        ("BROWSER", Side::Left),
    ]);
    for worker in &fleet.workers {
        let WorkerView { id, agent, device, slots, busy, done, errors, mflops, connected_at, .. } = worker;
        let device = device.clone().unwrap_or_else(|| "-".to_owned());
        let (busy, mflops) = (format!("{busy}/{slots}"), format!("{mflops:.1}"));
        let (done, errors) = (done.to_string(), errors.to_string());
        let joined = age(*connected_at, now);
        table.row([
            id.clone(),
            busy,
            done,
            errors,
            mflops,
            joined,
            device,
            standing(worker, now),
            agent.clone(),
        ]);
    }
    table.lines(columns)
}

/// What keeps it from being given jobs, or else how much its answers count.
fn standing(worker: &WorkerView, now: i64) -> String {
    match (&worker.held_back, worker.rests_until) {
        (Some(held), _) => held
            .paused_until
            .map_or_else(|| "banned".to_owned(), |until| format!("paused {}", left(until, now))),
        (None, _) if worker.gone => "left".to_owned(),
        (None, Some(until)) => format!("rests {}", left(until, now)),
        (None, None) => worker.rank.as_str().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use weevil_api::{DeviceRank, HeldBackView};

    use super::*;

    fn worker(device: Option<&str>, rests_until: Option<i64>) -> WorkerView {
        WorkerView {
            id: "wrk_0000000000001".into(),
            agent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140".into(),
            device: device.map(str::to_owned),
            slots: 4,
            busy: 3,
            done: 1234,
            errors: 2,
            mflops: 81.25,
            connected_at: 1_000,
            rank: DeviceRank::Established,
            rests_until,
            ..WorkerView::default()
        }
    }

    #[test]
    fn a_worker_s_line_fits_and_says_what_keeps_it_from_being_given_jobs() {
        let held = |paused_until: Option<i64>| {
            let banned = paused_until.is_none();
            Some(HeldBackView { banned, paused_until, note: "its fan".into() })
        };
        let known = worker(Some("3f2a91c0"), None);
        for (worker, words) in [
            (known.clone(), "wrk_0000000000001  3/4  1234  2  81.2  2 min ago  3f2a91c0  established  "),
            (worker(None, None), "  -  established  "),
            (worker(None, Some(181_000)), "  -  rests 1 min  "),
            (WorkerView { held_back: held(Some(181_000)), ..known.clone() }, "  3f2a91c0  paused 1 min  "),
            (WorkerView { held_back: held(None), ..known.clone() }, "  3f2a91c0  banned  "),
            (WorkerView { gone: true, ..known }, "  3f2a91c0  left  "),
        ] {
            let fleet = Fleet { workers: vec![worker], slots: 4, more: 0 };
            let cut = lines(&fleet, 121_000, Some(80));
            assert_eq!(cut.len(), 2);
            assert!(cut.iter().all(|line| line.chars().count() <= 80), "{cut:?}");
            let line = lines(&fleet, 121_000, None).concat();
            assert!(line.contains(words), "{line}");
        }
    }
}
