//! Frames of all topics that somebody listens to: one task makes them, everybody reads them here.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix_web::web::{self, Bytes};
use tokio::sync::{Notify, watch};
use weevil_model::Timestamp;

use super::reader::{Reader, Step};
use super::ring::Ring;
use super::source::{Source, Subject};
use super::topic::Topic;
use crate::http::AppState;

/// The pause between two looks.
const EVERY: Duration = Duration::from_millis(250);
/// Looks at a topic after its last reader has gone, 30 s: one that comes back finds no gap.
const LINGER: u32 = 120;

/// Shared by the task and all readers.
#[derive(Clone)]
pub(crate) struct Frames {
    /// The start of the server: numbers of another one mean nothing here.
    start: Timestamp,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// The number of the last frame.
    latest: watch::Sender<u64>,
    wanted: Notify,
}

#[derive(Default)]
struct State {
    ring: Ring,
    topics: BTreeMap<Topic, LiveTopic>,
}

struct LiveTopic {
    source: Source,
    /// From this number on there is no gap.
    since: u64,
    readers: usize,
    /// Looks since the last reader has gone.
    idle: u32,
    /// Made when somebody needs it, until something changes.
    snapshot: Option<Bytes>,
}

/// A topic that somebody may listen to, and what the reader calls it.
pub(crate) struct Wish {
    pub name: String,
    /// It begins with a snapshot, whatever the reader has.
    pub fresh: bool,
    pub subject: Subject,
}

/// Somebody who listens, until it is dropped.
pub(super) struct Listening {
    frames: Frames,
    reader: Reader,
    /// What each seat is called.
    names: Vec<String>,
}

/// An event, in two parts: the reader's own lines and, where there is any, what all readers share.
pub(super) type Event = (Bytes, Option<Bytes>);

impl Frames {
    pub(crate) fn new(start: Timestamp) -> Self {
        Self { start, shared: Arc::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `after` is the id of the last event that a reader has.
    pub(super) fn listen(&self, app: &AppState, wishes: Vec<Wish>, after: Option<&str>) -> Listening {
        let after = after.and_then(|id| self.number(id));
        let mut state = self.state();
        let State { ring, topics } = &mut *state;
        let (mut names, mut wanted) = (Vec::new(), Vec::new());
        for Wish { name, fresh, subject } in wishes {
            let topic = subject.topic();
            let live = topics.entry(topic).or_insert_with(|| LiveTopic {
                source: Source::new(app, subject),
                since: ring.latest() + 1,
                readers: 0,
                idle: 0,
                snapshot: None,
            });
            live.readers += 1;
            names.push(name);
            wanted.push((topic, if fresh { u64::MAX } else { live.since }));
        }
        let reader = Reader::new(wanted, ring, after);
        drop(state);
        self.shared.wanted.notify_one();
        Listening { frames: self.clone(), reader, names }
    }

    /// The number in an id of this server's.
    fn number(&self, id: &str) -> Option<u64> {
        let (start, number) = id.split_once('-')?;
        (start.parse() == Ok(self.start.0)).then(|| number.parse().ok())?
    }

    fn id(&self, number: u64) -> String {
        format!("{}-{number}", self.start.0)
    }

    /// Returns once there is something to look at.
    async fn wanted(&self) {
        while self.state().topics.is_empty() {
            self.shared.wanted.notified().await;
        }
    }

    /// Looks at each topic once.
    pub(super) fn look(&self, app: &AppState) {
        let mut state = self.state();
        let State { ring, topics } = &mut *state;
        topics.retain(|_, live| live.readers > 0 || live.idle < LINGER);
        for (topic, live) in topics {
            live.idle = if live.readers > 0 { 0 } else { live.idle + 1 };
            if let Some(data) = live.source.change(app) {
                ring.put(*topic, data);
                live.snapshot = None;
            }
        }
        let latest = ring.latest();
        drop(state);
        self.shared.latest.send_if_modified(|known| std::mem::replace(known, latest) != latest);
    }
}

impl Listening {
    /// Tells when there may be another event.
    pub(super) fn latest(&self) -> watch::Receiver<u64> {
        self.frames.shared.latest.subscribe()
    }

    /// What is told next, if there is anything.
    pub(super) fn next(&mut self, app: &AppState) -> Option<Event> {
        let mut state = self.frames.state();
        let State { ring, topics } = &mut *state;
        match self.reader.next(ring) {
            Step::Snapshot(seat) => {
                let live = topics.get_mut(&self.reader.topic(seat)?)?;
                let LiveTopic { snapshot, source, .. } = live;
                let data = snapshot.get_or_insert_with(|| source.snapshot(app)).clone();
                self.reader.snapshot_told(seat, ring.latest());
                Some((Bytes::from(format!("event: {}\n", self.names[seat])), Some(data)))
            }
            Step::Frame { seat, number, ends } => {
                let id = if ends { format!("id: {}\n", self.frames.id(number)) } else { String::new() };
                let data = ring.get(number)?.data.clone();
                Some((Bytes::from(format!("{id}event: {}\n", self.names[seat])), Some(data)))
            }
            Step::Mark(number) => Some((Bytes::from(format!("id: {}\n\n", self.frames.id(number))), None)),
            Step::Nothing => None,
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut state = self.frames.state();
        for topic in self.reader.topics() {
            if let Some(live) = state.topics.get_mut(&topic) {
                live.readers = live.readers.saturating_sub(1);
            }
        }
    }
}

/// Makes frames for as long as it is polled.
pub(crate) async fn press(app: web::Data<AppState>) {
    let frames = app.past.frames.clone();
    loop {
        frames.wanted().await;
        tokio::time::sleep(EVERY).await;
        frames.look(&app);
    }
}
