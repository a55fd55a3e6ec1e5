//! Pausing and resuming, of a run and of everything; and resuming of a code that is stopped.

use const_format::formatcp;
use weevil_model::{Pause, PauseWords, ProjectId, QueuePause, RunId, RunPause, Timestamp};
use weevil_queue::QueueCode;
use weevil_records::{Scope, StoppedSince};

use super::runs;
use crate::words::{HELD, READY};
use crate::{Arg, Columns, Fault, Sql, Tx, both};

/// Where a run's pause stands; nulls while it goes on.
const PAUSE: &str = "paused_at, paused_why, paused_words, paused_by, paused_note";

/// MySQL locks the run, so that it does not end meanwhile; SQLite has one writer.
const OPEN: Sql =
    both!("pausing or resuming", "select {PAUSE} from runs where id = ? and finished_at is null{LOCK}");

/// Nulls resume. By the primary key.
const MARK: Sql = Sql::of(
    "pausing or resuming",
    "update runs set paused_at = ?, paused_why = ?, paused_words = ?, paused_by = ?, paused_note = ? where id = ?",
);

/// By the primary key.
const OF_RUN: Sql = Sql::of("asking for a pause", formatcp!("select {PAUSE} from runs where id = ?"));

/// By the head of the primary key. What made the server pause the run counts anew.
const COUNT_ANEW: Sql = Sql::of("pausing or resuming", "delete from scattered where run = ?");

/// By the run, which leads the unique index. A held job has no moment: its longest wait stops with its run.
const HOLD: Sql = Sql::of(
    "pausing or resuming",
    formatcp!("update jobs set delivery = {HELD}, due_at = null where run = ? and delivery = {READY}"),
);

/// The longest wait begins anew, as nobody could take the job meanwhile; where there is no such wait, the sum is
/// null. On SQLite by the index of held jobs alone.
const LET_GO: Sql = Sql::of(
    "pausing or resuming",
    formatcp!(
        "update jobs set delivery = {READY}, due_at = ? + max_wait_ms where run = ? and delivery = {HELD}"
    ),
);

/// By the primary key.
const ALLOW: Sql =
    Sql::of("letting a code go", "delete from stopped_codes where project = ? and queue = ? and code = ?");

/// Among the held jobs, of which each database has an index. Their longest wait begins anew as above.
const LET_CODE_GO: Sql = Sql::of(
    "letting a code go",
    formatcp!(
        "
update jobs set delivery = {READY}, due_at = ? + max_wait_ms
where delivery = {HELD} and run is null and project = ? and queue = ? and code = ?"
    ),
);

/// The newest first; as many as a page may show, of each project as many as it may have.
const STOPPED: Sql = both!(
    "listing codes that are stopped",
    "
select c.project, {CODE_QUEUE} as queue, c.code, c.example, c.stopped_at from stopped_codes c
where ? is null or c.project = ? order by c.stopped_at desc, c.example desc limit ?"
);

/// One row from one server. Should two pause at once, `OF_QUEUE` tells of the earlier and `START` removes both.
const STOP: Sql = Sql::of(
    "pausing or resuming",
    "
insert into queue_pause (since, paused_by, paused_note)
select at, who, note from (select ? as at, ? as who, ? as note) m where not exists (select 1 from queue_pause)",
);

/// The table has one row at most.
const SAY: Sql = Sql::of("pausing or resuming", "update queue_pause set paused_by = ?, paused_note = ?");

/// Only where the queue was paused; by the index of moments.
const WAIT_ANEW: Sql = Sql::of(
    "pausing or resuming",
    formatcp!(
        "
update jobs set due_at = ? + max_wait_ms
where delivery = {READY} and due_at is not null and exists (select 1 from queue_pause)"
    ),
);

/// The table has one row at most.
const START: Sql = Sql::of("pausing or resuming", "delete from queue_pause");

/// The table has one row at most.
const OF_QUEUE: Sql = Sql::of(
    "asking for a pause",
    "select since, paused_by, paused_note from queue_pause order by since limit 1",
);

pub(crate) async fn pause<T: Tx>(
    tx: &mut T,
    scope: Scope,
    paused: Option<&PauseWords>,
    now: Timestamp,
) -> Result<bool, Fault> {
    match (scope, paused) {
        (Scope::Run(run), Some(words)) => stop_run(tx, run, &Pause::Wanted(words.clone()), now).await,
        (Scope::Run(run), None) => resume_run(tx, run, now).await,
        (Scope::Queue, Some(words)) => pause_queue(tx, words, now).await.map(|()| true),
        (Scope::Queue, None) => resume_queue(tx, now).await.map(|()| true),
    }
}

/// Mark and jobs change together, and no claim comes in between: after the answer nothing of the run is handed out. Answers
/// whether there is such a run, open still.
pub(crate) async fn stop_run<T: Tx>(
    tx: &mut T,
    run: RunId,
    why: &Pause,
    now: Timestamp,
) -> Result<bool, Fault> {
    let run = run.number();
    let Some(row) = tx.one(&OPEN, &[run.into()]).await? else { return Ok(false) };
    let before = runs::pause(&row)?;
    if before.as_ref().is_some_and(|before| says_no_more(why, &before.why)) {
        return Ok(true);
    }
    let since = before.map_or(now, |before| before.since);
    let [by, note] = said(why.person());
    tx.run(&MARK, &[since.into(), Arg::Text(why.reason()), Arg::Text(why.words()), by, note, run.into()])
        .await?;
    tx.run(&HOLD, &[run.into()]).await?;
    Ok(true)
}

/// A person pauses what a person has paused, and has nothing to say.
fn says_no_more(why: &Pause, before: &Pause) -> bool {
    before.person().is_some() && why.person().is_some_and(|words| words.note.is_none())
}

fn said(words: Option<&PauseWords>) -> [Arg<'_>; 2] {
    let (by, note) = words.map(|words| (words.by.as_deref(), words.note.as_deref())).unzip();
    [Arg::Text(by.flatten()), Arg::Text(note.flatten())]
}

async fn resume_run<T: Tx>(tx: &mut T, run: RunId, now: Timestamp) -> Result<bool, Fault> {
    let run = run.number();
    if tx.one(&OPEN, &[run.into()]).await?.is_none() {
        return Ok(false);
    }
    let none = || Arg::Text(None);
    tx.run(&MARK, &[Arg::Number(None), none(), none(), none(), none(), run.into()]).await?;
    tx.run(&COUNT_ANEW, &[run.into()]).await?;
    tx.run(&LET_GO, &[now.into(), run.into()]).await?;
    Ok(true)
}

/// What is paused keeps its moment, and its words where there is no other note.
async fn pause_queue<T: Tx>(tx: &mut T, words: &PauseWords, now: Timestamp) -> Result<(), Fault> {
    let [by, note] = said(Some(words));
    let is_new = tx.run(&STOP, &[now.into(), by, note]).await? > 0;
    if !is_new && words.note.is_some() {
        tx.run(&SAY, &said(Some(words))).await?;
    }
    Ok(())
}

async fn resume_queue<T: Tx>(tx: &mut T, now: Timestamp) -> Result<(), Fault> {
    tx.run(&WAIT_ANEW, &[now.into()]).await?;
    tx.run(&START, &[]).await.map(drop)
}

/// Answers whether the code was stopped.
pub(crate) async fn resume_code<T: Tx>(tx: &mut T, code: &QueueCode, now: Timestamp) -> Result<bool, Fault> {
    let project = code.project.number().into();
    let (queue, hash) = (Arg::Key(&code.queue), Arg::Bytes(Some(code.code.as_bytes())));
    if tx.run(&ALLOW, &[project, queue, hash]).await? == 0 {
        return Ok(false);
    }
    tx.run(&LET_CODE_GO, &[now.into(), project, queue, hash]).await?;
    Ok(true)
}

pub(crate) async fn stopped<T: Tx>(
    tx: &mut T,
    project: Option<ProjectId>,
    most: u32,
) -> Result<Vec<StoppedSince>, Fault> {
    let project = Arg::Number(project.map(ProjectId::number));
    let mut stopped = Vec::new();
    for row in tx.found(&STOPPED, &[project, project, most.into()]).await? {
        let code = QueueCode {
            project: row.id("project", ProjectId::from_number)?,
            queue: row.text("queue")?.into(),
            code: row.hash("code")?,
        };
        let (example, since) = (row.job_id("example")?, row.moment("stopped_at")?);
        stopped.push(StoppedSince { code, example, since });
    }
    Ok(stopped)
}

pub(crate) async fn of_queue<T: Tx>(tx: &mut T) -> Result<Option<QueuePause>, Fault> {
    let Some(row) = tx.one(&OF_QUEUE, &[]).await? else { return Ok(None) };
    Ok(Some(QueuePause { since: row.moment("since")?, words: runs::person(&row)? }))
}

pub(crate) async fn of_run<T: Tx>(tx: &mut T, run: RunId) -> Result<Option<RunPause>, Fault> {
    let Some(row) = tx.one(&OF_RUN, &[run.number().into()]).await? else { return Ok(None) };
    Ok(runs::pause(&row)?)
}
