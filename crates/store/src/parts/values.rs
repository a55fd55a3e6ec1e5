//! Values of answers of which more than digests is compared, beside their jobs until one of them is believed.
//!
//! Two values are compared once, when the second one comes; whatever is decided later reads what was found then. What only a module can
//! tell it is asked later: see `opinions.rs`. For jobs whose answers are compared by their digests no statement here is carried out.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde::Serialize;
use weevil_model::{ContentHash, Encoded, JobId, ProjectId};
use weevil_queue::batch::{Change, Settled};
use weevil_queue::{Report, Submission};
use weevil_records::StoreError;
use weevil_trust::{Said, near};

use super::answers::AnswerBook;
use super::facts::each;
use super::judged_job::JudgedJob;
use super::spoken::Spoken;
use super::usage::UsageChanges;
use crate::driver::Dialect;
use crate::json::{corrupt, hex, within};
use crate::{Columns, Fault, Sql, Tx, both};

/// Bytes of values that are read at a time; those of one job come together.
const MAX_READ_BYTES: u64 = 32 * 1024 * 1024;
/// Bytes of a digest.
const DIGEST: usize = 32;

/// By the head of the primary key.
const KNOWN: Sql = both!("reading values of answers", [job int], "
select {LEAD}v.job, v.digest, v.alike, v.size, q.job as asked
from {ROWS} join answer_values v{BY_KEY} on v.job = s.job left join questions q{BY_KEY} on q.job = v.job and q.digest = v.digest");

/// By the primary key.
const READ: Sql = both!("reading values of answers", [job int, said hash], "
select {LEAD}v.job, v.digest, v.value from {ROWS} join answer_values v{BY_KEY} on v.job = s.job and v.digest = unhex(s.said)");

const KEEP: Sql = both!("keeping values of answers", [job int, said hash, near hex, bytes int, encoded hex], "
insert{IGNORE} into answer_values (job, digest, alike, size, value)
select {LEAD}s.job, unhex(s.said), unhex(s.near), s.bytes, unhex(s.encoded) from {ROWS}{UNLESS_THERE}");

/// What they are about has been kept before.
const ASK: Sql = both!("asking modules about answers", [project int, job int, said hash], "
insert{IGNORE} into questions (project, job, digest) select {LEAD}s.project, s.job, unhex(s.said) from {ROWS}{UNLESS_THERE}");

/// By the primary key.
const BESIDE: Sql = both!("keeping values of answers", jobs by id, [id int, encoded hex], "
update {TARGET} set result = unhex(s.encoded){SOURCE}");

/// By the head of the primary key.
const SIZES: Sql = both!("forgetting values of answers", [job int], "
select {LEAD}j.project, v.size from {ROWS} join answer_values v{BY_KEY} on v.job = s.job join jobs j on j.id = v.job");

/// By the head of the primary key. What is asked about them goes with them.
const FORGET: Sql = Sql {
    doing: "forgetting values of answers",
    sqlite: "delete from answer_values where job in (select value from jsonb_each(?1))",
    mysql: "
delete v from json_table(?, '$[*]' columns (job bigint path '$')) s straight_join answer_values v on v.job = s.job",
};

/// Reads what is known of them, for the jobs that have any.
pub(crate) async fn read<T: Tx>(tx: &mut T, book: &mut AnswerBook) -> Result<(), Fault> {
    let compared = book.iter().filter(|(_, job)| job.keeps_values());
    let jobs: Vec<JobId> = compared.map(|(id, _)| *id).collect();
    for row in tx.rows(&KNOWN, &each(&jobs)).await? {
        let Some(job) = book.get_mut(&row.job_id("job")?) else { continue };
        let (alike, is_asked_about) = (digests(&row.bytes("alike")?)?, row.maybe_number("asked")?.is_some());
        job.values.enter(row.hash("digest")?, row.unsigned("size")?, alike, is_asked_about);
    }
    Ok(())
}

/// What nobody has said of its job before.
pub(crate) struct NewValue {
    job: JobId,
    digest: ContentHash,
    value: Encoded,
    alike: BTreeSet<ContentHash>,
    /// The project in which a module is asked about it.
    asked: Option<ProjectId>,
}

/// Compares what is reported with all that was said of the same jobs before.
pub(crate) async fn compare<T: Tx>(
    tx: &mut T,
    submissions: &[Submission],
    spoken: &[Spoken<'_>],
    book: &mut AnswerBook,
) -> Result<Vec<NewValue>, Fault> {
    let said = submissions.iter().zip(spoken);
    let mut new: Vec<NewValue> =
        said.filter_map(|(submission, spoken)| new_value(submission.key.job, spoken, book)).collect();
    let mut rest = new.as_mut_slice();
    while !rest.is_empty() {
        let sizes = rest.iter().map(|new| book.get(&new.job).map_or(0, |job| job.values.bytes()));
        let many = fitting(sizes);
        let (part, later) = std::mem::take(&mut rest).split_at_mut(many);
        let near = part.iter().filter(|new| book.get(&new.job).is_some_and(|job| job.tolerance().is_some()));
        let keys: BTreeSet<Key> = near.flat_map(|new| keys_of(new.job, book)).collect();
        let known = values(tx, &keys).await?;
        for new in part {
            new.compare(&known, book);
        }
        rest = later;
    }
    Ok(new)
}

/// `None` for what a job has heard before, and where digests alone are compared.
fn new_value(id: JobId, spoken: &Spoken<'_>, book: &AnswerBook) -> Option<NewValue> {
    let (Report::Value(value), Some(Said::Value(digest))) = (&*spoken.report, &spoken.said) else {
        return None;
    };
    book.get(&id).filter(|job| job.keeps_values() && !job.values.hold(*digest))?;
    Some(NewValue { job: id, digest: *digest, value: value.clone(), alike: BTreeSet::new(), asked: None })
}

/// How many of these may be read at once: one at least.
fn fitting(sizes: impl Iterator<Item = u64>) -> usize {
    let mut bytes = 0_u64;
    let fits = |size: &u64| {
        bytes = bytes.saturating_add(*size);
        bytes <= MAX_READ_BYTES
    };
    sizes.take_while(fits).count().max(1)
}

impl NewValue {
    fn compare(&mut self, known: &HashMap<JobId, Vec<(ContentHash, Encoded)>>, book: &mut AnswerBook) {
        let Some(job) = book.get_mut(&self.job) else { return };
        if let Some(tolerance) = job.tolerance() {
            let others = known.get(&self.job).map(Vec::as_slice).unwrap_or_default();
            let alike = others.iter().filter(|(_, other)| near(other, &self.value, tolerance));
            self.alike = alike.map(|(digest, _)| *digest).collect();
        }
        self.asked = job.asks_about_next().then_some(job.project);
        let bytes = self.value.as_bytes().len() as u64;
        job.values.enter(self.digest, bytes, self.alike.clone(), self.asked.is_some());
    }

    /// An answer of an open job says so.
    fn counts(&self, ended: &HashSet<JobId>, book: &AnswerBook) -> bool {
        !ended.contains(&self.job) && book.get(&self.job).is_some_and(|job| job.has_said(self.digest))
    }

    fn row(&self) -> Row {
        let (digest, value) = (hex(self.digest.as_bytes()), self.value.as_bytes());
        Row(self.job.number(), digest, alike_column(&self.alike), value.len(), hex(value))
    }

    /// project, job, digest
    fn question(&self) -> Option<impl Serialize + Sync + use<>> {
        self.asked.map(|project| (project.number(), self.job.number(), hex(self.digest.as_bytes())))
    }
}

/// Keeps what answers have said, and what is to be asked about it; has the right values stand beside their jobs, and forgets those of
/// jobs that have ended. Answers how many questions there are more.
pub(crate) async fn follow<T: Dialect>(
    tx: &mut T,
    new: Vec<NewValue>,
    settled: &[Settled],
    book: &mut AnswerBook,
    usage: &mut UsageChanges,
) -> Result<u64, Fault> {
    let news = settled.iter().filter_map(|each| each.job.as_ref());
    let ended: HashSet<JobId> =
        news.filter(|job| matches!(job.change, Change::Ended(_))).map(|job| job.id).collect();
    let counting: Vec<&NewValue> = new.iter().filter(|new| new.counts(&ended, book)).collect();
    tx.change(&KEEP, &counting.iter().map(|new| new.row()).collect::<Vec<_>>(), &[]).await?;
    for new in &counting {
        let Some(job) = book.get(&new.job) else { continue };
        usage.keep(job.project, new.value.as_bytes().len() as u64);
    }
    let questions: Vec<_> = counting.iter().filter_map(|new| new.question()).collect();
    tx.change(&ASK, &questions, &[]).await?;
    bring(tx, book, usage).await?;
    let is_compared = |id: &JobId| book.get(id).is_some_and(JudgedJob::keeps_values);
    forget(tx, &ended.into_iter().filter(is_compared).collect::<Vec<_>>(), usage).await?;
    Ok(questions.len() as u64)
}

/// Has values stand beside their jobs that nobody reports just now.
pub(crate) async fn bring<T: Dialect>(
    tx: &mut T,
    book: &mut AnswerBook,
    usage: &mut UsageChanges,
) -> Result<(), Fault> {
    let mut brought = Vec::new();
    for (id, job) in book.iter_mut() {
        let Some((digest, bytes)) = job.values.take_brought() else { continue };
        usage.give_back(job.project, job.stored);
        usage.keep(job.project, bytes);
        job.stored = bytes;
        brought.push((Key(id.number(), hex(digest.as_bytes())), bytes));
    }
    brought.sort_unstable();
    let mut rest = brought.as_slice();
    while !rest.is_empty() {
        let (part, later) = rest.split_at(fitting(rest.iter().map(|(_, bytes)| *bytes)));
        let keys: BTreeSet<Key> = part.iter().map(|(key, _)| key.clone()).collect();
        let values = values(tx, &keys).await?;
        put_beside(tx, values).await?;
        rest = later;
    }
    Ok(())
}

async fn put_beside<T: Dialect>(
    tx: &mut T,
    values: HashMap<JobId, Vec<(ContentHash, Encoded)>>,
) -> Result<(), Fault> {
    let mut values: Vec<(JobId, Encoded)> =
        values.into_iter().flat_map(|(id, all)| all.into_iter().map(move |(_, value)| (id, value))).collect();
    values.sort_unstable_by_key(|(id, _)| id.number());
    tx.forget_results(&values.iter().map(|(id, _)| id.number()).collect::<Vec<_>>()).await?;
    let row = |(id, value): &(JobId, Encoded)| (id.number(), hex(within(value, T::IN_ROW)));
    tx.change(&BESIDE, &values.iter().map(row).collect::<Vec<_>>(), &[]).await?;
    tx.keep_results(&values.iter().map(|(id, value)| (*id, value)).collect::<Vec<_>>()).await
}

/// For jobs that have ended, or begin anew.
pub(crate) async fn forget<T: Tx>(tx: &mut T, jobs: &[JobId], usage: &mut UsageChanges) -> Result<(), Fault> {
    for row in tx.rows(&SIZES, &each(jobs)).await? {
        usage.give_back(row.id("project", ProjectId::from_number)?, row.unsigned("size")?);
    }
    tx.change(&FORGET, &each(jobs), &[]).await.map(drop)
}

async fn values<T: Tx>(
    tx: &mut T,
    keys: &BTreeSet<Key>,
) -> Result<HashMap<JobId, Vec<(ContentHash, Encoded)>>, Fault> {
    let mut values: HashMap<JobId, Vec<(ContentHash, Encoded)>> = HashMap::new();
    for row in tx.rows(&READ, &keys.iter().collect::<Vec<_>>()).await? {
        let value = (row.hash("digest")?, Encoded::trusted(row.bytes("value")?));
        values.entry(row.job_id("job")?).or_default().push(value);
    }
    Ok(values)
}

fn keys_of(id: JobId, book: &AnswerBook) -> Vec<Key> {
    let digests = book.get(&id).map(|job| job.values.digests());
    digests.into_iter().flatten().map(|digest| Key(id.number(), hex(digest.as_bytes()))).collect()
}

/// Digests one after the other.
pub(crate) fn alike_column(alike: &BTreeSet<ContentHash>) -> String {
    let digests: Vec<u8> = alike.iter().flat_map(|digest| *digest.as_bytes()).collect();
    hex(&digests)
}

fn digests(bytes: &[u8]) -> Result<BTreeSet<ContentHash>, StoreError> {
    let (digests, rest) = bytes.as_chunks::<DIGEST>();
    if rest.is_empty() {
        Ok(digests.iter().copied().map(ContentHash::from_bytes).collect())
    } else {
        Err(corrupt("digests that are not 32 bytes long each"))
    }
}

/// job, digest
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Key(i64, String);

/// job, digest, digests of those that are alike, bytes, value
#[derive(Serialize)]
struct Row(i64, String, String, usize, String);
