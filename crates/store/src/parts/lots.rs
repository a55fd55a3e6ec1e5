//! Lots as rows: the answers of a device for a pool, counted.
//!
//! Decides nothing: see `judged.rs` and `docket.rs`.

use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};

use serde::Serialize;
use weevil_model::{RunId, Timestamp};
use weevil_records::StoreError;
use weevil_trust::Lot;

use crate::words::{LOT_ACCEPTED, LOT_REFUSED};
use crate::{Columns, Fault, Sql, Tx, both};

/// Columns of a lot.
const COLUMNS: &str =
    "l.id, l.run, l.node, l.device, l.answers, l.chosen, l.checking, l.opened_at, l.newest_at, l.closed_at";

/// By the index of undecided lots. Those of these devices in these runs.
const OF_DEVICES: Sql = both!("reading lots", [run int, device int], "
select {LEAD}{COLUMNS} from {ROWS} join lots l{UNDECIDED} on l.run = s.run and l.device = s.device where l.fate is null{LOCK}");

/// The same of all devices, for one pool.
const OF_NODES: Sql = both!("reading lots", [run int, pool text], "
select {LEAD}{COLUMNS} from {ROWS} join lots l{UNDECIDED} on l.run = s.run
where l.fate is null and l.closed_at is null and l.node = s.pool{LOCK}");

/// All of them: as many as devices have answered lately, for each pool.
const UNDECIDED_LOTS: Sql =
    both!("looking for lots", "select {COLUMNS} from lots l{UNDECIDED} where l.fate is null");

const OPEN: Sql = both!("opening lots",
    [id int, run int, pool text, device int, answers int, chosen int, checking int, opened_at int, newest_at int, closed_at int, fate word], "
insert into lots (id, run, node, device, answers, chosen, checking, opened_at, newest_at, closed_at, fate)
select {LEAD}s.id, s.run, s.pool, s.device, s.answers, s.chosen, s.checking, s.opened_at, s.newest_at, s.closed_at, s.fate from {ROWS}");

/// By the primary key. The same rows; whose a lot is, and since when, does not change.
const KEEP: Sql = both!("keeping lots", lots through BY_KEY by id,
    [id int, ran int, pool text, whose int, many int, early int, under_way int, since int, latest int, ended int, become word], "
update {TARGET} set answers = s.many, chosen = s.early, checking = s.under_way, newest_at = s.latest, closed_at = s.ended,
    fate = s.become{SOURCE}");

/// A lot, as the batch has left it so far.
#[derive(Debug, Clone)]
pub(crate) struct KnownLot {
    pub(crate) run: RunId,
    /// The path of the pool.
    pub(crate) node: String,
    pub(crate) device: i64,
    pub(crate) lot: Lot,
    opened_at: Timestamp,
    pub(crate) newest_at: Timestamp,
    closed_at: Option<Timestamp>,
    fate: Option<LotFate>,
    /// It has as many answers as there may be, and is about to be closed.
    is_full: bool,
    is_new: bool,
    is_changed: bool,
}

/// What became of a lot that is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LotFate {
    Accepted,
    /// Its device was found wrong.
    Refused,
}

impl LotFate {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => LOT_ACCEPTED,
            Self::Refused => LOT_REFUSED,
        }
    }
}

/// The undecided lots that a batch meets.
#[derive(Debug, Default)]
pub(crate) struct LotBook(BTreeMap<i64, KnownLot>);

impl KnownLot {
    /// Its first answer is about to join it.
    fn open(run: RunId, node: &str, device: i64, now: Timestamp) -> Self {
        Self {
            run,
            node: node.to_owned(),
            device,
            lot: Lot::default(),
            opened_at: now,
            newest_at: now,
            closed_at: None,
            fate: None,
            is_full: false,
            is_new: true,
            is_changed: true,
        }
    }

    fn read<R: Columns>(row: &R) -> Result<Self, StoreError> {
        let closed_at = row.maybe_moment("closed_at")?;
        Ok(Self {
            run: row.run_id("run")?,
            node: row.text("node")?,
            device: row.number("device")?,
            lot: Lot {
                answers: row.small("answers")?,
                chosen: row.small("chosen")?,
                open_checks: row.small("checking")?,
                closed: closed_at.is_some(),
            },
            opened_at: row.moment("opened_at")?,
            newest_at: row.moment("newest_at")?,
            closed_at,
            fate: None,
            is_full: false,
            is_new: false,
            is_changed: false,
        })
    }

    /// How long it has been open, milliseconds.
    pub(crate) fn age_ms(&self, now: Timestamp) -> i64 {
        now.since(self.opened_at)
    }
}

impl LotBook {
    pub(crate) fn get(&self, id: i64) -> Option<&KnownLot> {
        self.0.get(&id).filter(|lot| lot.fate.is_none())
    }

    /// One that is to change. `None` for one that is decided, or was not read.
    pub(crate) fn change(&mut self, id: i64) -> Option<&mut KnownLot> {
        let lot = self.0.get_mut(&id).filter(|lot| lot.fate.is_none())?;
        lot.is_changed = true;
        Some(lot)
    }

    /// The open lot of a device for a pool, or a new one of this number.
    pub(crate) fn open(
        &mut self,
        (run, node, device): (RunId, &str, i64),
        new: i64,
        now: Timestamp,
    ) -> (i64, &mut Lot) {
        let is_it = |lot: &KnownLot| {
            let open = !lot.lot.closed && !lot.is_full && lot.fate.is_none();
            lot.device == device && lot.run == run && lot.node == node && open
        };
        let found = self.0.iter().find(|(_, lot)| is_it(lot)).map(|(id, _)| *id);
        let id = found.unwrap_or(new);
        let lot = self.0.entry(id).or_insert_with(|| KnownLot::open(run, node, device, now));
        (lot.newest_at, lot.is_changed) = (now, true);
        (id, &mut lot.lot)
    }

    /// The next answer goes into another one, also in this batch.
    pub(crate) fn fill(&mut self, id: i64) {
        if let Some(lot) = self.change(id) {
            lot.is_full = true;
        }
    }

    /// It takes no more answers.
    pub(crate) fn close(&mut self, id: i64, now: Timestamp) {
        if let Some(lot) = self.change(id) {
            lot.closed_at = Some(now);
        }
    }

    /// An answer is none of it any more. Whatever was chosen of it, it is chosen anew from what is left once it closes again.
    pub(crate) fn leave(&mut self, id: i64, was_chosen: bool) -> bool {
        let Some(known) = self.change(id) else { return false };
        known.lot.answers -= 1;
        known.lot.chosen -= u32::from(was_chosen);
        (known.lot.closed, known.closed_at, known.is_full) = (false, None, false);
        true
    }

    pub(crate) fn decide(&mut self, id: i64, fate: LotFate, now: Timestamp) {
        if let Some(lot) = self.change(id) {
            (lot.fate, lot.lot.closed) = (Some(fate), true);
            lot.closed_at = lot.closed_at.or(Some(now));
        }
    }

    /// Those of a device in a run.
    pub(crate) fn of_device(&self, run: RunId, device: i64) -> Vec<i64> {
        let is_of = |lot: &KnownLot| lot.fate.is_none() && (lot.run, lot.device) == (run, device);
        self.0.iter().filter(|(_, lot)| is_of(lot)).map(|(id, _)| *id).collect()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (i64, &KnownLot)> {
        self.0.iter().filter(|(_, lot)| lot.fate.is_none()).map(|(id, lot)| (*id, lot))
    }

    /// What became of those that were decided and are not written yet.
    pub(crate) fn decided(&self) -> impl Iterator<Item = LotFate> {
        self.0.values().filter(|lot| lot.is_changed).filter_map(|lot| lot.fate)
    }

    /// What is here already is newer than its row.
    fn enter<R: Columns>(&mut self, rows: &[R]) -> Result<Vec<i64>, StoreError> {
        let mut ids = Vec::with_capacity(rows.len());
        for row in rows {
            let id = row.number("id")?;
            if let Entry::Vacant(entry) = self.0.entry(id) {
                entry.insert(KnownLot::read(row)?);
            }
            ids.push(id);
        }
        Ok(ids)
    }

    /// Reads the lots of these devices in these runs.
    pub(crate) async fn read_devices<T: Tx>(
        &mut self,
        tx: &mut T,
        devices: &BTreeSet<(i64, i64)>,
    ) -> Result<(), Fault> {
        let rows = tx.rows(&OF_DEVICES, &devices.iter().collect::<Vec<_>>()).await?;
        self.enter(&rows)?;
        Ok(())
    }

    /// Reads the open lots of these pools. Answers which they are.
    pub(crate) async fn read_nodes<T: Tx>(
        &mut self,
        tx: &mut T,
        nodes: &[(i64, &str)],
    ) -> Result<Vec<i64>, Fault> {
        let rows = tx.rows(&OF_NODES, nodes).await?;
        Ok(self.enter(&rows)?)
    }

    pub(crate) async fn read_all<T: Tx>(&mut self, tx: &mut T) -> Result<(), Fault> {
        let rows = tx.found(&UNDECIDED_LOTS, &[]).await?;
        self.enter(&rows)?;
        Ok(())
    }

    /// Writes what has changed since the last time.
    pub(crate) async fn write<T: Tx>(&mut self, tx: &mut T) -> Result<(), Fault> {
        let (mut opened, mut kept) = (Vec::new(), Vec::new());
        for (id, known) in self.0.iter_mut().filter(|(_, lot)| lot.is_changed) {
            let rows = if known.is_new { &mut opened } else { &mut kept };
            rows.push(Row::of(*id, known));
            (known.is_new, known.is_changed) = (false, false);
        }
        tx.change(&OPEN, &opened, &[]).await?;
        tx.change(&KEEP, &kept, &[]).await.map(drop)
    }
}

/// id, run, node, device, answers, chosen, checks under way, beginning, newest answer, end, fate
#[derive(Serialize)]
struct Row(i64, i64, String, i64, u32, u32, u32, i64, i64, Option<i64>, Option<&'static str>);

impl Row {
    fn of(id: i64, known: &KnownLot) -> Self {
        let KnownLot { run, node, device, lot, opened_at, newest_at, closed_at, fate, .. } = known;
        Self(
            id,
            run.number(),
            node.clone(),
            *device,
            lot.answers,
            lot.chosen,
            lot.open_checks,
            opened_at.0,
            newest_at.0,
            closed_at.map(|at| at.0),
            fate.map(LotFate::as_str),
        )
    }
}
