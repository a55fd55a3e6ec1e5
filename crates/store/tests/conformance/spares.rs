//! Spares: of which jobs there is one, whom it goes to, and that the first report counts.

use weevil_model::witness::{Rank, Witness};
use weevil_model::{AnswerRole, JobId, Needs, NodeState};
use weevil_queue::batch::{Change, Verdict};
use weevil_queue::decide::claim::MAX_CLAIM_BYTES;
use weevil_queue::{Batch, Cancel, Claim, Claimed, Ended, NewJob, Outcomes, Spares};
use weevil_records::Scope;

use crate::bed::{Bed, ask, number};
use crate::databases::{Kind, on_each_database};
use crate::judged::{device, value};

impl Bed {
    /// Workers ask for jobs, and others, or the same ones, for spares of these.
    async fn claim_spares(
        &mut self,
        asks: &[(i64, u32)],
        jobs: &[JobId],
        spares: &[(i64, u32)],
    ) -> Vec<Claimed> {
        let has = |number: i64| {
            let party = self.company.parties.of(crate::bed::worker(number));
            party.map_or(Needs::JAVASCRIPT, |party| Needs::JAVASCRIPT.run_by(party.witness.engine))
        };
        let appetites =
            |asks: &[(i64, u32)]| asks.iter().map(|(by, wants)| ask(*by, *wants, has(*by))).collect();
        let (asks, spares) = (appetites(asks), Spares { jobs: jobs.to_vec(), asks: appetites(spares) });
        let tokens = (self.token..self.token + 50).collect();
        self.token += 50;
        let claim = Claim { asks, tokens, bytes: MAX_CLAIM_BYTES, spares, server: None };
        self.apply(Batch { claim, ..Batch::default() }).await.claimed
    }

    /// Who gets a spare of this job.
    async fn spare(&mut self, job: JobId, asks: &[(i64, u32)]) -> Option<Claimed> {
        self.claim_spares(&[], &[job], asks).await.pop()
    }

    /// Worker 1, of place 1, has this job; workers 2 to 5 are elsewhere, each at a place of its own.
    async fn slow(&mut self, job: NewJob) -> Claimed {
        self.meet(&[(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]);
        self.apply(Batch { enqueue: vec![job], ..Batch::default() }).await;
        self.claim_one(1).await.unwrap()
    }
}

fn ended() -> Change {
    Change::Ended(Ended::Value(number(1.0)))
}

fn by(claimed: Option<Claimed>) -> Option<i64> {
    claimed.map(|claimed| claimed.worker.number())
}

async fn the_first_report_counts_and_the_other_copy_is_revoked(kind: Kind) {
    for won in [true, false] {
        let mut bed = Bed::new(kind).await;
        let job = bed.job("a", 0);
        let first = bed.slow(job).await;
        let spare = bed.spare(first.job(), &[(2, 1)]).await.unwrap();
        assert_eq!(spare.input, first.input);
        let (mine, other) = if won { (spare, first) } else { (first, spare) };
        let submission = crate::bed::submission(mine.key, value(1.0));
        let outcomes: Outcomes = bed.apply(Batch { complete: vec![submission], ..Batch::default() }).await;
        assert_eq!(outcomes.completed[0].job.as_ref().map(|job| &job.change), Some(&ended()));
        assert_eq!(outcomes.revoked, [(other.worker, other.key)]);
        assert_eq!(bed.report(other.key, value(2.0)).await, (Verdict::Superseded, None));
        assert_eq!(bed.store.value(mine.job()).await.unwrap(), Some(number(1.0)));
    }
}

async fn a_spare_goes_elsewhere(kind: Kind) {
    for (asks, taker) in [
        (&[(1, 1)][..], None),
        (&[(10, 1)], None),
        (&[(90, 1)], None),
        (&[(2, 1)], Some(2)),
        (&[(1, 1), (10, 1), (90, 1), (2, 1)], Some(2)),
    ] {
        let mut bed = Bed::new(kind).await;
        let job = bed.job("a", 0);
        let first = bed.slow(job).await;
        bed.meet(&[(10, 1)]);
        assert_eq!(by(bed.spare(first.job(), asks).await), taker, "{asks:?}");
    }
}

/// What has become of a job by the time a spare of it is asked for.
#[derive(Debug, Clone, Copy)]
enum Stands {
    Out,
    Twice,
    Back,
    Ended,
    Paused,
    Cancelled,
}

async fn there_is_one_spare_of_what_is_out(kind: Kind) {
    for (stands, goes) in [
        (Stands::Out, true),
        (Stands::Twice, false),
        (Stands::Back, false),
        (Stands::Ended, false),
        (Stands::Paused, false),
        (Stands::Cancelled, false),
    ] {
        let mut bed = Bed::new(kind).await;
        let job = bed.job("a", 0);
        let first = bed.slow(job).await;
        match stands {
            Stands::Out => {}
            Stands::Twice => drop(bed.spare(first.job(), &[(2, 1)]).await.unwrap()),
            Stands::Back => drop(bed.report(first.key, crate::bed::boom("x")).await),
            Stands::Ended => drop(bed.report(first.key, value(1.0)).await),
            Stands::Paused => assert!(bed.pause(Scope::Run(bed.run), true).await),
            Stands::Cancelled => {
                let cancel = vec![Cancel::Run(bed.run)];
                bed.apply(Batch { cancel, ..Batch::default() }).await;
            }
        }
        assert_eq!(bed.spare(first.job(), &[(3, 1)]).await.is_some(), goes, "{stands:?}");
    }
}

async fn who_got_something_else_gets_no_spare(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let jobs = [bed.job("slow", 0), bed.job("slower", 0)];
    let slower = bed.slow(jobs[1].clone()).await;
    let slow = bed.slow(jobs[0].clone()).await;
    bed.enqueue(&[("ready", -9)]).await;
    let named = [slower.job(), slow.job()];
    let claimed = bed.claim_spares(&[(2, 9), (3, 9)], &named, &[(2, 9), (3, 9), (4, 1)]).await;
    let got: Vec<_> = claimed.iter().map(|job| (job.path.as_str(), job.worker.number())).collect();
    assert_eq!(got, [("ready", 2), ("slower", 3), ("slow", 4)], "what is out longest goes first");
    assert_eq!(bed.claim_spares(&[], &named, &[(5, 9)]).await, [], "each has one");
}

async fn a_judged_job_has_its_spare_computed_by_an_independent_witness(kind: Kind) {
    let one = device(1);
    for (other, taken) in [
        (device(2), true),
        (Witness { network: Some(2), ..one }, false),
        (Witness { device: Some(2), ..one }, false),
        (Witness { network: None, ..device(2) }, true),
        (Witness { device: None, ..one }, false),
    ] {
        let mut bed = Bed::new(kind).await;
        bed.know(&[(1, one), (2, other)]);
        let trust = "quorum(2)".parse().unwrap();
        let job = NewJob { trust, ..bed.job("a", 0) };
        let first = bed.slow(job).await;
        assert_eq!(bed.spare(first.job(), &[(2, 1)]).await.is_some(), taken, "{other:?}");
    }
}

async fn the_answer_of_a_judged_job_that_comes_first_is_the_only_one(kind: Kind) {
    for won in [true, false] {
        let mut bed = Bed::new(kind).await;
        bed.know_twenty();
        let trust = "quorum(2)".parse().unwrap();
        let job = NewJob { trust, ..bed.job("a", 0) };
        let first = bed.slow(job).await;
        let spare = bed.spare(first.job(), &[(2, 1)]).await.unwrap();
        let (mine, other) = if won { (spare, first) } else { (first, spare) };
        let complete = vec![crate::bed::submission(mine.key, value(1.0))];
        let outcomes = bed.apply(Batch { complete, ..Batch::default() }).await;
        let change = outcomes.completed[0].job.as_ref().map(|job| &job.change);
        assert_eq!((outcomes.completed[0].verdict, change), (Verdict::Accepted, Some(&Change::Answered)));
        let role = if won { AnswerRole::Spare } else { AnswerRole::First };
        assert_eq!(outcomes.counts.given, [((role, Rank::Newcomer), 1)].into(), "{won}");
        assert_eq!(bed.report(other.key, value(1.0)).await, (Verdict::Superseded, None));
        let (job, _) = bed.store.attempts(mine.job()).await.unwrap().unwrap();
        assert_eq!(job.state, NodeState::Answered, "it is no second answer");
        let check = bed.claim_one(3).await.unwrap();
        assert_eq!(bed.spare(check.job(), &[(4, 1)]).await, None, "a check has no spare");
        assert_eq!(bed.report(check.key, value(1.0)).await.1, Some(ended()));
    }
}

/// The first copy comes back while a spare is out: who takes it next is independent of who has that.
async fn a_judged_job_goes_to_nobody_who_could_be_the_holder_of_its_spare(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.know_twenty();
    let trust = "quorum(2)".parse().unwrap();
    let job = NewJob { trust, max_attempts: 9, ..bed.job("a", 0) };
    let first = bed.slow(job).await;
    bed.spare(first.job(), &[(2, 1)]).await.unwrap();
    assert_eq!(bed.report(first.key, crate::judged::error("crashed")).await.1, Some(Change::CopyReturned));
    bed.know(&[(21, Witness { network: Some(21), ..device(2) })]);
    assert_eq!(bed.claim_one(21).await, None, "it is the same device");
    assert_eq!(by(bed.claim_one(5).await), Some(5));
}

on_each_database!(
    the_first_report_counts_and_the_other_copy_is_revoked,
    a_spare_goes_elsewhere,
    there_is_one_spare_of_what_is_out,
    who_got_something_else_gets_no_spare,
    a_judged_job_has_its_spare_computed_by_an_independent_witness,
    the_answer_of_a_judged_job_that_comes_first_is_the_only_one,
    a_judged_job_goes_to_nobody_who_could_be_the_holder_of_its_spare,
);
