//! The one stream: what a reader that comes back is told, and how the tabs of a browser share it.

use std::io::{BufRead, BufReader, Lines, Read};
use std::thread;
use std::time::Instant;

use serde_json::{Value, json};
use weevil_api::routes::Operation;
use weevil_e2e::{Browser, FakeWorker, PATIENCE, Page, TestServer, job_workflow, shipped};
use weevil_model::NodeState;

use crate::access::people::{PASSWORD, invite};
use crate::console::{press, write};

/// Consoles of one browser: more than the connections that it has to one server.
const TABS: usize = 7;
/// A tab that can be hidden, and for which a minute is over at once.
const AWAY: &str = "Object.defineProperty(document, 'hidden', { get: () => globalThis.away === true });
    const later = globalThis.setTimeout;
    globalThis.setTimeout = (act, ms, ...rest) => later(act, ms === 60000 ? 0 : ms, ...rest);";

/// An event as a reader has it.
#[derive(Debug)]
struct Event {
    id: Option<String>,
    name: String,
    data: Value,
}

impl Event {
    fn is_whole(&self) -> bool {
        self.data["whole"] == json!(true)
    }

    fn tells_of(&self, run: &str) -> bool {
        self.data["runs"].as_array().is_some_and(|runs| runs.iter().any(|known| known["id"] == json!(run)))
    }
}

/// A stream, open until it is dropped.
struct Stream(Lines<BufReader<Box<dyn Read>>>);

impl Stream {
    fn open(server: &TestServer, search: &str, headers: &[(&str, &str)]) -> Self {
        let path = format!("{}?{search}", Operation::Events.path(&[]));
        let response = server.api().get_with(&path, headers);
        assert_eq!(response.status(), 200, "{path}");
        let body: Box<dyn Read> = Box::new(response.into_body().into_reader());
        Self(BufReader::new(body).lines())
    }

    /// The next event, or the next id that stands alone.
    fn next(&mut self) -> Event {
        let mut event = Event { id: None, name: String::new(), data: Value::Null };
        loop {
            let line = self.0.next().expect("the stream goes on").expect("the stream goes on");
            if let Some(id) = line.strip_prefix("id: ") {
                event.id = Some(id.to_owned());
            } else if let Some(name) = line.strip_prefix("event: ") {
                name.clone_into(&mut event.name);
            } else if let Some(data) = line.strip_prefix("data: ") {
                event.data = serde_json::from_str(data).expect("events carry JSON");
            } else if line.is_empty() && (event.id.is_some() || !event.name.is_empty()) {
                return event;
            }
        }
    }

    fn until(&mut self, fits: impl Fn(&Event) -> bool) -> Event {
        loop {
            let event = self.next();
            if fits(&event) {
                return event;
            }
        }
    }
}

fn job() -> Vec<(String, Vec<u8>)> {
    job_workflow("function weevil_main() { return 1 }", "")
}

/// How many streams the server has open.
fn await_streams(server: &TestServer, many: usize) {
    let used = || format!("{}", server.api().metrics().get("weevil_budget_used{row=\"streams\"}"));
    let deadline = Instant::now() + PATIENCE;
    while used() != many.to_string() {
        assert!(Instant::now() < deadline, "{} streams are open, not {many}", used());
        thread::yield_now();
    }
}

#[test]
fn who_comes_back_gets_what_is_missing_or_a_snapshot() {
    let server = TestServer::start(&[]);
    let mut stays = Stream::open(&server, "topics=overview,queue,workers", &[]);
    let first: Vec<Event> = (0..4).map(|_| stays.next()).collect();
    let told: Vec<_> = first.iter().map(|event| (event.name.as_str(), event.id.is_some())).collect();
    assert_eq!(told, [("overview", false), ("queue", false), ("workers", false), ("", true)], "{first:?}");
    assert!(first[0].is_whole() && first[2].data["fleet"]["workers"] == json!(0), "{first:?}");
    let run = server.api().run(&job());
    let before = stays.until(|event| event.id.is_some() && event.tells_of(&run));
    let id = before.id.expect("it has an id");
    let second = server.api().run(&job());
    let last = stays.until(|event| event.tells_of(&second)).id.expect("it has an id");
    let (start, number) = id.split_once('-').expect("two numbers");
    let later = format!("{start}-{}", number.parse::<u64>().expect("a number") + 1_000_000);
    let other = format!("1-{number}");
    for (search, headers, whole) in [
        ("topics=overview", vec![("last-event-id", id.as_str())], false),
        (&format!("topics=overview&after={id}"), vec![], false),
        ("topics=overview", vec![("last-event-id", later.as_str())], true),
        ("topics=overview", vec![("last-event-id", other.as_str())], true),
        ("topics=overview&after=yesterday", vec![], true),
        (&format!("topics=overview&fresh=overview&after={id}"), vec![], true),
        ("topics=overview", vec![], true),
    ] {
        let mut back = Stream::open(&server, search, &headers);
        let event = back.next();
        assert_eq!(
            (event.name.as_str(), event.is_whole()),
            ("overview", whole),
            "{search} {headers:?}: {event:?}"
        );
        assert!(event.is_whole() || event.id.as_deref() != Some(id.as_str()), "it has that one: {event:?}");
        let told = if event.tells_of(&second) { event } else { back.until(|event| event.tells_of(&second)) };
        assert!(whole || told.id.as_deref() == Some(last.as_str()), "the same frame for all: {told:?}");
    }
    // What nobody has listened to has a gap.
    let mut other = Stream::open(&server, &format!("topics=run:{run}&after={last}"), &[]);
    assert!(other.next().is_whole());
}

#[test]
fn a_run_is_told_by_what_has_changed_of_it() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&shipped("add"));
    server.api().await_run(&run, |run| run.nodes.iter().any(|node| node.state == NodeState::Enqueued));
    let topic = format!("run:{run}");
    let mut stream = Stream::open(&server, &format!("topics={topic}"), &[]);
    let first = stream.next();
    let nodes = first.data["nodes"].as_array().expect("few nodes");
    assert!(first.name == topic && first.is_whole() && nodes.len() == 5, "{first:?}");
    let mut worker = FakeWorker::join(&server.address, 1);
    worker.jobs_until(1);
    let runs = |event: &Event| {
        let nodes = event.data["nodes"].as_array().into_iter().flatten();
        nodes.filter(|node| node[1] == json!(4)).count() == 1
    };
    let change = stream.until(|event| event.id.is_some() && runs(event));
    assert!(
        !change.is_whole() && change.data["nodes"].as_array().is_some_and(|nodes| nodes.len() < 5),
        "{change:?}"
    );
    let layers = change.data["layers"].as_array().expect("the layer of that node has other counts");
    assert!(
        layers.iter().all(|layer| layer[1].as_array().is_some_and(|counts| counts.len() == 9)),
        "{layers:?}"
    );
    server.api().cancel(&run);
    let end = stream.until(|event| event.data["summary"]["state"] == json!("CANCELLED"));
    let elsewhere = json!(["states", "pools", "layers", "profile"]);
    assert_eq!(end.data["overflow"], elsewhere, "the store has them");
    let again = Stream::open(&server, &format!("topics={topic}"), &[]).next();
    assert!(again.is_whole() && again.data["overflow"] == elsewhere, "{again:?}");
}

#[test]
fn wrong_topics_are_refused() {
    let server = TestServer::start(&[]);
    let many: Vec<String> = (0..17).map(|at| format!("run:{at}")).collect();
    for (topics, status, code, words) in [
        ("weather", 400, "badQuery", "overview, overview:PROJECT, run:ID, workers, queue"),
        ("", 400, "badQuery", "no topic"),
        ("run:nothing", 400, "badId", ""),
        ("overview,run:run_0000000000001", 404, "noSuchRun", "run_0000000000001"),
        ("overview:nowhere", 404, "noSuchProject", "nowhere"),
        (&many.join(","), 400, "tooManyTopics", "16"),
    ] {
        let path = format!("{}?topics={topics}", Operation::Events.path(&[]));
        let (told, problem) = server.api().answer(&path).refusal();
        assert_eq!((told, problem.code.as_str()), (status, code), "{topics}: {}", problem.detail);
        assert!(problem.detail.contains(words), "{topics}: {}", problem.detail);
    }
}

/// A console in which somebody is signed in, also after the server has started again.
fn admin<'b>(server: &TestServer, browser: &'b Browser) -> Page<'b> {
    let page = browser.open_with(&server.url(&format!("/console#link={}", invite(server, 1, true))), AWAY);
    for (id, text) in [("new-name", "ada"), ("new-display", "Ada L."), ("new-password", PASSWORD)] {
        page.wait_for(&format!("document.querySelector('#{id}')"));
        page.eval(&format!("document.querySelector('#{id}').focus()"));
        write(&page, text);
    }
    press(&page, "Enter");
    page.wait_for("document.documentElement.dataset.live === 'true'");
    page
}

fn shows(page: &Page<'_>, run: &str) {
    page.wait_for(&format!("document.querySelector('[data-run=\"{run}\"]')"));
}

#[test]
fn tabs_share_one_stream_and_come_back_with_the_server() {
    let mut server = TestServer::start(&[]);
    let browser = Browser::start();
    let first = admin(&server, &browser);
    let others: Vec<Page<'_>> =
        (1..TABS).map(|_| browser.open_with(&server.url("/console#/runs"), AWAY)).collect();
    for page in &others {
        page.wait_for("document.documentElement.dataset.live === 'true'");
    }
    await_streams(&server, 1);
    let run = server.api().run(&job());
    shows(&first, &run);
    for page in &others {
        shows(page, &run);
    }

    let held = &others[0];
    held.click("#live");
    held.wait_for("document.querySelector('#live').dataset.kind === 'held'");
    server.kill();
    first.wait_for("document.querySelector('#live').dataset.kind === 'lost'");
    server.restart();
    let second = server.api().run(&job());
    shows(&first, &second);
    held.wait_for("/held by you, [1-9]/.test(document.querySelector('#live').innerText)");
    assert_eq!(held.eval(&format!("document.querySelector('[data-run=\"{second}\"]')")), Value::Null);
    held.click("#live");
    for page in &others {
        shows(page, &second);
    }
    await_streams(&server, 1);

    // Nobody sees any of them for a minute.
    for page in others.iter().chain([&first]) {
        page.eval("globalThis.away = true; document.dispatchEvent(new Event('visibilitychange')); 0");
    }
    await_streams(&server, 0);
    let third = server.api().run(&job());
    let back = &others[1];
    back.eval("globalThis.away = false; document.dispatchEvent(new Event('visibilitychange')); 0");
    shows(back, &third);
    await_streams(&server, 1);
    assert_eq!(others[2].eval(&format!("document.querySelector('[data-run=\"{third}\"]')")), Value::Null);

    server.terminate();
    back.wait_for("['ending', 'lost'].includes(document.querySelector('#live').dataset.kind)");
}

#[test]
fn without_a_shared_worker_the_fifth_tab_looks_now_and_then() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let first = server.console(&browser, "#/runs");
    first.close();
    let alone = "delete globalThis.SharedWorker";
    let pages: Vec<Page<'_>> =
        (0..5).map(|_| browser.open_with(&server.url("/console#/runs"), alone)).collect();
    for page in &pages {
        page.wait_for("document.documentElement.dataset.live === 'true'");
    }
    await_streams(&server, 4);
    let run = server.api().run(&job());
    for page in &pages {
        shows(page, &run);
    }
}
