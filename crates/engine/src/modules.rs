//! Asks modules of workflows about answers: whether one is right, and which of them agree (ADR 0067).
//!
//! What is to be asked lies in the database, and what they say goes to the feeder: whatever a crash leaves is asked again. One
//! question at a time, apart from everything that answers anybody, and the projects take turns, so that nobody's slow module stands in
//! the way of others. Decides nothing.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
use weevil_failpoint::{Point, pass};
use weevil_model::{ContentHash, ProjectId};
use weevil_queue::{Opinion, Proof};
use weevil_records::{Question, QuestionKey, StoreError};
use weevil_referee::{Bounds, Proof as Word, Why, prove, same};

use crate::clock::Stopwatch;
use crate::common::Common;
use crate::feeder::{Request, ServerRequest};

/// Questions of a project that are answered at a time, and how long that may go on.
const MOST: u32 = 16;
const TURN: Duration = Duration::from_secs(1);
/// How long to wait after something went wrong that may pass.
const REST: Duration = Duration::from_secs(1);
/// Questions that cannot be read and are passed over.
const MOST_DAMAGED: usize = 1024;
/// Hexadecimal digits of a digest that people are shown.
const SHOWN: usize = 12;

/// What a turn has come to.
enum Turn {
    /// `more`: there may be more of it to ask.
    Of { project: ProjectId, more: bool },
    /// No project behind the last one has a question.
    Over,
    /// The server ends.
    End,
}

/// Works as long as the feeder does.
pub async fn consult(common: Common) {
    let bell = Arc::new(Notify::new());
    common.feeder.ask(Request::OfServer(ServerRequest::AskModules(bell.clone())));
    let (mut last, mut goes_on, mut damaged) = (None, false, Damaged::default());
    loop {
        match turn(&common, last, &mut damaged).await {
            Ok(Turn::Of { project, more }) => (last, goes_on) = (Some(project), goes_on || more),
            Ok(Turn::Over) => {
                if !goes_on {
                    bell.notified().await;
                }
                (last, goes_on) = (None, false);
            }
            Ok(Turn::End) => return,
            Err(error) => {
                tracing::warn!(%error, "modules are asked again in a moment");
                common.clock.sleep(REST).await;
            }
        }
    }
}

/// Questions that cannot be read: told of once and passed over, until a start looks at them again.
#[derive(Default)]
struct Damaged(HashSet<QuestionKey>);

impl Damaged {
    fn note(&mut self, key: QuestionKey, error: &StoreError) {
        if !self.is_full() {
            tracing::error!(%error, job = %key.job, "a question cannot be read: its job waits");
            self.0.insert(key);
        }
    }

    fn is_full(&self) -> bool {
        self.0.len() == MOST_DAMAGED
    }

    /// So many questions, if there are so many that can be read.
    fn beyond(&self, most: u32) -> u32 {
        most.saturating_add(u32::try_from(self.0.len()).unwrap_or(u32::MAX))
    }
}

/// Some questions of the next project, until they are answered for good.
async fn turn(common: &Common, last: Option<ProjectId>, damaged: &mut Damaged) -> Result<Turn, StoreError> {
    let mut keys = common.store.questions(last, damaged.beyond(MOST)).await?;
    let Some(QuestionKey { project, .. }) = keys.first().copied() else { return Ok(Turn::Over) };
    keys.retain(|key| !damaged.0.contains(key));
    let opinions = ask_each(common, &keys, damaged).await?;
    let more = !opinions.is_empty() || !(keys.is_empty() || damaged.is_full());
    if opinions.is_empty() {
        return Ok(Turn::Of { project, more });
    }
    pass(Point::Judged);
    let (reply, kept) = oneshot::channel();
    common.feeder.ask(Request::OfServer(ServerRequest::Opine { opinions, reply }));
    match kept.await {
        Ok(Ok(())) => {}
        Ok(Err(refused)) => {
            tracing::warn!(%project, why = refused.0, "what a module has said is not kept, and asked again later");
            common.clock.sleep(REST).await;
        }
        Err(_) => return Ok(Turn::End),
    }
    Ok(Turn::Of { project, more })
}

/// As many of them as a turn has time for. The others go on where one cannot be read.
async fn ask_each(
    common: &Common,
    keys: &[QuestionKey],
    damaged: &mut Damaged,
) -> Result<Vec<Opinion>, StoreError> {
    let (watch, mut opinions) = (Stopwatch::start(), Vec::new());
    for key in keys {
        match ask(common, *key).await {
            Ok(opinion) => opinions.push(opinion),
            Err(error @ StoreError::Corrupt { .. }) => damaged.note(*key, &error),
            Err(error) => return Err(error),
        }
        if watch.elapsed() >= TURN {
            break;
        }
    }
    Ok(opinions)
}

const fn no_opinion(QuestionKey { job, digest, .. }: QuestionKey) -> Opinion {
    Opinion { job, digest, about: None, proof: None, alike: BTreeSet::new(), failed: None }
}

async fn ask(common: &Common, key: QuestionKey) -> Result<Opinion, StoreError> {
    let (QuestionKey { job, digest, .. }, mut opinion) = (key, no_opinion(key));
    let Some(question) = common.store.question(&key).await? else { return Ok(opinion) };
    let Question { path, fingerprint, proof, comparator, value, others } = question;
    opinion.about = Some(fingerprint);
    let mut failures = Failures::default();
    if let Some((hash, input)) = proof {
        let module = module(common, hash).await?;
        let (about, value) =
            (format!("whether value {} of {path} ({job}) is right", shown(digest)), value.clone());
        let word = call(module, move |module| prove(module, &input, &value, &Bounds::RULING)).await;
        opinion.proof = match failures.note(("proof", hash), &about, word) {
            Some(Word::Right) => Some(Proof::Right),
            Some(Word::Wrong) => Some(Proof::Wrong),
            Some(Word::CannotSay) | None => None,
        };
    }
    if let Some(hash) = comparator.filter(|_| opinion.proof.is_none()) {
        let module = module(common, hash).await?;
        for other in others {
            let Some(said) = common.store.answer_value(job, other).await? else { continue };
            let about =
                format!("whether values {} and {} of {path} ({job}) agree", shown(digest), shown(other));
            let value = value.clone();
            let agrees =
                call(module.clone(), move |module| same(module, &said, &value, &Bounds::RULING)).await;
            let agrees = failures.note(("comparator", hash), &about, agrees);
            opinion.alike.extend(agrees.unwrap_or_default().then_some(other));
        }
    }
    opinion.failed = failures.0;
    Ok(opinion)
}

/// `None` where it is gone.
async fn module(common: &Common, hash: ContentHash) -> Result<Option<Arc<Vec<u8>>>, StoreError> {
    Ok(common.store.blob(hash).await?.map(|blob| Arc::new(blob.bytes)))
}

/// What went wrong with a module, in words.
type Failure = String;

/// On a thread where it holds up nobody.
async fn call<T: Send + 'static>(
    module: Option<Arc<Vec<u8>>>,
    ask: impl FnOnce(&[u8]) -> Result<T, Why> + Send + 'static,
) -> Result<T, Failure> {
    let module = module.ok_or_else(|| "it is stored no more".to_owned())?;
    let said = tokio::task::spawn_blocking(move || ask(&module)).await;
    said.map_err(|error| error.to_string())?.map_err(|why| why.to_string())
}

/// What went wrong first with what was asked about one answer.
#[derive(Default)]
struct Failures(Option<Arc<str>>);

impl Failures {
    /// Nothing is said where a module has failed.
    fn note<T>(
        &mut self,
        (kind, hash): (&str, ContentHash),
        about: &str,
        said: Result<T, Failure>,
    ) -> Option<T> {
        let why = match said {
            Ok(said) => return Some(said),
            Err(why) => why,
        };
        let words = format!("The {kind} {} was asked {about}, and failed: {why}.", shown(hash));
        tracing::warn!(words, "a module of a workflow has failed");
        self.0.get_or_insert_with(|| words.into());
        None
    }
}

fn shown(digest: ContentHash) -> String {
    digest.to_string()[..SHOWN].to_owned()
}
