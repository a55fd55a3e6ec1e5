//! Words of strangers, which end nothing alone: tokens that were given back, errors and silences of one place, results that
//! do not fit, and what a liar is handed. Each stranger is at a place of its own, as a trusted proxy tells.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use serde_json::json;
use weevil_e2e::hostile::cbor::{text, uint};
use weevil_e2e::hostile::words::{Claim, Key, heartbeat, yields};
use weevil_e2e::hostile::{ByteWorker, Stranger};
use weevil_e2e::{DatabaseKind, Files, TestServer, on_each_database, pool_workflow};
use weevil_model::limits::MAX_VALUE_BYTES;
use weevil_model::{NodeState, RunState};

const CODE: &str = "function weevil_main(...inputs) { return 7 }";
/// Believes what is forwarded over loopback.
const PROXY: [&str; 4] = ["--trusted-proxy", "127.0.0.1/32", "--client-address", "x-forwarded-for"];
const LEASES: [&str; 4] = ["--lease-seconds", "2", "--heartbeat-seconds", "1"];
const ACCEPTED: u64 = 0;
const SUPERSEDED: u64 = 1;
/// Kinds of errors, by their numbers on the wire.
const THROWN: u64 = 0;
const TIMEOUT: u64 = 1;
const BEAT: Duration = Duration::from_millis(200);
/// What a worker holds at first, whatever it asks for.
const WINDOW: usize = 16;

struct Scene {
    server: TestServer,
}

impl Scene {
    fn new(kind: DatabaseKind) -> Self {
        Self { server: kind.server_with(&PROXY) }
    }

    fn liar(&self) -> Stranger {
        Stranger::of(&self.server.address).from("203.0.113.1")
    }

    fn honest(&self) -> Stranger {
        Stranger::of(&self.server.address).from("198.51.100.1")
    }

    /// A job of three attempts that comes back soon.
    fn job(&self) -> String {
        let job = json!({ "source": CODE, "input": [1], "attempts": 3, "retryMs": 1, "returns": "Number" });
        self.server.api().put_job(&job).job
    }

    fn await_failures(&self, job: &str, failures: u32) {
        self.server.api().await_history(job, |history| history.job.failures == failures);
    }
}

/// Takes the next job and fails it.
fn fail(worker: &mut ByteWorker, kind: u64, message: &str) {
    let job = worker.jobs(1).remove(0);
    worker.capacity = 0;
    assert_eq!(worker.report(&[Claim::error(job.key, kind, message)]), [ACCEPTED]);
}

/// Wants so many jobs from now on.
fn want(worker: &mut ByteWorker, capacity: u64) {
    worker.capacity = capacity;
    worker.say(&heartbeat(&[], 1, capacity));
}

/// Keeps a worker connected that names nothing of what it holds, as long as something else goes on.
fn beating<T>(mut worker: ByteWorker, other: impl FnOnce() -> T) -> (ByteWorker, T) {
    let (goes_on, ended) = channel::<()>();
    thread::scope(move |scope| {
        let beats = scope.spawn(move || {
            while ended.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                want(&mut worker, 0);
            }
            worker
        });
        let found = other();
        drop(goes_on);
        (beats.join().expect("nobody panics"), found)
    })
}

fn computes(scene: &Scene, honest: &mut ByteWorker, job: &str) {
    want(honest, 1);
    honest.compute(1, &uint(7));
    let result = scene.server.api().await_job(job);
    assert_eq!((result.state, result.result), (NodeState::Finished, Some(7.into())));
}

/// One visitor takes all jobs, gives them back, and answers them later without holding any.
fn collected_tokens_decide_nothing(kind: DatabaseKind) {
    let scene = Scene::new(kind);
    let run = scene.server.api().run(&pool_workflow("[1,2,3,4]", CODE, CODE));
    let mut liar = scene.liar().join(4);
    let collected: Vec<Key> = liar.jobs(4).iter().map(|job| job.key).collect();
    liar.capacity = 0;
    liar.say(&yields(&collected, 0));
    scene.server.api().await_waiting(&run, 4);
    let claims: Vec<Claim> = collected.iter().map(|key| Claim::value(*key, &uint(666))).collect();
    assert_eq!(liar.report(&claims), [SUPERSEDED; 4]);
    let mut honest = scene.honest().join(4);
    honest.compute(4, &uint(7));
    assert_eq!(liar.report(&claims), [SUPERSEDED; 4], "nor afterwards");
    honest.compute(1, &uint(28));
    let view = scene.server.api().await_end(&run);
    assert_eq!((view.summary.state, view.result), (RunState::Finished, Some(28.into())));
}

/// The same error over two connections, then three more, then three silences.
fn one_place_alone_ends_nothing_while_another_is_there(kind: DatabaseKind) {
    let scene = Scene { server: kind.server_with(&[PROXY, LEASES].concat()) };
    let job = scene.job();
    let (mut honest, ()) = beating(scene.honest().join(0), || {
        for message in ["same", "same", "a", "b", "c"] {
            fail(&mut scene.liar().join(1), THROWN, message);
        }
        for failures in 6..=8 {
            let mut silent = scene.liar().join(1);
            silent.jobs(1);
            beating(silent, || scene.await_failures(&job, failures));
        }
    });
    computes(&scene, &mut honest, &job);
}

fn the_same_error_at_two_places_ends_a_job_where_it_speaks_of_the_code(kind: DatabaseKind) {
    let scene = Scene::new(kind);
    let mut witness = scene.honest().join(0);
    for (error, ended) in [(THROWN, true), (TIMEOUT, false)] {
        let job = scene.job();
        fail(&mut scene.liar().join(1), error, "same");
        want(&mut witness, 1);
        fail(&mut witness, error, "same");
        if ended {
            let result = scene.server.api().await_job(&job);
            assert_eq!((result.state, result.errors.len()), (NodeState::Failed, 2));
        } else {
            scene.await_failures(&job, 2);
            computes(&scene, &mut witness, &job);
        }
    }
}

/// Whom nobody else stands beside: its attempts are all that there are.
fn where_all_share_a_place_attempts_are_used_up(kind: DatabaseKind) {
    let scene = Scene::new(kind);
    let job = scene.job();
    for message in ["same", "same", "same"] {
        fail(&mut scene.liar().join(1), THROWN, message);
    }
    assert_eq!(scene.server.api().await_job(&job).state, NodeState::Failed);
}

/// A pool whose processor returns this type.
fn pool(elements: &str, processed: &str) -> Files {
    let mut pool = pool_workflow(elements, CODE, CODE);
    let document = String::from_utf8(pool[0].1.clone()).expect("text");
    let from = "processor id=\"each\" src=\"Each\" returntype=\"Number\"";
    let to = from.replace("Number", processed);
    assert!(document.contains(from), "{document}");
    pool[0].1 = document.replace(from, &to).into_bytes();
    pool
}

/// A text of so many bytes in CBOR.
fn long(length: usize) -> Vec<u8> {
    text(&"x".repeat(length - 5))
}

fn a_result_that_does_not_fit_is_computed_again(kind: DatabaseKind) {
    let scene = Scene::new(kind);
    let run = scene.server.api().run(&pool("[1,2,3]", "String"));
    let mut liar = scene.liar().join(1);
    let fills = liar.jobs(1).remove(0);
    liar.capacity = 0;
    assert_eq!(liar.report(&[Claim::value(fills.key, &long(MAX_VALUE_BYTES - 8))]), [ACCEPTED]);
    let mut honest = scene.honest().join(1);
    honest.compute(3, &text("right"));
    let reducer = honest.jobs(1).remove(0);
    assert_eq!(reducer.input.len(), 2 + 3 * 6, "three short texts");
    assert_eq!(honest.report(&[Claim::value(reducer.key, &uint(7))]), [ACCEPTED]);
    let view = scene.server.api().await_end(&run);
    assert_eq!((view.summary.state, view.result), (RunState::Finished, Some(7.into())));
    assert_eq!((view.summary.progress.done, view.summary.progress.total), (4, 4));
}

fn results_that_are_alike_and_too_large_fail_at_once(kind: DatabaseKind) {
    let scene = Scene::new(kind);
    let run = scene.server.api().run(&pool("[1,2,3]", "String"));
    let mut honest = scene.honest().join(1);
    honest.compute(2, &long(MAX_VALUE_BYTES / 2 + 1));
    let view = scene.server.api().await_end(&run);
    let error = view.error.expect("a failed run says why");
    assert_eq!((view.summary.state, error.attempts[0].kind.as_str()), (RunState::Failed, "inputTooLarge"));
    assert!(error.attempts[0].message.contains("has returned 8388609 bytes"), "{error:?}");
}

/// What says 2,048 gets what any newcomer gets, and more for what it delivers.
fn a_liar_is_given_a_window(kind: DatabaseKind) {
    let scene = Scene::new(kind);
    let run = scene.server.api().run(&pool_workflow(&format!("[{}]", vec!["1"; 100].join(",")), CODE, CODE));
    scene.server.api().await_waiting(&run, 100);
    let mut liar = scene.liar().join(2_048);
    let held = liar.jobs(WINDOW);
    let mut honest = scene.honest().join(1);
    honest.jobs(1);
    scene.server.api().await_fleet(|fleet| {
        let held =
            |id: &str| fleet.workers.iter().find(|worker| worker.id == id).map(|worker| worker.in_flight);
        (held(&liar.id), held(&honest.id)) == (Some(16), Some(1))
    });
    let claims: Vec<Claim> = held.iter().map(|job| Claim::value(job.key, &uint(7))).collect();
    assert_eq!(liar.report(&claims), [ACCEPTED; WINDOW]);
    assert_eq!(liar.jobs(2 * WINDOW).len(), 2 * WINDOW);
}

on_each_database!(
    collected_tokens_decide_nothing,
    one_place_alone_ends_nothing_while_another_is_there,
    the_same_error_at_two_places_ends_a_job_where_it_speaks_of_the_code,
    where_all_share_a_place_attempts_are_used_up,
    a_result_that_does_not_fit_is_computed_again,
    results_that_are_alike_and_too_large_fail_at_once,
    a_liar_is_given_a_window,
);
