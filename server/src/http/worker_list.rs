//! The list of workers, page by page: those that are connected in any of some orders, those that have left the newest first.
//!
//! Those that are connected are sorted and cut for each request, from what the board shows: linear in how many there are.

use std::cmp::Ordering;

use actix_web::{HttpRequest, web};
use serde::Deserialize;
use weevil_api::{WorkerPage, WorkerState};
use weevil_engine::fleet::FleetWorker;
use weevil_model::{Timestamp, WorkerId};
use weevil_records::WorkerList;

use super::AppState;
use super::asker::Asker;
use super::page::{Limit, id_behind, no_mark};
use super::parameters::{query, sought};
use super::worker_sums::sums;
use super::workers::view;
use super::workers_gone;
use crate::refusal::Refusal;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    q: Option<String>,
    #[serde(default)]
    state: WorkerState,
    sort: Option<String>,
    after: Option<String>,
    #[serde(default)]
    limit: Limit,
}

/// What a list may be sorted by, and whether the largest comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sort {
    key: usize,
    is_descending: bool,
}

/// Where a worker stands in an order.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Value<'w> {
    Number(f64),
    Text(&'w str),
}

type Key = (&'static str, fn(&FleetWorker) -> Value<'_>);

/// The first is the usual one.
const KEYS: [Key; 9] = [
    ("connected", |worker| Value::Number(worker.connected_at.0 as f64)),
    ("heard", |worker| Value::Number(worker.heard_at.0 as f64)),
    ("slots", |worker| Value::Number(worker.slots.into())),
    ("busy", |worker| Value::Number(worker.busy().into())),
    ("mflops", |worker| Value::Number(worker.mflops)),
    ("done", |worker| Value::Number(worker.done.into())),
    ("errors", |worker| Value::Number(worker.errors.into())),
    ("expired", |worker| Value::Number(worker.expired.into())),
    ("agent", |worker| Value::Text(&worker.agent)),
];

impl Value<'_> {
    fn compare(&self, other: &Value<'_>) -> Ordering {
        match (self, other) {
            (Self::Number(one), Value::Number(other)) => one.total_cmp(other),
            (Self::Text(one), Value::Text(other)) => one.cmp(other),
            (Self::Number(_), Value::Text(_)) => Ordering::Less,
            (Self::Text(_), Value::Number(_)) => Ordering::Greater,
        }
    }
}

impl Sort {
    fn parse(text: &str) -> Result<Self, Refusal> {
        let (name, is_descending) = text.strip_prefix('-').map_or((text, false), |name| (name, true));
        let key = KEYS.iter().position(|(known, _)| *known == name).ok_or_else(|| {
            let known = KEYS.map(|(known, _)| known).join(", ");
            Refusal::BadQuery(format!(
                "there is no `sort` of this name; there are {known}, each with `-` in front for the largest first"
            ))
        })?;
        Ok(Self { key, is_descending })
    }

    fn of(self, worker: &FleetWorker) -> Place<'_> {
        Place { value: (KEYS[self.key].1)(worker), worker: worker.id }
    }

    fn compare(self, one: &Place<'_>, other: &Place<'_>) -> Ordering {
        let order = one.value.compare(&other.value).then(one.worker.cmp(&other.worker));
        if self.is_descending { order.reverse() } else { order }
    }

    /// The mark of an entry: the order, the worker, its value there.
    fn mark(self, worker: &FleetWorker) -> String {
        let (name, dash) = (KEYS[self.key].0, if self.is_descending { "-" } else { "" });
        let value = match self.of(worker).value {
            Value::Number(number) => number.to_string(),
            Value::Text(text) => text.to_owned(),
        };
        format!("{dash}{name}.{}.{value}", worker.id)
    }

    /// What a mark of this order says; one of another order is no mark here.
    fn behind(self, mark: &str) -> Result<Place<'_>, Refusal> {
        let mut parts = mark.splitn(3, '.');
        let mut part = || parts.next().ok_or_else(no_mark);
        if Self::parse(part()?).ok() != Some(self) {
            return Err(no_mark());
        }
        let worker: WorkerId = part()?.parse().map_err(|_| no_mark())?;
        let value = part()?;
        let value = if KEYS[self.key].0 == "agent" {
            Value::Text(value)
        } else {
            Value::Number(value.parse().map_err(|_| no_mark())?)
        };
        Ok(Place { value, worker })
    }
}

/// Between two workers of one value the ids decide.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Place<'w> {
    value: Value<'w>,
    worker: WorkerId,
}

pub(super) async fn list(
    app: web::Data<AppState>,
    request: HttpRequest,
    asker: Asker,
) -> Result<web::Json<WorkerPage>, Refusal> {
    let wanted: Asked = query(&request)?;
    let text = sought(wanted.q.as_deref())?;
    let page = match wanted.state {
        WorkerState::Connected => connected(&app, &wanted, text.as_deref())?,
        WorkerState::Gone => gone(&app, &wanted, text, asker.at).await?,
    };
    Ok(web::Json(page))
}

async fn gone(
    app: &AppState,
    asked: &Asked,
    text: Option<String>,
    now: Timestamp,
) -> Result<WorkerPage, Refusal> {
    if asked.sort.is_some() {
        let why = "`sort` is for those that are connected; those that have left come the newest first";
        return Err(Refusal::BadQuery(why.to_owned()));
    }
    let list = WorkerList { before: id_behind(asked.after.as_deref())?, text };
    workers_gone::page(app, list, asked.limit, now).await
}

fn connected(app: &AppState, asked: &Asked, text: Option<&str>) -> Result<WorkerPage, Refusal> {
    let sort = Sort::parse(asked.sort.as_deref().unwrap_or(KEYS[0].0))?;
    let behind = asked.after.as_deref().map(|mark| sort.behind(mark)).transpose()?;
    let fleet = app.common.board.fleet().borrow().clone();
    let mut found = cut(&fleet.workers, sort, behind.as_ref(), text, asked.limit.and_one() as usize);
    let next = asked.limit.cut(&mut found, |last| sort.mark(last));
    let sums = behind.is_none().then(|| sums(&fleet.workers));
    Ok(WorkerPage { workers: found.into_iter().map(view).collect(), next, sums })
}

/// The first so many behind a place, in order.
fn cut<'w>(
    workers: &'w [FleetWorker],
    sort: Sort,
    behind: Option<&Place<'_>>,
    text: Option<&str>,
    most: usize,
) -> Vec<&'w FleetWorker> {
    let order = |one: &&FleetWorker, other: &&FleetWorker| sort.compare(&sort.of(one), &sort.of(other));
    let is_behind = |worker: &FleetWorker| {
        behind.is_none_or(|behind| sort.compare(&sort.of(worker), behind) == Ordering::Greater)
    };
    let fits = |worker: &&FleetWorker| is_behind(worker) && text.is_none_or(|text| has(worker, text));
    let mut found: Vec<&FleetWorker> = workers.iter().filter(fits).collect();
    if found.len() > most {
        found.select_nth_unstable_by(most, order);
        found.truncate(most);
    }
    found.sort_unstable_by(order);
    found
}

/// Whether a worker is meant by a text, in lower case: part of what it calls itself or its GPU, or how its device or its id begins.
fn has(worker: &FleetWorker, text: &str) -> bool {
    worker.agent.to_lowercase().contains(text)
        || worker.adapter.as_ref().is_some_and(|adapter| adapter.to_lowercase().contains(text))
        || worker.device.is_some_and(|device| device.to_string().starts_with(text))
        || worker.id.to_string().starts_with(text)
}

#[cfg(test)]
mod tests {
    use weevil_model::Needs;
    use weevil_model::witness::{Rank, Witness};
    use weevil_records::{Suspension, Term};

    use super::*;

    /// Worker `number`, which came as the so-many-th and has done so much.
    fn worker(number: i64, agent: &str, done: u32) -> FleetWorker {
        FleetWorker {
            id: WorkerId::from_number(number).unwrap(),
            agent: agent.into(),
            adapter: (number == 2).then(|| "AMD rdna-2".into()),
            keeps_gpu: false,
            duty: None,
            device: None,
            slots: 1,
            in_flight: 0,
            capacity: 1,
            window: 16,
            done,
            errors: 0,
            expired: 0,
            mflops: f64::from(done) / 3.0,
            connected_at: Timestamp(100 - number),
            heard_at: Timestamp(0),
            rank: Rank::Newcomer,
            rests_until: None,
            witness: Witness::nobody(agent),
            has: Needs::JAVASCRIPT,
            suspension: None,
            was_given: false,
        }
    }

    fn fleet() -> [FleetWorker; 5] {
        [
            worker(1, "Firefox 1.4", 7),
            worker(2, "Chromium", 7),
            worker(3, "Chromium", 0),
            worker(4, "a.b.c", 9),
            worker(5, "", 7),
        ]
    }

    #[test]
    fn pages_of_any_size_have_everybody_once_and_in_order() {
        for (sort, expected) in [
            ("connected", [5, 4, 3, 2, 1]),
            ("-connected", [1, 2, 3, 4, 5]),
            ("done", [3, 1, 2, 5, 4]),
            ("-done", [4, 5, 2, 1, 3]),
            ("-mflops", [4, 5, 2, 1, 3]),
            ("agent", [5, 2, 3, 1, 4]),
            ("-agent", [4, 1, 3, 2, 5]),
            ("errors", [1, 2, 3, 4, 5]),
        ] {
            let (order, fleet) = (Sort::parse(sort).unwrap(), fleet());
            for most in 1..=6 {
                let (mut found, mut mark) = (Vec::new(), None::<String>);
                loop {
                    let behind = mark.as_deref().map(|mark| order.behind(mark).unwrap());
                    let page = cut(&fleet, order, behind.as_ref(), None, most);
                    assert!(page.len() <= most);
                    let Some(last) = page.last() else { break };
                    mark = Some(order.mark(last));
                    found.extend(page.iter().map(|worker| worker.id.number()));
                }
                assert_eq!(found, expected, "{sort} by {most}");
            }
        }
    }

    #[test]
    fn each_worker_does_one_thing_and_is_one_browser() {
        let note = String::new();
        let paused = Suspension { term: Term::Paused { until: Timestamp(9) }, note };
        let workers = [
            FleetWorker { in_flight: 3, suspension: Some(paused), ..worker(1, "Firefox 140 on Linux", 3) },
            FleetWorker { in_flight: 3, rests_until: Some(Timestamp(9)), ..worker(2, "Chrome 130", 0) },
            FleetWorker { rests_until: Some(Timestamp(9)), ..worker(3, "Chrome 126 on Windows", 0) },
            FleetWorker { slots: 0, in_flight: 1, ..worker(4, "Chromeless", 0) },
            FleetWorker { slots: 5, ..worker(5, "<b>", 6) },
        ];
        let found = serde_json::to_value(sums(&workers)).unwrap();
        let expected = serde_json::json!({
            "workers": 5, "slots": 8, "busy": 2, "mflops": 3.0,
            "doing": { "paused": 1, "computing": 1, "resting": 1, "away": 1, "idle": 1 },
            "browsers": { "Chrome": 2, "Firefox": 1, "other": 2 },
            "capabilities": { "javascript": 5 },
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn a_text_is_looked_for_in_what_a_worker_says() {
        let (order, fleet) = (Sort::parse("errors").unwrap(), fleet());
        let id = fleet[3].id.to_string();
        for (text, expected) in
            [("chrom", &[2, 3][..]), ("rdna", &[2]), ("", &[1, 2, 3, 4, 5]), ("%", &[]), (&id, &[4])]
        {
            let found = cut(&fleet, order, None, Some(text), 9);
            let found: Vec<i64> = found.iter().map(|worker| worker.id.number()).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_mark_is_good_for_its_own_order_alone() {
        let order = Sort::parse("-done").unwrap();
        let mark = order.mark(&fleet()[0]);
        assert!(order.behind(&mark).is_ok(), "{mark}");
        for sort in ["done", "-errors", "agent"] {
            assert!(Sort::parse(sort).unwrap().behind(&mark).is_err(), "{sort}");
        }
        for text in ["", "-done", "-done.x.7", "-done.wrk_0000000000001.", "-done.wrk_0000000000001"] {
            assert!(order.behind(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_unknown_order_is_told_which_there_are() {
        for text in ["", "-", "done-", "--done", "colour"] {
            let told = Sort::parse(text).unwrap_err().to_string();
            assert!(told.contains("there are connected, heard,"), "{text}: {told}");
        }
    }
}
