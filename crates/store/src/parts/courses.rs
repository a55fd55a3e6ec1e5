//! How runs went: read on their own, since what is kept of a large run has 100 kB. Written with the run's end.

use weevil_model::RunId;
use weevil_records::{NodeStates, of_column};

use crate::json::corrupt;
use crate::{Columns, Fault, Sql, Tx};

/// By the primary key.
const STATES: Sql = Sql::of("reading the states of a run's nodes", "select states from runs where id = ?");

pub(crate) async fn node_states<T: Tx>(tx: &mut T, run: RunId) -> Result<Option<NodeStates>, Fault> {
    let Some(row) = tx.one(&STATES, &[run.number().into()]).await? else { return Ok(None) };
    let column = row.maybe_bytes("states")?;
    let unread = |why: String| corrupt(&format!("the states of nodes: {why}"));
    Ok(column.map(|column| of_column(&column).map_err(unread)).transpose()?)
}
