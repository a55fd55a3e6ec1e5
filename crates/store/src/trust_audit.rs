//! What the audit can only work out itself: whether lots were looked at as deep as their plan asks, and whether what is believed has the
//! digest that answers agreed on.
//!
//! Reads in steps: a database may hold more values than fit into memory.

use std::collections::BTreeMap;

use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::{Encoded, digest};
use weevil_records::StoreError;
use weevil_trust::Plan;

use crate::audit::{AUDITING, Reader};
use crate::both;
use crate::sql::Sql;
use crate::words::{AGREED, LOT_ACCEPTED, SHARE, VALUE};

pub(crate) const PLAN_RULE: &str =
    "of the answers of a lot that was accepted as many were chosen to be checked as its plan asks for";
pub(crate) const DIGEST_RULE: &str =
    "the value that is believed of a job has a digest that an answer said which agreed";

/// Jobs whose values are read at a time.
const STEP: i64 = 256;

/// Policy, assumed share, answers and chosen ones, and how many lots are so. A run of an earlier release does not say what was assumed.
const LOTS: Sql = Sql::of(
    AUDITING,
    const_format::formatcp!(
        "select cast(j.trust as signed), cast(r.assumed as signed), cast(l.answers as signed), cast(l.chosen as signed), count(*) from (
             select l.id, l.run, l.answers, l.chosen, min(x.job) as job
             from lots l join answers x on x.lot = l.id where l.fate = '{LOT_ACCEPTED}' group by l.id, l.run, l.answers, l.chosen
         ) l join runs r on r.id = l.run join jobs j on j.id = l.job where r.assumed is not null
         group by j.trust, r.assumed, l.answers, l.chosen"
    ),
);

const VALUES: Sql = both!("auditing", "
select j.id, {RESULT} from jobs j where j.trust <> 0 and j.outcome = '{VALUE}' and j.reused is null and j.id > ?
order by j.id limit {STEP}");

const DIGESTS: Sql = Sql::of(
    AUDITING,
    const_format::formatcp!(
        "select job, digest from answers where fate = '{AGREED}' and digest is not null and job > ? and job <= ?"
    ),
);

/// Lots of which it is not so.
pub(crate) async fn shallow_lots(reader: &mut Reader) -> Result<u64, StoreError> {
    let mut shallow = 0;
    for row in reader.numbers::<5>(&LOTS).await? {
        let [policy, assumed, answers, chosen, lots] = row.map(|number| u32::try_from(number).ok());
        let plan = policy.zip(assumed).and_then(|(policy, assumed)| plan(policy, assumed));
        let Some((plan, answers)) = plan.zip(answers) else { continue };
        if chosen < Some(plan.depth(answers).chosen) {
            shallow += u64::from(lots.unwrap_or_default());
        }
    }
    Ok(shallow)
}

fn plan(policy: u32, assumed: u32) -> Option<Plan> {
    let Some(Policy::Credible(error)) = Policy::from_number(policy & SHARE) else { return None };
    Plan::new(error, AssumedShare::of_millionths(assumed)?).ok()
}

/// Jobs of which it is not so. That something has agreed is a rule of its own.
pub(crate) async fn strange_values(reader: &mut Reader) -> Result<u64, StoreError> {
    let (mut after, mut strange) = (-1, 0);
    loop {
        let values = reader.bytes(&VALUES, &[after]).await?;
        let Some((last, _)) = values.last() else { return Ok(strange) };
        let mut agreed = BTreeMap::<i64, Vec<Vec<u8>>>::new();
        for (job, digest) in reader.bytes(&DIGESTS, &[after, *last]).await? {
            agreed.entry(job).or_default().push(digest);
        }
        after = *last;
        for (job, value) in values {
            let found = digest(&Encoded::trusted(value));
            let is_strange = |said: &Vec<Vec<u8>>| said.iter().all(|said| said != found.as_bytes());
            strange += u64::from(agreed.get(&job).is_some_and(is_strange));
        }
    }
}
