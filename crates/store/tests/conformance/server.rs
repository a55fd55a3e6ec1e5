//! What the server computes itself: which jobs it takes before volunteers do, and what its word makes of them.

use std::sync::Arc;

use weevil_model::witness::Engine;
use weevil_model::{Capabilities, ContentHash, Needs, NodeState, WorkerId};
use weevil_queue::decide::claim::MAX_CLAIM_BYTES;
use weevil_queue::decide::server::MAX_COMPUTE_US;
use weevil_queue::{
    Batch, Claim, Claimed, ClaimedEffort, NewJob, Outcomes, Release, Report, Reporter, ServerAppetite,
    Submission,
};
use weevil_records::AnswerFate;

use crate::bed::{Bed, ask, submission};
use crate::databases::{Kind, on_each_database};
use crate::judged::value;
use crate::refused::five;

const MODULE: Needs = Needs { capabilities: Capabilities::WASM, memory_mb: 0 };

impl Bed {
    /// Five who are known, and the server.
    async fn with_server(kind: Kind) -> Self {
        let mut bed = five(kind).await;
        let now = bed.now;
        Arc::make_mut(&mut bed.company).parties.employ(WorkerId::SERVER, now);
        bed
    }

    /// The server asks for so many, and a volunteer for one.
    async fn claim_all(&mut self, wants: u32, by: i64, unsaid: &[ContentHash]) -> Vec<Claimed> {
        let asks = vec![ask(by, 1, MODULE.run_by(Engine::Gecko))];
        let tokens = (self.token..self.token + 50).collect();
        self.token += 50;
        let server = Some(ServerAppetite { wants, unsaid: unsaid.to_vec() });
        let claim = Claim { asks, tokens, bytes: MAX_CLAIM_BYTES, server, ..Claim::default() };
        self.apply(Batch { claim, ..Batch::default() }).await.claimed
    }

    /// A module is put in, and device 1 has answered it after so many milliseconds.
    async fn answered(&mut self, path: &str, policy: &str, needs: Needs, took_ms: i64) {
        let job = NewJob { needs, ..self.job(path, 0) };
        self.judge(job, policy).await;
        let first = self.claim_with(vec![ask(1, 1, needs.run_by(Engine::Gecko))]).await.pop().unwrap();
        self.now = self.now.plus_ms(took_ms);
        let claimed = ClaimedEffort { slot: 0, compute_us: took_ms.unsigned_abs() * 1000, flops: 0.0 };
        let submission = Submission { claimed, ..submission(first.key, value(1.0)) };
        self.apply(Batch { complete: vec![submission], ..Batch::default() }).await;
    }

    async fn say_by_server(&mut self, claimed: &Claimed, report: Report) -> Outcomes {
        let reporter = Reporter { worker: WorkerId::SERVER, device: None };
        let submission = Submission { reporter, ..submission(claimed.key, report) };
        self.apply(Batch { complete: vec![submission], ..Batch::default() }).await
    }
}

fn takers(claimed: &[Claimed]) -> Vec<(&str, i64)> {
    claimed.iter().map(|job| (&*job.path, job.worker.number())).collect()
}

async fn it_takes_checks_of_quick_modules_before_volunteers(kind: Kind) {
    const POLICY: &str = "credible(0.01)";
    let slow_ms = MAX_COMPUTE_US / 1000 + 1;
    for (policy, needs, took_ms, is_its) in [
        (POLICY, MODULE, 1, true),
        (POLICY, MODULE, slow_ms - 1, true),
        (POLICY, MODULE, slow_ms, false),
        (POLICY, MODULE.without(Engine::WebKit), 1, true),
        (POLICY, MODULE.only_by(Some(Engine::Gecko)), 1, false),
        ("quorum(2)", MODULE, 1, false),
    ] {
        let mut bed = Bed::with_server(kind).await;
        bed.answered("a", policy, needs, took_ms).await;
        let claimed = bed.claim_all(4, 2, &[]).await;
        let expected = if is_its { WorkerId::SERVER.number() } else { 2 };
        assert_eq!(takers(&claimed), [("a", expected)], "{policy} {needs:?} {took_ms}");
    }
}

async fn first_answers_and_what_nobody_judges_are_nothing_for_it(kind: Kind) {
    let mut bed = Bed::with_server(kind).await;
    for (path, policy) in [("plain", "none"), ("first", "credible(0.01)")] {
        let job = NewJob { needs: MODULE, ..bed.job(path, 0) };
        bed.judge(job, policy).await;
    }
    assert_eq!(takers(&bed.claim_all(4, 2, &[]).await), [("plain", 2)]);
}

async fn of_what_it_cannot_say_anything_volunteers_are_asked(kind: Kind) {
    let mut bed = Bed::with_server(kind).await;
    for path in ["a", "b", "c"] {
        bed.answered(path, "credible(0.01)", MODULE, 1).await;
    }
    let unsaid = ContentHash::of(b"a");
    let left_out = ContentHash::of(b"b");
    bed.database
        .sql(&format!("insert into left_out values (x'{left_out}', 'exact', 'server', 'gecko', 1)"))
        .await;
    let claimed = bed.claim_all(4, 2, &[unsaid]).await;
    assert_eq!(takers(&claimed), [("c", 0), ("a", 2)]);
    let given_back = Release { key: claimed[0].key, end: weevil_queue::AttemptEnd::Yielded };
    bed.release(given_back).await;
    assert_eq!(takers(&bed.claim_all(0, 3, &[]).await), [("b", 3)]);
    assert_eq!(takers(&bed.claim_all(0, 4, &[]).await), [("c", 4)]);
}

async fn its_word_is_enough(kind: Kind) {
    for (said, fate) in [(1.0, AnswerFate::Agreed), (2.0, AnswerFate::Refuted)] {
        let mut bed = Bed::with_server(kind).await;
        bed.answered("a", "credible(0.001)", MODULE, 1).await;
        let claimed = bed.claim_all(1, 2, &[]).await;
        let outcomes = bed.say_by_server(&claimed[0], value(said)).await;
        assert_eq!((outcomes.counts.by_server, outcomes.judged[0].1.trusted), (1, 1));
        let (job, attempts) = bed.store.attempts(claimed[0].job()).await.unwrap().unwrap();
        assert_eq!((job.state, attempts[0].answer.as_ref().unwrap().fate), (NodeState::Finished, Some(fate)));
    }
}

async fn what_a_newcomer_says_it_checks_as_well(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come(&[(1, 0)]);
    let now = bed.now;
    Arc::make_mut(&mut bed.company).parties.employ(WorkerId::SERVER, now);
    bed.answered("a", "credible(0.001)", MODULE, 1).await;
    assert_eq!(takers(&bed.claim_all(4, 1, &[]).await), [("a", 0)]);
}

async fn it_opens_no_fleet_and_crowds_none(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come(&[(1, crate::lots::KNOWN), (2, crate::lots::KNOWN), (3, 0)]);
    let now = bed.now;
    Arc::make_mut(&mut bed.company).parties.employ(WorkerId::SERVER, now);
    bed.answered("a", "credible(0.01)", MODULE, 1).await;
    assert_eq!(takers(&bed.claim_all(0, 3, &[]).await), [("a", 3)], "two who are known are too few");
}

on_each_database! {
    it_takes_checks_of_quick_modules_before_volunteers,
    first_answers_and_what_nobody_judges_are_nothing_for_it,
    of_what_it_cannot_say_anything_volunteers_are_asked,
    its_word_is_enough,
    what_a_newcomer_says_it_checks_as_well,
    it_opens_no_fleet_and_crowds_none,
}
