//! What the answers of a batch have come to: counted along, and kept for each run, so that nobody has to look at its jobs for it.
//!
//! Decides nothing: see `judged.rs`.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use weevil_model::trust::AssumedShare;
use weevil_model::witness::{Engine, Rank, Witness};
use weevil_model::{AnswerRole, RunId};
use weevil_queue::{AnswerCounts, RunJudgement};
use weevil_records::StoreError;
use weevil_trust::{Basis, Bound, Plan};

use super::credit::Credits;
use crate::{Columns, Fault, Sql, Tx, both};

const COLUMNS: &str =
    "g.run, g.answers, g.refuted, g.trusted, g.proved, g.agreed, g.in_lots, g.bounded, g.wrong, g.liars";

/// One statement, whether or not a run has a row: see `devices.rs`.
const ADD: Sql = Sql {
    doing: "adding up how runs are judged",
    sqlite: "
insert into judgements (run, answers, refuted, trusted, agreed, in_lots, bounded, wrong, liars, proved)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8, value ->> 9
from jsonb_each(?1) where true
on conflict (run) do update set answers = answers + excluded.answers, refuted = refuted + excluded.refuted,
    trusted = max(trusted + excluded.trusted, 0), proved = proved + excluded.proved, agreed = agreed + excluded.agreed, in_lots = max(in_lots + excluded.in_lots, 0),
    bounded = max(bounded + excluded.bounded, 0), wrong = max(wrong + excluded.wrong, 0),
    liars = coalesce(min(liars, excluded.liars), liars, excluded.liars)",
    mysql: "
insert into judgements (run, answers, refuted, trusted, agreed, in_lots, bounded, wrong, liars, proved)
select s.a, s.b, s.c, s.d, s.e, s.f, s.g, s.h, s.i, s.j from json_table(?, '$[*]' columns (
    a bigint path '$[0]', b bigint path '$[1]', c bigint path '$[2]', d bigint path '$[3]', e bigint path '$[4]',
    f bigint path '$[5]', g bigint path '$[6]', h double path '$[7]', i bigint path '$[8]', j bigint path '$[9]')) s where true
on duplicate key update answers = answers + values(answers), refuted = refuted + values(refuted),
    trusted = greatest(trusted + values(trusted), 0), proved = proved + values(proved), agreed = agreed + values(agreed), in_lots = greatest(in_lots + values(in_lots), 0),
    bounded = greatest(bounded + values(bounded), 0), wrong = greatest(wrong + values(wrong), 0),
    liars = coalesce(least(liars, values(liars)), liars, values(liars))",
};

/// By the primary key: what these runs have come to with that.
const OF_RUNS: Sql = both!("reading how runs are judged", [run int], "
select {LEAD}{COLUMNS} from {ROWS} join judgements g{BY_KEY} on g.run = s.run");

/// By the primary key.
const OF_RUN: Sql =
    both!("reading how a run is judged", "select {COLUMNS} from judgements g{BY_KEY} where g.run = ?");

/// What a batch adds.
pub(crate) struct Judgements {
    liars: AssumedShare,
    pub(crate) counts: AnswerCounts,
    runs: BTreeMap<i64, Added>,
    pub(crate) credits: Credits,
    /// What is taken from devices, since jobs that were believed are open again.
    pub(crate) taken: Credits,
    /// Jobs that were believed: whoever agreed is credited for them.
    pub(crate) believed: BTreeSet<i64>,
}

#[derive(Default)]
struct Added {
    sums: RunJudgement,
    bound: Bound,
    /// What was added before and is not so any more.
    gone: Gone,
}

#[derive(Default)]
struct Gone {
    trusted: u64,
    in_lots: u64,
    bound: Bound,
}

impl Judgements {
    pub(crate) fn new(liars: AssumedShare) -> Self {
        let (counts, runs) = (AnswerCounts::default(), BTreeMap::new());
        let (credits, taken) = (Credits::new(), Credits::new());
        Self { liars, counts, runs, credits, taken, believed: BTreeSet::new() }
    }

    /// Nothing is kept of a job that stands alone.
    fn add(&mut self, run: Option<RunId>) -> Option<&mut Added> {
        run.map(|run| self.runs.entry(run.number()).or_default())
    }

    /// An answer has come.
    pub(crate) fn answer(&mut self, run: Option<RunId>, role: AnswerRole, rank: Rank, witness: &Witness) {
        self.counts.give(role, rank);
        self.counts.by_server += u64::from(witness.engine == Engine::Server);
        if let Some(device) = witness.device {
            self.credits.entry(device).or_default().given += 1;
        }
        if let Some(added) = self.add(run) {
            added.sums.answers += 1;
        }
    }

    pub(crate) fn refute(&mut self, run: Option<RunId>, device: Option<i64>) {
        self.counts.refuted += 1;
        if let Some(device) = device {
            self.credits.entry(device).or_default().differed += 1;
        }
        if let Some(added) = self.add(run) {
            added.sums.refuted += 1;
        }
    }

    /// A job is believed by itself. `plan`: that of its policy, where it has one.
    pub(crate) fn accept(&mut self, run: Option<RunId>, basis: Basis, plan: Option<&Plan>) {
        let liars = self.liars;
        let Some(Added { sums, bound, .. }) = self.add(run) else { return };
        match basis {
            Basis::Trusted => sums.trusted += 1,
            Basis::Proved => sums.proved += 1,
            Basis::Agreed | Basis::Lot => sums.agreed += 1,
        }
        let Some(plan) = plan else { return };
        match basis {
            Basis::Trusted | Basis::Proved => bound.trusted(1),
            Basis::Agreed | Basis::Lot => bound.alone(plan, 1),
        }
        sums.liars = Some(liars);
    }

    /// So many jobs are believed with their lot.
    pub(crate) fn accept_in_lot(&mut self, run: RunId, jobs: u64) {
        if let Some(added) = self.add(Some(run)) {
            added.sums.in_lots += jobs;
        }
    }

    /// A lot of so many answers is accepted.
    pub(crate) fn accept_lot(&mut self, run: RunId, plan: &Plan, answers: u32) {
        let liars = self.liars;
        if let Some(Added { sums, bound, .. }) = self.add(Some(run)) {
            bound.lot(plan, answers);
            sums.liars = Some(liars);
        }
    }

    /// A job is open again that was believed with its lot, or on the word of a trusted device.
    pub(crate) fn take_back(&mut self, run: RunId, in_lot: bool) {
        let Some(Added { gone, .. }) = self.add(Some(run)) else { return };
        if in_lot {
            gone.in_lots += 1;
        } else {
            gone.trusted += 1;
            gone.bound.trusted(1);
        }
    }

    /// Nothing of a lot of so many answers is believed any more.
    pub(crate) fn take_lot_back(&mut self, run: RunId, plan: &Plan, answers: u32) {
        if let Some(Added { gone, .. }) = self.add(Some(run)) {
            gone.bound.lot(plan, answers);
        }
    }

    /// Devices for which something was counted.
    pub(crate) fn counted(&self) -> Vec<i64> {
        let devices: BTreeSet<i64> = self.credits.keys().chain(self.taken.keys()).copied().collect();
        devices.into_iter().collect()
    }

    /// Writes what was added. Answers what the runs have come to with it.
    pub(crate) async fn write<T: Tx>(&self, tx: &mut T) -> Result<Vec<(RunId, RunJudgement)>, Fault> {
        let rows: Vec<Row> = self.runs.iter().map(|(run, added)| Row::of(*run, added)).collect();
        tx.change(&ADD, &rows, &[]).await?;
        let runs: Vec<&i64> = self.runs.keys().collect();
        let found = tx.rows(&OF_RUNS, &runs).await?;
        Ok(found
            .iter()
            .map(|row| Ok((row.run_id("run")?, judgement(row)?)))
            .collect::<Result<_, StoreError>>()?)
    }
}

/// run, answers, refuted, trusted, agreed, in lots, bounded, wrong, assumed liars, proved
#[derive(Serialize)]
struct Row(i64, u64, u64, i64, u64, i64, i64, f64, Option<u32>, u64);

impl Row {
    fn of(run: i64, Added { sums, bound, gone }: &Added) -> Self {
        let RunJudgement { answers, refuted, trusted, proved, agreed, in_lots, liars, .. } = *sums;
        let liars = liars.map(AssumedShare::millionths);
        let more = |now: u64, before: u64| now.cast_signed().saturating_sub(before.cast_signed());
        let (trusted, in_lots) = (more(trusted, gone.trusted), more(in_lots, gone.in_lots));
        let (bounded, wrong) = (more(bound.jobs(), gone.bound.jobs()), bound.wrong() - gone.bound.wrong());
        Self(run, answers, refuted, trusted, agreed, in_lots, bounded, wrong, liars, proved)
    }
}

/// All zero of a run that nobody judges.
pub(crate) async fn of_run<T: Tx>(tx: &mut T, run: RunId) -> Result<RunJudgement, Fault> {
    let row = tx.one(&OF_RUN, &[run.number().into()]).await?;
    Ok(row.as_ref().map(judgement).transpose()?.unwrap_or_default())
}

fn judgement<R: Columns>(row: &R) -> Result<RunJudgement, StoreError> {
    Ok(RunJudgement {
        answers: row.unsigned("answers")?,
        refuted: row.unsigned("refuted")?,
        trusted: row.unsigned("trusted")?,
        proved: row.unsigned("proved")?,
        agreed: row.unsigned("agreed")?,
        in_lots: row.unsigned("in_lots")?,
        bounded: row.unsigned("bounded")?,
        wrong: row.real("wrong")?,
        liars: row.maybe_small("liars")?.and_then(AssumedShare::of_millionths),
    })
}
