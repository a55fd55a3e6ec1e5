//! The end of a server in good order: nothing more is handed out, what runs is handed in, then connections close.
//!
//! Loses nothing by being skipped: what was acknowledged is durable at any moment.

use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use weevil_engine::feeder::{FeederHandle, Request};
use weevil_engine::health::{Health, Phase};

use crate::sockets::Handles;

/// What tells the server to end: SIGTERM of a service manager, SIGINT of a terminal.
pub(crate) struct Signals {
    terminate: Signal,
    interrupt: Signal,
    /// Heard and forgotten: a limit on the size of files is a full disk to the database, not a reason to die.
    _file_too_large: Signal,
}

impl Signals {
    pub(crate) fn listen() -> std::io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            _file_too_large: signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()))?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

pub(crate) struct Drain {
    pub health: Arc<Health>,
    pub feeder: FeederHandle,
    /// How long workers get at most.
    pub period: Duration,
}

impl Drain {
    /// Ends the server in good order at the first signal. Returns at the second, for an end at once.
    pub(crate) async fn at_signal(self, mut signals: Signals, server: Handles) {
        signals.next().await;
        tokio::select! {
            () = self.in_order(&server) => {}
            () = signals.next() => tracing::warn!("a second signal: ending at once"),
        }
    }

    async fn in_order(&self, server: &Handles) {
        tracing::info!(seconds = self.period.as_secs(), "draining: nothing more is handed out");
        self.health.enter(Phase::Draining(self.period));
        // Has the feeder count what is held, however little goes on.
        self.feeder.ask(Request::Tick);
        let all = tokio::time::timeout(self.period, self.health.nothing_held()).await.is_ok();
        tracing::info!(all, "drained: connections close");
        self.health.enter(Phase::Ending);
        server.stop().await;
        // The server's own end is what the caller waits for.
        std::future::pending::<()>().await;
    }
}
