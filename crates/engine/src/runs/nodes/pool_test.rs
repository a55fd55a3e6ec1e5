//! Pools with real executors whose elements answer before they are believed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use actix::{Actor, Addr};
use tempfile::TempDir;
use tokio::sync::{mpsc, watch};
use weevil_model::limits::{MAX_ANSWERED, POOL_WINDOW};
use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::{Encoded, RunId, RunState, Timestamp, Value, pool_of};
use weevil_queue::{Attempt, Closing, Ended, NewJob, Shortened};
use weevil_records::{Progress, Retrace, RunRecord};
use weevil_store::SqliteStore;
use weevil_workflow::Bundle;

use crate::board::{Board, ShownRun};
use crate::common::Common;
use crate::feeder::{self, Request};
use crate::job_news::{Cost, JobChange, JobUpdate, Work};
use crate::listeners::{Listeners, News};
use crate::metrics::Metrics;
use crate::root::{CancelRun, Earlier, Root, Start};
use crate::testing::{ManualClock, effort, worker};

/// After so long what is waited for counts as never happening.
const PATIENCE: Duration = Duration::from_mins(2);

/// Rounds in which everybody who has been told something acts on it.
const ROUNDS: usize = 8;

/// A run of one pool, and who hands its jobs out: the test.
struct Stage {
    _folder: TempDir,
    run: RunId,
    root: Addr<Root>,
    inbox: mpsc::UnboundedReceiver<Request>,
    listeners: Arc<Listeners>,
    shown: watch::Receiver<Arc<ShownRun>>,
}

fn workflow(elements: usize) -> Start {
    let numbers: Vec<String> = (0..elements).map(|number| number.to_string()).collect();
    let document = format!(
        r#"<workflow><nodes><value id="v" value="[{}]" returntype="Array"/>
        <pool id="p" returntype="Array"><parameters><parameter id="a" paramtype="Array"/></parameters>
          <processor id="x" src="F" returntype="Number"><parameters><parameter id="a" paramtype="Number"/></parameters></processor>
          <reducer id="y" src="F" returntype="Array"><parameters><parameter id="a" paramtype="Array"/></parameters></reducer>
        </pool></nodes><edges><edge id="e" source="v" dest="p"/></edges><finalnode id="p"/></workflow>"#,
        numbers.join(",")
    );
    let files = [("workflow.xml", &*document), ("F.js", "function weevil_main(a) { return a }")]
        .map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
    let plan = weevil_workflow::load(&Bundle::new(BTreeMap::from(files)).unwrap()).unwrap().plan;
    let record = RunRecord::unread(RunId::from_number(1).unwrap(), String::new());
    Start { record: RunRecord { unread: None, ..record }, plan: Arc::new(plan), earlier: Earlier::default() }
}

impl Stage {
    async fn of(elements: usize) -> Self {
        Self::start(workflow(elements)).await
    }

    async fn start(start: Start) -> Self {
        let folder = TempDir::new().unwrap();
        let store = Arc::new(SqliteStore::open(&folder.path().join("weevil.db")).await.unwrap());
        let metrics = Arc::<Metrics>::default();
        let (feeder, inbox) = feeder::channel(metrics.queue.asks.clone());
        let (board, listeners) = (Arc::<Board>::default(), Arc::<Listeners>::default());
        let common = Common {
            store,
            clock: Arc::new(ManualClock::default()),
            ids: Arc::default(),
            board: board.clone(),
            feeder,
            health: Arc::default(),
            metrics,
            listeners: listeners.clone(),
            trust: Policy::None,
            assumed: AssumedShare::default(),
        };
        let root = Root::new(common, Vec::new()).start();
        let run = start.record.id;
        root.send(start).await.unwrap();
        Self { _folder: folder, run, root, inbox, listeners, shown: board.run(run).unwrap() }
    }

    /// The next job that is asked for.
    async fn asked(&mut self) -> Box<NewJob> {
        loop {
            let request =
                tokio::time::timeout(PATIENCE, self.inbox.recv()).await.expect("a job is asked for");
            if let Some(Request::Enqueue(job)) = request {
                return job;
            }
        }
    }

    async fn first(&mut self) -> Request {
        tokio::time::timeout(PATIENCE, self.inbox.recv())
            .await
            .expect("something is asked")
            .expect("by a run")
    }

    /// What is asked next closes the pool.
    async fn closes(&mut self, what: &str) {
        let request = tokio::time::timeout(PATIENCE, self.inbox.recv()).await.expect(what);
        let Some(Request::Close(closing)) = request else { panic!("{what}: something else is asked") };
        let pool = pool_of(&path(0)).unwrap().into();
        assert_eq!(closing, Closing { run: self.run, node: pool }, "{what}");
    }

    /// A batch whose news these are of a job.
    fn tell(&self, path: &str, changes: &[JobChange]) {
        let news = changes.iter().map(|change| News {
            job: None,
            node: Some((self.run, path.to_owned())),
            update: JobUpdate { change: change.clone(), at: Timestamp::default() },
        });
        self.listeners.tell(news.collect());
    }

    async fn shows(&mut self, what: &str, looks: impl Fn(&ShownRun) -> bool) -> Arc<ShownRun> {
        let shown = tokio::time::timeout(PATIENCE, self.shown.wait_for(|run| looks(run))).await;
        shown.unwrap_or_else(|_| panic!("{what}")).unwrap().clone()
    }

    /// Counts of the run's jobs, once they are these; of the pool's they are the same.
    async fn counts(&mut self, what: &str, expected: Progress) {
        let run = self.shows(what, |run| run.facts.summary.progress == expected).await;
        assert_eq!(run.facts.nodes[1].jobs, Some(expected), "{what}");
    }
}

fn number(number: usize) -> Encoded {
    Encoded::of(&Value::Number(number as f64)).unwrap()
}

fn ended(value: Encoded) -> JobChange {
    JobChange::Ended(Ended::Value(value), Cost::Nothing)
}

fn path(index: usize) -> String {
    format!("v/p/{index}/x")
}

/// What an element returns follows from its path.
fn accepted(path: &str) -> JobChange {
    let index = path.split('/').nth(2).unwrap();
    ended(number(index.parse().unwrap()))
}

/// Nobody looks where a run goes on as it began.
#[actix::test]
async fn what_a_pool_had_beyond_its_end_goes_where_its_run_begins_anew() {
    for (retrace, expected) in [(Retrace::Never, None), (Retrace::Begun, Some(3))] {
        let mut start = workflow(3);
        start.record.retrace = retrace;
        let mut stage = Stage::start(start).await;
        let told = match stage.first().await {
            Request::Shorten(Shortened { run, pool, processor, elements }) => {
                assert_eq!((run, &*pool, &*processor), (stage.run, "v/p", "x"));
                Some(elements)
            }
            _ => None,
        };
        assert_eq!(told, expected, "{retrace:?}");
    }
}

#[actix::test]
async fn all_that_answers_makes_room_for_more_and_ends_in_any_order() {
    for (elements, before_any_is_accepted) in
        [(100, 100), (2 * POOL_WINDOW + 5, 2 * POOL_WINDOW + 5), (MAX_ANSWERED + 300, MAX_ANSWERED)]
    {
        let mut stage = Stage::of(elements).await;
        let (total, what) = (u32::try_from(elements).unwrap() + 1, format!("{elements} elements"));
        let mut waiting = Vec::new();
        while waiting.len() < before_any_is_accepted {
            let path = stage.asked().await.path.to_string();
            stage.tell(&path, &[JobChange::Claimed, JobChange::Answered]);
            waiting.push(path);
        }
        let answered = u32::try_from(waiting.len()).unwrap();
        stage.counts(&what, Progress { total, answered, ..Progress::default() }).await;
        stage.closes(&what).await;
        assert!(stage.inbox.is_empty(), "{what}: no more start until one ends");
        for step in 1..=elements {
            let path = waiting.swap_remove(step * 7_919 % waiting.len());
            stage.tell(&path, &[accepted(&path)]);
            if step + before_any_is_accepted <= elements {
                let path = stage.asked().await.path.to_string();
                stage.tell(&path, &[JobChange::Answered]);
                waiting.push(path);
            }
        }
        let reducer = stage.asked().await;
        let results: Vec<Encoded> = (0..elements).map(number).collect();
        let results = Encoded::array(&results).unwrap();
        assert_eq!(reducer.input.array(), &Encoded::array(std::slice::from_ref(&results)).unwrap(), "{what}");
        stage.tell(&reducer.path, &[JobChange::Claimed, JobChange::Answered]);
        let done = total - 1;
        stage.counts(&what, Progress { total, answered: 1, done, ..Progress::default() }).await;
        stage.tell(&reducer.path, &[JobChange::Claimed, ended(results.clone())]);
        let run = stage.shows(&what, ShownRun::has_ended).await;
        assert_eq!((run.head.state, &run.result), (RunState::Finished, &Some(results)), "{what}");
        assert_eq!(
            run.facts.summary.progress,
            Progress { total, done: total, ..Progress::default() },
            "{what}"
        );
    }
}

/// What is told together overtakes the executor that goes.
#[actix::test]
async fn an_answered_element_is_counted_as_it_stands() {
    use JobChange::{Answered, Claimed, Requeued};
    let end = || accepted(&path(0));
    let (answered, queued, running, done) = (
        Progress { answered: 1, ..Progress::default() },
        Progress { queued: 1, ..Progress::default() },
        Progress { running: 1, ..Progress::default() },
        Progress { done: 1, ..Progress::default() },
    );
    for (what, batches, expected) in [
        ("at once", vec![vec![Answered]], answered),
        ("with a copy", vec![vec![Claimed, Answered], vec![Claimed]], answered),
        ("with a copy at once", vec![vec![Claimed, Answered, Claimed, Answered, Answered]], answered),
        ("wrong", vec![vec![Claimed, Answered], vec![Requeued]], queued),
        ("wrong at once", vec![vec![Claimed, Answered, Requeued]], queued),
        ("computed anew", vec![vec![Answered, Requeued], vec![Claimed]], running),
        ("computed anew at once", vec![vec![Answered, Requeued, Claimed]], running),
        ("answered anew", vec![vec![Answered], vec![Requeued, Claimed, Answered]], answered),
        ("answered twice and right", vec![vec![Answered, Requeued, Claimed, Answered, end()]], done),
        ("right", vec![vec![Claimed], vec![Answered], vec![end()]], done),
        ("right at once", vec![vec![Claimed, Answered, Claimed, end()]], done),
    ] {
        let mut stage = Stage::of(3).await;
        let mut jobs = Vec::new();
        for _ in 0..3 {
            jobs.push(stage.asked().await);
        }
        stage.tell(&path(1), &[Claimed, Answered]);
        for changes in batches {
            stage.tell(&path(0), &changes);
            tokio::task::yield_now().await;
        }
        let Progress { queued, answered, .. } = expected;
        let expected = Progress { total: 4, queued: queued + 1, answered: answered + 1, ..expected };
        stage.counts(what, expected).await;
    }
}

/// After a restart jobs are put in that are there already, with their answers.
#[actix::test]
async fn what_was_answered_before_it_was_put_in_makes_room_and_closes_the_pool() {
    use JobChange::{Answered, Claimed, Requeued};
    let elements = 2 * POOL_WINDOW + 5;
    let mut stage = Stage::of(elements).await;
    for _ in 0..elements {
        let path = stage.asked().await.path.to_string();
        stage.tell(&path, &[Answered]);
    }
    let answered = u32::try_from(elements).unwrap();
    stage.counts("all", Progress { total: answered + 1, answered, ..Progress::default() }).await;
    stage.closes("all").await;
    for (what, batches, closes) in [
        ("a copy", vec![vec![Claimed, Answered]], true),
        ("wrong, and answered again", vec![vec![Requeued], vec![Claimed, Answered]], true),
        ("believed", vec![vec![accepted(&path(0))]], false),
    ] {
        for changes in batches {
            stage.tell(&path(0), &changes);
            for _ in 0..ROUNDS {
                tokio::task::yield_now().await;
            }
        }
        if closes {
            stage.closes(what).await;
        }
        assert!(stage.inbox.is_empty(), "{what}");
    }
}

/// The news of its answer tell of no work, those of its end do.
#[actix::test]
async fn a_job_that_is_believed_late_counts_once() {
    use JobChange::{Answered, Claimed};
    let worked = |value| {
        let work = Work { worker: worker(1), place: None, effort: effort() };
        JobChange::Ended(Ended::Value(value), Cost::Worked(work))
    };
    let end = || worked(number(0));
    for batches in [
        vec![vec![Claimed], vec![end()]],
        vec![vec![Claimed, Answered], vec![end()]],
        vec![vec![Claimed, Answered, Claimed, Answered], vec![Answered], vec![end()]],
        vec![vec![Answered, end()]],
        vec![vec![Answered, JobChange::Requeued], vec![Claimed, Answered, end()]],
    ] {
        let what = format!("{batches:?}");
        let mut stage = Stage::of(1).await;
        stage.asked().await;
        for changes in batches {
            stage.tell(&path(0), &changes);
            tokio::task::yield_now().await;
        }
        let reducer = stage.asked().await.path.to_string();
        let all = Encoded::array(&[number(0)]).unwrap();
        stage.tell(&reducer, &[Answered]);
        stage.tell(&reducer, &[worked(all)]);
        let run = stage.shows(&what, ShownRun::has_ended).await;
        assert_eq!((run.head.state, run.facts.summary.stats.jobs), (RunState::Finished, 2), "{what}");
    }
}

fn failed() -> JobChange {
    JobChange::Ended(Ended::Failed(Vec::<Attempt>::new()), Cost::Nothing)
}

#[actix::test]
async fn a_run_ends_while_elements_are_answered() {
    use JobChange::{Answered, Claimed, NotStored};
    let failure = Progress { total: 4, answered: 2, failed: 1, ..Progress::default() };
    let queued = Progress { total: 4, answered: 2, queued: 1, ..Progress::default() };
    for (what, end, expected) in [
        ("an answered one fails", Some((0, vec![Answered, failed()])), failure),
        ("another fails", Some((0, vec![failed()])), failure),
        ("an answered one is not stored", Some((0, vec![Answered, NotStored("no".into())])), failure),
        ("it is cancelled", None, queued),
    ] {
        let mut stage = Stage::of(3).await;
        for _ in 0..3 {
            stage.asked().await;
        }
        for index in [1, 2] {
            stage.tell(&path(index), &[Claimed, Answered]);
        }
        stage.counts(what, queued).await;
        let state = if let Some((index, changes)) = &end {
            stage.tell(&path(*index), changes);
            RunState::Failed
        } else {
            stage.root.do_send(CancelRun(stage.run));
            RunState::Cancelled
        };
        let run = stage.shows(what, ShownRun::has_ended).await;
        assert_eq!((run.head.state, run.facts.summary.progress), (state, expected), "{what}");
        let node = run.facts.error.as_ref().map(|error| error.node.clone());
        assert_eq!(node, end.map(|(index, _)| path(index)), "{what}");
        // The pool has gone, and its listeners have not: nobody is hurt.
        stage.tell(&path(1), &[Answered, accepted(&path(1))]);
        tokio::task::yield_now().await;
    }
}
