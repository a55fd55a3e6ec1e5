//! A certificate under way: page after page of what is stored of a run, or of a job, as lines.
//!
//! Never holds more than about twice [`MAX_VALUE_BYTES`](super::reader::MAX_VALUE_BYTES) of values, eight bytes for each job, and a few
//! numbers for each lot and each network.

use std::sync::Arc;

use weevil_model::trust::AssumedShare;
use weevil_model::{ContentHash, JobId, RunId, RunState};
use weevil_records::{JobRecord, RunRecord, Store, StoreError};
use weevil_trust::certificate::{Hex, Writer};

use super::Notary;
use super::head::Head;
use super::lines::Pen;
use super::reader::{Reader, Stored};

/// Lots that are read at a time.
const LOTS: u32 = 1024;

/// Where certificates come from.
#[derive(Clone)]
pub struct Certificates {
    pub store: Arc<dyn Store>,
    pub notary: Arc<dyn Notary>,
    /// The share of liars for what an earlier release took in.
    pub assumed: AssumedShare,
}

/// A certificate that is being written.
pub struct Certificate {
    from: Certificates,
    pen: Option<Pen>,
    /// The first line, until it was taken.
    first: Option<String>,
    run: Option<RunId>,
    reader: Reader,
    /// What was read while the lines before it were written.
    ahead: Option<Vec<Stored>>,
    /// The last lot that was told; all are once the end is.
    lot: Option<i64>,
    state: RunState,
    result: Option<ContentHash>,
}

impl Certificates {
    /// `None` for a run that goes on, and for one in which nothing is judged.
    ///
    /// # Errors
    /// The database does not answer, or holds what this release does not understand.
    pub async fn of_run(&self, run: RunRecord) -> Result<Option<Certificate>, StoreError> {
        if run.end.is_none() || !(run.assumed.is_some() || self.store.is_judged(run.id).await?) {
            return Ok(None);
        }
        let jobs = self.store.by_path(run.id).await?;
        let id = run.id;
        let head = Head::of_run(self, run).await?;
        Ok(Some(self.begin(head, Some(id), jobs)))
    }

    /// The same for a job that stands alone.
    ///
    /// # Errors
    /// As `of_run`.
    pub async fn of_job(&self, job: &JobRecord) -> Result<Option<Certificate>, StoreError> {
        let is_alone = job.origin.run().is_none();
        let Some(ended) = job.ended_at.filter(|_| is_alone && job.trust.is_judged()) else { return Ok(None) };
        let head = Head::of_job(self, job, ended).await?;
        Ok(Some(self.begin(head, None, vec![job.id])))
    }

    fn begin(&self, head: Head, run: Option<RunId>, jobs: Vec<JobId>) -> Certificate {
        let Head { line, of, reducers, state, result } = head;
        let (writer, first) = Writer::begin(line);
        Certificate {
            from: self.clone(),
            pen: Some(Pen::new(writer, self.notary.clone(), of, reducers)),
            first: Some(first),
            run,
            reader: Reader::new(Arc::clone(&self.store), jobs),
            ahead: None,
            lot: None,
            state,
            result,
        }
    }
}

impl Certificate {
    /// The next lines, as they stand in the file; `None` after the end.
    ///
    /// # Errors
    /// What was read is not whole: no certificate ends so.
    pub async fn next(&mut self) -> Result<Option<String>, StoreError> {
        if let Some(first) = self.first.take() {
            return Ok(Some(first));
        }
        let Some(pen) = self.pen.take() else { return Ok(None) };
        let stored = match self.ahead.take() {
            Some(stored) => stored,
            None => self.reader.next().await?,
        };
        if stored.is_empty() {
            return self.lot_lines(pen).await.map(Some);
        }
        let (written, ahead) = tokio::join!(job_lines(pen, stored), self.reader.next());
        let (lines, pen) = written?;
        self.ahead = Some(ahead?);
        self.pen = Some(pen);
        Ok(Some(lines))
    }

    async fn lot_lines(&mut self, mut pen: Pen) -> Result<String, StoreError> {
        let lots = match self.run {
            Some(run) => self.from.store.lot_facts(run, self.lot, LOTS).await?,
            None => Vec::new(),
        };
        let Some(last) = lots.last() else { return Ok(self.end(pen)) };
        self.lot = Some(last.id);
        let lines = lots.into_iter().map(|lot| pen.lot(lot)).collect();
        self.pen = Some(pen);
        Ok(lines)
    }

    fn end(&self, pen: Pen) -> String {
        let unsigned = pen.writer.end(self.state, self.result);
        let signature = self.from.notary.sign(&unsigned.message());
        unsigned.signed(Hex(signature))
    }
}

/// Answers the pen for what comes next.
async fn job_lines(mut pen: Pen, stored: Vec<Stored>) -> Result<(String, Pen), StoreError> {
    let written = tokio::task::spawn_blocking(move || {
        let lines = stored.into_iter().map(|(facts, values)| pen.job(facts, &values));
        lines.collect::<Result<String, StoreError>>().map(|lines| (lines, pen))
    });
    written.await.map_err(|error| corrupt(&error.to_string()))?
}

pub(super) fn corrupt(what: &str) -> StoreError {
    StoreError::Corrupt { what: what.to_owned() }
}
