//! Large inputs on their way to workers: counted from the claim until their socket has taken them, and who waits for that.
//!
//! Knows nothing of sockets: what is on its way holds a parcel, and drops it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use futures_util::FutureExt;
use tokio::sync::Notify;

use crate::budget::Permit;

/// Held by each part of what one claim hands to one worker; nothing where that is small.
#[derive(Clone, Default)]
pub struct Parcel(Option<Arc<Load>>);

/// All that one claim hands to one worker.
struct Load {
    /// For its bytes.
    permit: Option<Permit>,
    bell: Arc<Bell>,
}

/// Whether a parcel is still on its way.
pub struct Trace(Weak<Load>);

/// Rings when something was taken that the feeder waits for.
#[derive(Default)]
pub struct Bell {
    awaited: AtomicBool,
    taken: Notify,
}

impl Parcel {
    pub fn new(permit: Permit, bell: Arc<Bell>) -> Self {
        Self(Some(Arc::new(Load { permit: Some(permit), bell })))
    }

    /// Is it nothing?
    pub const fn is_small(&self) -> bool {
        self.0.is_none()
    }

    pub fn trace(&self) -> Trace {
        Trace(self.0.as_ref().map_or_else(Weak::new, Arc::downgrade))
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.permit = None;
        if self.bell.awaited.swap(false, Ordering::SeqCst) {
            self.bell.taken.notify_one();
        }
    }
}

impl Trace {
    pub(crate) fn is_on_its_way(&self) -> bool {
        self.0.strong_count() > 0
    }
}

impl Bell {
    /// Whoever finds that it has to wait looks once more after this: it may have been taken meanwhile.
    pub(crate) fn await_next(&self) {
        self.awaited.store(true, Ordering::SeqCst);
    }

    /// Has it rung since this was asked last?
    pub(crate) fn has_rung(&self) -> bool {
        self.rung().now_or_never().is_some()
    }

    pub(crate) async fn rung(&self) {
        self.taken.notified().await;
    }
}
