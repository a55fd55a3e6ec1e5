//! What the jobs of a run have logged: page by page, in the order in which their attempts ended, and what comes later.
//!
//! What other runs log at the same time stands between: a page may end before it is full.

use std::collections::HashMap;

use actix_web::{HttpRequest, web};
use serde::Deserialize;
use weevil_api::{LogPage, LogView};
use weevil_model::{JobId, RunId, Timestamp};
use weevil_records::{LogMark, LogStretch, LoggedAttempt};

use super::AppState;
use super::jobs::worker;
use super::page::{Limit, no_mark};
use super::parameters::{query, sought};
use super::walls::Wall;
use crate::refusal::Refusal;

/// Attempts that are looked at for one page, whatever run they are of.
const LOOKED_AT: u32 = 2_000;
/// Bytes of lines that are read, behind which a page ends: those of some attempts may come on top.
const MAX_PAGE_BYTES: usize = 1 << 20;
/// Attempts whose lines are read at once.
const READ_AT_ONCE: usize = 32;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    q: Option<String>,
    after: Option<String>,
    #[serde(default)]
    limit: Limit,
}

pub(super) async fn get(
    wall: Wall,
    app: web::Data<AppState>,
    request: HttpRequest,
    run: web::Path<String>,
) -> Result<web::Json<LogPage>, Refusal> {
    let Asked { q, after, limit } = query(&request)?;
    let sought = sought(q.as_deref())?;
    let head = wall.run(&run).await?;
    let after = after.as_deref().map(|mark| behind(head.id, mark)).transpose()?;
    // What ends in this very millisecond may not have been written down yet, and would then stand in front of a mark.
    let now = app.common.clock.now().plus_ms(-1);
    let until = head.finished_at.map_or(now, |end| end.min(now));
    let stretch = LogStretch { from: head.created_at, until, after };
    let marks = app.common.store.logged(head.id, &stretch, LOOKED_AT).await?;
    let is_full = marks.len() >= LOOKED_AT as usize;
    let found = read(&app, &marks, sought.as_deref(), limit.most()).await?;
    let end = found.last.or(after).map(|last| mark(head.id, last));
    let next = end.clone().filter(|_| is_full || found.is_cut);
    Ok(web::Json(LogPage { logs: found.logs, next, end }))
}

struct Found {
    logs: Vec<LogView>,
    /// The last attempt that was looked at.
    last: Option<LogMark>,
    /// Not all were.
    is_cut: bool,
}

/// As many of the run's own as a page takes, those alone that say something where that is sought.
async fn read(
    app: &AppState,
    marks: &[(LogMark, bool)],
    sought: Option<&str>,
    most: usize,
) -> Result<Found, Refusal> {
    let own: Vec<LogMark> = marks.iter().filter(|(_, own)| *own).map(|(mark, _)| *mark).collect();
    let (mut logs, mut bytes, mut done) = (Vec::new(), 0, 0);
    while done < own.len() && logs.len() < most && bytes < MAX_PAGE_BYTES {
        let marks = &own[done..own.len().min(done + READ_AT_ONCE.min(most - logs.len()))];
        let read = app.common.store.logs(marks).await?;
        let mut read: HashMap<LogMark, LoggedAttempt> = read.into_iter().map(|log| (log.mark, log)).collect();
        done += marks.len();
        // A run that is forgotten meanwhile leaves none.
        for log in marks.iter().filter_map(|mark| read.remove(mark)).map(view) {
            bytes += log.log.len();
            logs.extend(Some(log).filter(|log| sought.is_none_or(|sought| says(log, sought))));
        }
    }
    let is_cut = done < own.len();
    let last = if is_cut { own[..done].last() } else { marks.last().map(|(mark, _)| mark) }.copied();
    Ok(Found { logs, last, is_cut })
}

/// Whether a text, in small letters, is in its path, its worker or its lines.
fn says(log: &LogView, sought: &str) -> bool {
    [&log.path, &log.worker, &log.log].iter().any(|told| told.to_lowercase().contains(sought))
}

fn view(log: LoggedAttempt) -> LogView {
    LogView {
        job: log.mark.job.to_string(),
        path: log.path,
        number: log.mark.number,
        worker: worker(log.worker),
        ended_at: log.mark.ended_at.0,
        end: log.end.map(|end| end.as_str().to_owned()),
        log: log.log,
    }
}

fn mark(run: RunId, mark: LogMark) -> String {
    format!("l.{run}.{}.{}.{}", mark.ended_at.0, mark.job, mark.number)
}

/// One of another run's log is no mark here.
fn behind(run: RunId, text: &str) -> Result<LogMark, Refusal> {
    let read = || {
        let mut parts = text.strip_prefix(format!("l.{run}.").as_str())?.split('.');
        let mut part = || parts.next();
        let ended_at = Timestamp(part()?.parse().ok()?);
        let (job, number): (JobId, u32) = (part()?.parse().ok()?, part()?.parse().ok()?);
        part().is_none().then_some(LogMark { ended_at, job, number })
    };
    read().ok_or_else(no_mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_looked_for_in_path_worker_and_lines() {
        let log = LogView {
            job: String::new(),
            path: "pool/3/Each".into(),
            number: 1,
            worker: "wrk_7".into(),
            ended_at: 1,
            end: None,
            log: "begun\nhalf Way".into(),
        };
        for (sought, found) in
            [("each", true), ("wrk_7", true), ("half way", true), ("ended", false), ("%", false)]
        {
            assert_eq!(says(&log, sought), found, "{sought}");
        }
    }

    #[test]
    fn a_mark_is_read_as_it_was_written() {
        let made = LogMark { ended_at: Timestamp(1_795), job: JobId::from_number(7).unwrap(), number: 3 };
        let [run, another] = [1, 2].map(|number| RunId::from_number(number).unwrap());
        assert_eq!(behind(run, &mark(run, made)).unwrap(), made);
        let (job, theirs) = (made.job, mark(another, made));
        for text in ["", "l.", "7", &theirs, &format!("l.{run}.1.{job}"), &format!("l.{run}.1.{job}.2.3")] {
            assert!(behind(run, text).is_err(), "{text}");
        }
    }
}
