//! Jobs of which several copies are out: each way in which one of them ends, and what that leaves of the others.

use weevil_model::{NodeState, Timestamp};
use weevil_queue::batch::{Change, Verdict};
use weevil_queue::{
    AttemptEnd, AttemptKey, Batch, Cancel, Claimed, Depth, Ended, NewJob, Origin, Outcomes, Release, Report,
};
use weevil_records::Scope;

use crate::bed::{Bed, LEASE_MS, boom, number, paths, submission, worker};
use crate::databases::{Kind, on_each_database};

const VALUE: fn() -> Report = || Report::Value(number(1.0));

impl Bed {
    async fn put_copies(&mut self, job: NewJob) {
        self.apply(Batch { enqueue: vec![job], ..Batch::default() }).await;
    }

    /// A job of which two copies are wanted and both are out: at worker 1 and at worker 2.
    async fn two_out(&mut self, job: NewJob) -> [AttemptKey; 2] {
        self.put_copies(NewJob { copies: 2, ..job }).await;
        let claimed = self.claim(&[(1, 1), (2, 1)]).await;
        assert_eq!(workers(&claimed), [1, 2]);
        [claimed[0].key, claimed[1].key]
    }

    async fn tell(&self, reports: &[(AttemptKey, Report)]) -> Outcomes {
        let complete = reports.iter().map(|(key, report)| submission(*key, report.clone())).collect();
        self.apply(Batch { complete, ..Batch::default() }).await
    }

    async fn look(&mut self, ms: i64) -> Outcomes {
        self.now = self.now.plus_ms(ms);
        self.apply(Batch { look: true, ..Batch::default() }).await
    }

    /// How each attempt of a job has ended, and how the job stands.
    async fn ends(&self, key: AttemptKey) -> (NodeState, Vec<Option<AttemptEnd>>) {
        let (job, attempts) = self.store.attempts(key.job).await.unwrap().unwrap();
        (job.state, attempts.iter().map(|attempt| attempt.end).collect())
    }
}

fn workers(claimed: &[Claimed]) -> Vec<i64> {
    claimed.iter().map(|claimed| claimed.worker.number()).collect()
}

/// Verdicts, and what became of the job.
fn heard(outcomes: &Outcomes) -> Vec<(Verdict, Option<&Change>)> {
    outcomes.completed.iter().map(|each| (each.verdict, each.job.as_ref().map(|job| &job.change))).collect()
}

fn ended() -> Change {
    Change::Ended(Ended::Value(number(1.0)))
}

async fn the_first_value_ends_a_job_and_the_other_copy_is_revoked(kind: Kind) {
    for first in [0, 1] {
        let mut bed = Bed::new(kind).await;
        let job = bed.job("a", 0);
        let keys = bed.two_out(job).await;
        let (mine, other) = (keys[first], keys[1 - first]);
        let outcomes = bed.tell(&[(mine, VALUE())]).await;
        assert_eq!(heard(&outcomes), [(Verdict::Accepted, Some(&ended()))]);
        let holder = [worker(2), worker(1)][first];
        assert_eq!(outcomes.revoked, [(holder, other)]);
        let mut ends = [Some(AttemptEnd::Completed), Some(AttemptEnd::Cancelled)];
        ends.rotate_right(first);
        assert_eq!(bed.ends(mine).await, (NodeState::Finished, ends.into()));
        assert_eq!(heard(&bed.tell(&[(other, VALUE())]).await), [(Verdict::Superseded, None)]);
        assert_eq!(bed.look(LEASE_MS).await, Outcomes::default(), "nothing is left to expire");
        assert_eq!(bed.store.depth().await.unwrap(), Depth::default());
    }
}

async fn two_values_in_one_batch_end_a_job_once(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = bed.job("a", 0);
    let [one, two] = bed.two_out(job).await;
    let outcomes = bed.tell(&[(two, VALUE()), (one, Report::Value(number(2.0)))]).await;
    assert_eq!(heard(&outcomes), [(Verdict::Accepted, Some(&ended())), (Verdict::Superseded, None)]);
    assert_eq!(outcomes.revoked, [(worker(1), one)]);
    assert_eq!(bed.store.value(one.job).await.unwrap(), Some(number(1.0)));
}

async fn an_error_that_is_tried_again_lets_the_other_copy_run(kind: Kind) {
    for retry_ms in [0, 60_000] {
        let mut bed = Bed::new(kind).await;
        let job = NewJob { retry_ms, ..bed.job("a", 0) };
        let [one, two] = bed.two_out(job).await;
        let outcomes = bed.tell(&[(one, boom("x"))]).await;
        assert_eq!(heard(&outcomes), [(Verdict::Accepted, Some(&Change::CopyReturned))]);
        assert_eq!(outcomes.revoked, []);
        assert_eq!(bed.ends(one).await, (NodeState::Running, vec![Some(AttemptEnd::Error), None]));
        let again = bed.claim(&[(3, 1)]).await;
        assert_eq!(again.len(), usize::from(retry_ms == 0), "its copy waits for {retry_ms} ms");
        let outcomes = bed.tell(&[(two, VALUE())]).await;
        assert_eq!(heard(&outcomes), [(Verdict::Accepted, Some(&ended()))]);
        let revoked: Vec<_> = again.iter().map(|claimed| (worker(3), claimed.key)).collect();
        assert_eq!(outcomes.revoked, revoked);
        assert_eq!(bed.look(100_000).await, Outcomes::default(), "it waits for nothing any more");
        assert_eq!(bed.claim(&[(4, 1)]).await, []);
    }
}

async fn an_error_that_fails_the_job_ends_all_copies(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = NewJob { max_attempts: 1, ..bed.job("a", 0) };
    let [one, two] = bed.two_out(job).await;
    let outcomes = bed.tell(&[(one, boom("x"))]).await;
    let [(Verdict::Accepted, Some(Change::Ended(Ended::Failed(history))))] = &heard(&outcomes)[..] else {
        panic!("{outcomes:?}")
    };
    assert_eq!((history.len(), &outcomes.revoked[..]), (1, &[(worker(2), two)][..]));
    let ends = vec![Some(AttemptEnd::Error), Some(AttemptEnd::Cancelled)];
    assert_eq!(bed.ends(one).await, (NodeState::Failed, ends));
    assert_eq!(heard(&bed.tell(&[(two, VALUE())]).await), [(Verdict::Superseded, None)]);
}

async fn errors_of_both_copies_in_one_batch_are_both_counted(kind: Kind) {
    for (max_attempts, last, state) in [(3, false, NodeState::Enqueued), (2, true, NodeState::Failed)] {
        let mut bed = Bed::new(kind).await;
        let job = NewJob { max_attempts, ..bed.job("a", 0) };
        let [one, two] = bed.two_out(job).await;
        let outcomes = bed.tell(&[(one, boom("x")), (two, boom("y"))]).await;
        let heard = heard(&outcomes);
        assert_eq!(heard[0], (Verdict::Accepted, Some(&Change::CopyReturned)));
        match heard[1] {
            (Verdict::Accepted, Some(Change::Ended(Ended::Failed(history)))) if last => {
                assert_eq!(history.len(), 2);
            }
            (Verdict::Accepted, Some(Change::Requeued)) if !last => {}
            _ => panic!("{heard:?}"),
        }
        let (job, _) = bed.store.attempts(one.job).await.unwrap().unwrap();
        assert_eq!((job.failures, job.state), (2, state));
        assert_eq!(workers(&bed.claim(&[(3, 1), (4, 1)]).await).len(), if last { 0 } else { 2 });
    }
}

async fn a_copy_that_expires_is_wanted_again_and_the_other_goes_on(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = bed.job("a", 0);
    let [one, two] = bed.two_out(job).await;
    bed.now = bed.now.plus_ms(LEASE_MS / 2);
    bed.apply(Batch { renew: vec![two.into()], ..Batch::default() }).await;
    let returned = bed.look(LEASE_MS / 2).await.returned;
    assert_eq!(returned.len(), 1);
    assert_eq!((returned[0].key, &returned[0].job.change), (one, &Change::CopyReturned));
    assert_eq!(bed.ends(one).await, (NodeState::Running, vec![Some(AttemptEnd::Expired), None]));
    let late = bed.tell(&[(one, VALUE())]).await;
    assert_eq!(heard(&late), [(Verdict::Superseded, None)], "late, beside one that is open");
    let doubted = vec![(worker(1), one), (worker(2), two)];
    let disowned = bed.apply(Batch { doubted, ..Batch::default() }).await.disowned;
    assert_eq!(disowned, [(worker(1), one)]);
    assert_eq!(heard(&bed.tell(&[(two, VALUE())]).await), [(Verdict::Accepted, Some(&ended()))]);
}

async fn copies_that_all_expire_leave_the_job_to_a_late_value(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = bed.job("a", 0);
    let [one, two] = bed.two_out(job).await;
    let returned = bed.look(LEASE_MS).await.returned;
    let changes: Vec<_> = returned.iter().map(|each| (each.key, &each.job.change)).collect();
    assert_eq!(changes, [(one, &Change::CopyReturned), (two, &Change::Requeued)]);
    let (job, _) = bed.store.attempts(one.job).await.unwrap().unwrap();
    assert_eq!((job.failures, job.state), (2, NodeState::Enqueued));
    assert_eq!(heard(&bed.tell(&[(two, VALUE())]).await), [(Verdict::Accepted, Some(&ended()))]);
    assert_eq!(bed.claim(&[(3, 2)]).await, []);
}

async fn the_last_expiry_that_counts_ends_all_copies(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = NewJob { max_attempts: 1, ..bed.job("a", 0) };
    let [one, two] = bed.two_out(job).await;
    bed.now = bed.now.plus_ms(LEASE_MS / 2);
    bed.apply(Batch { renew: vec![two.into()], ..Batch::default() }).await;
    let outcomes = bed.look(LEASE_MS / 2).await;
    assert!(matches!(outcomes.returned[0].job.change, Change::Ended(Ended::Failed(_))), "{outcomes:?}");
    assert_eq!(outcomes.revoked, [(worker(2), two)]);
    let ends = vec![Some(AttemptEnd::Expired), Some(AttemptEnd::Cancelled)];
    assert_eq!(bed.ends(one).await, (NodeState::Failed, ends));
}

async fn a_copy_that_comes_back_goes_to_another_worker(kind: Kind) {
    for end in [AttemptEnd::Yielded, AttemptEnd::Lost] {
        let mut bed = Bed::new(kind).await;
        let job = bed.job("a", 0);
        let [one, two] = bed.two_out(job).await;
        let returned = bed.release(Release { key: one, end }).await.returned;
        assert_eq!((returned.len(), &returned[0].job.change), (1, &Change::CopyReturned), "{end:?}");
        assert_eq!(bed.ends(one).await, (NodeState::Running, vec![Some(end), None]));
        assert_eq!(bed.claim(&[(2, 1)]).await, [], "it has one");
        assert_eq!(workers(&bed.claim(&[(2, 1), (3, 1)]).await), [3]);
        assert_eq!(bed.store.depth().await.unwrap(), Depth { leased: 2, ..Depth::default() });
        assert_eq!(bed.release(Release { key: one, end }).await.returned, [], "once");
        assert_eq!(heard(&bed.tell(&[(two, VALUE())]).await), [(Verdict::Accepted, Some(&ended()))]);
    }
}

async fn a_longest_wait_takes_back_what_is_wanted_and_leaves_what_is_out(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = NewJob { copies: 3, max_wait_ms: Some(100), ..bed.job("a", 0) };
    bed.put_copies(job).await;
    let key = bed.claim_one(1).await.unwrap().key;
    assert_eq!(bed.look(100).await, Outcomes::default());
    assert_eq!(bed.claim(&[(2, 1)]).await, [], "no more are wanted");
    assert_eq!(bed.ends(key).await, (NodeState::Running, vec![None]));
    bed.release(Release { key, end: AttemptEnd::Yielded }).await;
    assert_eq!(bed.store.depth().await.unwrap(), Depth { ready: 1, ..Depth::default() });
    let overdue = bed.look(100).await.overdue;
    assert_eq!((overdue.len(), &overdue[0].change), (1, &Change::Ended(Ended::Overdue)));
}

async fn a_pause_holds_what_is_wanted_and_leaves_what_is_out(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = NewJob { copies: 3, ..bed.job("a", 0) };
    bed.put_copies(job).await;
    let claimed = bed.claim(&[(1, 1), (2, 1)]).await;
    bed.pause(Scope::Run(bed.run), true).await;
    assert_eq!(bed.claim(&[(3, 1)]).await, []);
    assert_eq!(bed.ends(claimed[0].key).await, (NodeState::Running, vec![None, None]));
    bed.release(Release { key: claimed[0].key, end: AttemptEnd::Yielded }).await;
    assert_eq!(bed.claim(&[(3, 1)]).await, []);
    assert_eq!(bed.store.depth().await.unwrap(), Depth { held: 1, leased: 1, ..Depth::default() });
    bed.pause(Scope::Run(bed.run), false).await;
    assert_eq!(workers(&bed.claim(&[(2, 1), (3, 1), (4, 1), (5, 1)]).await), [3, 4]);
    bed.pause(Scope::Run(bed.run), true).await;
    let outcomes = bed.tell(&[(claimed[1].key, VALUE())]).await;
    assert_eq!((heard(&outcomes)[0], outcomes.revoked.len()), ((Verdict::Accepted, Some(&ended())), 2));
}

async fn cancelling_revokes_every_copy(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = bed.job("a", 0);
    let [one, two] = bed.two_out(job).await;
    let alone = NewJob { origin: Origin::Queue("q".into()), ..bed.job("alone", 0) };
    let [three, four] = bed.two_out(alone).await;
    let both = |keys: [AttemptKey; 2]| [(worker(1), keys[0]), (worker(2), keys[1])];
    for (cancel, keys, news) in
        [(Cancel::Run(bed.run), [one, two], 0), (Cancel::Job(three.job), [three, four], 1)]
    {
        let outcomes = bed.apply(Batch { cancel: vec![cancel], ..Batch::default() }).await;
        assert_eq!((&outcomes.revoked[..], outcomes.cancelled.len()), (&both(keys)[..], news), "{cancel:?}");
        let ends = vec![Some(AttemptEnd::Cancelled); 2];
        assert_eq!(bed.ends(keys[0]).await, (NodeState::Cancelled, ends));
    }
}

async fn three_copies_for_two_workers_leave_one_wanted(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = NewJob { copies: 3, ..bed.job("a", 0) };
    bed.put_copies(job).await;
    let claimed = bed.claim(&[(1, 5), (2, 5)]).await;
    assert_eq!(workers(&claimed), [1, 2]);
    let tokens: Vec<i64> = claimed.iter().map(|claimed| claimed.key.token).collect();
    assert_ne!(tokens[0], tokens[1]);
    assert!(claimed.iter().all(|each| each.input == number(7.0) && each.path == "a"));
    assert_eq!(bed.store.depth().await.unwrap(), Depth { ready: 1, leased: 2, ..Depth::default() });
    assert_eq!(bed.claim(&[(1, 5), (2, 5)]).await, []);
    assert_eq!(workers(&bed.claim(&[(1, 5), (3, 5)]).await), [3]);
    assert_eq!(bed.store.depth().await.unwrap(), Depth { leased: 3, ..Depth::default() });
}

/// Nor does what it has hide what lies behind.
async fn a_worker_never_has_two_copies_of_a_job(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let jobs = ["a", "b", "c"].map(|path| NewJob { copies: 2, ..bed.job(path, 0) });
    bed.apply(Batch { enqueue: jobs.into(), ..Batch::default() }).await;
    assert_eq!(paths(&bed.claim(&[(1, 1)]).await), ["a"]);
    assert_eq!(paths(&bed.claim(&[(1, 1)]).await), ["b"]);
    let rest = bed.claim(&[(1, 9)]).await;
    assert_eq!(paths(&rest), ["c"]);
    assert_eq!(bed.claim(&[(1, 9)]).await, []);
    assert_eq!(paths(&bed.claim(&[(2, 2), (1, 9)]).await), ["a", "b"]);
    bed.release(Release { key: rest[0].key, end: AttemptEnd::Yielded }).await;
    assert_eq!(paths(&bed.claim(&[(1, 9)]).await), ["c"], "it has given its own back");
}

async fn a_start_of_the_server_ends_every_copy(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let job = NewJob { max_wait_ms: Some(100), ..bed.job("a", 0) };
    let [one, two] = bed.two_out(job).await;
    assert_eq!(bed.tidy_up().await, 2);
    assert_eq!(bed.ends(one).await, (NodeState::Enqueued, vec![Some(AttemptEnd::Lost); 2]));
    assert_eq!(workers(&bed.claim(&[(1, 1), (2, 1)]).await), [1, 2]);
    bed.now = Timestamp(bed.now.0 + 10);
    let late = bed.tell(&[(two, VALUE())]).await;
    assert_eq!(heard(&late), [(Verdict::Superseded, None)], "others have it");
}

on_each_database! {
    the_first_value_ends_a_job_and_the_other_copy_is_revoked,
    two_values_in_one_batch_end_a_job_once,
    an_error_that_is_tried_again_lets_the_other_copy_run,
    an_error_that_fails_the_job_ends_all_copies,
    errors_of_both_copies_in_one_batch_are_both_counted,
    a_copy_that_expires_is_wanted_again_and_the_other_goes_on,
    copies_that_all_expire_leave_the_job_to_a_late_value,
    the_last_expiry_that_counts_ends_all_copies,
    a_copy_that_comes_back_goes_to_another_worker,
    a_longest_wait_takes_back_what_is_wanted_and_leaves_what_is_out,
    a_pause_holds_what_is_wanted_and_leaves_what_is_out,
    cancelling_revokes_every_copy,
    three_copies_for_two_workers_leave_one_wanted,
    a_worker_never_has_two_copies_of_a_job,
    a_start_of_the_server_ends_every_copy,
}
