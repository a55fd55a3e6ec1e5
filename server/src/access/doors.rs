//! All that can open a server. Never opens anything by itself.

use super::Local;

/// What can open a server that is not everybody's.
pub(crate) struct Access {
    /// The owner of this process; `None` where that is switched off or cannot be proved here.
    pub local: Option<Local>,
    /// The metrics are everybody's.
    pub open_metrics: bool,
}
