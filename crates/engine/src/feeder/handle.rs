//! The way to the feeder: a channel without a bound of its own, and how much is in it.

use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::mpsc;

use super::Request;

/// The way to the feeder, for everybody.
#[derive(Clone)]
pub struct FeederHandle {
    asks: mpsc::UnboundedSender<Request>,
    waiting: Gauge,
}

impl FeederHandle {
    /// Never blocks. What is in the channel is bounded by the size of pools and by each worker's allowance.
    pub fn ask(&self, ask: Request) {
        // The feeder ends only with the server.
        self.waiting.inc();
        let _ending = self.asks.send(ask);
    }
}

/// Makes the way to a feeder, and the feeder's own end of it. `waiting` counts what is on its way.
pub fn channel(waiting: Gauge) -> (FeederHandle, mpsc::UnboundedReceiver<Request>) {
    let (asks, inbox) = mpsc::unbounded_channel();
    (FeederHandle { asks, waiting }, inbox)
}
