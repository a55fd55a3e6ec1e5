//! Devices for people: who is listed, what a mark makes of one, and what its answers come to from the next claim on.

use std::sync::Arc;

use weevil_access::audit::Action;
use weevil_access::store::AuditQuery;
use weevil_model::witness::{Mark, Rank, Record, Witness, device_number};
use weevil_model::{ContentHash, NodeState, Timestamp};
use weevil_queue::batch::Change;
use weevil_queue::{AttemptKey, Batch, Ended, NewJob, Report, Reporter, Submission};
use weevil_records::{AnswerFate, Credit, Device, DeviceList, KnownDevice};

use crate::bed::{Bed, number, reporter, submission, worker};
use crate::databases::{Kind, on_each_database};
use crate::judged::{device, error, value};
use crate::lots::{KNOWN, right, wrong};

const POLICY: &str = "credible(0.001)";
const ALL: DeviceList = DeviceList { rank: None, from: 0, until: i64::MAX, now: Timestamp(50) };

impl Bed {
    /// Somebody in charge says this of a device.
    pub(crate) async fn mark(&mut self, device: i64, mark: Mark) -> Record {
        let record = self.store.mark_device(device, mark, &self.entry(Action::DeviceTrusted)).await.unwrap();
        Arc::make_mut(&mut self.company).parties.forget(device);
        record
    }

    /// Those that are listed, by their numbers.
    async fn numbers(&self, list: &DeviceList, most: u32) -> Vec<i64> {
        self.store.devices(list, most).await.unwrap().iter().map(|device| device.number).collect()
    }
}

/// Fingerprints in their own order, with one that begins with zeros.
fn fingerprints() -> [ContentHash; 3] {
    [[0; 32], [0x5a; 32], [0xff; 32]].map(ContentHash::from_bytes)
}

async fn what_a_trusted_device_has_said_stands_in_whatever_was_asked_for(kind: Kind) {
    for (stored, asked) in [
        ("credible(0.01)", "credible(0.0001)"),
        ("quorum(2)", "quorum(3)"),
        ("quorum(2)", "credible(0.01)"),
        ("credible(0.01)", "quorum(2)"),
    ] {
        let mut bed = Bed::new(kind).await;
        bed.come(&[(1, KNOWN)]);
        bed.mark(1, Mark::Trusted).await;
        bed.judge_one(stored).await;
        assert!(
            matches!(bed.answer(1, value(5.0)).await.1, Some(Change::Ended(Ended::Value(_)))),
            "{stored}"
        );
        bed.run = bed.add_run().await;
        let job = NewJob { reuse: true, trust: asked.parse().unwrap(), ..bed.job("a", 0) };
        let enqueued = bed.apply(Batch { enqueue: vec![job], ..Batch::default() }).await.enqueued;
        assert_eq!(enqueued.len(), 1, "{stored} {asked}");
    }
}

async fn brought(bed: &mut Bed, fingerprints: &[ContentHash]) {
    bed.enqueue(&[("x", 0), ("y", 0), ("z", 0)]).await;
    let keys: Vec<AttemptKey> = bed.claim(&[(1, 3)]).await.iter().map(|claimed| claimed.key).collect();
    let from = |(key, device): (AttemptKey, &ContentHash)| Submission {
        reporter: Reporter { device: Some(*device), ..reporter() },
        ..submission(key, Report::Value(number(1.0)))
    };
    bed.now = Timestamp(20);
    let complete = keys.into_iter().zip(fingerprints).map(from).collect();
    bed.apply(Batch { complete, ..Batch::default() }).await;
}

async fn a_list_has_all_that_are_known_in_the_order_of_their_numbers(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let fingerprints = fingerprints();
    brought(&mut bed, &fingerprints).await;
    let [first, middle, last] = fingerprints.map(device_number);
    // One of these three has brought a value besides.
    let (compared, earned, marked) = (middle - 1, middle + 1, last);
    for (device, passes, trusted) in [(compared, 9, 0), (earned, 10, 0), (marked, 0, 1)] {
        let row =
            format!("insert into records (device, passes, trusted) values ({device}, {passes}, {trusted})");
        bed.database.sql(&row).await;
    }
    let all = [first, compared, middle, earned, last];
    let of = |rank| DeviceList { rank, ..ALL };
    for (list, most, expected) in [
        (ALL, 9, &all[..]),
        (ALL, 3, &all[..3]),
        (of(Some(Rank::Newcomer)), 9, &all),
        (of(Some(Rank::Established)), 9, &[earned]),
        (of(Some(Rank::Trusted)), 9, &[last]),
        (DeviceList { from: first + 1, ..ALL }, 2, &all[1..3]),
        (DeviceList { from: middle, until: middle, ..ALL }, 9, &[middle]),
        (DeviceList { from: middle + 1, until: last - 1, ..ALL }, 9, &[earned]),
        (DeviceList { until: middle, ..of(Some(Rank::Established)) }, 9, &[]),
    ] {
        assert_eq!(bed.numbers(&list, most).await, expected, "{list:?} {most}");
    }
    let found = bed.store.devices(&DeviceList { from: compared, until: last, ..ALL }, 9).await.unwrap();
    let work = |fingerprint| {
        let at = Timestamp(20);
        Some(Device { fingerprint, first_seen: at, last_seen: at, accepted: 1 })
    };
    let known = |number, work, record, rank| {
        let credit = Credit::default();
        KnownDevice { number, work, record, credit, rank, waiting: 0 }
    };
    let record = |passes, is_trusted| Record { passes, is_trusted, ..Record::default() };
    let expected = [
        known(compared, None, record(9, false), Rank::Newcomer),
        known(middle, work(fingerprints[1]), Record::default(), Rank::Newcomer),
        known(earned, None, record(10, false), Rank::Established),
        known(last, work(fingerprints[2]), record(0, true), Rank::Trusted),
    ];
    assert_eq!(found, expected);
}

/// As the migration says it.
async fn devices_of_an_older_database_get_their_numbers(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let fingerprints = fingerprints();
    brought(&mut bed, &fingerprints).await;
    bed.database.sql("update devices set number = -1").await;
    let migration = match kind {
        Kind::Sqlite => include_str!("../../migrations/sqlite/0025_marked_devices.sql"),
        Kind::MariaDb => include_str!("../../migrations/mysql/0025_marked_devices.sql"),
    };
    let update = migration.lines().find(|line| line.starts_with("update devices")).unwrap();
    bed.database.sql(update.trim_end_matches(';')).await;
    assert_eq!(bed.numbers(&ALL, 9).await, fingerprints.map(device_number));
}

/// Marks are in the audit, and a restart keeps them.
async fn a_mark_is_kept_whether_or_not_anything_was_known(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.database
        .sql("insert into records (device, passes, refuted, rests_until) values (2, 12, 3, 99), (4, 10, 1, 99)")
        .await;
    let (newcomer, established, trusted) = (Rank::Newcomer, Rank::Established, Rank::Trusted);
    let rests = Record { passes: 12, refuted: 3, rests_until: Some(Timestamp(99)), ..Record::default() };
    for (device, mark, expected, rank) in [
        (1, Mark::Trusted, Record { is_trusted: true, ..Record::default() }, trusted),
        (1, Mark::Distrusted, Record::default(), newcomer),
        (2, Mark::Trusted, Record { is_trusted: true, ..rests }, newcomer),
        (2, Mark::Forgiven, Record { passes: 12, is_trusted: true, ..Record::default() }, trusted),
        (2, Mark::Distrusted, Record::default(), newcomer),
        (3, Mark::Forgiven, Record::default(), newcomer),
        (4, Mark::Forgiven, Record { passes: 10, ..Record::default() }, established),
    ] {
        assert_eq!(bed.mark(device, mark).await, expected, "{device} {mark:?}");
        bed.store = bed.database.open().await;
        let found = bed.store.devices(&DeviceList { from: device, until: device, ..ALL }, 1).await.unwrap();
        assert_eq!((found[0].record, found[0].rank), (expected, rank), "{device} {mark:?}");
    }
    let query = AuditQuery { action: Some(Action::DeviceTrusted), ..AuditQuery::default() };
    assert_eq!(bed.store.audit_page(&query, None, 99).await.unwrap().len(), 7);
}

async fn a_trusted_device_alone_ends_all_jobs_at_once(kind: Kind) {
    for elements in [1, 6] {
        let mut bed = Bed::new(kind).await;
        bed.come(&[(1, 0)]);
        bed.mark(1, Mark::Trusted).await;
        bed.pool(elements, POLICY).await;
        let job = bed.job("q", 0);
        bed.judge(job, "quorum(3)").await;
        assert_eq!(bed.compute(1, right).await.1, elements + 1, "one computation each");
        for job in bed.store.jobs(bed.run, None, 99).await.unwrap() {
            assert_eq!(job.state, NodeState::Finished, "{}", job.path);
            assert_eq!(bed.store.value(job.id).await.unwrap(), Some(number(right(&job.path))));
        }
    }
}

/// Without a device, and with nothing kept of it.
async fn who_has_shown_a_token_is_trusted(kind: Kind) {
    let nobody = Witness { device: None, network: None, ..device(1) };
    for (shows, ended) in [(false, false), (true, true)] {
        let mut bed = Bed::new(kind).await;
        bed.know(&[(1, nobody)]);
        bed.meet(&[(1, 1)]);
        if shows {
            Arc::make_mut(&mut bed.company).parties.trust(worker(1));
        }
        bed.judge_one(POLICY).await;
        let change = bed.answer(1, value(7.0)).await.1;
        assert_eq!(matches!(change, Some(Change::Ended(_))), ended, "{change:?}");
    }
}

async fn a_trusted_answer_stands_against_all_others(kind: Kind) {
    for (policy, said) in [(POLICY, value(7.0)), ("quorum(3)", value(7.0)), (POLICY, error("thrown"))] {
        let mut bed = Bed::new(kind).await;
        bed.come(&[(1, KNOWN), (2, KNOWN), (9, 0)]);
        bed.judge_one(policy).await;
        for by in [1, 2] {
            assert_eq!(bed.answer(by, value(wrong("a"))).await.1, Some(Change::Answered), "{policy} {by}");
        }
        bed.mark(9, Mark::Trusted).await;
        let ended = bed.answer(9, said).await.1;
        assert!(matches!(ended, Some(Change::Ended(_))), "{policy}: {ended:?}");
        let fates = [AnswerFate::Refuted, AnswerFate::Refuted, AnswerFate::Agreed].map(Some);
        assert_eq!(bed.fates("a").await, fates, "{policy}");
    }
}

/// What a device was when its copy was handed out, it is for its answer.
async fn a_mark_counts_from_the_next_claim(kind: Kind) {
    for marked_before in [false, true] {
        let mut bed = Bed::new(kind).await;
        bed.come(&[(1, 0)]);
        bed.judge_one(POLICY).await;
        if marked_before {
            bed.mark(1, Mark::Trusted).await;
        }
        let held = bed.claim_one(1).await.unwrap();
        let later = if marked_before { Mark::Distrusted } else { Mark::Trusted };
        bed.mark(1, later).await;
        let change = bed.report(held.key, value(7.0)).await.1;
        let ended = |change: Option<Change>| change == Some(Change::Ended(Ended::Value(number(7.0))));
        assert_eq!(ended(change), marked_before);
        let job = bed.job("b", 0);
        bed.judge(job, POLICY).await;
        assert_eq!(ended(bed.answer(1, value(7.0)).await.1), !marked_before);
    }
}

/// Also where nothing but a quorum waits.
async fn who_is_forgiven_need_not_rest(kind: Kind) {
    for policy in [POLICY, "quorum(2)"] {
        forgive(&mut Bed::new(kind).await, policy).await;
    }
}

async fn forgive(bed: &mut Bed, policy: &str) {
    bed.come(&[(1, 0)]);
    let until = i64::MAX / 2;
    let rests =
        format!("insert into records (device, passes, refuted, rests_until) values (1, 0, 5, {until})");
    bed.database.sql(&rests).await;
    Arc::make_mut(&mut bed.company).parties.forget(1);
    bed.judge_one(policy).await;
    for (mark, taken) in [(Mark::Trusted, false), (Mark::Forgiven, true)] {
        bed.mark(1, mark).await;
        assert_eq!(bed.claim_one(1).await.is_some(), taken, "{policy} {mark:?}");
    }
}

/// A device that has answered so much waits with as much, until it is decided.
async fn answers_that_wait_are_counted(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.come(&[(1, KNOWN), (2, KNOWN), (3, KNOWN)]);
    bed.database.sql(&format!("insert into records (device, passes) values (1, {KNOWN})")).await;
    bed.pool(6, POLICY).await;
    let waiting = async |bed: &Bed| {
        let found = bed.store.devices(&DeviceList { from: 1, until: 1, ..ALL }, 1).await.unwrap();
        found[0].waiting
    };
    let held = bed.claim_one(1).await.unwrap();
    assert_eq!(waiting(&bed).await, 0, "what is asked for is no answer");
    bed.report(held.key, value(right(&held.path))).await;
    bed.compute(1, right).await;
    assert_eq!(waiting(&bed).await, 6);
    bed.close().await;
    for by in [2, 3] {
        bed.compute(by, right).await;
        bed.close().await;
    }
    assert_eq!(waiting(&bed).await, 0);
}

/// Chance chooses among all of a lot, also where somebody who is trusted has decided already: what has passed is counted by it.
async fn what_was_decided_already_may_be_chosen_as_well(kind: Kind) {
    for decided in [3, 4] {
        let mut bed = Bed::new(kind).await;
        bed.come_three();
        bed.come(&[(9, 0)]);
        let trusted = Record { is_trusted: true, ..Record::default() };
        bed.pool(decided, "credible(0.01)").await;
        for job in bed.claim(&[(9, decided)]).await {
            bed.report(job.key, value(wrong(&job.path))).await;
        }
        bed.compute(1, right).await;
        bed.come(&[(7, 0)]);
        Arc::make_mut(&mut bed.company).parties.learn(&[(7, trusted)]);
        assert_eq!(bed.compute(7, right).await.1, decided, "each was contested");
        if decided == 3 {
            let last = NewJob { code: ContentHash::of(b"f"), ..bed.job("p/9/f", 0) };
            bed.judge(last, "credible(0.01)").await;
            bed.compute(1, right).await;
        }
        bed.close().await;
        bed.compute(2, right).await;
        bed.close().await;
        let lots = bed.store.lot_facts(bed.run, None, 9).await.unwrap();
        let accepted: Vec<_> = lots.iter().map(|lot| (lot.answers, lot.is_accepted)).collect();
        assert_eq!(accepted, [(4, Some(true))], "{decided}");
        let jobs = bed.store.by_path(bed.run).await.unwrap();
        let facts = bed.store.job_facts(&jobs).await.unwrap();
        let chosen = facts.iter().flat_map(|job| &job.answers).filter(|answer| answer.is_chosen).count();
        assert_eq!(chosen, 2, "{decided}");
    }
}

on_each_database! {
    what_was_decided_already_may_be_chosen_as_well,
    a_list_has_all_that_are_known_in_the_order_of_their_numbers,
    devices_of_an_older_database_get_their_numbers,
    a_mark_is_kept_whether_or_not_anything_was_known,
    a_trusted_device_alone_ends_all_jobs_at_once,
    what_a_trusted_device_has_said_stands_in_whatever_was_asked_for,
    who_has_shown_a_token_is_trusted,
    a_trusted_answer_stands_against_all_others,
    a_mark_counts_from_the_next_claim,
    who_is_forgiven_need_not_rest,
    answers_that_wait_are_counted,
}
