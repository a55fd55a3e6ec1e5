//! Jobs that the server computes itself, before volunteers are asked: checks of answers that took little time.
//!
//! Which jobs these may be, `decide::server` says; here it is seen what is known of each. Where the server asks for nothing, no
//! statement is carried out.

use std::collections::HashSet;

use weevil_model::ContentHash;
use weevil_model::witness::Engine;
use weevil_queue::decide::server::{MAX_COMPUTE_US, appetite};
use weevil_queue::{Batch, Claim, ServerAppetite};

use super::barred::{Barred, MAX_PASSED_OVER};
use super::claim::failed_by;
use super::deal::{Dealt, Deck, Ready, deal_in_order};
use super::left_out::AGREE;
use super::ranks::Ranks;
use super::stopped;
use crate::driver::Dialect;
use crate::paused::Paused;
use crate::{Columns, Fault, Sql, both};

const SERVER: &str = Engine::Server.as_str();

/// By the primary keys: jobs of which an answer that is not decided took little time. What the server says of such a code has differed too
/// often where it is left out.
const QUICK: Sql = both!("looking for answers that took little time", [job int], "
select {LEAD}a.job from {ROWS} join jobs j on j.id = s.job join answers a{BY_KEY} on a.job = s.job
join attempts t{BY_KEY} on t.job = a.job and t.number = a.number
left join left_out l{BY_KEY} on l.code = j.code and l.agree = {AGREE} and l.engine = '{SERVER}'
where a.given_at is not null and a.fate is null and t.compute_us <= {MAX_COMPUTE_US} and l.code is null");

/// What the server is dealt of what is ready.
pub(crate) async fn deal<T: Dialect>(
    tx: &mut T,
    (batch, paused): (&Batch, &Paused),
    ask: &ServerAppetite,
    ranks: &Ranks<'_>,
) -> Result<(Vec<Dealt<T::Row>>, Barred), Fault> {
    let asks = [appetite(ask.wants)];
    let wants = batch.claim.tokens.len().min(ask.wants as usize);
    let tokens = &batch.claim.tokens[..wants];
    let server = Some(ask.clone());
    let claim = Claim { asks: asks.to_vec(), tokens: tokens.to_vec(), server, ..Claim::default() };
    let mut ready = tx.ready(&claim, MAX_PASSED_OVER).await?;
    stopped::hold(tx, &mut ready, paused).await?;
    let ready = quick(tx, ready, &ask.unsaid).await?;
    let barred = Barred::of(tx, &ready, &asks, batch, ranks).await?;
    let failed_by = failed_by(tx, &ready).await?;
    let deck = Deck { asks: &asks, tokens, failed_by: &failed_by, barred: &barred, company: &batch.company };
    let (dealt, _) = deal_in_order(ready, &deck)?;
    Ok((dealt, barred))
}

/// Those of them of which the server may have something to say soon enough.
async fn quick<T: Dialect>(
    tx: &mut T,
    ready: Vec<Ready<T::Row>>,
    unsaid: &[ContentHash],
) -> Result<Vec<Ready<T::Row>>, Fault> {
    let mut asked = Vec::new();
    for job in &ready {
        if !unsaid.contains(&job.row.hash("code")?) {
            asked.push(job.row.number("id")?);
        }
    }
    let mut quick = HashSet::new();
    for row in tx.rows(&QUICK, &asked).await? {
        quick.insert(row.number("job")?);
    }
    let mut chosen = Vec::new();
    for job in ready {
        if quick.contains(&job.row.number("id")?) {
            chosen.push(job);
        }
    }
    Ok(chosen)
}
