//! What the networks of a run are told apart by: made with its first judged job, and forgotten with its end.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use weevil_model::{ContentHash, RunId};
use weevil_records::StoreError;

use crate::json::hex;
use crate::{Columns, Fault, Sql, Tx, both};

/// By the primary key.
const SALTS: Sql = both!("telling networks apart", [run int], "
select {LEAD}k.run, k.salt from {ROWS} join salts k on k.run = s.run");

/// One that another server has made meanwhile stays.
const ADD_SALTS: Sql = both!("telling networks apart", [run int, salt hash], "
insert{IGNORE} into salts (run, salt) select {LEAD}s.run, unhex(s.salt) from {ROWS}{UNLESS_THERE}");

/// run, salt
#[derive(Serialize)]
struct SaltRow(i64, String);

/// That of each run; made of the batch's chance where there is none yet.
pub(crate) async fn of<T: Tx>(
    tx: &mut T,
    runs: &HashSet<Option<RunId>>,
    chance: &[u8; 32],
) -> Result<HashMap<RunId, ContentHash>, Fault> {
    let mut wanted: Vec<i64> = runs.iter().flatten().map(|run| run.number()).collect();
    wanted.sort_unstable();
    let mut known = read_salts(tx, &wanted).await?;
    let is_new = |run: &&i64| !known.keys().any(|known| known.number() == **run);
    let made = |run: &i64| {
        let salt = ContentHash::of_parts([("salt", chance.as_slice()), ("run", &run.to_be_bytes())]);
        SaltRow(*run, hex(salt.as_bytes()))
    };
    let new: Vec<SaltRow> = wanted.iter().filter(is_new).map(made).collect();
    if !new.is_empty() {
        tx.change(&ADD_SALTS, &new, &[]).await?;
        known = read_salts(tx, &wanted).await?;
    }
    Ok(known)
}

pub(crate) async fn read_salts<T: Tx>(
    tx: &mut T,
    runs: &[i64],
) -> Result<HashMap<RunId, ContentHash>, Fault> {
    let rows = tx.rows(&SALTS, runs).await?;
    let salt = |row: &T::Row| Ok((row.run_id("run")?, row.hash("salt")?));
    Ok(rows.iter().map(salt).collect::<Result<_, StoreError>>()?)
}

/// The pseudonym of a network in a run.
pub(crate) fn salted(salt: ContentHash, network: i64) -> i64 {
    let parts = [("salt", salt.as_bytes().as_slice()), ("network", &network.to_be_bytes())];
    ContentHash::of_parts(parts).seed().cast_signed() & i64::MAX
}
