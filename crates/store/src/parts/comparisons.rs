//! How often engines agree on what a code gives: what differs by engine is the job's fault, and no device's.
//!
//! Decides nothing: see `left_out.rs`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;
use weevil_model::witness::Engine;
use weevil_model::{ContentHash, JobId, RunId};
use weevil_records::StoreError;
use weevil_trust::{EnginePair, Tally};

use crate::json::{corrupt, hex};
use crate::{Columns, Fault, Sql, Tx, both};

/// By the head of the primary key: a code has as many rows as there are pairs of engines.
const OF_CODES: Sql = both!("reading comparisons", [code hash], "
select {LEAD}c.code, c.agree, c.engine_a, c.engine_b, c.agreed, c.differed
from {ROWS} join comparisons c{BY_KEY} on c.code = unhex(s.code)");

/// One statement, whether or not a pair has a row: see `devices.rs`.
const ADD: Sql = Sql {
    doing: "counting comparisons",
    sqlite: "
insert into comparisons (code, agree, engine_a, engine_b, agreed, differed)
select unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 from jsonb_each(?1) where true
on conflict (code, agree, engine_a, engine_b) do update set agreed = agreed + excluded.agreed, differed = differed + excluded.differed",
    mysql: "
insert into comparisons (code, agree, engine_a, engine_b, agreed, differed)
select unhex(s.code), s.way, s.one, s.other, s.same, s.others from json_table(?, '$[*]' columns (
    code varchar(64) path '$[0]', way varchar(64) path '$[1]', one varchar(16) path '$[2]', other varchar(16) path '$[3]',
    same bigint path '$[4]', others bigint path '$[5]')) s where true
on duplicate key update agreed = agreed + values(agreed), differed = differed + values(differed)",
};

const ADD_AGREEING: Sql = both!("noting who agrees", [code hash, engine word, device int], "
insert{IGNORE} into agreeing (code, engine, device) select {LEAD}unhex(s.code), s.engine, s.device from {ROWS}{UNLESS_THERE}");

/// What a job was found to be later takes the place of what it was found to be before.
const ADD_DIFFERENCES: Sql = Sql {
    doing: "noting differences",
    sqlite: "
insert or replace into differences (run, job, engine_a, engine_b, code, said_a, said_b)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, unhex(value ->> 4), value ->> 5, value ->> 6 from jsonb_each(?1)",
    mysql: "
replace into differences (run, job, engine_a, engine_b, code, said_a, said_b)
select s.run, s.job, s.one, s.other, unhex(s.code), s.said, s.others from json_table(?, '$[*]' columns (
    run bigint path '$[0]', job bigint path '$[1]', one varchar(16) path '$[2]', other varchar(16) path '$[3]',
    code varchar(64) path '$[4]', said varchar(64) path '$[5]', others varchar(64) path '$[6]')) s",
};

/// Differences of two engines on one code that are kept for people to see, each with its job.
const SHOWN_DIFFERENCES: u32 = 16;

/// What is compared, and how: the code that has computed it, and the words of its `agree`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Comparing {
    pub(crate) code: ContentHash,
    pub(crate) agree: String,
}

/// Two engines, and what both have computed.
type Key = (Comparing, EnginePair);

/// What two engines said of a job, in words for people.
#[derive(Debug)]
pub(crate) struct Difference {
    pub(crate) run: RunId,
    pub(crate) job: JobId,
    pub(crate) comparing: Comparing,
    pub(crate) said: [(Engine, String); 2],
}

/// What was compared before, and what this batch compares.
#[derive(Debug, Default)]
pub(crate) struct Comparisons {
    known: HashMap<Key, Tally>,
    added: HashMap<Key, Tally>,
    read: BTreeSet<String>,
    agreeing: BTreeSet<(String, &'static str, i64)>,
    differences: BTreeMap<(i64, i64, &'static str, &'static str), DifferenceRow>,
}

impl Comparisons {
    /// Reads what is known of these codes, each once.
    pub(crate) async fn read<T: Tx>(
        &mut self,
        tx: &mut T,
        codes: impl Iterator<Item = ContentHash>,
    ) -> Result<(), Fault> {
        let codes: BTreeSet<String> = codes.map(|code| hex(code.as_bytes())).collect();
        let unread: Vec<String> = codes.difference(&self.read).cloned().collect();
        for row in tx.rows(&OF_CODES, &unread).await? {
            let pair = EnginePair::new(engine(&row, "engine_a")?, engine(&row, "engine_b")?);
            let tally = Tally { agreed: row.small("agreed")?, differed: row.small("differed")? };
            let comparing = Comparing { code: row.hash("code")?, agree: row.text("agree")? };
            self.known.insert((comparing, pair), tally);
        }
        self.read.extend(unread);
        Ok(())
    }

    /// Whether answers of these engines have agreed so often that they should have again, so many `times` aside: those in which
    /// the job at hand was compared.
    pub(crate) fn should_agree(&self, comparing: &Comparing, pair: EnginePair, times: u32) -> bool {
        let known = self.tally(comparing, pair);
        pair.should_agree(Tally { agreed: known.agreed.saturating_sub(times), ..known })
    }

    /// Nothing of codes that were not read.
    pub(crate) fn tally(&self, comparing: &Comparing, pair: EnginePair) -> Tally {
        self.known.get(&(comparing.clone(), pair)).copied().unwrap_or_default()
    }

    /// A known device has agreed with somebody.
    pub(crate) fn vouch(&mut self, code: ContentHash, engine: Engine, device: i64) {
        self.agreeing.insert((hex(code.as_bytes()), engine.as_str(), device));
    }

    pub(crate) fn agree(&mut self, comparing: &Comparing, pair: EnginePair) {
        self.count(comparing, pair, Tally { agreed: 1, differed: 0 });
    }

    /// Answers whether one of the two may be left out now.
    pub(crate) fn differ(&mut self, comparing: &Comparing, pair: EnginePair) -> bool {
        self.count(comparing, pair, Tally { agreed: 0, differed: 1 });
        pair.may_leave_out(self.tally(comparing, pair))
    }

    /// Keeps a difference for people to see, once it is counted.
    pub(crate) fn show(&mut self, Difference { run, job, comparing, said }: Difference) {
        let [one, other] = said;
        let pair = EnginePair::new(one.0, other.0);
        if one.0 == other.0 || self.tally(&comparing, pair).differed > SHOWN_DIFFERENCES {
            return;
        }
        let [first, second] = pair.engines().map(Engine::as_str);
        let (said, others) = if one.0.as_str() == first { (one.1, other.1) } else { (other.1, one.1) };
        let key = (run.number(), job.number(), first, second);
        let row = DifferenceRow(key.0, key.1, first, second, hex(comparing.code.as_bytes()), said, others);
        self.differences.insert(key, row);
    }

    fn count(&mut self, comparing: &Comparing, pair: EnginePair, more: Tally) {
        for book in [&mut self.known, &mut self.added] {
            let tally = book.entry((comparing.clone(), pair)).or_default();
            tally.agreed = tally.agreed.saturating_add(more.agreed);
            tally.differed = tally.differed.saturating_add(more.differed);
        }
    }

    /// Writes what was compared, in the order of the keys, in which every server locks them.
    pub(crate) async fn write<T: Tx>(&mut self, tx: &mut T) -> Result<(), Fault> {
        let row = |((comparing, pair), tally): (Key, Tally)| {
            let [one, other] = pair.engines().map(Engine::as_str);
            Row(hex(comparing.code.as_bytes()), comparing.agree, one, other, tally.agreed, tally.differed)
        };
        let mut rows: Vec<Row> = std::mem::take(&mut self.added).into_iter().map(row).collect();
        rows.sort_unstable();
        tx.change(&ADD, &rows, &[]).await?;
        let agreeing: Vec<_> = std::mem::take(&mut self.agreeing).into_iter().collect();
        tx.change(&ADD_AGREEING, &agreeing, &[]).await?;
        let differences: Vec<_> = std::mem::take(&mut self.differences).into_values().collect();
        tx.change(&ADD_DIFFERENCES, &differences, &[]).await.map(drop)
    }
}

/// The engine that a column names, which always has one.
pub(crate) fn engine<R: Columns>(row: &R, column: &'static str) -> Result<Engine, StoreError> {
    row.word(column, Engine::parse)?.ok_or_else(|| corrupt("an engine without a name"))
}

/// run, job, the one engine, the other, code, what the one said, what the other
#[derive(Debug, Serialize)]
struct DifferenceRow(i64, i64, &'static str, &'static str, String, String, String);

/// code, how answers are compared, the one engine, the other, agreed, differed
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Row(String, String, &'static str, &'static str, u32, u32);
