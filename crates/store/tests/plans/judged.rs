//! What the batch that has everything finds of judged jobs: some of a quorum, and pools that are judged by lots.

use std::collections::BTreeSet;
use std::sync::Arc;

use weevil_model::trust::{Policy, Votes};
use weevil_model::witness::{Engine, Record, Witness};
use weevil_model::{Agree, Capabilities, ContentHash, JobId, Needs, Timestamp};
use weevil_queue::decide::parties::INTRODUCTION_MS;
use weevil_queue::decide::server::SERVER;
use weevil_queue::{Batch, Claimed, Closing, NewJob, Opinion, Report, Shortened, Submission};
use weevil_trust::Chance;
use weevil_trust::limits::{EARLY_CHECKS, PASSES};

use crate::bed::{Bed, ask, number, submission, worker};
use crate::heard;

/// A device that somebody in charge has marked; those that are known are as many as end the opening of a fleet.
const TRUSTED: i64 = 11;
const KNOWN: [i64; 3] = [12, 13, 14];
/// Known as well, and the only one whose code Gecko runs.
const GECKO: i64 = 15;

/// What the batch brings for judged jobs.
pub(crate) struct JudgedParts {
    pub(crate) complete: Vec<Submission>,
    pub(crate) opinions: Vec<Opinion>,
    pub(crate) close: Vec<Closing>,
    /// Jobs that are there, with an answer: one as it is, and one with another input.
    pub(crate) again: [NewJob; 2],
    /// One that worker 1 has, and nobody has answered.
    pub(crate) slow: JobId,
}

/// What the server is to check.
pub(crate) const REFEREED: &str = "refereed";

/// Who would take a spare of it.
pub(crate) const IDLE: i64 = KNOWN[0];

pub(crate) fn quorum() -> Policy {
    Policy::Quorum(Votes::new(2).unwrap())
}

/// The only element of a pool.
fn element(pool: &str) -> String {
    format!("{pool}/0/f")
}

impl Bed {
    /// In the batch a check of `right` agrees, so that its lot is accepted. One of `wrong` differs: where engines have agreed so
    /// often, its device rests, what it has said for `void` counts for nothing any more, and what was believed of it is open again. A third one has Gecko left out, and in another run a
    /// job scatters that is one too many. The lot of `closed` takes no more answers, and for `opened` one begins. Of the jobs of a
    /// quorum worker 1 holds two, and has answered the third. Worker 2, of whom nothing is known, may answer both.
    pub(crate) async fn some_judged(&mut self) -> JudgedParts {
        self.come();
        let wrong = ContentHash::of(element("wrong").as_bytes());
        let agreed = format!("insert into comparisons values (x'{wrong}', 'exact', 'other', 'other', 3, 0)");
        self.database.sql(&agreed).await;
        self.believe("believed", (14, 13)).await;
        let mut complete = Vec::new();
        for (pool, by, checks, said) in [("right", 12, 13, 1.0), ("wrong", 14, TRUSTED, 2.0)] {
            self.answer_first(pool, by).await;
            self.apply(Batch { close: vec![self.closing(pool)], ..Batch::default() }).await;
            let check = self.claim_one(checks).await.unwrap();
            assert_eq!(check.path, element(pool), "the only answer of a lot is checked");
            complete.push(submission(check.key, Report::Value(number(said))));
        }
        for (pool, by) in [("void", 14), ("closed", 13), ("changed", 12)] {
            self.answer_first(pool, by).await;
        }
        complete.push(self.about_to_split().await);
        complete.push(self.about_to_scatter().await);
        let first = self.ask_first("opened", 13).await;
        complete.push(submission(first.key, Report::Value(number(1.0))));
        complete.push(self.about_to_bring_back().await);
        let (opinions, second) = self.about_to_be_compared().await;
        complete.push(second);
        let judged =
            ["answered", "asked", "slow"].map(|path| NewJob { trust: quorum(), ..self.job(path, 99) });
        self.put(judged.into()).await;
        let claimed = self.claim(&[(1, 3)]).await;
        self.report(claimed[0].key, Report::Value(number(1.0))).await;
        complete.push(submission(claimed[1].key, Report::Value(number(1.0))));
        self.bar("barred").await;
        self.about_to_be_checked_here().await;
        let short = self.element("short");
        self.put(vec![short]).await;
        let begun = format!("update runs set retrace = 2 where id = {}", self.run.number());
        self.database.sql(&begun).await;
        let changed = NewJob { input: number(8.0).into(), ..self.element("changed") };
        let again = [self.element("closed"), changed];
        JudgedParts { complete, opinions, close: vec![self.closing("closed")], again, slow: claimed[2].job() }
    }

    /// One has answered, and another one has checked it: its lot is accepted.
    async fn believe(&mut self, pool: &str, (by, checks): (i64, i64)) {
        self.answer_first(pool, by).await;
        self.apply(Batch { close: vec![self.closing(pool)], ..Batch::default() }).await;
        let check = self.claim_one(checks).await.unwrap();
        let complete = vec![submission(check.key, Report::Value(number(1.0)))];
        assert_eq!(self.apply(Batch { complete, ..Batch::default() }).await.ruled.len(), 1);
    }

    /// The report of a check that differs from what Gecko says, by which it is left out.
    async fn about_to_split(&mut self) -> Submission {
        let code = ContentHash::of(element("split").as_bytes());
        let differed = format!("insert into comparisons values (x'{code}', 'exact', 'gecko', 'other', 0, 2)");
        let agree = format!("insert into agreeing values (x'{code}', 'other', 12)");
        for statement in [differed, agree] {
            self.database.sql(&statement).await;
        }
        self.answer_first("split", GECKO).await;
        self.apply(Batch { close: vec![self.closing("split")], ..Batch::default() }).await;
        let check = self.claim_one(TRUSTED).await.unwrap();
        assert_eq!(check.path, element("split"));
        submission(check.key, Report::Value(number(2.0)))
    }

    /// The report of a second device that is near what the first one says, whose value stands.
    async fn about_to_bring_back(&mut self) -> Submission {
        let agree = "near(1e-6)".parse().unwrap();
        let job = NewJob { trust: quorum(), agree, ..self.job("near", 99) };
        self.put(vec![job]).await;
        let first = self.claim_one(KNOWN[0]).await.unwrap();
        assert_eq!(first.path, "near");
        self.apply(Batch {
            complete: vec![submission(first.key, Report::Value(number(1.0)))],
            ..Batch::default()
        })
        .await;
        let second = self.claim_one(KNOWN[1]).await.unwrap();
        assert_eq!(second.path, "near");
        submission(second.key, Report::Value(number(1.000_000_5)))
    }

    /// What a module says of a job's second answer, and the report of another job's, of which it is to say something.
    async fn about_to_be_compared(&mut self) -> (Vec<Opinion>, Submission) {
        let mut last = None;
        for path in ["compared", "asked about"] {
            let agree = Agree::Module(ContentHash::of(b"module"));
            let job = NewJob { trust: quorum(), agree, ..self.job(path, 99) };
            self.put(vec![job]).await;
            for (by, said) in [(KNOWN[0], 1.0), (KNOWN[1], 2.0)] {
                if let Some(report) = last.take() {
                    self.apply(Batch { complete: vec![report], ..Batch::default() }).await;
                }
                let claimed = self.claim_one(by).await.unwrap();
                assert_eq!(claimed.path, path);
                last = Some(submission(claimed.key, Report::Value(number(said))));
            }
        }
        let keys = self.store.questions(None, 9).await.unwrap();
        let [key] = &keys[..] else { panic!("{keys:?}") };
        let asked = self.store.question(key).await.unwrap().unwrap();
        let (about, alike) = (Some(asked.fingerprint), asked.others.into_iter().collect());
        let opinion = Opinion { job: key.job, digest: key.digest, about, proof: None, alike, failed: None };
        (vec![opinion], last.unwrap())
    }

    /// What is read for the only question that there is.
    pub(crate) async fn hear_questions(&self) -> BTreeSet<String> {
        heard();
        let keys = self.store.questions(None, 9).await.unwrap();
        let [key] = &keys[..] else { panic!("{keys:?}") };
        let question = self.store.question(key).await.unwrap().unwrap();
        self.store.answer_value(key.job, question.others[0]).await.unwrap().unwrap();
        heard()
    }

    /// The report of a third device that says something else than two before it, in a run that has two such jobs already.
    async fn about_to_scatter(&mut self) -> Submission {
        let here = self.run;
        self.run = self.add_run().await;
        let code = ContentHash::of(element("scattered").as_bytes());
        for job in 1..=2 {
            let row = format!("insert into scattered values ({}, x'{code}', {job})", self.run.number());
            self.database.sql(&row).await;
        }
        let job = self.element("scattered");
        self.put(vec![job]).await;
        for (by, said) in [(KNOWN[0], 1.0), (KNOWN[1], 2.0), (KNOWN[2], 3.0)] {
            let check = self.claim_one(by).await.unwrap();
            assert_eq!(check.path, element("scattered"));
            let report = submission(check.key, Report::Value(number(said)));
            if by == KNOWN[2] {
                self.run = here;
                return report;
            }
            self.apply(Batch { complete: vec![report], ..Batch::default() }).await;
            self.apply(Batch { close: vec![self.closing("scattered")], ..Batch::default() }).await;
        }
        unreachable!("the last one reports in the batch")
    }

    /// A job of which those get no more who ask in the batch.
    async fn bar(&mut self, pool: &str) {
        let code = ContentHash::of(element(pool).as_bytes());
        let row = format!("insert into left_out values (x'{code}', 'exact', 'webkit', 'other', 1)");
        self.database.sql(&row).await;
        let job = self.element(pool);
        self.put(vec![job]).await;
    }

    /// A module that stands by itself and has been answered, so that it is the server's to check.
    async fn about_to_be_checked_here(&mut self) {
        let needs = Needs { capabilities: Capabilities::WASM, memory_mb: 0 };
        let job = NewJob { needs, trust: "credible(0.01)".parse().unwrap(), ..self.job(REFEREED, 99) };
        self.put(vec![job]).await;
        let first = self.claim_with(vec![ask(KNOWN[0], 1, needs.run_by(Engine::Other))]).await.remove(0);
        assert_eq!(first.path, REFEREED);
        let complete = vec![submission(first.key, Report::Value(number(1.0)))];
        self.apply(Batch { complete, ..Batch::default() }).await;
    }

    /// Connects those who are known and the trusted one, and makes witnesses of them and of workers 1 and 2.
    fn come(&mut self) {
        let since = Timestamp(self.now.0 - INTRODUCTION_MS);
        let known = [TRUSTED, GECKO].into_iter().chain(KNOWN);
        self.meet(&known.clone().map(|number| (number, number.unsigned_abs())).collect::<Vec<_>>());
        let parties = &mut Arc::make_mut(&mut self.company).parties;
        for number in known.clone().chain([1, 2]) {
            let (device, network) = (Some(number), Some(number));
            let engine = if number == GECKO { Engine::Gecko } else { Engine::Other };
            let witness = Witness { device, network, engine };
            parties.join(worker(number), witness, since);
        }
        let record = |device| Record { passes: PASSES, is_trusted: device == TRUSTED, ..Record::default() };
        parties.employ(SERVER, since);
        parties.learn(&known.map(|device| (device, record(device))).collect::<Vec<_>>());
    }

    fn element(&mut self, pool: &str) -> NewJob {
        NewJob { trust: "credible(0.01)".parse().unwrap(), ..self.job(&element(pool), 99) }
    }

    /// A pool whose only element has a job.
    pub(crate) fn shortened(&self) -> Shortened {
        Shortened { run: self.run, pool: "short".into(), processor: "f".into(), elements: 0 }
    }

    fn closing(&self, pool: &str) -> Closing {
        Closing { run: self.run, node: pool.into() }
    }

    /// A worker gets the first copy of a new pool's element.
    async fn ask_first(&mut self, pool: &str, by: i64) -> Claimed {
        let job = self.element(pool);
        self.put(vec![job]).await;
        let claimed = self.claim_one(by).await.unwrap();
        assert_eq!(claimed.path, element(pool));
        claimed
    }

    /// The same, and its answer waits for the end of its lot.
    async fn answer_first(&mut self, pool: &str, by: i64) {
        let Claimed { key, .. } = self.ask_first(pool, by).await;
        let complete = vec![submission(key, Report::Value(number(1.0)))];
        self.apply(Batch { complete, chance: lets_pass(key.job), ..Batch::default() }).await;
    }
}

/// Chance that does not have an answer to this job checked at once.
fn lets_pass(job: JobId) -> [u8; 32] {
    let passes = |chance: &[u8; 32]| !Chance::of_answer(*chance, job.number()).happens(EARLY_CHECKS);
    (0..=u8::MAX).map(|byte| [byte; 32]).find(passes).unwrap()
}
