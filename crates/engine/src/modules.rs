//! Asks modules of workflows about answers: whether one is right, and which of them agree (ADR 0067).
//!
//! What is to be asked lies in the database, and what they say goes to the feeder: whatever a crash leaves is asked again. One
//! question at a time, apart from everything that answers anybody, and the projects take turns, so that nobody's slow module stands in
//! the way of others. Decides nothing.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
use weevil_model::{ContentHash, JobId, ProjectId};
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
/// Jobs that cannot be read, of which it is remembered that they were told of.
const MOST_DAMAGED: usize = 1024;
/// Hexadecimal digits of a digest that people are shown.
const SHOWN: usize = 12;

/// What a turn has come to.
enum Turn {
    Of(ProjectId),
    /// No project behind the last one has a question.
    Over,
    /// The server ends.
    End,
}

/// Works as long as the feeder does.
pub async fn consult(common: Common) {
    let bell = Arc::new(Notify::new());
    common.feeder.ask(Request::OfServer(ServerRequest::AskModules(bell.clone())));
    let (mut last, mut damaged) = (None, Damaged::default());
    loop {
        match turn(&common, last, &mut damaged).await {
            Ok(Turn::Of(project)) => last = Some(project),
            Ok(Turn::Over) if last.is_some() => last = None,
            Ok(Turn::Over) => bell.notified().await,
            Ok(Turn::End) => return,
            Err(error) => {
                tracing::warn!(%error, "modules are asked again in a moment");
                common.clock.sleep(REST).await;
            }
        }
    }
}

/// Jobs whose questions cannot be read. They are looked at again and again, and told of once.
#[derive(Default)]
struct Damaged(HashSet<JobId>);

impl Damaged {
    fn tell(&mut self, job: JobId, error: &StoreError) {
        if self.0.len() == MOST_DAMAGED {
            self.0.clear();
        }
        if self.0.insert(job) {
            tracing::error!(%error, %job, "a question cannot be read: its job waits");
        }
    }
}

/// Some questions of the next project, until they are answered for good.
async fn turn(common: &Common, last: Option<ProjectId>, damaged: &mut Damaged) -> Result<Turn, StoreError> {
    let keys = common.store.questions(last, MOST).await?;
    let Some(QuestionKey { project, .. }) = keys.first().copied() else { return Ok(Turn::Over) };
    let (watch, mut opinions) = (Stopwatch::start(), Vec::new());
    for key in keys {
        match ask(common, key).await {
            Ok(opinion) => opinions.push(opinion),
            // The others go on.
            Err(error @ StoreError::Corrupt { .. }) => damaged.tell(key.job, &error),
            Err(error) => return Err(error),
        }
        if watch.elapsed() >= TURN {
            break;
        }
    }
    if opinions.is_empty() {
        common.clock.sleep(REST).await;
        return Ok(Turn::Of(project));
    }
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
    Ok(Turn::Of(project))
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
