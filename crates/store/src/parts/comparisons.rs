//! How often engines agree on what a code gives: what differs by engine is the job's fault, and no device's.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;
use weevil_model::ContentHash;
use weevil_model::witness::Engine;
use weevil_records::StoreError;
use weevil_trust::{EnginePair, Tally};

use crate::json::{corrupt, hex};
use crate::{Columns, Fault, Sql, Tx, both};

/// By the head of the primary key: a code has as many rows as there are pairs of engines.
const OF_CODES: Sql = both!("reading comparisons", [code hash], "
select {LEAD}c.code, c.engine_a, c.engine_b, c.agreed, c.differed
from {ROWS} join comparisons c{BY_KEY} on c.code = unhex(s.code)");

/// One statement, whether or not a pair has a row: see `devices.rs`.
const ADD: Sql = Sql {
    doing: "counting comparisons",
    sqlite: "
insert into comparisons (code, engine_a, engine_b, agreed, differed)
select unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3, value ->> 4 from jsonb_each(?1) where true
on conflict (code, engine_a, engine_b) do update set agreed = agreed + excluded.agreed, differed = differed + excluded.differed",
    mysql: "
insert into comparisons (code, engine_a, engine_b, agreed, differed)
select unhex(s.code), s.one, s.other, s.same, s.others from json_table(?, '$[*]' columns (
    code varchar(64) path '$[0]', one varchar(16) path '$[1]', other varchar(16) path '$[2]', same bigint path '$[3]',
    others bigint path '$[4]')) s where true
on duplicate key update agreed = agreed + values(agreed), differed = differed + values(differed)",
};

/// Two engines, and the code that both have run.
type Key = (ContentHash, EnginePair);

/// What was compared before, and what this batch compares.
#[derive(Debug, Default)]
pub(crate) struct Comparisons {
    known: HashMap<Key, Tally>,
    added: HashMap<Key, Tally>,
    read: BTreeSet<String>,
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
            let engine = |column| -> Result<Engine, StoreError> {
                row.word(column, Engine::parse)?.ok_or_else(|| corrupt("a comparison without an engine"))
            };
            let pair = EnginePair::new(engine("engine_a")?, engine("engine_b")?);
            let tally = Tally { agreed: row.small("agreed")?, differed: row.small("differed")? };
            self.known.insert((row.hash("code")?, pair), tally);
        }
        self.read.extend(unread);
        Ok(())
    }

    /// Whether answers of these engines have agreed so often that they should have again, so many `times` aside: those in which
    /// the job at hand was compared.
    pub(crate) fn should_agree(&self, code: ContentHash, pair: EnginePair, times: u32) -> bool {
        let known = self.known.get(&(code, pair)).copied().unwrap_or_default();
        Tally { agreed: known.agreed.saturating_sub(times), ..known }.should_agree()
    }

    pub(crate) fn agree(&mut self, code: ContentHash, pair: EnginePair) {
        self.count(code, pair, Tally { agreed: 1, differed: 0 });
    }

    pub(crate) fn differ(&mut self, code: ContentHash, pair: EnginePair) {
        self.count(code, pair, Tally { agreed: 0, differed: 1 });
    }

    fn count(&mut self, code: ContentHash, pair: EnginePair, more: Tally) {
        for book in [&mut self.known, &mut self.added] {
            let tally = book.entry((code, pair)).or_default();
            tally.agreed = tally.agreed.saturating_add(more.agreed);
            tally.differed = tally.differed.saturating_add(more.differed);
        }
    }

    /// Writes what was compared, in the order of the keys, in which every server locks them.
    pub(crate) async fn write<T: Tx>(&mut self, tx: &mut T) -> Result<(), Fault> {
        let row = |((code, pair), tally): (Key, Tally)| {
            let [one, other] = pair.engines().map(Engine::as_str);
            Row(hex(code.as_bytes()), one, other, tally.agreed, tally.differed)
        };
        let mut rows: Vec<Row> = std::mem::take(&mut self.added).into_iter().map(row).collect();
        rows.sort_unstable();
        tx.change(&ADD, &rows, &[]).await.map(drop)
    }
}

/// code, the one engine, the other, agreed, differed
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Row(String, &'static str, &'static str, u32, u32);
