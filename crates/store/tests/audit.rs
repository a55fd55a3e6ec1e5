//! The audit sees each kind of damage, and reports nothing where there is no damage.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its scene must stop")]

mod databases;

use std::collections::BTreeSet;

use weevil_model::{Encoded, Value, digest};
use weevil_store::Audit;

use databases::{Kind, TestDatabase, on_each_database};

/// A run of another project; an ended job with two attempts, one that is out once, one that waits, and one that is out twice and wants one copy more;
/// two that are judged, one of them with two answers; four that are judged by lots: two of a lot that is undecided, where one answer is checked, and
/// two that were believed with their lot; somebody who is signed in and has a token, somebody who was removed, and what the audit tells of them; three devices, of which
/// one is paused and one banned.
const HEALTHY: [&str; 17] = [
    "insert into workflows (hash, name, created_at) values (x'00', '', 1)",
    "insert into runs (id, project, workflow, name, seed, state, created_at, assumed) values
     (1, 2, x'00', '', 0, 'STARTED', 1, null), (2, 1, x'00', '', 0, 'STARTED', 1, 50000)",
    "insert into jobs (id, code, source, input, seed, order_key, timeout_ms, max_attempts, enqueued_at, queue, delivery,
         outcome, result, handed_out, wanted, open_attempts, due_at, ended_at) values
     (1, x'00', '', x'00', 0, 0, 1, 3, 1, 'q', 2, 'value', x'01', 2, 0, 0, null, 9),
     (2, x'00', '', x'00', 0, 0, 1, 3, 1, 'q', 1, null, null, 1, 0, 1, null, null),
     (3, x'00', '', x'00', 0, 0, 1, 3, 1, 'q', 0, null, null, 0, 1, 0, null, null),
     (4, x'00', '', x'00', 0, 0, 1, 3, 1, 'q', 0, null, null, 2, 1, 2, null, null)",
    "insert into attempts (job, number, token, worker, started_at, due_at, ended_at, ending) values
     (1, 1, 11, 7, 1, null, 5, 'expired'), (1, 2, 12, 7, 5, null, 9, 'completed'), (2, 1, 21, 7, 1, 99, null, null),
     (4, 1, 41, 7, 1, 99, null, null), (4, 2, 42, 8, 1, 99, null, null)",
    "insert into jobs (id, code, source, input, seed, order_key, timeout_ms, max_attempts, enqueued_at, queue, delivery,
         outcome, result, handed_out, wanted, open_attempts, ended_at, trust, needs) values
     (5, x'00', '', x'00', 0, 0, 1, 3, 1, 'q', 2, 'value', x'01', 2, 0, 0, 9, 2, 4294967297),
     (6, x'00', '', x'00', 0, 0, 1, 3, 1, 'q', 0, null, null, 0, 1, 0, null, 2, 1)",
    "insert into attempts (job, number, token, worker, started_at, due_at, ended_at, ending) values
     (5, 1, 51, 7, 1, null, 5, 'completed'), (5, 2, 52, 8, 5, null, 9, 'completed')",
    "insert into answers (job, number, device, network, engine, digest, given_at, handed_out, fate) values
     (5, 1, 1, 1, 'gecko', @one, 5, 1, 'agreed'), (5, 2, 2, 2, 'gecko', @one, 9, 2, 'agreed')",
    "insert into jobs (id, path, code, source, input, seed, order_key, timeout_ms, max_attempts, enqueued_at, run, delivery,
         outcome, result, handed_out, wanted, open_attempts, ended_at, trust, needs) values
     (7, 'p/0/f', x'00', '', x'00', 0, 0, 1, 3, 1, 2, 5, null, x'01', 1, 0, 0, null, 10000, 17179869185),
     (8, 'p/1/f', x'00', '', x'00', 0, 0, 1, 3, 1, 2, 0, null, x'01', 2, 1, 0, null, 10000, 17179869185),
     (9, 'q/0/f', x'00', '', x'00', 0, 0, 1, 3, 1, 2, 2, 'value', x'01', 1, 0, 0, 9, 100000, 17179869185),
     (10, 'q/1/f', x'00', '', x'00', 0, 0, 1, 3, 1, 2, 2, 'value', x'01', 1, 0, 0, 9, 100000, 17179869185)",
    "insert into attempts (job, number, token, worker, started_at, due_at, ended_at, ending) values
     (7, 1, 71, 7, 1, null, 5, 'completed'), (8, 1, 81, 8, 1, null, 5, 'completed'),
     (8, 2, 82, 7, 5, null, 9, 'completed'), (9, 1, 91, 7, 1, null, 5, 'completed'),
     (10, 1, 101, 7, 1, null, 5, 'completed')",
    "insert into answers (job, number, device, network, engine, digest, given_at, handed_out, fate, devices, lot, marks) values
     (7, 1, 1, 1, 'gecko', @one, 5, 1, null, 1, 1, 4), (8, 1, 2, 2, 'gecko', @one, 5, 1, null, null, null, 0),
     (8, 2, 1, 1, 'gecko', @one, 9, 2, null, 2, 1, 7), (9, 1, 1, 1, 'gecko', @one, 5, 1, 'agreed', 2, 2, 5),
     (10, 1, 1, 1, 'gecko', @one, 5, 1, 'agreed', 1, 2, 4)",
    "insert into lots (id, run, node, device, answers, chosen, checking, opened_at, newest_at, closed_at, fate) values
     (1, 2, 'p', 1, 2, 1, 1, 5, 9, null, null), (2, 2, 'q', 1, 2, 1, 0, 5, 5, 9, 'accepted')",
    "insert into accounts (id, name, display, admin, created_at, state, state_at) values
     (1, 'ada', 'Ada', 1, 1, 0, null), (2, null, '', 0, 1, 2, 9)",
    "insert into sessions (id, hash, account, face, opened_at, proved_at, halves_at, used_at, ends_at, browser, place)
     values (1, x'01', 1, 'private', 1, 1, 1, 1, 9, '', '')",
    "insert into tokens (id, hash, name, owner, scopes, made_at, expires_at) values (1, x'01', '', 1, '', 1, 9)",
    "insert into audit (id, written_at, actor, action, outcome, previous, hash) values
     (1, 1, 'local', 'run.created', 'done', x'00', x'01')",
    "insert into devices (fingerprint, first_seen, last_seen, accepted, held_until, banned_at, note) values
     (x'0000000000000000000000000000000000000000000000000000000000000001', 1, 1, 1, null, null, null),
     (x'0000000000000000000000000000000000000000000000000000000000000002', 1, 1, 0, 9, null, 'a while'),
     (x'0000000000000000000000000000000000000000000000000000000000000003', 1, 1, 0, 9223372036854775807, 1, '')",
    "update audit_ends set last = 1, last_hash = (select hash from audit)",
];

/// What was counted on the way, as it ought to be.
const COUNTED: &str = "update project_usage set open_jobs = (select count(*) from jobs where delivery <> 2),
    stored_bytes = (select sum(length(input) + coalesce(length(result), 0)) from jobs)
        + (select coalesce(sum(size), 0) from answer_values)";

async fn damaged(kind: Kind, damage: &str) -> Audit {
    audited(kind, [damage, COUNTED]).await
}

async fn audited(kind: Kind, damage: [&str; 2]) -> Audit {
    let database = TestDatabase::new(kind);
    drop(database.open().await);
    let one = format!("x'{}'", digest(&Encoded::of(&Value::Number(1.0)).unwrap()));
    database.sql(&HEALTHY.join(";\n").replace("@one", &one)).await;
    for statement in damage {
        database.sql(statement).await;
    }
    weevil_store::audit(&database.address.parse().unwrap()).await.unwrap()
}

/// How many rules there are of one text, as the audit's own says, and the two that no statement tells.
fn rules() -> usize {
    let (_, rest) = include_str!("../src/audit.rs").split_once("const RULES: [(&str, &str); ").unwrap();
    rest.split_once(']').unwrap().0.parse::<usize>().unwrap() + 2
}

/// What is done to it, and words of the rule that it breaks.
const DAMAGES: &[(&str, &str)] = &[
    ("update jobs set handed_out = 3 where id = 1", "handed_out"),
    ("update attempts set number = 3 where job = 1 and number = 2", "of the newest"),
    ("update attempts set number = 0 where job = 1 and number = 1", "from 1 to"),
    ("update attempts set ending = 'completed' where job = 1 and number = 1", "one completed attempt"),
    ("update attempts set ending = 'lost' where job = 1", "one completed attempt"),
    ("update jobs set result = null where id = 1", "has a result"),
    ("update jobs set result = x'01' where id = 3", "has a result"),
    ("update jobs set result = x'01' where id = 6", "only where it is judged by lots"),
    ("update jobs set outcome = 'cancelled' where id = 3", "an ended job, and no other, has an outcome"),
    ("update jobs set ended_at = null where id = 1", "an ended job, and no other, has an outcome and an end"),
    ("update jobs set open_attempts = 2 where id = 2", "counts the attempts of a job without an end"),
    ("update jobs set open_attempts = 1 where id = 3", "counts the attempts of a job without an end"),
    ("update jobs set wanted = 0 where id = 3", "ready, delayed and held jobs want copies"),
    ("update jobs set wanted = 1 where id = 2", "leased ones want none"),
    ("update jobs set wanted = 1 where id = 1", "answered and ended ones neither"),
    ("update jobs set wanted = 1 where id = 7", "answered and ended ones neither"),
    ("update jobs set delivery = 1, wanted = 0 where id = 3", "leased ones want none and have some out"),
    ("update jobs set due_at = 9 where id = 2", "a delayed job has a moment"),
    ("update jobs set due_at = 9 where id = 1", "a delayed job has a moment"),
    ("update jobs set delivery = 3 where id = 3", "a delayed job has a moment"),
    ("update jobs set delivery = 6, wanted = 0 where id = 3", "a delayed job has a moment"),
    ("update jobs set due_at = 9 where id = 7", "an answered and an ended one have none"),
    ("update jobs set queue = null where id = 3", "to a run or to a queue"),
    ("update jobs set queue = null, run = 1 where id = 3", "it is in the run's project"),
    ("update jobs set delivery = 4 where id = 3", "only jobs of runs that are paused or have ended are held"),
    ("update attempts set due_at = null where job = 2", "has a deadline exactly while it has no end"),
    (
        "update attempts set due_at = 99 where job = 1 and number = 1",
        "a deadline exactly while it has no end",
    ),
    ("update attempts set ended_at = null where job = 1 and number = 1", "the moment of it come together"),
    ("update attempts set ended_at = 9 where job = 2", "the moment of it come together"),
    ("update attempts set worker = 7 where job = 4", "no worker holds two open attempts"),
    ("update attempts set token = 12 where job = 1", "the same token"),
    ("insert into answers (job, number, engine) values (2, 1, 'other')", "only judged jobs have answers"),
    ("delete from answers where job = 5 and number = 2", "are the completed attempts of a job"),
    ("update answers set handed_out = null where job = 5 and number = 1", "and when it came"),
    ("update answers set kind = 'thrown' where job = 5 and number = 1", "a value or an error"),
    ("update answers set device = 1 where job = 5", "no two answers of a job are of one device"),
    ("update answers set network = 1 where job = 5", "or of one network"),
    ("update jobs set needs = 1 where id = 5", "in a line of copies exactly when"),
    ("update jobs set needs = 4294967297 where id = 6", "in a line of copies exactly when"),
    ("update answers set fate = 'refuted' where job = 5", "what an answer said that agreed"),
    (
        "update answers set fate = 'agreed' where job = 8 and number = 1",
        "no answer of an open one agrees yet",
    ),
    ("update jobs set delivery = 5, wanted = 0 where id = 3", "has an answer that stands for it"),
    ("update jobs set result = null where id = 7", "and what it says beside it"),
    ("update answers set marks = 0 where job = 7", "and what it says beside it"),
    ("update answers set devices = null where job = 7", "has an answer that stands for it"),
    ("update answers set fate = 'void' where job = 7", "has an answer that stands for it"),
    ("update jobs set agree = 'near(1e-9)' where id = 1", "and of no other job"),
    ("update jobs set agree_within = 'engine' where id = 2", "and of no other job"),
    ("update jobs set agree = 'near(1e-9)' where id = 7", "what answers say is kept while more"),
    ("insert into answer_values values (7, x'00', x'', 1, x'01')", "and of no other job"),
    ("insert into answer_values values (5, x'00', x'', 1, x'01')", "and of no other job"),
    ("update jobs set proof = x'00' where id = 1", "and of no other job"),
    ("update jobs set proof = x'00' where id = 7", "what answers say is kept while more"),
    ("update answers set marks = marks + 32 where job = 8 and number = 2", "of jobs that have one"),
    ("update answers set lot = null where job = 7", "a lot counts the answers"),
    ("update lots set answers = 3 where id = 1", "a lot counts the answers"),
    ("update lots set checking = 0 where id = 1", "those whose check has not ended"),
    ("update answers set marks = 5 where job = 8 and number = 2", "those whose check has not ended"),
    ("update lots set fate = 'refused', closed_at = 9 where id = 1", "refused with no answer that stands"),
    ("update lots set checking = 1 where id = 2", "and no open check"),
    ("update lots set fate = 'refused' where id = 2", "stands on a lot that was refused"),
    ("update lots set closed_at = null where id = 2", "a lot is accepted with all"),
    ("update lots set chosen = 0 where id = 1", "those that chance has chosen"),
    ("update jobs set trust = 10000 where id = 9", "as its plan asks for"),
    ("update jobs set result = x'02' where id = 9", "has a digest that an answer said"),
    ("update jobs set result = x'02' where id = 5", "has a digest that an answer said"),
    (
        "update attempts set ending = 'error' where job = 8 and number = 1",
        "are the completed attempts of a job",
    ),
    ("insert into records (device, passes, refuted) values (1, 0, 1)", "begins anew"),
    ("insert into records (device, passes, rests_until) values (1, 0, 9)", "begins anew"),
    ("update accounts set state = 1 where id = 1", "says since when"),
    ("update accounts set state_at = 9 where id = 1", "says since when"),
    ("update accounts set name = null where id = 1", "only an id is left"),
    ("update accounts set name = 'bob' where id = 2", "only an id is left"),
    ("update accounts set admin = 1 where id = 2", "only an id is left"),
    ("update accounts set password = 'x' where id = 2", "only an id is left"),
    ("update sessions set account = 2", "only an id is left"),
    ("update tokens set owner = 2", "only an id is left"),
    ("update devices set held_until = 9 where banned_at is not null", "a banned device"),
    ("update devices set held_until = null where note = 'a while'", "a banned device"),
    ("update devices set note = null where note = 'a while'", "a banned device"),
    ("update audit_ends set last = 2", "the chain of the audit"),
    ("update audit_ends set last_hash = x'00'", "the chain of the audit"),
    ("update audit_ends set last = 0", "the chain of the audit"),
    ("update audit_ends set trimmed = 9", "the chain of the audit"),
    ("delete from audit", "the chain of the audit"),
    ("delete from audit_ends", "the chain of the audit"),
];

async fn each_kind_of_damage_is_seen(kind: Kind) {
    let mut broken = BTreeSet::new();
    for (damage, rule) in DAMAGES.iter().copied() {
        let audit = damaged(kind, damage).await;
        let found: Vec<_> =
            audit.broken.iter().map(|broken| (broken.rule.contains(rule), broken.rows)).collect();
        assert_eq!(found, [(true, 1)], "{damage}: {audit:?}");
        broken.insert(audit.broken[0].rule);
    }
    assert_eq!(broken.len(), rules(), "each rule is broken by some damage");
}

async fn a_wrong_count_is_seen(kind: Kind) {
    for damage in [
        "update project_usage set open_jobs = open_jobs + 1",
        "update project_usage set stored_bytes = stored_bytes - 1",
        "delete from project_usage",
        "insert into project_usage (project, replica, open_jobs) values (1, 1, 1)",
        "insert into project_usage (project, replica, stored_bytes) values (9, 0, 1)",
        "insert into projects (id, slug, name, created_at) values (2, 'b', 'B', 1)",
    ] {
        let audit = audited(kind, [COUNTED, damage]).await;
        let found: Vec<_> = audit.broken.iter().map(|broken| (broken.rule, broken.rows)).collect();
        assert_eq!(
            found,
            [("what is counted of a project is what it has: jobs that have not ended, and bytes", 1)],
            "{damage}"
        );
    }
}

async fn a_healthy_database_is_found_healthy(kind: Kind) {
    let audit = damaged(kind, "select 1").await;
    assert_eq!(audit, Audit { jobs: 10, open: 6, attempts: 12, broken: vec![] });
}

on_each_database! {
    each_kind_of_damage_is_seen,
    a_wrong_count_is_seen,
    a_healthy_database_is_found_healthy,
}
