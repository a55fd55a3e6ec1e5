//! The whole database after each kind of change, as a snapshot that both kinds of database share.

use weevil_model::{
    Capabilities, ContentHash, Encoded, Needs, ProjectId, Reuse, RunId, RunState, Timestamp, TypedArrayKind,
    Value,
};
use weevil_queue::{
    AttemptEnd, Batch, Cancel, NewJob, Origin, Release, Renew, Reopen, Report, Reporter, RunJudgement,
    Submission,
};
use weevil_records::{Retrace, RunEnd, RunFacts, RunRecord, Scope};

use crate::bed::{Bed, LEASE_MS, ask, boom, number, reporter, submission, workflow};
use crate::databases::{Kind, on_each_database};
use crate::dump::dump;

const GPU: Needs = Needs { capabilities: Capabilities(3), memory_mb: 0 };

/// Compares with `snapshots/NAME.snap`, whichever database it is.
async fn is_as_before(bed: &Bed, name: &str) {
    let text = dump(bed).await;
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

impl Bed {
    async fn put_in(&mut self, jobs: Vec<NewJob>) {
        self.apply(Batch { enqueue: jobs, ..Batch::default() }).await;
    }

    fn lone(&mut self, key: &str) -> NewJob {
        NewJob { origin: Origin::Queue("q".into()), ..self.job(key, 0) }
    }

    async fn look_at(&mut self, ms: i64) {
        self.now = self.now.plus_ms(ms);
        self.apply(Batch { look: true, ..Batch::default() }).await;
    }
}

fn ended(bed: &Bed, state: RunState, result: Option<Encoded>) -> RunEnd {
    RunEnd { state, at: bed.now, result, facts: RunFacts::default() }
}

fn large(byte: u8) -> Encoded {
    Encoded::of(&Value::Typed(TypedArrayKind::Uint8, vec![byte; 100_000])).unwrap()
}

async fn a_run_with_inputs(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let record = RunRecord {
        id: bed.minter.run(bed.now),
        project: ProjectId::DEFAULT,
        created_by: None,
        name: "another".into(),
        workflow: workflow().hash,
        seed: 5,
        state: RunState::Started,
        created_at: bed.now,
        paused: None,
        reuse: Reuse::Always,
        trust: None,
        assumed: None,
        left_out: Vec::new(),
        doubted: 0,
        retrace: Retrace::Never,
        judgement: RunJudgement::default(),
        end: None,
        unread: None,
    };
    let inputs = [("many".to_owned(), large(1)), ("n".to_owned(), number(3.0))];
    bed.store.create_run(&workflow(), &record, &inputs).await.unwrap();
    is_as_before(&bed, "a_run_with_inputs").await;
}

async fn enqueued(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let first = NewJob { needs: GPU, ..bed.job("first", 9) };
    let later = NewJob { delay_ms: 500, max_wait_ms: Some(100), ..bed.job("later", 0) };
    let hurried = NewJob { max_wait_ms: Some(100), returns: None, ..bed.job("hurried", 0) };
    let alone = bed.lone("key");
    bed.put_in(vec![first, later, hurried, alone]).await;
    is_as_before(&bed, "enqueued").await;
}

async fn claimed(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let hurried = NewJob { max_wait_ms: Some(100), ..bed.job("a", 0) };
    let (b, c) = (bed.lone("b"), bed.job("c", 0));
    bed.put_in(vec![hurried, b, c]).await;
    bed.now = bed.now.plus_ms(10);
    bed.claim(&[(1, 1), (2, 1)]).await;
    is_as_before(&bed, "claimed").await;
}

async fn completed(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0), ("b", 0)]).await;
    let claimed = bed.claim(&[(1, 2)]).await;
    bed.now = bed.now.plus_ms(10);
    let report = Report::Value(number(4.0));
    let log = Some("half\ndone".into());
    let complete = vec![Submission { log, ..submission(claimed[0].key, report) }];
    bed.apply(Batch { complete, ..Batch::default() }).await;
    is_as_before(&bed, "completed").await;
}

async fn failed(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = NewJob { max_attempts: 2, ..bed.job("a", 0) };
    bed.put_in(vec![job]).await;
    for (worker, message) in [(1, "once"), (2, "twice")] {
        let key = bed.claim_one(worker).await.unwrap().key;
        bed.now = bed.now.plus_ms(10);
        bed.report(key, boom(message)).await;
    }
    is_as_before(&bed, "failed").await;
}

async fn tried_again_after_a_pause(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let patient = NewJob { retry_ms: 1_000, max_wait_ms: Some(100), ..bed.job("patient", 0) };
    let hasty = NewJob { max_wait_ms: Some(100), ..bed.job("hasty", 0) };
    bed.put_in(vec![patient, hasty]).await;
    for claimed in bed.claim(&[(1, 2)]).await {
        bed.now = bed.now.plus_ms(10);
        bed.report(claimed.key, boom("x")).await;
    }
    is_as_before(&bed, "tried_again_after_a_pause").await;
}

async fn a_copy_of_three_that_failed_waits(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = NewJob { copies: 3, retry_ms: 1_000, ..bed.job("a", 0) };
    bed.put_in(vec![job]).await;
    let claimed = bed.claim(&[(1, 1), (2, 1)]).await;
    bed.now = bed.now.plus_ms(10);
    bed.report(claimed[0].key, boom("x")).await;
    is_as_before(&bed, "a_copy_of_three_that_failed_waits").await;
}

async fn a_value_beside_other_copies(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = NewJob { copies: 3, ..bed.job("a", 0) };
    bed.put_in(vec![job]).await;
    let claimed = bed.claim(&[(1, 1), (2, 1)]).await;
    bed.now = bed.now.plus_ms(10);
    bed.report(claimed[1].key, Report::Value(number(1.0))).await;
    is_as_before(&bed, "a_value_beside_other_copies").await;
}

async fn renewed(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0), ("b", 0), ("c", 0)]).await;
    let claimed = bed.claim(&[(1, 3)]).await;
    bed.now = bed.now.plus_ms(10);
    let renew = vec![claimed[0].key.into(), Renew { key: claimed[1].key, progress: Some(0.5) }];
    bed.apply(Batch { renew, ..Batch::default() }).await;
    is_as_before(&bed, "renewed").await;
}

async fn released(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let hurried = NewJob { max_wait_ms: Some(100), ..bed.job("a", 0) };
    let b = bed.lone("b");
    bed.put_in(vec![hurried, b]).await;
    let claimed = bed.claim(&[(1, 1), (2, 1)]).await;
    bed.now = bed.now.plus_ms(10);
    bed.release(Release { key: claimed[0].key, end: AttemptEnd::Yielded }).await;
    bed.release(Release { key: claimed[1].key, end: AttemptEnd::Lost }).await;
    is_as_before(&bed, "released").await;
}

async fn released_so_often_that_the_oldest_attempts_are_forgotten(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0)]).await;
    for _ in 0..12 {
        let key = bed.claim_one(1).await.unwrap().key;
        bed.release(Release { key, end: AttemptEnd::Yielded }).await;
    }
    is_as_before(&bed, "released_often").await;
}

async fn expired(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let last = NewJob { max_attempts: 1, ..bed.job("last", 0) };
    let again = NewJob { retry_ms: 1_000, ..bed.job("again", 0) };
    bed.put_in(vec![last, again]).await;
    bed.claim(&[(1, 2)]).await;
    bed.look_at(LEASE_MS).await;
    is_as_before(&bed, "expired").await;
}

async fn a_late_value(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("waits", 0), ("taken", 0)]).await;
    let late = bed.claim(&[(1, 2)]).await;
    bed.look_at(LEASE_MS).await;
    bed.report(late[0].key, Report::Value(number(1.0))).await;
    bed.claim_one(2).await.unwrap();
    bed.report(late[1].key, Report::Value(number(2.0))).await;
    is_as_before(&bed, "a_late_value").await;
}

async fn due(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let woken = NewJob { delay_ms: 100, max_wait_ms: Some(500), ..bed.job("woken", 0) };
    let overdue = NewJob { max_wait_ms: Some(100), ..bed.job("overdue", 0) };
    let neither = NewJob { delay_ms: 101, ..bed.job("neither", 0) };
    bed.put_in(vec![woken, overdue, neither]).await;
    bed.look_at(100).await;
    is_as_before(&bed, "due").await;
}

async fn paused(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("leased", 0)]).await;
    bed.claim_one(1).await.unwrap();
    let ready = NewJob { max_wait_ms: Some(100), ..bed.job("ready", 0) };
    let delayed = NewJob { delay_ms: 100, ..bed.job("delayed", 0) };
    bed.put_in(vec![ready, delayed]).await;
    bed.now = bed.now.plus_ms(10);
    for scope in [Scope::Run(bed.run), Scope::Queue] {
        bed.pause(scope, true).await;
    }
    is_as_before(&bed, "paused").await;
}

/// What comes to a paused run, or back to it, waits for its end.
async fn held(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("given back", 0), ("failed", 0), ("reported", 0)]).await;
    let delayed = NewJob { delay_ms: 5, ..bed.job("woken", 0) };
    bed.put_in(vec![delayed]).await;
    let claimed = bed.claim(&[(1, 3)]).await;
    bed.pause(Scope::Run(bed.run), true).await;
    bed.release(Release { key: claimed[0].key, end: AttemptEnd::Yielded }).await;
    bed.report(claimed[1].key, boom("x")).await;
    bed.report(claimed[2].key, Report::Value(number(1.0))).await;
    bed.enqueue(&[("put in", 0)]).await;
    bed.look_at(10).await;
    is_as_before(&bed, "held").await;
}

async fn resumed(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let hurried = NewJob { max_wait_ms: Some(100), ..bed.job("hurried", 0) };
    let patient = bed.job("patient", 0);
    bed.put_in(vec![hurried, patient]).await;
    for paused in [true, false] {
        for scope in [Scope::Run(bed.run), Scope::Queue] {
            bed.pause(scope, paused).await;
        }
        bed.now = bed.now.plus_ms(10);
    }
    is_as_before(&bed, "resumed").await;
}

async fn cancelled(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let [held, waiting] = ["held", "waiting"].map(|key| bed.lone(key));
    let cancel = vec![Cancel::Run(bed.run), Cancel::Job(held.id), Cancel::Job(waiting.id)];
    bed.put_in(vec![held]).await;
    bed.enqueue(&[("done", 0), ("leased", 0)]).await;
    let claimed = bed.claim(&[(1, 3)]).await;
    bed.report(claimed[1].key, Report::Value(number(1.0))).await;
    let delayed = NewJob { delay_ms: 100, ..bed.job("delayed", 0) };
    bed.put_in(vec![delayed, waiting]).await;
    bed.now = bed.now.plus_ms(10);
    bed.apply(Batch { cancel, ..Batch::default() }).await;
    is_as_before(&bed, "cancelled").await;
}

async fn the_end_of_a_run(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0)]).await;
    let key = bed.claim_one(1).await.unwrap().key;
    bed.report(key, Report::Value(number(1.0))).await;
    let finished = std::mem::replace(&mut bed.run, RunId::from_number(1).unwrap());
    bed.run = bed.add_run().await;
    bed.now = bed.now.plus_ms(10);
    bed.end_run(finished, &ended(&bed, RunState::Finished, Some(number(1.0)))).await;
    bed.end_run(bed.run, &ended(&bed, RunState::Failed, None)).await;
    is_as_before(&bed, "the_end_of_a_run").await;
}

/// What the start of a server finds: leases of nobody, and jobs of a run that ended without them.
async fn tidied_up(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("leased", 0), ("left", 0)]).await;
    let left = bed.run;
    bed.run = bed.add_run().await;
    bed.enqueue(&[("open", 0)]).await;
    let alone = bed.lone("alone");
    bed.put_in(vec![alone]).await;
    bed.claim(&[(1, 1), (2, 1)]).await;
    bed.claim_with(vec![ask(3, 2, Needs::JAVASCRIPT)]).await;
    bed.now = bed.now.plus_ms(10);
    bed.end_run(left, &ended(&bed, RunState::Cancelled, None)).await;
    bed.tidy_up().await;
    is_as_before(&bed, "tidied_up").await;
}

async fn a_device_is_credited(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0), ("b", 0)]).await;
    for claimed in bed.claim(&[(1, 2)]).await {
        bed.now = bed.now.plus_ms(10);
        let reporter = Reporter { device: Some(ContentHash::of(b"device")), ..reporter() };
        let complete = vec![Submission { reporter, ..submission(claimed.key, Report::Value(number(1.0))) }];
        bed.apply(Batch { complete, ..Batch::default() }).await;
    }
    is_as_before(&bed, "a_device_is_credited").await;
}

async fn reused(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0)]).await;
    let key = bed.claim_one(1).await.unwrap().key;
    bed.report(key, Report::Value(number(5.0))).await;
    bed.run = bed.add_run().await;
    bed.now = bed.now.plus_ms(10);
    let equal = NewJob { reuse: true, max_wait_ms: Some(100), ..bed.job("a", 0) };
    bed.put_in(vec![equal]).await;
    is_as_before(&bed, "reused").await;
}

async fn large_values(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = NewJob { input: large(1).into(), returns: None, ..bed.job("a", 0) };
    bed.put_in(vec![job.clone()]).await;
    let key = bed.claim_one(1).await.unwrap().key;
    bed.report(key, Report::Value(large(2))).await;
    bed.run = bed.add_run().await;
    let waits = NewJob { input: large(3).into(), ..bed.job("waits", 0) };
    bed.put_in(vec![waits]).await;
    is_as_before(&bed, "large_values").await;
}

/// One job is answered and copied, one is agreed on, and one that stood alone has ended without an agreement.
async fn judged(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    let trust = "quorum(2)".parse().unwrap();
    let jobs = ["agreed", "answered"].map(|path| NewJob { trust, ..bed.job(path, 0) });
    let alone = NewJob { trust, ..bed.lone("alone") };
    let cancel = vec![Cancel::Job(alone.id)];
    bed.put_in(jobs.into_iter().chain([alone]).collect()).await;
    for (worker, copies) in [(1, 3), (2, 1)] {
        bed.now = bed.now.plus_ms(10);
        for claimed in bed.claim(&[(worker, copies)]).await {
            bed.report(claimed.key, Report::Value(number(1.0))).await;
        }
    }
    bed.apply(Batch { cancel, ..Batch::default() }).await;
    is_as_before(&bed, "judged").await;
}

async fn computed_again(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let again = NewJob { returns: None, ..bed.job("again", 0) };
    let last = NewJob { max_attempts: 1, ..bed.job("last", 0) };
    bed.put_in(vec![again, last]).await;
    for (claimed, value) in bed.claim(&[(1, 2)]).await.into_iter().zip([large(1), number(2.0)]) {
        bed.report(claimed.key, Report::Value(value)).await;
    }
    bed.now = bed.now.plus_ms(10);
    let reopen = ["again", "last"].map(|path| Reopen {
        run: bed.run,
        path: path.into(),
        message: "too many bytes".into(),
        anew: false,
    });
    bed.apply(Batch { reopen: reopen.into(), ..Batch::default() }).await;
    is_as_before(&bed, "computed_again").await;
}

async fn forgotten(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0)]).await;
    let key = bed.claim_one(1).await.unwrap().key;
    bed.report(key, Report::Value(number(1.0))).await;
    bed.end_run(bed.run, &ended(&bed, RunState::Finished, None)).await;
    let alone = bed.lone("alone");
    bed.put_in(vec![alone]).await;
    let key = bed.claim_one(1).await.unwrap().key;
    bed.report(key, Report::Value(number(1.0))).await;
    bed.run = bed.add_run().await;
    bed.enqueue(&[("stays", 0)]).await;
    bed.claim_one(1).await.unwrap();
    for _ in 0..2 {
        bed.forget(Timestamp(9_999), 10).await;
    }
    is_as_before(&bed, "forgotten").await;
}

on_each_database! {
    a_run_with_inputs,
    enqueued,
    claimed,
    completed,
    failed,
    tried_again_after_a_pause,
    a_copy_of_three_that_failed_waits,
    a_value_beside_other_copies,
    renewed,
    released,
    released_so_often_that_the_oldest_attempts_are_forgotten,
    expired,
    a_late_value,
    due,
    paused,
    held,
    resumed,
    cancelled,
    the_end_of_a_run,
    tidied_up,
    a_device_is_credited,
    reused,
    large_values,
    judged,
    computed_again,
    forgotten,
}
