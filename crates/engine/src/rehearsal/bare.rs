//! The floor under scheduling: actors that are started, told something and do nothing with it.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use actix::{Actor, Context, Handler, Message};
use tokio::sync::oneshot;

/// What a job's executor hears on average: two inputs, that it was claimed, and its value.
const MESSAGES: usize = 4;

#[derive(Message)]
#[rtype(result = "()")]
struct Told;

struct Idle {
    /// Messages that all actors together still expect, and who waits for the last.
    left: Rc<Cell<usize>>,
    done: Rc<Cell<Option<oneshot::Sender<()>>>>,
}

impl Actor for Idle {
    type Context = Context<Self>;
}

impl Handler<Told> for Idle {
    type Result = ();

    fn handle(&mut self, _: Told, _: &mut Context<Self>) {
        self.left.set(self.left.get() - 1);
        if self.left.get() == 0
            && let Some(done) = self.done.take()
        {
            // Whoever has stopped waiting does not need to know.
            let _ = done.send(());
        }
    }
}

/// Starts this many actors and sends each what an executor is sent. Answers how long it takes until all have heard it.
pub fn bare(actors: usize) -> Duration {
    actix::System::new().block_on(async {
        let (done, all_heard) = oneshot::channel();
        let (left, done) = (Rc::new(Cell::new(actors * MESSAGES)), Rc::new(Cell::new(Some(done))));
        let began = Instant::now();
        let started: Vec<_> =
            (0..actors).map(|_| Idle { left: left.clone(), done: done.clone() }.start()).collect();
        for _ in 0..MESSAGES {
            for actor in &started {
                actor.do_send(Told);
            }
            tokio::task::yield_now().await;
        }
        // With no actors there is no last message.
        let _ = all_heard.await;
        began.elapsed()
    })
}
