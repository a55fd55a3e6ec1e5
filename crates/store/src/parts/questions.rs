//! Values of which modules of workflows are to say something, as whoever asks the modules reads them.
//!
//! Locks nothing: a question that is answered or gone meanwhile is no matter.

use weevil_model::{Agree, ContentHash, Encoded, JobId, ProjectId};
use weevil_records::{Question, QuestionKey, StoreError};

use crate::{Arg, Columns, Fault, Sql, Tx, both};

/// By the index of projects. The first ones of the project behind this one.
const NEXT: Sql = both!("reading questions to modules", "
select project, job, digest from questions{OF_PROJECTS}
where project = (select min(project) from questions{OF_PROJECTS} where project > ?) order by job, digest limit ?");

/// By the primary keys. What is asked about a job that has ended is not asked any more.
const ONE: Sql = both!("reading questions to modules", "
select j.path, j.fingerprint, j.agree, j.proof, v.value, case when j.proof is not null then {INPUT} end as input
from answer_values v{BY_KEY} join jobs j on j.id = v.job where v.job = ? and v.digest = ? and j.outcome is null");

/// By the head of the primary key: what was said of the job besides.
const OTHERS: Sql = both!(
    "reading questions to modules",
    "
select digest from answer_values v{BY_KEY} where v.job = ? and v.digest <> ? order by v.digest"
);

/// By the primary key.
const VALUE: Sql = both!(
    "reading questions to modules",
    "
select value from answer_values v{BY_KEY} where v.job = ? and v.digest = ?"
);

pub(crate) async fn next<T: Tx>(
    tx: &mut T,
    after: Option<ProjectId>,
    most: u32,
) -> Result<Vec<QuestionKey>, Fault> {
    let after = after.map_or(-1, ProjectId::number);
    let mut keys = Vec::new();
    for row in tx.found(&NEXT, &[after.into(), most.into()]).await? {
        let project = row.id("project", ProjectId::from_number)?;
        keys.push(QuestionKey { project, job: row.job_id("job")?, digest: row.hash("digest")? });
    }
    Ok(keys)
}

pub(crate) async fn one<T: Tx>(tx: &mut T, key: &QuestionKey) -> Result<Option<Question>, Fault> {
    let digest = Arg::Bytes(Some(key.digest.as_bytes()));
    let Some(row) = tx.one(&ONE, &[key.job.number().into(), digest]).await? else { return Ok(None) };
    let comparator = match row.agree()? {
        Agree::Module(module) => Some(module),
        Agree::Exact | Agree::Near(_) => None,
    };
    let mut others = Vec::new();
    if comparator.is_some() {
        for row in tx.found(&OTHERS, &[key.job.number().into(), digest]).await? {
            others.push(row.hash("digest")?);
        }
    }
    Ok(Some(question(&row, comparator, others)?))
}

pub(crate) async fn value<T: Tx>(
    tx: &mut T,
    job: JobId,
    digest: ContentHash,
) -> Result<Option<Encoded>, Fault> {
    let row = tx.one(&VALUE, &[job.number().into(), Arg::Bytes(Some(digest.as_bytes()))]).await?;
    Ok(row.map(|row| row.bytes("value").map(Encoded::trusted)).transpose()?)
}

fn question<R: Columns>(
    row: &R,
    comparator: Option<ContentHash>,
    others: Vec<ContentHash>,
) -> Result<Question, StoreError> {
    let proof = match row.maybe_hash("proof")? {
        Some(module) => Some((module, Encoded::trusted(row.bytes("input")?))),
        None => None,
    };
    let value = Encoded::trusted(row.bytes("value")?);
    Ok(Question {
        path: row.text("path")?,
        fingerprint: row.number("fingerprint")?,
        proof,
        comparator,
        value,
        others,
    })
}
