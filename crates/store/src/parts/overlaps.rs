//! Who could be somebody that has answered a job: for people who ask why nobody takes it.

use weevil_model::witness::Witness;
use weevil_model::{JobId, RunId};

use super::answers::witness;
use super::barred::ANSWERED_BY;
use super::salts;
use crate::{Fault, Tx};

/// For each of these witnesses, in their order, whether it is not certainly somebody else.
pub(crate) async fn of_job<T: Tx>(
    tx: &mut T,
    job: JobId,
    run: Option<RunId>,
    witnesses: &[Witness],
) -> Result<Vec<bool>, Fault> {
    let mut answers = Vec::new();
    for row in tx.rows(&ANSWERED_BY, &[job.number()]).await? {
        answers.push(witness(&row)?);
    }
    let salt = match run {
        Some(run) => salts::read_salts(tx, &[run.number()]).await?.get(&run).copied(),
        None => None,
    };
    let overlaps = |one: &Witness| {
        let salted = |network| salt.map_or(network, |salt| salts::salted(salt, network));
        let one = Witness { network: one.network.map(salted), ..*one };
        answers.iter().any(|answer| !one.is_independent_of(answer))
    };
    Ok(witnesses.iter().map(overlaps).collect())
}
