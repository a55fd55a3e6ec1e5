//! Takes up the runs that an earlier life of the server has left open, one at a time, while the server already answers; and runs whose
//! executors begin anew.
//!
//! The oldest first, but one that somebody wants to end goes before all others. A run that cannot go on ends, FAILED, and is
//! no other run's trouble; where the database does not answer, it is asked again for that run alone. Never starts an
//! executor itself: the root does.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use actix::{Actor, Addr, Handler, Message, Recipient};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use weevil_failpoint::{Point, pass};
use weevil_model::{RunId, RunState};
use weevil_records::{
    ListedRun, Retrace, RunCourse, RunEnd, RunFacts, RunFailure, RunRecord, Runs, StoreError, Workflows,
};

use crate::common::Common;
use crate::root::{NotTakenUp, Root, Start};
use crate::runs::Stop;

mod resume;
#[cfg(test)]
mod tests;

use resume::{Trouble, resume};

/// How long a run rests that the database did not answer about.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// The open runs as far as they can be read, oldest first; what stands in for the others says why.
///
/// # Errors
/// Where the database does not answer.
pub async fn left_open(runs: &dyn Runs) -> Result<Vec<RunRecord>, StoreError> {
    let mut open = Vec::new();
    for run in runs.open_runs().await? {
        open.push(resume::record(runs, run).await?);
    }
    Ok(open)
}

/// Starts the root with these runs on the board: `ended` need no executor any more, `open` are taken up by what is
/// answered, as soon as it is polled.
pub fn start(common: &Common, ended: Vec<ListedRun>, open: &[RunRecord]) -> (Addr<Root>, TakeUp) {
    let (hurry, hurried) = mpsc::unbounded_channel();
    let root = Root::new(common.clone(), ended).awaiting(open, hurry).start();
    let line = open.iter().map(|record| record.id).collect();
    let take_up = TakeUp::of(common, root.clone(), line, hurried);
    (root, take_up)
}

/// Takes a run up again: first those who have stood for it are stopped, so that none of them listens or asks for anything any more
/// once others do; then it rests so long, milliseconds.
pub(crate) async fn once_stopped(
    common: Common,
    root: Addr<Root>,
    run: RunId,
    (stop, rest_ms): (Recipient<Stop>, i64),
) {
    // One that has ended meanwhile is stopped.
    let _ended = stop.send(Stop).await;
    common.listeners.forget_run(run);
    common.metrics.retraced.inc();
    pass(Point::RunRetraced);
    common.clock.sleep(Duration::from_millis(rest_ms.max(0).unsigned_abs())).await;
    let (_, hurried) = mpsc::unbounded_channel();
    TakeUp::of(&common, root, VecDeque::from([run]), hurried).run().await;
}

/// Runs that no executor stands for yet.
pub struct TakeUp {
    runs: Arc<dyn Runs>,
    workflows: Arc<dyn Workflows>,
    common: Common,
    root: Addr<Root>,
    /// In the order in which their turns come.
    line: VecDeque<RunId>,
    /// Those that wait for the database.
    resting: JoinSet<RunId>,
    /// Those that somebody wants to end.
    hurried: mpsc::UnboundedReceiver<RunId>,
}

impl TakeUp {
    fn of(
        common: &Common,
        root: Addr<Root>,
        line: VecDeque<RunId>,
        hurried: mpsc::UnboundedReceiver<RunId>,
    ) -> Self {
        let (runs, workflows, common) = (common.store.clone(), common.store.clone(), common.clone());
        common.metrics.to_take_up.inc_by(i64::try_from(line.len()).unwrap_or(i64::MAX));
        Self { runs, workflows, common, root, line, resting: JoinSet::new(), hurried }
    }

    /// Ends when each run goes on or has ended.
    pub async fn run(mut self) {
        while self.left() > 0 {
            tokio::select! {
                biased;
                Some(run) = self.hurried.recv() => self.hurry(run),
                Some(Ok(run)) = self.resting.join_next() => self.line.push_front(run),
                () = std::future::ready(()), if !self.line.is_empty() => self.turn().await,
            }
        }
    }

    fn left(&self) -> usize {
        self.line.len() + self.resting.len()
    }

    fn hurry(&mut self, run: RunId) {
        if let Some(at) = self.line.iter().position(|waiting| *waiting == run) {
            self.line.remove(at);
            self.line.push_front(run);
        }
    }

    async fn turn(&mut self) {
        let Some(run) = self.line.pop_front() else { return };
        match self.take_up(run).await {
            Ok(()) => {
                pass(Point::RunResumed);
                self.common.metrics.to_take_up.dec();
            }
            Err(error) => self.rest(run, &error),
        }
    }

    fn rest(&mut self, run: RunId, error: &StoreError) {
        tracing::error!(%run, %error, "a run that is to be taken up waits for the database");
        let rest = self.common.clock.sleep(AGAIN_AFTER);
        self.resting.spawn(async move {
            rest.await;
            run
        });
    }

    /// # Errors
    /// Where the database does not answer: nothing has changed then, or what has is found the next time.
    async fn take_up(&self, run: RunId) -> Result<(), StoreError> {
        let mut record = resume::record(&*self.runs, run).await?;
        if record.end.is_some() {
            // It ended without anybody hearing of it.
            self.tell(NotTakenUp(record)).await;
            return Ok(());
        }
        if record.retrace == Retrace::Due {
            self.runs.retrace(run, self.common.clock.now()).await?;
            record.retrace = Retrace::Begun;
        }
        match resume(&*self.runs, &*self.workflows, &record).await {
            Ok((plan, earlier)) => self.tell(Start { record, plan, earlier }).await,
            Err(Trouble::Run(failure)) => self.tell(NotTakenUp(self.give_up(record, failure).await?)).await,
            Err(Trouble::Database(error)) => return Err(error),
        }
        Ok(())
    }

    async fn tell<M: Message<Result = ()> + Send + 'static>(&self, news: M)
    where
        Root: Handler<M>,
    {
        // The root ends only with the server.
        let _ending = self.root.send(news).await;
    }

    /// As any run's end: durable before anybody hears of it.
    async fn give_up(&self, record: RunRecord, failure: RunFailure) -> Result<RunRecord, StoreError> {
        let (run, name) = (record.id, record.name.as_str());
        tracing::error!(%run, name, why = failure.message, "a run cannot be taken up: it has failed");
        let facts = RunFacts::failed(failure);
        let end = RunEnd { state: RunState::Failed, at: self.common.clock.now(), result: None, facts };
        let written = self.runs.end_run(run, &end, &RunCourse::default()).await;
        written.inspect_err(|error| self.common.refused(error))?;
        pass(Point::TakeUpFailed);
        Ok(RunRecord { state: end.state, end: Some(end), ..record })
    }
}
