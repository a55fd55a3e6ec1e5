//! What modules of workflows say of values that answers have given: it is kept, and the jobs that waited for it are decided.
//!
//! Asks no module anything: what is to be asked is read by `questions.rs`, and the engine asks it.

use std::collections::BTreeSet;

use weevil_model::{JobId, Pause, RunId, RunPause};
use weevil_queue::Opinion;
use weevil_queue::batch::PausedRun;

use super::answers::AnswerBook;
use super::apply::Work;
use super::pause::stop_run;
use super::ruled::{open, settle};
use super::values::alike_column;
use crate::driver::Dialect;
use crate::json::hex;
use crate::{Fault, Sql};

/// By the primary key.
const SAY: Sql = Sql {
    doing: "keeping what modules say",
    sqlite: "
update answer_values set alike = unhex(s.near)
from (select value ->> 0 as job, unhex(value ->> 1) as digest, value ->> 2 as print, value ->> 3 as near from jsonb_each(?1)) s
join jobs j on j.id = s.job
where answer_values.job = s.job and answer_values.digest = s.digest and j.fingerprint = s.print",
    mysql: "
update json_table(?, '$[*]' columns (job bigint path '$[0]', said varchar(64) path '$[1]', print bigint path '$[2]', near longtext path '$[3]')) s
straight_join jobs j force index (primary) on j.id = s.job and j.fingerprint = s.print
straight_join answer_values v force index (primary) on v.job = s.job and v.digest = unhex(s.said) set v.alike = unhex(s.near)",
};

/// By the primary key.
const ANSWERED: Sql = Sql {
    doing: "keeping what modules say",
    sqlite: "
delete from questions where (job, digest) in (select j.id, unhex(s.value ->> 1) from jsonb_each(?1) s join jobs j on j.id = s.value ->> 0
    where j.fingerprint = s.value ->> 2 or (s.value ->> 2 is null and j.outcome is not null))",
    mysql: "
delete q from json_table(?, '$[*]' columns (job bigint path '$[0]', said varchar(64) path '$[1]', print bigint path '$[2]')) s
straight_join jobs j force index (primary) on j.id = s.job
    and (j.fingerprint = s.print or (s.print is null and j.outcome is not null))
straight_join questions q force index (primary) on q.job = s.job and q.digest = unhex(s.said)",
};

/// Nothing where no module was asked. A job that has ended meanwhile, or has another input, does not hear of it; for another input the
/// same value is asked about anew.
pub(crate) async fn hear<T: Dialect>(tx: &mut T, work: &mut Work<'_>) -> Result<(), Fault> {
    let opinions = &work.batch.opinions;
    if opinions.is_empty() {
        return Ok(());
    }
    let key = |opinion: &Opinion| (opinion.job.number(), hex(opinion.digest.as_bytes()), opinion.about);
    let alike: Vec<_> = opinions
        .iter()
        .filter(|opinion| !opinion.alike.is_empty())
        .map(|opinion| {
            let (job, digest, about) = key(opinion);
            (job, digest, about, alike_column(&opinion.alike))
        })
        .collect();
    tx.change(&SAY, &alike, &[]).await?;
    tx.change(&ANSWERED, &opinions.iter().map(key).collect::<Vec<_>>(), &[]).await?;
    let jobs: BTreeSet<JobId> = opinions.iter().map(|opinion| opinion.job).collect();
    let mut book = open(tx, &jobs.into_iter().collect::<Vec<_>>()).await?;
    stop_failing(tx, work, opinions, &book).await?;
    for opinion in opinions {
        let Some(job) = book.get_mut(&opinion.job) else { continue };
        let heard = opinion.about == Some(job.fingerprint) && job.hear(opinion.digest, opinion.proof);
        work.bench.judgements.counts.by_proof += u64::from(heard && opinion.proof.is_some());
    }
    settle(tx, work, book).await
}

/// A run whose module has failed waits until somebody has seen to it.
async fn stop_failing<T: Dialect>(
    tx: &mut T,
    work: &mut Work<'_>,
    opinions: &[Opinion],
    book: &AnswerBook,
) -> Result<(), Fault> {
    let mut stopped: BTreeSet<RunId> = BTreeSet::new();
    for Opinion { job, about, failed, .. } in opinions {
        let Some(words) = failed else { continue };
        let run = book.get(job).filter(|job| *about == Some(job.fingerprint)).and_then(|job| job.run);
        let Some(run) = run.filter(|run| !work.paused.has(*run) && stopped.insert(*run)) else { continue };
        let why = Pause::AgreeFailed(words.clone());
        if stop_run(tx, run, &why, work.now).await? {
            work.paused.add(run);
            work.outcomes.paused.push(PausedRun { run, pause: RunPause { since: work.now, why } });
        }
    }
    Ok(())
}
